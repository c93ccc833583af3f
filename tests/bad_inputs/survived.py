"""What looks wrong and is taken on purpose, and faults that cost nothing."""

import os
import signal
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import eubrl_edu as eu
from eubrl_edu.experiments import local, run, run_study, store
from eubrl_edu.experiments.local import run_here, run_in_processes
from eubrl_edu.success import SuccessRule
from tests.bad_inputs.ended import Ended, command
from tests.bad_inputs.faults import FILE, LOOP, Breaks, n_rows, two_cores
from tests.bad_inputs.row import Row
from tests.experiments.test_own import Walker, hallway
from tests.systems import LONG_ON_POSIX


def rows():
    yield Row(
        "run_study(seeds=np.int64(2))", lambda: list(run_study(**LOOP, seeds=np.int64(2)).seed),
        r"^\[0, 1\]$", None,
    )  # fmt: skip
    for n_jobs in (1, 2):
        yield Row(
            f"run_study(n_jobs={n_jobs}, on_error='keep') where an agent raises",
            lambda n=n_jobs: what_is_kept(n), "mine: 0, 2; walker: 0, 1, 2, 3; failed: 1, 3", None,
            given=two_cores,
        )  # fmt: skip
    yield Row(
        "run_study(store=FILE) of other sources", lambda: run_study(**LOOP, seeds=2, store=FILE),
        "RMAX", None, given=edited_since, leaves=(FILE,), holds=lambda frame: n_rows(FILE) == 4,
    )  # fmt: skip
    for name in ("FrozenLake-v1", "CliffWalking-v1"):
        yield Row(
            f"check_env(make_env(gymnasium.make({name!r})))",
            lambda n=name: check_env(eu.make_env(gymnasium.make(n)), skip_render_check=True),
            "None", None,
            marks=(pytest.mark.filterwarnings("ignore:.*different from the unwrapped version"),),
        )  # fmt: skip
    chain = eu.make_env("chain").model
    zeros = np.zeros(5, dtype=object)
    yield Row(
        "evaluate_policy of integers in an array of objects",
        lambda: eu.evaluate_policy(chain, zeros, 0.5) - eu.evaluate_policy(chain, [0] * 5, 0.5),
        r"^\[0. 0. 0. 0. 0.\]$", None,
    )  # fmt: skip
    for line in (
        "EUBRL --values plan_every=1,episode",
        "EUBRL --values plan_every=1,episode --grid",
        "RMAX --values r_max=none,2",
        "RMAX --values r_max=none,2 --grid",
    ):
        yield Row(
            f"eubrl-edu tune loop {line}",
            lambda line=line: command(*f"tune loop {line} --seeds 1 --jobs 1 --out new".split()),
            "^0\n.*best: ", Ended,
            leaves=tuple(f"new/tune-loop-{line.split()[0]}-2-1.{kind}" for kind in ("csv", "png"))
            + ("new",),
        )  # fmt: skip
    yield Row("SuccessRule(states=[])", lambda: SuccessRule(states=[], right_actions=[]), "", None)
    yield from processes()


def what_is_kept(n_jobs):
    """The seeds of each agent that came to an end, and of the runs that failed."""
    agents = {"mine": Breaks, "walker": Walker}
    with pytest.warns(RuntimeWarning, match="2 of 8 runs failed .* agent 'mine', size 5, seed "):
        frame = run_study(
            hallway(), agents, seeds=4, n_jobs=n_jobs, progress=False, on_error="keep"
        )
    failures = frame.attrs["failures"]
    assert all("ZeroDivisionError" in failure.traceback for failure in failures)
    seeds = {agent: frame.seed[frame.agent == agent] for agent in agents}
    seeds["failed"] = sorted(failure.seed for failure in failures)
    return "; ".join(f"{who}: {', '.join(map(str, which))}" for who, which in seeds.items())


@contextmanager
def edited_since():
    """A store whose rows older sources computed, with other results."""
    with patch.object(store, "VERSION", "0.1.0+other sources"):
        run_study(**LOOP, seeds=2, store=FILE)
    yield


def processes():
    """More of them than there is work or cores, and one that dies."""
    for jobs, seeds, n_workers in ((30, 6, 6), (100_000, 20, 8)):
        yield Row(
            f"eubrl-edu run --jobs {jobs} --seeds {seeds} on 8 cores",
            lambda j=jobs, s=seeds: command(
                *f"run loop --agents RMAX --sizes 2 --seeds {s} --jobs {j}".split()
            ),
            "^0\n", Ended, given=lambda n=n_workers: on_8_cores(n),
        )  # fmt: skip
    yield Row(
        "eubrl-edu run --jobs 100000",
        lambda: command(*"run loop --agents RMAX --seeds 20 --jobs 100000".split()), "^0\n", Ended,
        marks=(pytest.mark.long,),
    )  # fmt: skip
    yield Row(
        "run_in_processes where a worker dies once",
        lambda: sorted(run_in_processes(die_once, [(number,) for number in range(12)], 2)),
        "", None, leaves=("died",),
        holds=lambda results: Path("died").exists()
        and results == [(number, number**2) for number in range(12)],
        marks=(*LONG_ON_POSIX, pytest.mark.filterwarnings("ignore:A worker stopped")),
    )  # fmt: skip


@contextmanager
def on_8_cores(n_workers):
    """So many workers are to start; none does, for their work is done here."""
    asked = []

    def instead(function, jobs, n_workers):
        asked.append(n_workers)
        return run_here(function, jobs)

    with (
        patch.object(local.joblib, "cpu_count", lambda: 8),
        patch.object(run, "run_in_processes", instead),
    ):
        yield
    assert asked == [n_workers]


def die_once(number):
    """Kill the worker at 5, unless it happened before."""
    trace = Path("died")
    if number == 5 and not trace.exists():
        trace.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number**2
