"""Sphinx: the course, the report, the errata and every public name, as pages that fetch nothing.

The sources are the repository's own (`sphinx-build -c docs .`); what is written here at each build,
the pages of `docs/written/`, is not kept.
"""

import html
import json
import re
from pathlib import Path

import eubrl_edu
from eubrl_edu.course.scenes import find_scenes
from eubrl_edu.errata import ERRATA, Kind

project = "eubrl_edu"
author = "eubrl_edu developers"
version = release = eubrl_edu.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
]
root_doc = "docs/index"
include_patterns = ["docs/**", "notebooks/*", "figures/REPORT.md", "eubrl_edu/theory/*.md"]
exclude_patterns = [".*", "**/.ipynb_checkpoints", "docs/templates", "docs/front"]

# The course as it is stored: the tests have compared what the notebooks show.
nb_execution_mode = "off"
SCENES = {
    (scene.page, scene.cell): scene
    for scene in find_scenes(Path(__file__).parents[1] / "notebooks")
}
nb_merge_streams = True
nb_ipywidgets_js = {}
myst_enable_extensions = ["amsmath", "dollarmath"]
myst_heading_anchors = 3

# What a part of the house offers is its `__all__`.
templates_path = [str(Path(__file__).with_name("templates"))]
autosummary_ignore_module_all = False
autodoc_member_order = "bysource"
numpydoc_show_class_members = False

html_theme = "furo"
html_title = "eubrl_edu"
html_extra_path = ["front"]
html_copy_source = False


def _entry(erratum) -> str:
    # A quotation may begin an array that it leaves before its end.
    printed = erratum.printed.replace(r"\begin{array}{ll}", "")
    lines = [f"### {erratum.place}", f"**Printed.** {printed}"]
    if erratum.problem:
        lines.append(f"**Problem.** {erratum.problem}")
    lines.append(f"**What survives.** {erratum.survives}")
    if erratum.counterexample is not None:
        function = erratum.counterexample
        lines.append(f"**Numbers.** `{function.__module__}.{function.__name__}()`")
    return "\n\n".join(lines)


def write_errata(app) -> None:
    """Write the page of the errata, the gravest first."""
    notebook = "../../notebooks/12_reading_the_paper_critically.ipynb"
    page = [
        "# Errata of the paper",
        "What does not hold as printed, and what survives. The functions named under *Numbers*"
        f" compute counterexamples; [notebook 12]({notebook}) shows them.",
    ]
    for kind in Kind:
        page.append(f"## {kind.capitalize()}")
        page += [_entry(erratum) for erratum in ERRATA if erratum.kind is kind]
    place = Path(app.confdir) / "written" / "errata.md"
    place.parent.mkdir(exist_ok=True)
    place.write_text("\n\n".join(page) + "\n", encoding="utf-8")


def escape_bars(app, what, name, obj, options, lines) -> None:
    """Let |x| in a docstring be an absolute value, which reST takes for a substitution."""
    in_math = False
    for place, line in enumerate(lines):
        if line.strip():
            in_math = line.lstrip().startswith(".. math::") or (in_math and line[0] == " ")
        if not in_math:
            lines[place] = re.sub(r"(`[^`]*`)|\|", lambda found: found[1] or r"\|", line)


def with_answers(name: str, notebook: str) -> str:
    """The notebook, with the picture behind each covered lab in a fold: a page takes no guesses."""
    page, cells = json.loads(notebook), []
    for cell in page["cells"]:
        cells.append(cell)
        scene = SCENES.get((name, cell["id"]))
        if scene is not None and "prediction=" in scene.line:
            lab = scene.make()
            lab.uncover()
            shown = lab._repr_mimebundle_()
            words = html.escape(shown["text/plain"])
            fold = (
                f"<details><summary>The picture behind the question</summary>"
                f'<img src="data:image/png;base64,{shown["image/png"]}" alt="{words}">'
                f'<pre style="white-space: pre-wrap">{words}</pre></details>'
            )
            of_cell = {"cell_type": "markdown", "id": f"{cell['id']}-uncovered", "metadata": {}}
            cells.append(of_cell | {"source": fold.replace("\n\n", "\n")})
    return json.dumps(page | {"cells": cells})


def uncover(app, page, source) -> None:
    """Show the answers on the pages of the course."""
    if page.startswith("notebooks/") and source[0].startswith("{"):
        source[0] = with_answers(Path(page).stem, source[0])


def setup(app) -> None:
    """Write the errata before Sphinx looks for pages; escape bars after numpydoc has run."""
    app.connect("source-read", uncover)
    app.connect("autodoc-process-docstring", escape_bars, priority=900)
    app.connect("config-inited", lambda app, config: write_errata(app))
