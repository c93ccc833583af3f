import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import eubrl_edu as eu
from eubrl_edu.beliefs import sampling
from eubrl_edu.beliefs.sampling import sample_mdp
from tests.beliefs.dense import cases

CONFIDENCE = 1e-4  # each test below rejects a right sampler so rarely; seeds are fixed besides
ALIKE = 500  # actions of the same posterior: one drawn model gives as many independent draws
RESOLUTION = 1e-5  # what is below VISIBLE_MASS is spread evenly


def belief_with(counts, alpha, on="action"):
    """A belief over len(counts) states, of which state 0 has these counts, for every action."""
    n_states = len(counts)
    belief = eu.Belief(
        eu.DirichletTransitions(n_states, ALIKE, alpha),
        eu.NormalGammaRewards(n_states, ALIKE, 0.5, 0.5, 3.0, 2.0, on=on),
    )
    for action in range(ALIKE):
        for next_state, times in enumerate(counts):
            for _ in range(times):
                belief.update(0, action, 1.0, next_state)
    return belief


def draws(belief, *settings, state=0, n_draws=3000):
    """Many draws of P(.|state, .) and r(state, .)."""
    rng = np.random.default_rng(0)
    models = [sample_mdp(belief, rng, *settings) for _ in range(n_draws // belief.n_actions)]
    rows = np.concatenate([model.transition_matrix()[state] for model in models])
    return rows, np.concatenate([model.rewards[state] for model in models])


def assert_distributed(values, cdf, confidence=CONFIDENCE):
    """Kolmogorov-Smirnov above the resolution; conservative, as it leaves out a part."""
    values = np.sort(values)
    below = np.arange(len(values)) / len(values)
    resolved = values > RESOLUTION
    theory = cdf(values[resolved])
    gap = max(
        np.max(theory - below[resolved], initial=0.0),
        np.max(below[resolved] + 1 / len(values) - theory, initial=0.0),
    )
    assert gap * np.sqrt(len(values)) < stats.kstwobign.isf(confidence)


def assert_dirichlet(rows, parameters):
    """Every marginal is its Beta (KS), and means and second moments are the Dirichlet's (z)."""
    parameters = np.asarray(parameters, dtype=float)
    total = parameters.sum()
    mean = parameters / total
    np.testing.assert_allclose(rows.sum(axis=1), 1.0, rtol=1e-9)
    quantile = stats.norm.isf(CONFIDENCE / 2 / len(parameters) ** 2)
    covariance = (np.diag(mean) - np.outer(mean, mean)) / (total + 1)
    for i, j in np.ndindex(len(mean), len(mean)):
        products = (rows[:, i] - mean[i]) * (rows[:, j] - mean[j])
        assert abs(products.mean() - covariance[i, j]) < quantile * stats.sem(products) + 1e-12
    for k, parameter in enumerate(parameters):
        error = stats.sem(rows[:, k])
        assert abs(rows[:, k].mean() - mean[k]) < quantile * error + 1e-12
        marginal = stats.beta(parameter, total - parameter)
        assert_distributed(rows[:, k], marginal.cdf, CONFIDENCE / len(parameters))


@pytest.mark.parametrize("counts", [(0, 0, 0, 0, 0), (3, 0, 1, 0, 0), (2, 1, 1, 3, 5)])
@pytest.mark.parametrize(
    ("alpha", "by_sticks"), [(0.02, True), (0.3, True), (0.3, False), (2.0, False)]
)
def test_transitions_are_the_dirichlet_listed_or_not(counts, alpha, by_sticks, monkeypatch):
    """By stick breaking and state by state, whichever of them would be the faster one."""
    monkeypatch.setattr(sampling, "LARGE_ALPHA", np.inf if by_sticks else 0.0)
    rows, _ = draws(belief_with(counts, alpha), n_draws=10_000 if by_sticks else 3000)
    assert_dirichlet(rows, alpha + np.array(counts))


@pytest.mark.long
@pytest.mark.parametrize("visits", [0, 2])
def test_many_states_of_tiny_parameters_are_the_dirichlet_though_few_are_drawn(visits):
    """DeepSea 20 clipped at 1e-3, against NumPy's own draws: KS of what a plan can see of a row."""
    n_states, alpha, n_draws = 401, 1e-3, 4000
    belief = eu.Belief(
        eu.DirichletTransitions(n_states, ALIKE, 1e-6), eu.NormalRewards(n_states, ALIKE)
    )
    for action, _ in np.ndindex(ALIKE, visits):
        belief.update(7, action, 0.0, 100)
    rng, rows = np.random.default_rng(0), []
    for _ in range(n_draws // ALIKE):
        model = sample_mdp(belief, rng, alpha)
        assert (model.weights > 0).sum(axis=-1).mean() < 8
        rows.append(model.transition_matrix()[7])
    parameters = np.full(n_states, alpha)
    parameters[100] += visits
    theirs = np.random.default_rng(1).dirichlet(parameters, size=n_draws)
    values = np.linspace(-1, 1, n_states)
    seen = {
        "value": lambda rows: rows @ values,
        "largest": lambda rows: rows.max(axis=1),
        "second largest": lambda rows: np.sort(rows, axis=1)[:, -2],
        "sum of squares": lambda rows: (rows**2).sum(axis=1),
        "listed": lambda rows: rows[:, 100],
        "a quarter": lambda rows: rows[:, :100].sum(axis=1),
        "above 0.001": lambda rows: (rows > 1e-3).sum(axis=1),
    }
    for name, of in seen.items():
        ours, reference = of(np.concatenate(rows)), of(theirs)
        # Below the resolution they need not agree.
        ours[ours < RESOLUTION] = reference[reference < RESOLUTION] = 0.0
        assert stats.ks_2samp(ours, reference).pvalue > CONFIDENCE / len(seen), name


@pytest.mark.parametrize("clip_visited", [True, False])
def test_small_parameters_are_raised(clip_visited):
    """To 0.2; in a pair that was visited only if `clip_visited`."""
    belief = belief_with((3, 1, 0, 0), alpha=1e-6)
    rows, _ = draws(belief, 0.2, clip_visited)
    if clip_visited:
        assert_dirichlet(rows, [3.0, 1.0, 0.2, 0.2])
    else:
        assert rows[:, 2:].max() < 1e-3  # a parameter of 1e-6 next to 4 counts
        assert_dirichlet(rows[:, :2] / rows[:, :2].sum(axis=1, keepdims=True), [3.0, 1.0])
    never_visited, _ = draws(belief, 0.2, clip_visited, state=1)
    assert_dirichlet(never_visited, [0.2, 0.2, 0.2, 0.2])


@pytest.mark.parametrize("alpha", [1e-3, 1e-8])
def test_parameters_whose_gamma_draws_underflow(alpha):
    """A Dirichlet of tiny parameters gives nearly everything to one state, drawn uniformly."""
    rows, _ = draws(belief_with((0, 0, 0, 0, 0), alpha))
    np.testing.assert_allclose(rows.sum(axis=1), 1.0, rtol=1e-12)
    chosen = np.bincount(rows.argmax(axis=1), minlength=5)
    assert stats.chisquare(chosen).pvalue > CONFIDENCE
    # E[max p] is at least E[Σ p²] = (α + 1) / (5α + 1).
    assert rows.max(axis=1).mean() > (alpha + 1) / (5 * alpha + 1) - 4e-3


def test_listed_states_that_underflow_are_chosen_by_their_parameters():
    belief = belief_with((0, 0, 0, 0), 1e-8)
    for action, next_state in np.ndindex(ALIKE, 2):
        belief.transitions.prepare(0, action, next_state)
    rows, _ = draws(belief)
    chosen = np.bincount(rows.argmax(axis=1), minlength=4)
    assert stats.chisquare(chosen).pvalue > CONFIDENCE


@given(cases(), st.sampled_from([0.0, 1e-3, 0.5]), st.booleans(), st.integers(0, 2**32 - 1))
def test_rows_are_distributions_and_ends_absorb(case, minimum_alpha, clip_visited, seed):
    belief = case.belief()
    rng = np.random.default_rng(seed)
    model = sample_mdp(belief, rng, minimum_alpha, clip_visited)
    dense = model.transition_matrix()
    assert dense.min() >= 0
    np.testing.assert_allclose(dense.sum(axis=-1), 1.0, rtol=1e-9)
    assert np.isfinite(model.rewards).all()
    assert model.terminal_states == case.terminal_states
    for state in case.terminal_states:
        np.testing.assert_array_equal(dense[state], np.eye(case.n_states)[[state] * case.n_actions])
        np.testing.assert_array_equal(model.rewards[state], 0.0)


@given(cases(), st.integers(0, 2**32 - 1))
def test_drawing_leaves_the_belief_alone_and_depends_on_the_seed_only(case, seed):
    belief = case.belief()
    means, visits = belief.rewards.posterior()[0].copy(), belief.visits.copy()
    one = sample_mdp(belief, np.random.default_rng(seed))
    one.rewards[:], one.successors[:], one.weights[:] = 99.0, 0, 0.0
    known = belief.rewards.posterior()[0][..., : means.shape[-1]]
    np.testing.assert_array_equal(known, means)
    np.testing.assert_array_equal(belief.visits, visits)
    again, thrice = (sample_mdp(belief, np.random.default_rng(seed)) for _ in range(2))
    np.testing.assert_array_equal(again.transition_matrix(), thrice.transition_matrix())
    np.testing.assert_array_equal(again.rewards, thrice.rewards)


def test_no_pair_lists_a_state_twice():
    """So that every outcome has one reward, however many pieces of the rest fall on its state."""
    belief = belief_with((3, 0, 1, 0, 0, 0, 0), 0.02, on="outcome")
    rng = np.random.default_rng(0)
    for model in (sample_mdp(belief, rng), sample_mdp(belief, rng)):
        for state, action in np.ndindex(model.rewards.shape):
            listed = model.successors[state, action][model.weights[state, action] > 0]
            assert len(set(listed.tolist())) == len(listed)


def test_rewards_on_actions_follow_their_posterior():
    belief = belief_with((3, 0, 1), 1.0)
    _, rewards = draws(belief)
    scale, shape = 0.5 + 4, 3.0 + 2
    centre, rate = (0.5 * 0.5 + 4) / scale, 2.0 + 0.5 * 4 * 0.5**2 / (2 * scale)
    oracle = stats.t(2 * shape, centre, np.sqrt(rate / (shape * scale)))
    assert stats.kstest(rewards, oracle.cdf).pvalue > CONFIDENCE


@pytest.mark.parametrize("alpha", [0.02, 1.0])
def test_rewards_on_outcomes_are_averaged_over_the_drawn_transitions(alpha):
    """Against Dirichlet and Student-t draws of numpy's own (two-sample KS)."""
    counts = (3, 0, 1, 0)
    _, rewards = draws(belief_with(counts, alpha, on="outcome"))
    rng = np.random.default_rng(9)
    rows = rng.dirichlet(alpha + np.array(counts), size=30_000)
    expected = np.zeros(30_000)
    for next_state, n in enumerate(counts):
        scale, shape = 0.5 + n, 3.0 + n / 2
        centre, rate = (0.5 * 0.5 + n) / scale, 2.0 + 0.5 * n * 0.5**2 / (2 * scale)
        student = rng.standard_t(2 * shape, size=30_000)
        expected += rows[:, next_state] * (centre + student * np.sqrt(rate / (shape * scale)))
    assert stats.ks_2samp(rewards, expected).pvalue > CONFIDENCE


def test_known_rewards_are_averaged_exactly():
    rewards = np.array([[[4.0, -2.0]], [[1.0, 0.0]], [[0.0, 3.0]]])
    successors = np.array([[[0, 2]], [[1, 0]], [[0, 1]]])
    belief = eu.Belief(eu.DirichletTransitions(3, 1, 0.5), eu.KnownRewards(rewards, successors))
    dense = np.zeros((3, 1, 3))
    for state, k in np.ndindex(3, 2):
        dense[state, 0, successors[state, 0, k]] += rewards[state, 0, k]
    model = sample_mdp(belief, np.random.default_rng(4))
    np.testing.assert_allclose(
        model.rewards, (model.transition_matrix() * dense).sum(axis=-1), rtol=1e-12
    )


def test_a_tied_draw_is_one_for_all_states():
    belief = eu.Belief(
        eu.TiedDirichletTransitions(6, ALIKE, 0.5), eu.NormalRewards(6, ALIKE), terminal_states=[5]
    )
    for action in range(ALIKE):
        for next_state in (3, 3, 1):
            belief.update(2, action, 0.0, next_state)
    rng, displacements = np.random.default_rng(2), []
    for _ in range(5):
        dense = sample_mdp(belief, rng).transition_matrix()
        inner = dense[2, :, 1:4]
        displacements.append(inner)
        np.testing.assert_array_equal(dense[3, :, 2:5], inner)
        borders = np.stack([inner[:, 0] + inner[:, 1], inner[:, 2]], axis=-1)
        np.testing.assert_allclose(dense[0, :, :2], borders, rtol=1e-12)
        np.testing.assert_array_equal(dense[5], np.eye(6)[[5] * ALIKE])
    assert_dirichlet(np.concatenate(displacements), [1.5, 0.5, 2.5])


def test_a_tied_draw_gives_each_next_state_its_own_reward():
    """Before anything was observed, too: the reward belief then has room for one outcome only."""
    belief = eu.Belief(
        eu.TiedDirichletTransitions(5, ALIKE, 1.0), eu.NormalRewards(5, ALIKE, tau0=0.25)
    )
    _, rewards = draws(belief, state=2)
    rng = np.random.default_rng(3)
    rows = rng.dirichlet(np.ones(3), size=30_000)
    expected = (rows * rng.normal(scale=2.0, size=(30_000, 3))).sum(axis=1)
    assert stats.ks_2samp(rewards, expected).pvalue > CONFIDENCE


def test_a_flat_prior_over_many_states_stays_as_wide_as_the_states():
    """Breaking sticks takes 28 α pieces for each state: here every state is drawn instead."""
    belief = eu.Belief(eu.DirichletTransitions(60, 2, 1.0), eu.NormalRewards(60, 2))
    model = sample_mdp(belief, np.random.default_rng(0))
    assert model.successors.shape[-1] <= 61


@pytest.mark.parametrize("alpha", [0.01, 0.03, 0.5])
def test_a_draw_is_refused_by_what_it_would_hold(alpha, monkeypatch):
    """As one shows that is drawn; with an alpha as large as the error says it is taken."""

    def belief(alpha):
        return eu.Belief(eu.DirichletTransitions(800, 2, alpha), eu.NormalRewards(800, 2))

    model = sample_mdp(belief(alpha), np.random.default_rng(0))
    drawn = int((model.weights > 0).sum())
    monkeypatch.setattr(sampling, "MOST_DRAWN", round(drawn * 1.03))
    sampling.require_drawable(belief(alpha))
    monkeypatch.setattr(sampling, "MOST_DRAWN", round(drawn * 0.97))
    with pytest.raises(ValueError, match=rf"^alpha must be .*, got {alpha}: ") as caught:
        sampling.require_drawable(belief(alpha))
    largest = float(str(caught.value).split()[5])
    sampling.require_drawable(belief(largest))
    with pytest.raises(ValueError, match="^alpha must be at most"):
        sampling.require_drawable(belief(1.02 * largest))


class LikesState0(eu.DirichletTransitions):
    def all_parameters(self):
        return super().all_parameters()._replace(alpha=2.0)


def test_parameters_of_ones_own_are_not_drawn_from():
    belief = eu.Belief(LikesState0(5, 2), eu.NormalRewards(5, 2))
    for draw in (lambda: belief.sample_mdp(np.random.default_rng(0)), lambda: eu.PSRL(belief)):
        with pytest.raises(ValueError, match="LikesState0 has its own all_parameters"):
            draw()
