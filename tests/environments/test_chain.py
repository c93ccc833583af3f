import numpy as np
import pytest

from eubrl_edu.environments import Chain


def test_table_is_the_one_of_the_text():
    right = [
        [0.2, 0.8, 0.0, 0.0, 0.0],
        [0.2, 0.0, 0.8, 0.0, 0.0],
        [0.2, 0.0, 0.0, 0.8, 0.0],
        [0.2, 0.0, 0.0, 0.0, 0.8],
        [0.2, 0.0, 0.0, 0.0, 0.8],
    ]
    left = [
        [0.8, 0.2, 0.0, 0.0, 0.0],
        [0.8, 0.0, 0.2, 0.0, 0.0],
        [0.8, 0.0, 0.0, 0.2, 0.0],
        [0.8, 0.0, 0.0, 0.0, 0.2],
        [0.8, 0.0, 0.0, 0.0, 0.2],
    ]
    env = Chain()
    np.testing.assert_allclose(env.model.transition_matrix(), np.stack([left, right], axis=1))
    # right: 2 when it slips, and in the last state 10 when it does not
    np.testing.assert_allclose(env.model.rewards[:, 1], [0.4, 0.4, 0.4, 0.4, 8.4])
    np.testing.assert_allclose(env.model.rewards[:, 0], [1.6, 1.6, 1.6, 1.6, 3.6])
    assert env.terminal_states == () and env.max_episode_steps is None


def test_always_right_is_optimal(optimal_values):
    q, _ = optimal_values(Chain().model, 0.95)
    assert (q.argmax(axis=1) == 1).all()


def test_always_right_earns_about_3677_in_1000_steps():
    """3676.8 is what 1000 steps bring in the long run; the first 1000 have four steps of climbing
    less: the last state is never occupied before, and from then on with probability 0.8^4."""
    model = Chain().model
    climb, pay = model.transition_matrix()[:, 1], model.rewards[:, 1]
    occupied = np.linalg.matrix_power(climb, 50)[0]
    assert 1000 * occupied @ pay == pytest.approx(3676.8)
    first_1000 = sum(np.linalg.matrix_power(climb, t)[0] @ pay for t in range(1000))
    assert first_1000 == pytest.approx(3676.8 - 4 * 8 * 0.8**4)
