"""Studies and tuning: refused before anything runs, is compiled for it, or is stored."""

import re
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

import eubrl_edu as eu
from eubrl_edu.experiments import AGENTS, STUDIES, Settings, Study, run, run_study, tune
from eubrl_edu.success import SuccessRule
from tests.bad_inputs.row import each, systematic
from tests.bad_inputs.values import NOT_POSITIVE_INTEGERS
from tests.experiments.test_own import Hallway, Walker, hallway

RUN = {"study": "loop", "agents": ["RMAX"], "seeds": 1, "store": "results.sqlite"}
HALL = {"name": "hall", "environment": Hallway, "steps": 10}
DEEPSEA = "Did you mean 'deepsea-deterministic' or 'deepsea-stochastic'"
SINGLE = "must be a list of single values, got "
POSITIVE = "must be an integer of at least 1, got "
NO_PATH = "store must be the path of a file"


@dataclass
class Unhashable:
    """What can be called, but not be told from others."""

    def __call__(self, *arguments):
        return Walker(*arguments)


@contextmanager
def nothing_runs():
    """A world in which no run begins, nor the wait for the compiler."""
    with ExitStack() as stack:
        for name in ("run_once", "compile_engine"):
            stack.enter_context(patch.object(run, name, lambda *_, name=name: pytest.fail(name)))
        yield


def rows():
    for row in (*studies(), *own(), *fields(), *tuning()):
        yield row._replace(given=nothing_runs)


def studies():
    """What `run_study` is asked for."""
    yield from each(
        "run_study", run_study, RUN,
        [
            ({"study": "deepsea"}, DEEPSEA),
            ({"study": "lop"}, "Did you mean 'loop'"),
            ({"study": 5}, "unknown study 5"),
            ({"agents": "RMAX"}, r"agents must be a list, such as \['RMAX'\], got 'RMAX'"),
            ({"agents": []}, "agents must hold at least one"),
            ({"agents": ["EUBLR"]}, "Did you mean 'EUBRL'"),
            ({"agents": ["RMAX", "nobody at all"]}, "unknown agent 'nobody at all'"),
            ({"agents": [["EUBRL"]]}, rf"agents {SINGLE}\[\['EUBRL'\]\]"),
            ({"agents": [5]}, "agents of your own must be a mapping"),
            ({"sizes": 2}, r"sizes must be a list, such as \[2\], got 2"),
            ({"sizes": []}, "sizes must hold at least one"),
            ({"sizes": [2, 0]}, f"size {POSITIVE}0"),
            ({"study": "chain", "sizes": [6]}, "size must be 5 for chain, got 6"),
            ({"seeds": True}, f"seeds {POSITIVE}True"),
            ({"seeds": 0}, f"seeds {POSITIVE}0"),
            ({"seeds": np.int64(0)}, f"seeds {POSITIVE}"),
            ({"seeds": 2.0}, "seeds must be a number of seeds or a list of them, got 2.0"),
            ({"seeds": []}, "seeds must hold at least one"),
            ({"seeds": [0, -1]}, "seed must be an integer of at least 0, got -1"),
            ({"seeds": [2**63]}, f"seed must be at most {2**63 - 1:,}"),
            ({"seeds": [[1]]}, rf"seeds {SINGLE}\[\[1\]\]"),
            ({"n_jobs": Decimal("sNaN")}, f"n_jobs, unless -1 for every core, {POSITIVE}Decimal"),
            ({"n_jobs": 0}, f"n_jobs, unless -1 for every core, {POSITIVE}0"),
            ({"n_jobs": 1.5}, f"n_jobs, unless -1 for every core, {POSITIVE}1.5"),
            ({"n_jobs": np.array([1, 2])}, f"n_jobs, unless -1 for every core, {POSITIVE}array"),
            ({"study": pd.Series(["loop"])}, "unknown study"),
            ({"sizes": np.array([[2]])}, f"sizes {SINGLE}"),
            ({"n_jobs": -2}, f"n_jobs, unless -1 for every core, {POSITIVE}-2"),
            ({"settings": {"etta": 1.0}}, "Did you mean 'eta'"),
            ({"settings": {"eta": -1.0}}, "eta must be"),
            ({"settings": {"plan_every": 0}}, "plan_every"),
            ({"settings": {"eta": 2.0}}, "eta must be left out, got 2.0: RMAX has no bonus"),
            ({"on_error": "ignore"}, "unknown on_error 'ignore'"),
            ({"scheduler": 8786}, "scheduler must be an address such as .*, got 8786"),
            ({"store": "results\0.sqlite"}, f"{NO_PATH}, without a null byte"),
            ({"key": "mine"}, "key must be left out where no code is your own"),
        ],
    )  # fmt: skip
    # Settings with which compiled code once read beyond its arrays.
    for study, agent, name, value in (
        ("loop", "EUBRL", "eta", 1e308), ("loop", "EUBRL", "alpha", 1e155),
        ("loop", "EUBRL", "alpha", 1e-200), ("loop", "EUBRL", "lambda0", 1e-320),
        ("loop", "VBRB", "beta0", 1e308), ("loop", "RMAX", "r_max", 1e308),
        ("chain", "MBIE-EB", "eta", 1e307), ("lazychain-stochastic", "EUBRL", "eta", 1e305),
        ("loop", "EUBRL", "tau", 1e308),
    ):  # fmt: skip
        normal = {"reward_model": "normal"} if name == "tau" else {}
        change = {"study": study, "agents": [agent], "settings": {name: value} | normal}
        yield from each(
            "run_study",
            run_study,
            RUN,
            [(change, rf"^{name} must be .*got {re.escape(str(value))}")],
        )
    no_files = [({"store": 5}, NO_PATH), ({"store": b"results.sqlite"}, NO_PATH)]
    yield from each("run_study", run_study, RUN, no_files, error=TypeError)
    yield from each(
        "run_study", run_study, RUN, [({"store": "absent/results.sqlite"}, "folder .*'absent/res")],
        error=FileNotFoundError,
    )  # fmt: skip
    yield from each(
        "run_study", run_study, RUN, [({"store": "."}, "store '.' is a folder")],
        error=IsADirectoryError,
    )  # fmt: skip
    # A tied prior in a world that jumps.
    tied = ["EUBRL", "EUBRL-tied"]
    jump = "EUBRL-tied cannot live here: its tied prior is for worlds of several states in which"
    jumping = ("deepsea-stochastic", "loop", "chain")
    yield from each(
        "run_study", run_study, RUN, [({"study": s, "agents": tied}, jump) for s in jumping]
    )


