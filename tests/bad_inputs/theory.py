"""The theory: recorded runs and the worlds they are of, and priors."""

import importlib
import inspect
import re
from contextlib import ExitStack
from unittest import mock

import numpy as np

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.environments import Loop
from eubrl_edu.theory.counterexample import CertainReward
from eubrl_edu.theory.misspecification import max_uncertainty, sharper_sufficient_estimate
from tests.bad_inputs import formulas
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.values import (
    NEVER_NUMBERS,
    NOT_ABOVE_0,
    NOT_BOOLS,
    NOT_DISCOUNTS,
    NOT_POSITIVE_INTEGERS,
)

LOOP = eu.make_env("loop")
NOT_PROBABILITIES = [0, -0.1, 1.1, *NEVER_NUMBERS]
NOT_RUNS = {
    "trajectory must be what simulate": [None, "run", 3, LOOP],
    "the trajectory has no plans": [
        eu.simulate(eu.make_agent("EUBRL", LOOP), LOOP, 3, seed=0),
    ],
}  # fmt: skip


class TenTimes(Loop):
    """A loop that pays ten times as much."""

    def outcomes(self, state, action):
        for outcome in super().outcomes(state, action):
            yield outcome._replace(reward=10 * outcome.reward)


def not_worlds():
    """What is no world of a run on the loop, and says so."""
    return {
        "env.model is missing": [None, "loop", 3, LOOP.model],
        "env must be the world of the run, of 9 states and 2 actions": [
            eu.make_env("chain"), eu.make_env("loop", size=3),
        ],
    }  # fmt: skip


def before_solving(function, good, bad, title=""):
    """Rows of what is refused although nothing can be solved."""
    for row in systematic(function.__name__ + title, function, good, bad):
        yield row._replace(
            what=f"{row.what}, before anything is solved", given=nothing_is_solved, place=None
        )


def nothing_is_solved():
    """A context in which a solver that is called raises ``TypeError``."""
    context = ExitStack()
    for module, solver in (
        ("run_values", "solve"), ("episode_values", "backward_induction"), ("measured", "solve"),
    ):  # fmt: skip
        module = importlib.import_module(f"eubrl_edu.theory.{module}")
        context.enter_context(mock.patch.object(module, solver, None))
    return context


def sizes():
    """Sizes that would take minutes or all memory: refused at once, with the limit."""
    bandit = {
        "means": (0.6, 0.4), "alpha": 1.0, "n_agents": 2, "steps": 2,
        "rng": np.random.default_rng(0),
    }  # fmt: skip
    large = [*NOT_POSITIVE_INTEGERS, 10**9]
    no_luck = [None, 0, np.random]
    yield from systematic(
        "simulate_bandit", theory.simulate_bandit, bandit,
        {"n_agents": [*large, 10**6 + 1], "steps": large, "rng": no_luck},
    )  # fmt: skip
    curve = {
        "belief": theory.failing_prior(), "env": CertainReward(), "state": 0, "action": 0,
        "visits": [1], "rng": np.random.default_rng(0),
    }  # fmt: skip
    along = theory.uncertainty_along_visits
    yield from systematic("uncertainty_along_visits", along, curve, {"rng": no_luck})
    yield Row(
        "simulate_bandit(10**5 agents, 10**4 steps)",
        lambda: theory.simulate_bandit(**bandit | {"n_agents": 10**5, "steps": 10**4}),
        "steps must be at most 1,000,",
    )
    stuck = {"worse_mean": 0.6, "alpha": 1.0, "steps": 3}
    prior = {"alpha": 1.0}
    for function, good in (
        (theory.simulate_bandit, bandit), (theory.sticking_probability, stuck),
        (max_uncertainty, prior), (sharper_sufficient_estimate, prior),
    ):  # fmt: skip
        yield from systematic(function.__name__, function, good, {"rooted": NOT_BOOLS})
    for function in (theory.sticking_probability, theory.sticking_forever):
        yield from systematic(
            function.__name__, function, stuck,
            {"steps": [*large, 20_001], "alpha": NOT_ABOVE_0, "worse_mean": [1.1, None]},
        )  # fmt: skip
    yield from systematic(
        "HardWorld", theory.HardWorld,
        {"n_rings": 2, "n_actions": 2, "discount": 0.9, "gap": 0.1},
        {"n_rings": [*large, 500_001], "n_actions": large, "gap": [-0.1, 0.95, None],
         "discount": NOT_DISCOUNTS, "seed": [-1, None, 0.5, "0"]},
    )  # fmt: skip
    belief = theory.failing_prior()
    for visits in ([10**9], [1, 10**6 + 1], [0], [1.5]):
        yield Row(
            f"check_quasi_optimism(visits={visits})",
            lambda v=visits: theory.check_quasi_optimism(belief, v), r"\bvisits\b",
        )  # fmt: skip


