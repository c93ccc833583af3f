"""What holds for every world: the model is what `step` does, and nothing else is."""

import copy
import itertools
import pickle

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from scipy import stats

from eubrl_edu import validation
from eubrl_edu.environments import (
    Bandit,
    Chain,
    DeepSea,
    LazyChain,
    Loop,
    Outcome,
    TabularEnvironment,
)

WORLDS = {
    "chain": Chain(),
    "loop-1": Loop(1),
    "loop-3": Loop(3),
    "deepsea-1": DeepSea(1, stochastic=True),
    "deepsea-4": DeepSea(4),
    "deepsea-4-stochastic": DeepSea(4, stochastic=True, seed=3),
    "lazychain-1": LazyChain(1),
    "lazychain-5": LazyChain(5),
    "lazychain-5-stochastic": LazyChain(5, stochastic=True),
    "bandit": Bandit((0.7, 0.2)),
    "bandit-certain": Bandit((1.0, 0.0)),
}
# Each statistical test below is wrong about a faithful world with this probability at most,
# all its comparisons taken together (Bonferroni).
FALSE_ALARM = 1e-6


@pytest.fixture(params=WORLDS)
def env(request):
    return copy.deepcopy(WORLDS[request.param])


class TwoStarts(TabularEnvironment):
    """Noise, chance and several start states in one small world."""

    def __init__(self):
        super().__init__(
            4,
            2,
            initial_states=(2, 0),
            initial_probabilities=(0.3, 0.7),
            terminal_states=(3,),
            max_episode_steps=4,
        )

    def outcomes(self, state, action):
        if action == 0:
            return [Outcome(0.5, 1, 1.0, 2.0), Outcome(0.3, 2, -1.0), Outcome(0.2, 3, 5.0, 0.5)]
        return [Outcome(1.0, (state + 1) % 3, 0.25, 1.5 if state == 1 else 0.0)]


def live(env, seed, steps=300):
    """A run under random actions: what each call returned."""
    chooser = np.random.default_rng(5)
    history = [env.reset(seed=seed)]
    for _ in range(steps):
        history.append(env.step(chooser.integers(env.n_actions)))
        if history[-1][2] or history[-1][3]:
            history.append(env.reset())
    return history


def sampled(env, state, action, count):
    """Next states and rewards of one action taken many times in one state."""
    next_states, rewards = np.empty(count, dtype=int), np.empty(count)
    for i in range(count):
        env.reset()
        env.state = state
        next_states[i], rewards[i], *_ = env.step(action)
    return next_states, rewards


def test_rows_are_distributions_and_there_is_no_background(env):
    dense = env.model.transition_matrix()
    assert dense.shape == (env.n_states, env.n_actions, env.n_states)
    assert dense.min() >= 0
    np.testing.assert_allclose(dense.sum(axis=-1), 1, rtol=1e-14)
    assert not env.model.background.any()
    assert (env.model.n_states, env.model.n_actions) == (env.n_states, env.n_actions)


def test_terminal_states_are_absorbing_and_pay_nothing(env):
    assert env.model.terminal_states == env.terminal_states
    dense = env.model.transition_matrix()
    for state in env.terminal_states:
        assert (dense[state, :, state] == 1).all()
        assert (env.model.rewards[state] == 0).all()
        assert (env.outcome_rewards[state] == 0).all()


@pytest.mark.parametrize("world", [*WORLDS, "two starts"])
def test_step_follows_the_model(world):
    """Chi-square test of next states; z tests of mean rewards; chi-square of their variance."""
    env = TwoStarts() if world == "two starts" else copy.deepcopy(WORLDS[world])
    count = 1000
    dense = env.model.transition_matrix()
    level = FALSE_ALARM / (3 * env.n_states * env.n_actions)
    env.reset(seed=11)
    for state in set(range(env.n_states)) - set(env.terminal_states):
        for action in range(env.n_actions):
            next_states, rewards = sampled(env, state, action, count)
            possible = np.flatnonzero(dense[state, action])
            assert set(next_states) <= set(possible)
            if len(possible) > 1:
                observed = np.bincount(next_states, minlength=env.n_states)[possible]
                expected = count * dense[state, action, possible]
                assert stats.chisquare(observed, expected).pvalue > level

            p, mean, deviation = (
                table[state, action]
                for table in (env.outcome_probabilities, env.outcome_rewards, env.reward_deviations)
            )
            expected_reward = env.model.rewards[state, action]
            variance = p @ (deviation**2 + (mean - expected_reward) ** 2)
            if variance < 1e-20:
                np.testing.assert_allclose(rewards, expected_reward, rtol=1e-12)
                continue
            z = (rewards.mean() - expected_reward) / np.sqrt(variance / count)
            assert abs(z) < stats.norm.isf(level / 2)
            if np.count_nonzero(p) == 1:  # purely Gaussian
                scaled = ((rewards - expected_reward) ** 2).sum() / variance
                low, high = stats.chi2.ppf([level / 2, 1 - level / 2], count)
                assert low < scaled < high


