"""Whatever in the theory takes δ, ε, T, λ or a probability refuses in words what it cannot be."""

import inspect
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.theory.counterexample import CertainReward
from tests.theory.worlds import RandomWorld, run_of

SIZES = {"n_states": 5, "n_actions": 2, "delta": 0.1}
DISCOUNTED = theory.Problem(5, 2, 1.0, 0.1, discount=0.9)
EPISODIC = theory.Problem(5, 2, 1.0, 0.1, horizon=10)
STEP = {
    "p_u_policy": 0.5, "p_u_optimal": 0.25, "lambda_": 0.5, "j": 1.0, "r_max": 1.0, "v_max": 10.0,
}  # fmt: skip
PRIOR = theory.PriorConstants(1.0, 1.0)
WORLD = RandomWorld(3, 2, seed=0)
RUN = run_of("EUBRL", WORLD, 8)
EPISODES = eu.simulate(
    eu.make_agent("EUBRL", WORLD, horizon=4, plan_every="episode", discount=1.0),
    WORLD, 8, seed=0, record_plans=True,
)  # fmt: skip
ON_A_RUN = {"trajectory": RUN, "env": WORLD, "discount": 0.9}
DECOMPOSED = {"delta": 0.1, "r_max": 1.0, "lambda_t": 0.5}
ON_EPISODES = {"trajectory": EPISODES, "env": WORLD, **DECOMPOSED}
MATRIX = np.full((5, 2), 0.5)
BELLMAN = {"mdp": WORLD.model, "beta": np.ones((3, 2)), "v_max": 10.0}

