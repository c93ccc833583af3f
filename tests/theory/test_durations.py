"""A bound for less than one step, or one episode, is refused in words by whatever takes a T."""

import math

import pytest

from eubrl_edu import theory
from eubrl_edu.theory.error_terms import error_scale
from eubrl_edu.theory.resistance import resistance_upper_bound

DISCOUNTED = theory.Problem(5, 2, 1.0, 0.1, discount=0.9)
EPISODIC = theory.Problem(5, 2, 1.0, 0.1, horizon=10)
FUNCTIONS = {
    "regret_lower_bound": theory.regret_lower_bound,
    "resistance_lower_bound": lambda problem, T: theory.resistance_lower_bound(problem, T, 0.5),
    "regret_lambda": theory.regret_lambda,
    "error_scale": lambda problem, T: error_scale(problem, T, 0.5),
    "error_sum_bound": lambda problem, T: theory.error_sum_bound(problem, T, 0.5),
}


@pytest.mark.parametrize("duration", [0, 0.5, -1, math.nan, math.inf])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_less_than_one_is_refused(name, duration):
    with pytest.raises(ValueError, match="steps must be a finite number of at least 1"):
        FUNCTIONS[name](DISCOUNTED, duration)
    with pytest.raises(ValueError, match="episodes must be a finite number of at least 1"):
        FUNCTIONS[name](EPISODIC, duration)


@pytest.mark.parametrize("duration", [0, math.nan])
def test_of_the_upper_bound_of_resistance_too(duration):
    with pytest.raises(ValueError, match="steps must be"):
        resistance_upper_bound(DISCOUNTED, duration)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_one_is_enough(name):
    for problem in (DISCOUNTED, EPISODIC):
        assert math.isfinite(FUNCTIONS[name](problem, 1))
