"""What a control makes of values: those it starts with, and those that nobody meant."""

import re
from dataclasses import dataclass, fields

import ipywidgets
import pytest

from eubrl_edu.labs.controls import button, is_same_place, stand_at, widget_of
from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.settings import (
    Settings,
    choice_slider,
    dropdown,
    int_slider,
    log_slider,
    number_box,
    slider,
    switches,
)
from eubrl_edu.plotting.picture import Moving


def made(setting):
    """The widget of a declared setting."""
    return widget_of(setting.metadata["control"], None)


LINEAR = made(slider(0.0, -2.0, 2.0, "μ₀", "a mean"))
POWERS = made(log_slider(1.0, -3, 3, "η", "a worth"))


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
        (made(int_slider(0, 0, 9, "n", "a number")), 3, 4, False),
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
        (made(int_slider(10, 10, 20, "n", "a number")), 9, "it must be from 10 to 20, got 9"),
        (made(number_box(0, 9, "n", "a number")), 10, "it must be from 0 to 9, got 10"),
        (ipywidgets.IntText(), 1.5, "it must be an integer, got 1.5"),
        (ipywidgets.Checkbox(), "yes", "it must be True or False, got 'yes'"),
        (made(dropdown(1, [1, 5], "n", "a number")), 2, "it must be one of 1, 5, got 2"),
        (
            made(choice_slider(0.5, [0.5, 0.9], "γ", "a share")),
            1,
            "it must be one of 0.5, 0.9, got 1",
        ),
        (
            made(dropdown("count", ["variance", "count"], "measure", "how")),
            "varience",
            "unknown it 'varience'; choose one of: variance, count. Did you mean 'variance'?",
        ),
    ],
)
def test_a_start_outside_the_range_is_named(control, value, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        stand_at(control, "it", value)


def test_a_start_inside_the_range_is_kept():
    control = made(log_slider(1.0, -6, 2, "α", "a prior", width="17em", continuous_update=False))
    stand_at(control, "alpha", 0.05)
    assert control.value == pytest.approx(0.05)
    assert (control.description, control.tooltip) == ("α", "a prior")
    assert control.layout.width == "17em" and not control.continuous_update


@dataclass(frozen=True)
class Params(Settings):
    mean: float = slider(0.5, -1.0, 1.0, "μ", "a mean")
    worth: float = log_slider(1.0, -1, 1, "η", "a worth")
    draws: int = int_slider(0, 0, 9, "n", "a number")
    size: int = int_slider(10, 10, 20, "N", "a size")
    seed: int = number_box(0, 99, "seed", "luck")
    discount: float = choice_slider(0.5, [0.5, 0.9], "γ", "a share")
    measure: str = dropdown("count", ["variance", "count"], "measure", "how")
    agents: tuple = switches(("A",), {"A": "the first", "B": "the second"}, "agents", "who")


def test_settings_start_where_they_are_declared_to_and_may_lie_beyond_a_slider():
    assert Params() == Params(0.5, 1.0, 0, 10, 0, 0.5, "count", ("A",))
    assert Params(mean=3.0, worth=1e4, draws=12, size=5).size == 5


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"mean": float("nan")}, "mean must be a finite number, got nan"),
        ({"worth": float("inf")}, "worth must be a finite number, got inf"),
        ({"draws": -1}, "draws must be an integer of at least 0, got -1"),
        ({"size": 0}, "size must be an integer of at least 1, got 0"),
        ({"seed": 1.5}, "seed must be an integer of at least 0, got 1.5"),
        ({"discount": 0.7}, "discount must be one of (0.5, 0.9), got 0.7"),
        ({"measure": "cuont"}, "unknown measure 'cuont'; choose one of: variance, count. Did you"),
    ],
)
def test_a_setting_that_cannot_be_is_named(values, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        Params(**values)


class Nothing(Moving):
    def __init__(self, figure, state):
        pass

    def draw(self, state):
        pass


def test_a_lab_shows_its_declared_settings_and_no_more():
    class Toy(Lab):
        """Shows nothing but its controls."""

        Params = Params
        Picture = Nothing

        def compute(self, params):
            return params

        def describe(self, state):
            return ""

    controls = Toy(agents=("B",)).controls
    assert list(controls) == [field.name for field in fields(Params)]
    assert Toy.__doc__.startswith("Shows nothing but its controls.\n\nParameters\n")
    assert "worth : float, default 1.0\n    a worth." in Toy.__doc__
    assert all(f"\n{field.name} : " in Toy.__doc__ for field in fields(Params))
    assert (controls["worth"].min, controls["worth"].max) == (-1, 1)
    assert controls["discount"].options == (0.5, 0.9)
    assert {control.description for control in controls.values()} == {
        *("μ", "η", "n", "N", "seed", "γ", "measure", "agents")
    }


def test_a_trait_may_follow_from_what_a_lab_starts_with():
    declared = int_slider(3, 0, lambda start: 2 * start, "n", "a number").metadata["control"]
    assert widget_of(declared, 5).max == 10


def test_a_button_does_what_it_is_for():
    done = []
    button("Go", "Go on", lambda: done.append(1)).click()
    assert done == [1]
