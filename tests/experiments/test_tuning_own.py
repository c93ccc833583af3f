"""A search in a world of one's own: kept under a key, and stopped on the way."""

import pickle

import gymnasium
import pandas as pd
import pytest

from eubrl_edu.experiments import Study, tuning
from eubrl_edu.experiments.failures import StudyFailed, StudyInterrupted
from eubrl_edu.experiments.tuning import tune

GRID = {"eta": [0.3, 1.0], "alpha": [1e-4, 1e-2]}


class Doors(gymnasium.Env):
    """Two doors, one of which pays; at a certain reset of all of them it does something else."""

    action_space = gymnasium.spaces.Discrete(2)
    observation_space = gymnasium.spaces.Discrete(1)
    resets = 0
    at = None, None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        Doors.resets += 1
        number, error = Doors.at
        if Doors.resets == number:
            raise error
        return 0, {}

    def step(self, action):
        return 0, float(action), True, False, {}


@pytest.fixture
def search(monkeypatch):
    """A function that searches in the doors, of which a reset may go wrong."""

    def search(at=None, error=None, **more):
        monkeypatch.setattr(Doors, "resets", 0)
        monkeypatch.setattr(Doors, "at", (at, error))
        doors = Study(name="doors", environment=Doors, steps=10)
        return tune(doors, "EUBRL", seeds=2, grid=GRID, progress=False, **more)

    return search


def test_what_is_finished_is_kept_under_a_key(search, tmp_path):
    found = search()
    with pytest.raises(ValueError, match="store needs a key for 'doors'"):
        search(store=tmp_path / "runs.sqlite")
    kept = {"store": tmp_path / "runs.sqlite", "key": "first"}
    pd.testing.assert_frame_equal(search(**kept).table, found.table)
    before = Doors.resets
    pd.testing.assert_frame_equal(search(**kept).table, found.table)
    assert Doors.resets < before / 3, "only worlds that are looked at, and no run"
    with pytest.raises(ValueError, match="key must be left out where no code is your own"):
        tune("loop", "EUBRL", seeds=1, grid=GRID, key="mine", progress=False)


@pytest.mark.parametrize(
    ("error", "stops"), [(KeyboardInterrupt(), StudyInterrupted), (OSError("stuck"), StudyFailed)]
)
def test_a_search_that_stops_says_what_it_has_tried(search, error, stops):
    whole = search().table
    resets = Doors.resets
    seen = set()
    for at in range(1, resets + 1, 7):
        try:
            search(at, error)
        except stops as stopped:
            done = len(stopped.tried)
            seen.add(done)
            scores = whole.drop_duplicates(["eta", "alpha"]).to_dict("records")[:done]
            tried = stopped.tried.to_dict("records")
            expected = [{name: row[name] for name in stopped.tried} for row in scores]
            assert str(tried) == str(expected)  # where NaN equals NaN
            words = f"For the values being tried, {len(stopped.frame)} of "
            assert words in str(stopped)
            assert stopped.__cause__ is (error if stops is StudyFailed else None)
            assert not isinstance(stopped, StudyFailed) or "stuck" in str(stopped)
            again = pickle.loads(pickle.dumps(stopped))
            assert str(again) == str(stopped) and len(again.tried) == done
    assert len(seen) > 1


def test_a_run_that_fails_names_the_values_that_it_had(search):
    search()
    with pytest.raises(StudyFailed, match="^With eta=.*, alpha=.*, a run failed: .*: oh") as caught:
        search(Doors.resets - 1, ValueError("oh"))
    eta, alpha = caught.value.cell.settings.eta, caught.value.cell.settings.alpha
    assert str(caught.value).startswith(f"With eta={eta:g}, alpha={alpha:g}, a run failed")


def test_what_stops_a_search_before_a_run_keeps_what_was_tried_as_well(search, monkeypatch):
    first, calls = tuning.run_cells, []

    def twice(*args, **kwargs):
        calls.append(args)
        if len(calls) == 2:
            raise OSError("the disk is gone")
        return first(*args, **kwargs)

    monkeypatch.setattr(tuning, "run_cells", twice)
    with pytest.raises(
        StudyFailed, match="^the disk is gone. For the values being tried, 0 of "
    ) as caught:
        search()
    assert len(caught.value.tried) == 2 and isinstance(caught.value.__cause__, OSError)
    monkeypatch.setattr(tuning, "run_cells", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):  # nothing has been tried
        search()


def test_a_run_that_fails_in_another_process_names_its_values_too():
    class Stuck(Doors):
        def reset(self, *, seed=None, options=None):
            raise ValueError("oh")

    doors = Study(name="doors", environment=Stuck, steps=10)
    words = r"^With eta=(0\.3|1), a run failed: .* seed 1000[01]: .*: oh"
    with pytest.raises(StudyFailed, match=words):
        tune(doors, "EUBRL", seeds=2, grid={"eta": [0.3]}, n_jobs=2, progress=False)


def test_a_study_without_sizes_has_none_to_search_at():
    with pytest.raises(ValueError, match=r"^size must be left out: 'doors' has none, got 5$"):
        tune(Study(name="doors", environment=Doors, steps=10), "EUBRL", size=5, grid=GRID)
