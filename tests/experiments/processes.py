"""Real processes of the command line, and what their stores hold."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from eubrl_edu.experiments import run_study
from eubrl_edu.experiments.cells import study_cells
from eubrl_edu.experiments.store import Store
from tests.bad_inputs.ended import ENVIRONMENT

# Far more than can be done before the test stops it: minutes of work.
MANY = ["run", "loop", "--agents", "PSRL", "EUBRL", "--seeds", "20000"]


def start(*arguments):
    """Python in a process group of its own, as a terminal starts it."""
    # In the background of a shell Ctrl-C is ignored, also by the children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return subprocess.Popen(
        [sys.executable, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=ENVIRONMENT,
    )


def start_command(*arguments):
    """The command line, as `start`."""
    return start("-m", "eubrl_edu", *arguments)


def wait_until(true, what, seconds=240):
    """Wait for something to become true; the limit is mostly there to end a hopeless wait."""
    for _ in range(20 * seconds):
        if true():
            return
        time.sleep(0.05)
    pytest.fail(f"waited in vain until {what}")


def group_is_gone(process):
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return True
    return False


def dask(*arguments):
    """A scheduler or a worker of Dask."""
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments], stderr=subprocess.PIPE, text=True
    )


def read_until(process, words):
    """The line of the log that holds the words; the rest is read and dropped."""
    for line in process.stderr:
        if words in line:
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return line
    pytest.fail(f"{process.args} ended without {words!r}")


def stored(path):
    """For each agent the seeds that the store holds."""
    found = {}
    with Store(path) as store:
        for cell in study_cells("loop", ["PSRL", "EUBRL"], [2]):
            found[cell.agent] = store.rows("loop", cell.agent, 2, cell.key())
    return found


def n_stored(path):
    return sum(map(len, stored(path).values())) if os.path.exists(path) else 0


def assert_all_true(path):
    """What is stored is what a run in this process gives."""
    for agent, rows in stored(path).items():
        seeds = sorted(rows)[:3] + sorted(rows)[-3:]
        fresh = run_study("loop", [agent], [2], seeds, progress=False).set_index("seed")
        for seed in seeds:
            assert rows[seed]["total_return"] == fresh.total_return[seed]


def assert_goes_on(path):
    """A second call takes what is there, and runs the rest."""
    found = stored(path)
    seeds = range(max(found["PSRL"]) + 2)
    done = sum(len([s for s in rows if s in seeds]) for rows in found.values())
    resumed = run_study("loop", ["PSRL", "EUBRL"], [2], seeds, store=path, progress=False)
    assert len(resumed) == 2 * len(seeds) > done
    for agent, rows in found.items():
        chosen = resumed[resumed.agent == agent].set_index("seed")
        for seed in set(rows) & set(seeds):
            assert chosen.seconds[seed] == rows[seed]["seconds"]
