"""The picture of quasi-optimism: whose lines it draws, and that its words tell where it breaks."""

from types import SimpleNamespace

import numpy as np

from eubrl_edu.plotting.counterexample import picture_of_quasi_optimism

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
        "one: from n = 10 on, V* − Ṽ is more than allowed;"
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
