"""BoundsLab promises as much as the δ that it shows."""

import re

import pytest

from eubrl_edu.labs import BoundsLab


@pytest.mark.parametrize(
    ("delta", "words"),
    [
        (10**-0.5, "δ = 0.32\\. .* with probability at least 0.68\\."),
        (1e-6, "with probability at least 0.999999\\."),
        (1.0, "with probability 0 or more: δ = 1 promises nothing\\."),
    ],
)
def test_the_probability_is_one_less_the_delta_that_is_shown(delta, words):
    assert re.search(words, repr(BoundsLab(delta=delta)))
