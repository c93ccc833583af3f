"""Dask schedulers that are not there, are silent or have no worker: told, and no store is made."""

import importlib.util
import re
import socket
import sys
from unittest.mock import patch

import pytest

from eubrl_edu.experiments import cluster, run_study
from eubrl_edu.experiments.cluster import work_through
from tests.bad_inputs.row import Row
from tests.experiments.processes import dask, read_until

NOWHERE = "tcp://127.0.0.1:1"
with_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="Dask is not installed"
)


def run_on(address):
    run_study("loop", ["RMAX"], [2], 1, scheduler=address, progress=False, store="runs.sqlite")


def run_on_a_silent_one():
    """Where somebody takes the call and says nothing."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        run_on(f"tcp://127.0.0.1:{silent.getsockname()[1]}")


def run_on_a_lonely_one():
    """On a scheduler without workers."""
    lonely = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    try:
        run_on(read_until(lonely, "Scheduler at:").split()[-1])
    finally:
        lonely.kill()
        lonely.wait()


def rows():
    impatient = lambda: patch.object(cluster, "ANSWER_SECONDS", 1)  # noqa: E731
    for what, call, address in (
        (NOWHERE, lambda: run_on(NOWHERE), NOWHERE),
        ("a silent one", run_on_a_silent_one, r"tcp://127.0.0.1:\d+"),
    ):
        yield Row(
            f"run_study(scheduler={what})", call, f"no Dask scheduler answers at '{address}'",
            OSError, given=impatient, marks=(with_dask,),
        )  # fmt: skip
    for no in ("", "no address", "x", "http://a b", "tcp://127.0.0.1", "tcp://127.0.0.1:99999",
               "tcp://127.0.0.1:99999999", "localhost:0", "tcp://:8786", "a/b:1",
               "tcp://[::1", "tls://x:1", "tcp://256.1.1.1:80", "tcp://1.1.1:80",
               "tcp://[1:2]:80"):  # fmt: skip
        yield Row(
            f"run_study(scheduler={no!r})", lambda no=no: run_on(no),
            f"scheduler must be an address such as .* from 1 to 65535, got {re.escape(repr(no))}",
        )  # fmt: skip
    yield Row(
        "run_study(scheduler=one without workers)", run_on_a_lonely_one,
        "'tcp://127.0.0.1:.*' has had no worker for 2 s; start some, each with `dask worker tcp:",
        OSError, given=lambda: patch.multiple(cluster, WORKER_SECONDS=2, ANSWER_SECONDS=120),
        leaves=("runs.sqlite",), marks=(with_dask, pytest.mark.long),
    )  # fmt: skip
    yield Row(
        "run_study(scheduler=ADDRESS) without Dask", lambda: run_on(NOWHERE),
        r"a scheduler needs Dask, .*: pip install 'eubrl_edu\[dask\]'",
        given=lambda: patch.dict(sys.modules, {"distributed": None}),
    )  # fmt: skip
    yield Row(
        "a Dask worker of another version", lambda: work_through("0.0.9", int, [(0, ())]),
        r"but 0\.0\.9 runs here: install the same on both",
    )  # fmt: skip