def test_draws_come_in_the_documented_order():
    """A second reading of the rules, from the arrays alone, lives through the same luck."""
    env = TwoStarts()
    rng = np.random.default_rng(8)
    chooser = np.random.default_rng(5)

    def draw(probabilities):
        if np.count_nonzero(probabilities) == 1:
            return int(np.flatnonzero(probabilities)[0])
        return int(np.searchsorted(np.cumsum(probabilities), rng.random(), side="right"))

    expected, steps = [(int(env.initial_states[draw(env.initial_probabilities)]), {})], 0
    state = expected[0][0]
    for _ in range(300):
        row = state, chooser.integers(env.n_actions)
        k = draw(env.outcome_probabilities[row])
        reward = env.outcome_rewards[row][k]
        if env.reward_deviations[row][k] > 0:
            reward += env.reward_deviations[row][k] * rng.standard_normal()
        state, steps = int(env.outcome_states[row][k]), steps + 1
        terminated, truncated = state == 3, state != 3 and steps == 4
        expected.append((state, reward, terminated, truncated, {}))
        if terminated or truncated:
            state, steps = int(env.initial_states[draw(env.initial_probabilities)]), 0
            expected.append((state, {}))
    assert live(env, seed=8) == expected
    assert {entry[3] for entry in expected if len(entry) == 5} == {True, False}


def test_a_certain_outcome_draws_no_random_number():
    env = Loop(2)
    env.reset(seed=0)
    before = env.np_random.bit_generator.state
    for _ in range(20):
        env.step(1)
    assert env.np_random.bit_generator.state == before


def test_start_states_follow_their_distribution():
    """Binomial test at level 1e-6."""
    env = TwoStarts()
    env.reset(seed=0)
    starts = [env.reset()[0] for _ in range(2000)]
    assert set(starts) == {0, 2}
    assert stats.binomtest(starts.count(2), 2000, 0.3).pvalue > FALSE_ALARM


def test_same_seed_same_run_and_another_seed_another(env):
    assert live(env, seed=1) == live(env, seed=1)
    if (np.count_nonzero(env.outcome_probabilities, axis=-1) > 1).any():
        assert live(env, seed=1) != live(env, seed=2)


def test_reset_never_changes_the_world(env):
    before = copy.deepcopy(env.model)
    live(env, seed=9)
    for field in ("successors", "weights", "rewards"):
        np.testing.assert_array_equal(getattr(env.model, field), getattr(before, field))


def test_the_global_generator_is_left_alone(env):
    before = np.random.get_state()[1].copy()
    live(env, seed=4)
    np.testing.assert_array_equal(np.random.get_state()[1], before)


def test_observations_and_rewards_are_plain_numbers(env):
    for entry in live(env, seed=0, steps=50):
        assert type(entry[0]) is int
        assert entry[-1] == {}
        if len(entry) == 5:
            assert [type(value) for value in entry[1:4]] == [float, bool, bool]


def test_a_pickled_world_goes_on_as_the_original(env):
    env.reset(seed=2)
    twin = pickle.loads(pickle.dumps(env))
    assert [env.step(0) for _ in range(1)] == [twin.step(0) for _ in range(1)]
    assert live(env, seed=3) == live(twin, seed=3)


@pytest.mark.parametrize("action", [-1, 3, 0.5, "left", None])
def test_an_action_out_of_range_is_refused_and_changes_nothing(action):
    env = LazyChain(3)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="action must be an integer from 0 to 2"):
        env.step(action)
    assert env.step(1)[0] == 4


def test_a_step_outside_an_episode_is_refused():
    env = LazyChain(1)
    with pytest.raises(ResetNeeded, match=r"reset\(\)"):
        env.step(0)
    env.reset(seed=0)
    assert env.step(1)[2]
    with pytest.raises(ResetNeeded, match=r"reset\(\)"):
        env.step(0)
    env.reset()
    env.step(2)


def test_every_state_and_action_has_a_name_and_every_state_a_place(env):
    assert len(env.action_names) == len(set(env.action_names)) == env.n_actions
    assert len(env.state_names) == len(set(env.state_names)) == env.n_states
    assert env.state_positions.shape == (env.n_states, 2)
    apart = np.linalg.norm(env.state_positions[:, None] - env.state_positions, axis=-1)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > 0.99


def test_a_world_must_say_what_can_happen():
    with pytest.raises(TypeError, match=r"must define outcomes\(state, action\)"):
        TabularEnvironment(2, 1)


@pytest.mark.parametrize(
    ("world", "settings"), [(Loop, {}), (DeepSea, {"stochastic": True}), (LazyChain, {})]
)
def test_the_largest_size_is_the_last_whose_pairs_fit(world, settings, monkeypatch):
    """The limit is lowered to one that can be built."""
    monkeypatch.setattr(validation, "MOST_PAIRS", 300)
    sizes = []
    for size in itertools.count(1):
        try:
            env = world(size, **settings)
        except ValueError as error:
            assert f"size must be at most {size - 1}, got {size}" in str(error)
            break
        sizes.append(env.n_states * env.n_actions)
    assert len(sizes) > 5 and sizes[-1] <= 300
    monkeypatch.undo()
    env = world(size, **settings)
    assert env.n_states * env.n_actions > 300
