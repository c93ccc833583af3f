"""What a control makes of values: those it starts with, and those that nobody meant."""

import re

import ipywidgets
import pytest

from eubrl_edu.labs.controls import (
    button,
    choice_slider,
    dropdown,
    int_slider,
    is_same_place,
    log_slider,
    number_box,
    slider,
    start_at,
)

LINEAR = slider(-2.0, 2.0, "μ₀", "a mean")
POWERS = log_slider(-3, 3, "η", "a worth")


@pytest.mark.parametrize(
    ("control", "value", "new", "is_same"),
    [
        (LINEAR, 0.7, 0.7000000000000001, True),
        (LINEAR, 0.73, 0.7, True),  # the browser's grid has steps of 0.1
        (LINEAR, 0.7, 0.73, False),  # typed
        (LINEAR, 0.7, 0.8, False),
        (LINEAR, 0.0, -0.1, False),
        (POWERS, 0.5, 10**-0.3, True),
        (POWERS, 0.5, 0.5 * (1 - 1e-12), True),
        (POWERS, 1.0, 1.1, False),
        (POWERS, 1.0, 10**0.1, False),
        (POWERS, 0.001, 1000.0, False),
        (int_slider(0, 9, "n", "a number"), 3, 4, False),
        (ipywidgets.FloatText(), 0.7, 0.7000000000000001, False),
    ],
)
def test_only_the_browsers_own_moves_are_no_moves(control, value, new, is_same):
    assert is_same_place(control, new, value) is is_same


@pytest.mark.parametrize(
    ("control", "value", "words"),
    [
        (LINEAR, 2.5, "it must be from -2 to 2, got 2.5"),
        (POWERS, 1e-4, "it must be from 0.001 to 1000, got 0.0001"),
        (int_slider(10, 20, "n", "a number"), 9, "it must be from 10 to 20, got 9"),
        (number_box(9, "n", "a number"), 10, "it must be from 0 to 9, got 10"),
        (ipywidgets.IntText(), 1.5, "it must be an integer, got 1.5"),
        (ipywidgets.Checkbox(), "yes", "it must be True or False, got 'yes'"),
        (dropdown([1, 5], "n", "a number"), 2, "it must be one of 1, 5, got 2"),
        (choice_slider([0.5, 0.9], "γ", "a share"), 1, "it must be one of 0.5, 0.9, got 1"),
        (
            dropdown(["variance", "count"], "measure", "how"),
            "varience",
            "unknown it 'varience'; choose one of: variance, count. Did you mean 'variance'?",
        ),
    ],
)
def test_a_start_outside_the_range_is_named(control, value, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        start_at(control, "it", value)


def test_a_start_inside_the_range_is_kept():
    control = log_slider(-6, 2, "α", "a prior", width="17em", continuous_update=False)
    start_at(control, "alpha", 0.05)
    assert control.value == pytest.approx(0.05)
    assert (control.description, control.tooltip) == ("α", "a prior")
    assert control.layout.width == "17em" and not control.continuous_update


def test_a_button_does_what_it_is_for():
    done = []
    button("Go", "Go on", lambda: done.append(1)).click()
    assert done == [1]
