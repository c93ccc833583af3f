"""Agents: their settings, what they observe, and who asks them to act."""

import re
from types import SimpleNamespace

import numpy as np

import eubrl_edu as eu
from eubrl_edu.agents import UnknownDynamics, plan_offline
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.values import (
    NEVER_NUMBERS,
    NO_INDICES,
    NOT_ABOVE_0,
    NOT_AT_LEAST_0,
    NOT_BOOLS,
    NOT_DISCOUNTS,
    NOT_FINITE,
    NOT_POSITIVE_INTEGERS,
    not_indices,
)

LOOP, CHAIN = eu.make_env("loop"), eu.make_env("chain")
LONG_CHAIN = eu.make_env("lazychain", size=6000)
# A horizon whose plan would take minutes is refused too.
PLANNING = {
    "discount": NOT_DISCOUNTS,
    "horizon": [0, -1, 1.5, 10**9, 10**6 + 1, *NEVER_NUMBERS],
    "plan_every": [0, -1, 1.5, "step", None, 2**63, *NEVER_NUMBERS],
}
NOT_SOME_STATES = [None, 1, [5], [-1], range(5)]
NO_SHARES = [-0.1, 1.1, None, *NEVER_NUMBERS]
NO_BELIEF = [None, LOOP, "belief", eu.DirichletTransitions(3, 2)]


def belief():
    return eu.Belief(eu.DirichletTransitions(3, 2), eu.NormalGammaRewards(3, 2))


def planned_with(kind, method, answer):
    """The plan of an agent whose method returns this, in a world of 3 states and 2 actions."""
    returns = lambda self: answer  # noqa: E731
    returns.__name__ = method
    own = type("Own", (kind,), {method: returns})
    belief = eu.Belief(eu.DirichletTransitions(3, 2), eu.NormalGammaRewards(3, 2))
    return own(belief).plan()


def methods_of_ones_own():
    """A bonus or an uncertainty that is no table of numbers."""
    for kind, method in ((eu.BEB, "bonus"), (eu.EUBRL, "epistemic_uncertainty")):
        for answer in (None, 1.0, "x", np.full((3, 2), np.nan), 1j * np.ones((3, 2))):
            yield Row(
                f"{method}() that returns {answer!r}"[:60],
                lambda kind=kind, method=method, answer=answer: planned_with(kind, method, answer),
                rf"what Own\.{method}\(\) returns must be an array of finite numbers",
            )
        yield Row(
            f"{method}() that returns (2, 3) numbers",
            lambda kind=kind, method=method: planned_with(kind, method, np.ones((2, 3))),
            rf"Own\.{method}\(\) must return an array of shape \(3, 2\), got \(2, 3\)",
        )
    yield Row(
        "epistemic_uncertainty() that returns numbers below 0",
        lambda: planned_with(eu.EUBRL, "epistemic_uncertainty", np.array([[1.0, -0.5]] * 3)),
        r"Own\.epistemic_uncertainty\(\) must return numbers of at least 0, got -0\.5",
    )


