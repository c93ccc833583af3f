"""The sea against bsuite's own DeepSea, with bsuite's action mapping."""

import numpy as np
import pytest
from scipy import stats

from eubrl_edu.environments import DeepSea

bsuite_deep_sea = pytest.importorskip("bsuite.environments.deep_sea")

FALSE_ALARM = 1e-6  # of each statistical test, all its comparisons taken together


def pair(size, stochastic, seed=7):
    """bsuite's sea and ours with the same action mapping."""
    theirs = bsuite_deep_sea.DeepSea(
        size, deterministic=not stochastic, seed=seed, mapping_seed=seed
    )
    ours = DeepSea(size, stochastic, seed=seed)
    theirs._action_mapping = ours.right_action
    return theirs, ours


def bsuite_step(theirs, row, column, action):
    """One step of bsuite's sea from a cell: its next cell (None at the end), reward and end."""
    theirs.reset()
    theirs._row, theirs._column = row, column
    step = theirs.step(action)
    if step.last():
        return None, step.reward, True
    return tuple(np.argwhere(step.observation)[0].tolist()), step.reward, False


def reachable(size):
    return [(row, column) for row in range(size) for column in range(row + 1)]


@pytest.mark.parametrize("size", [1, 2, 5, 10])
def test_deterministic_sea_is_bsuites(size):
    theirs, ours = pair(size, stochastic=False)
    for row, column in reachable(size):
        for action in (0, 1):
            cell, reward, end = bsuite_step(theirs, row, column, action)
            ours.reset(seed=0)
            ours.state = row * size + column
            next_state, our_reward, terminated, truncated, _ = ours.step(action)
            assert next_state == (size**2 if end else cell[0] * size + cell[1])
            assert our_reward == pytest.approx(reward, abs=1e-15)
            assert (terminated, truncated) == (end, False)


def test_stochastic_sea_is_bsuites():
    """Binomial tests of the next column, z and chi-square tests of the reward."""
    size, count = 4, 1500
    theirs, ours = pair(size, stochastic=True)
    dense = ours.model.transition_matrix()
    cells = reachable(size)
    level = FALSE_ALARM / (3 * 2 * len(cells))
    noisy = 0
    for row, column in cells:
        for action in (0, 1):
            state = row * size + column
            steps = [bsuite_step(theirs, row, column, action) for _ in range(count)]
            next_states = np.array(
                [size**2 if end else cell[0] * size + cell[1] for cell, _, end in steps]
            )
            for next_state in range(ours.n_states):
                observed = int((next_states == next_state).sum())
                expected = min(dense[state, action, next_state], 1.0)
                assert stats.binomtest(observed, count, expected).pvalue > level
            rewards = np.array([reward for _, reward, _ in steps])
            mean = ours.model.rewards[state, action]
            deviation = ours.reward_deviations[state, action, 0]
            if deviation == 0:
                np.testing.assert_allclose(rewards, mean, atol=1e-15)
                continue
            noisy += 1
            z = (rewards.mean() - mean) / (deviation / np.sqrt(count))
            assert abs(z) < stats.norm.isf(level / 2)
            squares = ((rewards - mean) ** 2).sum() / deviation**2
            assert stats.chi2.ppf(level / 2, count) < squares < stats.chi2.isf(level / 2, count)
    assert noisy == 4  # both actions in both bottom corners


@pytest.mark.parametrize("size", [1, 3, 10])
def test_optimal_return_is_099_without_wind(size):
    env = DeepSea(size, seed=5)
    state, _ = env.reset(seed=0)
    total, terminated, steps = 0.0, False, 0
    while not terminated:
        state, reward, terminated, _, _ = env.step(env.right_action[divmod(state, size)])
        total, steps = total + reward, steps + 1
    assert steps == size
    assert total == pytest.approx(0.99)


@pytest.mark.parametrize("stochastic", [False, True])
def test_optimal_values(stochastic, optimal_values):
    """Undiscounted; bsuite's stochastic optimum ignores that an agent off the diagonal may stop
    paying for ``right``, so ours lies above it by at most the whole cost."""
    env = DeepSea(6, stochastic, seed=1)
    q, values = optimal_values(env.model, 1.0)
    if stochastic:
        kept_up = (1 - 1 / 6) ** 5 - 0.01
        assert kept_up < values[0] < kept_up + 0.01
    else:
        assert values[0] == pytest.approx(0.99)
    for row in range(6):
        assert q[row * 7].argmax() == env.right_action[row, row]


def test_mapping_is_a_fair_coin_per_cell_fixed_by_the_seed():
    first, again, other = DeepSea(30, seed=1), DeepSea(30, seed=1), DeepSea(30, seed=2)
    np.testing.assert_array_equal(first.right_action, again.right_action)
    assert (first.right_action != other.right_action).any()
    drawn = np.random.default_rng(1).integers(2, size=(30, 30))
    np.testing.assert_array_equal(first.right_action, drawn)
    heads = sum(int(DeepSea(30, seed=seed).right_action.sum()) for seed in range(10))
    assert stats.binomtest(heads, 9000, 0.5).pvalue > FALSE_ALARM


@pytest.mark.parametrize("size", [0, -3, 1.5, None])
def test_bad_size(size):
    with pytest.raises(ValueError, match="size must be an integer of at least 1"):
        DeepSea(size)


@pytest.mark.parametrize("seed", [-1, 0.5, "x"])
def test_bad_seed(seed):
    with pytest.raises(ValueError, match="seed must be an integer of at least 0"):
        DeepSea(3, seed=seed)
