import math
import re

import numpy as np
import pytest

from eubrl_edu.names import require_choice
from eubrl_edu.validation import (
    require_above,
    require_at_least,
    require_between,
    require_discount,
    require_finite,
    require_index,
    require_list,
    require_positive_int,
    require_sizes,
)

NOT_NUMBERS = [math.nan, math.inf, -math.inf, None, "1", "much", [1.0, 2.0], 1j, 10**400]
NOT_INTEGERS = [1.0, 0.5, math.nan, None, "1", [1], np.array([1, 2]), np.array(1.7)]


def assert_refused(check, *mentioned):
    mentioned = [text[:300] for text in mentioned]  # what is long is cut off
    with pytest.raises(ValueError, match=".*".join(re.escape(text) for text in mentioned)):
        check()


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3), np.array(3)])
def test_integers_of_any_kind_become_plain_ones(value):
    for result in (require_positive_int("steps", value), require_index("state", value, 4)):
        assert result == 3
        assert type(result) is int


@pytest.mark.parametrize("value", [0, -1, True, *NOT_INTEGERS])
def test_positive_int_refuses(value):
    assert_refused(
        lambda: require_positive_int("size", value),
        "size must be an integer of at least 1, got",
        repr(value),
    )


@pytest.mark.parametrize("value", [-1, 4, 10**30, *NOT_INTEGERS])
def test_index_refuses(value):
    assert_refused(
        lambda: require_index("state", value, 4),
        "state must be an integer from 0 to 3, got",
        repr(value),
    )


@pytest.mark.parametrize("value", [1e-50, 2, np.float32(0.5), np.array(0.5)])
def test_above_accepts(value):
    result = require_above("alpha", value, 0)
    assert result == value
    assert type(result) is float


@pytest.mark.parametrize(
    ("value", "limit"),
    [(1e51, "at most 1e+50"), (-1e51, "at most 1e+50"), (1e-51, "at least 1e-50")],
)
def test_what_would_leave_the_range_of_floats_is_refused(value, limit):
    if value > 0:
        assert_refused(lambda: require_above("eta", value, 0), f"eta must be {limit}", repr(value))
    if abs(value) > 1:
        assert_refused(lambda: require_finite("eta", value), f"eta must be {limit}", repr(value))


def test_an_error_shows_what_cannot_be_printed_and_cuts_what_is_long():
    class Mute:
        def __repr__(self):
            raise RuntimeError

    assert_refused(lambda: require_finite("r", Mute()), "got a value of type Mute")
    assert_refused(lambda: require_index("s", 10**5000, 2), "got a value of type int")
    with pytest.raises(ValueError) as caught:
        require_finite("r", list(range(10**5)))
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("sizes", "named"),
    [((10**9, 10), "n_states times"), ((1, 10**20), "n_actions"), ((0, 1), "n_st")],
)
def test_sizes_that_would_not_fit_into_memory_are_refused(sizes, named):
    assert require_sizes(500_000, 2) == (500_000, 2)
    assert_refused(lambda: require_sizes(*sizes), named)


@pytest.mark.parametrize("value", [0, -1e-9, *NOT_NUMBERS])
def test_above_refuses(value):
    assert_refused(
        lambda: require_above("alpha", value, 0),
        "alpha must be a finite number greater than 0, got",
        repr(value),
    )


@pytest.mark.parametrize("value", [-1e-9, *NOT_NUMBERS])
def test_at_least_refuses(value):
    assert require_at_least("eta", 0, 0) == 0.0
    assert_refused(
        lambda: require_at_least("eta", value, 0),
        "eta must be a finite number of at least 0, got",
        repr(value),
    )


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_finite_refuses(value):
    assert require_finite("reward", -2) == -2.0
    assert_refused(
        lambda: require_finite("reward", value), "reward must be a finite number, got", repr(value)
    )


@pytest.mark.parametrize("value", [1.0, 1.5, -0.1, *NOT_NUMBERS])
def test_discount_without_a_horizon(value):
    assert require_discount(0) == 0.0
    assert require_discount(0.9999) == 0.9999
    assert_refused(
        lambda: require_discount(value),
        "discount must be in [0, 1) when there is no horizon, got",
        repr(value),
    )


@pytest.mark.parametrize("value", [1.0001, -0.1, *NOT_NUMBERS])
def test_discount_with_a_horizon(value):
    assert require_discount(1, horizon=5) == 1.0
    assert_refused(
        lambda: require_discount(value, horizon=5), "discount must be in [0, 1], got", repr(value)
    )


def test_choice_lists_the_choices_and_the_closest():
    choices = ("variance", "mutual-information", "count")
    assert require_choice("uncertainty", "count", choices) == "count"
    with pytest.raises(ValueError) as caught:
        require_choice("uncertainty", "varience", choices)
    message = str(caught.value)
    assert "unknown uncertainty 'varience'" in message
    assert "variance, mutual-information, count" in message
    assert message.endswith("Did you mean 'variance'?")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("deepsea", "Did you mean 'deepsea-calm' or 'deepsea-rough'?"),
        ("deepsea-r", "Did you mean 'deepsea-rough'?"),
        ("loop", "Did you mean 'Loop'?"),
        ("lo", "Did you mean 'Loop' or 'Loop-scaling'?"),
        ("depsea-calm", "Did you mean 'deepsea-calm'?"),
        ("lola", "choose one of: deepsea-calm, deepsea-rough, Loop, Loop-scaling."),
        ("", "choose one of: deepsea-calm, deepsea-rough, Loop, Loop-scaling."),
    ],
)
def test_choice_suggests_all_that_begin_so(value, hint):
    choices = ("deepsea-calm", "deepsea-rough", "Loop", "Loop-scaling")
    with pytest.raises(ValueError) as caught:
        require_choice("study", value, choices)
    assert str(caught.value).endswith(hint)


def test_choice_suggests_nothing_where_nothing_is_close():
    with pytest.raises(ValueError, match=r"choose one of: a, b\.$"):
        require_choice("world", "frozenlake", ("a", "b"))
    with pytest.raises(ValueError, match="unknown world None"):
        require_choice("world", None, ("a", "b"))


@pytest.mark.parametrize("values", [("b", "a", "b"), iter("bab"), {"b": 1, "a": 2}])
def test_a_list_has_each_value_once_in_its_order(values):
    assert require_list("agents", values) == ["b", "a"]


@pytest.mark.parametrize("values", ["EUBRL", None, 3])
def test_what_is_no_list_is_refused(values):
    assert_refused(lambda: require_list("agents", values), "agents must be a list", repr(values))


NOT_ONE = [
    *(True, np.True_, np.array(True), None, "1", 1j),
    *(np.timedelta64(1), np.datetime64("1970-01-01T00:00:00.000000001", "ns")),
]


@pytest.mark.parametrize("value", NOT_ONE)
def test_between_refuses(value):
    assert_refused(
        lambda: require_between("mean", value, 0, 1), "mean must be in [0, 1], got", repr(value)
    )


def test_between_takes_a_matrix_of_truths():
    assert (require_between("chances", np.eye(2) > 0, 0, 1) == np.eye(2)).all()
