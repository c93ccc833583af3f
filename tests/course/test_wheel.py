"""A wheel, installed where there is no clone, brings the course with it."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]

OWN = ("notebooks/00_start_here.ipynb", "notebooks/progress.json", "notebooks/RaceLab-1.png")
FIRST_LAB = """
import nbformat
from nbclient import NotebookClient

page = nbformat.read("notebooks/00_start_here.ipynb", as_version=4)
page.cells = [cell for cell in page.cells if cell.cell_type == "code"][:2]
page.cells.insert(0, nbformat.v4.new_code_cell("import eubrl_edu; print(eubrl_edu.__file__)"))
NotebookClient(page, kernel_name="python3", resources={"metadata": {"path": "notebooks"}}).execute()
print(page.cells[0].outputs[0].text)
print([output.output_type for cell in page.cells for output in cell.outputs])
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The programs of an environment with only the wheel; what it needs is lent by this one.

    The wheel is built in a clone in which somebody has worked.
    """
    folder = tmp_path_factory.mktemp("wheel")
    clone = folder / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    for own in OWN:
        (clone / own).write_text("mine")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "-d", folder],
        cwd=clone,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    pip = [programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, wheel], check=True)
    return programs


def run(installed, folder, program, *arguments):
    """Run a program of the wheel's environment; the clone is not on its path."""
    lent = os.environ | {"PYTHONPATH": sysconfig.get_path("purelib")}
    command = [installed / program, *arguments]
    done = subprocess.run(command, cwd=folder, env=lent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_course_comes_out_of_the_wheel_and_runs(installed, tmp_path):
    words = run(installed, tmp_path, "eubrl-edu", "course", "mine")
    assert "cd mine" in words
    tracked = subprocess.run(["git", "ls-files", "notebooks"], cwd=ROOT, capture_output=True).stdout
    pages = {Path(name).name for name in tracked.decode().split()}
    assert {path.name for path in (tmp_path / "mine/notebooks").iterdir()} == pages
    figures = {path.name for path in (tmp_path / "mine/figures").rglob("*")}
    assert {"REPORT.md", "summary.csv"} <= figures and "runs.sqlite" not in figures
    shown = run(installed, tmp_path / "mine", "python", "-c", FIRST_LAB)
    assert str(installed.parent) in shown and "'execute_result'" in shown


def test_without_a_copy_the_way_to_one_is_said(installed, tmp_path):
    lent = os.environ | {"PYTHONPATH": sysconfig.get_path("purelib")}
    command = [installed / "eubrl-edu", "lab"]
    done = subprocess.run(command, cwd=tmp_path, env=lent, capture_output=True, text=True)
    assert done.returncode == 2 and "eubrl-edu course" in done.stderr