def rows():
    yield from kinds()
    agent = eu.make_agent("EUBRL", LOOP)
    run = eu.simulate(agent, LOOP, 12, seed=0, record_plans=True)
    given = {"trajectory": run, "env": LOOP, "discount": agent.discount}
    runs = {"trajectory": NOT_RUNS, "env": not_worlds(), "discount": NOT_DISCOUNTS}
    settings = {
        "delta": [None, *NOT_PROBABILITIES],
        "lambda_t": [*NOT_PROBABILITIES, [0.1, 0.2], {}],
        "m": [-1e-9, *NEVER_NUMBERS],
        "eta": [-1e-9, *NEVER_NUMBERS],
        "r_max": [0, *NEVER_NUMBERS],
        "rescale": NOT_BOOLS,
    }
    settings = {name: [v for v in bad if v is not None or name == "delta" or name == "rescale"]
                for name, bad in settings.items()}  # fmt: skip
    for function in (theory.decompose, theory.run_values, theory.event_margins):
        yield from systematic(function.__name__, function, given, runs | settings)
    yield from systematic("regret", theory.regret, given, runs)
    for function in (theory.decompose, theory.regret):
        yield Row(
            f"{function.__name__} in a world that pays ten times as much",
            lambda f=function: f(run, TenTimes(), discount=agent.discount),
            r"env must be the world of the run.*state \d cannot pay 1, as it did",
        )  # fmt: skip
    yield Row(
        "decompose(rescale=True, r_max=1.0)",
        lambda: theory.decompose(run, LOOP, discount=agent.discount, rescale=True, r_max=1.0),
        "r_max must be left out with rescale=True",
    )  # fmt: skip
    yield from systematic(
        "sample_complexity", theory.sample_complexity, given | {"epsilon": 0.1},
        runs | {"epsilon": NOT_ABOVE_0},
    )  # fmt: skip

    last = {"epsilon": [-1, *NOT_ABOVE_0[2:], 1e9], "m": settings["m"], "eta": settings["eta"]}
    last["epsilon"].remove(None)  # which leaves it out
    yield from before_solving(theory.sample_complexity, given, {"epsilon": last["epsilon"]})
    for function in (theory.events, theory.event_margins):
        yield from before_solving(function, given, last)

    planner = eu.make_agent("EUBRL", LOOP, horizon=3, discount=1.0, plan_every="episode")
    episodes = eu.simulate(planner, LOOP, 12, seed=0, record_plans=True)
    given = {"trajectory": episodes, "env": LOOP}
    for function in (theory.decompose, theory.episode_values):
        yield from systematic(
            function.__name__ + " of episodes", function, given,
            {"trajectory": NOT_RUNS, "env": not_worlds()} | settings,
        )  # fmt: skip

    for function in (theory.events, theory.event_margins):
        yield from before_solving(function, given, last, " of episodes")
    for function in (theory.decompose, theory.events, theory.event_margins):
        for setting, like in (("etta", " Did you mean 'eta'?"), ("horizon", "")):
            yield Row(
                f"{function.__name__}({setting}=1)",
                lambda f=function, setting=setting: f(run, LOOP, discount=0.9, **{setting: 1}),
                f"unknown setting of {function.__name__} '{setting}'; choose one of: delta, r_max, "
                rf"lambda_t, m, eta, rescale\.{re.escape(like)}$",
            )  # fmt: skip

    yield from sizes()
    yield from formulas.rows()
    no_pairs = {"pairs": [None, 3, "0", [], [[0]], [[0], [0, 1]], [-1], [0.5], [10**30]]}
    once = np.arange(10**6)  # a million pairs, each visited for the first time: a stop at each step
    for function, good, starts in (
        (theory.plan_starts, {}, lambda found: found[1:] - 2),
        (theory.stopping_times, {}, lambda found: once + found.offsets),
        (theory.episode_stopping_times, {"horizon": 1}, lambda found: once + found.offsets - 1),
    ):
        yield from systematic(function.__name__, function, good, no_pairs)
        yield Row(
            f"{function.__name__}(a million pairs)", lambda f=function, g=good: f(once, **g), "",
            None, holds=lambda found, s=starts: np.array_equal(s(found), once),
        )  # fmt: skip
    problem = theory.Problem(3, 2, 1.0, 0.1, discount=0.9)
    yield from systematic("Problem.steps_of", problem.steps_of, {}, {"duration": NOT_ABOVE_0})
    given = {"problem": problem}
    for name, function in inspect.getmembers(theory, inspect.isfunction):
        parameters = dict(inspect.signature(function).parameters)
        if parameters.pop("problem", None):
            others = {each.name: 0.5 for each in parameters.values() if each.default is each.empty}
            yield from systematic(
                name, function, others, {"problem": [None, 3, "loop", vars(problem)]}
            )
    yield from systematic(
        "regret_lambda", theory.regret_lambda, given | {"duration": 100.0},
        {"duration": [None, 0, *NEVER_NUMBERS]},
    )  # fmt: skip
    yield from systematic(  # a λ for each step is one too
        "schedule", theory.schedule, given | {"lambda_": 0.1},
        {"lambda_": [None, 0, "1", b"1"]},
    )  # fmt: skip
    none = [1e-300, None, 0, *NEVER_NUMBERS]
    yield from systematic(
        "sample_complexity_lambda", theory.sample_complexity_lambda, given | {"epsilon": 0.1},
        {"epsilon": none[1:]},
    )  # fmt: skip
    yield from systematic(
        "sample_complexity_bound", theory.sample_complexity_bound,
        vars(problem) | {"epsilon": 0.1}, {"epsilon": none},
    )  # fmt: skip

    rewards = {"mean_reward": 0.0, "epistemic": 1.0}
    no_rewards = ["1", float("nan"), float("inf"), [0.0, "1"], [float("nan")]]
    for function, more in (
        (theory.log_optimality, {"probability": 0.5}), (theory.jensen_gap, {"probability": 0.5}),
        (theory.widest_probability, {}),
    ):  # fmt: skip
        yield from systematic(
            function.__name__, function, rewards | more, dict.fromkeys(rewards, no_rewards)
        )

    belief = eu.Belief(eu.DirichletTransitions(3, 2), eu.NormalGammaRewards(3, 2))
    yield from systematic(
        "classify_prior", theory.classify_prior, {"belief": belief, "r_max": 1.0},
        {"belief": [None, "belief", 3, LOOP, belief.transitions, belief.rewards],
         "r_max": NOT_ABOVE_0, "uncertainty": [None, "varience"],
         "rewards_vary": NOT_BOOLS[1:], "transitions_vary": NOT_BOOLS[1:]},  # None: not known
    )  # fmt: skip
    for given, named in ((None, "belief must be"), (belief, "r_max must be a finite number")):
        yield Row(f"classify_prior({given!r})", lambda g=given: theory.classify_prior(g), named)
    prior = theory.classify_prior(belief, r_max=1.0)
    yield from systematic(
        "class_constants", theory.class_constants, {"prior": prior},
        {"prior": [None, "prior", belief]},
    )  # fmt: skip
    larger = eu.Belief(eu.DirichletTransitions(4, 2), eu.NormalGammaRewards(4, 2))
    yield from systematic(
        "prior_dependent_regret_bound", theory.prior_dependent_regret_bound,
        {"n_states": 3, "n_actions": 2, "delta": 0.1, "discount": 0.9, "steps": 100,
         "prior": theory.classify_prior(belief, r_max=1.0, rewards_vary=True)},
        {"prior": {"prior must be over 3 states and 2 actions, got one over 4": [larger],
                   "prior must be a Belief": [None, "prior", 3]}},
    )  # fmt: skip


