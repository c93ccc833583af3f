"""The checks of notebook 03_planning."""

from functools import cache
from typing import Any

import numpy as np

from eubrl_edu.environments import make_env
from eubrl_edu.exercises.feedback import (
    ANY,
    Feedback,
    asks_for_numbers,
    check_number,
    check_numbers,
)
from eubrl_edu.experiments import make_agent
from eubrl_edu.simulation import simulate


def check_return(answer: Any) -> Feedback:
    """Check the return of the rewards 2, 0, 0, 10 under γ = 0.9."""
    discount, rewards = 0.9, np.array([2, 0, 0, 10])
    right = rewards @ discount ** np.arange(4)
    return check_number(
        answer,
        (right, f"Right: 2 now, and 10 in three steps' time, which counts {10 * discount**3:.2f}."),
        (rewards.sum(), "That is the sum. A reward one step later counts γ times as much."),
        (2 + 10 * discount**4, "Almost: the 10 comes three steps after the 2, not four."),
        (right * discount, "The first reward comes now, so it counts in full: γ⁰ = 1."),
        (rewards.sum() * discount, "Each reward has a power of γ of its own."),
        otherwise="Add up 2 γ⁰ + 0 γ¹ + 0 γ² + 10 γ³.",
        tolerance=1e-3,
    )


def check_backup(answer: Any) -> Feedback:
    """Check Q of a pair that pays 1 and leads to V = 10 with 0.8 and to V = 4 with 0.2, γ = 0.9."""
    discount, reward = 0.9, 1.0
    probabilities, values = np.array([0.8, 0.2]), np.array([10.0, 4.0])
    future = probabilities @ values
    q, with_luck = reward + discount * future, reward + discount * values.max()
    return check_number(
        answer,
        (q, f"Right: {reward:g} now, and {discount * future:.2f} from the next state on."),
        (reward + future, "That is without γ: the next state is one step away."),
        (discount * (reward + future), "The reward is paid now: γ belongs to the future only."),
        (discount * future, "That is the future. What does the pair pay now?"),
        (reward + discount * values.mean(), "The two next states are not equally likely."),
        (with_luck, "That is the better next state only. The other has probability 0.2."),
        otherwise="Average the next values, multiply by γ, and add the reward.",
        tolerance=1e-3,
    )


def check_tolerance(answer: Any) -> Feedback:
    """Check the residual at which the error is surely below 0.01, for γ = 0.95."""
    discount, error = 0.95, 0.01
    right = error * (1 - discount) / discount
    too_large = "That *residual* still allows an error of nearly 0.2: γ / (1 − γ) is 19 here."
    return check_number(
        answer,
        # With its tolerance: from 0.0005, which guarantees it, too, to 0.00053, which is rounded.
        (0.98 * right, "Right: nearly twenty times smaller than the error that it guarantees."),
        (error, too_large),
        (error * discount, too_large),
        (error * discount / (1 - discount), "Upside down: the residual is the smaller of the two."),
        otherwise="Solve residual · γ / (1 − γ) = 0.01 for the residual.",
        tolerance=0.031,
    )


@asks_for_numbers(2)
def check_now_and_future(numbers: np.ndarray) -> Feedback:
    """Check how Q of an untried pair splits, for EUBRL after 23 steps in the world of two loops."""
    env = make_env("loop", size=2)
    agent = make_agent("EUBRL", env)
    simulate(agent, env, steps=23, seed=0)
    plan = agent.plan()
    now, q = plan.max_uncertainty, float(plan.q[8, 1])
    future = agent.discount * plan.v.mean()
    return check_numbers(
        numbers,
        (
            [now, future],
            f"Right: {future / q:.0%} of it is the future, although the agent has never seen "
            "where this step leads.",
        ),
        ([future, now], "The right numbers in the wrong order: first now, then the future."),
        ([ANY, plan.v.mean()], "The average value of all states comes one step later: times γ."),
        ([ANY, q], "That is all of Q. The future is what is left without the reward."),
        ([0, ANY], "r_b is 0 here, but P_U is 1, so the agent hears E_b = E_max."),
        otherwise="Now: the guided reward of an untried pair. The future: Q minus that.",
        absolute=0.01,
    )


@cache
def _worth_of_the_tree(known: float, left: int, ones: int = 0, zeros: int = 0) -> float:
    """What the best plan earns that knows it will learn, with a uniform prior over the new arm."""
    if left == 0:
        return 0.0
    chance = (1 + ones) / (2 + ones + zeros)
    won = _worth_of_the_tree(known, left - 1, ones + 1, zeros)
    lost = _worth_of_the_tree(known, left - 1, ones, zeros + 1)
    trying = chance * (1 + won) + (1 - chance) * lost
    return max(known + _worth_of_the_tree(known, left - 1, ones, zeros), trying)


def check_steps_worth_a_try(answer: Any) -> Feedback:
    """Check from how many steps on it pays to try an unknown arm, where the known one pays 0.7."""
    steps = next(n for n in range(1, 200) if _worth_of_the_tree(0.7, n) > 0.7 * n + 1e-9)
    return check_number(
        answer,
        (
            steps,
            f"Right: with {steps} steps left a try pays for itself, "
            f"with {steps - 1} it does not yet.",
        ),
        (4, "That was so for a known arm that pays 0.6. This one is harder to beat."),
        (steps - 1, "Not yet: with that many steps the best plan still earns just 0.7 a step."),
        (0, "It does pay in the end: print best(0, 0, left, 0.7) beside 0.7 * left, up to 20."),
        otherwise=(
            "Call best(0, 0, left, 0.7) for left = 1, 2, 3, … until it is more than 0.7 * left, "
            "and by more than rounding."
        ),
        tolerance=1e-6,
    )
