"""UCBVI-γ against a dense twin in whole runs, and what its values may and may not do."""

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu.agents import UCBVIGamma
from eubrl_edu.simulation import simulate
from tests.theory.worlds import RandomWorld

TIE = 1e-10


class DenseUCBVI(eu.agents.Agent):
    """Algorithm 1 of He, Zhou and Gu, pair by pair, with the bonus's constants left out."""

    def __init__(self, n_states, n_actions, eta, r_max, discount, terminal_states=()):
        self.counts = np.zeros((n_states, n_actions, n_states))
        self.rewards = np.zeros((n_states, n_actions))
        self.eta, self.discount, self.cap = eta, discount, r_max / (1 - discount)
        self.q = np.full((n_states, n_actions), self.cap)
        self.q[list(terminal_states)] = 0.0
        self.ends = terminal_states

    def act(self, state, rng):
        row = self.q[state]
        best = np.flatnonzero(row >= row.max() - TIE * np.abs(row).max())
        return int(best[0] if len(best) == 1 else best[int(rng.integers(len(best)))])

    def observe(self, state, action, reward, next_state, terminated):
        self.counts[state, action, next_state] += 1
        self.rewards[state, action] += reward
        v, of_state = self.q.max(axis=1), self.counts.sum(axis=(1, 2))
        b = np.where(of_state > 0, self.cap**2 / np.maximum(of_state, 1), self.cap**2)
        b[list(self.ends)] = 0
        for s, a in np.argwhere(self.counts.sum(axis=-1)):
            n = self.counts[s, a].sum()
            p = self.counts[s, a] / n
            variance = p @ v**2 - (p @ v) ** 2
            bonus = np.sqrt(max(variance, 0) / n) + self.cap / n + np.sqrt(p @ b / n)
            bonus *= self.eta / self.cap
            new = self.rewards[s, a] / n + self.discount * (p @ v + bonus)
            self.q[s, a] = min(self.q[s, a], new)


@pytest.mark.parametrize(("eta", "discount"), [(0.0, 0.9), (0.05, 0.9), (0.3, 0.5)])
def test_the_same_run_as_its_dense_twin(eta, discount):
    for seed in range(3):
        world = RandomWorld(4, 2, seed)
        sizes = world.n_states, world.n_actions
        agent, twin = UCBVIGamma(*sizes, eta, 1.0, discount), DenseUCBVI(*sizes, eta, 1.0, discount)
        ours, theirs = simulate(agent, world, 150, seed), simulate(twin, world, 150, seed)
        np.testing.assert_array_equal(ours.actions, theirs.actions)
        np.testing.assert_array_equal(ours.states, theirs.states)
        np.testing.assert_allclose(agent.q, twin.q, atol=1e-8)


def test_the_same_run_where_episodes_end():
    world = eu.make_env("lazychain", size=3, stochastic=True)
    sizes, ends = (world.n_states, world.n_actions), world.terminal_states
    agent = UCBVIGamma(*sizes, 0.2, 5.0, 0.8, terminal_states=ends)
    twin = DenseUCBVI(*sizes, 0.2, 5.0, 0.8, ends)
    ours, theirs = simulate(agent, world, 300, 1), simulate(twin, world, 300, 1)
    np.testing.assert_array_equal(ours.actions, theirs.actions)
    assert ours.terminated.any()
    np.testing.assert_allclose(agent.q, twin.q, atol=1e-8)
    assert (agent.q[list(ends)] == 0).all()


def test_values_never_rise_nor_with_a_large_bonus_fall_below_the_truth():
    world = RandomWorld(3, 2, 0)
    agent, values = UCBVIGamma(3, 2, eta=4.0, discount=0.5), []
    simulate(agent, world, 4000, 0, until=lambda _: values.append(agent.q))
    assert all((after <= before).all() for before, after in zip(values, values[1:], strict=False))
    q = eu.solve(world.model, 0.5).q
    assert (agent.q >= q).all()
    assert (agent.q.max(axis=1) <= q.max(axis=1) + 0.5).all()


def test_with_the_constants_of_the_analysis_values_stay_at_the_cap():
    """8U with U = log(40 S A T³ log²T / (δ (1 − γ)²)) instead of 1: no plan tells actions apart."""
    world, steps, discount, delta = eu.make_env("chain"), 1000, 0.95, 0.1
    n_pairs = world.n_states * world.n_actions
    log_term = np.log(40 * n_pairs * steps**3 * np.log(steps) ** 2 / (delta * (1 - discount) ** 2))
    agent = UCBVIGamma(
        world.n_states, world.n_actions, 8 * log_term * 10 / (1 - discount), 10, discount
    )
    simulate(agent, world, steps, 0)
    assert (agent.q == agent.value_cap).all()


@pytest.mark.parametrize(
    ("setting", "words"), [({"eta": -1}, "eta must be"), ({"r_max": 0}, "r_max, .* must be")]
)
def test_bad_settings(setting, words):
    with pytest.raises(ValueError, match=words):
        UCBVIGamma(2, 2, **setting)


def test_its_plan_is_no_view_of_what_it_goes_on_with():
    agent = eu.make_agent("UCBVI-gamma", eu.make_env("loop"))
    agent.plan().q[:] = 0.0
    assert agent.plan().q.min() > 0
