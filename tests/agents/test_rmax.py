import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu

DISCOUNT, R_MAX = 0.9, 3.0


@st.composite
def histories(draw, most=R_MAX):
    """Sizes, threshold, ends, and transitions of which many repeat."""
    n_states, n_actions = draw(st.integers(2, 5)), draw(st.integers(1, 3))
    terminal = draw(st.sampled_from([(), (n_states - 1,)]))
    transition = st.tuples(
        st.integers(0, n_states - 1 - len(terminal)),
        st.integers(0, n_actions - 1),
        st.floats(-5, most),
        st.integers(0, n_states - 1),
    )
    history = draw(st.lists(transition, max_size=60))
    return n_states, n_actions, draw(st.integers(1, 3)), terminal, history


def empirical(n_states, n_actions, known_after, history):
    """Counts and rewards of the first m experiences of each pair; visits of all."""
    counts = np.zeros((n_states, n_actions, n_states))
    reward_sums, visits = np.zeros((2, n_states, n_actions))
    for state, action, reward, next_state in history:
        if visits[state, action] < known_after:
            counts[state, action, next_state] += 1
            reward_sums[state, action] += reward
        visits[state, action] += 1
    return counts, reward_sums, visits


def with_absorbing_state(n_states, n_actions, known_after, terminal, history):
    """RMAX's model as it is usually drawn: one more state, S, that pays R_max for ever."""
    counts, reward_sums, visits = empirical(n_states, n_actions, known_after, history)
    transitions = np.zeros((n_states + 1, n_actions, n_states + 1))
    rewards = np.full((n_states + 1, n_actions), R_MAX)
    transitions[:, :, n_states] = 1.0
    for state, action in np.ndindex(n_states, n_actions):
        if visits[state, action] >= known_after:
            transitions[state, action, :n_states] = counts[state, action] / known_after
            transitions[state, action, n_states] = 0.0
            rewards[state, action] = reward_sums[state, action] / known_after
        if state in terminal:
            transitions[state, action] = np.eye(n_states + 1)[state]
            rewards[state, action] = 0.0
    return transitions, rewards


def agent_after(n_states, n_actions, known_after, terminal, history, **settings):
    settings = {"discount": DISCOUNT} | settings
    agent = eu.RMAX(n_states, n_actions, known_after, R_MAX, terminal_states=terminal, **settings)
    for transition in history:
        agent.observe(*transition, transition[3] in terminal)
    return agent


@given(histories())
def test_its_plan_is_that_of_the_model_with_an_absorbing_state(case):
    transitions, rewards = with_absorbing_state(*case)
    values = np.zeros(len(rewards))
    for _ in range(400):  # 0.9^400 = 5e-19
        q = rewards + DISCOUNT * transitions @ values
        values = q.max(axis=1)
    plan = agent_after(*case).plan()
    np.testing.assert_allclose(plan.q, q[:-1], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(plan.v, values[:-1], rtol=1e-9, atol=1e-9)


@given(histories())
def test_the_same_with_a_horizon(case):
    transitions, rewards = with_absorbing_state(*case)
    plan = agent_after(*case, discount=1.0, horizon=5).plan()
    assert plan.q.shape == (5, *rewards[:-1].shape)
    values = np.zeros(len(rewards))
    for step in reversed(range(5)):
        q = rewards + transitions @ values
        values = q.max(axis=1)
        np.testing.assert_allclose(plan.q[step], q[:-1], rtol=1e-9, atol=1e-9)


@given(histories(most=50.0))
def test_rewards_above_r_max_leave_the_values_of_states_right(case):
    """Noise can do that. Staying put is then worth more than R_max for ever, but never chosen."""
    transitions, rewards = with_absorbing_state(*case)
    values = np.zeros(len(rewards))
    for _ in range(400):
        q = rewards + DISCOUNT * transitions @ values
        values = q.max(axis=1)
    plan = agent_after(*case).plan()
    np.testing.assert_allclose(plan.v, values[:-1], rtol=1e-9, atol=1e-9)


@given(histories())
def test_unknown_pairs_are_worth_the_most_there_is(case):
    agent = agent_after(*case)
    plan = agent.plan()
    unknown = ~agent.known
    unknown[list(agent.terminal_states)] = False
    np.testing.assert_allclose(plan.q[unknown], R_MAX / (1 - DISCOUNT), rtol=1e-9)
    np.testing.assert_array_equal(plan.q[list(agent.terminal_states)], 0.0)
    np.testing.assert_allclose(plan.model.transition_matrix().sum(axis=-1), 1.0)


def test_it_plans_when_a_pair_becomes_known_and_only_then():
    agent = eu.RMAX(3, 2, known_after=2, r_max=1.0, discount=0.9)
    rng, changed = np.random.default_rng(0), []
    agent.act(0, rng)
    history = [(0, 0, 0.0, 1), (1, 0, 0.0, 0), (0, 0, 1.0, 1), (0, 0, 9.0, 1), (1, 0, 0.0, 2)]
    for transition in history:
        before = agent.current_plan
        agent.observe(*transition, False)
        changed.append(agent.current_plan is not before)
    assert changed == [False, False, True, False, True]


def test_what_is_known_is_not_learned_again():
    agent = eu.RMAX(2, 1, known_after=2, discount=0.9)
    for reward, next_state in [(0.0, 0), (1.0, 1), (5.0, 1), (6.0, 1)]:
        agent.observe(0, 0, reward, next_state, False)
    plan = agent.plan()
    np.testing.assert_array_equal(plan.model.transition_matrix()[0, 0], [0.5, 0.5])
    assert plan.mean_reward[0, 0] == plan.model.rewards[0, 0] == 0.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_states": 0}, "n_states must be an integer of at least 1, got 0"),
        ({"n_actions": 0}, "n_actions must be an integer of at least 1, got 0"),
        ({"known_after": 0}, "known_after must be an integer of at least 1, got 0"),
        ({"known_after": 1.5}, "known_after must be an integer of at least 1, got 1.5"),
        ({"r_max": float("inf")}, "r_max must be a finite number, got inf"),
        ({"discount": 1.0}, r"discount must be in \[0, 1\) when there is no horizon, got 1.0"),
        ({"terminal_states": [4]}, "terminal_states must be an integer from 0 to 3, got 4"),
    ],
)
def test_bad_settings(arguments, message):
    with pytest.raises(ValueError, match=message):
        eu.RMAX(**{"n_states": 4, "n_actions": 2} | arguments)


@pytest.mark.parametrize(
    ("transition", "message"),
    [
        ((4, 0, 0.0, 1), "state must be an integer from 0 to 3, got 4"),
        ((-1, 0, 0.0, 1), "state must be an integer from 0 to 3, got -1"),
        ((0, 2, 0.0, 1), "action must be an integer from 0 to 1, got 2"),
        ((0, 0, float("nan"), 1), "reward must be a finite number, got nan"),
        ((0, 0, float("inf"), 1), "reward must be a finite number, got inf"),
        ((0, 0, 0.0, 4), "next_state must be an integer from 0 to 3, got 4"),
        ((3, 0, 0.0, 3), r"state must not be one of the terminal states \(3,\), got 3"),
    ],
)
def test_a_bad_transition_changes_nothing(transition, message):
    agent = eu.RMAX(4, 2, terminal_states=[3])
    with pytest.raises(ValueError, match=message):
        agent.observe(*transition, False)
    assert agent.visits.sum() == agent.counts.sum() == agent.reward_sums.sum() == 0
    assert agent.table.listed.sum() == 0
    assert agent.current_plan is None
