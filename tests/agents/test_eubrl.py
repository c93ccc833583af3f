import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from tests.beliefs.dense import Case, cases

MEASURES = ["variance", "mutual-information", "count"]
ETA, DISCOUNT = 1.7, 0.93


def dense_epistemic_uncertainty(case, measure):
    """E_b from the paper's formulas, on dense arrays."""
    if measure == "count":
        epistemic = ETA / np.sqrt(np.maximum(case.counts().sum(axis=-1), 1))
        epistemic[list(case.terminal_states)] = 0.0
        return epistemic
    transition = case.transition_variance() if measure == "variance" else case.mutual_information()
    # The printed formula for the mutual information can come out at −1e-16.
    return ETA * (np.sqrt(np.maximum(transition, 0.0)) + np.sqrt(case.reward_uncertainty()))


def close(got, expected, atol=1e-7):
    """√ of a rounding error of 1e-15 is 3e-8, hence the absolute tolerance."""
    np.testing.assert_allclose(got, expected, rtol=1e-7, atol=atol)


@given(cases(), st.sampled_from(MEASURES))
def test_every_field_of_the_plan_is_its_formula(case, measure):
    agent = eu.EUBRL(case.prior(), ETA, DISCOUNT, measure)
    most = 0.0
    for length in range(len(case.history) + 1):
        if length:
            agent.belief.update(*case.history[length - 1])
        if length % 7 and length != len(case.history):
            continue
        plan = agent.plan()
        past = Case(**vars(case) | {"history": case.history[:length]})
        epistemic = dense_epistemic_uncertainty(past, measure)
        most = max(most, epistemic.max())
        close(plan.mean_reward, past.mean_reward())
        close(plan.model.transition_matrix(), past.transitions())
        close(plan.epistemic_uncertainty, epistemic)
        close(plan.max_uncertainty, most)
        # Where nothing ever was uncertain, nothing is.
        probability = plan.epistemic_uncertainty / (plan.max_uncertainty or 1.0)
        close(plan.probability_of_uncertainty, probability)
        guided = (1 - probability) * past.mean_reward() + probability * epistemic
        close(plan.guided_reward, guided)
        close(plan.reward_uncertainty, past.reward_uncertainty())
        if measure == "mutual-information":
            close(plan.transition_uncertainty, past.mutual_information())
        else:
            close(plan.transition_uncertainty, past.transition_variance())

        # Q and V solve the Bellman equations of the guided mean MDP.
        np.testing.assert_array_equal(plan.model.rewards, plan.guided_reward)
        q = plan.guided_reward + DISCOUNT * past.transitions() @ plan.v
        scale = 1 + np.abs(q).max()
        close(plan.q, q, atol=1e-9 * scale)
        close(plan.v, plan.q.max(axis=1), atol=1e-9 * scale)
        np.testing.assert_array_equal(plan.q[list(case.terminal_states)], 0.0)


def surprised_belief():
    """Rewards that differ: E_R of Normal-Gamma then rises above where it started."""
    return eu.Belief(
        eu.DirichletTransitions(3, 1, 0.1), eu.NormalGammaRewards(3, 1, 0.0, 0.1, 2.0, 0.1)
    )


def test_the_largest_uncertainty_is_remembered_and_set_at_plans_only():
    agent = eu.EUBRL(surprised_belief(), discount=0.9)
    start = agent.plan().max_uncertainty
    for reward in (0.0, 90.0):
        agent.belief.update(0, 0, reward, 1)
    assert agent.max_uncertainty == start  # not before the next plan
    raised = agent.plan()
    assert raised.max_uncertainty > 2 * start
    assert raised.max_uncertainty == raised.epistemic_uncertainty.max()
    for _ in range(200):
        agent.belief.update(0, 0, 45.0, 1)
    settled = agent.plan()
    assert settled.epistemic_uncertainty.max() < raised.max_uncertainty
    assert settled.max_uncertainty == raised.max_uncertainty
    assert settled.probability_of_uncertainty.max() < 1


def test_an_uncertainty_that_came_and_went_between_plans_is_not_remembered():
    patient = eu.EUBRL(surprised_belief(), discount=0.9, plan_every=300)
    keen = eu.EUBRL(surprised_belief(), discount=0.9, plan_every=1)
    for agent in (patient, keen):
        agent.plan()
        for reward in [0.0, 90.0] + [45.0] * 298:
            agent.observe(0, 0, reward, 1, False)
    assert patient.max_uncertainty < keen.max_uncertainty
    assert patient.max_uncertainty == max(
        eu.EUBRL(surprised_belief()).plan().max_uncertainty,
        patient.current_plan.epistemic_uncertainty.max(),
    )


