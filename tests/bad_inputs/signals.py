"""Signals to real processes: what is stored stays true, nobody is left, no traceback is shown."""

import os
import signal
import time

import pytest

from eubrl_edu.experiments.local import run_in_processes
from tests.bad_inputs.ended import Ended
from tests.bad_inputs.row import Row
from tests.experiments.processes import (
    MANY,
    assert_all_true,
    assert_goes_on,
    group_is_gone,
    n_stored,
    start,
    start_command,
    stored,
    wait_until,
)
from tests.systems import LONG_ON_POSIX

FILE = "results.sqlite"
STARTING = """
import signal, time
from eubrl_edu.experiments import local
signal.signal(signal.SIGINT, signal.default_int_handler)
local.joblib.cpu_count = lambda: 2
print("go", flush=True)
try:
    list(local.run_in_processes(time.sleep, [(1000,)] * 8, 2))
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def rows():
    yield from studies()
    yield from workers()


def studies():
    """The command line, stopped."""
    yield Row(
        "eubrl-edu run and Ctrl-C in a compiled run of minutes", ctrl_c_in_a_compiled_run,
        r"^130\n.*--store", Ended, marks=LONG_ON_POSIX,
    )  # fmt: skip
    for jobs in (1, 2):
        yield Row(
            f"eubrl-edu run --jobs {jobs} --store FILE and Ctrl-C",
            lambda jobs=jobs: stop_in_the_middle(signal.SIGINT, jobs),
            rf"^130\n(?!.*Traceback).*PSRL.*EUBRL.*stopped\. .*goes on from what '{FILE}'",
            Ended, leaves=(FILE,), holds=nothing_is_lost, marks=LONG_ON_POSIX,
        )  # fmt: skip
        yield Row(
            f"eubrl-edu run --jobs {jobs} --store FILE and kill -9",
            lambda jobs=jobs: stop_in_the_middle(signal.SIGKILL, jobs),
            r"^-9\n", Ended, leaves=(FILE,), holds=nothing_is_lost, marks=LONG_ON_POSIX,
        )  # fmt: skip


def workers():
    """Worker processes that die, or start as something goes wrong."""
    yield Row(
        "run_in_processes where workers always die",
        lambda: list(run_in_processes(die, [(number,) for number in range(4)], 2)),
        "died 3 times in a row with 4 runs to go", RuntimeError,
        marks=(*LONG_ON_POSIX, pytest.mark.filterwarnings("ignore:A worker stopped")),
    )  # fmt: skip
    marks = (
        *LONG_ON_POSIX,
        pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="asks /proc"),
    )
    for number, names, delays in (
        # A worker that was being told what to begin with ends in a traceback of loky's.
        (signal.SIGKILL, r"^-9\n(?!.*eubrl_edu/experiments/)", (0.0, 0.3, 1.0, 3.0)),
        (signal.SIGINT, "^0\nstopped\n$", (0.0, 0.3, 1.0)),
    ):
        for delay in delays:
            yield Row(
                f"{number.name} {delay} s after workers began to start",
                lambda n=number, d=delay: stop_as_workers_start(n, d), names, Ended, marks=marks,
            )  # fmt: skip


def die(number):
    os.kill(os.getpid(), signal.SIGKILL)


def nothing_is_lost(error):
    assert n_stored(FILE) > 20
    assert_all_true(FILE)
    assert_goes_on(FILE)
    return True


def stop_in_the_middle(number, jobs):
    """Ctrl-C, which a terminal sends to all of a group, or kill -9, which strikes one."""
    process = start_command(*MANY, "--jobs", jobs, "--store", FILE)
    try:
        wait_until(lambda: n_stored(FILE) > 20, "the store holds some runs")
        before = stored(FILE)
        (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
        output, errors = process.communicate(timeout=240)
        wait_until(lambda: group_is_gone(process), "no worker is left")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    after = stored(FILE)
    assert all(found.items() <= after[agent].items() for agent, found in before.items())
    raise Ended(process.returncode, output + errors)


def ctrl_c_in_a_compiled_run():
    """In this process's own compiled code, with nothing to wait for."""
    process = start_command("run", "lazychain-deterministic", "--agents", "VBRB", "--sizes", 3000,
                            "--seeds", 1, "--jobs", 1)  # fmt: skip
    try:
        # The bar is drawn when the study has been checked and the run begins.
        shown = ""
        while "0/1" not in shown:
            shown += process.stderr.read(1)
            assert process.poll() is None, shown
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    raise Ended(process.returncode, errors)


def processes_of(group):
    """The processes of a process group that are not yet gone, from /proc."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as file:
                state, _, its_group = file.read().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            found.append(int(entry))
    return found


def stop_as_workers_start(number, delay):
    """So many seconds after the first worker, a signal; soon after it all are to be gone."""
    process = start("-c", STARTING)
    process.stdout.readline()
    while len(processes_of(process.pid)) < 2:
        assert process.poll() is None
    time.sleep(delay)
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    output, errors = process.communicate(timeout=240)
    wait_until(lambda: not processes_of(process.pid), "no worker is left")
    raise Ended(process.returncode, output + errors)
