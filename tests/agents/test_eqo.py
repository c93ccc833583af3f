"""EQO against a dense twin in whole runs, and beside EUBRL's bonus, which is the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from eubrl_edu.agents import EQO
from eubrl_edu.simulation import simulate
from tests.theory.worlds import RandomWorld

TIE = 1e-10


class DenseEQO(eu.agents.Agent):
    """The definition, in dense arrays, by value iteration until nothing moves."""

    def __init__(self, n_states, n_actions, c, r_max, discount):
        self.counts = np.zeros((n_states, n_actions, n_states))
        self.rewards = np.zeros((n_states, n_actions))
        self.c, self.discount, self.cap = c, discount, r_max / (1 - discount)
        self.q = np.full((n_states, n_actions), self.cap)

    def act(self, state, rng):
        row = self.q[state]
        best = np.flatnonzero(row >= row.max() - TIE * np.abs(row).max())
        return int(best[0] if len(best) == 1 else best[int(rng.integers(len(best)))])

    def observe(self, state, action, reward, next_state, terminated):
        self.counts[state, action, next_state] += 1
        self.rewards[state, action] += reward
        n = self.counts.sum(axis=-1)
        known, n = n > 0, np.maximum(n, 1)
        values = np.full(len(self.q), self.cap)
        for _ in range(3000):
            following = self.discount * (self.counts / n[..., None]) @ values
            q = np.where(known, (self.rewards + self.c) / n + following, self.cap)
            values, before = np.minimum(q, self.cap).max(axis=1), values
            if np.abs(values - before).max() < 1e-14:
                break
        self.q = np.minimum(q, self.cap)


@pytest.mark.parametrize(("eta", "discount"), [(0.0, 0.9), (0.3, 0.9), (2.0, 0.5)])
def test_the_same_run_as_its_dense_twin(eta, discount):
    for seed in range(3):
        world = RandomWorld(4, 2, seed)
        sizes = world.n_states, world.n_actions
        ours = simulate(EQO(*sizes, eta, 1.0, discount), world, 150, seed)
        twin = simulate(DenseEQO(*sizes, eta, 1.0, discount), world, 150, seed)
        np.testing.assert_array_equal(ours.actions, twin.actions)
        np.testing.assert_array_equal(ours.states, twin.states)


@given(st.integers(1, 10**6), st.floats(0, 1), st.floats(0.1, 1e3))
def test_eubrl_s_bonus_is_eqo_s(visits, reward, eta):
    """P_U η E = η/N: what EUBRL changes is the weight of the average reward."""
    ours = eu.FrequentistEUBRL(1, 1, lambda t: eta, discount=0.5)
    theirs = EQO(1, 1, eta, discount=0.5)
    for agent in (ours, theirs):
        agent.observe(0, 0, reward, 0, False)
        agent.visits[:], agent.counts[:] = visits, visits
        agent.reward_sums[:] = visits * reward
    plan, p_u = ours.plan(), visits**-0.5
    shrunk = plan.guided_reward.item() - (1 - p_u) * reward
    added = theirs.plan().model.rewards.item() - reward
    assert added == pytest.approx(eta / visits, abs=1e-9)
    assert shrunk == pytest.approx(added, abs=1e-9)


def test_without_shrinkage_eubrl_by_counts_adds_eta_over_n():
    belief = eu.Belief(eu.DirichletTransitions(1, 1), eu.NormalRewards(1, 1, on="action"))
    agent = eu.EUBRL(belief, eta=3.0, discount=0.5, uncertainty="count", shrinkage=False)
    agent.plan()  # E_max is η
    belief.update_batch([0] * 25, [0] * 25, [1.0] * 25, [0] * 25)
    plan = agent.plan()
    assert (plan.model.rewards - plan.mean_reward).item() == pytest.approx(3 / 25)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ({"eta": -1}, "eta must be"),
        ({"r_max": np.nan}, "r_max"),
        ({"r_max": 1e50}, "r_max must keep V↑"),
    ],
)
def test_bad_settings(setting, words):
    with pytest.raises(ValueError, match=words):
        EQO(2, 2, **setting)


def test_with_a_horizon_values_are_cut_off_at_h_r_max():
    agent = EQO(2, 2, eta=50.0, horizon=3)
    agent.observe(0, 0, 1.0, 1, False)
    assert agent.plan().v.max() == 3.0 == agent.value_cap
