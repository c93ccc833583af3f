import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu.agents import BOSS
from eubrl_edu.agents.boss import choose_rows, merge
from eubrl_edu.beliefs.sampling import sample_mdp
from eubrl_edu.planning import value_iteration


def belief(alpha=0.5, n_states=4):
    return eu.Belief(
        eu.DirichletTransitions(n_states, 2, alpha),
        eu.NormalGammaRewards(n_states, 2),
        terminal_states=[n_states - 1],
    )


def random_model(rng, n_states=4, n_actions=2, n_successors=3):
    successors = rng.integers(n_states, size=(n_states, n_actions, n_successors))
    weights = rng.dirichlet(np.ones(n_successors + 1), size=(n_states, n_actions))
    return eu.MDP(
        successors,
        weights[..., :-1],
        weights[..., -1] / n_states,
        rng.normal(size=(n_states, n_actions)),
    )


def test_the_merged_model_has_the_actions_of_all():
    rng = np.random.default_rng(0)
    models = [random_model(rng, n_successors=k) for k in (2, 4, 1)]
    merged = merge(models)
    dense = merged.transition_matrix()
    assert dense.shape == (4, 6, 4)
    for action in range(2):
        for k, model in enumerate(models):
            np.testing.assert_allclose(
                dense[:, 3 * action + k], model.transition_matrix()[:, action]
            )
            np.testing.assert_array_equal(
                merged.rewards[:, 3 * action + k], model.rewards[:, action]
            )


def test_rows_are_taken_from_the_models_chosen():
    rng = np.random.default_rng(1)
    models = [random_model(rng, n_successors=k) for k in (2, 4, 1)]
    chosen = rng.integers(3, size=(4, 2))
    mixed = choose_rows(models, chosen)
    for state, action in np.ndindex(4, 2):
        model = models[chosen[state, action]]
        np.testing.assert_allclose(
            mixed.transition_matrix()[state, action], model.transition_matrix()[state, action]
        )
        assert mixed.rewards[state, action] == model.rewards[state, action]


def test_a_plan_solves_the_merged_model_of_the_models_drawn():
    one, other = belief(), belief()
    for transition in [(0, 0, 1.0, 1), (1, 1, 2.0, 2)]:
        one.update(*transition)
        other.update(*transition)
    plan = BOSS(one, n_models=3, discount=0.9).plan(np.random.default_rng(5))
    rng = np.random.default_rng(5)
    models = [sample_mdp(other, rng) for _ in range(3)]
    v = np.zeros(4)
    for _ in range(500):
        q_of_each = [m.rewards + 0.9 * m.transition_matrix() @ v for m in models]
        v = np.max(q_of_each, axis=(0, 2))
    np.testing.assert_allclose(plan.q, np.max(q_of_each, axis=0), atol=1e-9)
    np.testing.assert_allclose(plan.v, v, atol=1e-9)


def test_the_plan_s_model_has_its_values():
    plan = BOSS(belief(), n_models=4, discount=0.9).plan(np.random.default_rng(0))
    q = plan.model.rewards + 0.9 * plan.model.transition_matrix() @ plan.v
    np.testing.assert_allclose(plan.q, q, atol=1e-10)
    np.testing.assert_allclose(plan.v, q.max(axis=1), atol=1e-10)
    assert plan.v[3] == 0.0  # the end is worth nothing in any model


def test_it_is_at_least_as_optimistic_as_each_of_its_models():
    for seed in range(5):
        plan = BOSS(belief(), n_models=3, discount=0.9).plan(np.random.default_rng(seed))
        rng = np.random.default_rng(seed)
        for _ in range(3):
            alone = value_iteration(sample_mdp(belief(), rng), 0.9, tolerance=1e-12)
            assert (plan.q >= alone.q - 1e-9).all()


def test_with_one_model_it_plans_as_posterior_sampling_does():
    boss = BOSS(belief(), n_models=1, discount=0.9).plan(np.random.default_rng(3))
    psrl = eu.PSRL(belief(), discount=0.9, minimum_alpha=0.0).plan(np.random.default_rng(3))
    np.testing.assert_allclose(boss.q, psrl.q, atol=1e-12)


def test_with_a_horizon():
    plan = BOSS(belief(), n_models=2, discount=1.0, horizon=3).plan(np.random.default_rng(0))
    rng = np.random.default_rng(0)
    models = [sample_mdp(belief(), rng) for _ in range(2)]
    v = np.zeros(4)
    for step in (2, 1, 0):
        of_models = np.array([m.rewards + m.transition_matrix() @ v for m in models])
        q = of_models.max(axis=0)
        v = q.max(axis=1)
        np.testing.assert_allclose(plan.q[step], q, atol=1e-12)
        np.testing.assert_allclose(plan.v[step], v, atol=1e-12)
    # The model is what the first step was planned in.
    for pair in np.ndindex(3, 2):
        chosen = models[of_models[:, *pair].argmax()]
        np.testing.assert_allclose(
            plan.model.transition_matrix()[pair], chosen.transition_matrix()[pair]
        )


def test_new_models_are_drawn_when_a_pair_reaches_its_threshold():
    agent, rng = BOSS(belief(), n_models=2, known_after=3, discount=0.9), np.random.default_rng(0)
    drawn, last = [], None
    pairs = [(0, 0), (0, 0), (0, 1), (0, 0), (0, 0), (0, 0), (0, 1), (1, 1), (0, 1), (0, 1)]
    for step, (state, action) in enumerate(pairs):
        agent.act(state, rng)
        if agent.current_plan is not last:
            drawn.append(step)
            last = agent.current_plan
        agent.observe(state, action, 0.0, 1, False)
        assert agent.current_plan is last  # the next draw waits for the next action
    # at first, after the third (0, 0) at step 3, after the third (0, 1) at step 8
    assert drawn == [0, 4, 9]


def test_planning_needs_a_source_of_randomness():
    with pytest.raises(ValueError, match="rng must be a numpy random Generator"):
        BOSS(belief(), discount=0.9).plan()


@pytest.mark.parametrize("name", ["n_models", "known_after"])
@pytest.mark.parametrize("value", [0, 1.5, None])
def test_bad_settings(name, value):
    with pytest.raises(ValueError, match=f"{name} must be an integer of at least 1, got {value}"):
        BOSS(belief(), **{name: value})


def test_models_too_large_to_hold_together_are_refused_at_once():
    rewards = eu.NormalGammaRewards(1000, 2, on="action")
    large = eu.Belief(eu.DirichletTransitions(1000, 2, alpha=1.0), rewards)
    with pytest.raises(ValueError, match="alpha must be at most 0.03 to draw 50 models"):
        BOSS(large, n_models=50)
    BOSS(large, n_models=20)
