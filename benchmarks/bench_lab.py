"""From a key press to the new picture, in a real JupyterLab in a real Chromium.

Run by hand: ``python -m benchmarks.bench_lab``. Every lab is opened with what it starts with, and
sliders that work on scrubbed or precomputed state are moved by the arrow keys (RaceLab has none:
its sliders run the agents anew). The time runs in the page, from the key event to the first frame
after the new picture was decoded.
"""

import tempfile
from pathlib import Path

import nbformat
import numpy as np
from playwright.sync_api import sync_playwright

from tests.browser.jupyter import JupyterServer, NotebookPage, find_chromium, launch_chromium

# For each lab, the labels of the sliders that are timed.
LABS = {
    "BeliefLab": ("draws", "α"),
    "GuidanceLab": ("at n",),
    "ExplorationLab": ("time",),
    "ScalingLab": ("up to size",),
    "BoundsLab": ("T", "S"),
    "DecompositionLab": ("step",),
    "PriorLab": ("α", "worth"),
    "MisspecificationLab": ("α",),
}
# Mostly forwards, then back: far from where a slider ends.
KEYS = ["ArrowRight", "ArrowRight", "ArrowLeft"] * 15 + ["ArrowLeft"] * 15
# A slider of few places goes to and fro.
FEW_PLACES = {"up to size": ["ArrowLeft", "ArrowRight"] * 30}


def write_notebook(folder: Path, lab: str) -> str:
    """A notebook that shows one lab; return its name."""
    cell = nbformat.v4.new_code_cell(f"from eubrl_edu.labs import {lab}\n\n{lab}()")
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / f"{lab}.ipynb")
    return f"{lab}.ipynb"


def measure() -> dict[tuple[str, str], list[float]]:
    """Milliseconds of every press, for each lab and slider."""
    times = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = launch_chromium(playwright, find_chromium())
        with JupyterServer(Path(folder)) as server:
            for lab, sliders in LABS.items():
                name = write_notebook(server.notebooks, lab)
                context = chromium.new_context(viewport={"width": 1400, "height": 1000})
                page = NotebookPage(context.new_page(), server, name)
                page.run_all()
                (shown,) = page.labs()
                for slider in sliders:
                    times[lab, slider] = shown.milliseconds_to_new_picture(
                        slider, FEW_PLACES.get(slider, KEYS)
                    )
                context.close()
        chromium.close()
    return times


def run() -> str:
    """The table, in Markdown."""
    lines = [
        f"| lab | slider | median of {len(KEYS)} | 95th percentile | largest |",
        "|---|---|---|---|---|",
    ]
    for (lab, slider), times in measure().items():
        middle, high = np.percentile(times, [50, 95])
        lines.append(
            f"| {lab} | {slider} | {middle:.0f} ms | {high:.0f} ms | {max(times):.0f} ms |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(run())
