"""The events of episodes, every inequality summed up as printed."""

from dataclasses import replace

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.theory.episode_events import _sum_events, episode_margins
from tests.theory.worlds import RandomWorld, least_likely

NAMES = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"]
S, A, H, R = 3, 2, 4, 2.0


def recorded(steps=100, seed=8):
    world = RandomWorld(S, A, seed, r_max=R)
    agent = FrequentistEUBRL(S, A, lambda t: 5.0, r_max=R, horizon=H, plan_every="episode")
    return world, eu.simulate(agent, world, steps, seed=seed, record_plans=True)


def dishonest(run, world):
    """The same run with luck that is made up: the least likely next state, the highest reward."""
    return replace(run, next_states=least_likely(run, world), rewards=np.full(len(run), R))


def steps_of(run, episode):
    return range(episode * H, min((episode + 1) * H, len(run)))


def model_events(run, world, episode, lambda_, delta):
    """A1 to A4 before an episode: the least margin over every pair, step and next state."""
    true, mean = world.model.transition_matrix(), world.model.rewards
    v_max, l1 = H * R, np.log(24 * H * S * A / delta)
    best = np.zeros((H + 1, S))
    for h in reversed(range(H)):
        best[h] = (mean + true @ best[h + 1]).max(axis=1)
    least = dict.fromkeys(NAMES[:4], np.inf)
    for pair in np.ndindex(S, A):
        past = [i for i in range(episode * H) if (run.states[i], run.actions[i]) == pair]
        n = len(past)
        if n == 0:
            continue
        p, p_hat = true[pair], np.bincount(run.next_states[past], minlength=S) / n
        l3 = np.log(12 * S * A * (1 + np.log(n)) / delta)
        for h in range(1, H + 1):  # V*_{h+1} of the paper, whose steps begin with 1
            v = best[h]
            variance = p @ v**2 - (p @ v) ** 2
            a1 = lambda_ / (4 * v_max) * variance + 3 * v_max * l1 / (lambda_ * n)
            least["A1"] = min(least["A1"], a1 - abs((p_hat - p) @ v))
            a2 = variance / 2 + 6 * v_max**2 * l1 / n
            least["A2"] = min(least["A2"], a2 - (p - p_hat) @ v**2)
        for to in range(S):
            a3 = 2 * np.sqrt(2 * p[to] * l3 / n) + 2 * l3 / (3 * n)
            least["A3"] = min(least["A3"], a3 - abs(p_hat[to] - p[to]))
        a4 = lambda_ * mean[pair] + R * l1 / (lambda_ * n)
        least["A4"] = min(least["A4"], a4 - abs(run.rewards[past].mean() - mean[pair]))
    return least


def j_of(run, world, episode, lambda_, delta, times=1):
    """J_h^k by its recursion, with N so many times what it is; (H + 1, S)."""
    first = steps_of(run, episode)[0]
    plan = run.plans[first]
    n = np.zeros((S, A))
    np.add.at(n, (run.states[:first], run.actions[:first]), times)
    p_u, v_max = plan.probability_of_uncertainty, H * R
    l1 = np.log(24 * H * S * A / delta)
    policy = plan.q.argmax(axis=2)
    for h, step in enumerate(steps_of(run, episode)):
        policy[h, run.states[step]] = run.actions[step]
    j = np.zeros((H + 1, S))
    for h in reversed(range(H)):
        for s in range(S):
            pair = s, policy[h, s]
            beta = np.inf
            if n[pair]:
                l3 = np.log(12 * S * A * (1 + np.log(n[pair])) / delta)
                doubt = (4 - p_u[pair]) * v_max * l1 / lambda_ + 30 * v_max * S * l3
                beta = p_u[pair] * plan.epistemic_uncertainty[pair] + doubt / n[pair]
            j[h, s] = min(beta + world.model.transition_matrix()[pair] @ j[h + 1], v_max)
    return j


