"""The command line: what it prints, what it writes, how it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import eubrl_edu
from eubrl_edu import cli
from eubrl_edu.cli import main
from eubrl_edu.experiments import AGENT_NAMES, STUDIES, run_study
from eubrl_edu.experiments.failures import StudyInterrupted
from eubrl_edu.names import require_path


def test_run_prints_the_table_and_writes_every_run(capsys, tmp_path):
    file = tmp_path / "runs.csv"
    arguments = ["run", "loop", "--agents", "RMAX", "EUBRL", "--seeds", "3", "--jobs", "1"]
    assert main([*arguments, "--csv", str(file)]) == 0
    frame = run_study("loop", ["RMAX", "EUBRL"], seeds=range(3), progress=False)
    written = pd.read_csv(file)
    assert (written.total_return == frame.total_return).all()
    assert list(written.columns) == list(frame.columns)
    output = capsys.readouterr().out
    assert output.startswith(STUDIES["loop"].title)
    for agent in ("RMAX", "EUBRL"):
        (line,) = [line.split() for line in output.splitlines() if line.split()[:1] == [agent]]
        assert f"{frame[frame.agent == agent].return_1000.mean():.2f}" in line


def test_run_keeps_its_runs_in_a_store(capsys, tmp_path):
    store = tmp_path / "results.sqlite"
    arguments = ["run", "loop", "--agents", "RMAX", "--jobs", "1", "--store", str(store)]
    assert main([*arguments, "--seeds", "2"]) == 0
    kept = store.read_bytes()
    assert main([*arguments, "--seeds", "2"]) == 0
    assert store.read_bytes() == kept
    assert main([*arguments, "--seeds", "3"]) == 0
    assert store.read_bytes() != kept


def test_tune_writes_table_and_picture(capsys, tmp_path):
    folder = tmp_path / "new" / "folder"
    arguments = ["tune", "deepsea-stochastic", "RMAX", "--seeds", "2", "--jobs", "1"]
    assert main([*arguments, "--size", "4", "--out", str(folder)]) == 0
    name = "tune-deepsea-stochastic-RMAX-4-1"
    table = pd.read_csv(folder / f"{name}.csv")
    assert sorted(table.known_after) == [1, 3, 5, 10, 20] and (table.seeds == 2).all()
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    output = capsys.readouterr().out
    assert "best: known_after=" in output and str(folder / name) in output
    again = [*arguments, "--size", "4", "--out", str(folder), "--values", "known_after=2"]
    assert main(again) == 0
    assert pd.read_csv(folder / f"{name}.csv").equals(table), "another search leaves it alone"
    assert 2 in pd.read_csv(folder / f"{name[:-1]}2.csv").known_after.tolist()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows deletes no folder that is in use")
def test_that_the_current_folder_has_been_deleted_is_said(capsys, tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert main(["studies"]) == 1
    assert "the current folder has been deleted or moved" in capsys.readouterr().err
    with pytest.raises(FileNotFoundError, match="the current folder has been deleted"):
        require_path("file", "runs.csv")
    assert require_path("file", tmp_path / "runs.csv") == tmp_path / "runs.csv"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no such signal to one process")
def test_ctrl_c_while_python_ends_is_silent():
    """When the result is out, Python may wait for its workers, and the user for Python."""
    code = (
        "import os, signal, sys, threading; from eubrl_edu.cli import console; "
        "threading._register_atexit(lambda: os.kill(os.getpid(), signal.SIGINT)); "
        "sys.argv = ['eubrl-edu', 'studies']; sys.exit(console())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == "" and "agents: " in done.stdout


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"eubrl_edu {eubrl_edu.__version__}\n"


def test_studies_lists_all_there_is(capsys):
    assert main(["studies"]) == 0
    words = capsys.readouterr().out.split()
    assert {*STUDIES, *AGENT_NAMES} <= set(words)


def test_every_example_in_the_help_is_one(capsys):
    """Only their words are tried: each must be understood."""
    from eubrl_edu.cli_parser import make_parser

    n_examples = 0
    for command in ([], ["run"], ["tune"]):
        with pytest.raises(SystemExit) as caught:
            main([*command, "--help"])
        assert caught.value.code == 0
        for line in capsys.readouterr().out.split("examples:")[1].splitlines():
            if line.strip().startswith("eubrl-edu "):
                make_parser().parse_args(line.split()[1:])
                n_examples += 1
    assert n_examples >= 8


def test_the_package_runs_as_a_module():
    outcome = subprocess.run(
        [sys.executable, "-m", "eubrl_edu", "run", "lop"], capture_output=True, text=True
    )
    assert outcome.returncode == 2
    assert outcome.stderr.startswith("eubrl-edu: unknown study 'lop'")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_marks_can_be_told_apart_in_every_encoding(tmp_path, encoding):
    progress = {"check_best_return": "2026-01-01"}
    (tmp_path / "progress.json").write_text(json.dumps(progress))
    (tmp_path / "00_start_here.ipynb").touch()
    done = subprocess.run(
        [sys.executable, "-m", "eubrl_edu", "progress", str(tmp_path)],
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        encoding=encoding,
    )
    assert done.returncode == 0 and "+oo    1 of 3" in done.stdout


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="such a shell is none of Windows'")
@pytest.mark.parametrize(("closed", "jobs"), [(">&-", 1), ("2>&-", 2), (">&- 2>&-", 2)])
def test_it_runs_where_nothing_can_be_printed(tmp_path, closed, jobs):
    command = f"{sys.executable} -m eubrl_edu run loop --agents RMAX --seeds 2 --csv runs.csv"
    command += f" --jobs {jobs}"
    done = subprocess.run(
        ["sh", "-c", f"{command} {closed}"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert len(pd.read_csv(tmp_path / "runs.csv")) == 2


def test_a_table_that_cannot_be_written_leaves_the_one_that_is_there(capsys, tmp_path, monkeypatch):
    file = tmp_path / "runs.csv"
    arguments = ["run", "loop", "--agents", "RMAX", "--jobs", "1", "--csv", str(file)]
    assert main([*arguments, "--seeds", "2"]) == 0
    before = file.read_bytes()

    def to_csv(frame, path, **options):
        Path(path).write_text("half a ro")
        raise OSError("No space left on device")

    monkeypatch.setattr(pd.DataFrame, "to_csv", to_csv)
    assert main([*arguments, "--seeds", "3"]) == 1
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]


def test_a_name_that_is_no_text_loses_no_table(tmp_path):
    """As of a file that an old system has packed: its bytes are halves of characters here."""
    file, found = tmp_path / "table.csv", pd.DataFrame({"file": ["M\udcfcller.ipynb", "a.ipynb"]})
    cli._write_and_print(file, lambda: found, lambda: "")
    assert pd.read_csv(file).file.tolist() == ["M?ller.ipynb", "a.ipynb"]


def test_a_search_that_is_stopped_does_not_take_a_line_of_it_for_the_whole(
    tmp_path, capsys, monkeypatch
):
    def stopped(*_, **__):
        raise StudyInterrupted(pd.DataFrame(), 450, None)

    monkeypatch.setattr("eubrl_edu.experiments.tuning.run_cells", stopped)
    assert main(["tune", "loop", "EUBRL", "--out", str(tmp_path / "new")]) == 130
    assert "stopped. For the values being tried, 0 of 450" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_too_long_a_name_is_refused_before_anything_runs(capsys):
    assert main(["tune", "loop", "EUBRL", "--out", 300 * "a"]) == 2
    assert "--out must be the path of a folder, of at most" in capsys.readouterr().err


def test_of_no_run_a_file_keeps_what_it_holds(tmp_path, capsys, monkeypatch):
    """As after Ctrl-C before the first run has ended."""
    file, nothing = tmp_path / "runs.csv", run_study("loop", ["RMAX"], seeds=1, progress=False)[:0]

    def stopped(*_, **__):
        raise StudyInterrupted(nothing, 2, None)

    monkeypatch.setattr("eubrl_edu.experiments.run_study", stopped)
    file.write_text("of yesterday")
    for each in (file, tmp_path / "new.csv"):
        assert main(["run", "loop", "--agents", "RMAX", "--csv", str(each)]) != 0
    assert file.read_text() == "of yesterday" and list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("text", "value"),
    [(".5", 0.5), ("1.", 1.0), ("+2", 2.0), ("1e3", 1000.0), ("TRUE", True), ("none", None)],
)
def test_a_number_may_be_written_as_people_write_it(text, value):
    assert cli._value(text) == value
    assert cli._value("variance") == "variance"
