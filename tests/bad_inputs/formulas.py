"""The theory's formulas: what is no number, no array of the right shape, no list of visits."""

from decimal import Decimal
from types import SimpleNamespace

import numpy as np

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.theory.counterexample import CertainReward
from tests.bad_inputs.row import Row, each, systematic
from tests.bad_inputs.values import (
    NEVER_NUMBERS,
    NOT_ABOVE_0,
    NOT_AT_LEAST_0,
    NOT_DISCOUNTS,
    NOT_FINITE,
)

CHAIN = eu.make_env("chain")
MODEL = CHAIN.model
PROBLEM = theory.Problem(9, 2, 1.0, 0.1, discount=0.9)
RAGGED = [[0], [0, 1]]
DEEP = []
for _ in range(5000):
    DEEP = [DEEP]
NOT_ARRAYS = [None, 1j, {}, "x", RAGGED, Decimal("sNaN"), 10**400, range(10**10)]


def rows():
    yield from numbers()
    yield from arrays()
    yield from values_of_errors()
    yield from priors()
    yield from visits()


def numbers():
    """One number is asked for: in its own name, and shown whatever it is."""
    bad = [None, "x", [], 0, *NEVER_NUMBERS]
    for function in (theory.error_scale, theory.error_sum_bound, theory.resistance_lower_bound):
        yield from systematic(
            function.__name__, function,
            {"problem": PROBLEM, "duration": 100.0, "lambda_": 0.1},
            {"duration": bad, "lambda_": bad},
        )  # fmt: skip
    lower = theory.regret_lower_bound
    yield from systematic(
        "regret_lower_bound", lower, {"problem": PROBLEM, "duration": 100.0}, {"duration": bad}
    )
    sizes = {"n_states": 9, "n_actions": 2, "r_max": 1.0, "delta": 0.1, "discount": 0.9}
    for change, names in (
        ({"delta": 10**5000}, r"delta must be in \(0, 1\], got a value of type int that cannot"),
        ({"delta": DEEP}, "delta must be"),
        ({"horizon": DEEP}, "give either discount"),
        ({"discount": None, "horizon": DEEP}, "horizon must be"),
    ):
        yield Row(f"Problem({list(change)[-1]} that cannot be printed), {names[:30]}",
                  lambda c=change: theory.Problem(**sizes | c), names)  # fmt: skip
    for name, call in {
        "best_case_regret_bound": lambda bad: theory.best_case_regret_bound(PROBLEM, steps=bad),
        "theoretical_eta": lambda bad: theory.theoretical_eta(PROBLEM, epsilon=1.0, episodes=bad),
        "sample_complexity_bound": lambda bad: theory.sample_complexity_bound(
            PROBLEM, epsilon=1.0, steps=bad
        ),
        "prior_dependent_regret_bound": lambda bad: theory.prior_dependent_regret_bound(
            PROBLEM, steps=100, prior=bad
        ),
        "episode_stopping_times": lambda bad: theory.episode_stopping_times(bad, 5),
    }.items():
        yield Row(f"{name}(what cannot be printed)", lambda call=call: call(DEEP), "got ")
    one = [[], [0.6], 1j, *NEVER_NUMBERS]
    for name, function, good in (
        ("omission_bound", theory.omission_bound, {"alpha": 1.0, "worse_mean": 0.6}),
        ("sticking_bound", theory.sticking_bound, {"alpha": 1.0, "worse_mean": 0.6}),
        ("union_bound", theory.union_bound, {"alpha": 1.0, "worse_mean": 0.6, "estimate": 0.5}),
        ("required_prior", theory.required_prior, {"confidence": 0.5, "worse_mean": 0.6}),
        ("guaranteed_sticking", theory.guaranteed_sticking, {"confidence": 0.5}),
        ("sticking_probability", theory.sticking_probability,
         {"alpha": 1.0, "worse_mean": 0.6, "steps": 3}),
        ("HardWorld", theory.HardWorld, {"n_rings": 2, "n_actions": 2, "discount": 0.9, "gap": 0}),
    ):  # fmt: skip
        places = {"worse_mean", "confidence", "gap"} & good.keys()
        yield from systematic(name, function, good, dict.fromkeys(sorted(places), one))
    yield Row("required_prior(5e-324)", lambda: theory.required_prior(5e-324, 0.6), "confidence")
    rng = np.random.default_rng(0)
    for name, call in {
        "sticking_probability": lambda alpha: theory.sticking_probability(0.6, alpha, 3)[-1],
        "sticking_forever": lambda alpha: theory.sticking_forever(0.6, alpha, 3)[1],
        "simulate_bandit": lambda alpha: (
            theory.simulate_bandit((0.6, 0.5), alpha, 2, 3, rng).rewards.size
        ),
    }.items():
        yield Row(f"{name}(alpha=10**30)", lambda c=call: c(10**30), "alpha must be")
        for alpha in (10**13, Decimal(1)):
            yield Row(
                f"{name}(alpha={alpha!r})", lambda c=call, a=alpha: c(a), "", None,
                holds=lambda found, c=call, a=alpha: found == c(float(a)),
            )  # fmt: skip
    yield Row(
        "union_bound beyond floats", lambda: theory.union_bound(1e5, 0.9, 0.6), "", None,
        holds=lambda bound: bound > 1,
    )  # fmt: skip
    yield Row(
        "union_bound(1.0, 1e-200, 0.0)", lambda: theory.union_bound(1.0, 1e-200, 0.0),
        r"worse_mean must be in \(0, 1\], above the estimate, got 1e-200",
    )  # fmt: skip
    far = theory.Problem(9, 2, 1e30, 0.1, discount=0.9)
    for number, call in enumerate((
        lambda: theory.sample_complexity_bound(far, epsilon=1.0, replanning="doubling"),
        lambda: theory.sample_complexity_bound(far, epsilon=1.0, replanning="doubling", steps=9),
        lambda: theory.prior_dependent_sample_complexity(
            far, epsilon=1.0, prior=theory.PriorConstants(1.0, 1.0)
        ),
    )):  # fmt: skip
        yield Row(f"a sample complexity beyond 1e50, {number}", call, "epsilon must be so")
    for answer in (None, "x", np.inf, 1e51):
        yield Row(
            f"largest_consistent(lambda n: {answer!r})",
            lambda a=answer: theory.largest_consistent(lambda n: a), r"bound\(n\) must be",
        )  # fmt: skip
    yield Row(
        "largest_consistent(lambda n: 2 * n)",
        lambda: theory.largest_consistent(lambda n: 2 * n), r"bound\(n\) must be",
    )  # fmt: skip


