"""From a key press to the new picture, for every control of every lab, in a real JupyterLab.

Run by hand: ``python -m benchmarks.bench_lab``, or with the names of some labs after it. The time
runs in the page, from the key event to the first frame after the new picture was decoded, once with
one dot of the screen to a pixel of the page and once with two. Keys go there and back, so that what
was computed once may be remembered; where a key asks for a run all the same, the run is part of the
time.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import ipywidgets
import nbformat
import numpy as np
from playwright.sync_api import sync_playwright

import eubrl_edu.labs
from eubrl_edu.labs.controls import AgentPicker, widget_of
from eubrl_edu.labs.lab import Lab
from tests.browser.jupyter import JupyterServer, NotebookPage, find_chromium, launch_chromium
from tests.labs.test_every_lab import NEEDS, STARTS

PRESSES = 60
# As many show that a control asks for a run at each press; it is not pressed any more.
FIRST_PRESSES, SLOW = 6, 200.0
# Milliseconds at the 95th percentile, by how many dots of the screen a pixel of the page has.
AT_MOST = {1: 60, 2: 100}
# Where a lab stands so that its controls have something to change, and what some of them need
# besides; what is not said here stands with the tests of every lab.
SEA = {"world": "deepsea", "size": 5}
STARTS_HERE = {
    "ExplorationLab": SEA | {"steps": 200, "time": 96, "alpha": 0.1, "beta0": 0.1},
    "RaceLab": {"until": 50},
    "ScalingLab": {},
}
NEEDS_HERE = {("RaceLab", "stochastic"): SEA} | {
    # In a world without chance a small step of these seldom changes what an agent does.
    ("RaceLab", name): SEA | {"stochastic": True}
    for name in ("eta", "alpha", "beta0")
}

Times = dict[tuple[str, str], list[float]]


def starts_of(lab: type[Lab]) -> list[tuple[dict, list[str]]]:
    """What the lab starts with, and the controls that are timed then, in this order."""
    name = lab.__name__
    start = STARTS_HERE[name] if name in STARTS_HERE else STARTS[lab]
    found: list[tuple[dict, list[str]]] = [(start, [])]
    # What BeliefLab's buttons count has no control; the agents' switches stand below the rows.
    shown = [name for _, names in lab.rows for name in names] + ["agents"]
    # Last those that bring other values, which are not all taken back.
    for control in sorted(lab.Params.__dataclass_fields__, key=lambda name: name in lab.leading):
        if control not in shown:
            continue
        needed = start | NEEDS.get((lab, control), NEEDS_HERE.get((name, control), {}))
        known = [controls for values, controls in found if values == needed]
        if known:
            known[0].append(control)
        else:
            found.append((needed, [control]))
    return found


def name_and_keys(lab: type[Lab], start: dict, name: str) -> tuple[str, list[str]]:
    """What a control is called on the page, and the keys that move it there and back."""
    params = lab.Params(**start)
    widget = widget_of(lab.Params.__dataclass_fields__[name].metadata["control"], params)
    if isinstance(widget, AgentPicker):
        return list(widget.switches)[1], ["click"] * PRESSES  # the second of them
    widget.value = getattr(params, name)
    if isinstance(widget, ipywidgets.Checkbox):
        keys = ["click", "click"]
    elif isinstance(widget, ipywidgets.Dropdown):
        keys = ["next option", "option before"]
    elif "Text" in type(widget).__name__:
        keys = ["ArrowUp", "ArrowDown"]
    else:
        keys = ["ArrowRight", "ArrowLeft"]
    if hasattr(widget, "options"):
        is_last = widget.index == len(widget.options) - 1
    else:
        is_log = isinstance(widget, ipywidgets.FloatLogSlider)
        most = getattr(widget, "max", None)
        is_last = most is not None and widget.value >= (widget.base**most if is_log else most)
    return widget.description, (keys[::-1] if is_last else keys) * (PRESSES // 2)


def write_notebook(folder: Path, lab: type[Lab]) -> str:
    """A notebook that shows the lab with each of its starts; return its name."""
    name = lab.__name__
    sources = [f"from eubrl_edu.labs import {name}"]
    sources += [f"{name}(**{start!r})" for start, _ in starts_of(lab)]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)))
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, folder / f"{name}.ipynb")
    return f"{name}.ipynb"


def measure(labs: Sequence[type[Lab]], ratio: int) -> Times:
    """Milliseconds of every press, by lab and control; none where the picture stayed."""
    times = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = launch_chromium(playwright, find_chromium())
        with JupyterServer(Path(folder)) as server:
            for lab in labs:
                notebook = write_notebook(server.notebooks, lab)
                screen = {"width": 1400, "height": 1000}
                context = chromium.new_context(viewport=screen, device_scale_factor=ratio)
                page = NotebookPage(context.new_page(), server, notebook)
                page.run_all()
                for (start, names), shown in zip(starts_of(lab), page.labs(), strict=True):
                    shown.wait_for_dots(ratio, lab.figure_inches[0])
                    shown.wait_for_work()
                    if shown.button("More").count():
                        shown.press_button("More")
                    for name in names:
                        control, keys = name_and_keys(lab, start, name)
                        pressed = shown.milliseconds_to_new_picture(control, keys[:FIRST_PRESSES])
                        if pressed and np.median(pressed) < SLOW:
                            rest = keys[FIRST_PRESSES:]
                            pressed += shown.milliseconds_to_new_picture(control, rest)
                        times[lab.__name__, control] = pressed
                context.close()
        chromium.close()
    return times


def run(names: Sequence[str] = eubrl_edu.labs.__all__) -> str:
    """The table, in Markdown, and which controls are slower than they should be."""
    labs = [getattr(eubrl_edu.labs, name) for name in names]
    measured = {ratio: measure(labs, ratio) for ratio in AT_MOST}
    lines = [
        f"| lab | control | 1 dot to the pixel: median of {PRESSES}, 95th percentile "
        "| 2 dots: median, 95th percentile |",
        "|---|---|---|---|",
    ]
    slow = []
    for lab, control in measured[1]:
        cells = []
        for ratio, most in AT_MOST.items():
            times = measured[ratio][lab, control]
            middle, high = np.percentile(times, [50, 95]) if times else (np.nan, np.nan)
            cells.append(f"{middle:.0f} ms, {high:.0f} ms" if times else "the picture stays")
            if times and high > most:
                slow.append(f"{lab} {control} at {ratio}")
        lines.append(f"| {lab} | {control} | {' | '.join(cells)} |")
    limits = " and ".join(f"{most} ms at {ratio}" for ratio, most in AT_MOST.items())
    fewer = f"of {FIRST_PRESSES} presses where these take more than {SLOW:.0f} ms"
    return "\n".join([*lines, "", f"Above {limits} ({fewer}): {', '.join(slow) or 'none'}."])


if __name__ == "__main__":
    print(run(sys.argv[1:] or eubrl_edu.labs.__all__))
