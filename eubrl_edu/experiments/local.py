"""Many runs on this machine: here and now, or in worker processes."""

import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing

import joblib

# Workers may die, of a lack of memory for one; so often in a row, without a run in between, is
# no accident.
DEATHS_IN_A_ROW = 3


def run_here(function: Callable, jobs: Sequence[tuple]) -> Iterator[tuple[int, object]]:
    """Call ``function(*job)`` for each job, one after the other; yield (position, result)."""
    for position, job in enumerate(jobs):
        yield position, function(*job)


def run_in_processes(
    function: Callable, jobs: Sequence[tuple], n_jobs: int
) -> Iterator[tuple[int, object]]:
    """Call ``function(*job)`` for each job in worker processes; yield results as they come.

    The jobs of a worker that dies run again in another. When the iterator is closed, or ends in
    an exception such as Ctrl-C, the workers are killed.

    Parameters
    ----------
    function : callable
        Importable by name.
    jobs : sequence of tuple
        Arguments.
    n_jobs : int
        How many processes; -1 stands for all cores.

    Yields
    ------
    (int, object)
        Position of the job, and its result.

    Raises
    ------
    RuntimeError
        If workers die again and again.
    """
    missing = dict(enumerate(jobs))
    deaths = 0
    while missing:
        try:
            # joblib sends short jobs in batches, which it makes longer until dispatching them
            # costs little.
            with closing(_in_workers(function, missing.copy(), n_jobs)) as results:
                for position, result in results:
                    deaths = 0
                    del missing[position]
                    yield position, result
        except BrokenProcessPool as error:
            deaths += 1
            if deaths == DEATHS_IN_A_ROW:
                raise RuntimeError(
                    f"worker processes died {deaths} times in a row with {len(missing)} runs to "
                    "go; is there enough memory for so many at once?"
                ) from error


def _in_workers(function: Callable, jobs: dict[int, tuple], n_jobs: int) -> Iterator:
    # Each process has one core's worth of work: threads inside it would only compete.
    with joblib.parallel_config("loky", inner_max_num_threads=1):
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
        return parallel(
            joblib.delayed(_run_one)(function, position, job) for position, job in jobs.items()
        )


def _run_one(function: Callable, position: int, job: tuple) -> tuple[int, object]:
    _prepare_worker()
    return position, function(*job)


@functools.cache
def _prepare_worker() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the one that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process when its parent is gone: a parent that is killed cannot say so."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
