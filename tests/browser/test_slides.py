"""Slides in a real browser without a network: every key acts, and every slide fits."""

import pytest

from eubrl_edu.course.slides import write_slides
from tests.notebooks.store import NOTEBOOKS

pytestmark = [pytest.mark.browser, pytest.mark.long]

TOO_HIGH = """() => slides.map((slide, place) => {
  show(place, true);
  return slide.scrollHeight > slide.clientHeight + 2 ? place + 1 : 0;
}).filter(Boolean)"""


@pytest.fixture
def offline(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    page = context.new_page()
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
    steps = n_slides - 1 + offline.locator(".fragment").count()
    for _ in range(steps):
        offline.keyboard.press("n")
    assert place.inner_text() == f"{n_slides} / {n_slides}"
    for key in (["b"] * (steps - 1)) + ["ArrowLeft"]:
        offline.keyboard.press(key)
    assert place.inner_text() == f"1 / {n_slides}"
    assert offline.locator(".fragment.shown").count() == 0
    offline.get_by_label("Next").click()
    assert place.inner_text() == f"2 / {n_slides}" and offline.url.endswith("#2")
    assert offline.complaints == []
