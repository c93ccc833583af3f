import numpy as np
import pytest
from scipy import stats

import eubrl_edu as eu
from eubrl_edu.agents import QLearning
from eubrl_edu.planning import solve
from eubrl_edu.success import SuccessRule, SuccessWatch


def test_a_value_moves_towards_what_followed():
    agent = QLearning(2, 2, learning_rate=0.25, discount=0.5)
    agent.q[:] = [[1.0, 2.0], [4.0, 3.0]]
    agent.observe(0, 1, 3.0, 1, False)
    # 2 + 0.25 (3 + 0.5 · 4 − 2)
    np.testing.assert_array_equal(agent.q, [[1.0, 2.75], [4.0, 3.0]])


def test_nothing_follows_a_terminal_state():
    agent = QLearning(2, 2, learning_rate=0.5, discount=0.9)
    agent.q[1] = 100.0
    agent.observe(0, 0, 1.0, 1, True)
    assert agent.q[0, 0] == 0.5


def test_an_agent_that_only_dithers_learns_the_optimal_values():
    """Every action at random, a falling learning rate: Q-learning converges (Watkins)."""
    rng = np.random.default_rng(0)
    dense = rng.dirichlet(np.ones(3), size=(3, 2))
    rewards = rng.normal(size=(3, 2))
    expected = solve(eu.MDP.from_dense(dense, rewards), 0.5).q
    agent, state = QLearning(3, 2, epsilon=1.0, discount=0.5), 0
    visits = np.zeros((3, 2))
    for _ in range(60_000):
        action = agent.act(state, rng)
        visits[state, action] += 1
        agent.learning_rate = visits[state, action] ** -0.8
        following = int(rng.choice(3, p=dense[state, action]))
        agent.observe(state, action, rewards[state, action], following, False)
        state = following
    np.testing.assert_allclose(agent.q, expected, atol=0.05)


@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0])
def test_dithers_as_often_as_told(epsilon):
    """Binomial test at 99.99%, with a fixed seed."""
    agent, rng = QLearning(1, 4, epsilon=epsilon), np.random.default_rng(1)
    agent.q[0] = [0, 0, 1, 0]
    greedy = sum(agent.act(0, rng) == 2 for _ in range(3000))
    assert stats.binomtest(greedy, 3000, 1 - 0.75 * epsilon).pvalue > 1e-4


def test_ties_are_broken_uniformly_at_random():
    """Chi-square at 99.99%, with a fixed seed."""
    agent, rng = QLearning(1, 4, epsilon=0.0), np.random.default_rng(2)
    agent.q[0] = [1, 0, 1, 1 + 1e-15]
    chosen = np.bincount([agent.act(0, rng) for _ in range(3000)], minlength=4)
    assert chosen[1] == 0
    assert stats.chisquare(chosen[[0, 2, 3]]).pvalue > 1e-4


def test_success_is_judged_on_the_values_in_force():
    agent = QLearning(2, 2, learning_rate=1.0)
    rule = SuccessRule(states=np.array([0, 1]), right_actions=np.array([1, 0]))
    watch = SuccessWatch(rule, agent)
    before = agent.current_plan
    agent.observe(0, 1, 1.0, 1, True)
    agent.observe(1, 0, 0.5, 1, True)
    assert before.q[0, 1] == 0.0  # a plan does not change afterwards
    np.testing.assert_array_equal(agent.current_plan.v, [1.0, 0.5])
    step = type("Step", (), {"reward": 0.0, "episode_end": True, "next_state": 1})
    assert [watch(step) for _ in range(10)] == [False] * 9 + [True]


def test_dithering_does_not_cross_the_deep_sea():
    """In 300 episodes of 10 steps, EUBRL takes the treasure and Q-learning never sees it."""
    env = eu.make_env("deepsea", size=10, seed=0)
    blind = eu.simulate(eu.make_agent("Q-learning", env), env, 3000, seed=0)
    guided = eu.simulate(eu.make_agent("EUBRL", env), env, 3000, seed=0)
    assert blind.rewards.max() <= 0 < 0.9 < guided.rewards.max()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_states": 0}, "n_states must be an integer of at least 1, got 0"),
        ({"n_actions": 1.5}, "n_actions must be an integer of at least 1, got 1.5"),
        ({"learning_rate": 0}, "learning_rate must be a finite number greater than 0, got 0"),
        ({"learning_rate": 1.1}, "learning_rate must be at most 1, got 1.1"),
        ({"epsilon": -0.1}, "epsilon must be a finite number of at least 0, got -0.1"),
        ({"epsilon": 2}, "epsilon must be at most 1, got 2"),
        ({"discount": 1.0}, r"discount must be in \[0, 1\) .* got 1.0"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        QLearning(**{"n_states": 2, "n_actions": 2} | settings)


@pytest.mark.parametrize(
    ("transition", "message"),
    [
        ((2, 0, 0.0, 0), "state must be an integer from 0 to 1, got 2"),
        ((0, -1, 0.0, 0), "action must be an integer from 0 to 1, got -1"),
        ((0, 0, float("nan"), 0), "reward must be a finite number, got nan"),
        ((0, 0, 0.0, 5), "next_state must be an integer from 0 to 1, got 5"),
    ],
)
def test_bad_transitions_teach_nothing(transition, message):
    agent = QLearning(2, 2)
    with pytest.raises(ValueError, match=message):
        agent.observe(*transition, False)
    assert not agent.q.any()
    with pytest.raises(ValueError, match="state must be an integer from 0 to 1, got 7"):
        agent.act(7, np.random.default_rng(0))
