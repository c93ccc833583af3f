"""MDPs and their solvers."""

import itertools
import math

import numpy as np

import eubrl_edu as eu
from eubrl_edu import planning
from eubrl_edu.planning.capped import solve_capped
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.values import (
    HIDDEN,
    NEVER_NUMBERS,
    NOT_ABOVE_0,
    NOT_DISCOUNTS,
    NOT_FINITE,
    NOT_POSITIVE_INTEGERS,
    Endless,
)

WORLD = eu.make_env("loop")
MODEL = WORLD.model
S, A = MODEL.rewards.shape
SOLVED = planning.solve(MODEL, 0.9)
NOT_MDPS = {r"mdp must be an eubrl_edu\.MDP": [None, "loop", np.eye(2)],
            r"a world's is env\.model": [WORLD]}  # fmt: skip
NOT_POLICIES = [None, "0", np.zeros(2, int), np.zeros(S), np.full(S, A), np.full(S, -1)]


def changed(array, value):
    """The array with one other number in it."""
    array = np.array(array)
    array[(0,) * array.ndim] = value
    return array


def rows():
    yield from kinds()
    tables = {
        "successors": MODEL.successors, "weights": MODEL.weights,
        "background": MODEL.background, "rewards": MODEL.rewards,
    }  # fmt: skip
    rows_of = r"(weights|background|rewards)\b"
    yield from systematic(
        "MDP", eu.MDP, tables,
        {
            "successors": [None, "0", 0, MODEL.successors.astype(float), MODEL.successors[:1],
                           changed(MODEL.successors, -1), changed(MODEL.successors, S),
                           range(10**10), range(10**30)],
            "weights": {rows_of: [None, "1", changed(MODEL.weights, 10.0), MODEL.weights[0],
                                  changed(MODEL.weights, -1.0), changed(MODEL.weights, math.nan),
                                  MODEL.weights * (1 + 2e-9)]},
            "background": {rows_of: [None, 0.0, changed(MODEL.background, 0.1), MODEL.background.T,
                                     changed(MODEL.background, -0.1),
                                     changed(MODEL.background, math.inf)]},
            "rewards": {rows_of: [None, [1.0], MODEL.rewards[:, :1],
                                  changed(MODEL.rewards, math.nan),
                                  changed(MODEL.rewards, math.inf), np.array([["a"] * A] * S),
                                 MODEL.rewards[1:], np.zeros((S + 2, A)),
                                 np.broadcast_to(0.0, (10**6, 10**6))]},
            "terminal_states": [[S], [-1], None, "0", [0.5], [True], itertools.repeat(0), [0]],
        },
    )  # fmt: skip
    dense = MODEL.transition_matrix()
    yield from systematic(
        "MDP.from_dense", eu.MDP.from_dense, {"transitions": dense, "rewards": MODEL.rewards},
        {"transitions": [None, "1", dense[0], changed(dense, -1.0), changed(dense, math.nan),
                         dense * (1 - 2e-9)],
         "rewards": [None, MODEL.rewards[:1], changed(MODEL.rewards, math.nan),
                     np.ma.array(MODEL.rewards, mask=changed(np.zeros((S, A)), 1)),
                     [[HIDDEN] * A] * S, Endless(), [Endless()] * S, [[0.0] * A, Endless()]],
         "terminal_states": [None, [S], 0, [0], [1, S - 1]]},
    )  # fmt: skip
    yield from systematic(
        "MDP.expected", MODEL.expected, {},
        {"values": [None, "1", 1.0, np.zeros(S + 1), changed(np.zeros(S), math.nan)]},
    )  # fmt: skip
    flat = np.zeros((10_001, 1))
    large = eu.MDP(np.zeros((10_001, 1, 1), int), np.ones((10_001, 1, 1)), flat, flat)
    yield Row(
        "transition_matrix() of 10,001 states", large.transition_matrix,
        "n_states squared times n_actions must be at most 100,000,000 .* 10001 squared times 1",
    )  # fmt: skip
    other = planning.solve(eu.make_env("chain").model, 0.9)
    out_of_range = SOLVED._replace(policy=np.full(S, A))
    start = {"start": {r"\bstart\b": ["0", 3, other, out_of_range]} | {
        rf"start\.{field} must be an array of \w+ of shape": [
            SOLVED._replace(**{field: bad})
            for bad in (None, "0", [0.0] * S, np.zeros(1, int), np.full((S, A), "a"),
                        np.full(S, None), np.full(S, "a"))
        ] for field in ("q", "v", "policy")
    }}  # fmt: skip
    discount = {"mdp": NOT_MDPS, "discount": NOT_DISCOUNTS}
    good = {"mdp": MODEL, "discount": 0.9}
    yield from systematic("solve", planning.solve, good, discount | start)
    huge = eu.MDP(**(tables | {"rewards": np.full((S, A), 1e308)}))
    zeros = np.zeros(S, int)
    for what, call in (
        ("solve(rewards", lambda: planning.solve(huge, 0.9)),
        ("value_iteration(rewards", lambda: planning.value_iteration(huge, 0.9)),
        ("policy_iteration(rewards", lambda: planning.policy_iteration(huge, 0.9)),
        ("evaluate_policy(rewards", lambda: planning.evaluate_policy(huge, zeros, 0.9)),
        ("bellman_residual(rewards", lambda: planning.bellman_residual(huge, 1e308 + zeros, 0.9)),
    ):
        yield Row(f"{what} of 1e308)", call, "range of floats.*1e.308", planning.NotFinite)
    yield from systematic(
        "value_iteration", planning.value_iteration, good,
        {"mdp": NOT_MDPS, "discount": [*NOT_DISCOUNTS, 1 - 1e-12, 1 - 9e-6],
         "tolerance": NOT_ABOVE_0,
         "initial": ["0", 1.0, np.zeros(S + 1), np.full(S, 1e308), range(10**10)]},
    )  # fmt: skip
    policies = {"policy": NOT_POLICIES[1:]}
    yield from systematic("policy_iteration", planning.policy_iteration, good, discount | policies)
    yield from systematic(
        "evaluate_policy", planning.evaluate_policy, good | {"policy": SOLVED.policy},
        discount | {"policy": NOT_POLICIES},
    )  # fmt: skip
    values = good | {"values": np.zeros(S)}
    for function in (planning.q_values, planning.bellman_residual):
        yield from systematic(
            function.__name__, function, values,
            {"mdp": NOT_MDPS, "discount": [-0.1, 1.5, None, *NEVER_NUMBERS],
             "values": [None, "1", np.zeros(S + 1), changed(np.zeros(S), math.nan),
                        np.full(S, math.inf)]},
        )  # fmt: skip
    horizon = {"mdp": NOT_MDPS, "horizon": [*NOT_POSITIVE_INTEGERS, 10**9, 10**6 + 1]}
    steps = {"discount": [-0.1, 1.1, None, *NEVER_NUMBERS]}
    for function in (planning.backward_induction, planning.solve_horizon):
        yield Row(
            f"{function.__name__}(rewards of 1e308)", lambda f=function: f(huge, 3),
            "range of floats.*1e.308.*discount is 1", planning.NotFinite,
        )  # fmt: skip
        good = {"mdp": MODEL, "horizon": 3}
        yield from systematic(function.__name__, function, good, horizon | steps)
    yield from systematic(
        "evaluate_horizon_policy", planning.evaluate_horizon_policy,
        {"mdp": MODEL, "policy": np.zeros((3, S), int)},
        steps
        | {"mdp": NOT_MDPS, "policy": [None, 3, "0", np.zeros((0, S), int), np.zeros((3, S)),
                                            [[0], [0, 1]], range(10**10)]},
    )  # fmt: skip
    one = eu.make_env("bandit").model
    yield Row(
        "evaluate_horizon_policy(1,000,001 steps)",
        lambda: planning.evaluate_horizon_policy(one, np.zeros((10**6 + 1, 1), np.int8)),
        "the policy's horizon must be at most 1,000,000, got 1000001",
    )  # fmt: skip
    yield from systematic(
        "solve_capped", solve_capped, {"mdp": MODEL, "discount": 0.9, "cap": 5.0},
        discount | start | {"cap": NOT_FINITE},
    )  # fmt: skip
    yield from systematic(
        "backward_induction with a cap", planning.backward_induction,
        {"mdp": MODEL, "horizon": 3, "cap": 5.0},
        horizon | {"cap": [cap for cap in NOT_FINITE if cap is not None]},
    )  # fmt: skip
    for row in ([1.0], None, np.zeros((2, 2)), np.array([]), np.array([1.0, math.nan]),
                np.array([-math.inf, 0.0]), np.ma.array([1.0, 2.0], mask=[1, 0])):  # fmt: skip
        yield Row(f"greedy_actions({row!r})", lambda r=row: planning.greedy_actions(r), "q_row")
    for q in (None, "1", np.zeros((2, 0)), [1.0, math.nan], [math.inf, math.inf]):
        yield Row(f"greedy_policy({q!r})", lambda q=q: planning.greedy_policy(q), r"\bq must")


