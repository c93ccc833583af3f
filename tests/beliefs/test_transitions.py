import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import eubrl_edu as eu
from eubrl_edu.uncertainty import transition_mutual_information, transition_variance


def dense_parameters(transitions):
    """α_k + n_k of all pairs as an (S, A, S) array."""
    row = transitions.all_parameters()
    dense = np.full((*transitions.visits.shape, transitions.n_states), row.alpha, dtype=float)
    for state, action in np.ndindex(transitions.visits.shape):
        for k in range(transitions.table.listed[state, action]):
            next_state = transitions.table.successors[state, action, k]
            dense[state, action, next_state] = 0.0
        for k in range(transitions.table.listed[state, action]):
            next_state = transitions.table.successors[state, action, k]
            dense[state, action, next_state] += row.listed[k][state, action]
    return dense


def simplex_grid(step):
    """Midpoints of a grid over (p_0, p_1, p_2), and their last coordinate."""
    points = np.arange(step / 2, 1, step)
    first, second = np.meshgrid(points, points, indexing="ij")
    inside = first + second < 1 - step / 4
    first, second = first[inside], second[inside]
    return np.stack([first, second, 1 - first - second], axis=-1)


def brute_force(alpha, counts, step=1 / 600):
    """Posterior mean and variance of p ~ Dir(α1) after counts: prior × likelihood on a grid."""
    grid = simplex_grid(step)
    grid = grid[grid.min(axis=-1) > 0]
    log_posterior = np.log(grid) @ (alpha - 1 + np.asarray(counts, dtype=float))
    posterior = np.exp(log_posterior - log_posterior.max())
    posterior /= posterior.sum()
    mean = posterior @ grid
    return mean, posterior @ (grid - mean) ** 2, grid, posterior


def test_posterior_is_prior_times_likelihood():
    transitions = eu.DirichletTransitions(3, 1, alpha=2.0)
    for next_state in (1, 1, 0, 1):
        transitions.update(0, 0, next_state)
    mean, variance, grid, posterior = brute_force(2.0, [1, 3, 0])
    row = transitions.parameters(0, 0)
    parameters = dense_parameters(transitions)[0, 0]
    np.testing.assert_allclose(parameters / row.total, mean, atol=2e-4)
    assert transition_variance(row) == pytest.approx(variance.sum(), rel=2e-3)
    divergence = (grid * np.log(grid / mean)).sum(axis=-1)
    assert transition_mutual_information(row) == pytest.approx(posterior @ divergence, rel=2e-3)


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=40), st.floats(1e-8, 10))
def test_mean_and_variance_are_scipys(history, alpha):
    transitions = eu.DirichletTransitions(5, 5, alpha)
    counts = np.zeros((5, 5, 5))
    for state, action, next_state in history:
        transitions.update(state, action, next_state)
        counts[state, action, next_state] += 1
    everywhere = transitions.all_parameters()
    variance = transition_variance(everywhere)
    np.testing.assert_allclose(dense_parameters(transitions), alpha + counts, rtol=1e-12)
    np.testing.assert_array_equal(transitions.visits, counts.sum(axis=-1))
    for state, action, _ in history:
        oracle = stats.dirichlet(alpha + counts[state, action])
        assert variance[state, action] == pytest.approx(oracle.var().sum(), rel=1e-7)
        row = transitions.parameters(state, action)
        assert row.total == everywhere.total[state, action]
        assert row.n_unlisted == everywhere.n_unlisted[state, action]
        for listed, others in zip(row.listed, row.others, strict=True):
            assert listed + others == pytest.approx(row.total, rel=1e-12)


@given(st.permutations([(0, 0, 1), (0, 0, 1), (0, 0, 2), (1, 1, 0), (0, 0, 3), (2, 0, 2)]))
def test_the_order_of_observations_does_not_matter(history):
    one, other = eu.DirichletTransitions(4, 2, 0.1), eu.DirichletTransitions(4, 2, 0.1)
    for transition in sorted(history):
        one.update(*transition)
    for transition in history:
        other.update(*transition)
    np.testing.assert_array_equal(dense_parameters(one), dense_parameters(other))


def tied_predictive(transitions):
    row = transitions.all_parameters()
    return dense_parameters(transitions) / row.total[..., None]


def laid_out(displacement_probabilities, n_states):
    """P(s'|s) of displacements −1, 0, +1, clipped at the borders; (..., S, S)."""
    dense = np.zeros((*displacement_probabilities.shape[:-1], n_states, n_states))
    for state in range(n_states):
        for k, displacement in enumerate((-1, 0, 1)):
            reached = min(max(state + displacement, 0), n_states - 1)
            dense[..., state, reached] += displacement_probabilities[..., k]
    return dense


