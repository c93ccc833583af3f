"""What holds for every lab of the package, whoever wrote it."""

import importlib
import io
import pkgutil

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


def test_presentation_changes_the_picture_and_returns(lab):
    before = lab.picture.value
    lab.presentation.value = True
    assert lab.picture.value != before
    lab.presentation.value = False
    assert lab.picture.value == before