def with_one_belief():
    """What makes agents that all have one belief, or beliefs over one table of rewards."""
    world = eu.make_env("loop")
    sizes = world.n_states, world.n_actions
    rewards = eu.NormalGammaRewards(*sizes)
    belief = eu.Belief(eu.DirichletTransitions(*sizes), rewards)
    yield lambda world: eu.EUBRL(belief)
    yield lambda world: eu.EUBRL(eu.Belief(eu.DirichletTransitions(*sizes), rewards))


def own():
    """Worlds, agents and rules of one's own."""
    yield from each(
        "run_study", run_study, {"study": "loop", "seeds": 1, "progress": False},
        [({"agents": {"x": make}}, "'x' must return a new agent with a belief of its own")
         for make in with_one_belief()],
    )  # fmt: skip
    yield from each(
        "run_study", run_study, RUN | {"agents": ["EUBRL"]},
        [
            ({"study": hallway(environment="FrozenLak-v1")}, "unknown environment 'FrozenLak-v1'"),
            ({"study": hallway(environment="CartPole-v1")}, "observation_space must be Discrete"),
            ({"study": hallway(environment=lambda: 3)}, "env must be a gymnasium.Env, got 3"),
            ({"study": hallway(stochastic=True)}, "stochastic must be left out"),
            ({"study": hallway(), "agents": []}, "agents must hold at least one"),
            ({"study": hallway(), "sizes": [3]},
             r"sizes must be left out: 'hallway' has none, got \[3\]"),
            ({"study": hallway(), "agents": {"x": lambda world: 3}},
             "'x' must return an .*Agent, got 3"),
            ({"study": hallway(), "agents": {"x": "EUBRL"}},
             "'x' must be a class or a function, .* 'EUBRL'"),
            ({"study": hallway(), "agents": {"x": Unhashable()}},
             "'x' must be hashable, .* got Unhashable.*: a dataclass is with frozen=True"),
            ({"study": hallway(), "agents": [eu.EUBRL]},
             "must be a mapping from names .* got <class .*EUBRL"),
            ({"study": hallway(), "agents": {"x": Walker}, "settings": {"eta": 1}},
             "settings must be left"),
            ({"study": STUDIES["lazychain-stochastic"], "agents": {"x": Walker}, "sizes": [2]},
             "agent must have a current_plan, as this world"),
        ],
    )  # fmt: skip
    # What cannot be told apart is not stored without a key.
    rule = hallway(environment="FrozenLake-v1", success=lambda world: SuccessRule(1.0))
    yield from each(
        "run_study", run_study, RUN,
        [
            ({"agents": {"walker": Walker}},
             "store needs a key for 'loop': the agent 'walker' is code of your own"),
            ({"study": hallway()},
             "store needs a key for 'hallway': the world is code of your own"),
            ({"study": rule},
             "store needs a key for 'hallway': the rule of success is code of your own"),
        ],
    )  # fmt: skip