# Arguments with which each function is right; those of a discounted problem, then of an episodic.
GOOD = {
    "Problem": [{**SIZES, "r_max": 1.0, "discount": 0.9}, {**SIZES, "r_max": 1.0, "horizon": 10}],
    "PriorConstants": [{"transitions": 1.0, "rewards": 1.0}],
    "bad_steps_bound": [
        {"problem": problem, "epsilon": 1.0, "count": 5} for problem in (DISCOUNTED, EPISODIC)
    ],
    "bellman_like": [{**BELLMAN, "policy": np.zeros(3, dtype=int), "discount": 0.9}],
    "bellman_like_horizon": [{**BELLMAN, "policy": np.zeros((4, 3), dtype=int)}],
    "best_case_regret_bound": [{**SIZES, "discount": 0.9, "steps": 1, "r_max": 1.0}],
    "beta_error": [{"rewards": [0, 1], "truth": 0.5, "alpha0": 1.0, "beta0": 1.0}],
    "check_quasi_optimism": [{"belief": theory.failing_prior(), "visits": [1]}],
    "classify_prior": [{"belief": theory.failing_prior(), "r_max": 1.0}],
    "decompose": [{**ON_A_RUN, **DECOMPOSED}, ON_EPISODES],
    "doubling_error_sum": [{"problem": DISCOUNTED, "count": 5, "steps": 9, "lambda_": 0.3}],
    "hardest_gap": [{"n_rings": 2, "n_actions": 2, "discount": 0.9, "steps": 1000}],
    "most_plans": [{"problem": DISCOUNTED, "steps": 1}],
    "doubling_lambda": [{"problem": DISCOUNTED, "epsilon": 1.0}],
    "dirichlet_error": [{"counts": [1, 2], "alpha": 1.0, "truth": [0.5, 0.5]}],
    "dirichlet_rate": [{"alpha": 1.0, "n_states": 3}],
    "episode_values": [ON_EPISODES],
    "episode_stopping_times": [{"pairs": [0, 1, 0, 1], "horizon": 2}],
    "epistemic_resistance": [{"p_u_policy": 0.5, "p_u_optimal": 0.5}],
    "error_scale": [
        {"problem": problem, "duration": 1, "lambda_": 0.5} for problem in (DISCOUNTED, EPISODIC)
    ],
    "error_sum_bound": [
        {"problem": problem, "duration": 1, "lambda_": 0.5} for problem in (DISCOUNTED, EPISODIC)
    ],
    "error_terms": [
        {"problem": DISCOUNTED, "visits": MATRIX, "bonus": MATRIX, "p_u": MATRIX, "lambda_": 0.5}
    ],
    "estimate_rate": [
        {"visits": [1, 2, 3], "uncertainty": [[3.0, 2.0, 1.0], [3.0, 2.0, 1.5]]}
    ],
    "event_margins": [
        {**ON_A_RUN, **DECOMPOSED, "epsilon": 1.0}, {**ON_EPISODES, "epsilon": 1.0},
    ],
    "events": [{**ON_A_RUN, **DECOMPOSED, "epsilon": 1.0}, {**ON_EPISODES, "epsilon": 1.0}],
    "failing_prior": [{"strength": 10.0}],
    "first_informative_order": [{"problem": DISCOUNTED}],
    "first_informative_step": [{"problem": DISCOUNTED}],
    "guaranteed_sticking": [{"confidence": 0.5}],
    "guidance_factor": [{"least_p_u": MATRIX}],
    "holding_prior": [{}],
    "jensen_gap": [{"mean_reward": 0.0, "epistemic": 1.0, "probability": 0.5}],
    "log_optimality": [{"mean_reward": 0.0, "epistemic": 1.0, "probability": 0.5}],
    "log_terms": [
        {**SIZES, "discount": 0.9, "steps": 1, "epsilon": 1.0, "r_max": 1.0},
        {**SIZES, "horizon": 10, "episodes": 1, "epsilon": 1.0, "r_max": 1.0},
    ],
    "maximum_value": [{"r_max": 1.0, "discount": 0.9}, {"r_max": 1.0, "horizon": 10}],
    "normal_error": [{"rewards": [0.5], "truth": 0.5, "mu0": 0.0, "tau0": 1.0, "tau": 1.0}],
    "normal_gamma_error": [{"rewards": [0.5], "truth": 0.5, "mu0": 0.0, "lambda0": 1.0}],
    "normal_gamma_rate": [
        {"mu0": 0.0, "lambda0": 1.0, "alpha0": 2.0, "beta0": 1.0, "r_max": 1.0}
    ],
    "normal_rate": [{"tau0": 1.0, "tau": 1.0}],
    "omission_bound": [{"alpha": 5.0, "worse_mean": 0.5}],
    "overshoot_bound": [{"problem": DISCOUNTED, "steps": 1}],
    "per_step_bound": [STEP],
    "printed_overshoot_bound": [{"problem": DISCOUNTED, "steps": 1}],
    "prior_constants": [
        {"transition_constant": 1.0, "reward_constant": 1.0, "prior_mean": 0.0, "r_max": 1.0}
    ],
    "prior_dependent_regret_bound": [
        {**SIZES, "discount": 0.9, "steps": 1, "r_max": 1.0, "prior": PRIOR}
    ],
    "prior_dependent_sample_complexity": [
        {**SIZES, "discount": 0.9, "epsilon": 1.0, "r_max": 1.0, "prior": PRIOR}
    ],
    "regret": [ON_A_RUN, {"trajectory": EPISODES, "env": WORLD}],
    "regret_bound": [
        {**SIZES, "discount": 0.9, "steps": 1, "r_max": 1.0, "resistance_share": 0.1},
        {**SIZES, "horizon": 10, "episodes": 1, "r_max": 1.0, "resistance_share": 0.1},
    ],
    "regret_lambda": [
        {"problem": DISCOUNTED, "duration": 1, "resistance": 1.0},
        {"problem": EPISODIC, "duration": 1},
    ],
    "regret_lower_bound": [
        {"problem": problem, "duration": 1} for problem in (DISCOUNTED, EPISODIC)
    ],
    "regret_threshold": [{"problem": DISCOUNTED}, {"problem": EPISODIC}],
    "required_prior": [{"confidence": 0.5, "worse_mean": 0.5}],
    "resistance_lower_bound": [
        {"problem": problem, "duration": 1, "lambda_": 0.5, "max_uncertainty": 1.0}
        for problem in (DISCOUNTED, EPISODIC)
    ],
    "resistance_share": [{"resistance": np.array([0.5, 1.0])}],
    "resistance_upper_bound": [{"problem": DISCOUNTED, "steps": 1, "max_uncertainty": 1.0}],
    "run_values": [{**ON_A_RUN, **DECOMPOSED}],
    "sample_complexity": [
        {**ON_A_RUN, "epsilon": 1.0},
        {"trajectory": EPISODES, "env": WORLD, "epsilon": 1.0},
    ],
    "sample_complexity_bound": [
        {**SIZES, "discount": 0.9, "epsilon": 1.0, "r_max": 1.0},
        {**SIZES, "horizon": 10, "epsilon": 1.0, "r_max": 1.0},
        {**SIZES, "discount": 0.9, "epsilon": 1.0, "r_max": 1.0, "steps": 9,
         "replanning": "doubling"},
    ],
    "sample_complexity_lambda": [{"problem": DISCOUNTED, "epsilon": 1.0}],
    "sample_complexity_lower_bound": [{"problem": DISCOUNTED, "epsilon": 1.0}],
    "sample_complexity_threshold": [{"problem": DISCOUNTED}, {"problem": EPISODIC}],
    "schedule": [{"problem": DISCOUNTED, "lambda_": 0.5, "max_uncertainty": 1.0}],
    "sharper_sufficient_estimate": [{"alpha": 5.0}],
    "simulate_bandit": [
        {"means": (0.9, 0.5), "alpha": 5.0, "n_agents": 2, "steps": 3,
         "rng": np.random.default_rng(0)},
    ],
    "state_action_regret_bound": [
        {**SIZES, "discount": 0.9, "steps": 1, "r_max": 1.0, "resistance_share": 0.1,
         "guidance_factor": 9.0},
    ],
    "sticking_bound": [{"alpha": 5.0, "worse_mean": 0.5}],
    "sticking_forever": [{"alpha": 5.0, "worse_mean": 0.5, "steps": 3}],
    "sticking_probability": [{"alpha": 5.0, "worse_mean": 0.5, "steps": 3}],
    "sufficient_average": [{"alpha": 5.0, "n": 3, "estimate": 0.5}],
    "sufficient_estimate": [{"alpha": 5.0}],
    "term_bounds": [STEP],
    "theoretical_eta": [
        {**SIZES, "discount": 0.9, "steps": 1, "r_max": 1.0},
        {**SIZES, "horizon": 10, "episodes": 1, "r_max": 1.0},
        {**SIZES, "discount": 0.9, "epsilon": 1.0, "r_max": 1.0},
    ],
    "uncertainty_along_visits": [
        {"belief": theory.failing_prior(), "env": CertainReward(), "state": 0, "action": 0,
         "visits": [1], "rng": np.random.default_rng(0)},
    ],
    "union_bound": [{"alpha": 5.0, "worse_mean": 0.5, "estimate": 0.1, "first": 1}],
}  # fmt: skip

