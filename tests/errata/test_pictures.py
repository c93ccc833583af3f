"""The pictures of claims: what is drawn is what the formulas give."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from eubrl_edu.errata.pictures import (
    picture_of_jensen_gap,
    picture_of_quasi_optimism,
    picture_of_variances,
)


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


VISITS = np.array([1, 10, 100])


def check(shortfall, first_failure):
    return SimpleNamespace(
        visits=VISITS,
        shortfall=np.array(shortfall),
        allowed=np.array([0.1, 0.2, 0.2]),
        bonus=np.array([5.0, 1.0, 0.1]),
        needed=np.array([3.0, 0.3, 0.03]),
        first_failure=first_failure,
    )


CHECKS = {"one": check([0.0, 0.3, 0.5], 10), "other": check([0.0, 0.1, 0.2], None)}


def test_words_tell_where_it_breaks_and_where_it_is_worst():
    one, other = picture_of_quasi_optimism(CHECKS).words.splitlines()
    assert one == (
        "one: of the n looked at, 10 is the first at which V* − Ṽ is more than allowed;"
        " at n = 100 it is 0.5000, and 0.2000 is allowed."
    )
    assert other == "other: V* − Ṽ is never more than allowed."


def test_each_prior_has_its_lines_and_the_first_its_limits():
    bonus, shortfall = picture_of_quasi_optimism(CHECKS).figure.axes
    lines = {line.get_label(): line.get_ydata() for line in shortfall.lines}
    for name, view in CHECKS.items():
        np.testing.assert_array_equal(lines[name], view.shortfall)
    np.testing.assert_array_equal(lines["allowed, one"], CHECKS["one"].allowed)
    assert [line.get_label() for line in bonus.lines] == ["one", "other", "needed, one"]