def arrays():
    """Arrays that cannot be computed with together are told apart by name."""
    pairs = {"visits": np.ones((3, 2)), "bonus": 1.0, "p_u": 0.5, "lambda_": 0.5}
    yield from systematic(
        "error_terms", theory.error_terms, {"problem": PROBLEM, **pairs},
        {"visits": [np.inf, *NOT_ARRAYS], "bonus": NOT_ARRAYS, "p_u": NOT_ARRAYS},
    )  # fmt: skip
    rewards = {"mean_reward": [0.0, 1.0], "epistemic": 1.0}
    of_a_step = {
        "p_u_policy": [0.5, 0.5], "p_u_optimal": 0.5, "lambda_": 0.5, "j": 1.0, "r_max": 1.0,
        "v_max": 10.0,
    }  # fmt: skip
    constants = {
        "transition_constant": [1.0, 2.0], "reward_constant": 1.0, "prior_mean": 0.5, "r_max": 1.0,
    }  # fmt: skip
    for name, good, arguments in (
        ("log_optimality", rewards | {"probability": 0.5}, ("epistemic", "probability")),
        ("jensen_gap", rewards | {"probability": 0.5}, ("epistemic", "probability")),
        ("widest_probability", rewards, ("epistemic",)),
        ("per_step_bound", of_a_step, ("p_u_optimal", "lambda_", "j")),
        ("term_bounds", of_a_step, ("p_u_optimal", "lambda_", "j")),
        ("epistemic_resistance", {"p_u_policy": [0.5, 0.5], "p_u_optimal": 0.5}, ("p_u_optimal",)),
        ("prior_constants", constants, ("reward_constant", "prior_mean")),
    ):
        yield from systematic(
            name, getattr(theory, name), good,
            dict.fromkeys(arguments, {r"must have one shape, got \(2,\)": [[0.5, 0.5, 0.5]]}),
        )  # fmt: skip
        yield from systematic(
            name, getattr(theory, name), good, dict.fromkeys(arguments, NOT_ARRAYS)
        )
    yield from systematic(
        "jensen_gap", theory.jensen_gap, rewards | {"probability": 0.5},
        {"mean_reward": [1e308, None], "epistemic": [-1e308], "probability": [np.ma.masked]},
    )  # fmt: skip
    yield from each("prior_constants", theory.prior_constants, constants, (
        ({"transition_constant": 1e155}, "transition_constant must be in"),
        ({"reward_constant": 1e155}, "reward_constant must be in"),
        ({"prior_mean": 1e155}, "prior_mean must be in"),
        ({"reward_constant": 1e30, "prior_mean": 1e30}, "reward_constant, prior_mean and r_max"),
        ({"transition_constant": []}, "transition_constant, .* must hold a number"),
    ))  # fmt: skip
    many = eu.Belief(eu.DirichletTransitions(3, 2), eu.NormalGammaRewards(3, 2, lambda0=1e30))
    prior = theory.classify_prior(many, r_max=1e30, rewards_vary=True)
    yield Row("class_constants(beyond)", lambda: theory.class_constants(prior), "prior must make")