@pytest.mark.parametrize("update", ["agent", "belief", "batch"])
def test_a_plan_reflects_the_belief_whoever_updated_it(update):
    case = Case(6, 2, 0.01, "normal-gamma", "outcome", (5,))
    history = [(0, 1, 1.0, 2), (2, 0, -1.0, 3), (2, 0, 0.5, 4), (0, 1, 1.5, 2)]
    agent = eu.EUBRL(case.prior(), discount=0.9)
    agent.plan()
    if update == "agent":
        for transition in history:
            agent.observe(*transition, False)
    elif update == "belief":
        for transition in history:
            agent.belief.update(*transition)
    else:
        agent.belief.update_batch(*zip(*history, strict=True))
    case.history = history
    plan = agent.plan()
    close(plan.mean_reward, case.mean_reward(), atol=1e-12)
    close(plan.transition_uncertainty, case.transition_variance(), atol=1e-12)


def test_a_plan_is_not_changed_by_what_is_learned_later():
    case = Case(4, 2, 0.5, "normal-gamma", "outcome", (3,))
    agent = eu.EUBRL(case.prior(), discount=0.9)
    plan = agent.plan()
    before = {name: np.copy(value) for name, value in vars(plan).items() if name != "model"}
    dense = plan.model.transition_matrix()
    for _ in range(5):
        agent.observe(0, 1, 3.0, 2, False)
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(plan, name), value, err_msg=name)
    np.testing.assert_array_equal(plan.model.transition_matrix(), dense)


def test_count_uses_no_other_uncertainty():
    agent = eu.EUBRL(surprised_belief(), eta=3.0, discount=0.9, uncertainty="count")
    for reward in (0.0, 90.0, 0.0, 90.0):
        agent.observe(0, 0, reward, 1, False)
    plan = agent.plan()
    np.testing.assert_allclose(plan.epistemic_uncertainty[:, 0], [1.5, 3.0, 3.0])
    assert plan.max_uncertainty == 3.0
    np.testing.assert_allclose(plan.probability_of_uncertainty[:, 0], [0.5, 1.0, 1.0])


def test_eta_scales_the_uncertainty_and_cancels_in_its_probability():
    case = Case(5, 2, 0.1, "normal-gamma", "outcome", (4,))
    case.history = [(0, 0, 1.0, 1), (1, 1, 0.0, 2)]
    one, ten = (eu.EUBRL(case.belief(), eta=eta, discount=0.9).plan() for eta in (1.0, 10.0))
    np.testing.assert_allclose(ten.epistemic_uncertainty, 10 * one.epistemic_uncertainty)
    np.testing.assert_allclose(ten.probability_of_uncertainty, one.probability_of_uncertainty)


def test_without_eta_it_is_the_mean_mdp():
    case = Case(5, 2, 0.1, "normal-gamma", "outcome", (4,))
    case.history = [(0, 0, 1.0, 1), (1, 1, 0.0, 2), (3, 0, 2.0, 4)]
    guided = eu.EUBRL(case.belief(), eta=0.0, discount=0.9).plan()
    plain = eu.MeanMDP(case.belief(), discount=0.9).plan()
    np.testing.assert_array_equal(guided.probability_of_uncertainty, 0.0)
    np.testing.assert_array_equal(guided.guided_reward, plain.mean_reward)
    np.testing.assert_allclose(guided.q, plain.q, rtol=1e-12)


def test_a_horizon_plans_for_every_step_and_allows_no_discount():
    case = Case(5, 2, 0.1, "normal-gamma", "outcome", (4,))
    case.history = [(0, 0, 1.0, 1), (1, 1, 0.0, 2)]
    plan = eu.EUBRL(case.belief(), discount=1.0, horizon=6).plan()
    assert plan.q.shape == (6, 5, 2)
    assert plan.v.shape == (7, 5)
    following = np.zeros(5)
    for step in reversed(range(6)):
        q = plan.guided_reward + case.transitions() @ following
        following = q.max(axis=1)
        np.testing.assert_allclose(plan.q[step], q, rtol=1e-10)
        np.testing.assert_allclose(plan.v[step], following, rtol=1e-10)
    np.testing.assert_array_equal(plan.v[6], 0.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"eta": -0.1}, "eta must be a finite number of at least 0, got -0.1"),
        ({"eta": float("nan")}, "eta must be a finite number of at least 0, got nan"),
        ({"discount": 1.0}, r"discount must be in \[0, 1\) when there is no horizon, got 1.0"),
        ({"uncertainty": "varience"}, "unknown uncertainty 'varience'.*Did you mean 'variance'"),
        ({"horizon": 0}, "horizon must be an integer of at least 1, got 0"),
        ({"plan_every": -1}, "plan_every, .* must be an integer of at least 1, got -1"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        eu.EUBRL(surprised_belief(), **settings)
