"""Worker processes: every job's result arrives, also when workers die."""

import os
import signal
import threading
from pathlib import Path

import pytest

from eubrl_edu.experiments import local
from eubrl_edu.experiments.local import run_here, run_in_processes
from tests.systems import posix_only


def in_a_thread(run):
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


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


@posix_only
@pytest.mark.parametrize("start", [lambda run: run(), in_a_thread], ids=["main", "another"])
def test_workers_inherit_that_ctrl_c_is_held_whichever_thread_starts_them(start):
    def is_held():
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    found = []

    def run():
        with local._interruption_held():
            found.append(is_held())
        found.append(is_held())

    start(run)
    assert found == [True, False]
