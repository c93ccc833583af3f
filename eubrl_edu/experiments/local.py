"""Many runs on this machine: here and now, or in worker processes."""

import ctypes
import os
import platform
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker

import joblib
import numpy as np
from joblib.externals.loky.backend import reduction
from joblib.externals.loky.backend import resource_tracker as loky_tracker

from eubrl_edu.experiments.store import VERSION
from eubrl_edu.validation import require_positive_int, shown

# Workers may die, of a lack of memory for one; so often in a row, without a run in between, is
# no accident.
DEATHS_IN_A_ROW = 3
# Two parameters of glibc's mallopt: see `_keep_freed_memory`.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3


def run_here(function: Callable, jobs: Sequence[tuple]) -> Iterator[tuple[int, object]]:
    """Call ``function(*job)`` for each job, one after the other; yield (position, result)."""
    for position, job in enumerate(jobs):
        yield position, function(*job)


def require_jobs(n_jobs: int) -> None:
    """Raise ``ValueError`` unless so many processes can be meant."""
    if not isinstance(n_jobs, int | np.integer) or n_jobs != -1:
        require_positive_int("n_jobs, unless -1 for every core,", n_jobs)


def workers_for(n_jobs: int, n_runs: int) -> int:
    """How many processes to start: never more than there are runs, or cores for them."""
    cores = joblib.cpu_count()
    return max(1, min(cores if n_jobs == -1 else n_jobs, cores, n_runs))


def require_sendable(codes: Mapping[str, object]) -> None:
    """Raise ``ValueError`` where code of one's own cannot go to another process."""
    for what, code in codes.items():
        try:
            reduction.dumps(code)
        except Exception as error:
            raise ValueError(
                f"{what} must be made by code that can be sent to another process, unless n_jobs "
                f"is 1, got {shown(code)}: {error}; what it holds, such as a lock or an open file, "
                "it can make when it is called"
            ) from error


def run_in_processes(
    function: Callable, jobs: Sequence[tuple], n_workers: int
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
    n_workers : int
        How many processes, two or more.

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
            with _in_workers(function, missing.copy(), n_workers) as results:
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


@contextmanager
def _in_workers(
    function: Callable, jobs: dict[int, tuple], n_workers: int
) -> Iterator[Iterator[tuple[int, object]]]:
    """Give out jobs, and close the results in the end, also where Ctrl-C comes as they begin."""
    results = None
    # Each process has one core's worth of work: threads inside it would only compete.
    loky = joblib.parallel_config(
        "loky", inner_max_num_threads=1, initializer=_prepare_worker, initargs=(os.getpid(),)
    )
    try:
        with loky, _interruption_held():
            parallel = joblib.Parallel(n_jobs=n_workers, return_as="generator_unordered")
            results = parallel(
                joblib.delayed(_run_one)(VERSION, function, position, job)
                for position, job in jobs.items()
            )
        yield results
    finally:
        if results is not None:
            with _unheard():
                results.close()


@contextmanager
def _unheard() -> Iterator[None]:
    """Leave out joblib's word on what has not been fetched, and loky's stumbling over it."""
    hook = threading.excepthook

    def heard(args) -> None:
        if args.thread is None or args.thread.name != "ExecutorManagerThread":
            hook(args)

    threading.excepthook = heard
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            yield
    finally:
        threading.excepthook = hook


@contextmanager
def _interruption_held() -> Iterator[None]:
    """Hold Ctrl-C back while workers start: it must not come between a worker and what it gets.

    Workers inherit the mask, and so never hear what reaches all processes of a terminal. The mask
    alone is not enough here: another thread, such as one of OpenBLAS, may take the signal.
    """
    came: list[int] = []
    # Handlers are set, and called, in the main thread only.
    is_main = threading.current_thread() is threading.main_thread()
    if is_main:
        handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    if has_masks := hasattr(signal, "pthread_sigmask"):  # Windows has none
        # Their helpers would let it through again, if they started with the first worker.
        resource_tracker.ensure_running()
        loky_tracker.ensure_running()
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, handler)
        if has_masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number in came:
            signal.raise_signal(number)


def _run_one(version: str, function: Callable, position: int, job: tuple) -> tuple[int, object]:
    require_version(version)
    return position, function(*job)


def require_version(version: str) -> None:
    """Raise ``ValueError`` in a worker whose code is not that of the process that sends it work."""
    if version != VERSION:
        raise ValueError(
            f"a worker has eubrl_edu {VERSION}, but {version} runs here: install the same on both; "
            "where the sources were edited just now, start again"
        )


def _prepare_worker(parent: int) -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the one that asked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _keep_freed_memory()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _keep_freed_memory() -> None:
    """Have the C library keep what an array leaves for the next one.

    glibc gives a large array back to the system at once and then asks for the same again, which is
    8 to 18% of a run of PSRL in a sea of 50.
    """
    if platform.libc_ver()[0] == "glibc":
        library = ctypes.CDLL(None)
        library.mallopt(M_TRIM_THRESHOLD, 2**30)
        library.mallopt(M_MMAP_THRESHOLD, 2**25)


def _end_with(parent: int) -> None:
    """End this process when its parent is gone: a parent that is killed cannot say so."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
