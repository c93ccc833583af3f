"""What goes wrong in a study costs nothing that is finished, and is told with its place."""

import pickle
from pathlib import Path

import pandas as pd
import pytest

from eubrl_edu.experiments import Study, local, run_study
from eubrl_edu.experiments.failures import Failure, StudyFailed, StudyInterrupted
from eubrl_edu.experiments.local import workers_for
from tests.bad_inputs.faults import Peculiar
from tests.experiments.test_own import Hallway, Walker, hallway


def test_a_failure_travels_without_what_cannot():
    failure = Failure.of("mine", 5, 1, Peculiar("one", "other"))
    arrived = pickle.loads(pickle.dumps(failure))
    assert arrived.error is None and str(arrived) == str(failure) and "one" in str(arrived)
    assert repr(arrived) == f"Failure({failure})"


@pytest.mark.parametrize("kind", [StudyFailed, StudyInterrupted])
def test_a_stopped_study_travels_with_its_runs(kind):
    """As out of a worker of a pool of one's own, which would wait for it for ever."""
    frame = pd.DataFrame({"agent": ["EUBRL"], "seed": [0]})
    stopped = kind(frame, 3, Path("runs.sqlite"), "the disk is full. ")
    arrived = pickle.loads(pickle.dumps(stopped))
    assert type(arrived) is kind and str(arrived) == str(stopped)
    assert arrived.frame.equals(frame) and (arrived.total, arrived.store) == (3, stopped.store)


def test_own_code_is_stored_under_the_key_of_its_owner(tmp_path):
    store = tmp_path / "results.sqlite"

    def run_with(key, agents=None):
        return run_study(
            hallway(), agents or {"mine": Walker}, seeds=2, store=store, key=key, progress=False
        )

    first = run_with("first try")
    pd.testing.assert_frame_equal(run_with("first try"), first)
    assert (run_with("second try").seconds != first.seconds).any()
    named = run_with("first try", ["RMAX"])
    assert named.agent.tolist() == ["RMAX"] * 2


def test_no_more_workers_than_runs_or_cores(monkeypatch):
    monkeypatch.setattr(local.joblib, "cpu_count", lambda: 8)
    assert workers_for(30, 6) == 6
    assert workers_for(100_000, 5000) == 8
    assert workers_for(-1, 5000) == 8
    assert workers_for(3, 5000) == 3
    assert workers_for(-1, 0) == 1


def test_a_study_may_be_made_of_lists():
    study = Study(name="hall", environment=Hallway, steps=10, sizes=[3, 4], agents=["RMAX"])
    assert study.sizes == (3, 4) and hash(study)
    assert len(run_study(study, seeds=1, progress=False)) == 2
