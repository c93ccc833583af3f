"""Studies: the same rows wherever and however they run; a store that outlives the process."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest

import eubrl_edu as eu
from eubrl_edu import engine
from eubrl_edu.experiments import run, run_study
from eubrl_edu.experiments.cells import run_once, study_cells
from eubrl_edu.experiments.run import StudyInterrupted
from eubrl_edu.experiments.store import Store
from tests.systems import posix_only

QUICK = {"agents": ["EUBRL", "RMAX"], "sizes": [2], "progress": False}


def but_seconds(frame):
    return frame.drop(columns="seconds")


def assert_same(one, other):
    """Bit for bit, but for the seconds."""
    pd.testing.assert_frame_equal(but_seconds(one), but_seconds(other), check_exact=True)


@pytest.fixture
def calls(monkeypatch):
    """The runs that really happen in this process."""
    made = []

    def counted(cell, seed):
        made.append((cell.agent, cell.size, seed))
        return run_once(cell, seed)

    monkeypatch.setattr(run, "run_once", counted)
    return made


@pytest.mark.parametrize(
    ("study", "agents", "size"),
    [
        ("chain", ["EUBRL", "RMAX", "MBIE-EB", "BEB", "VBRB", "Mean-MDP"], 5),
        ("loop-scaling", ["EUBRL", "RMAX"], 4),
        ("deepsea-stochastic", ["EUBRL+", "RMAX"], 4),
        ("lazychain-stochastic", ["EUBRL-MI", "EUBRL-tied"], 3),
    ],
)
def test_compiled_and_readable_runs_give_the_same_rows(study, agents, size, monkeypatch):
    arguments = {"agents": agents, "sizes": [size], "seeds": [3], "progress": False}
    compiled = []
    simulate = engine.simulate
    monkeypatch.setattr(engine, "simulate", lambda *a, **k: compiled.append(1) or simulate(*a, **k))
    fast = run_study(study, **arguments)
    assert len(compiled) == len(agents)
    monkeypatch.setattr(engine, "why_not", lambda agent, env: "a test asks for the readable one")
    slow = run_study(study, **arguments)
    assert len(compiled) == len(agents)
    assert_same(fast, slow)


def test_a_row_says_what_the_trajectory_holds():
    (row,) = run_study("loop", ["RMAX"], [3], [5], progress=False).to_dict("records")
    env = eu.make_env("loop", size=3)
    trajectory = eu.simulate(eu.make_agent("RMAX", env), env, steps=1000, seed=5)
    assert (row["study"], row["agent"], row["size"], row["seed"]) == ("loop", "RMAX", 3, 5)
    assert (row["steps"], row["episodes"]) == (1000, 1)
    assert row["total_return"] == row["return_1000"] == trajectory.rewards.sum()
    assert pd.isna(row["solved"]) and row["seconds"] > 0


@pytest.mark.parametrize("study", ["deepsea-stochastic", "loop", "chain"])
def test_a_tied_prior_in_a_world_that_jumps_is_an_error_before_anything_runs(study, monkeypatch):
    monkeypatch.setattr(run, "run_once", lambda *_: pytest.fail("nothing is to run"))
    with pytest.raises(ValueError, match="EUBRL-tied needs a world in which a step leads one"):
        run_study(study, ["EUBRL", "EUBRL-tied"], seeds=[0], progress=False)


def test_columns_types_and_order():
    frame = run_study("loop-scaling", ["RMAX", "EUBRL"], [4, 2], [9, 1], progress=False)
    assert tuple(frame.columns) == run.COLUMNS
    expected = [(a, n, s) for a in ("RMAX", "EUBRL") for n in (4, 2) for s in (9, 1)]
    assert list(zip(frame.agent, frame["size"], frame.seed, strict=True)) == expected
    assert frame.solved.dtype == "boolean" and frame.solved.all()
    assert frame.return_1000.isna().all()
    assert run_study("loop", seeds=[0], agents=["RMAX"], progress=False).solved.isna().all()


def test_repeated_names_and_seeds_run_once(calls):
    frame = run_study("loop", ["RMAX", "RMAX"], [2, 2], [0, 0, 1], progress=False)
    assert len(frame) == len(calls) == 2


def test_settings_replace_the_papers():
    def settings_of(size=10, **settings):
        return study_cells("lazychain-stochastic", ["EUBRL"], [size], settings)[0].settings

    assert settings_of().eta == 60 and settings_of(eta=2).eta == 2
    assert settings_of(eta=2, eta_per_size=True).eta == settings_of(eta=20).eta == 20
    assert settings_of(alpha=0.5).eta == 60 and settings_of(alpha=0.5).alpha == 0.5
    assert settings_of(plan_every="size", size=7).plan_every == 7
    weak = run_study("chain", ["EUBRL"], seeds=range(5), settings={"eta": 0.01}, progress=False)
    paper = run_study("chain", ["EUBRL"], seeds=range(5), progress=False)
    assert weak.total_return.mean() < paper.total_return.mean() - 100


def test_one_value_has_one_key():
    def key(**settings):
        return study_cells("loop", ["EUBRL"], [2], settings)[0].key()

    assert key(eta=1) == key(eta=1.0) == key(eta=np.float32(1)) == key(eta=np.int64(1))
    assert key(plan_every=np.int64(3)) == key(plan_every=3)
    assert key() == key(eta=0.5) != key(eta=0.25)
    other_rule = [
        study_cells(name, ["EUBRL"], [10])[0].key()
        for name in ("lazychain-stochastic", "lazychain-stochastic-near")
    ]
    assert other_rule[0] != other_rule[1]


def test_a_number_of_seeds_stands_for_so_many_from_zero():
    assert run_study("loop", seeds=3, **QUICK).seed.tolist() == [0, 1, 2] * 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"seeds": True}, "seeds must be an integer of at least 1, got True"),
        ({"seeds": 2.0}, "seeds must be a list, such as .2.0., got 2.0"),
        ({"seeds": 0}, "seeds must be an integer of at least 1, got 0"),
        ({"agents": "EUBRL"}, r"agents must be a list, such as \['EUBRL'\], got 'EUBRL'"),
        ({"sizes": 2}, r"sizes must be a list, such as \[2\], got 2"),
        ({"study": "deepsea"}, "Did you mean 'deepsea-deterministic' or 'deepsea-stochastic'"),
        ({"study": "lop"}, "Did you mean 'loop'"),
        ({"agents": ["EUBLR"]}, "Did you mean 'EUBRL'"),
        ({"agents": ["RMAX", "nobody at all"]}, "unknown agent 'nobody at all'"),
        ({"agents": "RMAX"}, "agents must be a list"),
        ({"agents": []}, "agents must hold at least one"),
        ({"study": "chain", "sizes": [6]}, "size must be 5 for chain, got 6"),
        ({"sizes": [2, 0]}, "must be an integer of at least"),
        ({"seeds": [0, -1]}, "seed must be an integer of at least 0, got -1"),
        (
            {"n_jobs": 0},
            "n_jobs, unless -1 for every core, must be an integer of at least 1, got 0",
        ),
        ({"settings": {"etta": 1.0}}, "Did you mean 'eta'"),
        ({"settings": {"eta": -1.0}}, "eta"),
        ({"settings": {"plan_every": 0}}, "plan_every"),
    ],
)
def test_what_cannot_run_is_said_before_anything_runs(arguments, said, calls, tmp_path):
    store = tmp_path / "results.sqlite"
    with pytest.raises(ValueError, match="^(?s:.*)" + said):
        run_study(**{"study": "loop", "store": store, "progress": False} | arguments)
    assert calls == [] and not store.exists()


def test_a_second_start_runs_only_what_is_missing(calls, tmp_path):
    store = tmp_path / "results.sqlite"
    first = run_study("loop", seeds=range(3), store=store, **QUICK)
    assert len(calls) == 6
    again = run_study("loop", seeds=range(3), store=store, **QUICK)
    pd.testing.assert_frame_equal(first, again, check_exact=True)
    assert len(calls) == 6
    more = run_study("loop", seeds=range(1, 5), store=store, **QUICK)
    assert sorted(calls[6:]) == [(a, 2, s) for a in ("EUBRL", "RMAX") for s in (3, 4)]
    assert_same(more, run_study("loop", seeds=range(1, 5), **QUICK))
    del calls[:]
    run_study("loop", seeds=range(3), store=store, settings={"eta": 0.25}, **QUICK)
    assert {agent for agent, *_ in calls} == {"EUBRL"}  # RMAX has no η: its runs are the same
    assert len(calls) == 3


def test_a_damaged_store_is_refused_before_anything_runs(calls, tmp_path):
    store = tmp_path / "results.sqlite"
    store.write_text("not results")
    with pytest.raises(ValueError, match="results.sqlite"):
        run_study("loop", seeds=range(3), store=store, **QUICK)
    assert calls == [] and store.read_text() == "not results"


def test_a_full_store_needs_no_writing(tmp_path, monkeypatch):
    store = tmp_path / "results.sqlite"
    run_study("loop", seeds=range(2), store=store, **QUICK)
    before = store.read_bytes()
    monkeypatch.setattr(Store, "_write", lambda *_: pytest.fail("nothing is to be written"))
    run_study("loop", seeds=range(2), store=store, **QUICK)
    assert store.read_bytes() == before


def test_processes_give_the_same_rows(tmp_path):
    store = tmp_path / "results.sqlite"
    here = run_study("loop", seeds=range(8), **QUICK)
    there = run_study("loop", seeds=range(8), n_jobs=2, store=store, **QUICK)
    assert_same(here, there)
    pd.testing.assert_frame_equal(there, run_study("loop", seeds=range(8), store=store, **QUICK))


def test_progress_names_the_study_at_work(monkeypatch):
    """A reproduction runs the cells of several studies at once."""
    shown = []

    class Bar(run.tqdm):
        def update(self, n=1):
            shown.append(self.desc)
            super().update(n)

    monkeypatch.setattr(run, "tqdm", Bar)
    studies = ("loop-scaling", "loop")
    cells = [cell for study in studies for cell in study_cells(study, ["RMAX"], [2])]
    run.run_cells([(cell, seed) for cell in cells for seed in range(2)])
    assert shown == ["loop-scaling: ", "loop: "] * 2


@pytest.mark.parametrize("with_store", [True, False])
def test_an_interruption_keeps_what_is_finished(with_store, monkeypatch, tmp_path):
    store = tmp_path / "results.sqlite" if with_store else None

    def impatient(cell, seed):
        if seed == 3:
            raise KeyboardInterrupt
        return run_once(cell, seed)

    monkeypatch.setattr(run, "run_once", impatient)
    with pytest.raises(StudyInterrupted) as caught:
        run_study("loop", seeds=range(10), store=store, **QUICK)
    assert isinstance(caught.value, KeyboardInterrupt)
    monkeypatch.setattr(run, "run_once", run_once)
    expected = run_study("loop", seeds=range(3), **QUICK)
    assert_same(caught.value.frame, expected)
    assert "6 of 20 runs are finished" in str(caught.value)
    if with_store:
        assert str(store) in str(caught.value)
        with Store(store) as kept:
            cell = study_cells("loop", ["EUBRL"], [2])[0]
            assert list(kept.rows("loop", "EUBRL", 2, cell.key())) == [0, 1, 2]


# ---- real processes ----------------------------------------------------------------------------

# Far more than can be done before the test stops it: minutes of work.
MANY = ["run", "loop", "--agents", "PSRL", "EUBRL", "--seeds", "20000"]


def start(*arguments):
    """The command line in a process group of its own, as a terminal starts it."""
    # In the background of a shell Ctrl-C is ignored, also by the children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return subprocess.Popen(
        [sys.executable, "-m", "eubrl_edu", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def wait_until(true, what):
    """Wait for something to become true; the limit is only there to end a hopeless wait."""
    for _ in range(4800):
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


def stored(path):
    """For each agent the seeds that the store holds."""
    found = {}
    with Store(path) as store:
        for cell in study_cells("loop", ["PSRL", "EUBRL"], [2]):
            found[cell.agent] = store.rows("loop", cell.agent, 2, cell.key())
    return found


def n_stored(path):
    return sum(map(len, stored(path).values())) if path.exists() else 0


def assert_all_true(path):
    """What is stored is what a run in this process gives."""
    for agent, rows in stored(path).items():
        seeds = sorted(rows)[:3] + sorted(rows)[-3:]
        fresh = run_study("loop", [agent], [2], seeds, progress=False).set_index("seed")
        for seed in seeds:
            assert rows[seed]["total_return"] == fresh.total_return[seed]


@pytest.mark.long
@posix_only
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_everything_and_says_how_to_go_on(jobs, tmp_path):
    path = tmp_path / "results.sqlite"
    process = start(*MANY, "--jobs", jobs, "--store", path)
    try:
        wait_until(lambda: n_stored(path) > 20, "the store holds some runs")
        # A terminal sends it to every process of the group.
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=30)
        wait_until(lambda: group_is_gone(process), "no worker is left")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 130
    assert "stopped" in errors and str(path) in errors and "goes on from what" in errors
    assert "Traceback" not in errors
    assert "PSRL" in output and "EUBRL" in output
    assert n_stored(path) > 20
    assert_all_true(path)


@pytest.mark.long
@posix_only
def test_ctrl_c_reaches_a_long_compiled_run():
    """One run of minutes in this process's own compiled code, and nothing to wait for."""
    process = start("run", "lazychain-deterministic", "--agents", "VBRB", "--sizes", 1000,
                    "--seeds", 1, "--jobs", 1)  # fmt: skip
    try:
        # The bar is drawn when the study has been checked and the run begins.
        shown = ""
        while "0/1" not in shown:
            shown += process.stderr.read(1)
            assert process.poll() is None, shown
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "--store" in errors


