"""The pictures of claims: what is drawn is what the formulas give."""

import numpy as np
import pytest
from scipy import stats

from eubrl_edu.plotting.claims import picture_of_jensen_gap, picture_of_variances


def test_variances_are_those_of_the_posteriors_and_the_words_say_where_they_rise():
    picture = picture_of_variances(1.0, {"even": [1, 0, 1, 0], "surprise": [1, 1, 1, 0]})
    even, surprise, envelope = picture.figure.axes[0].lines
    expected = [stats.beta(1 + k, 1).var() for k in range(4)] + [stats.beta(4, 2).var()]
    np.testing.assert_allclose(surprise.get_ydata(), expected)
    for line in (even, surprise):
        assert (line.get_ydata() <= envelope.get_ydata() + 1e-12).all()
    assert picture.words.splitlines() == [
        "even: the variance falls with every observation.",
        "surprise: the variance rises at n = 4.",
    ]


def test_the_gap_on_the_right_is_the_distance_on_the_left():
    picture = picture_of_jensen_gap(4.0, [1.0, 4.0])
    left, right = picture.figure.axes
    exact, guided = (line.get_ydata() for line in left.lines)
    of_one, peak_of_one, of_four, peak_of_four = right.lines
    np.testing.assert_allclose(of_four.get_ydata(), exact - guided, atol=1e-12)
    for curve, peak in ((of_one, peak_of_one), (of_four, peak_of_four)):
        assert peak.get_ydata()[0] == pytest.approx(curve.get_ydata().max(), abs=1e-3)
    assert "E_b − r_b = 4: the gap is widest at P_U = 0.23" in picture.words
