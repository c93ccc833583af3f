"""The reproduction from runs to report: every file, every claim, again without running anew."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import matplotlib.image
import pandas as pd
import pytest

from eubrl_edu import cli
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.reproduction import campaign, reproduce
from eubrl_edu.reproduction.campaign import paper_batches, run_batches, sweep_batches
from eubrl_edu.reproduction.claims import CLAIMS

FIGURES = (
    *("chain", "loop", "loop-scaling", "deepsea", "lazychain"),
    *("psrl-sampling", "rmax-known-after", "reward-priors"),
)
DATA = ("summary.csv", "claims.csv", "reward_priors.csv")


@pytest.fixture
def tiny(monkeypatch):
    """Two seeds, and no agent that plans for seconds."""
    monkeypatch.setattr(campaign, "QUICK_SEEDS", 2)
    monkeypatch.setattr(campaign, "QUICK_SIZES", {"loop-scaling": (2, 4)})

    def without_slow(batches):
        slow = {"BOSS", "BEETLE", "BEETLE-tied"}
        kept = []
        for batch in batches:
            agents = tuple(a for a in batch.agents if a not in slow)
            # Drawing at every step of the sea takes seconds.
            if agents and batch.variant != "plan_every=1":
                kept.append(replace(batch, agents=agents))
        return kept

    monkeypatch.setattr(reproduce, "paper_batches", lambda quick: without_slow(paper_batches(True)))
    monkeypatch.setattr(reproduce, "sweep_batches", lambda quick: without_slow(sweep_batches(True)))


def check_results(out):
    report = (out / "REPORT.md").read_text()
    for claim in CLAIMS:
        assert report.count(claim.name) >= 2  # in the list of verdicts, and with its parts
        assert claim.rule in report
    for study in STUDIES.values():
        assert study.title in report
    for shown in re.findall(r"!\[[^\]]*\]\(([^)]*)\)", report):
        assert (out / shown).is_file()
    for name in FIGURES:
        assert f"({name}.png)" in report
        picture = matplotlib.image.imread(out / f"{name}.png")
        assert picture[..., :3].std() > 0.01
        assert ElementTree.parse(out / f"{name}.svg").getroot().tag.endswith("svg")
    for name in DATA:
        assert len(pd.read_csv(out / "data" / name)) > 0
    return report


@pytest.mark.long
def test_tiny_reproduction_and_its_rerun(tiny, tmp_path, monkeypatch):
    out = tmp_path / "figures"
    path = reproduce.reproduce(out, quick=True, n_jobs=1, progress=False)
    assert path == out / "REPORT.md"
    report = check_results(out)
    assert "quick run" in report

    before = {file: file.read_bytes() for file in out.iterdir() if file.is_file()}
    before |= {file: file.read_bytes() for file in (out / "data").glob("*.csv")}

    def runs_nothing(*arguments):
        raise AssertionError("everything was stored")

    monkeypatch.setattr("eubrl_edu.experiments.run.run_once", runs_nothing)
    reproduce.reproduce(out, quick=True, n_jobs=1, progress=False)
    assert {file: file.read_bytes() for file in before} == before


def all_but_times(out):
    """Every byte of the results, without the seconds that runs took."""
    pictures = [*out.glob("*.png"), *out.glob("*.svg")]
    found = {path.name: path.read_bytes() for path in pictures}
    found["report"] = re.sub(r"[\d.,]+ minutes by the clock", "", (out / "REPORT.md").read_text())
    for name in DATA:
        table = pd.read_csv(out / "data" / name, dtype=str).drop(columns="seconds", errors="ignore")
        found[name] = table.to_csv()
    return found


@pytest.mark.long
def test_two_runs_give_the_same_to_the_byte_but_for_times(tmp_path):
    """In one process and in three, so that runs end in another order, on a machine with a load."""
    one, other = tmp_path / "one", tmp_path / "other"
    reproduce.reproduce(one, quick=True, n_jobs=1, progress=False)
    reproduce.reproduce(other, quick=True, n_jobs=3, progress=False)
    assert all_but_times(one) == all_but_times(other)


@pytest.mark.long
def test_quick_from_the_command_line(tmp_path, capsys):
    out = tmp_path / "figures"
    assert cli.main(["reproduce", "--quick", "--out", str(out), "--jobs", "2"]) == 0
    check_results(out)
    assert str(out / "REPORT.md") in capsys.readouterr().out


def test_run_batches_gives_a_table_for_each_part(tmp_path):
    frame = run_batches([campaign.Batch("loop", ("RMAX",), (2,), 3)], progress=False)
    assert list(frame.return_1000) == [394.0] * 3
    assert set(frame.variant) == {"paper"}
