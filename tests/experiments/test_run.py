"""Studies: the same rows wherever and however they run; a store that outlives the process."""

import numpy as np
import pandas as pd
import pytest

import eubrl_edu as eu
from eubrl_edu import engine
from eubrl_edu.experiments import run, run_study
from eubrl_edu.experiments.cells import run_once, study_cells
from eubrl_edu.experiments.store import Store
from tests.experiments.processes import assert_all_true, start_command, stored

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


@pytest.mark.long
def test_two_processes_at_once_lose_nothing(tmp_path):
    path = tmp_path / "results.sqlite"
    arguments = ["run", "loop", "--sizes", 2, "--jobs", 1, "--store", path]
    processes = [
        start_command(*arguments, "--agents", "PSRL", "EUBRL", "--seeds", 60),
        start_command(*arguments, "--agents", "EUBRL", "PSRL", "--seeds", 80),
    ]
    for process in processes:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    assert {agent: sorted(rows) for agent, rows in stored(path).items()} == {
        "PSRL": list(range(80)),
        "EUBRL": list(range(80)),
    }
    assert_all_true(path)
