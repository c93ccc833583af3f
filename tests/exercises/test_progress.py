"""What has been solved is noted from a notebook, belongs to the learner, and is never an error."""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from eubrl_edu import exercises
from eubrl_edu.cli import main
from eubrl_edu.course import material
from eubrl_edu.course.material import find_notebooks
from eubrl_edu.exercises import progress

SOLVED = "from eubrl_edu import exercises\n\nanswer = 400\nexercises.check_best_return(answer)"


def run(folder, *sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    page = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(page, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return page


def test_a_passed_exercise_is_noted_where_the_notebook_is(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    page = run(
        tmp_path,
        SOLVED.replace("400", "..."),
        "import os; assert os.listdir() == ['elsewhere']",  # an untouched page leaves nothing
        SOLVED,
        f"os.chdir({str(elsewhere)!r})",
        "exercises.check_runs_needed(400)",
        "passed = exercises.check_years_of_dithering(34.8)",
        "exercises.check_runs_needed(1600)",
        "noted = exercises.progress.read_progress('..'); list(noted)",
        "os.remove('../progress.json'); os.mkdir('../progress.json')",  # which nothing can write
        "exercises.check_best_return(400)",
    )
    *_, noted, _, unnoted = page.cells
    assert noted.outputs[0].data["text/plain"] == "['check_best_return', 'check_runs_needed']"
    (output,) = unnoted.outputs
    assert output.data["text/plain"].startswith("✓")
    assert not list(elsewhere.iterdir())


def test_a_script_leaves_nothing_behind(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert exercises.check_best_return(400).passed
    assert not list(tmp_path.iterdir())


def test_a_file_of_another_kind_is_left_alone(tmp_path, capsys):
    for text in ('{"song": 3}', "[1]", "", "3", "[" * 100_000):
        (tmp_path / progress.FILE).write_text(text)
        progress.note(tmp_path, "check_best_return")
        assert main(["progress", str(tmp_path), "--reset"]) == 2
        assert "no record of solved exercises" in capsys.readouterr().err
        assert (tmp_path / progress.FILE).read_text() == text


def test_a_full_disk_takes_nothing_away(tmp_path, monkeypatch):
    progress.note(tmp_path, "check_best_return")
    noted = progress.read_progress(tmp_path)

    def until_it_is_full(path, text, **_):
        path.write_bytes(text[:5].encode())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", until_it_is_full)
    progress.note(tmp_path, "check_guided_cup")
    assert progress.read_progress(tmp_path) == noted
    assert [path.name for path in tmp_path.iterdir()] == [progress.FILE]


def test_shown_per_notebook_and_reset(tmp_path, capsys):
    progress.note(tmp_path, "check_best_return")
    progress.note(tmp_path, "check_visits_to_balance")
    assert main(["progress", str(tmp_path)]) == 0
    lines = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()[1:]}
    assert sorted(lines["00_start_here"][0]) == sorted("✓○○")
    assert lines["00_start_here"][1:] == ["1", "of", "3"]
    assert sorted(lines["01_beliefs"][0]) == sorted("✓○○○")
    assert main(["progress", str(tmp_path), "--reset"]) == 0
    assert "noted as solved: 2" in capsys.readouterr().out and not list(tmp_path.iterdir())
    assert main(["progress", str(tmp_path), "--reset"]) == 0


def test_a_file_is_no_folder(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert main(["progress", str(tmp_path / "file")]) == 2
    assert "file' is no folder" in capsys.readouterr().err
    (tmp_path / "progress.json").mkdir()
    with pytest.raises(OSError, match="progress.json' cannot be read: "):
        progress.read_progress(tmp_path)


def test_the_folder_of_the_course_may_be_named(tmp_path, capsys):
    pages = tmp_path / "notebooks"
    pages.mkdir()
    (pages / material.FIRST_PAGE).touch()
    progress.note(pages, "check_best_return")
    assert main(["progress", str(tmp_path)]) == 0
    assert " 1 of 3" in capsys.readouterr().out
    assert main(["progress", str(tmp_path), "--reset"]) == 0 and not progress.read_progress(pages)


def test_only_what_is_here_or_named_is_reset(tmp_path, capsys, monkeypatch):
    clone, elsewhere = tmp_path / "clone", tmp_path / "elsewhere"
    pages = clone / "notebooks"
    for folder in (pages, elsewhere):
        folder.mkdir(parents=True)
    (pages / material.FIRST_PAGE).touch()
    # The clone that the package runs from, of which the command thinks wherever it is given.
    monkeypatch.setattr(material, "__file__", str(clone / "eubrl_edu" / "course" / "material.py"))
    monkeypatch.chdir(elsewhere)
    progress.note(pages, "check_best_return")
    assert main(["progress", "--reset"]) == 2
    said = capsys.readouterr().err
    assert str(elsewhere) in said and f"eubrl-edu progress {pages} --reset" in said
    assert progress.read_progress(pages)
    assert main(["progress", str(pages), "--reset"]) == 0 and not progress.read_progress(pages)
    for here in (clone, pages):
        progress.note(pages, "check_best_return")
        monkeypatch.chdir(here)
        assert main(["progress", "--reset"]) == 0 and not progress.read_progress(pages)


def test_the_pages_are_those_that_call_the_checks():
    called = {}
    for path in sorted(find_notebooks().glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
        checks = {check for source in sources for check in progress.checks_called_in(source)}
        if checks:
            called[path.stem] = checks
    assert {page: set(checks) for page, checks in progress.exercises_by_page().items()} == called


@pytest.mark.parametrize(
    ("source", "check"),
    [
        ("exercises.check_best_return(400)", "check_best_return"),
        (
            "answer = 400\ncheck_best_return(answer)\n# check_guided_cup(answer)",
            "check_best_return",
        ),
        ("check_best_return(400)  # unlike check_guided_cup(answer)", "check_best_return"),
        ("print('check_guided_cup(1)')", None),
        ("%time check_best_return(400)", "check_best_return"),
        ("passed = check_best_return(400)\npassed", "check_best_return"),
        # Of which is it?
        ("passed = check_best_return(400)\ncheck_guided_cup(1)\npassed", None),
        ("check_best_return(400), check_guided_cup(1)", None),
        ("%matplotlib inline\ncheck_guided_cup(1)\ncheck_best_return(400)", "check_best_return"),
        ("check_best_return(400", None),
        ("def check_mine(): ...\ncheck_mine()", None),
        ("run_line_magic('matplotlib', backend)\ncheck_best_return(4)", "check_best_return"),
        ("run_line_magic(magic_name='time', line='1')", None),
        ("run_line_magic('time', 5)", None),
        ("run_cell_magic('time', '', f'{x}')", None),
        ("+".join(["1"] * 50_000), None),
    ],
)
def test_the_check_that_a_cell_shows(source, check):
    assert progress.check_shown_by(source) == check


@pytest.mark.long
def test_python_that_keeps_no_docstrings(tmp_path):
    command = [sys.executable, "-OO", "-m", "eubrl_edu", "progress", tmp_path]
    shown = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert "00_start_here" in shown.stdout


def test_a_folder_that_is_gone(tmp_path):
    progress.note(tmp_path / "absent", "check_best_return")
    assert not (tmp_path / "absent").exists()


def test_exercises_stand_in_the_order_of_their_pages():
    for page, checks in progress.exercises_by_page().items():
        cells = nbformat.read(find_notebooks() / f"{page}.ipynb", as_version=4).cells
        sources = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        called = re.findall(r"exercises\.(check_\w+)\(", sources)
        assert tuple(dict.fromkeys(called)) == checks, page
