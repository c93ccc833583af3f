import numpy as np
import pytest

import eubrl_edu as eu


def reward_of(belief, state, action, next_state):
    """The reward a belief gives to a transition, listed or not."""
    table = belief.transitions.table
    for k in range(table.listed[state, action]):
        if table.successors[state, action, k] == next_state:
            if k < belief.rewards.n.shape[-1]:
                return belief.rewards.posterior((state, action, k))
    return belief.rewards.prior()


def test_known_rewards_reach_their_outcomes():
    """Whatever was listed before, and whatever the order of the given successors."""
    rewards = np.array([[[5.0, -1.0], [0.0, 2.0]], [[3.0, 0.0], [0.0, 0.0]]])
    successors = np.array([[[1, 0], [0, 1]], [[0, 0], [1, 1]]])
    transitions = eu.DirichletTransitions(2, 2)
    transitions.update(0, 0, 0)
    belief = eu.Belief(transitions, eu.KnownRewards(rewards, successors))
    for state, action, k in np.ndindex(rewards.shape):
        if (state, action, k) != (1, 0, 1):  # that place is unused
            next_state = successors[state, action, k]
            assert reward_of(belief, state, action, next_state) == (rewards[state, action, k], 0.0)


def test_an_unused_place_does_not_overwrite_a_reward():
    """Padding points at state 0 with reward 0, and here state 0 is where the reward is."""
    belief = eu.Belief(
        eu.DirichletTransitions(2, 1),
        eu.KnownRewards([[[5.0, 0.0]], [[1.0, 2.0]]], [[[0, 0]], [[0, 1]]]),
    )
    assert reward_of(belief, 0, 0, 0) == (5.0, 0.0)


def test_unused_places_are_welcome_under_a_tied_prior():
    """State 0 is no neighbour of state 3: padding with it must not count as a jump."""
    world = eu.make_env("lazychain", size=3, stochastic=True)
    belief = eu.Belief(
        eu.TiedDirichletTransitions(world.n_states, world.n_actions),
        eu.KnownRewards(world.successor_rewards, world.model.successors),
        world.terminal_states,
    )
    for state, action, k in np.argwhere(world.model.weights):
        next_state = world.model.successors[state, action, k]
        expected = world.successor_rewards[state, action, k]
        assert reward_of(belief, state, action, next_state)[0] == expected


@pytest.mark.parametrize("name", ["chain", "loop", "deepsea", "lazychain"])
def test_the_known_rewards_of_a_world_are_its_own(name):
    """Σ P r over the world's own probabilities is its expected reward."""
    world = eu.make_env(name)
    rewards = eu.KnownRewards(world.successor_rewards, world.model.successors)
    belief = eu.Belief(
        eu.DirichletTransitions(world.n_states, world.n_actions), rewards, world.terminal_states
    )
    expected = np.zeros_like(world.model.rewards)
    for state, action, k in np.argwhere(world.model.weights):
        next_state = world.model.successors[state, action, k]
        reward, variance = reward_of(belief, state, action, next_state)
        expected[state, action] += world.model.weights[state, action, k] * reward
        assert variance == 0.0
    np.testing.assert_allclose(expected, world.model.rewards, rtol=1e-12)


def test_an_impossible_outcome_is_worth_nothing():
    belief = eu.Belief(eu.DirichletTransitions(3, 1), eu.KnownRewards([[[7.0]]] * 3, [[[1]]] * 3))
    belief.update(0, 0, 0.0, 2)
    assert reward_of(belief, 0, 0, 2) == (0.0, 0.0)
    assert reward_of(belief, 0, 0, 0) == (0.0, 0.0)
    assert reward_of(belief, 0, 0, 1) == (7.0, 0.0)


def test_known_rewards_on_pairs():
    rewards = np.array([[1.0, 2.0], [3.0, 4.0]])
    known = eu.KnownRewards(rewards)
    assert known.on == "action"
    np.testing.assert_array_equal(known.posterior()[0][..., 0], rewards)
    np.testing.assert_array_equal(known.posterior()[1], 0.0)


@pytest.mark.parametrize("on", ["outcome", "action"])
def test_a_sample_of_known_rewards_is_a_copy(on):
    given = ([[1.0], [2.0]],) if on == "action" else ([[[1.0]], [[2.0]]], [[[0]], [[1]]])
    known = eu.Belief(eu.DirichletTransitions(2, 1), eu.KnownRewards(*given)).rewards
    known.sample(np.random.default_rng(0), np.ones((2, 1, 1), dtype=bool))[:] = 99.0
    assert known.posterior()[0].max() == 2.0
    np.testing.assert_array_equal(known.sample_prior(np.random.default_rng(0), 6), 0.0)


def test_a_copy_is_independent():
    belief = eu.Belief(eu.DirichletTransitions(3, 1), eu.KnownRewards([[[7.0]]] * 3, [[[1]]] * 3))
    twin = belief.copy()
    for next_state in (0, 1, 2):
        twin.update(0, 0, 1.0, next_state)
    assert belief.rewards.n.sum() == 0
    assert twin.rewards.n.sum() == 3
    assert reward_of(twin, 0, 0, 1) == reward_of(belief, 0, 0, 1) == (7.0, 0.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0],), r"rewards must have shape \(S, A\).* got \(2,\)"),
        (([[[1.0]]],), r"rewards must have shape \(S, A\).* got \(1, 1, 1\)"),
        (([[1.0]], [[[0]]]), r"rewards must have .* got \(1, 1\)"),
        (([[[1.0]]], [[[0, 0]]]), r"successors must have .* \(1, 1, 1\), got \(1, 1, 2\)"),
        (([[1.0], [float("nan")]],), "rewards must be a finite number, got .*nan"),
        (([[1.0], [float("inf")]],), "rewards must be a finite number, got .*inf"),
        (([[[1.0]]], [[[1]]]), "successors must be integers from 0 to 0, got .*1"),
        (([[[1.0]]], [[[-1]]]), "successors must be integers from 0 to 0, got .*-1"),
    ],
)
def test_bad_known_rewards(arguments, message):
    with pytest.raises(ValueError, match=message):
        eu.KnownRewards(*arguments)


def test_known_rewards_serve_several_beliefs():
    """State 0 leads to 1, which pays, or to 2; the second belief has seen 2 first."""
    known = eu.KnownRewards([[[1.0]], [[0.0]], [[0.0]]], [[[1]], [[0]], [[0]]])
    first = eu.Belief(eu.DirichletTransitions(3, 1, alpha=1e-9), known)
    transitions = eu.DirichletTransitions(3, 1, alpha=1e-9)
    transitions.count(0, 0, 2, 5)
    second = eu.Belief(transitions, known)
    first.update(0, 0, 1.0, 1)
    assert first.mean_mdp().rewards[0, 0] == pytest.approx(1.0)
    assert second.mean_mdp().rewards[0, 0] == pytest.approx(0.0, abs=1e-6)