def values_of_errors():
    """The values J, and their bounds."""
    good = {"mdp": MODEL, "beta": np.ones((5, 2)), "v_max": 10.0}
    bad = {
        "mdp": [None, "mdp", CHAIN, 3],
        "policy": [0, 2**63, None, "1", {1: 2}, RAGGED, [0, 0], np.full(5, 2), np.full(5, 0.5)],
        "beta": [*NOT_ARRAYS, 0, True, [], np.ones(5), np.ones((4, 2)), -np.ones((5, 2))],
        "v_max": NOT_ABOVE_0,
    }
    yield from systematic(
        "bellman_like", theory.bellman_like,
        good | {"policy": np.zeros(5, dtype=int), "discount": 0.9},
        bad | {"discount": NOT_DISCOUNTS},
    )  # fmt: skip
    yield from systematic(
        "bellman_like_horizon", theory.bellman_like_horizon,
        good | {"policy": np.zeros((4, 5), dtype=int)},
        bad | {"policy": [*bad["policy"], np.zeros((0, 5), dtype=int)]},
    )  # fmt: skip
    agent = eu.make_agent("EUBRL", CHAIN)
    run = eu.simulate(agent, CHAIN, 5, seed=0, record_plans=True)
    solved = theory.run_values(run, CHAIN, discount=agent.discount)
    short = eu.simulate(agent, CHAIN, 3, seed=0)
    yield from systematic(
        "step_bounds", theory.step_bounds, {"values": solved, "trajectory": run},
        {"values": [None, "1", run], "trajectory": [None, "1", solved, short]},
    )  # fmt: skip
    given = {"trajectory": run, "env": CHAIN, "discount": agent.discount}
    yield from systematic(
        "run_values", theory.run_values, given,
        {"lambda_t": [1e-320, RAGGED], "env": [SimpleNamespace(model=3)]},
    )  # fmt: skip
    yield from systematic(
        "sample_complexity", theory.sample_complexity, given | {"epsilon": 0.1},
        {"env": [SimpleNamespace(model=MODEL)]},
    )  # fmt: skip


def priors():
    """What a prior adds to an error."""
    good = {"counts": [1, 2], "alpha": 1.0, "truth": [0.5, 0.5]}
    bad = [*NOT_ARRAYS, -1.0, [1.0, 2.0, 3.0]]
    yield from systematic(
        "dirichlet_error", theory.dirichlet_error, good,
        {"counts": [*bad, 1.0, "1"], "alpha": [*bad, 0.0, "1"],
         "truth": [*bad, 1.0, [0.5, 0.4], [[0.5], [0.5]]]},
    )  # fmt: skip
    lists = [*NOT_ARRAYS, 1.0, [1e308, 1e308]]
    of_rewards = {"rewards": [0.5], "truth": 0.5, "mu0": 0.0}
    for function, more in (
        (theory.normal_error, {"tau0": 1.0, "tau": 1.0}),
        (theory.normal_gamma_error, {"lambda0": 1.0}),
    ):  # fmt: skip
        yield from systematic(
            function.__name__, function, of_rewards | more,
            {"rewards": lists, "truth": NOT_FINITE, "mu0": NOT_FINITE}
            | dict.fromkeys(more, NOT_ABOVE_0),
        )  # fmt: skip
    yield from systematic(
        "PriorConstants", theory.PriorConstants, {"transitions": 1.0, "rewards": 1.0},
        {"transitions": NOT_AT_LEAST_0, "rewards": NOT_AT_LEAST_0},
    )  # fmt: skip


def visits():
    """Numbers of visits that increase, and what was seen after them."""
    no_visits = [None, 3, "", b"", b"\x01", [0.5], ["1"], [2, 1], [-1], [10**30], range(10**10)]
    certain = {"belief": theory.failing_prior(), "visits": [1]}
    other = eu.make_agent("EUBRL", CHAIN).belief
    known = eu.Belief(eu.DirichletTransitions(1, 1), eu.KnownRewards([[1.0]]))
    no_beliefs = [None, "belief", 3, other]
    yield from systematic(
        "check_quasi_optimism", theory.check_quasi_optimism, certain,
        {"belief": [*no_beliefs, known], "visits": [*no_visits, []]},
    )  # fmt: skip
    yield from systematic(
        "uncertainty_along_visits", theory.uncertainty_along_visits,
        {**certain, "env": CertainReward(), "state": 0, "action": 0,
         "rng": np.random.default_rng(0)},
        {"belief": no_beliefs, "env": [None, "chain", MODEL], "visits": no_visits,
         "uncertainty": [None, "varience"]},
    )  # fmt: skip
    yield from systematic(
        "estimate_rate", theory.estimate_rate,
        {"visits": [1, 2], "uncertainty": [[2.0, 1.0], [3.0, 1.0]]},
        {"visits": [*NOT_ARRAYS, True, [[1], [2]], [1, 1], [0, 1], [1, np.inf], ["1", "2"]],
         "uncertainty": [*NOT_ARRAYS, 1.0, [1.0, 2.0], [[1.0, 2.0]], [[0, 1.0], [1.0, 1.0]]]},
    )  # fmt: skip
