"""Students' notebooks, right, wrong and harmful: each gets its row; the originals stay."""

import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from eubrl_edu.cli import main
from eubrl_edu.compiling import cache_folder
from eubrl_edu.course.checking import Checked, check_folder, in_words
from eubrl_edu.exercises.progress import exercises_by_page
from tests.notebooks.exercises import find_exercises
from tests.systems import posix_only

ROOT = Path(__file__).parents[2]

START = "from eubrl_edu import exercises"
# Where it does not matter what is right, something that imports nothing is checked in its place.
STAND_IN = """
class Answer:
    def __repr__(self):
        return "✓" if self.passed else "✗"

class exercises:
    def check_best_return(answer):
        value = Answer()
        value.passed = answer == 400
        return value
"""
EXERCISE = "answer = {}\nexercises.check_best_return(answer)"
SEEDS = "answer = {}\nexercises.check_runs_needed(answer)"


def cells_of(*sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    folder = tmp_path_factory.mktemp("handed in")
    (folder / "zoe").mkdir()
    pages = {
        "anna.ipynb": cells_of(START, EXERCISE.format(400), SEEDS.format("...")),
        "ben.ipynb": cells_of(STAND_IN, EXERCISE.format(400), EXERCISE.format("unknown")),
        "dan.ipynb": cells_of(
            STAND_IN,
            "import os, pathlib, shutil, tempfile\n"
            "for folder in (pathlib.Path.cwd(), pathlib.Path.home(), tempfile.gettempdir()):\n"
            "    shutil.rmtree(folder)",
            EXERCISE.format(400),
        ),
        "eve.ipynb": cells_of(STAND_IN, EXERCISE.format(400), "import os\nos._exit(1)"),
        "zoe/own.ipynb": cells_of("1 + 1"),
        "FRED.IPYNB": cells_of("2 + 2"),
    }
    # What is stored in a file is not what counts.
    for cell in pages["ben.ipynb"].cells[1:]:
        shown = {"text/plain": "✓ Right."}
        cell.outputs = [nbformat.v4.new_output("execute_result", shown, execution_count=1)]
    for name, page in pages.items():
        nbformat.write(page, folder / name)
    (folder / "broken.ipynb").write_text("not a notebook")
    number = json.loads(nbformat.writes(cells_of("")))
    number["cells"][0]["source"] = 5
    (folder / "number.ipynb").write_text(json.dumps(number))
    number["cells"][0]["source"] = "'half a character: \ud800'"
    (folder / "half.ipynb").write_text(json.dumps(number))
    return folder


@pytest.fixture(scope="module")
def checked(handed_in):
    before = contents(handed_in)
    found = {one.file: one for one in check_folder(handed_in, seconds=100)}
    assert contents(handed_in) == before
    return found


def contents(folder: Path):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def row(checked, name):
    results = checked[name].results
    return results.get("check_best_return"), results.get("check_runs_needed"), checked[name].remark


def test_right_untouched_and_in_error(checked):
    assert row(checked, "anna.ipynb") == ("✓", "○", "")
    assert row(checked, "ben.ipynb") == ("NameError", None, "")


@pytest.mark.long
def test_a_loop_for_ever_is_stopped_and_what_came_before_counts(tmp_path):
    page = cells_of(
        STAND_IN, EXERCISE.format(400), "while True:\n    print('for ever')", SEEDS.format(1600)
    )
    nbformat.write(page, tmp_path / "cleo.ipynb")
    checked = {one.file: one for one in check_folder(tmp_path, seconds=10)}
    assert row(checked, "cleo.ipynb") == ("✓", "not run", "stopped after 10 seconds")


@pytest.mark.long
def test_what_all_notebooks_need_is_compiled_once_before_the_first(tmp_path):
    """What is compiled here comes along, so that this takes no minute; it is not marked as all."""
    folder, cache = tmp_path / "in", tmp_path / "cache"
    folder.mkdir()
    kept = cache_folder()
    unmarked = shutil.ignore_patterns("ready")
    shutil.copytree(kept, cache / "eubrl_edu" / kept.name, ignore=unmarked)
    nbformat.write(cells_of(STAND_IN, EXERCISE.format(400)), folder / "anna.ipynb")
    command = [sys.executable, "-m", "eubrl_edu", "check", str(folder)]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT)}
    said = []
    for _ in range(2):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        said.append(done.stderr)
        assert list(cache.glob("eubrl_edu/*/ready"))
    assert said[0].startswith("Compiling") and said[1].startswith("anna.ipynb: ✓")


