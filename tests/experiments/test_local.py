"""Worker processes: every job's result arrives, also when workers die."""

import os
import signal
from pathlib import Path

import pytest

from eubrl_edu.experiments.local import run_here, run_in_processes
from tests.systems import posix_only


def square(number):
    return number**2


def die_once(number, folder):
    """Kill the worker at 5, unless it happened before."""
    trace = Path(folder) / "died"
    if number == 5 and not trace.exists():
        trace.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number**2


def test_both_give_every_result_with_its_position():
    jobs = [(number,) for number in range(50)]
    expected = {number: number**2 for number in range(50)}
    assert dict(run_here(square, jobs)) == dict(run_in_processes(square, jobs, 2)) == expected


@posix_only
@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_the_jobs_of_a_dead_worker_run_again(tmp_path):
    jobs = [(number, str(tmp_path)) for number in range(12)]
    results = list(run_in_processes(die_once, jobs, 2))
    assert (tmp_path / "died").exists()
    assert sorted(results) == [(number, number**2) for number in range(12)]
