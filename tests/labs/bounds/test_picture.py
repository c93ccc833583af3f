"""The picture of a bound: numbers for the eye, and words that do not get in each other's way."""

import pytest

from eubrl_edu.labs import BoundsLab
from eubrl_edu.labs.bounds.scene import AGENTS, OWN, PICTURES, Params
from eubrl_edu.plotting.names import in_powers
from tests.plotting.words import require_apart

SIZES = {
    "small": {"n_states": 1, "n_actions": 1, "discount": 0.5, "delta": 1.0},
    "the Chain": {},
    "with a prior": {"agent": OWN, "alpha": 100.0},
    "large": {"n_states": 100, "n_actions": 20, "discount": 0.999, "delta": 1e-6},
}


@pytest.fixture(scope="module")
def one_lab():
    return BoundsLab()


@pytest.fixture
def show(one_lab):
    """A function that puts the lab at these settings: one for all, as its run takes a while."""

    def show_(**settings):
        one_lab.set(**vars(Params()) | settings)
        return one_lab

    yield show_
    one_lab.presentation.value = False


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"), (152.11, "152"), (20000, "20,000"), (0.1, "0.1"), (0.0912, "0.0912"),
        (1e5, "1.0·10⁵"), (2.06e8, "2.1·10⁸"), (4e-6, "4.0·10⁻⁶"), (1000, "1,000"),
        (99999.7, "1.0·10⁵"), (9.97e5, "1.0·10⁶"),
    ],
)  # fmt: skip
def test_numbers_for_the_eye(value, words):
    assert in_powers(value) == words


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("picture", PICTURES)
def test_words_do_not_overlap(show, picture, size):
    for steps in (1.0, 1e15):
        lab = show(picture=picture, steps=steps, **SIZES[size])
        for presentation in (False, True):
            lab.presentation.value = presentation
            shown = lab.panels
            renderer = lab.canvas.drawing.agg.get_renderer()
            words = [*shown.verdicts, shown.headline, shown.title, shown.block_words]
            words += [shown.legend.words, shown.strip_axes.title, shown.places_ruler.name]
            words += [ruler.numbers for ruler in shown.rulers]
            require_apart(lab.figure, renderer, words)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("picture", PICTURES)
def test_the_legend_names_every_line_and_no_other(show, picture, agent):
    shown = show(picture=picture, agent=agent).panels
    drawn = {line.get_color() for line in shown.lines.values() if len(line.get_xdata())}
    named = [handle for handle in shown.legend.handles.values() if handle.get_visible()]
    assert {handle.get_color() for handle in named} == drawn
    assert len(named) == sum(bool(len(line.get_xdata())) for line in shown.lines.values())