def rows():
    yield from methods_of_ones_own()
    some = {"belief": belief()}
    bonus = {"belief": NO_BELIEF, "eta": NOT_AT_LEAST_0, **PLANNING}
    yield from systematic(
        "EUBRL",
        eu.EUBRL,
        some,
        bonus | {"uncertainty": ["varience", None, 3], "shrinkage": NOT_BOOLS},
    )
    yield from systematic("EUBRL", eu.EUBRL, some, {"eta": [np, SimpleNamespace(dtype=np)]})
    yield Row(
        "make_agent('EUBRL', a chain of 12,001 states, horizon=2778)",
        lambda: eu.make_agent("EUBRL", LONG_CHAIN, horizon=2778),
        "horizon must be at most 2,777, got 2778",
    )
    yield from systematic("BEB", eu.BEB, some, bonus)
    yield from systematic("VBRB", eu.VBRB, some, bonus)
    yield from systematic("MeanMDP", eu.MeanMDP, some, {"belief": NO_BELIEF, **PLANNING})
    yield from systematic(
        "PSRL", eu.PSRL, some,
        {"belief": NO_BELIEF, **PLANNING, "minimum_alpha": NOT_AT_LEAST_0,
         "clip_visited": NOT_BOOLS},
    )  # fmt: skip
    for name, largest in (("PSRL", "0.00886"), ("BOSS", "0.00169")):
        yield Row(
            f"make_agent({name!r}, a chain of 12,001 states, alpha=0.03)",
            lambda name=name: eu.make_agent(name, LONG_CHAIN, alpha=0.03),
            f"alpha must be at most {largest} to draw . models .* more than 50,000,000",
        )
    yield Row(
        "make_agent('BOSS', a chain of 12,001 states, alpha=1e-30, n_models=1000)",
        lambda: eu.make_agent("BOSS", LONG_CHAIN, alpha=1e-30, n_models=1000),
        "n_models must be at most 462 for 12,001 states and 3 actions, got 1,000",
    )
    yield from systematic(
        "BOSS", eu.BOSS, some,
        {"belief": NO_BELIEF, "horizon": PLANNING["horizon"],
         "n_models": [*NOT_POSITIVE_INTEGERS, 1001], "known_after": NOT_POSITIVE_INTEGERS},
    )  # fmt: skip
    sizes = {"n_states": 3, "n_actions": 2}
    counted = {
        "n_states": [*NOT_POSITIVE_INTEGERS, 10**9], "n_actions": NOT_POSITIVE_INTEGERS,
        "r_max": NOT_FINITE, "terminal_states": [[3], [-1], None, 2],
    }  # fmt: skip
    with_horizon = counted | {"horizon": PLANNING["horizon"]}
    yield from systematic(
        "RMAX", eu.RMAX, sizes, with_horizon | {"known_after": NOT_POSITIVE_INTEGERS}
    )
    yield from systematic(
        "RMAX.is_learned_from", eu.RMAX(3, 2).is_learned_from, {"state": 0, "action": 0},
        {"state": not_indices(3), "action": not_indices(2)},
    )  # fmt: skip
    yield from systematic(
        "RMAX.empirical_model",
        eu.RMAX(3, 2).empirical_model,
        {"rewards": np.ones((3, 2))},
        {"rewards": [None, 1.0, "11", np.ones(3), np.full((3, 2), np.nan)]},
    )
    yield from systematic("MBIEEB", eu.MBIEEB, sizes, with_horizon | {"eta": NOT_AT_LEAST_0})
    yield from systematic("EQO", eu.EQO, sizes, with_horizon | {"eta": NOT_AT_LEAST_0})
    yield from systematic(
        "UCBVIGamma", eu.UCBVIGamma, sizes,
        counted | {"eta": NOT_AT_LEAST_0, "r_max": NOT_ABOVE_0},
    )  # fmt: skip
    yield from systematic(
        "FrequentistEUBRL", eu.FrequentistEUBRL, sizes | {"eta": lambda t: 1.0},
        with_horizon | {"eta": NOT_AT_LEAST_0, "r_max": NOT_ABOVE_0},
    )  # fmt: skip
    yield from systematic(
        "QLearning", eu.QLearning, sizes,
        {"n_states": [0, 10**9], "learning_rate": [0, *NO_SHARES], "epsilon": NO_SHARES,
         "discount": NOT_DISCOUNTS},
    )  # fmt: skip

    yield from observations()
    yield from by_name()
    yield from beetle()
    yield from systematic("BEETLE", eu.BEETLE, {}, {"values": [None, 3, "loop", eu.NormalRewards]})


def observations():
    """What agents are shown: nothing of it is learned from."""
    for name, world in (
        ("EUBRL", LOOP), ("PSRL", LOOP), ("RMAX", LOOP), ("MBIE-EB", LOOP), ("BOSS", LOOP),
        ("Q-learning", LOOP), ("EUBRL-frequentist", LOOP), ("BEETLE-tied", CHAIN),
    ):  # fmt: skip
        agent = eu.make_agent(name, world)
        keeps = lambda a=agent: getattr(a, "visits", getattr(a, "q", a.__dict__.get("dirichlet")))  # noqa: E731
        good = {"state": 0, "action": 0, "reward": 0.0, "next_state": 0, "terminated": False}
        states = not_indices(world.n_states)
        yield from systematic(
            f"{name}.observe", agent.observe, good,
            {"state": states, "action": {r"action|pair|transition|lead": [*NO_INDICES, 99]},
             "reward": NOT_FINITE, "next_state": states,
             "terminated": [*NOT_BOOLS, np.array([1, 2])]},
            keeps,
        )  # fmt: skip
        rng = np.random.default_rng(0)
        yield from systematic(
            f"{name}.act",
            agent.act,
            {"state": 0, "rng": rng},
            {"state": not_indices(world.n_states)},
        )
        if name in ("EUBRL", "RMAX", "Q-learning"):  # others need not draw, here
            for no in (None, 0, np.random):
                yield Row(
                    f"{name}.act(0, {no!r})"[:60],
                    lambda a=agent, no=no: a.act(0, no),
                    "rng must be",
                )


