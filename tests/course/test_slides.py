"""The course as slides: every page converts, fits, and fetches nothing."""

import re
from base64 import b64encode

import nbformat
import pandas as pd
import pytest
from nbconvert.exporters import SlidesExporter

from eubrl_edu.course.slides import slides_of, write_slides
from tests.notebooks.slides import SCREEN, lines_of, slide_types
from tests.notebooks.store import NOTEBOOKS

PAGES = sorted(NOTEBOOKS.glob("*.ipynb"))
QUICK = "04_guidance"

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
some_page = pytest.mark.parametrize(
    "page",
    [pytest.param(path, marks=() if path.stem == QUICK else pytest.mark.long) for path in PAGES],
    ids=lambda path: path.stem,
)


def kinds_of(notebook):
    return [cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells]


def slides(notebook):
    """The cells of each slide, from what the cells say of themselves."""
    found = []
    for cell, kind in zip(notebook.cells, kinds_of(notebook), strict=True):
        if kind in ("slide", "subslide"):
            found.append([])
        if kind != "skip":
            found[-1].append(cell)
    return found


@every_page
def test_every_cell_says_what_it_is_and_no_slide_holds_more_than_a_screen(page):
    notebook = nbformat.read(page, as_version=4)
    kinds = kinds_of(notebook)
    assert kinds[0] == "slide"
    assert set(kinds) <= {"slide", "subslide", "fragment", "skip"}, "run: make notebooks"
    for cell, kind in zip(notebook.cells, kinds, strict=True):
        if cell.cell_type == "markdown" and cell.source.startswith("#"):
            assert kind in ("slide", "subslide"), cell.source[:40]
    for cells in slides(notebook):
        # A single cell that is longer is shrunk, which the browser's test looks at.
        assert len(cells) == 1 or sum(map(lines_of, cells)) <= SCREEN, cells[0].source[:60]


@some_page
def test_every_page_becomes_slides_that_fetch_nothing(page):
    html = slides_of(page)
    notebook = nbformat.read(page, as_version=4)
    assert html.count("<section") == len(slides(notebook)) + kinds_of(notebook).count("slide")
    # Links that a reader may follow are no requests.
    assert not re.findall(
        r"<(?:script|img|iframe)[^>]*src=\"(?!data:)|<link|@import|url\(http", html
    )
    shown = [str(c.outputs) for c in notebook.cells if "'image/png'" in str(c.get("outputs", ""))]
    asked = [outputs for outputs in shown if "○ Covered until" in outputs]
    assert html.count('<p class="asked">') == len(asked)  # a lab that asks first asks the room
    assert html.count("data:image/png;base64,") == len(shown) - len(asked)
    # From slides one comes to slides.
    assert "next: " not in html.lower() or re.search(r'href="\d\d_\w+\.slides\.html"', html)
    assert not re.search(r'href="\d\d_\w+\.ipynb', html)
    # No formula is left in TeX, outside code.
    read = re.sub(r"(?s)<(script|style|pre|code)\b.*?</\1>|<img[^>]*>", "", html)
    assert re.findall(r".*\$.*", read) == [] and html.count("<math ") > 10
    # What the converter does not know it would leave as it is.
    assert not re.findall(r"<m[ion]>\\\w+", html)


@some_page
def test_jupyters_own_converter_reads_the_same_slides(page):
    html, _ = SlidesExporter().from_filename(page)
    notebook = nbformat.read(page, as_version=4)
    assert html.count("<section") == len(slides(notebook)) + kinds_of(notebook).count("slide")


def notebook_of(*cells):
    return nbformat.v4.new_notebook(cells=list(cells))


def code(source, printed=None):
    outputs = [nbformat.v4.new_output("stream", text=printed)] if printed else []
    return nbformat.v4.new_code_cell(source, outputs=outputs)


def test_a_thought_is_a_slide_and_what_belongs_to_it_follows():
    text = nbformat.v4.new_markdown_cell
    notebook = notebook_of(
        text("# A page"),
        text("More words"),
        code("import numpy\nfrom os import path"),
        code("print(1)", "1"),
        text("<details>\nfolded\n</details>"),
        code("print(2)", "2\n" * 40),
        text("## Next"),
    )
    assert slide_types(notebook) == [
        *("slide", "subslide", "skip", "fragment", "fragment", "subslide", "slide")
    ]


def test_long_code_gives_way_to_what_it_prints(tmp_path):
    path = tmp_path / "page.ipynb"
    nbformat.write(notebook_of(code("wanted = 7\n" * 41, "seven"), code("other = 8", "8")), path)
    html = slides_of(path)
    assert "wanted" not in html and "seven" in html and "other" in html


