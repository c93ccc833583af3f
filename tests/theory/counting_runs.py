"""The frequentist instance, compiled and for two tiny tables: runs of millions of steps.

The bounds of regret and sample complexity say more than the trivial ones after about a million
steps only. A test holds these runs against `FrequentistEUBRL`, plan by plan.
"""

from typing import NamedTuple

import numba
import numpy as np


class Life(NamedTuple):
    """What is left of a run.

    Attributes
    ----------
    regret, errors, met : float
        Σ regret; Σ J, of the first state of episodes; and the bound's Σ β before stopping times,
        weighted by γ^l.
    uncertain, bad : int
        How many steps, or episodes, had J > ε/4 and regret above ε.
    history : (n, 4) array
        State, action, reward and next state of the first steps.
    visits, paid, counts : (m, S, A), (m, S, A), (m, S, A, S) arrays
        Visits, sums of rewards and counts of next states before the steps, or episodes, asked for.
    """

    regret: float
    errors: float
    met: float
    uncertain: int
    bad: int
    history: np.ndarray
    visits: np.ndarray
    paid: np.ndarray
    counts: np.ndarray


@numba.njit(cache=True)
def draw(chances):
    """A place drawn with these chances."""
    left = np.random.random()
    for place in range(len(chances) - 1):
        left -= chances[place]
        if left < 0:
            return place
    return len(chances) - 1


@numba.njit(cache=True)
def expected(table, state, action, values):
    """The expectation of the values of next states; a loop, as the states are few."""
    total = 0.0
    for following in range(len(values)):
        total += table[state, action, following] * values[following]
    return total


@numba.njit(cache=True)
def entry(state, action, reward, following):
    """A step, as a row of numbers."""
    return np.array([float(state), float(action), reward, float(following)])


@numba.njit(cache=True)
def error_term(n, p_u_eta_e, v_max, n_pairs, n_states, l1, lambda_, delta):
    """β of a pair after n ≥ 1 visits, with P_U = 1/√n."""
    l3 = np.log(12 * n_pairs * (1 + np.log(n)) / delta)
    return (
        p_u_eta_e + ((4 - 1 / np.sqrt(n)) * v_max * l1 / lambda_ + 30 * v_max * n_states * l3) / n
    )


@numba.njit(cache=True)
def live(
    transitions, chances, discount, eta, lambda_, delta, steps, seed, optimal, values, epsilon,
    pseudo_visits, prior_mean, pseudo_rewards, cap, kept, times,
):  # fmt: skip
    """Live through T discounted steps in a world that pays 0 or 1.

    ``optimal`` is V* and ``values[π]`` V^π, where π counts the actions of all states as digits.
    A prior adds ``pseudo_visits`` of each next state to the counts, and ``pseudo_rewards`` rewards
    of ``prior_mean``. The first ``kept`` steps are kept, and the counts at ``times``, from 0.
    """
    np.random.seed(seed)
    n_states, n_actions = chances.shape
    pairs = n_states * n_actions
    v_max, l1 = 1 / (1 - discount), np.log(24 * pairs / delta)
    visits, paid = np.zeros((n_states, n_actions)), np.zeros((n_states, n_actions))
    counts = np.zeros((n_states, n_actions, n_states))
    guided = np.full((n_states, n_actions), eta)
    beta = np.full((n_states, n_actions), v_max)
    model = np.zeros((n_states, n_actions, n_states))
    for s in range(n_states):
        for a in range(n_actions):
            if pseudo_visits > 0:
                model[s, a] = 1 / n_states
            else:
                model[s, a, s] = 1.0
    v, j, q = np.zeros(n_states), np.full(n_states, v_max), np.zeros((n_states, n_actions))
    policy = np.zeros(n_states, dtype=np.int64)

    memory = 1 if discount == 0 else int(np.ceil(np.log(1e-17) / np.log(discount)))
    anchor_beta = np.zeros((memory, n_states, n_actions))
    anchor_visits = np.zeros((memory, n_states, n_actions))
    alive = np.zeros(memory, dtype=np.bool_)
    anchored = np.zeros(memory, dtype=np.int64)
    history = np.zeros((kept, 4))
    seen_visits = np.zeros((len(times), n_states, n_actions))
    seen_paid = np.zeros((len(times), n_states, n_actions))
    seen_counts = np.zeros((len(times), n_states, n_actions, n_states))
    seen = 0
    regret, sum_j, sum_beta, uncertain, bad = 0.0, 0.0, 0.0, 0, 0
    state = 0
    for step in range(steps):
        if seen < len(times) and times[seen] == step:
            seen_visits[seen], seen_paid[seen], seen_counts[seen] = visits, paid, counts
            seen += 1
        change = 1.0
        while change > 1e-10 * v_max:
            change = 0.0
            for s in range(n_states):
                for a in range(n_actions):
                    q[s, a] = guided[s, a] + discount * expected(model, s, a, v)
                best = min(q[s].max(), cap)
                change = max(change, abs(best - v[s]))
                v[s] = best
        number, place = 0, 1
        for s in range(n_states):
            policy[s] = q[s].argmax()
            number += place * policy[s]
            place *= n_actions
        action = policy[state]

        change = 1.0
        while change > 1e-10 * v_max:
            change = 0.0
            for s in range(n_states):
                a = policy[s]
                value = min(beta[s, a] + discount * expected(transitions, s, a, j), v_max)
                change = max(change, abs(value - j[s]))
                j[s] = value
        lost = optimal[state] - values[number, state]
        regret += lost
        bad += lost > epsilon
        sum_j += j[state]
        uncertain += j[state] > epsilon / 4

        slot = step % memory
        anchor_beta[slot], anchor_visits[slot] = beta, visits
        alive[slot], anchored[slot] = True, step
        after = visits[state, action] + 1
        for slot in range(memory):
            if alive[slot]:
                alive[slot] = after <= 2 * anchor_visits[slot, state, action]
            if alive[slot]:
                sum_beta += discount ** (step - anchored[slot]) * anchor_beta[slot, state, action]

        following = draw(transitions[state, action])
        reward = 1.0 if np.random.random() < chances[state, action] else 0.0
        if step < kept:
            history[step] = entry(state, action, reward, following)
        visits[state, action] = n = after
        paid[state, action] += reward
        counts[state, action, following] += 1
        mean = (paid[state, action] + pseudo_rewards * prior_mean) / (n + pseudo_rewards)
        model[state, action] = (counts[state, action] + pseudo_visits) / (
            n + n_states * pseudo_visits
        )
        guided[state, action] = (1 - 1 / np.sqrt(n)) * mean + eta / n
        beta[state, action] = error_term(n, eta / n, v_max, pairs, n_states, l1, lambda_, delta)
        state = following
    return Life(
        regret, sum_j, sum_beta, uncertain, bad, history, seen_visits, seen_paid, seen_counts
    )