DURATION = [0, 0.5, -1, math.nan, math.inf]
PROBABILITY = [-0.1, 1.1, math.nan]
ABOVE_0 = [0, -1.0, math.nan, math.inf]
AT_LEAST_1 = [0, -1, 1.5, math.nan]
BAD = {
    "delta": [0, -0.1, 1.1, math.nan, "0.1", [0.1, 0.2]],
    "epsilon": [0, -1, 100.0, math.nan],  # V↑ is 10 everywhere
    "steps": DURATION,
    "episodes": DURATION,
    "duration": DURATION,
    "count": DURATION,
    "lambda_": [0, -0.1, 1.1, math.nan],
    "lambda_t": [0, -0.1, 1.1, math.nan],
    "discount": [-0.1, 1, 1.1, math.nan],
    "horizon": AT_LEAST_1,
    "n_states": AT_LEAST_1,
    "n_actions": AT_LEAST_1,
    "n_agents": AT_LEAST_1,
    "first": AT_LEAST_1,
    "r_max": ABOVE_0,
    "v_max": ABOVE_0,
    "p_u_policy": [*PROBABILITY, np.array([0.5, 1.1])],
    "p_u_optimal": [*PROBABILITY, np.array([0.5, math.nan])],
    "p_u": PROBABILITY,
    "probability": PROBABILITY,
    "least_p_u": PROBABILITY,
    "resistance": [-0.1, 3.3, math.nan, np.array([0.5, 3.3])],
    "resistance_share": [-0.1, 0.8, math.nan, np.array([0.1, 0.2])],
    "guidance_factor": [0.1, 11, math.nan, np.array([9.0, 9.0])],
    "max_uncertainty": [0.5, math.nan],
    "j": [-0.1, 11.0, math.nan],
    "visits": [-1, math.nan],
    "bonus": [-0.1, math.nan],
    "beta": [-0.1, math.nan],
    "confidence": [0, -0.1, 1.1, math.nan],
    "worse_mean": [-0.1, 1.1, math.nan],
    "estimate": [math.nan, math.inf],
    "n": [0, -1, math.nan],
    "alpha": [0, -1, math.nan],
    "alpha0": [0, -1, math.nan],
    "beta0": [0, -1, math.nan],
    "lambda0": [0, -1, math.nan],
    "tau0": ABOVE_0,
    "tau": ABOVE_0,
    "strength": ABOVE_0,
    "transitions": [-1, math.nan, math.inf],
    "rewards": [-1, math.nan, math.inf],
    "transition_constant": [-1, math.nan, math.inf],
    "reward_constant": [-1, math.nan, math.inf],
    "prior_mean": [math.nan, math.inf],
    "problem": [None, 3, "chain"],
}
# Where a bad value stands in a list or array.
WRAPPED = {
    ("beta_error", "rewards"): lambda bad: [bad],
    ("normal_error", "rewards"): lambda bad: [math.inf if bad == -1 else bad],
    ("normal_gamma_error", "rewards"): lambda bad: [math.inf if bad == -1 else bad],
    ("check_quasi_optimism", "visits"): lambda bad: [bad],
    ("uncertainty_along_visits", "visits"): lambda bad: [bad],
    ("estimate_rate", "visits"): lambda bad: [bad, 2, 3],
}
DISCOUNTED_ONLY = (
    "best_case_regret_bound", "state_action_regret_bound", "prior_dependent_regret_bound",
    "prior_dependent_sample_complexity",
)  # fmt: skip


