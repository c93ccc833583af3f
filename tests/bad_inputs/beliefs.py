"""Beliefs, alone and together: a refused observation leaves them as they were."""

import math

import numpy as np
import pandas as pd

import eubrl_edu as eu
from eubrl_edu.beliefs import TiedDirichletTransitions
from eubrl_edu.beliefs.sampling import sample_mdp
from eubrl_edu.uncertainty.predictive import PosteriorPredictive
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.values import (
    HIDDEN,
    NOT_ABOVE_0,
    NOT_AT_LEAST_0,
    NOT_BOOLS,
    NOT_FINITE,
    NOT_POSITIVE_INTEGERS,
    Endless,
    not_indices,
)

SIZES = {"n_states": 3, "n_actions": 2}
SIZE_ROWS = {"n_states": [*NOT_POSITIVE_INTEGERS, 10**9], "n_actions": NOT_POSITIVE_INTEGERS}


def contents(belief):
    """All numbers that a belief holds."""
    return {name: value for name, value in vars(belief).items() if name != "_terminal"}


def rows():
    for prior, settings in (
        (eu.DirichletTransitions, {"alpha": NOT_ABOVE_0}),
        (TiedDirichletTransitions, {"alpha": NOT_ABOVE_0}),
        (eu.NormalGammaRewards,
         {"mu0": NOT_FINITE, "lambda0": NOT_ABOVE_0, "alpha0": [1.0, *NOT_ABOVE_0],
          "beta0": NOT_ABOVE_0, "on": ["state", None, 3]}),
        (eu.NormalRewards, {"mu0": NOT_FINITE, "tau0": NOT_ABOVE_0, "tau": NOT_ABOVE_0}),
        (eu.BetaBernoulliRewards, {"alpha0": NOT_ABOVE_0, "beta0": NOT_ABOVE_0}),
    ):  # fmt: skip
        yield from systematic(prior.__name__, prior, SIZES, SIZE_ROWS | settings)

    where = {"state": not_indices(3), "action": not_indices(2)}
    for transitions in (eu.DirichletTransitions(3, 2), TiedDirichletTransitions(3, 2)):
        title = type(transitions).__name__
        keeps = lambda t=transitions: contents(t)  # noqa: E731
        good = {"state": 1, "action": 0, "next_state": 1}
        bad = {**where, "next_state": not_indices(3)}
        times = {"times": [-5, 2.5, 10**9, None, "1"]}
        yield from systematic(f"{title}.update", transitions.update, good, bad | times, keeps)
        yield from systematic(f"{title}.prepare", transitions.prepare, good, bad, keeps)
        pair = {"state": 1, "action": 0}
        yield from systematic(f"{title}.parameters", transitions.parameters, pair, where, keeps)

    for rewards in (
        eu.NormalGammaRewards(3, 2), eu.NormalRewards(3, 2), eu.BetaBernoulliRewards(3, 2),
        eu.KnownRewards(np.ones((3, 2))),
    ):  # fmt: skip
        title = type(rewards).__name__
        keeps = lambda r=rewards: contents(r)  # noqa: E731
        good = {"state": 1, "action": 0, "outcome": 0}
        bad = {**where, "outcome": not_indices(3)}
        bernoulli = title == "BetaBernoulliRewards"
        arrays = [np.array([0, 1]), np.array([1]), 1 + 0j, np.complex128(1), pd.NA]
        no_reward = [0.5, -1, math.nan, None, "1", *arrays] if bernoulli else NOT_FINITE
        yield from systematic(
            f"{title}.update",
            rewards.update,
            good | {"reward": 1},
            bad | {"reward": no_reward},
            keeps,
        )
        yield from systematic(
            f"{title}.update_batch", rewards.update_batch, good | {"rewards": [1]},
            bad | {"rewards": {"reward": [[], None, 1.0, [math.nan], [1e308]]}}, keeps,
        )  # fmt: skip
        places = [
            (3, 0, 0),
            (0, 2, 0),
            (0, 0, 99),
            (-1, 0, 0),
            3,
            -1,
            0.5,
            "0",
            None,
            (0,) * 4,
            np.int64(-1),
            np.array([0, -1]),
            [0, -1],
            [[0], [0, 1]],
            slice(-1, None),
            slice(0, -1),
            slice(None, None, -1),
            (0, slice(-1, None)),
            (..., np.int8(-1)),
            slice(0.5),
            (0, None, 0),
            2**63,
            np.uint64(2**64 - 1),
            range(10**10),
        ]
        yield from systematic(f"{title}.posterior", rewards.posterior, {}, {"at": places}, keeps)
    yield from systematic(
        "sample", eu.NormalRewards(3, 2).sample,
        {"rng": np.random.default_rng(0), "wanted": np.ones((3, 2, 1), bool)},
        {"rng": [None, 0, np.random],
         "wanted": [None, True, np.ones((2, 3, 1), bool), [[1], [1, 2]]]},
    )  # fmt: skip
    for rewards in (eu.NormalRewards(3, 2), eu.NormalGammaRewards(3, 2),
                    eu.BetaBernoulliRewards(3, 2), eu.KnownRewards(np.ones((3, 2)))):  # fmt: skip
        yield from systematic(
            f"{type(rewards).__name__}.sample_prior", rewards.sample_prior,
            {"rng": np.random.default_rng(0), "size": 3},
            {"rng": [None, 0, np.random], "size": [-1, 1.5, None, [3], 10**8, 10**9]},
        )  # fmt: skip
    seen = eu.Belief(eu.DirichletTransitions(3, 2), eu.NormalGammaRewards(3, 2))
    yield from systematic(
        "sample_mdp", sample_mdp, {"belief": seen, "rng": np.random.default_rng(0)},
        {"rng": [None, 3, np.random], "clip_visited": NOT_BOOLS, "minimum_alpha": NOT_AT_LEAST_0},
    )  # fmt: skip
    large = eu.Belief(eu.DirichletTransitions(10**4, 1, 1.0), eu.NormalRewards(10**4, 1))
    yield Row(
        "sample_mdp(belief of 10,000 states, whose rows are all drawn)",
        lambda: large.sample_mdp(np.random.default_rng(0)),
        "alpha must be at most 0.03 .* 100,000,000 numbers, more than 50,000,000",
    )  # fmt: skip
    yield from systematic("Belief.sample_mdp", seen.sample_mdp, {}, {"rng": [None, 3, np.random]})
    yield from systematic(
        "PosteriorPredictive", PosteriorPredictive, {"belief": seen},
        {"mutual_information": NOT_BOOLS},
    )  # fmt: skip
    yield from systematic(
        "KnownRewards", eu.KnownRewards,
        {"rewards": np.ones((2, 1, 1)), "successors": np.zeros((2, 1, 1), int)},
        {"rewards": [None, "1", [1.0], np.ones((2, 1)), np.full((2, 1, 1), math.nan),
                     np.full((2, 1, 1), 1e308)],
         "successors": {"successors": [[[[2]], [[0]]], [[[-1]], [[0]]], [[[0.5]], [[0]]], "0", 0,
                                       bytearray(2)]}},
    )  # fmt: skip

    good = {
        "transitions": eu.DirichletTransitions(3, 2), "rewards": eu.NormalGammaRewards(3, 2),
    }  # fmt: skip
    yield from systematic(
        "Belief", eu.Belief, good,
        {
            "transitions": [None, eu.NormalGammaRewards(3, 2), eu.DirichletTransitions(4, 2)],
            "rewards": [None, eu.DirichletTransitions(3, 2), eu.NormalGammaRewards(3, 1)],
            "terminal_states": [[3], [-1], None, 2, "2", b"\x02", [0.5]],
        },
    )  # fmt: skip
    yield Row("Belief(None, None)", lambda: eu.Belief(None, None), "transitions comes first")

    belief = eu.Belief(**good, terminal_states=(2,))
    belief.update(0, 1, 0.5, 1)
    keeps = lambda: (contents(belief.transitions), contents(belief.rewards))  # noqa: E731
    moved = {"state": [2, *not_indices(3)], "action": not_indices(2), "next_state": not_indices(3)}
    yield from systematic(
        "Belief.update", belief.update, {"state": 0, "action": 0, "reward": 1.0, "next_state": 1},
        moved | {"reward": NOT_FINITE}, keeps,
    )  # fmt: skip
    yield from systematic(
        "Belief.update_batch", belief.update_batch,
        {"states": [0, 1], "actions": [0, 1], "rewards": [1.0, 2.0], "next_states": [1, 1]},
        {
            "states": {"state": [None, 0, [0], [0, 3], [0, 2], [0, -1], [0, 0.5], b"\0\1",
                                 bytearray(2), {0: 1, 1: 0}, {0, 1}]},
            "actions": {"action": [None, [0], [0, 2], b"\0\1"]},
            "rewards": {"reward": [None, [1.0], [1.0, math.nan], [1.0, 1e308], [1.0, b"1"], b"\0\1",
                                    {1: 0, 2: 0}]},
            "next_states": {"next_state": [None, [1], [1, 3], b"\1\1", {0: 1, 1: 1}]},
        },
        keeps,
    )  # fmt: skip
    learned = eu.NormalGammaRewards(**SIZES)
    learned.update(0, 0, 0, 1.0)
    yield Row(
        "Belief(new transitions, rewards that have learned)",
        lambda: eu.Belief(eu.DirichletTransitions(**SIZES), learned),
        "rewards must be new where transitions are",
    )  # fmt: skip
    columns = {"states": [0], "actions": [0], "rewards": [0.0], "next_states": [0]}
    hidden = np.ma.array([0], mask=True)
    no_columns = [np.array(0), np.array([[0]]), np.ma.masked, HIDDEN, hidden, Endless()]
    yield from systematic(
        "Belief.update_batch", belief.update_batch, columns,
        {name: {rf"^{name} must be a sequence of numbers, got": no_columns} for name in columns},
        keeps,
    )  # fmt: skip
    yield from systematic(
        "mean_transition", belief.mean_transition, {"state": 0, "action": 0}, where, keeps
    )
    yield from systematic(
        "observed_pairs", belief.observed_pairs, {}, {"since": [-1, 0.5, None]}, keeps
    )
    world = eu.make_env("loop")
    for no in NOT_BOOLS[1:]:
        yield Row(
            f"make_agent('PSRL', clip_visited={no!r})",
            lambda no=no: eu.make_agent("PSRL", world, clip_visited=no), "clip_visited",
        )  # fmt: skip
