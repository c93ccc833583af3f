import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from eubrl_edu import MDP
from eubrl_edu.engine.state import world_state
from eubrl_edu.environments.outcomes import Outcome, OutcomeTable


@st.composite
def sparse_mdps(draw):
    """Random rows of listed successors, repeated ones among them, plus a background."""
    n_states, n_actions, width = (draw(st.integers(1, most)) for most in (8, 3, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    masses = rng.dirichlet(np.ones(width + 1), size=(n_states, n_actions))
    return MDP(
        successors=rng.integers(n_states, size=(n_states, n_actions, width)),
        weights=masses[..., :-1],
        background=masses[..., -1] / n_states,
        rewards=rng.normal(size=(n_states, n_actions)),
    )


@given(sparse_mdps())
def test_transition_matrix_is_the_definition_entry_by_entry(mdp):
    dense = mdp.transition_matrix()
    for state, action, next_state in np.ndindex(dense.shape):
        listed = mdp.successors[state, action] == next_state
        expected = mdp.weights[state, action][listed].sum() + mdp.background[state, action]
        assert dense[state, action, next_state] == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(dense.sum(axis=-1), 1.0, rtol=1e-12)


@given(sparse_mdps(), st.integers(0, 2**32 - 1))
def test_expected_is_the_dense_product(mdp, seed):
    values = np.random.default_rng(seed).normal(size=mdp.n_states)
    np.testing.assert_allclose(
        mdp.expected(values), mdp.transition_matrix() @ values, rtol=1e-12, atol=1e-12
    )


@given(sparse_mdps())
def test_from_dense_gives_the_matrix_back(mdp):
    dense, rewards = mdp.transition_matrix(), mdp.rewards.copy()
    dense[0], rewards[0] = np.eye(len(rewards))[0], 0.0  # the first state ends an episode
    again = MDP.from_dense(dense, rewards, terminal_states=(0,))
    np.testing.assert_array_equal(again.transition_matrix(), dense)
    np.testing.assert_array_equal(again.rewards, rewards)
    assert again.terminal_states == (0,)
    assert (again.n_states, again.n_actions) == mdp.rewards.shape


def test_from_dense_lists_no_more_than_the_widest_row():
    transitions = np.zeros((50, 2, 50))
    transitions[:, :, 0] = 1.0
    transitions[7, 1, :3] = [0.5, 0.25, 0.25]
    assert MDP.from_dense(transitions, np.zeros((50, 2))).successors.shape == (50, 2, 3)


@pytest.mark.parametrize("row", [[0.5, 0.4], [1.5, -0.5], [np.nan, 1.0], [0.0, 0.0]])
def test_from_dense_names_the_row_that_is_no_distribution(row):
    transitions = np.array([[[1.0, 0.0]], [row]])
    with pytest.raises(ValueError, match=r"transitions must .* got \[.*\] for state 1, action 0"):
        MDP.from_dense(transitions, np.zeros((2, 1)))


@pytest.mark.parametrize("shapes", [((2, 1, 2), (2,)), ((2, 1, 3), (2, 1)), ((3, 1, 2), (2, 1))])
def test_from_dense_rejects_shapes_that_do_not_fit(shapes):
    transitions, rewards = (np.ones(shape) for shape in shapes)
    with pytest.raises(ValueError, match=r"transitions must have shape \(S, A, S\)"):
        MDP.from_dense(transitions, rewards)


@pytest.mark.parametrize("shape", [(2, 2), (2, 2, 2, 1), (1, 2, 2), (2, 1, 2)])
def test_rows_must_have_the_shape_of_the_rewards(shape):
    """For some of these shapes all sums are 1 nevertheless."""
    fitting = np.zeros((2, 2, 2), int), np.full((2, 2, 2), 0.5), np.zeros((2, 2)), np.zeros((2, 2))
    MDP(*fitting)
    rows = np.zeros(shape, int), np.full(shape, 0.5)
    with pytest.raises(ValueError, match=r"weights must have shape \(S, A, K\)"):
        MDP(*rows, *fitting[2:])


def as_model(total):
    return MDP(
        np.zeros((1, 1, 2), int), np.full((1, 1, 2), total / 4), np.full((1, 1), total / 2),
        np.zeros((1, 1)),
    )  # fmt: skip


def as_dense(total):
    return MDP.from_dense(np.full((2, 1, 2), total / 2), np.zeros((2, 1)))


def as_outcomes(total):
    return OutcomeTable.from_rows([[[Outcome(total / 2, 0, 0.0), Outcome(total / 2, 0, 1.0)]]])


def in_the_engine(total):
    env = eu.make_env("loop", size=1)
    env.outcome_probabilities = env.outcome_probabilities * total
    return world_state(env)


@pytest.mark.parametrize("make", [as_model, as_dense, as_outcomes, in_the_engine])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_row_may_miss_one_by_a_billionth_and_by_no_more(make, sign):
    make(1 + sign * 0.9e-9)
    with pytest.raises(ValueError, match="distribution|probabilities"):
        make(1 + sign * 1.1e-9)