def shown_as(*outputs):
    cell = nbformat.v4.new_code_cell("1", outputs=[])
    cell.outputs = [nbformat.v4.new_output("display_data", data) for data in outputs]
    return cell


def test_dollars_that_hold_no_formula_stay_dollars(tmp_path):
    path, prices = tmp_path / "page.ipynb", pd.DataFrame({"price": ["$5", "$6"]}).to_html()
    script = "<script>const $q = 'a'; show($q)</script>"
    kept = "<p title='$x$'>from $5 to $6</p>"
    shown = prices + script + kept, "a $x_1$", "$$x^2$$"
    nbformat.write(notebook_of(*(shown_as({"text/html": each}) for each in shown)), path)
    html = slides_of(path)
    assert "<td>$5</td>" in html and "<td>$6</td>" in html
    assert script in html and kept.replace("'", '"') in html
    assert re.findall(r'<math [^>]*display="(\w+)"', html) == ["inline", "block"]


def test_pictures_of_every_kind_are_shown(tmp_path):
    path, drawing = tmp_path / "page.ipynb", "<svg viewBox='0 0 9 9'><path d='M0 0L9 9'/></svg>"
    words = {"text/plain": 'a "picture"'}
    outputs = {"image/svg+xml": drawing} | words, {"image/jpeg": "/9j/"} | words
    latex = {"text/latex": r"$\displaystyle \frac{1}{2}$", "text/plain": "1/2"}
    mixed = {"text/latex": "The $x$ is $y$"}
    cell = shown_as(*outputs, {"image/svg+xml": drawing}, latex, mixed)
    cell.outputs[0].metadata["image/svg+xml"] = {"width": 300}
    nbformat.write(notebook_of(cell), path)
    html = slides_of(path)
    assert html.count('width="300"') == 1 and html.count("<math ") == 3
    assert html.count(b64encode(drawing.encode()).decode()) == 2
    assert html.count("data:image/jpeg;base64,/9j/") == 1
    assert html.count("""alt='a "picture"'""") == 2 and "<mfrac>" in html
    assert "a &quot;picture&quot;</pre>" not in html and 'a "picture"</pre>' not in html


@pytest.mark.parametrize(
    "formula", [r"$\left( x$", "$ $", "$$ $$", "$x_a_b$", r"$\genfrac{}{}{0pt}{}{a}{b}$"]
)
def test_a_formula_that_cannot_be_drawn_is_shown_as_it_is_written(tmp_path, formula):
    path = tmp_path / "page.ipynb"
    nbformat.write(notebook_of(nbformat.v4.new_markdown_cell(f"Before {formula} after")), path)
    assert f"Before <code>{formula}</code> after" in slides_of(path)


def test_slides_are_written_beside_each_other(tmp_path):
    (path,) = write_slides([PAGES[0]], tmp_path / "new" / "slides")
    assert path.name == "00_start_here.slides.html" and path.stat().st_size > 50_000
    with pytest.raises(ValueError, match=r"notebook '.*' is a folder: name the notebooks in it"):
        write_slides([tmp_path], tmp_path / "none")
    with pytest.raises(ValueError, match="notebook '99.ipynb' is not there"):
        write_slides([PAGES[0], "99.ipynb"], tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_two_pages_of_one_name_would_become_one_file(tmp_path):
    pages = [tmp_path / folder / "x.ipynb" for folder in ("one", "two")]
    for page in pages:
        page.parent.mkdir()
        nbformat.write(notebook_of(code("7", "7")), page)
    with pytest.raises(ValueError, match="must differ in name, got .*one.*two"):
        write_slides(pages, tmp_path / "slides")
    assert not (tmp_path / "slides").exists()
    assert len(write_slides([pages[0], pages[0]], tmp_path / "slides")) == 1


def test_a_full_disk_leaves_the_slides_that_there_were(tmp_path, monkeypatch):
    (path,) = write_slides([PAGES[0]], tmp_path)
    there = path.read_bytes()

    def until_it_is_full(path, text, **_):
        path.write_bytes(text[:5].encode())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(path), "write_text", until_it_is_full)
    with pytest.raises(OSError, match=f"{path.name}' cannot be written to"):
        write_slides([PAGES[0]], tmp_path)
    assert path.read_bytes() == there and list(tmp_path.iterdir()) == [path]


def test_where_slides_cannot_go_is_named_before_any_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(
        "eubrl_edu.course.slides.slides_of", lambda path: pytest.fail("made for nothing")
    )
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="must be a folder, or a name that is free, got .*file"):
        write_slides([PAGES[0]], tmp_path / "file")
