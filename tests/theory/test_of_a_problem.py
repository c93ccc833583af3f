"""Whatever in the theory is of a problem takes a `Problem`, or its fields as keywords."""

import inspect

import numpy as np
import pytest

from eubrl_edu import theory
from tests.theory.test_arguments import BAD, DISCOUNTED, GOOD

FUNCTIONS = dict(inspect.getmembers(theory, inspect.isfunction))
OF_A_PROBLEM = [
    name for name, each in FUNCTIONS.items() if "problem" in inspect.signature(each).parameters
]
FIELDS = vars(DISCOUNTED)


def others(name):
    """What the function takes besides a discounted problem."""
    return {key: value for key, value in GOOD[name][0].items() if key not in {"problem", *FIELDS}}


def test_no_function_spells_a_problem_out():
    assert len(OF_A_PROBLEM) >= 28
    for name in set(FUNCTIONS) - set(OF_A_PROBLEM):
        assert not {"n_states", "delta"} <= set(inspect.signature(FUNCTIONS[name]).parameters)


@pytest.mark.parametrize("name", OF_A_PROBLEM)
def test_a_problem_and_its_fields_say_the_same(name):
    function, more = FUNCTIONS[name], others(name)
    expected = function(DISCOUNTED, **more)
    np.testing.assert_equal(function(problem=DISCOUNTED, **more), expected)
    np.testing.assert_equal(function(**FIELDS, **more), expected)
    without = {key: FIELDS[key] for key in ("n_states", "n_actions", "delta", "discount")}
    np.testing.assert_equal(function(**without, **more), expected)  # whose R_max is 1


@pytest.mark.parametrize("name", OF_A_PROBLEM)
def test_both_or_neither_or_what_is_no_problem_is_refused(name):
    function, more = FUNCTIONS[name], others(name)
    for both in (lambda: function(DISCOUNTED, delta=0.1, **more),
                 lambda: function(problem=DISCOUNTED, **FIELDS, **more)):  # fmt: skip
        with pytest.raises(TypeError, match=f"{name} takes either a Problem, .* got both"):
            both()
    with pytest.raises(TypeError, match=f"{name} takes either a Problem, .*delta.* got neither"):
        function(**more)
    for bad in BAD["problem"]:
        with pytest.raises(ValueError, match="problem must be"):
            function(bad, **more)
    for field, value in FIELDS.items():
        for bad in BAD[field] if value is not None else ():
            with pytest.raises(ValueError, match=rf"\b{field}\b"):
                function(**{**FIELDS, field: bad}, **more)
    with pytest.raises(TypeError, match="delta"):
        function(n_states=5, n_actions=2, discount=0.9, **more)
