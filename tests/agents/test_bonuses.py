"""BEB, VBRB and MBIE-EB: the agents that add a bonus to the mean reward."""

import numpy as np
import pytest
from hypothesis import given

import eubrl_edu as eu
from eubrl_edu.agents import BEB, MBIEEB, VBRB
from tests.beliefs.dense import cases

ETA = 1.3


def assert_bellman(plan, rewards, transitions, discount):
    np.testing.assert_allclose(plan.model.rewards, rewards, rtol=1e-7, atol=1e-7)
    q = plan.model.rewards + discount * transitions @ plan.v
    scale = 1 + np.abs(q).max()
    np.testing.assert_allclose(plan.q, q, atol=1e-9 * scale)
    np.testing.assert_allclose(plan.v, plan.q.max(axis=1), atol=1e-9 * scale)


@given(cases())
def test_beb_adds_what_falls_with_the_count(case):
    bonus = ETA / (1 + case.counts().sum(axis=-1) + case.alpha * case.n_states)
    bonus[list(case.terminal_states)] = 0.0
    plan = BEB(case.belief(), ETA, 0.9).plan()
    assert_bellman(plan, case.mean_reward() + bonus, case.transitions(), 0.9)


@given(cases())
def test_vbrb_adds_the_posterior_deviations(case):
    bonus = ETA * (np.sqrt(case.transition_variance()) + np.sqrt(case.reward_uncertainty()))
    plan = VBRB(case.belief(), ETA, 0.9).plan()
    assert_bellman(plan, case.mean_reward() + bonus, case.transitions(), 0.9)


@given(cases(max_steps=60))
def test_mbie_eb_adds_what_falls_with_the_root_of_the_count(case):
    agent = MBIEEB(case.n_states, case.n_actions, ETA, 20.0, 0.9, None, 1, case.terminal_states)
    for transition in case.history:
        agent.observe(*transition, transition[3] in case.terminal_states)
    counts, reward_sums = case.counts(), np.zeros((case.n_states, case.n_actions))
    for state, action, reward, _ in case.history:
        reward_sums[state, action] += reward
    visits = counts.sum(axis=-1)
    # As it is usually drawn: what was never visited leads to a state more, that pays R_max.
    transitions = np.zeros((case.n_states + 1, case.n_actions, case.n_states + 1))
    rewards = np.full((case.n_states + 1, case.n_actions), 20.0)
    transitions[:, :, -1] = 1.0
    for state, action in np.argwhere(visits):
        n = visits[state, action]
        transitions[state, action] = np.append(counts[state, action] / n, 0.0)
        rewards[state, action] = reward_sums[state, action] / n + ETA / np.sqrt(n)
    for state in case.terminal_states:
        transitions[state], rewards[state] = np.eye(case.n_states + 1)[state], 0.0
    values = np.zeros(case.n_states + 1)
    for _ in range(400):
        q = rewards + 0.9 * transitions @ values
        values = q.max(axis=1)
    plan = agent.plan()
    np.testing.assert_allclose(plan.q, q[:-1], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(plan.v, values[:-1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("agent", [BEB, VBRB])
@pytest.mark.parametrize("eta", [-1.0, float("nan"), "1"])
def test_bad_scale(agent, eta):
    belief = eu.Belief(eu.DirichletTransitions(3, 2), eu.NormalRewards(3, 2))
    message = f"eta must be a finite number of at least 0, got {eta!r}"
    with pytest.raises(ValueError, match=message):
        agent(belief, eta=eta)
    with pytest.raises(ValueError, match=message):
        MBIEEB(3, 2, eta=eta)


class Lake(eu.EUBRL):
    """Unsure of every pair that has not been tried, those of the ends included."""

    def epistemic_uncertainty(self):
        return self.eta * (self.belief.visits < 1.0)


class Root(eu.agents.additive.AdditiveBonusAgent):
    """A bonus that does not ask where episodes end."""

    def bonus(self):
        return self.eta / np.sqrt(1 + self.belief.visits)


@pytest.mark.parametrize("kind", [Lake, Root])
def test_nothing_is_to_be_learned_in_a_state_that_ends_an_episode(kind):
    env = eu.make_env("deepsea", size=3)
    agent = kind(eu.make_agent("EUBRL", env).belief, eta=2.0, discount=0.9)
    ends, plan = list(env.terminal_states), agent.plan()
    assert not plan.q[ends].any() and (plan.q[: env.n_states - 1] > 0).all()
    of_method = agent.bonus() if kind is Root else agent.epistemic_uncertainty()
    assert of_method[ends].all()


class Keeper(eu.EUBRL):
    """Hands out an array that it goes on using."""

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **settings)
        self.kept = np.ones_like(self.belief.visits)

    def epistemic_uncertainty(self):
        return self.kept


def test_an_array_of_the_agent_s_own_stays_as_it_is():
    env = eu.make_env("deepsea", size=3)
    agent = Keeper(eu.make_agent("EUBRL", env).belief, eta=2.0, discount=0.9)
    plan = agent.plan()
    assert not plan.q[list(env.terminal_states)].any() and (agent.kept == 1.0).all()
