"""From a key press to the new picture, in a real JupyterLab in a real Chromium.

Run by hand: ``python -m benchmarks.bench_lab``. Every lab is opened with what it starts with, and
controls that work on scrubbed or precomputed state are moved by keys. Where a control asks for
runs, it goes to and fro between two values: what was run once is remembered. The time runs in the
page, from the key event to the first frame after the new picture was decoded.
"""

import tempfile
from pathlib import Path

import nbformat
import numpy as np
from playwright.sync_api import sync_playwright

from tests.browser.jupyter import JupyterServer, NotebookPage, find_chromium, launch_chromium

PRESSES = 60
# Mostly forwards, then back: far from where a slider ends.
WALK = ["ArrowRight", "ArrowRight", "ArrowLeft"] * 15 + ["ArrowLeft"] * 15
# Between two places or values.
THERE_AND_BACK = ["ArrowRight", "ArrowLeft"] * 30
BACK_AND_THERE = ["ArrowLeft", "ArrowRight"] * 30
NEXT_AND_BACK = ["next option", "option before"] * 30
OFF_AND_ON = ["click"] * PRESSES

# For each lab, the labels of the controls that are timed, and the keys.
LABS = {
    "BeliefLab": {"draws": WALK, "α": WALK, "rewards": NEXT_AND_BACK},
    "GuidanceLab": {"at n": WALK, "η": BACK_AND_THERE},
    "ExplorationLab": {"time": WALK},
    "RaceLab": {
        "until %": BACK_AND_THERE,
        "BEB": OFF_AND_ON,
        "show": NEXT_AND_BACK,
        "runs": NEXT_AND_BACK,
    },
    "ScalingLab": {
        "up to size": BACK_AND_THERE,
        "BEB": OFF_AND_ON,
        "line": NEXT_AND_BACK,
        "runs": NEXT_AND_BACK,
        "study": NEXT_AND_BACK,
    },
    "BoundsLab": {
        "T": WALK,
        "S": WALK,
        "A": WALK,
        "δ": BACK_AND_THERE,
        "Ψ": THERE_AND_BACK,
        "γ": THERE_AND_BACK,
        "show": NEXT_AND_BACK,
    },
    "DecompositionLab": {"step": WALK},
    "PriorLab": {"α": WALK, "worth": WALK, "rewards": NEXT_AND_BACK, "measure": NEXT_AND_BACK},
    "MisspecificationLab": {"α": WALK, "E_b is the": NEXT_AND_BACK},
}


def write_notebook(folder: Path, lab: str) -> str:
    """A notebook that shows one lab; return its name."""
    cell = nbformat.v4.new_code_cell(f"from eubrl_edu.labs import {lab}\n\n{lab}()")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / f"{lab}.ipynb")
    return f"{lab}.ipynb"


def measure() -> dict[tuple[str, str], list[float]]:
    """Milliseconds of every press, for each lab and control."""
    times = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = launch_chromium(playwright, find_chromium())
        with JupyterServer(Path(folder)) as server:
            for lab, controls in LABS.items():
                name = write_notebook(server.notebooks, lab)
                context = chromium.new_context(viewport={"width": 1400, "height": 1000})
                page = NotebookPage(context.new_page(), server, name)
                page.run_all()
                (shown,) = page.labs()
                for control, keys in controls.items():
                    times[lab, control] = shown.milliseconds_to_new_picture(control, keys)
                context.close()
        chromium.close()
    return times


def run() -> str:
    """The table, in Markdown."""
    lines = [
        f"| lab | control | median of {PRESSES} | 95th percentile | largest |",
        "|---|---|---|---|---|",
    ]
    for (lab, control), times in measure().items():
        middle, high = np.percentile(times, [50, 95])
        lines.append(
            f"| {lab} | {control} | {middle:.0f} ms | {high:.0f} ms | {max(times):.0f} ms |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(run())
