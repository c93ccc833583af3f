"""Settings that every test shares."""

import gc
import os
import socket
import sys
import time
from itertools import cycle

import pytest
from hypothesis import settings

# Read when NumPy is loaded, which is later. The matrices of the tests are so small that a second
# thread for one of them costs far more than it saves.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Takes a second to load, and nothing here asks for what it checks; see `eubrl_edu.course.server`.
sys.modules.setdefault("rfc3987_syntax", None)

# No deadline: a test is never timed. `make test` draws the same few examples each time, so that a
# failure can be repeated; `make test-long` draws many new ones for every such test.
settings.register_profile("default", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("long", deadline=None, max_examples=200, print_blob=True)
settings.load_profile("default")

# In parallel these are given out first, the longest before all others, so that no process is left
# alone with them at the end.
LONGEST = (
    *("tests/browser/test_looks.py", "tests/experiments/test_dense_agents.py", "notebooks/"),
    *("tests/notebooks/", "tests/browser/", "tests/course/", "tests/labs/", "tests/theory/"),
    *("tests/experiments/", "tests/engine/", "tests/reproduction/", "tests/test_bad_inputs.py"),
)
# Two files that hold their statements against the same runs of millions of steps.
ON_LONG_RUNS = (
    "tests/theory/test_long_runs_with_confidence.py",
    "tests/theory/test_plans_with_confidence.py",
)
# Each test of a page is alone, in the browser and in a kernel.
PAGE_BY_PAGE = ("tests/browser/test_looks.py", "tests/notebooks/test_notebooks.py")
STARTED = pytest.StashKey[float]()


def scope(nodeid: str) -> str:
    """The tests that stay together in one process: a file's, for it may compute once for them all.

    The cells of a notebook are such a file. What every lab has to do stays together lab by lab.
    """
    file, _, test = nodeid.partition("::")
    if file == "tests/labs/test_every_lab.py":
        return test.rpartition("[")[2]
    if file in ON_LONG_RUNS:
        return ON_LONG_RUNS[0]
    return nodeid if file in PAGE_BY_PAGE else file


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: place_of(item.nodeid))


def place_of(nodeid: str) -> int:
    """When its turn is: the first that fits in `LONGEST`, all others last."""
    fits = (place for place, start in enumerate(LONGEST) if nodeid.startswith(start))
    return next(fits, len(LONGEST))


def pytest_collection_finish():
    # What is loaded by now stays: Python need not search through it for garbage, nor search after
    # every 700 new objects, of which a single picture makes many thousands.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give the tests out scope by scope, in the order in which they stand."""
    from xdist.scheduler import LoadScopeScheduling

    class InTheirOrder(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return scope(nodeid)

    config.option.loadscopereorder = False
    return InTheirOrder(config, log)


@pytest.fixture(autouse=True, scope="module")
def no_lab_outlives_its_file():
    """ipywidgets keeps every widget, and with it the lab's pictures and runs: two gigabytes by the
    end, through which Python would search for garbage.
    """
    yield
    if "ipywidgets" in sys.modules:
        sys.modules["ipywidgets"].Widget.close_all()


@pytest.fixture
def undrawn(monkeypatch):
    """Labs compute and speak, but their pictures are one dot: for tests of all else."""
    import numpy as np

    from eubrl_edu.labs.canvas import Canvas, encode_png

    dot = encode_png(np.zeros((1, 1, 3), np.uint8))
    monkeypatch.setattr(Canvas, "png", lambda *drawn: dot)


@pytest.fixture
def interrupt_once(monkeypatch):
    """A function: the next call of that attribute is an interrupt, those after it do their work."""

    def interrupt(owner, name):
        work = getattr(owner, name)

        def interrupted(*arguments, **keywords):
            monkeypatch.setattr(owner, name, work)
            raise KeyboardInterrupt

        monkeypatch.setattr(owner, name, interrupted)

    return interrupt


def pytest_addoption(parser):
    parser.addoption("--within", type=float, help="seconds after which no further test begins")


def pytest_configure(config):
    config.stash[STARTED] = time.monotonic()
    take_ports_that_no_other_process_takes()


def take_ports_that_no_other_process_takes():
    """A kernel is told its ports before it takes them, and ends if somebody has one by then.

    jupyter_client asks the system for free ports, as everybody does who starts at the same time.
    These lie below those that a system gives away, and each process begins at another place.
    """
    from jupyter_client.connect import LocalPortCache

    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    start = (os.getppid() * 1000 + worker * 500) % 12_000
    ports = cycle(20_000 + (start + number) % 12_000 for number in range(12_000))

    def find_available_port(self, ip):
        for port in ports:
            with socket.socket() as probe:
                try:
                    probe.bind((ip, port))
                except OSError:
                    continue
            return port

    LocalPortCache.find_available_port = find_available_port


def pytest_runtest_setup(item):
    within = item.config.getoption("--within")
    if within is not None and time.monotonic() - item.config.stash[STARTED] > within:
        pytest.skip("no time left; `make test` runs it")
