import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from tests.theory.worlds import RandomWorld


def fed(eta, transitions, **settings):
    agent = FrequentistEUBRL(3, 2, eta, **{"r_max": 1.0, "discount": 0.9} | settings)
    for state, action, reward, next_state in transitions:
        agent.observe(state, action, reward, next_state, False)
    return agent


HISTORY = [(0, 0, 1.0, 1), (0, 0, 0.0, 2), (0, 0, 1.0, 1), (0, 0, 1.0, 1), (1, 1, 0.5, 0)]


def test_the_plan_is_maximum_likelihood_under_the_guided_reward():
    plan = fed(lambda t: 0.25 * t, HISTORY).current_plan
    eta = 0.25 * 6  # five steps were taken, so the plan is for the sixth
    p_u = np.ones((3, 2))
    p_u[0, 0] = 1 / 2
    np.testing.assert_allclose(plan.probability_of_uncertainty, p_u)
    np.testing.assert_allclose(plan.epistemic_uncertainty, eta * p_u)
    assert plan.max_uncertainty == eta
    reward = np.full((3, 2), eta)
    reward[0, 0] = (1 - 1 / 2) * 0.75 + 1 / 2 * eta / 2
    np.testing.assert_allclose(plan.guided_reward, reward)
    np.testing.assert_allclose(plan.mean_reward[0, 0], 0.75)
    transitions = np.zeros((3, 2, 3))
    transitions[0, 0] = 0, 3 / 4, 1 / 4
    transitions[1, 1] = 1, 0, 0
    for pair in ((0, 1), (1, 0), (2, 0), (2, 1)):
        transitions[(*pair, pair[0])] = 1
    np.testing.assert_allclose(plan.model.transition_matrix(), transitions)


def test_values_are_cut_off_and_actions_still_told_apart():
    plan = fed(lambda t: 5.0, HISTORY).current_plan
    assert plan.value_cap == pytest.approx(10.0)
    q = plan.model.rewards + 0.9 * plan.model.transition_matrix() @ plan.v
    np.testing.assert_allclose(plan.q, q, atol=1e-9)
    np.testing.assert_allclose(plan.v, np.minimum(q.max(axis=1), 10.0), atol=1e-9)
    assert plan.v[0] == plan.value_cap
    assert plan.q[0, 1] > plan.q[0, 0] > 0  # the action never taken is the better one


def test_terminal_states_are_certain_and_pay_nothing():
    agent = fed(lambda t: 2.0, HISTORY[:1], terminal_states=(2,))
    plan = agent.current_plan
    assert (plan.probability_of_uncertainty[2] == 0).all()
    assert (plan.guided_reward[2] == 0).all()
    assert plan.v[2] == 0


def test_eta_is_asked_for_the_step_to_come():
    asked = []

    def eta(t):
        asked.append(t)
        return 1.0

    world = RandomWorld(3, 2, seed=0)
    eu.simulate(FrequentistEUBRL(3, 2, eta, discount=0.9), world, 5, seed=0)
    assert asked == [1, 2, 3, 4, 5, 6]


def test_with_a_horizon_values_are_cut_off_at_h_r_max():
    agent = fed(lambda t: 100.0, HISTORY, horizon=4, plan_every="episode")
    plan = agent.plan()
    assert plan.q.shape == (4, 3, 2)
    assert plan.v.max() == plan.value_cap == 4.0


def test_it_learns_a_small_world():
    world = RandomWorld(3, 2, seed=4)
    agent = FrequentistEUBRL(3, 2, lambda t: 2.0, discount=0.9)
    run = eu.simulate(agent, world, 1500, seed=0)
    best = eu.solve(world.model, 0.9).policy
    late = slice(-300, None)
    assert (run.actions[late] == best[run.states[late]]).mean() > 0.9


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"eta": -3.0}, "eta, unless a function of the step t, must be a finite number of at"),
        ({"eta": "more"}, "eta, unless a function of the step t, must be a finite number of at"),
        ({"r_max": 0}, "r_max, .* must be a finite number greater than 0"),
        ({"discount": 1.0}, r"discount must be in \[0, 1\)"),
        ({"terminal_states": (7,)}, "terminal_states must be an integer from 0 to 2"),
    ],
)
def test_bad_input_is_answered_in_words(settings, words):
    with pytest.raises(ValueError, match=words):
        FrequentistEUBRL(3, 2, **{"eta": lambda t: 1.0} | settings)


def test_a_negative_eta_is_refused_when_it_comes_up():
    with pytest.raises(ValueError, match=r"eta\(t\) must be a finite number of at least 0"):
        FrequentistEUBRL(3, 2, lambda t: -1.0).plan()
