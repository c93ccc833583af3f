"""Worlds: their arguments, their outcomes, and what foreign environments publish and show."""

import itertools
import math

import gymnasium
import numpy as np
import pandas as pd

import eubrl_edu as eu
from eubrl_edu.environments import DeepSea, LazyChain, Loop, Outcome, TabularEnvironment
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.values import (
    HIDDEN,
    NEVER_NUMBERS,
    NOT_BOOLS,
    NOT_INTEGERS,
    NOT_NUMBERS,
    Endless,
    not_indices,
)

LOOP = eu.make_env("loop")


class Table(TabularEnvironment):
    """Three states and two actions; every outcome is the one given."""

    def __init__(self, outcome=(1.0, 0, 0.0), **arguments):
        self.outcome = outcome
        super().__init__(**{"n_states": 3, "n_actions": 2, **arguments})

    def outcomes(self, state, action):
        yield Outcome(*self.outcome)


def with_outcome(**change):
    good = {"probability": 1.0, "next_state": 0, "reward": 0.0, "deviation": 0.0}
    return Table(tuple((good | change).values()))


def published(table=None, **attributes):
    """FrozenLake with something else published."""
    env = gymnasium.make("FrozenLake-v1")
    if table is not None:
        env.unwrapped.P = table
    for name, value in attributes.items():
        setattr(env.unwrapped, name, value)
    return eu.world_from_gymnasium(env)


def lake_with(entry):
    table = {s: {a: [(1.0, s, 0.0, False)] for a in range(4)} for s in range(16)}
    table[3][1] = entry
    return published(table)