def kinds():
    """What is of another kind altogether: Python's own words would not say where."""
    rng = np.random.default_rng(0)
    for means in (3, None, [0.5], [[0.5], [0.1, 0.2]]):
        yield Row(
            f"simulate_bandit({means})",
            lambda m=means: theory.simulate_bandit(m, 1.0, 2, 2, rng), "means must be",
        )  # fmt: skip
    for rewards in (None, 3, [[0], [0, 1]], [[0], [1]], [0, 2]):
        yield Row(f"beta_error({rewards})", lambda r=rewards: theory.beta_error(r, 0.5, 1, 1),
                  "rewards must be")  # fmt: skip
    yield Row("largest_consistent(None)", lambda: theory.largest_consistent(None),
              "bound must be a function")  # fmt: skip
    yield Row("check_quasi_optimism(None)", lambda: theory.check_quasi_optimism(None, [1]),
              "belief must be an eubrl_edu.Belief, got None")  # fmt: skip
    belief = eu.make_agent("EUBRL", LOOP).belief
    yield Row("check_quasi_optimism(visits=3)", lambda: theory.check_quasi_optimism(belief, 3),
              "visits must be a list of integers, got 3")  # fmt: skip
    problem = theory.Problem(n_states=3, n_actions=2, r_max=1.0, delta=0.1, discount=0.9)
    yield Row(
        "error_terms(visits of another shape)",
        lambda: theory.error_terms(problem, np.ones((3, 3)), np.ones((3, 2)), np.ones((3, 2)), 0.5),
        "visits, bonus and p_u must have one shape",
    )  # fmt: skip
