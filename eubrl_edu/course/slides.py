"""Notebooks as slides: one HTML file for each, which needs no kernel and no network.

What a slide is, each cell says in its metadata, as every Jupyter tool reads it
(``slideshow.slide_type``). Where a cell has a picture, only the picture is shown; where a lab asks
first, its question.
"""

import html
import re
from collections.abc import Iterable
from pathlib import Path

import latex2mathml.converter
from nbconvert.exporters import SlidesExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from traitlets.config import Config

from eubrl_edu.course.material import find_notebooks
from eubrl_edu.course.scenes import read_notebook
from eubrl_edu.labs.covering import COVERED
from eubrl_edu.names import require_path
from eubrl_edu.writing import in_place_of, made_folder

TEMPLATES = Path(__file__).parent / "jupyter-data" / "nbconvert" / "templates"
# Longer code than this many lines is not for a room to read: only what it prints is shown.
LONGEST_CODE = 40
# Which of the forms of an output is shown; widgets would need a kernel.
PICTURES = ["image/png", "image/svg+xml", "image/jpeg"]
SHOWN = [*PICTURES, "text/html", "text/markdown", "text/plain"]
# A formula between tags, as Pandoc knows one: 5 dollars and 6, $5 and $6, are none.
IN_HTML = re.compile(
    r"(?is)<(script|style|pre|code)\b.*?</\1>|<[^>]*>|(\$\$?)(?!\s)([^$<>]+?)(?<!\s)\2(?!\d)"
)


def write_slides(notebooks: Iterable[str | Path] = (), folder: str | Path = "slides") -> list[Path]:
    """Write the slides of these notebooks, by default of the whole course, into a folder.

    Raises
    ------
    ValueError
        If there is no such notebook, it cannot be read, two have the same name, or ``folder`` is
        a file.
    OSError
        If the folder cannot be written; it names it.
    """
    paths = [require_path("notebook", path) for path in notebooks]
    paths = paths or sorted(find_notebooks().glob("*.ipynb"))
    for path in paths:
        if not path.is_file():
            what = "is a folder: name the notebooks in it" if path.is_dir() else "is not there"
            raise ValueError(f"notebook {str(path)!r} {what}")
    folder = require_path("folder", folder, "folder")
    of_file: dict[Path, Path] = {}
    for path in paths:
        other = of_file.setdefault(folder / f"{path.stem}.slides.html", path)
        if other.resolve() != path.resolve():
            raise ValueError(
                f"notebooks must differ in name, got {str(other)!r} and {str(path)!r}, which would "
                "become one file"
            )
    with made_folder(folder):
        pages = {file: slides_of(path) for file, path in of_file.items()}
        for file, page in pages.items():
            with in_place_of(file) as part:
                part.write_text(page, encoding="utf-8")
    return list(pages)


def slides_of(path: Path) -> str:
    """Return the slides of a notebook as HTML, with its pictures and formulas in it."""
    notebook = read_notebook(path)
    for cell in notebook.cells:
        outputs = cell.get("outputs", ())
        for output in outputs:
            data = output.get("data", {})
            if "text/latex" in data:
                data.setdefault("text/html", html.escape(data["text/latex"]))
            if "text/html" in data:
                data["text/html"] = IN_HTML.sub(_formula_found, data["text/html"])
        pictures = [output for output in outputs if {*PICTURES} & {*output.get("data", {})}]
        for output in pictures:
            words = output.data.get("text/plain", "")
            if words.startswith(COVERED):  # a room is asked; there is no picture to be seen yet
                asked = html.escape(words.removeprefix(COVERED)).replace("? ", "?<br><br>", 1)
                output.data = {"text/html": f'<p class="asked">{asked}</p>'}
        if pictures or (outputs and len(cell.source.splitlines()) > LONGEST_CODE):
            cell.metadata["transient"] = {"remove_source": True}
    exporter = _Slides(
        template_name="eubrl-slides",
        extra_template_basedirs=[str(TEMPLATES)],
        config=Config({"NbConvertBase": {"display_data_priority": SHOWN}}),
    )
    body, _ = exporter.from_notebook_node(notebook, {"metadata": {"name": path.stem}})
    return re.sub(r'(href="\d\d_\w+)\.ipynb', r"\1.slides.html", body)  # from page to page


def _formula_found(found: re.Match) -> str:
    return _as_mathml(html.unescape(found[3]), found[2]) if found[2] else found[0]


def _as_mathml(formula: str, dollars: str) -> str:
    """A formula as browsers draw it without help; what is none stays as it is.

    A passage that is quoted may begin in the middle of one, and the converter does not know all.
    """
    try:
        display = "inline" if dollars == "$" else "block"
        return latex2mathml.converter.convert(formula, display=display)
    except Exception:  # what the converter raises has no class in common
        return f"<code>{html.escape(dollars + formula + dollars)}</code>"


class _Formulas(IPythonRenderer):
    def inline_math(self, body: str) -> str:
        return _as_mathml(body, "$")

    def block_math(self, body: str) -> str:
        return _as_mathml(body, "$$")


class _Slides(SlidesExporter):
    def markdown2html(self, source: str) -> str:
        renderer = _Formulas(escape=False, exclude_anchor_links=True)
        return MarkdownWithMath(renderer=renderer).render(source)
