"""The report in figures/ follows from the runs that are stored beside it, word for word."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from eubrl_edu.experiments import run, store
from eubrl_edu.reproduction import figures
from eubrl_edu.reproduction.reproduce import reproduce

FIGURES = Path(__file__).parents[2] / "figures"
WORDS = ("REPORT.md", "data/summary.csv", "data/claims.csv", "data/reward_priors.csv")


def test_the_report_is_that_of_the_stored_runs_to_the_byte(tmp_path, monkeypatch):
    shutil.copytree(FIGURES / "data", tmp_path / "data")
    with sqlite3.connect(f"file:{FIGURES}/data/runs.sqlite?mode=ro", uri=True) as connection:
        ((version,),) = connection.execute("SELECT DISTINCT version FROM runs")
    # By the sources as they were; `test_stored_runs` sees to it that these give the same runs.
    monkeypatch.setattr(store, "VERSION", version)
    monkeypatch.setattr(run, "run_once", lambda *_: pytest.fail("every run is stored"))
    monkeypatch.setattr(figures, "save", lambda *_: None)  # words only
    reproduce(tmp_path, n_jobs=1, progress=False)
    for name in WORDS:
        assert (tmp_path / name).read_text("utf-8") == (FIGURES / name).read_text("utf-8"), name
