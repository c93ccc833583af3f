"""What holds for every lab of the package, whoever wrote it."""

import csv
import dataclasses
import io

import ipywidgets
import numpy as np
import pytest
from PIL import Image

import eubrl_edu.labs
from eubrl_edu.labs import (
    BayesOptimalLab,
    BeliefLab,
    BoundsLab,
    DecompositionLab,
    GuidanceLab,
    GuidedRewardLab,
    MisspecificationLab,
    PatienceLab,
    PlanningLab,
    PriorLab,
    UncertaintyLab,
)
from eubrl_edu.labs.bounds.scene import BAD_STEPS, OWN, THEOREM
from eubrl_edu.labs.frames import params_over, values_over
from eubrl_edu.labs.lab import Lab


def all_labs() -> list[type[Lab]]:
    return [getattr(eubrl_edu.labs, name) for name in eubrl_edu.labs.__all__]


LABS = all_labs()
# Where to move each control from, so that it has something to change.
STARTS = {
    BayesOptimalLab: {"levels": 3, "eta": 0.3},
    BeliefLab: {"draws": 10},
    BoundsLab: {},
    DecompositionLab: {"steps": 60},
    GuidanceLab: {},
    GuidedRewardLab: {},
    MisspecificationLab: {"alpha": 0.3, "worse": 0.4},
    PatienceLab: {},
    PlanningLab: {"untried": "one", "sweeps": 20},
    PriorLab: {"random": "both"},
    UncertaintyLab: {"n": 10},
}
NEEDS = {
    (BeliefLab, "alpha0"): {"reward_model": "Beta-Bernoulli"},
    (BeliefLab, "beta0"): {"reward_model": "Beta-Bernoulli"},
    (BoundsLab, "epsilon"): {"picture": BAD_STEPS},
    (BoundsLab, "alpha"): {"agent": OWN},
    (BoundsLab, "tau"): {"agent": OWN},
    (BoundsLab, "eta"): {"agent": OWN},
    (DecompositionLab, "beta0"): {"world": "2 loops"},  # in the Chain the rewards are known
}
# These have values that do not go with the others; tests of their labs say what is answered.
MAY_BE_REFUSED = {
    (BoundsLab, "epsilon"),
    (MisspecificationLab, "better"),
    (MisspecificationLab, "worse"),
}
# A prior mean moves the penalty Λ_R, which is a number in the words.
ONLY_IN_WORDS = {(PriorLab, "mu0")}
FAR = {
    BayesOptimalLab: {
        "tries": 9,
        "levels": 5,
        "eta": 5.0,
        "against": "PSRL",
        "worlds": "poor arms",
    },
    BeliefLab: {"draws": 300, "alpha": 50.0, "reward_model": "Beta-Bernoulli"},
    BoundsLab: {"picture": BAD_STEPS, "n_states": 40, "delta": 0.5, "agent": THEOREM},
    DecompositionLab: {"world": "sea of 4 rows", "steps": 40, "discount": 0.5, "m": 20},
    GuidanceLab: {"eta": 10.0, "n": 500, "true_mean": 2.0},
    GuidedRewardLab: {"probability": 0.1, "mean_reward": -1.0, "known": 0.1, "truth": "worse"},
    MisspecificationLab: {"alpha": 0.1, "worse": 0.2, "steps": 20, "n_agents": 50},
    PatienceLab: {"size": 300, "patience": 50.0, "flip": 0.4},
    PlanningLab: {"world": "2 loops", "sweeps": 3, "discount": 0.5, "untried": "all", "worth": 2.0},
    PriorLab: {"alpha": 30.0, "reward_prior": "known", "random": "both"},
    UncertaintyLab: {"die": "certain", "n": 500, "alpha": 50.0, "measure": "variance"},
}


def name_of(lab: type[Lab]) -> str:
    return lab.__name__


@pytest.fixture(scope="module", params=LABS, ids=name_of)
def lab(request):
    return request.param()