def test_files_are_deleted_in_the_copy_only(checked):
    result, _, remark = row(checked, "dan.ipynb")
    assert result == "✓" and remark == "deleted dan.ipynb"
    assert Path.home().is_dir()


REFUSED = {
    "os.remove(file)": "delete {file}",
    "file.unlink()": "delete {file}",
    "os.remove(file.name, dir_fd=os.open(file.parent, os.O_RDONLY))": "delete {file}",
    "shutil.rmtree(file.parent)": "delete {file.parent}",
    "shutil.rmtree(file.parent / 'within', ignore_errors=True)": "delete {file.parent}/within",
    "open(file, 'w')": "write to {file}",
    "os.symlink(file.parent, 'link')\nopen('link/' + file.name, 'a')": "write to {file}",
    "os.truncate(file, 0)": "write to {file}",
    "os.rename(file, 'mine.txt')": "move {file}",
    "open('mine.txt', 'w').close()\nos.replace('mine.txt', file)": "move {file}",
    "(file.parent / 'new').mkdir()": "make {file.parent}/new",
    "(file.parents[1] / 'in' / 'zoe.ipynb').unlink()": "delete {file.parents[1]}/in/zoe.ipynb",
    "subprocess.run(['rm', file])": "start another program",
    "os.system(f'rm {file}')": "start another program",
    "!rm {file}": "start another program",
}


@pytest.mark.long
@posix_only
def test_what_is_outside_the_copy_is_neither_deleted_nor_changed(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "there" / "within").mkdir(parents=True)
    right = cells_of(STAND_IN, EXERCISE.format(400))
    pages, told = [cells_of("import os, pathlib, shutil, subprocess") for _ in range(4)], {}
    for number, (harm, words) in enumerate(REFUSED.items()):
        file = tmp_path / "there" / f"{number}.txt"
        file.write_text("as it was")
        # Each in a cell of its own, so that one that is refused keeps no other from being tried.
        pages[number % 4].cells += cells_of(f"file = pathlib.Path({str(file)!r})\n{harm}").cells
        told.setdefault(number % 4, []).append(f"tried to {words.format(file=file)}")
    for number, page in enumerate(pages):
        page.cells += right.cells
        nbformat.write(page, tmp_path / "in" / f"{number}.ipynb")
    nbformat.write(right, tmp_path / "in" / "zoe.ipynb")
    before = contents(tmp_path)
    checked = list(check_folder(tmp_path / "in", seconds=60))
    assert contents(tmp_path) == before
    assert [one.remark.split("; ") for one in checked] == [*told.values(), [""]]
    assert all(one.results == {"check_best_return": "✓"} for one in checked)


def test_a_notebook_is_checked_although_its_file_has_gone_meanwhile(tmp_path):
    nbformat.write(cells_of(STAND_IN, EXERCISE.format(400)), tmp_path / "anna.ipynb")
    checked = check_folder(tmp_path, seconds=60)
    (tmp_path / "anna.ipynb").unlink()
    (anna,) = checked
    assert anna.results == {"check_best_return": "✓"} and anna.remark == ""


def test_a_kernel_that_dies_and_a_file_that_is_no_notebook(checked):
    assert row(checked, "eve.ipynb") == ("✓", None, "its kernel died")
    for name in ("broken", "number", "half"):
        assert "cannot be read" in checked[f"{name}.ipynb"].remark
    for name in ("zoe/own.ipynb", "FRED.IPYNB"):
        assert row(checked, name) == (None, None, "calls no check")


def test_the_command_writes_the_table(tmp_path, capfd):
    folder = tmp_path / "in"
    folder.mkdir()
    # A library, too, may write past the notebook, as a kernel itself does when it starts.
    aside = "import os\nos.write(2, b'a warning')"
    nbformat.write(cells_of(STAND_IN, aside, EXERCISE.format(2000)), folder / "fay.ipynb")
    file = tmp_path / "table.csv"
    assert main(["check", str(folder), "--csv", str(file)]) == 0
    shown, said = capfd.readouterr()
    assert re.search(r"fay\.ipynb +✗", shown) and said == "fay.ipynb: ✗\n"
    (written,) = pd.read_csv(file).to_dict("records")
    assert written.pop("remark") is not None
    assert written == {"file": "fay.ipynb", "check_best_return": "✗"}


