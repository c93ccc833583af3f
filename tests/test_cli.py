"""The command line: what it prints, what it writes, how it ends."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import eubrl_edu
from eubrl_edu.cli import main
from eubrl_edu.experiments import AGENT_NAMES, STUDIES, read_store, run_study
from tests.systems import posix_only


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
    name = "tune-deepsea-stochastic-RMAX-4"
    table = pd.read_csv(folder / f"{name}.csv")
    assert sorted(table.known_after) == [1, 3, 5, 10, 20] and (table.seeds == 2).all()
    assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    output = capsys.readouterr().out
    assert "best: known_after=" in output and str(folder / name) in output


def test_version(capsys):
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"eubrl_edu {eubrl_edu.__version__}\n"


def test_studies_lists_all_there_is(capsys):
    assert main(["studies"]) == 0
    words = capsys.readouterr().out.split()
    assert {*STUDIES, *AGENT_NAMES} <= set(words)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "lop"], "Did you mean 'loop'"),
        (["run", "deepsea"], "Did you mean 'deepsea-deterministic' or 'deepsea-stochastic'"),
        (["run", "loop", "--agents", "EUBLR"], "Did you mean 'EUBRL'"),
        (["run", "chain", "--sizes", "6"], "size must be 5 for chain, got 6"),
        (["run", "loop", "--seeds", "0"], "--seeds must be an integer of at least 1, got 0"),
        (
            ["run", "loop", "--jobs", "0"],
            "n_jobs, unless -1 for every core, must be an integer of at least 1, got 0",
        ),
        (["run", "loop", "--csv", "/absent/runs.csv"], "/absent/runs.csv"),
        (["tune", "loop", "nobody"], "unknown agent 'nobody'"),
        (["tune", "loop", "EUBRL", "--seeds", "0"], "--seeds must be"),
        (["lab", "absent.ipynb"], "absent.ipynb"),
    ],
)
def test_what_cannot_be_done_as_asked_ends_with_two(arguments, said, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert said in captured.err and captured.out == ""


def test_a_folder_for_nothing_is_not_left_behind(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["tune", "loop", "nobody", "--out", "new/folder"]) == 2
    assert "unknown agent 'nobody'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("word", ["a\ud800", "\udcff", "a\0b"])
@pytest.mark.parametrize(
    "arguments",
    [["run", "loop", "--csv"], ["tune", "loop", "RMAX", "--out"], ["reproduce", "--store"],
     ["slides", "--out"], ["course"], ["check"], ["progress"], ["present"], ["lab"]],
)  # fmt: skip
def test_words_that_no_file_can_have_as_its_name_are_refused(
    arguments, word, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    assert main([*arguments, word]) == 2
    captured = capsys.readouterr()
    assert "an argument must be text, without a null byte and in UTF-8" in captured.err
    assert repr(word) in captured.err and captured.out == ""
    assert not list(tmp_path.iterdir())


def test_a_damaged_store_ends_with_two_and_a_missing_folder_with_one(capsys, tmp_path):
    store = tmp_path / "results.sqlite"
    store.write_text("not results")
    assert main(["run", "loop", "--store", str(store)]) == 2
    assert str(store) in capsys.readouterr().err
    assert main(["run", "loop", "--store", str(tmp_path / "absent" / "x.sqlite")]) == 1
    assert "absent" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["run", "loop", "--csv", "/proc/runs.csv"], ["tune", "loop", "RMAX", "--out", "/proc/x"]],
)
def test_where_results_cannot_go_is_named_before_anything_runs(arguments, capsys, monkeypatch):
    monkeypatch.setattr("eubrl_edu.experiments.run.run_once", lambda *_: pytest.fail("it ran"))
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert repr(arguments[-1]) in captured.err and captured.out == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_named_after_the_table(capsys):
    """What has been computed is seen all the same."""
    run = ["run", "loop", "--agents", "RMAX", "--seeds", "2", "--jobs", "1"]
    assert main([*run, "--csv", "/dev/full"]) == 1
    captured = capsys.readouterr()
    assert "394.00" in captured.out
    assert "'/dev/full'" in captured.err and "No space left" in captured.err


FULL_STORE = """
import resource, sys
from eubrl_edu.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, 16_384))
run = ["run", "loop", "--agents", "RMAX", "--seeds", "500", "--jobs", "1"]
sys.exit(main([*run, "--store", sys.argv[1], "--csv", sys.argv[2]]))
"""


@posix_only
def test_where_the_disk_of_the_store_is_full_what_has_finished_is_in_the_table(tmp_path):
    store, table = tmp_path / "runs.sqlite", tmp_path / "runs.csv"
    ended = subprocess.run(
        [sys.executable, "-c", FULL_STORE, store, table],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 1 and str(store) in ended.stderr
    written = pd.read_csv(table)
    assert 10 < len(written) < 500 and set(read_store(store).seed) <= set(written.seed)


@pytest.mark.parametrize("arguments", [[], ["swim"], ["run"], ["run", "loop", "--sizes", "two"]])
def test_what_is_no_command_ends_with_two(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2 and "usage: eubrl-edu" in capsys.readouterr().err


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
