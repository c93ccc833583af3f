"""A lab that asks first: nothing of the answer is seen until there is a prediction, or a click."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from eubrl_edu.labs import PlanningLab, UncertaintyLab, covering
from eubrl_edu.labs.prediction import Choice, Number

SWEEPS = Number(
    "How many sweeps?",
    range(0, 21),
    lambda state: int((state.swept[:, 0] > 0).argmax()),
    right="As far as it is.",
    too_low="One cell a sweep.",
    too_high="Count from the goal.",
    common={8: "The goal counts itself."},
    unit="sweeps",
)
DIE = Choice(
    "Fair or <loaded>?",
    {"fair": "Look again.", "loaded": "Just so."},
    lambda state: "loaded" if state.params.die == "loaded" else "fair",
)


def covered(**settings):
    return PlanningLab(prediction=SWEEPS, **settings)


@pytest.fixture(scope="module")
def open_lab():
    """One that asks nothing, to compare with."""
    return PlanningLab()


def test_nothing_of_the_answer_is_seen(open_lab):
    lab = covered()
    assert lab.is_covered and "eubrl-covered" in lab._dom_classes
    bundle = lab._repr_mimebundle_()
    stored = base64.b64decode(bundle["image/png"])
    assert open_lab.picture.value not in (stored, lab.picture.value)
    assert bundle["text/plain"] == repr(lab) == lab.front.words == lab.readout.words
    assert repr(lab).startswith("○ Covered") and "How many sweeps? From 0 to 20 sweeps." in repr(
        lab
    )
    # The page does not jump when it is uncovered, and other values give nothing away.
    sizes = {Image.open(io.BytesIO(each.picture.value)).size for each in (lab, open_lab)}
    assert len(sizes) == 1
    other = covered(world="chain", sweeps=3)
    assert other.picture.value == lab.picture.value and repr(other) == repr(lab)
    assert stored == base64.b64decode(other._repr_mimebundle_()["image/png"])
    lab.set(sweeps=7)
    lab.presentation.value = True
    assert lab.picture.value == other.picture.value and repr(lab) == repr(other)


def test_a_cover_is_a_picture_and_is_sharp_where_the_page_is():
    lab = covered()
    small = np.asarray(Image.open(io.BytesIO(lab.picture.value)))
    assert small.std() > 1
    lab.front.ratio = 2.0
    assert Image.open(io.BytesIO(lab.picture.value)).width == 2 * small.shape[1]
    stored = base64.b64decode(lab._repr_mimebundle_()["image/png"])
    assert Image.open(io.BytesIO(stored)).width == small.shape[1]


def test_only_a_stored_cover_sends_the_reader_to_a_notebook(monkeypatch):
    """Where the lab runs, in a page or on the stage, there is nothing to go and open."""
    lab, written = covered(), []
    monkeypatch.setattr(
        covering.Figure, "text", lambda figure, x, y, words, **look: written.append(words)
    )
    covering._cover.cache_clear()
    lab.seen(), lab.stored()
    covering._cover.cache_clear()
    _, live, _, stored = written
    assert "above" in live and "notebook" not in live and "running notebook" in stored


def test_a_verdict_is_not_taken_for_one_on_another_situation():
    lab = covered()
    lab.predict(8)
    (box,) = lab.asked.children
    alone, said = box.value, lab.front.verdict
    assert said in alone and "other settings" not in alone
    lab.situation_buttons[1].click()
    assert f"Asked before, with other settings: {said}" in box.value
    assert lab.front.verdict == said and lab.asked.children == (box,)
    lab.load(**vars(PlanningLab.Params()))
    assert box.value == alone


def test_a_situation_before_the_answer_is_the_one_that_is_judged():
    lab = covered()
    lab.load(**vars(PlanningLab.situations["Far-sighted"][1]))
    lab.predict(8)
    assert "other settings" not in lab.asked.children[0].value


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (7, "✓ You said 7 sweeps. It is 7 sweeps. As far as it is."),
        (1, "✗ You said 1 sweep. It is 7 sweeps. One cell a sweep."),
        (20, "✗ You said 20 sweeps. It is 7 sweeps. Count from the goal."),
        (8, "✗ You said 8 sweeps. It is 7 sweeps. The goal counts itself."),
        (7.4, "✓ You said 7.4 sweeps. It is 7 sweeps. As far as it is."),
    ],
)
def test_a_prediction_is_judged_and_uncovers(open_lab, answer, verdict):
    lab = covered()
    lab.predict(answer)
    assert lab.front.verdict == verdict
    assert not lab.is_covered and "eubrl-covered" not in lab._dom_classes
    assert lab.picture.value == open_lab.picture.value
    assert repr(lab) == lab.front.words == lab.readout.words == repr(open_lab)
    assert verdict in "".join(child.value for child in lab.asked.children)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("nonsense", ["many", "", None, ..., -1, 21, float("nan"), [7], True, 7j])
def test_nonsense_gets_a_hint_and_uncovers_nothing(nonsense):
    lab = covered()
    lab.predict(nonsense)
    assert "⚠ Please give a number from 0 to 20 sweeps, not " in lab.readout.value
    assert lab.is_covered and lab.front.verdict == ""
    lab.predict(7)
    assert "⚠" not in lab.readout.value and not lab.is_covered


def test_buttons_and_slider_commit(open_lab):
    lab = covered()
    slider, commit, show = lab.asked.children[1].children
    slider.value = 7
    commit.click()
    assert lab.front.verdict.startswith("✓")

    lab = covered()
    lab.asked.children[1].children[-1].click()
    assert lab.front.verdict == "○ It is 7 sweeps." and repr(lab) == repr(open_lab)

    for die, mark in (("fair", "✗ You said: loaded. It is: fair. Just so."), ("loaded", "✓")):
        lab = UncertaintyLab(die=die, prediction=DIE)
        assert "Fair or &lt;loaded&gt;?" in lab.asked.children[0].value
        answers = lab.asked.children[1].children
        assert [each.description for each in answers] == ["fair", "loaded", "Show me"]
        answers[1].click()
        assert lab.front.verdict.startswith(mark)


def test_what_the_page_held_back_counts_though_the_click_comes_first():
    lab = covered()
    slider, commit, _ = lab.asked.children[1].children
    lab.front.is_on_page = True
    slider.value = 1
    commit.click()
    assert lab.is_covered and lab.front.verdict == ""
    slider.value = 7
    lab.front._handle_custom_msg("as a page answers", [])
    assert lab.front.verdict.startswith("✓ You said 7 sweeps.")
    # A second page that shows the lab answers, too.
    verdict, slider.value = lab.front.verdict, 3
    lab.front._handle_custom_msg("as a page answers", [])
    assert lab.front.verdict == verdict


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("nonsense", ["LOADED", 1, None, ["fair"], ...])
def test_nonsense_among_choices(nonsense):
    lab = UncertaintyLab(prediction=DIE)
    lab.predict(nonsense)
    assert "⚠ An answer is one of: fair · loaded." in lab.readout.value and lab.is_covered


def test_a_lab_that_asks_nothing_is_open(open_lab):
    assert not open_lab.is_covered
    picture = open_lab.picture.value
    open_lab.uncover()
    assert open_lab.picture.value == picture
    with pytest.raises(ValueError, match="this PlanningLab asks nothing"):
        open_lab.predict(3)