def rows():
    yield from kinds()
    unprintable = 10**5000
    for what, function in (
        ("make_agent('EUBRL', loop, known_after", lambda value: eu.make_agent(
            "EUBRL", eu.make_env("loop"), known_after=value)),
        ("world_from_gymnasium(", eu.world_from_gymnasium),
    ):  # fmt: skip
        yield Row(
            f"{what}: an integer that Python does not print)", lambda f=function: f(unprintable),
            "(known_after|env) must be .*a value of type int that cannot be printed",
        )  # fmt: skip
    yield from systematic(
        "make_env", eu.make_env, {"name": "deepsea", "size": 3, "seed": 0},
        {
            "name": {"unknown environment": [None, 3, "depsea", ["loop"], pd.Series(["loop"]),
                                             np.array(["loop"])], "make_env": ["FrozenLake-v1"]},
            "size": [0, -1, 10**9, 10**30, "3", 2.5, True],
            "stochastic": NOT_BOOLS,
            "seed": [-1, 2**63, *NOT_INTEGERS],
        },
    )  # fmt: skip
    sizes = (6, 5.0, "5", np.array([5]), np.array([5, 5]), pd.Series([5]))
    for name, size in (("loop", 10**9), ("lazychain", 10**9), ("bandit", 2), ("bandit", True),
                       *(("chain", size) for size in sizes)):  # fmt: skip
        yield Row(f"make_env({name!r}, {size})", lambda n=name, s=size: eu.make_env(n, s), "size")
    yield from systematic(
        "DeepSea", DeepSea, {"size": 2},
        {"stochastic": NOT_BOOLS, "seed": [-1, None, 0.5]},
    )  # fmt: skip
    yield from systematic(
        "DeepSea(3).cell", DeepSea(3).cell, {"row": 0, "column": 0},
        {"row": not_indices(4), "column": not_indices(3)},
    )  # fmt: skip
    yield from systematic("LazyChain", LazyChain, {}, {"size": [0, 1.5], "stochastic": NOT_BOOLS})
    yield from systematic("Loop", Loop, {}, {"size": [0, "2", None, 10**6]})
    yield from systematic(
        "TabularEnvironment", Table, {},
        {
            "n_states": [0, -1, 1.5, None, 10**9],
            "n_actions": [0, -1, "2", 10**9],
            "initial_states": [[], [3], [-1], [0.5], None, "0"],
            "initial_probabilities": [[], [0.5], [0.5, 0.5], [-1.0], [math.nan], "1", [None],
                                      bytearray([1])],
            "terminal_states": [[3], [-1], [0.5], None, 2, "2"],
            "max_episode_steps": [0, -1, 1.5, "5", True],
            "action_names": [["a"], "ab", b"ab", 2, ["a", "b", "c"], itertools.count()],
            "state_names": [["a"], "abc", bytearray(3), 3, itertools.repeat("a", 2)],
            "state_positions": [[[0, 0]], "here", [[0, math.nan]] * 3, np.zeros((2, 3))],
        },
    )  # fmt: skip
    yield from systematic(
        "Outcome", with_outcome, {},
        {
            "probability": {"probabilit.*state 0, action 0": [-0.5, 0.5, 1 + 2e-9, *NOT_NUMBERS]},
            "next_state": {"next state in state 0, action 0": not_indices(3)},
            "reward": {"reward in state 0, action 0": [*NOT_NUMBERS, 1e49, -1e200]},
            "deviation": {"deviation": [-1.0, *NOT_NUMBERS, 1e49]},
        },
    )  # fmt: skip
    played = eu.make_env("loop")
    played.reset(seed=0)
    yield from systematic(
        "env.step", played.step, {}, {"action": not_indices(2)},
        keeps=lambda: (played.state, played.np_random.bit_generator.state),
    )  # fmt: skip
    yield from systematic(
        "env.reset",
        played.reset,
        {},
        {"seed": [-1, 0.5, *NEVER_NUMBERS]},
        keeps=lambda: played.state,
    )
    yield from systematic(
        "world_from_gymnasium", eu.world_from_gymnasium, {},
        {"env": {"env must be a gymnasium.Env": [None, "loop", LOOP.model],
                 "observation_space must be Discrete": [gymnasium.make("CartPole-v1")]}},
    )  # fmt: skip
    for table in ({}, {0: {}}, {s: [] for s in range(16)}):
        yield Row(f"env.P = {table}"[:80], lambda t=table: published(t), r"env\.P\[0\]\[0\]")
    for table in (3, "P", np.zeros((16, 4, 16)), [], [[[(1.0, 0, 0.0, False)]] * 4] * 16):
        yield Row(
            f"env.P = {str(table)[:40]}", lambda t=table: published(t), r"env\.P must be a mapping"
        )
    for entry in (
        None, 3, [], [(1.0, 3, 0.0)], [(math.nan, 3, 0.0, False)], [(1.0, 16, 0.0, False)],
        [(1.0, -1, 0.0, False)], [(1.0, 2.7, 0.0, False)], [(1.0, 3, math.nan, False)],
        [(1.0, 3, "1", False)], [(0.5, 3, 0.0, False)], [(2.0, 3, 0.0, False)],
        [([1.0], 3, 0.0, False)], [("1", 3, 0.0, False)],
        [(b"1", 3, 0.0, False)], [(1.0, 3, b"1", False)], iter([(1.0, 3, 0.0, False)]),
        itertools.repeat((0.0, 3, 0.0, False)), [(0.0, 3, 0.0, False)] * 300_000,
    ):  # fmt: skip
        yield Row(
            f"env.P[3][1] = {str(entry)[:60]}", lambda e=entry: lake_with(e),
            r"env\.P\[3\]\[1\]|state 3, action 1",
        )  # fmt: skip
    for done in NOT_BOOLS:
        yield Row(
            f"env.P[3][1] with done={done!r}", lambda d=done: lake_with([(1.0, 3, 0.0, d)]),
            r"done in env\.P\[3\]\[1\] must be True or False",
        )  # fmt: skip
    for starts in (np.full(16, 0.5), np.full(3, 1 / 3), "first", np.full(16, math.nan)):
        yield Row(
            f"initial_state_distrib = {str(starts)[:25]}",
            lambda s=starts: published(initial_state_distrib=s), "initial_state_distrib",
        )  # fmt: skip