def kinds():
    """Rows of different lengths, and letters."""
    model = eu.make_env("chain").model
    yield Row("evaluate_policy(ragged)",
              lambda: eu.evaluate_policy(model, [[0], [0, 1]], 0.9), "policy must be")  # fmt: skip
    yield Row("greedy_actions(letters)", lambda: eu.planning.greedy_actions(np.array(["a"])),
              "q_row must be an array of numbers")  # fmt: skip
    # Of many loops, and so evaluated from where the values are.
    n_states, rng = 400, np.random.default_rng(0)
    successors = rng.permuted(np.tile(np.arange(n_states), (n_states, 2, 1)), axis=-1)[..., :6]
    tangled = eu.MDP(
        successors, rng.dirichlet(np.ones(6), (n_states, 2)), np.zeros((n_states, 2)),
        rng.random((n_states, 2)),
    )  # fmt: skip
    unsure = planning.Solution(
        np.zeros((n_states, 2)), np.full(n_states, np.nan), np.zeros(n_states, dtype=int), 1, 0.0
    )
    yield Row("solve(start.v of NaN)", lambda: eu.solve(tangled, 0.9, unsure),
              "start.v must be an array of finite numbers")  # fmt: skip
    yield Row("solve_capped(start.v of NaN)", lambda: solve_capped(tangled, 0.9, 3.0, unsure),
              "start.v must be an array of finite numbers")  # fmt: skip
