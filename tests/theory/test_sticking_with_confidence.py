"""Prior misspecification, with its probability: how many agents stay on the worse arm for ever.

See `confidence` for what is tested, and at which level.
"""

from functools import cache

import numpy as np
import pytest

from eubrl_edu import theory
from tests.theory.confidence import refuted

AGENTS, STEPS = 4000, 300
CASES = [(0.1, 0.8), (0.3, 0.6), (0.2, 0.7)]


@cache
def left(confidence, worse_mean, alpha_divided_by=1.0):
    """Which of many agents have pulled the better arm, with the prior that the theorem asks for.

    The prior, or a part of it; that an agent stays to the end is less than what is promised.
    """
    alpha = theory.required_prior(confidence, worse_mean).alpha / alpha_divided_by
    means = min(1.0, worse_mean + 0.1), worse_mean
    runs = theory.simulate_bandit(means, alpha, AGENTS, STEPS, np.random.default_rng(7))
    return (runs.actions == 0).any(axis=0)


@pytest.mark.parametrize(("confidence", "worse_mean"), CASES)
def test_it_sticks_as_often_as_promised_and_a_weaker_prior_would_not(confidence, worse_mean):
    """P(Sticky) ≥ δ0 = (1 − η)/2 with the α of the thresholds, and not with a small part of it.

    A true statement is rejected with probability 1e-4 at most.
    """
    may_leave = 1 - theory.guaranteed_sticking(confidence)
    assert not refuted(left(confidence, worse_mean), may_leave)
    divisor = 1.0
    while not refuted(left(confidence, worse_mean, divisor), may_leave):
        divisor *= 2
        assert divisor < 1e4, "no prior is too weak"


@pytest.mark.parametrize(("confidence", "worse_mean"), CASES)
def test_the_probability_as_printed_is_refuted(confidence, worse_mean):
    """“With probability greater than 1 − δ0” is more than half: see the errata."""
    assert refuted(left(confidence, worse_mean), theory.guaranteed_sticking(confidence))


def measured():
    """The rows of the table of `confidence`; a share above 1 is an agent that left."""
    return [
        (
            f"sticking, μ2 = {worse_mean}, η = {confidence}, α/{divisor}",
            2.0 * left(confidence, worse_mean, divisor),
            1 - theory.guaranteed_sticking(confidence),
        )
        for confidence, worse_mean in CASES
        for divisor in (1.0, 8.0, 64.0, 512.0)
    ]
