import numpy as np
import pytest
from scipy import stats

import eubrl_edu as eu
from eubrl_edu.beliefs.sampling import sample_mdp


def belief(alpha=0.5, n_states=4):
    return eu.Belief(
        eu.DirichletTransitions(n_states, 2, alpha),
        eu.NormalGammaRewards(n_states, 2),
        terminal_states=[n_states - 1],
    )


def test_a_plan_is_optimal_in_the_model_drawn():
    agent, rng = eu.PSRL(belief(), discount=0.9), np.random.default_rng(0)
    for _ in range(5):
        plan = agent.plan(rng)
        q = plan.model.rewards + 0.9 * plan.model.transition_matrix() @ plan.v
        np.testing.assert_allclose(plan.q, q, atol=1e-10)
        np.testing.assert_allclose(plan.v, q.max(axis=1), atol=1e-10)
        np.testing.assert_array_equal(plan.mean_reward, plan.model.rewards)


@pytest.mark.parametrize("settings", [{}, {"minimum_alpha": 0.4}, {"clip_visited": False}])
def test_the_model_is_drawn_from_the_belief_with_its_settings(settings):
    one, other = belief(1e-4), belief(1e-4)
    for transition in [(0, 0, 1.0, 1), (1, 1, 2.0, 2)]:
        one.update(*transition)
        other.update(*transition)
    plan = eu.PSRL(one, discount=0.9, **settings).plan(np.random.default_rng(7))
    full = {"minimum_alpha": 1e-3, "clip_visited": True} | settings
    expected = sample_mdp(other, np.random.default_rng(7), **full)
    np.testing.assert_array_equal(plan.model.transition_matrix(), expected.transition_matrix())
    np.testing.assert_array_equal(plan.model.rewards, expected.rewards)


def draws_at(agent, terminated):
    """After how many observations a new model was drawn, as the actions show."""
    rng, drawn, last = np.random.default_rng(0), [], None
    for step, ends in enumerate(terminated):
        action = agent.act(0, rng)
        if agent.current_plan is not last:
            drawn.append(step)
            last = agent.current_plan
        agent.observe(0, action, 0.0, 1, ends)
        assert agent.current_plan is last  # the next draw waits for the next action
    return drawn


@pytest.mark.parametrize(("every", "expected"), [(1, range(7)), (3, [0, 3, 6])])
def test_draws_at_the_next_action_when_planning_is_due(every, expected):
    agent = eu.PSRL(belief(), discount=0.9, plan_every=every)
    assert draws_at(agent, [False, False, True, False, False, False, False]) == list(expected)


def test_draws_once_an_episode():
    agent = eu.PSRL(belief(), discount=0.9, plan_every="episode")
    assert draws_at(agent, [False, False, True, False, True, True, False]) == [0, 3, 5, 6]
    agent = eu.PSRL(belief(), discount=1.0, plan_every="episode", horizon=3)
    assert draws_at(agent, [False] * 7) == [0, 3, 6]
    assert agent.current_plan.q.shape == (3, 4, 2)


def test_actions_are_probability_matched():
    """Two arms with Beta posteriors: PSRL takes each as often as it is the better one."""
    arms = eu.Belief(eu.DirichletTransitions(1, 2), eu.BetaBernoulliRewards(1, 2, on="action"))
    arms.update_batch([0] * 7, [0, 0, 0, 1, 1, 1, 1], [1, 0, 0, 1, 1, 0, 0], [0] * 7)
    agent, rng = eu.PSRL(arms, discount=0.5), np.random.default_rng(0)
    chosen = 0
    for _ in range(2000):
        agent.plan(rng)
        chosen += agent.act(0, rng)
    oracle = np.random.default_rng(1)
    second_is_better = np.mean(oracle.beta(3, 3, 10**6) > oracle.beta(2, 3, 10**6))
    assert stats.binomtest(chosen, 2000, second_is_better).pvalue > 1e-4


def test_planning_needs_a_source_of_randomness():
    with pytest.raises(ValueError, match="rng must be a numpy random Generator"):
        eu.PSRL(belief(), discount=0.9).plan()


@pytest.mark.parametrize(
    ("alpha", "settings", "said"),
    [
        (0.1, {}, "alpha must be at most 0.03 .*, got 0.1: .* 128,000,000 numbers"),
        (1e-6, {"minimum_alpha": 0.5}, "minimum_alpha must be at most 0.03 .*, got 0.5"),
    ],
)
def test_models_too_large_to_hold_are_refused_at_once(alpha, settings, said):
    def belief_of(n_states, tied=False):
        kind = eu.TiedDirichletTransitions if tied else eu.DirichletTransitions
        rewards = eu.NormalGammaRewards(n_states, 2, on="action")
        return eu.Belief(kind(n_states, 2, alpha), rewards)

    with pytest.raises(ValueError, match=said):
        eu.PSRL(belief_of(8000), **settings)
    eu.PSRL(belief_of(2501), **settings)  # the sea of 50
    eu.PSRL(belief_of(8000, tied=True), **settings)


@pytest.mark.parametrize("value", [-1e-9, float("nan"), None])
def test_bad_minimum(value):
    message = f"minimum_alpha must be a finite number of at least 0, got {value}"
    with pytest.raises(ValueError, match=message):
        eu.PSRL(belief(), minimum_alpha=value)
