"""The checks of notebook 00_start_here."""

from typing import Any

from eubrl_edu import engine
from eubrl_edu.environments import make_env
from eubrl_edu.exercises.feedback import Feedback, check_number
from eubrl_edu.experiments import make_agent
from eubrl_edu.planning import backward_induction
from eubrl_edu.uncertainty import epistemically_guided_reward


def check_best_return(answer: Any) -> Feedback:
    """Check the largest return of 1000 steps in the Loop world with two loops."""
    steps = 1000
    plan = backward_induction(make_env("loop", size=2).model, horizon=steps, discount=1.0)
    best = float(plan.v[0, 0])
    return check_number(
        answer,
        (best, f"Right: {steps // 5} rounds of 5 steps, and each pays 2."),
        (2 * steps, "That would be 2 in every step. How many steps does a round take?"),
        (
            2 * steps / 4,
            "That is a round of 4 steps. One step leads into the loop, three move on inside "
            "it, and one leads back: how many is that?",
        ),
        (best / 2, "That is what loop 0 earns. Loop 1 pays 2 a round."),
        otherwise="Count the steps of one round from start to start. "
        "How many rounds fit into 1000?",
        tolerance=1e-9,
    )


def check_guided_cup(answer: Any) -> Feedback:
    """Check the guided reward for r_b = 2, E_b = 0.5 and P_U = 0.25."""
    right = epistemically_guided_reward(2.0, 0.5, 0.25)
    return check_number(
        answer,
        (right, "Right: three quarters of what she believes, and a quarter of her doubt."),
        (2.5, "That is r_b + E_b, the second visitor. EUBRL divides its attention instead."),
        (0.875, "The weights are swapped: E_b has the weight P_U, and r_b the rest."),
        (1.5, "That is the share of r_b alone. Her doubt has a say too: add P_U E_b."),
        (2.125, "r_b has a weight as well, 1 − P_U."),
        otherwise="Put the numbers into (1 − P_U) r_b + P_U E_b.",
        tolerance=1e-3,
    )


def check_best_guess_alone(answer: Any) -> Feedback:
    """Check the return of Mean-MDP in 1000 steps of the Loop world, seed 0."""
    env = make_env("loop", size=2)

    def earned(name: str, seed: int = 0) -> float:
        return float(engine.simulate(make_agent(name, env), env, 1000, seed=seed).rewards.sum())

    right = earned("Mean-MDP")
    return check_number(
        answer,
        (right, "Right: about 1 in every round. It never learns that the other loop pays 2."),
        (earned("EUBRL"), 'That is EUBRL. Ask make_agent for "Mean-MDP".'),
        (400, "An agent that knows the world earns that much. This one has to learn it."),
        (200, "Nearly. Let it run: learning costs a little."),
        (earned("Mean-MDP", seed=2), "That is another seed, and a lucky one. Use seed 0."),
        otherwise='Simulate make_agent("Mean-MDP", env) for 1000 steps with seed 0, '
        "and add up its rewards.",
        tolerance=1e-6,
    )
