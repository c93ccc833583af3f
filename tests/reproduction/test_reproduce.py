"""The reproduction from runs to report: every file, every claim, again without running anew."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import matplotlib.image
import pandas as pd
import pytest
from matplotlib.figure import Figure

from eubrl_edu import cli
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.reproduction import campaign, figures, reproduce
from eubrl_edu.reproduction.campaign import paper_batches, run_batches, sweep_batches
from eubrl_edu.reproduction.claims import CLAIMS
from eubrl_edu.reproduction.report_tables import write_table

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


def test_what_cannot_be_written_to_its_end_leaves_what_was_there(tmp_path, monkeypatch):
    kept = tmp_path / "chain.svg"
    kept.write_text("<svg/>")
    table = tmp_path / "table.csv"
    table.write_text("a\n1\n")

    def full(self, path, **options):
        path.write_bytes(b"a par")
        raise OSError("no space left on device")

    monkeypatch.setattr(Figure, "savefig", full)
    monkeypatch.setattr(pd.DataFrame, "to_csv", full)
    with pytest.raises(OSError, match="no space left"):
        figures.save(Figure(), tmp_path, "chain")
    with pytest.raises(OSError, match="no space left"):
        write_table(pd.DataFrame({"a": [2]}), table)
    assert sorted(tmp_path.iterdir()) == [kept, table]
    assert (kept.read_text(), table.read_text()) == ("<svg/>", "a\n1\n")


@pytest.mark.parametrize(("quick", "folder"), [(True, "quick"), (False, "figures")])
def test_a_quick_report_does_not_take_the_place_of_a_full_one(quick, folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reproduce, "run_batches", lambda *given: None)
    monkeypatch.setattr(reproduce, "write_results", lambda frame, out, quick: out / "REPORT.md")
    written = reproduce.reproduce(quick=quick, progress=False)
    assert written.resolve() == tmp_path / folder / "REPORT.md"
    assert cli.main(["reproduce", *["--quick"] * quick]) == 0
    assert [each.name for each in tmp_path.iterdir()] == [folder]


def test_run_batches_gives_a_table_for_each_part(tmp_path):
    frame = run_batches([campaign.Batch("loop", ("RMAX",), (2,), 3)], progress=False)
    assert list(frame.return_1000) == [394.0] * 3
    assert set(frame.variant) == {"paper"}
