"""From nothing to a slider that answers, and how long each lab takes to appear.

Run by hand: ``python -m benchmarks.bench_start``. A fresh clone is installed as `make lab` does it,
then the first lab of notebook 00 is opened in a real Chromium, with nothing compiled yet.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import numpy as np
from playwright.sync_api import sync_playwright

import eubrl_edu.labs
from tests.browser.jupyter import ROOT, JupyterServer, NotebookPage, find_chromium, launch_chromium
from tests.browser.lab_on_page import UNTIL_FOCUS_MOVES

FIRST_PAGE = ROOT / "notebooks" / "00_start_here.ipynb"
REPEATS = 3
# As on its page, in a kernel that has just started: it asks first, and the import is part of what
# one waits for.
APPEAR = """
import asyncio
import time

async def appear():
    start = time.perf_counter()
    from eubrl_edu.labs import {lab}
    from eubrl_edu.labs.prediction import Choice
    {lab}(prediction=Choice("What?", {{"this": "", "that": ""}}, str))._repr_mimebundle_()
    print(time.perf_counter() - start)

asyncio.run(appear())
"""


class CourseServer(JupyterServer):
    """The first page as `make lab` opens it, which compiles in the background meanwhile."""

    def _module(self) -> list[str]:
        return ["eubrl_edu", "lab", str(self.notebooks / FIRST_PAGE.name)]

    def _environment(self) -> dict[str, str]:
        return super()._environment() | {"PYTHONPATH": ""}  # the clone, not what is measured from


def clone_and_install(folder: Path) -> tuple[float, float]:
    """Clone and install the course into ``folder``; return its seconds and megabytes."""
    start = time.perf_counter()
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    install = ["make", "--silent", ".venv/course-installed", f"PYTHON={sys.executable}"]
    subprocess.run(install, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    files = [path.lstat() for path in (folder / ".venv").rglob("*") if not path.is_dir()]
    return seconds, sum(file.st_size for file in files) / 1e6


def until_a_slider_answers(clone: Path) -> tuple[float, float]:
    """Seconds from the start of JupyterLab until its first page has a kernel; its slider answers.

    Not counted is the time that the test itself waits.
    """
    page = nbformat.read(FIRST_PAGE, as_version=4)
    first_lab = next(n for n, cell in enumerate(page.cells) if "Lab(" in cell.source)
    page.cells = page.cells[: first_lab + 1]
    (clone / "start").mkdir()
    with sync_playwright() as playwright:
        chromium = launch_chromium(playwright, find_chromium())
        server = CourseServer(clone / "start", clone / ".venv" / "bin" / "python")
        nbformat.write(page, server.notebooks / FIRST_PAGE.name)
        start = time.perf_counter()
        with server:
            notebook = NotebookPage(chromium.new_page(), server, FIRST_PAGE.name)
            opened = time.perf_counter() - start
            notebook.run_all()
            (lab,) = notebook.labs()
            lab.uncover()
            words, picture = lab.words(), lab.picture_hash()
            lab.press_on_slider(lab.slider_names()[0], "ArrowRight")
            lab.wait_for_change(words, picture)
            answered = time.perf_counter() - start - UNTIL_FOCUS_MOVES
        chromium.close()
    return opened, answered


def seconds_to_appear(lab: str) -> float:
    """The median over a few fresh kernels, with everything compiled."""
    times = []
    for _ in range(1 + REPEATS):
        command = [sys.executable, "-c", APPEAR.format(lab=lab)]
        found = subprocess.run(command, capture_output=True, text=True, check=True)
        times.append(float(found.stdout))
    return float(np.median(times[1:]))


def run() -> str:
    """The two tables, in Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        installed, megabytes = clone_and_install(clone)
        os.environ["NUMBA_CACHE_DIR"] = str(Path(folder) / "nothing-compiled")
        try:
            opened, answered = until_a_slider_answers(clone)
        finally:
            del os.environ["NUMBA_CACHE_DIR"]
    lines = [
        "| from nothing to a lab | |",
        "|---|---|",
        f"| clone and install | {installed:.1f} s |",
        f"| JupyterLab, until notebook 00 is open and has a kernel | {opened:.1f} s |",
        f"| and until a slider on it has answered | {answered:.1f} s |",
        f"| together | {installed + answered:.1f} s |",
        f"| what is installed | {megabytes:.0f} MB |",
        "",
        f"| lab | appears in a fresh kernel, median of {REPEATS} |",
        "|---|---|",
    ]
    lines += [f"| {lab} | {seconds_to_appear(lab):.2f} s |" for lab in eubrl_edu.labs.__all__]
    return "\n".join(lines)


if __name__ == "__main__":
    print(run())
