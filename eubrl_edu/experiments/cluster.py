"""Many runs on a Dask cluster, for who outgrows one machine."""

import asyncio
import ipaddress
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from eubrl_edu.experiments.interruptible import interruptible
from eubrl_edu.experiments.local import require_version
from eubrl_edu.experiments.store import VERSION
from eubrl_edu.validation import raised, shown

# A cluster within this process has no port.
ADDRESS = re.compile(
    r"inproc://\S+|((tcp|ws|ucx)://)?(?P<host>\[[^\s\]]+\]|[^\s/:\[\]]+):(?P<port>[0-9]{1,5})"
)
NUMBERED = re.compile(r"\[.*\]|[0-9.]+")
# Twice this may pass before it is clear that nobody answers.
ANSWER_SECONDS = 7
# So long the scheduler may be without a worker.
WORKER_SECONDS = 20
# Jobs travel in parcels, so that short ones cost little to send; a worker hands a parcel back
# after about a second, with what it did not come to.
PARCEL = 100
PARCEL_SECONDS = 1.0
PARCELS_PER_THREAD = 2


def require_address(scheduler) -> None:
    """Raise ``ValueError`` unless a scheduler can be meant: a host and its port, or inproc."""
    found = isinstance(scheduler, str) and ADDRESS.fullmatch(scheduler)
    if not found or (found["port"] and not _is_there(found["host"], int(found["port"]))):
        raise ValueError(
            "scheduler must be an address such as 'tcp://192.0.2.1:8786', with a port from 1 to "
            f"65535, got {shown(scheduler)}"
        )


def _is_there(host: str, port: int) -> bool:
    """Whether there can be such a host, a name or the numbers of an address, and such a port."""
    if NUMBERED.fullmatch(host):
        try:
            ipaddress.ip_address(host.strip("[]"))
        except ValueError:
            return False
    return 0 < port < 2**16


@contextmanager
def connected(address: str) -> Iterator:
    """A client of a Dask scheduler, for as long as the block lasts.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://192.0.2.1:8786``.

    Yields
    ------
    distributed.Client

    Raises
    ------
    ValueError
        If Dask is not installed here.
    OSError
        If the scheduler does not answer.
    """
    client = _connect(address)
    try:
        yield client
    finally:
        client.close(timeout=ANSWER_SECONDS)


def run_on_cluster(
    function: Callable, jobs: Sequence[tuple], client
) -> Iterator[tuple[int, object]]:
    """Call ``function(*job)`` for each job on the workers of a Dask scheduler.

    The jobs of a worker that dies run again on another.

    Parameters
    ----------
    function : callable
        Importable by name, on the workers too.
    jobs : sequence of tuple
        Arguments.
    client : distributed.Client
        Of the scheduler, see `connected`.

    Yields
    ------
    (int, object)
        Position of the job, and its result.

    Raises
    ------
    ValueError
        If the workers have another version of this package.
    OSError
        If the scheduler is lost on the way, or has no worker for `WORKER_SECONDS`.
    """
    from distributed import CancelledError, KilledWorker

    address = client.scheduler.address
    waiting = list(reversed(list(enumerate(jobs))))
    futures = set()
    try:
        while waiting or futures:
            slots = PARCELS_PER_THREAD * max(1, sum(client.nthreads().values()))
            while waiting and len(futures) < slots:
                size = min(PARCEL, 1 + len(waiting) // slots)
                parcel = [waiting.pop() for _ in range(min(size, len(waiting)))]
                future = client.submit(work_through, VERSION, function, parcel, pure=False)
                futures.add(future)
            future = _first_done(client, futures, address)
            futures.discard(future)
            results, left = future.result()
            waiting += reversed(left)
            yield from results
    except CancelledError as error:
        raise OSError(f"the Dask scheduler at {address!r} is lost") from error
    except KilledWorker as error:
        raise OSError(
            f"workers of the Dask scheduler at {address!r} keep dying: {error}"
        ) from error
    finally:
        client.cancel(list(futures), force=True)


def _connect(address: str):
    try:
        from distributed import Client
    except ImportError as error:
        raise ValueError(
            "a scheduler needs Dask, which is not installed: pip install 'eubrl_edu[dask]'"
        ) from error
    try:
        # Client itself waits for ever where someone takes the call but is silent.
        interruptible(asyncio.run, _greet(address), patience=ANSWER_SECONDS)
        return Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except Exception as error:
        # Who answers without being a scheduler can provoke any error.
        raise OSError(
            f"no Dask scheduler answers at {address!r} within {ANSWER_SECONDS} s ({raised(error)})"
        ) from error


async def _greet(address: str) -> None:
    """Wait until the scheduler has said who it is."""
    from distributed import rpc

    async with rpc(address, timeout=ANSWER_SECONDS) as scheduler:
        identity = await scheduler.identity()
    if identity["type"] != "Scheduler":
        raise ValueError(f"a {identity['type']} is there")


def _first_done(client, futures: set, address: str):
    """Wait for one of the futures, as long as there is somebody to work on them."""
    from distributed import wait

    alone_until = time.monotonic() + WORKER_SECONDS
    while True:
        try:
            with client.as_current():
                return wait(list(futures), timeout=1, return_when="FIRST_COMPLETED").done.pop()
        except TimeoutError:
            if client.nthreads():
                alone_until = time.monotonic() + WORKER_SECONDS
        if time.monotonic() > alone_until:
            raise OSError(
                f"the Dask scheduler at {address!r} has had no worker for {WORKER_SECONDS} s; "
                f"start some, each with `dask worker {address}`"
            )


def work_through(version: str, function: Callable, parcel: list) -> tuple[list, list]:
    """Do the jobs of a parcel, on a worker, until about `PARCEL_SECONDS` have passed.

    Parameters
    ----------
    version : str
        The version of this package that the results are to be of.
    function : callable
        What to call.
    parcel : list of (int, tuple)
        Positions and arguments.

    Returns
    -------
    results : list of (int, object)
        Positions and results of the jobs that were done: one at least.
    left : list of (int, tuple)
        The rest of the parcel.
    """
    require_version(version)
    started = time.monotonic()
    results = []
    for done, (position, job) in enumerate(parcel, start=1):
        results.append((position, function(*job)))
        if time.monotonic() - started > PARCEL_SECONDS:
            return results, parcel[done:]
    return results, []