@pytest.mark.long
@posix_only
@pytest.mark.parametrize("jobs", [1, 2])
def test_kill_loses_nothing_that_was_stored(jobs, tmp_path):
    path = tmp_path / "results.sqlite"
    process = start(*MANY, "--jobs", jobs, "--store", path)
    try:
        wait_until(lambda: n_stored(path) > 20, "the store holds some runs")
        before = stored(path)
    finally:
        process.kill()
    process.communicate()
    wait_until(lambda: group_is_gone(process), "no worker is left")
    after = stored(path)
    for agent, rows in before.items():
        assert rows.items() <= after[agent].items()
    assert_all_true(path)
    seeds = range(max(after["PSRL"]) + 2)
    done = sum(len([s for s in rows if s in seeds]) for rows in after.values())
    arguments = (["PSRL", "EUBRL"], [2], seeds)
    resumed = run_study("loop", *arguments, store=path, progress=False)
    assert len(resumed) == 2 * len(seeds) > done
    for agent, rows in after.items():
        chosen = resumed[resumed.agent == agent].set_index("seed")
        for seed, row in rows.items():
            if seed in seeds:
                assert chosen.seconds[seed] == row["seconds"]


@pytest.mark.long
def test_two_processes_at_once_lose_nothing(tmp_path):
    path = tmp_path / "results.sqlite"
    arguments = ["run", "loop", "--sizes", 2, "--jobs", 1, "--store", path]
    processes = [
        start(*arguments, "--agents", "PSRL", "EUBRL", "--seeds", 60),
        start(*arguments, "--agents", "EUBRL", "PSRL", "--seeds", 80),
    ]
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    assert {agent: sorted(rows) for agent, rows in stored(path).items()} == {
        "PSRL": list(range(80)),
        "EUBRL": list(range(80)),
    }
    assert_all_true(path)
