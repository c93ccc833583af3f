"""What goes wrong in a study costs nothing that is finished, and is told with its place."""

import os
import pickle
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from eubrl_edu import sources
from eubrl_edu.experiments import Study, local, run, run_study, tune
from eubrl_edu.experiments.failures import Failure, StudyFailed
from eubrl_edu.experiments.local import require_version, workers_for
from eubrl_edu.experiments.store import Store
from tests.experiments.test_own import Hallway, Walker, hallway
from tests.systems import posix_only


class Peculiar(Exception):
    """An exception that cannot travel between processes."""

    def __init__(self, one, other):
        super().__init__(one)


class Breaks(Walker):
    """Breaks after some steps, with the seeds that it does not like."""

    error = ZeroDivisionError

    def act(self, state, rng):
        action = super().act(state, rng)
        if rng.bit_generator.seed_seq.entropy in (1, 3):
            raise self.error()
        return action


class BreaksPeculiarly(Breaks):
    def error(self):
        return Peculiar("one", "other")


class Exits(Breaks):
    error = SystemExit


def test_what_cannot_be_made_is_named():
    def broken(*_):
        raise ZeroDivisionError("division by zero")

    own = replace(hallway(), name="mine", environment=broken)
    for study, agents, named in (
        (hallway(), {"mine": broken}, "the agent 'mine'"),
        (own, ["EUBRL"], "the world of 'mine'"),
        (replace(hallway(), success=broken), ["EUBRL"], "the rule of success of 'hallway'"),
    ):
        with pytest.raises(ZeroDivisionError) as caught:
            run_study(study, agents, seeds=2, progress=False)
        assert caught.value.__notes__ == [f"This is what came of making {named}."]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    ("kind", "said"),
    [(Breaks, "ZeroDivisionError"), (BreaksPeculiarly, "Peculiar"), (Exits, "SystemExit")],
)
def test_a_run_that_fails_is_named_and_the_others_are_kept(n_jobs, kind, said, monkeypatch):
    monkeypatch.setattr(local.joblib, "cpu_count", lambda: 2)
    with pytest.raises(StudyFailed) as caught:
        run_study(
            hallway(), {"mine": kind, "walker": Walker}, seeds=4, n_jobs=n_jobs, progress=False
        )
    assert "agent 'mine', size 5, seed 1: " in str(caught.value) and said in str(caught.value)
    if n_jobs == 1:
        assert type(caught.value.__cause__).__name__ == said
        assert caught.value.frame.seed.tolist() == [0, 0], "those before it"
        assert "2 of 8 runs are finished" in str(caught.value)
    else:
        assert "in act" in str(caught.value.__cause__)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_on_request_the_others_go_on(n_jobs, monkeypatch):
    monkeypatch.setattr(local.joblib, "cpu_count", lambda: 2)
    agents = {"mine": Breaks, "walker": Walker}
    with pytest.warns(RuntimeWarning, match="2 of 8 runs failed .* agent 'mine', size 5, seed "):
        frame = run_study(
            hallway(), agents, seeds=4, n_jobs=n_jobs, progress=False, on_error="keep"
        )
    assert frame[frame.agent == "mine"].seed.tolist() == [0, 2]
    assert frame[frame.agent == "walker"].seed.tolist() == [0, 1, 2, 3]
    failures = frame.attrs["failures"]
    assert sorted(failure.seed for failure in failures) == [1, 3]
    assert all("ZeroDivisionError" in failure.traceback for failure in failures)


def test_a_failure_travels_without_what_cannot():
    failure = Failure.of("mine", 5, 1, Peculiar("one", "other"))
    arrived = pickle.loads(pickle.dumps(failure))
    assert arrived.error is None and str(arrived) == str(failure) and "one" in str(arrived)


def test_a_store_that_fails_on_the_way_loses_no_finished_run(tmp_path, monkeypatch):
    def full(store, rows):
        if rows:
            raise OSError("no space left on device")

    monkeypatch.setattr(Store, "_write", full)
    monkeypatch.setattr(run, "compile_engine", lambda: None)
    store = tmp_path / "results.sqlite"
    with pytest.raises(StudyFailed, match="no space left") as caught:
        run_study("loop", ["RMAX"], [2], 3, store=store, progress=False)
    assert isinstance(caught.value.__cause__, OSError)
    assert 1 <= len(caught.value.frame) <= 3


def test_own_code_is_stored_under_the_key_of_its_owner(tmp_path):
    store = tmp_path / "results.sqlite"

    def run_with(key, agents=None):
        return run_study(
            hallway(), agents or {"mine": Walker}, seeds=2, store=store, key=key, progress=False
        )

    first = run_with("first try")
    pd.testing.assert_frame_equal(run_with("first try"), first)
    assert (run_with("second try").seconds != first.seconds).any()
    with pytest.raises(ValueError, match="key must be left out where no code is your own"):
        run_study("loop", ["RMAX"], [2], 1, key="mine", progress=False)
    named = run_with("first try", ["RMAX"])
    assert named.agent.tolist() == ["RMAX"] * 2
    for bad in ("", " ", 5):
        with pytest.raises(ValueError, match="key must be some text"):
            run_with(bad)


def test_edited_sources_never_get_old_rows(tmp_path, monkeypatch):
    """An editable install: another process after an edit finds nothing; this one refuses."""
    store = tmp_path / "results.sqlite"
    run_study("loop", ["RMAX"], [2], 1, store=store, progress=False)
    before = store.read_bytes()
    monkeypatch.setattr(sources, "AT_IMPORT", "0" * sources.DIGITS)
    with pytest.raises(ValueError, match="edited after this process had loaded them"):
        run_study("loop", ["RMAX"], [2], 1, store=store, progress=False)
    assert store.read_bytes() == before
    with pytest.raises(ValueError, match="install the same on both"):
        require_version("0.1.0+other")