def fields():
    """The fields of a `Study`, but for its texts: see ``names``; and what it is asked."""
    yield from systematic(
        "Study.step_limit", STUDIES["loop"].step_limit, {}, {"size": NOT_POSITIVE_INTEGERS}
    )
    yield from systematic(
        "Settings.for_size", Settings().for_size, {},
        {"size": [size for size in NOT_POSITIVE_INTEGERS if size is not None]},
    )  # fmt: skip
    yield from systematic(
        "why_not_used", AGENTS["EUBRL"].why_not_used, {}, {"setting": ["bogus", [], 3, None]}
    )
    yield from each(
        "Study", Study, HALL,
        [
            ({"steps": 0}, f"steps {POSITIVE}0"),
            ({"steps": 10**9}, "steps must be at most 100,000,000"),
            ({"steps": 1.5}, f"steps {POSITIVE}1.5"),
            ({"steps": True}, f"steps {POSITIVE}True"),
            ({"steps_exponent": -1}, "steps_exponent must be an integer of at least 0"),
            ({"steps_exponent": 10**9}, "steps_exponent must be at most 9"),
            ({"steps": 10**8, "steps_exponent": 1, "sizes": (1, 2)},
             "steps must be at most 100,000,000 in a run, got 200,000,000 for 'hall' at size 2"),
            ({"sizes": 3}, "sizes must be a list"),
            ({"sizes": (0,)}, f"sizes {POSITIVE}0"),
            ({"sizes": [[3]]}, rf"sizes {SINGLE}\[\[3\]\]"),
            ({"agents": [["EUBRL"]]}, rf"agents {SINGLE}\[\['EUBRL'\]\]"),
            ({"environment": Unhashable()}, "environment must be hashable, .* got Unhashable"),
            ({"success": Unhashable()}, "success must be hashable, .* got Unhashable"),
            ({"sizes": ("3",)}, f"sizes {POSITIVE}'3'"),
            ({"agents": "EUBRL"}, "agents must be a list"),
            ({"agents": ("EUBLR",)}, "Did you mean 'EUBRL'"),
            ({"stochastic": "no"}, "stochastic must be True or False"),
            ({"success": 5}, "success must be a function"),
            ({"metric": "reward"}, "unknown metric 'reward'"),
            ({"metric": "step"}, "unknown metric 'step'.*Did you mean 'steps'"),
        ],
    )  # fmt: skip


def tuning():
    """What `tune` is asked for."""
    no_grid = "grid must name a setting"
    yield from each(
        "tune", tune, {"study": "loop", "agent": "EUBRL", "store": "results.sqlite"},
        [
            ({"study": "lop"}, "Did you mean 'loop'"),
            ({"agent": "EUBLR"}, "Did you mean 'EUBRL'"),
            ({"agent": "BEETLE", "study": "chain"}, "BEETLE has no grid: it plans for a minute"),
            ({"agent": "EUBRL-frequentist"}, "no grid: the analysis sets its η"),
            ({"study": "chain", "size": 6}, "size must be 5"),
            ({"seeds": 0}, f"seeds {POSITIVE}0"),
            *[({"grid": grid}, no_grid) for grid in ({}, [1])],
            ({"grid": {"bogus": [1]}}, "unknown setting 'bogus'"),
            ({"grid": {"eta": 1}}, "the grid of eta must be a list"),
            ({"grid": {"eta": []}}, "the grid of eta must hold at least one"),
            ({"grid": {"eta": [[1]]}}, rf"the grid of eta {SINGLE}\[\[1\]\]"),
            ({"grid": {"eta": [-1]}}, "eta must be"),
            ({"grid": {"alpha": [1.0, -1.0]}}, "alpha must be"),
        ],
    )  # fmt: skip