def sums(run, world, j, counted, delta):
    """A5 and A6 with the counted episodes only, up to each episode; visits are looked up anew."""
    true, v_max = world.model.transition_matrix(), H * R
    pairs = list(zip(run.states.tolist(), run.actions.tolist(), strict=True))
    difference = square = spread = 0.0
    margins = []
    for k in range(len(counted)):
        if counted[k]:
            earlier = [pairs[i] for e in range(k) if counted[e] for i in steps_of(run, e)]
            now = [pairs[i] for i in steps_of(run, k)]
            nu = H + 1
            for h in range(len(now), 0, -1):
                n = earlier.count(now[h - 1]) + now[:h].count(now[h - 1])
                if n > 2 * earlier.count(now[h - 1]):
                    nu = h
            for h in range(1, min(nu, len(now) + 1)):
                step = steps_of(run, k)[h - 1]
                p, following = true[pairs[step]], j[k][h]
                reached = following[run.next_states[step]]
                difference += p @ following - reached
                square += p @ following**2 - reached**2
                spread += p @ following**2 - (p @ following) ** 2
        doubt = np.log(6 / delta)
        margins.append(
            (
                spread / (4 * v_max) + 3 * v_max * doubt - difference,
                spread / 2 + 6 * v_max**2 * doubt - square,
            )
        )
    return np.array(margins).T


@pytest.mark.parametrize("steps", [100, 98])
@pytest.mark.parametrize("delta", [0.1, 1.0])
@pytest.mark.parametrize("honest", [True, False])
def test_events_by_definition(delta, honest, steps):
    """98 steps leave the last episode cut short."""
    world, run = recorded(steps)
    if not honest:
        run = dishonest(run, world)
    settings = {"delta": delta, "lambda_t": 0.9, "epsilon": 7.5}
    found = theory.event_margins(run, world, **settings)
    assert list(found.columns) == NAMES
    assert list(found.index) == list(range(1, 26)) and found.index.name == "episode"
    j = np.array([j_of(run, world, k, 0.9, delta) for k in range(25)])
    for k in range(25):
        expected = model_events(run, world, k, 0.9, delta)
        for name in NAMES[:4]:
            assert found[name].iloc[k] == pytest.approx(expected[name], abs=1e-9)
    firsts = run.states[::H]
    bad = j[np.arange(25), 0, firsts] > settings["epsilon"] / 4
    every = np.ones(25, dtype=bool)
    for counted, names in ((every, ["A5", "A6"]), (bad, ["A7", "A8"])):
        expected = sums(run, world, j, counted, delta)
        np.testing.assert_allclose(found[names].T, expected, atol=1e-9)
    held = theory.events(run, world, **settings)
    np.testing.assert_array_equal(held, found >= 0)
    assert held.to_numpy().all() == honest


def test_with_a_j_that_comes_down_and_episodes_that_are_not_bad():
    """Runs are too short for J to leave V↑, so each visit counts a thousandfold in J here."""
    world, run = recorded()
    values = theory.episode_values(run, world, delta=0.1, lambda_t=0.9)
    found = episode_margins(replace(values, visits=1000 * values.visits), run, epsilon=8.0)
    j = np.array([j_of(run, world, k, 0.9, 0.1, times=1000) for k in range(25)])
    bad = j[np.arange(25), 0, run.states[::H]] > 2
    assert bad.any() and not bad.all()
    every = np.ones(25, dtype=bool)
    for counted, names in ((every, ["A5", "A6"]), (bad, ["A7", "A8"])):
        expected = sums(run, world, j, counted, 0.1)
        assert np.ptp(expected, axis=1).min() > 0.01
        np.testing.assert_allclose(found[names].T, expected, atol=1e-9)


def test_sums_over_some_episodes_only():
    """Here J and the bad episodes are made up."""
    world, run = recorded(160)
    values = theory.episode_values(run, world, delta=0.3)
    rng = np.random.default_rng(1)
    j = rng.random((40, H + 1, S)) * values.problem.v_max
    j[:, H] = 0
    episodes = [slice(k * H, (k + 1) * H) for k in range(40)]
    for counted in (rng.random(40) < 0.4, rng.random(40) < 0.9, np.zeros(40, dtype=bool)):
        found = _sum_events(values, run, episodes, j, counted)
        np.testing.assert_allclose(found, sums(run, world, j, counted, 0.3), atol=1e-9)


def test_lambda_by_episode_looks_at_every_pair_again():
    world, run = recorded(60)
    lambdas = np.repeat([0.3, 0.5, 0.9], 5)
    found = theory.event_margins(run, world, lambda_t=lambdas)
    for episode in (0, 5, 7, 14):
        steady = theory.event_margins(run, world, lambda_t=lambdas[episode])
        for name in NAMES[:4]:
            assert found[name].iloc[episode] == steady[name].iloc[episode]


def test_without_epsilon_there_is_nothing_about_bad_episodes():
    world, run = recorded(20)
    assert list(theory.events(run, world).columns) == NAMES[:6]
    with pytest.raises(ValueError, match="epsilon must be at most .* V↑ = 8, got 9"):
        theory.events(run, world, epsilon=9)
