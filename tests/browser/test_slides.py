"""Slides in a real browser without a network: every key acts, and every slide fits."""

import nbformat
import pytest

from eubrl_edu.course.slides import write_slides
from tests.browser.lab_on_page import PATIENCE
from tests.notebooks.store import NOTEBOOKS

pytestmark = [pytest.mark.browser, pytest.mark.long]

# What an output folds, such as the documentation of a listing, is nobody's answer.
FOLDS = "details:not(.jp-OutputArea details)"
TOO_HIGH = """() => slides.map((slide, place) => {
  show(place, true);
  return slide.scrollHeight > slide.clientHeight + 2 ? place + 1 : 0;
}).filter(Boolean)"""


@pytest.fixture
def offline(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.complaints = []
    page.on("console", lambda said: said.type == "error" and page.complaints.append(said.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    yield page
    context.close()


def test_every_slide_of_every_page_fits_on_the_screen(offline, tmp_path):
    for path in write_slides(sorted(NOTEBOOKS.glob("*.ipynb")), tmp_path):
        offline.goto(path.as_uri())
        assert offline.evaluate(TOO_HIGH) == [], path.name
    assert offline.complaints == []


def test_keys_go_on_and_back_piece_by_piece(offline, tmp_path):
    (path,) = write_slides([NOTEBOOKS / "04_guidance.ipynb"], tmp_path)
    offline.goto(path.as_uri())
    place = offline.locator("#place output")
    n_slides = int(place.inner_text().split(" / ")[1])
    n_folds = offline.locator(FOLDS).count()
    assert n_folds > 0
    steps = n_slides - 1 + offline.locator(".fragment").count() + n_folds
    for _ in range(steps):
        offline.keyboard.press("n")
    assert place.inner_text() == f"{n_slides} / {n_slides}"
    assert offline.locator(f"{FOLDS}[open]").count() == n_folds
    for key in (["b"] * (steps - 1)) + ["ArrowLeft"]:
        offline.keyboard.press(key)
    assert place.inner_text() == f"1 / {n_slides}"
    assert offline.locator(f".fragment.shown, {FOLDS}[open]").count() == 0
    offline.get_by_label("Next").click()
    assert place.inner_text() == f"2 / {n_slides}"
    assert offline.evaluate("location.hash") == "#2"
    assert offline.complaints == []


def test_a_fold_is_opened_before_what_comes_after_it(offline, tmp_path):
    text = nbformat.v4.new_markdown_cell
    fold = "Why?\n\n<details>\n<summary>An answer</summary>\n\nSo that it is.\n\n</details>"
    cells = [text("# Asks"), text(fold), text("More"), text("# Next")]
    for cell, kind in zip(cells, ("slide", "fragment", "fragment", "slide"), strict=True):
        cell.metadata["slideshow"] = {"slide_type": kind}
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "page.ipynb")
    (path,) = write_slides([tmp_path / "page.ipynb"], tmp_path)
    offline.goto(path.as_uri())
    question, answer, more = (offline.get_by_text(t) for t in ("Why?", "So that it is.", "More"))
    seen = lambda: [each.is_visible() for each in (question, answer, more)]  # noqa: E731
    steps = [[False] * 3, [True, False, False], [True, True, False], [True] * 3]
    for expected in steps:
        assert seen() == expected
        offline.keyboard.press("n")
    assert offline.locator("#place output").inner_text() == "2 / 2"
    for expected in steps[::-1]:
        offline.keyboard.press("b")
        assert seen() == expected
    # By hand, too, and then it is not a step any more.
    offline.keyboard.press("n")
    offline.get_by_text("An answer").click()
    offline.keyboard.press("n")
    assert seen() == [True] * 3
    assert offline.complaints == []
