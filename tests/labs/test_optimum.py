"""The optimum, by dense algebra and by simulation."""

import gymnasium
import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu.environments import Outcome, TabularEnvironment
from eubrl_edu.labs.optimum import best_actions, find_optimum

WORLDS = {
    "chain": {},
    "loop": {"size": 3},
    "bandit": {},
    "lazychain": {"size": 3, "stochastic": True},
    "deepsea": {"size": 4, "stochastic": True},
}


@pytest.mark.parametrize("world", WORLDS)
def test_the_optimum_earns_what_a_simulated_expert_earns(world):
    env = eu.make_env(world, **WORLDS[world])
    policy = eu.solve(env.model, 0.95).policy
    rng, steps, runs = np.random.default_rng(1), 60, 400
    returns = np.zeros((runs, steps))
    for run in range(runs):
        state, _ = env.reset(seed=int(rng.integers(2**31)))
        for step in range(steps):
            state, reward, terminated, _, _ = env.step(int(policy[state]))
            returns[run, step] = reward
            if terminated:
                state, _ = env.reset()
    returns = returns.cumsum(axis=1)
    expected = find_optimum(env, 0.95, steps).returns
    assert expected[0] == 0
    error = returns.std(axis=0) / np.sqrt(runs)
    # Many comparisons of one run of luck: five standard errors, at every tenth step.
    difference = np.abs(returns.mean(axis=0) - expected[1:])
    assert (difference <= 5 * error + 1e-9)[9::10].all()


class Trap(TabularEnvironment):
    """In the pit it is all the same whether one stays or gives up, which ends the episode."""

    def __init__(self, stay):
        self.stay = stay
        super().__init__(4, 2, terminal_states=(2, 3))

    def outcomes(self, state, action):
        if state == 0:
            return [Outcome(0.5, 2, 1.0), Outcome(0.5, 1, 0.0)]
        return [Outcome(1.0, 1 if action == self.stay else 3, 0.0)]


def test_ties_are_broken_at_random_whatever_the_numbers_of_the_actions():
    one, other = (find_optimum(Trap(stay), 0.95, 500).returns for stay in (0, 1))
    np.testing.assert_allclose(one, other, rtol=1e-12)
    # An episode pays ½ and takes, on average, one step and half of the time two more.
    assert one[-1] == pytest.approx(125, abs=1.0)


def test_best_actions_count_ties():
    q = np.array([[1.0, 1.0 + 1e-13, 0.0], [0.0, 0.0, 0.0], [1.0, 2.0, 3.0]])
    expected = [[True, True, False], [True, True, True], [False, False, True]]
    np.testing.assert_array_equal(best_actions(q), expected)


class Corridor(TabularEnvironment):
    """Six cells, the last of which pays, and fewer steps than it takes to get there."""

    def __init__(self):
        super().__init__(6, 2, max_episode_steps=4)

    def outcomes(self, state, action):
        return [Outcome(1.0, min(state + 1, 5) if action else max(state - 1, 0), state == 5)]


def test_what_lies_beyond_the_limit_of_an_episode_is_out_of_reach():
    assert find_optimum(Corridor(), 0.95, 200).returns[-1] == 0


@pytest.mark.parametrize("limit", [3, 20])
def test_an_expert_of_short_episodes_earns_as_much_in_a_simulation(limit):
    lake = eu.make_env(gymnasium.make("FrozenLake-v1", max_episode_steps=limit))
    policy = eu.solve(lake.model, 0.95).policy
    returns = []
    for seed in range(100):
        (state, _), earned = lake.reset(seed=seed), 0.0
        for _ in range(300):
            state, reward, terminated, truncated, _ = lake.step(int(policy[state]))
            earned += reward
            if terminated or truncated:
                state, _ = lake.reset()
        returns.append(earned)
    error = np.std(returns) / 10
    assert abs(np.mean(returns) - find_optimum(lake, 0.95, 300).returns[-1]) <= 4 * error