def lake_of(shape):
    """How wide FrozenLake is drawn where it says that its states have this shape."""
    return published(shape=shape).state_positions[:, 0].max() + 1


class Unmade(TabularEnvironment):
    """A world that never calls what makes its table."""

    def __init__(self):
        self.n_states, self.n_actions = 2, 2


class Untold(TabularEnvironment):
    """A world that does not say what can happen."""


def kinds():
    """What is of another kind altogether: Python's own words would not say where."""
    for answer in (None, 3, Outcome(1.0, 0, 0.0)):
        table = type("Table", (TabularEnvironment,), {"outcomes": lambda *_, a=answer: a})
        yield Row(
            f"a world whose outcomes are {answer}", lambda table=table: table(3, 2),
            "the outcomes of state 0, action 0 must be a list of them, got",
        )  # fmt: skip
    for answer, names in (
        ([1], "an outcome of state 0, action 0 must be an Outcome, got 1"),
        (itertools.repeat(Outcome(0.0, 0, 0.0)), "state 0, action 0 must be at most 100,000"),
    ):
        table = type("Table", (TabularEnvironment,), {"outcomes": lambda *_, a=answer: a})
        yield Row(f"a world whose outcomes are {answer}"[:40], lambda t=table: t(3, 2), names)
    yield Row("make_env('loop', 10**5000)", lambda: eu.make_env("loop", 10**5000),
              "size must be at most .* a value of type int that cannot be printed")  # fmt: skip
    yield Row("make_env(a class)", lambda: eu.make_env(Untold),
              r"Untold.* is a class: make a world of it, Untold\(\)")  # fmt: skip
    lakes = gymnasium.make_vec("FrozenLake-v1", num_envs=2, vectorization_mode="sync")
    yield Row("make_env(a vector)", lambda: eu.make_env(lakes), "must be a single one, got")
    yield Row("a world that begins at its end", lambda: Table(terminal_states=[0]),
              "initial_states must name a state, and none that is terminal")  # fmt: skip
    yield Row("make_env('loop', sise=3)", lambda: eu.make_env("loop", sise=3),
              "unknown setting 'sise'.* Did you mean 'size'")  # fmt: skip
    yield Row("a world without outcomes", lambda: Untold(3, 2), "Untold must define outcomes",
              error=TypeError)  # fmt: skip
    for call in (eu.make_env, lambda world: eu.make_agent("EUBRL", world)):
        yield Row(f"{call.__name__}(a world without its table)", lambda c=call: c(Unmade()),
                  r"Unmade\.__init__ must call super\(\)\.__init__")  # fmt: skip
    yield Row("repr(a world without its table)", lambda: repr(Unmade()),
              r"^Unmade\(without a table\)$", None)  # fmt: skip
    for shape in (
        5,
        None,
        np.ones((2, 3)),
        (None, 4),
        ("a", "b"),
        {2},
        (-2, -8),
        (2, 9),
        Endless(),
    ):
        yield Row(f"a world of shape {shape}", lambda s=shape: lake_of(s), r"^4\.0$", None)
    yield Row("a world of shape (2, 8)", lambda: lake_of((2, np.int64(8))), r"^8\.0$", None)
    spaceless = gymnasium.Env()
    yield Row("make_env of an Env without spaces", lambda: eu.make_env(spaceless),
              "observation_space must be Discrete, got None")  # fmt: skip
    yield from systematic(
        "Bandit", eu.environments.Bandit, {},
        {"success_probabilities": {"success_probabilities must be": [
            3, None, 0.5, [[0.5], [0.1, 0.2]], [0.5] * 3, [0.5, 1.5], ["a", "b"],
            np.ma.array([0.5, 0.4], mask=[0, 1]), [0.5, HIDDEN], Endless()]}},
    )  # fmt: skip
    yield from systematic(
        "TabularEnvironment",
        Table,
        {},
        {"initial_states": [np.array(0)], "action_names": [[None, None], np.array(0)]},
    )
