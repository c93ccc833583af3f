"""PatienceLab without a browser: its closed form against the world's own model, solved densely."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from eubrl_edu.environments.lazychain import RIGHT
from eubrl_edu.labs import PatienceLab
from eubrl_edu.labs.patience.scene import Params, break_even, compute, walk_value


def value_of_walking_right(size, discount, stochastic):
    """The same by dense linear algebra, from the model of the package's own world."""
    model = eu.make_env("lazychain", size=size, stochastic=stochastic).model
    moves = model.transition_matrix()[:, RIGHT]
    rewards = model.rewards[:, RIGHT]
    return np.linalg.solve(np.eye(model.n_states) - discount * moves, rewards)


@pytest.mark.parametrize("stochastic", [False, True])
@pytest.mark.parametrize(("size", "discount"), [(1, 0.9), (5, 0.8), (20, 0.99), (60, 0.999)])
def test_the_closed_form_is_the_value_of_the_policy(size, discount, stochastic):
    states = np.arange(1, 2 * size)
    ours = walk_value(states, size, discount, 0.2 * stochastic)
    dense = value_of_walking_right(size, discount, stochastic)[states]
    np.testing.assert_allclose(ours, dense, rtol=1e-9, atol=1e-9)


@given(st.floats(5, 20_000), st.floats(0, 0.4))
def test_the_walk_pays_up_to_the_break_even_length_and_no_further(patience, flip):
    longest, discount = break_even(patience, flip), 1 - 1 / patience
    assert walk_value(0.999 * longest, 0.999 * longest, discount, flip) > 0
    assert walk_value(1.001 * longest, 1.001 * longest, discount, flip) < 0


def test_twice_the_patience_carries_about_twice_as_far():
    far = break_even(np.array([1000.0, 2000.0, 4000.0]), 0.2)
    np.testing.assert_allclose(far[1:] / far[:-1], 2, rtol=0.03)


def test_the_parts_of_the_picture_agree():
    state = compute(Params(size=100, patience=500.0, flip=0.1))
    here = np.flatnonzero(state.sizes == 100)
    np.testing.assert_allclose(state.at_start[here], state.start)
    assert (state.start > 0) == (state.longest > 100)


@pytest.mark.parametrize(
    ("setting", "names"), [({"flip": 0.5}, "flip"), ({"size": 0}, "size"), ({"patience": 1.0}, "p")]
)
def test_what_is_not_allowed_is_refused_by_name(setting, names):
    with pytest.raises(ValueError, match=names):
        PatienceLab(**setting)


def test_the_words_give_the_verdict():
    lab = PatienceLab(size=214)
    assert "Of these two, walking is better." in repr(lab) and "up to N = 214" in repr(lab)
    lab.set(size=215)
    assert "Of these two, doing nothing is better." in repr(lab)