@pytest.mark.long
def test_a_page_of_the_course_with_a_students_answers(tmp_path):
    page = nbformat.read(ROOT / "notebooks" / "01_beliefs.ipynb", as_version=4)
    right, wrong, *untouched = find_exercises(page)
    page.cells[right.position].source = f"{START}\n{right.solution}\n{right.check}"
    page.cells[wrong.position].source = f"{wrong.wrong[0]}\n{wrong.check}"
    nbformat.write(page, tmp_path / "anna.ipynb")
    before = (tmp_path / "anna.ipynb").read_bytes()
    (anna,) = check_folder(tmp_path)
    assert anna.remark == "" and anna.results.keys() == set(exercises_by_page()["01_beliefs"])
    assert list(anna.results.values()) == ["✓", "✗", *"○" * len(untouched)]
    assert [path.name for path in tmp_path.iterdir()] == ["anna.ipynb"]
    assert (tmp_path / "anna.ipynb").read_bytes() == before


@pytest.mark.long
@posix_only
def test_after_ctrl_c_the_table_of_what_is_checked_is_shown(tmp_path):
    pages = {
        "anna": cells_of(STAND_IN, EXERCISE.format(400)),
        "ben": cells_of("open('began', 'w').close()\nwhile True: pass"),
        "cleo": cells_of(STAND_IN, EXERCISE.format(400)),
    }
    (tmp_path / "in").mkdir()
    (tmp_path / "copies").mkdir()
    for name, page in pages.items():
        nbformat.write(page, tmp_path / "in" / f"{name}.ipynb")
    command = [sys.executable, "-m", "eubrl_edu", "check", tmp_path / "in"]
    process = subprocess.Popen(
        command,
        stdout=-1,
        stderr=-1,
        text=True,
        start_new_session=True,
        env=os.environ | {"TMPDIR": str(tmp_path / "copies")},
    )
    # Not a search through all: what is found is removed meanwhile when a page is finished.
    while not any((tmp_path / "copies").glob("*/within/page/began")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)  # a terminal interrupts the kernel as well
    shown, said = process.communicate(timeout=200)
    assert process.returncode == 130 and "stopped" in said
    assert "anna.ipynb" in shown and "✓" in shown and "cleo" not in shown + said
    assert said.rstrip().endswith("stopped. The last notebook checked is 'anna.ipynb'.")


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf])
def test_no_time(handed_in, seconds):
    with pytest.raises(ValueError, match="seconds must be"):
        check_folder(handed_in, seconds)


@posix_only
def test_notebooks_are_found_through_links_and_each_folder_once(tmp_path):
    (tmp_path / "in" / "ben" / ".ipynb_checkpoints").mkdir(parents=True)
    (tmp_path / "anna").mkdir()
    for file in ("anna/a.IPYNB", "in/ben/b.ipynb", "in/ben/.ipynb_checkpoints/old.ipynb"):
        (tmp_path / file).write_text("no notebook")
    (tmp_path / "in" / "anna").symlink_to(tmp_path / "anna")
    (tmp_path / "in" / "again").symlink_to(tmp_path / "in")
    found = [one.file for one in check_folder(tmp_path / "in")]
    assert found == ["anna/a.IPYNB", "ben/b.ipynb"]


def test_a_folder_that_may_not_be_looked_into_is_in_the_table(tmp_path, monkeypatch):
    for name in ("anna", "ben", ".ipynb_checkpoints"):
        (tmp_path / name).mkdir()
    (tmp_path / "anna" / "a.ipynb").write_text("no notebook")
    scandir, closed = os.scandir, ["ben", ".ipynb_checkpoints"]

    def refusing(folder):
        if os.path.basename(str(folder)) in closed:
            raise PermissionError(13, "Permission denied", str(folder))
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", refusing)
    found = {one.file: one.remark for one in check_folder(tmp_path)}
    assert list(found) == ["anna/a.ipynb", "ben"]
    assert found["ben"] == "cannot be read (PermissionError)"
    closed.append(tmp_path.name)
    with pytest.raises(PermissionError):
        check_folder(tmp_path)


def test_a_line_for_each_notebook_whatever_it_is_called():
    one = Checked("a\nb.ipynb", {"check_best_return": "✓"}, "tried to delete /c\x1b[2Jd")
    assert str(one) == "a b.ipynb: ✓ tried to delete /c [2Jd"
    assert in_words([one]).endswith("\na b.ipynb: tried to delete /c [2Jd")


def test_no_notebooks(tmp_path):
    with pytest.raises(ValueError, match="no notebook"):
        check_folder(tmp_path)
    with pytest.raises(ValueError, match="absent"):
        check_folder(tmp_path / "absent")