def test_no_more_workers_than_runs_or_cores(monkeypatch):
    monkeypatch.setattr(local.joblib, "cpu_count", lambda: 8)
    assert workers_for(30, 6) == 6
    assert workers_for(100_000, 5000) == 8
    assert workers_for(-1, 5000) == 8
    assert workers_for(3, 5000) == 3
    assert workers_for(-1, 0) == 1


STARTING = """
import sys
from eubrl_edu.experiments import local
local.joblib.cpu_count = lambda: 2
print("go", flush=True)
list(local.run_in_processes(__import__("time").sleep, [(60,)] * 8, 2))
"""


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


@pytest.mark.long
@posix_only
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="asks /proc who is there")
@pytest.mark.parametrize("delay", [0.0, 0.3, 1.0, 3.0])
def test_workers_end_soon_after_a_kill_whenever_it_comes(delay):
    process = subprocess.Popen(
        [sys.executable, "-c", STARTING], stdout=subprocess.PIPE, start_new_session=True
    )
    process.stdout.readline()
    while len(processes_of(process.pid)) < 2:
        assert process.poll() is None
    time.sleep(delay)
    process.kill()
    process.communicate()
    for _ in range(600):
        if not processes_of(process.pid):
            return
        time.sleep(0.05)
    pytest.fail(f"left after half a minute: {processes_of(process.pid)}")


@pytest.mark.long
@posix_only
@pytest.mark.parametrize("delay", [0.0, 0.3, 1.0])
def test_ctrl_c_while_workers_start_brings_no_pages_of_tracebacks(delay):
    script = STARTING.replace("list(", "import signal\ntry:\n    list(") + (
        "except KeyboardInterrupt:\n    print('stopped', flush=True)\n"
    )
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal; signal.signal(2, signal.default_int_handler)" + script,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    process.stdout.readline()
    while len(processes_of(process.pid)) < 2:
        assert process.poll() is None
    time.sleep(delay)
    os.killpg(process.pid, 2)
    output, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors, errors
    assert output == "stopped\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"agents": [["EUBRL"]]}, r"agents must be a list of single values, got \[\['EUBRL'\]\]"),
        ({"agents": [5]}, "agents of your own must be a mapping"),
        ({"seeds": [2**63], "store": "results.sqlite"}, f"seed must be at most {2**63 - 1:,}"),
        ({"store": "results\0.sqlite"}, "store must be the path of a file, without a null byte"),
        ({"seeds": np.int64(0)}, "seeds must be an integer of at least 1"),
        ({"on_error": "ignore"}, "unknown on_error 'ignore'"),
        ({"n_jobs": 1.5}, "n_jobs, unless -1 for every core, must be an integer"),
    ],
)
def test_bad_arguments_are_told_before_anything_runs(arguments, said, monkeypatch, tmp_path):
    monkeypatch.setattr(run, "run_once", lambda *_: pytest.fail("nothing is to run"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=said):
        run_study(**{"study": "loop", "agents": ["RMAX"], "progress": False} | arguments)
    assert os.listdir(tmp_path) == []


def test_a_number_of_seeds_may_be_numpys():
    assert run_study("loop", ["RMAX"], [2], np.int64(2), progress=False).seed.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("name", "", "name must be some text"),
        ("name", "  ", "name must be some text"),
        ("name", 5, "name must be some text"),
        ("environment", 5, "environment must be a name, or a class"),
        ("environment", None, "environment must be a name, or a class"),
        ("steps", 0, "steps must be an integer of at least 1, got 0"),
        ("steps", 10**9, "steps must be at most 100,000,000"),
        ("steps_exponent", 10**9, "steps_exponent must be at most 9"),
        ("steps", 1.5, "steps must be an integer"),
        ("steps", True, "steps must be an integer"),
        ("steps_exponent", -1, "steps_exponent must be an integer of at least 0"),
        ("title", None, "title must be text"),
        ("sizes", 3, "sizes must be a list"),
        ("sizes", (0,), "sizes must be an integer of at least 1, got 0"),
        ("sizes", ("3",), "sizes must be an integer"),
        ("agents", "EUBRL", "agents must be a list"),
        ("agents", ("EUBLR",), "Did you mean 'EUBRL'"),
        ("n_seeds", 0, "n_seeds must be an integer of at least 1"),
        ("stochastic", "no", "stochastic must be True or False"),
        ("success", 5, "success must be a function"),
        ("metric", "reward", "unknown metric 'reward'"),
    ],
)
def test_a_study_checks_all_its_fields(field, value, said):
    with pytest.raises(ValueError, match=said):
        Study(**{"name": "hall", "environment": Hallway, "steps": 10} | {field: value})


def test_a_study_may_be_made_of_lists():
    study = Study(name="hall", environment=Hallway, steps=10, sizes=[3, 4], agents=["RMAX"])
    assert study.sizes == (3, 4) and hash(study)
    assert len(run_study(study, seeds=1, progress=False)) == 2


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        ({"bogus": [1]}, "unknown setting 'bogus'"),
        ({}, "grid must name a setting"),
        ([1], "grid must name a setting"),
        ({"eta": 1}, "the grid of eta must be a list"),
        ({"eta": [[1]]}, "the grid of eta must be a list of single values"),
        ({"eta": [-1]}, "eta"),
    ],
)
def test_a_grid_that_makes_no_sense_is_told(grid, said):
    with pytest.raises(ValueError, match=said):
        tune("loop", "EUBRL", grid=grid, progress=False)