def wrong_calls():
    for name, choices in GOOD.items():
        for number, good in enumerate(choices):
            for argument in good:
                for bad in BAD.get(argument, ()):
                    wrap = WRAPPED.get((name, argument), lambda value: value)
                    yield pytest.param(
                        name, good, argument, wrap(bad), id=f"{name}-{number}-{argument}={bad!r}"
                    )


@pytest.mark.parametrize(("name", "good", "argument", "bad"), list(wrong_calls()))
def test_what_is_out_of_range_is_refused_by_its_name(name, good, argument, bad):
    with pytest.raises(ValueError, match=rf"\b{argument}\b"):
        getattr(theory, name)(**{**good, argument: bad})


@pytest.mark.parametrize("name", GOOD)
def test_what_is_in_range_is_taken(name):
    for good in GOOD[name]:
        getattr(theory, name)(**good)


def test_no_public_function_is_left_out():
    for name in theory.__all__:
        function = getattr(theory, name)
        if not inspect.isfunction(function):
            continue
        parameters = inspect.signature(function).parameters
        taken = {name for name in parameters if name in BAD and name != "problem"}
        if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
            taken |= {"delta", "r_max", "lambda_t"}
        tried = set().union(*GOOD.get(name, [set()]))
        assert taken <= tried, f"{name}: {taken - tried}"


@pytest.mark.parametrize("name", DISCOUNTED_ONLY)
def test_a_horizon_is_refused_where_the_paper_has_no_episodes(name):
    episodic = GOOD[name][0] | {"discount": None, "horizon": 10}
    with pytest.raises(ValueError, match="for discounted problems only.*got horizon=10"):
        getattr(theory, name)(**episodic)
    with pytest.raises(ValueError, match="give either discount"):
        getattr(theory, name)(**{**GOOD[name][0], "discount": None})
    if "steps" in GOOD[name][0]:
        with pytest.raises(ValueError, match="steps must be"):
            getattr(theory, name)(**{**GOOD[name][0], "steps": None})


@pytest.mark.parametrize("discount", [-0.1, 1.1, math.nan])
def test_of_episodes_no_other_discount_either(discount):
    for function, more in ((theory.regret, {}), (theory.sample_complexity, {"epsilon": 1.0})):
        with pytest.raises(ValueError, match="discount must be"):
            function(EPISODES, WORLD, discount=discount, **more)


@pytest.mark.parametrize("function", [theory.regret_lambda, theory.resistance_upper_bound])
def test_of_a_problem_too(function):
    arguments = {"resistance": 1.0} if function is theory.regret_lambda else {}
    with pytest.raises(ValueError, match="for discounted problems only.*got horizon=10"):
        function(EPISODIC, 9, **arguments)


def test_a_problem_keeps_plain_numbers():
    plain = theory.Problem(5, 2, 1.0, 0.5, discount=0.75)
    given = theory.Problem(
        np.array(5), np.int64(2), Fraction(1), Decimal("0.5"), discount=np.float32(0.75)
    )
    assert repr(given) == repr(plain) and given.v_max == 4.0
    assert theory.PriorConstants(Decimal(1), np.array(2)) == theory.PriorConstants(1.0, 2.0)


@pytest.mark.parametrize(("discount", "largest"), [(0.99, 100), (0.95, 20.0), (0.9, 10)])
def test_epsilon_may_be_the_largest_value_however_that_is_rounded(discount, largest):
    problem = theory.Problem(5, 2, 1.0, 0.1, discount=discount)
    assert problem.require_epsilon(largest) == pytest.approx(problem.v_max)
    assert problem.require_epsilon(largest) <= problem.v_max
    with pytest.raises(ValueError, match="at most the largest value"):
        problem.require_epsilon(largest * (1 + 1e-9))
