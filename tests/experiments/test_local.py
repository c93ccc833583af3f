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


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def fail(number):
    raise ValueError(f"no {number}")


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


@posix_only
@pytest.mark.filterwarnings("ignore:A worker stopped")
def test_workers_that_always_die_end_the_attempt():
    with pytest.raises(RuntimeError, match="died 3 times in a row with 4 runs to go"):
        list(run_in_processes(die, [(number,) for number in range(4)], 2))


def test_an_error_of_a_job_arrives_as_it_is():
    with pytest.raises(ValueError, match="no 1"):
        list(run_in_processes(fail, [(1,)], 2))