@pytest.mark.parametrize("n_states", [2, 3, 5])
def test_tied_posterior_is_brute_force_over_displacements(n_states):
    """Also at the borders: their next states' distribution is that of merged displacements."""
    transitions = eu.TiedDirichletTransitions(n_states, 2, alpha=2.0)
    counts = np.zeros(3)
    for displacement in (1, 1, -1, 1, 0):
        if n_states > 2:
            transitions.update(1, 1, 1 + displacement)
            counts[displacement + 1] += 1
    mean, _, grid, posterior = brute_force(2.0, counts)
    everywhere = laid_out(grid, n_states)
    np.testing.assert_allclose(
        tied_predictive(transitions)[:, 1], laid_out(mean, n_states), atol=2e-4
    )
    spread = np.einsum("g,gst->st", posterior, (everywhere - laid_out(mean, n_states)) ** 2)
    variance = transition_variance(transitions.all_parameters())
    np.testing.assert_allclose(variance[:, 1], spread.sum(axis=-1), rtol=3e-3)
    logs = np.log(
        np.where(everywhere > 0, everywhere, 1.0) / laid_out(mean + 1e-300, n_states).clip(1e-300)
    )
    divergence = np.where(everywhere > 0, everywhere * logs, 0.0).sum(axis=-1)
    information = transition_mutual_information(transitions.all_parameters())
    np.testing.assert_allclose(information[:, 1], posterior @ divergence, rtol=3e-3)
    # The other action has learned nothing.
    np.testing.assert_allclose(
        tied_predictive(transitions)[:, 0], laid_out(np.full(3, 1 / 3), n_states), rtol=1e-12
    )


def test_tied_states_share_what_they_saw():
    transitions = eu.TiedDirichletTransitions(6, 1, alpha=1.0)
    transitions.update(1, 0, 2)
    transitions.update(4, 0, 5)
    np.testing.assert_array_equal(transitions.displacement_counts, [[0, 0, 2]])
    np.testing.assert_allclose(tied_predictive(transitions)[3, 0, 2:5], [0.2, 0.2, 0.6])
    assert transitions.visits[:, 0].tolist() == [0, 1, 0, 0, 1, 0]


@pytest.mark.parametrize(("state", "next_state"), [(0, 0), (0, 1), (4, 4), (4, 3)])
def test_tied_borders_are_visited_but_not_counted(state, next_state):
    """Staying there does not tell displacements apart, so counting moves alone would mislead."""
    transitions = eu.TiedDirichletTransitions(5, 1, alpha=1.0)
    transitions.update(state, 0, next_state)
    np.testing.assert_array_equal(transitions.displacement_counts, 0.0)
    assert transitions.visits[state, 0] == 1


@pytest.mark.parametrize("state", range(5))
def test_tied_floats_and_arrays_agree(state):
    transitions = eu.TiedDirichletTransitions(5, 2, alpha=0.3)
    transitions.update(2, 1, 3, times=4)
    everywhere, one = transitions.all_parameters(), transitions.parameters(state, 1)
    assert list(one.listed) == [column[state, 1] for column in everywhere.listed]
    assert list(one.others) == [column[state, 1] for column in everywhere.others]
    assert one.total == everywhere.total[state, 1]


@pytest.mark.parametrize("kind", [eu.DirichletTransitions, eu.TiedDirichletTransitions])
def test_a_copy_is_independent(kind):
    original = kind(5, 2, alpha=0.5)
    original.update(1, 0, 2)
    before = dense_parameters(original)
    twin = original.copy()
    np.testing.assert_array_equal(dense_parameters(twin), before)
    for next_state in (1, 0, 2, 2):
        twin.update(1, 0, next_state)
    np.testing.assert_array_equal(dense_parameters(original), before)
    assert original.visits.sum() == 1
    assert twin.visits.sum() == 5
    original.update(1, 0, 1)
    assert twin.visits.sum() == 5


@pytest.mark.parametrize("kind", [eu.DirichletTransitions, eu.TiedDirichletTransitions])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": 0.0}, "alpha must be a finite number greater than 0, got 0.0"),
        ({"alpha": -1}, "alpha must be a finite number greater than 0, got -1"),
        ({"alpha": float("nan")}, "alpha must be .* greater than 0, got nan"),
        ({"alpha": float("inf")}, "alpha must be .* greater than 0, got inf"),
        ({"n_states": 0}, r"n_states must be an integer of at least \d, got 0"),
        ({"n_states": 2.0}, r"n_states must be an integer of at least \d, got 2.0"),
        ({"n_actions": 0}, "n_actions must be an integer of at least 1, got 0"),
    ],
)
def test_bad_settings(kind, arguments, message):
    with pytest.raises(ValueError, match=message):
        kind(**{"n_states": 4, "n_actions": 2} | arguments)


def test_a_tied_prior_needs_two_states():
    with pytest.raises(ValueError, match="n_states must be an integer of at least 2, got 1"):
        eu.TiedDirichletTransitions(1, 2)


@pytest.mark.parametrize("kind", [eu.DirichletTransitions, eu.TiedDirichletTransitions])
@pytest.mark.parametrize(
    ("transition", "message"),
    [
        ((4, 0, 0), "state must be an integer from 0 to 3, got 4"),
        ((-1, 0, 0), "state must be an integer from 0 to 3, got -1"),
        ((0, 2, 0), "action must be an integer from 0 to 1, got 2"),
        ((0, 0, 4), "next_state must be an integer from 0 to 3, got 4"),
        ((0, 0, 1.0), "next_state must be an integer from 0 to 3, got 1.0"),
    ],
)
def test_an_update_out_of_range_changes_nothing(kind, transition, message):
    transitions = kind(4, 2)
    with pytest.raises(ValueError, match=message):
        transitions.update(*transition)
    assert transitions.visits.sum() == 0
    np.testing.assert_array_equal(dense_parameters(transitions), dense_parameters(kind(4, 2)))


def test_a_tied_prior_refuses_jumps():
    transitions = eu.TiedDirichletTransitions(4, 2)
    with pytest.raises(
        ValueError, match="next_state must be within one step.*state 0.*next_state 2"
    ):
        transitions.update(0, 0, 2)
    assert transitions.visits.sum() == 0
