"""What holds for every lab of the package, whoever wrote it."""

import html
import importlib
import io
import pkgutil

import ipywidgets
import numpy as np
import pytest
from PIL import Image

import eubrl_edu.labs
from eubrl_edu.labs.lab import Lab


def all_labs() -> list[type[Lab]]:
    for module in pkgutil.iter_modules(eubrl_edu.labs.__path__):
        importlib.import_module(f"eubrl_edu.labs.{module.name}")
    found = [Lab]
    for lab in found:
        found += lab.__subclasses__()
    return [
        lab for lab in found if lab.__module__.startswith("eubrl_edu.") and hasattr(lab, "Params")
    ]


@pytest.fixture(scope="module", params=all_labs(), ids=lambda lab: lab.__name__)
def lab(request):
    return request.param()


def test_every_control_has_a_name_and_says_what_it_does(lab):
    for name, control in lab.controls.items():
        assert control.description, f"{name} needs a description"
        assert control.tooltip, f"{name} needs a tooltip"


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


def test_showing_a_lab_changes_no_value(lab):
    """A browser moves the value of a logarithmic slider to its grid as soon as it shows it."""
    params, words = lab.params, repr(lab)
    for control in lab.controls.values():
        if isinstance(control, ipywidgets.FloatLogSlider):
            step, low = control.step, control.min
            places = round((np.log(control.value) / np.log(control.base) - low) / step)
            control.value = control.base ** (low + places * step)
    assert lab.params == params
    assert repr(lab) == words


def test_presentation_changes_the_picture_and_returns(lab):
    before = lab.picture.value
    lab.presentation.value = True
    assert lab.picture.value != before
    lab.presentation.value = False
    assert lab.picture.value == before


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
    assert html.escape(repr(lab)) in lab.readout.value or "⚠" in lab.readout.value
