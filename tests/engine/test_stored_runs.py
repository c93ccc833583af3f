"""Runs that were stored once, perhaps on another machine, come out the same today, to the bit."""

import sqlite3
from pathlib import Path

import pytest

from eubrl_edu.experiments import run_study

STORED = Path(__file__).parents[2] / "figures" / "data" / "runs.sqlite"
CELLS = [
    ("chain", "EUBRL", 5),
    ("chain", "VBRB", 5),
    ("chain", "BEB", 5),
    ("chain", "MBIE-EB", 5),
    ("chain", "Mean-MDP", 5),
    ("chain", "BOSS", 5),
    ("chain", "BEETLE", 5),
    ("loop", "EUBRL", 2),
    ("loop", "BEB", 2),
    ("loop-scaling", "EUBRL", 2),
    ("deepsea-deterministic", "EUBRL", 10),
    ("lazychain-deterministic", "EUBRL", 10),
    ("lazychain-deterministic", "EUBRL-tied", 10),
    ("lazychain-deterministic", "VBRB", 10),
    ("loop", "RMAX", 2),
    ("loop", "PSRL", 2),
    ("deepsea-deterministic", "PSRL", 10),
    ("deepsea-stochastic", "EUBRL+", 10),
    ("deepsea-stochastic", "RMAX", 10),
    ("lazychain-stochastic", "EUBRL", 10),
    ("lazychain-stochastic", "EUBRL-MI", 10),
    ("lazychain-stochastic", "RMAX", 10),
    ("lazychain-stochastic", "BEB", 10),
]


@pytest.mark.parametrize(("study", "agent", "size"), CELLS)
def test_a_stored_run_comes_out_the_same(study, agent, size):
    with sqlite3.connect(f"file:{STORED}?mode=ro", uri=True) as connection:
        stored = connection.execute(
            "SELECT seed, steps, episodes, total_return FROM runs "
            "WHERE study = ? AND agent = ? AND size = ? AND seed < 3",
            (study, agent, size),
        ).fetchall()
    frame = run_study(study, [agent], sizes=[size], seeds=3, progress=False)
    columns = frame[["seed", "steps", "episodes", "total_return"]]
    for row in columns.itertuples(index=False):
        # A run may be stored under several settings of its agent.
        assert tuple(row) in stored
