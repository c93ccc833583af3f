"""UncertaintyLab without a browser: its split and its cloud against Monte Carlo and SciPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from eubrl_edu.labs import UncertaintyLab
from eubrl_edu.labs.uncertainty.picture import CORNERS, dirichlets, places, sizes_in_words
from eubrl_edu.labs.uncertainty.scene import (
    DICE,
    MEASURES,
    N_WORLDS,
    Params,
    compute,
    draw_worlds,
    log_density,
)

ANY_PARAMS = st.builds(
    Params,
    die=st.sampled_from(sorted(DICE)),
    n=st.integers(0, 1000),
    alpha=st.floats(-2, 2).map(lambda power: 10**power),
    measure=st.sampled_from(MEASURES),
    seed=st.integers(0, 99),
)


def uncertainty_of(dice, measure):
    if measure == "entropy":
        return stats.entropy(dice, axis=-1)
    return (dice * (1 - dice)).sum(-1)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("die", "n", "alpha"), [("fair", 0, 1.0), ("loaded", 20, 0.3), ("certain", 3, 2.0)]
)
def test_the_split_is_what_an_average_over_many_dice_says(die, n, alpha, measure):
    state = compute(Params(die, n, alpha, measure))
    dice = np.random.default_rng(1).dirichlet(alpha + state.counts, size=200_000)
    own = uncertainty_of(dice, measure)
    four_errors = 4 * own.std() / np.sqrt(len(own))
    assert abs(state.split.dice - own.mean()) < four_errors
    assert abs(state.split.total - uncertainty_of(dice.mean(axis=0), measure)) < 0.005


@given(ANY_PARAMS)
def test_what_is_written_adds_up(params):
    split = compute(params).split
    total, dice, doubt = (float(size) for size in sizes_in_words(split))
    if split.total >= 0.01:
        assert round(dice + doubt, 3) == total
    sizes = np.array([split.total, split.dice, split.doubt])
    off = np.abs([total, dice, doubt] - sizes)
    assert (off <= 0.001 + 1e-12).all() and min(dice, doubt) >= 0


@given(ANY_PARAMS)
def test_the_parts_are_parts(params):
    state = compute(params)
    assert 0 <= state.split.doubt <= state.split.total + 1e-12
    assert state.counts.sum() == params.n
    assert 0 <= state.probability_of_uncertainty <= 1.5
    np.testing.assert_allclose(state.worlds.sum(axis=1), 1)


def test_the_two_dice_of_the_question_are_equally_open_and_only_one_is_in_doubt():
    fair, unknown = compute(Params(n=1000)).split, compute(Params()).split
    assert fair.total == pytest.approx(unknown.total, rel=0.01)
    assert fair.doubt < 0.005 * unknown.doubt


@pytest.mark.parametrize("parameters", [(0.05, 0.2, 1.0), (1.0, 1.0, 1.0), (40.0, 3.0, 7.0)])
def test_worlds_are_dirichlet_draws(parameters):
    parameters = np.array(parameters)
    rng = np.random.default_rng(0)
    dice = np.concatenate([draw_worlds(parameters, rng) for _ in range(20)])
    assert len(dice) == 20 * N_WORLDS
    for face, parameter in enumerate(parameters):
        marginal = stats.beta(parameter, parameters.sum() - parameter)
        assert stats.kstest(dice[:, face], marginal.cdf).pvalue > 1e-3


def test_worlds_move_little_when_the_belief_moves_little():
    clouds = [
        draw_worlds(np.full(3, alpha), np.random.default_rng(3)) for alpha in (1.0, 1.01, 2.0)
    ]
    small, large = (np.abs(cloud - clouds[0]).max() for cloud in clouds[1:])
    assert small < 0.01 < large


def test_density_is_scipys():
    dice = np.random.default_rng(0).dirichlet([1, 1, 1], 5)
    parameters = np.array([0.4, 2.0, 3.0])
    expected = [stats.dirichlet(parameters).logpdf(die) for die in dice]
    np.testing.assert_allclose(log_density(parameters, dice), expected)


def test_a_die_stands_where_its_probabilities_pull_it():
    np.testing.assert_allclose(places(np.eye(3)), CORNERS)
    np.testing.assert_allclose(places(np.full((1, 3), 1 / 3)), CORNERS.mean(axis=0)[None])


def test_the_words_say_which_part_can_be_learned():
    assert "24.1% of the total is doubt, which learning can remove" in repr(UncertaintyLab())
    assert "0.1% of the total is doubt" in repr(UncertaintyLab(n=1000))


def test_dirichlets_are_a_picture_with_words():
    picture = dirichlets([(0.3, 0.3, 0.3), (6, 3, 1)])
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert "Dir(6, 3, 1)" in repr(picture)


@pytest.mark.parametrize(
    "bad", [{"die": "square"}, {"n": -1}, {"alpha": 0.0}, {"measure": "count"}]
)
def test_bad_settings_are_refused_by_name(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        UncertaintyLab(**bad)


def test_what_is_kept_is_paler_than_what_is_shown():
    lab = UncertaintyLab(n=0)
    lab.keep_button.value = True
    lab.set(n=100)
    for dots in (lab.panels.worlds, lab.panels.levels[0]):
        (kept,) = [
            line
            for line in dots.axes.artists + list(dots.axes.lines)
            if line is not dots and line.get_color() == dots.get_color()
        ]
        assert kept.get_alpha() < 0.5 * (dots.get_alpha() or 1)
        assert not np.array_equal(kept.get_ydata(), dots.get_ydata())