def test_every_control_has_a_name_and_says_what_it_does(lab):
    for name, control in lab.controls.items():
        assert control.description, f"{name} needs a description"
        assert control.tooltip, f"{name} needs a tooltip"


@pytest.mark.long
def test_same_settings_give_the_same_picture_and_words(lab):
    again = type(lab)()
    assert again.picture.value == lab.picture.value
    assert repr(again) == repr(lab)


def test_picture_is_a_picture_and_words_are_words(lab):
    pixels = np.asarray(Image.open(io.BytesIO(lab.picture.value)))
    assert pixels.std() > 1
    assert len(lab.describe(lab.state)) > 20


def test_computing_again_gives_the_same_words(lab):
    assert lab.describe(lab.compute(lab.params)) == repr(lab)


def test_every_number_of_its_data_has_a_name_and_a_place_of_its_own(lab, tmp_path):
    with lab.save_data(tmp_path / "data.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["quantity"], row["place"]) for row in rows}) == len(rows)
    numbers = {}
    for row in rows:
        numbers.setdefault(row["quantity"], []).append(float(row["value"]))
    assert any(not name.startswith("params.") for name in numbers)
    for field in dataclasses.fields(lab.state):
        value = getattr(lab.state, field.name)
        if isinstance(value, int | float) or getattr(value, "dtype", np.dtype("O")).kind in "biuf":
            found = numbers.get(field.name, [])
            np.testing.assert_array_equal(found, np.ravel(value), err_msg=field.name)


def test_showing_a_lab_changes_no_value(lab):
    """A browser moves the value of a slider to its grid, inexactly, as soon as it shows it."""
    params, words = lab.params, repr(lab)
    for control in lab.controls.values():
        step = getattr(control, "step", None)
        if isinstance(control, ipywidgets.FloatLogSlider):
            places = round((np.log(control.value) / np.log(control.base) - control.min) / step)
            control.value = control.base ** (control.min + places * step)
        elif isinstance(control, ipywidgets.FloatSlider):
            places = round((control.value - control.min) / step)
            control.value = np.nextafter(control.min + places * step, control.max)
    assert lab.params == params
    assert repr(lab) == words


@pytest.mark.long
def test_presentation_enlarges_the_letters_and_returns(lab):
    before = lab.picture.value
    small = lab.figure.axes[0].title.get_fontsize()
    lab.presentation.value = True
    assert lab.picture.value != before
    assert lab.figure.axes[0].title.get_fontsize() > 1.5 * small
    lab.presentation.value = False
    assert lab.picture.value == before


@pytest.mark.parametrize(
    ("kind", "settings"),
    [(lab, {}) for lab in LABS] + [(BeliefLab, vars(BeliefLab.situations["Plenty of data"][1]))],
)
def test_a_page_may_have_told_numpy_to_raise(kind, settings):
    with np.errstate(all="raise"):
        kind().set(**settings)


@pytest.mark.long
@pytest.mark.parametrize("kind", [lab for lab in LABS if lab.situations], ids=name_of)
def test_a_situation_button_sets_every_control(kind):
    lab = kind()
    for button, (name, (tooltip, params)) in zip(
        lab.situation_buttons, kind.situations.items(), strict=True
    ):
        lab.set(**FAR.get(kind, {}) | ({"seed": 5} if "seed" in lab.controls else {}))
        button.click()
        assert (button.description, button.tooltip) == (name, tooltip)
        assert lab.params == params
        assert repr(lab) == lab.describe(lab.state_at(params))


@pytest.mark.parametrize("kind", STARTS, ids=name_of)
def test_every_control_acts(kind):
    require_acting(kind, over_all_its_range=False)


@pytest.mark.parametrize("kind", STARTS, ids=name_of)
def test_a_page_takes_no_place_that_a_slider_has_not(kind):
    lab = kind()
    sliders = ipywidgets.FloatLogSlider | ipywidgets.FloatSlider | ipywidgets.IntSlider
    for name, control in lab.controls.items():
        if isinstance(control, sliders):
            assert list(params_over(lab, values_over(lab, name, {1: 20})))


@pytest.mark.long
@pytest.mark.parametrize("kind", STARTS, ids=name_of)
def test_every_control_acts_over_all_its_range(kind):
    require_acting(kind, over_all_its_range=True)


def require_acting(kind: type[Lab], over_all_its_range: bool) -> None:
    """Each control changes words and picture somewhere, which is looked for from its ends on."""
    lab = kind()
    start = vars(lab.params)
    for name, control in lab.controls.items():
        lab.set(**start | STARTS[kind] | NEEDS.get((kind, name), {}))
        assert control.layout.display != "none" and not control.disabled, name
        words, pictures = set(), set()
        first, *middle, last = values_of(control)
        for value in (first, last, *middle):
            control.value = value
            assert "nan" not in repr(lab), (name, value)
            if (kind, name) not in MAY_BE_REFUSED:
                assert "⚠" not in lab.readout.value, (name, value)
            words.add(repr(lab)), pictures.add(lab.picture.value)
            acts = len(words) > 1 and (len(pictures) > 1 or (kind, name) in ONLY_IN_WORDS)
            if acts and not over_all_its_range:
                break
        assert acts, name


def values_of(control: ipywidgets.Widget) -> list:
    """A few values of a control, its ends among them."""
    if hasattr(control, "options"):
        return control.options
    if isinstance(control, ipywidgets.FloatLogSlider):
        return control.base ** np.linspace(control.min, control.max, 3)
    if isinstance(control, ipywidgets.FloatSlider):
        return np.linspace(control.min, control.max, 4)
    return [control.min, (control.min + control.max) // 2, control.max]


@pytest.mark.long
@pytest.mark.parametrize("kind", FAR, ids=name_of)
def test_the_same_settings_give_the_same_picture_by_any_way(kind):
    lab = kind()
    start, picture, words = vars(lab.params), lab.picture.value, repr(lab)
    lab.set(**FAR[kind])
    lab.presentation.value = True
    lab.presentation.value = False
    assert lab.picture.value != picture
    lab.set(**start)
    assert (lab.picture.value, repr(lab)) == (picture, words)


@pytest.mark.long
@pytest.mark.parametrize("kind", STARTS, ids=name_of)
def test_artists_that_were_moved_show_what_new_ones_would(kind):
    lab = kind()
    start = vars(lab.params) | STARTS[kind]
    for name, control in lab.controls.items():
        lab.set(**start | NEEDS.get((kind, name), {}))
        values = values_of(control)
        control.value = values[-1] if control.value != values[-1] else values[0]
        moved = lab.picture.value
        lab.canvas.forget()
        lab.refresh()
        assert lab.picture.value == moved, name


def some_value(control: ipywidgets.Widget, rng: np.random.Generator):
    """A value that a person could give the control, often at an end of its range."""
    if isinstance(control, ipywidgets.Checkbox):
        return bool(rng.integers(2))
    if hasattr(control, "options"):
        return control.options[rng.integers(len(control.options))]
    if hasattr(control, "switches"):
        return tuple(name for name in control.switches if rng.random() < 0.3)
    if not hasattr(control, "min"):
        return type(control.value)(rng.choice([-1, 0, 1, 7, 30, 10**9]))
    low, high = control.min, control.max
    share = rng.choice([0.0, 1.0, rng.random()])
    if isinstance(control, ipywidgets.FloatLogSlider):
        return control.base ** (low + share * (high - low))
    return type(control.value)(low + share * (high - low))


@pytest.mark.long
def test_random_use_never_breaks_it(lab):
    rng = np.random.default_rng(0)
    names = list(lab.controls)
    for _ in range(100):
        name = names[rng.integers(len(names))]
        lab.controls[name].value = some_value(lab.controls[name], rng)
        assert len(lab.readout.value) > 50
        Image.open(io.BytesIO(lab.picture.value)).load()
    # What is shown is what its words say, or the words say why not.
    assert lab.readout.words == repr(lab) or "⚠" in lab.readout.value
