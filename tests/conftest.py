"""Settings that every test shares."""

import os
import time

import pytest
from hypothesis import settings

# Read when NumPy is loaded, which is later. The matrices of the tests are so small that a second
# thread for one of them costs far more than it saves.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# No deadline: a test is never timed. `make test` draws the same few examples each time, so that a
# failure can be repeated; `make test-long` draws many new ones for every such test.
settings.register_profile("default", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("long", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile("default")

TEST_BY_TEST = ("tests/browser/", "tests/labs/test_every_lab", "tests/notebooks/")
STARTED = pytest.StashKey[float]()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give the tests out file by file: many a file computes once for all of its tests.

    The cells of a notebook stay together too. What is slow and shares nothing goes test by test.
    """
    from xdist.scheduler import LoadScopeScheduling

    class FileByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::")[0]
            return nodeid if file.startswith(TEST_BY_TEST) else file

    return FileByFile(config, log)


def pytest_addoption(parser):
    parser.addoption("--within", type=float, help="seconds after which no further test begins")


def pytest_configure(config):
    config.stash[STARTED] = time.monotonic()


def pytest_runtest_setup(item):
    within = item.config.getoption("--within")
    if within is not None and time.monotonic() - item.config.stash[STARTED] > within:
        pytest.skip("no time left; `make test` runs it")
