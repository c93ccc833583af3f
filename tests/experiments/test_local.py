"""Worker processes: every job's result arrives, also when workers die."""

import signal
import threading

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


def test_both_give_every_result_with_its_position():
    jobs = [(number,) for number in range(50)]
    expected = {number: number**2 for number in range(50)}
    assert dict(run_here(square, jobs)) == dict(run_in_processes(square, jobs, 2)) == expected


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