@numba.njit(cache=True)
def live_in_episodes(
    transitions,
    chances,
    horizon,
    eta,
    lambda_,
    delta,
    episodes,
    seed,
    optimal,
    epsilon,
    kept,
    times,
):
    """The same with a horizon: K episodes from state 0; ``optimal`` is V*_1 there."""
    np.random.seed(seed)
    n_states, n_actions = chances.shape
    pairs = n_states * n_actions
    v_max, l1 = float(horizon), np.log(24 * pairs * horizon / delta)
    visits, paid = np.zeros((n_states, n_actions)), np.zeros((n_states, n_actions))
    counts = np.zeros((n_states, n_actions, n_states))
    guided = np.full((n_states, n_actions), eta)
    beta = np.full((n_states, n_actions), v_max)
    model = np.zeros((n_states, n_actions, n_states))
    for s in range(n_states):
        model[s, :, s] = 1.0
    v, j, true = np.zeros((3, horizon + 1, n_states))
    policy = np.zeros((horizon, n_states), dtype=np.int64)
    q = np.zeros(n_actions)
    history = np.zeros((kept, 4))
    seen_visits = np.zeros((len(times), n_states, n_actions))
    seen_paid = np.zeros((len(times), n_states, n_actions))
    seen_counts = np.zeros((len(times), n_states, n_actions, n_states))
    seen = 0
    regret, sum_j, sum_beta, uncertain, bad = 0.0, 0.0, 0.0, 0, 0
    for episode in range(episodes):
        if seen < len(times) and times[seen] == episode:
            seen_visits[seen], seen_paid[seen], seen_counts[seen] = visits, paid, counts
            seen += 1
        for h in range(horizon - 1, -1, -1):
            for s in range(n_states):
                for a in range(n_actions):
                    q[a] = guided[s, a] + expected(model, s, a, v[h + 1])
                best = q.argmax()
                policy[h, s] = best
                v[h, s] = min(q[best], v_max)
                j[h, s] = min(beta[s, best] + expected(transitions, s, best, j[h + 1]), v_max)
                true[h, s] = chances[s, best] + expected(transitions, s, best, true[h + 1])
        lost = optimal - true[0, 0]
        regret += lost
        bad += lost > epsilon
        sum_j += j[0, 0]
        uncertain += j[0, 0] > epsilon / 4

        before, known = visits.copy(), beta.copy()
        stopped, state = False, 0
        for h in range(horizon):
            action = policy[h, state]
            following = draw(transitions[state, action])
            reward = 1.0 if np.random.random() < chances[state, action] else 0.0
            taken = episode * horizon + h
            if taken < kept:
                history[taken] = entry(state, action, reward, following)
            visits[state, action] += 1
            n = visits[state, action]
            stopped = stopped or n > 2 * before[state, action]
            if not stopped:
                sum_beta += known[state, action]
            paid[state, action] += reward
            counts[state, action, following] += 1
            model[state, action] = counts[state, action] / n
            guided[state, action] = (1 - 1 / np.sqrt(n)) * paid[state, action] / n + eta / n
            beta[state, action] = error_term(n, eta / n, v_max, pairs, n_states, l1, lambda_, delta)
            state = following
    return Life(
        regret, sum_j, sum_beta, uncertain, bad, history, seen_visits, seen_paid, seen_counts
    )