def by_name():
    """Settings of `make_agent`: out of range even where an agent has no use for them."""
    table = systematic(
        "make_agent", eu.make_agent, {"name": "EUBRL", "env": LOOP},
        {
            "name": {"unknown agent": [None, "eubrl", 3]},
            "env": {"env must be a gymnasium.Env": [None, "loop", LOOP.model]},
            "eta": NOT_AT_LEAST_0, "alpha": NOT_ABOVE_0, "beta0": NOT_ABOVE_0,
            "lambda0": NOT_ABOVE_0, "tau": NOT_ABOVE_0, "discount": NOT_DISCOUNTS,
            "plan_every": PLANNING["plan_every"], "horizon": PLANNING["horizon"],
            "reward_model": ["gauss", None], "uncertainty": ["varience", None],
            "known_after": NOT_POSITIVE_INTEGERS, "n_models": NOT_POSITIVE_INTEGERS,
            "r_max": NOT_FINITE, "learning_rate": [0, *NO_SHARES], "epsilon": NO_SHARES,
            "clip_visited": NOT_BOOLS, "delta": [0, *NO_SHARES], "lambda_": [0, *NO_SHARES],
        },
    )  # fmt: skip
    # A setting of None is one that is left out.
    left_out = re.compile(r"\((?!name|env)\w+=None")
    yield from (row for row in table if not left_out.search(row.what))
    for unknown in ("etta", "H"):
        yield Row(
            f"make_agent({unknown}=1)", lambda u=unknown: eu.make_agent("EUBRL", LOOP, **{u: 1}),
            f"unknown setting '{unknown}'",
        )  # fmt: skip
    for name in ("EQO", "EUBRL-frequentist"):
        yield Row(
            f"make_agent({name}, horizon=4, discount=0.5)",
            lambda n=name: eu.make_agent(n, LOOP, horizon=4, discount=0.5),
            f"discount must be left out or 1 where {name} has a horizon, got 0.5",
        )


def beetle():
    next_states, rewards = CHAIN.outcome_states, CHAIN.outcome_rewards
    dynamics = UnknownDynamics.shared(next_states, rewards)
    yield from systematic(
        "plan_offline", plan_offline, {"dynamics": dynamics},
        {"dynamics": [None, CHAIN, [1]], "alpha": [*NOT_ABOVE_0, 1e9], "discount": NOT_DISCOUNTS},
    )  # fmt: skip
    yield from unknown_dynamics(dynamics)
    for make, first in ((UnknownDynamics.shared, "next_states"),
                        (UnknownDynamics.independent, "successors")):  # fmt: skip
        yield from systematic(
            f"UnknownDynamics.{make.__name__}", make, {first: next_states, "rewards": rewards},
            {first: [None, "0", next_states - 1, next_states + 0.5, next_states + 10**9],
             "rewards": [None, "1", rewards * np.nan, np.array(1.0)],
             "terminal_states": NOT_SOME_STATES},
        )  # fmt: skip
        for shape in ((0, 2, 2), (5, 0, 2), (5, 2, 0), (5, 2), (20,)):
            none = {first: np.zeros(shape, int), "rewards": np.zeros(shape)}
            yield Row(
                f"UnknownDynamics.{make.__name__} of shape {shape}",
                lambda make=make, none=none: make(**none),
                r"rewards must have a shape \(S, A, K\), each at least 1, got",
            )


def unknown_dynamics(shared):
    """Made from its four tables; one that is right is taken as lists too, and plans the same."""
    tables = "next_states", "rewards", "unknown", "simplex"
    good = {name: getattr(shared, name) for name in tables}
    next_states, rewards, unknown, _ = good.values()
    fits = r"unknown must have the shape \(5, 2, 2\) of rewards, and for each pair all"
    no_shapes = [[], unknown[0], unknown * 0, unknown[..., :1], np.zeros((5, 2, 3), int)]
    no_lists = [[], [[0, 0]], [0, 2], [1, 1], [0] * 10**6]
    yield from systematic(
        "UnknownDynamics", UnknownDynamics, good,
        {"next_states": [None, 3, "0", next_states - 1, next_states + 0.5, next_states[0]],
         "rewards": [None, 3.0, "1", rewards * np.nan, rewards + 1e200, rewards[0]],
         "unknown": {"unknown must be integers from 0 to 1": [None, 3, "0", unknown + 5, -unknown],
                     fits: no_shapes},
         "simplex": {"simplex must be integers from 0 to 19": [None, 0, "0", [0, 10**6], [0, -1]],
                     "simplex must be a list of 1 to 20 numbers from 0 on": no_lists,
                     fits: [[0, 1], [0, 0, 0], [0, 0, 1]]},
         "terminal_states": NOT_SOME_STATES},
    )  # fmt: skip
    lists = {name: array.tolist() for name, array in good.items()}
    yield Row(
        "UnknownDynamics(lists)", lambda: UnknownDynamics(**lists, terminal_states=[4]),
        "terminal_states=\\(4,\\)", None,
        holds=lambda made: made == UnknownDynamics(**good, terminal_states=(4,)) and hash(made),
    )  # fmt: skip
