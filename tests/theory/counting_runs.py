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
    resistance, least_resistance : float
        Σ 𝕽 of the steps, or of the first states of episodes; and with the least P_U of the state's
        actions in place of both of its own.
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
    resistance: float
    least_resistance: float
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
def probability_of_uncertainty(n):
    """P_U of a pair after n visits."""
    return 1 / np.sqrt(max(n, 1.0))


@numba.njit(cache=True)
def weigh(n, mean, eta, lambda_, v_max, n_pairs, n_states, l1, delta):
    """The guided reward and β of a pair after n visits."""
    if n == 0:
        return eta, v_max
    p_u = probability_of_uncertainty(n)
    l3 = np.log(12 * n_pairs * (1 + np.log(n)) / delta)
    beta = eta / n + ((4 - p_u) * v_max * l1 / lambda_ + 30 * v_max * n_states * l3) / n
    return (1 - p_u) * mean + eta / n, beta


@numba.njit(cache=True)
def resistances(visits, action, best):
    """𝕽 of a state, given the visits of its actions; and with the least P_U for both of its own."""
    of_both = 2 * probability_of_uncertainty(visits[action])
    of_both += 9 / 7 * probability_of_uncertainty(visits[best])
    return of_both, 23 / 7 * probability_of_uncertainty(visits.max())


@numba.njit(cache=True)
def before_the_first_step(n_states, n_actions, eta, v_max, pseudo_visits):
    """Visits, sums of rewards, counts of next states, guided reward, β and the agent's P.

    Without a prior a pair that was never visited leads back to where it is.
    """
    visits, paid = np.zeros((2, n_states, n_actions))
    counts = np.zeros((n_states, n_actions, n_states))
    guided = np.full((n_states, n_actions), eta)
    beta = np.full((n_states, n_actions), v_max)
    model = np.full((n_states, n_actions, n_states), 1 / n_states if pseudo_visits > 0 else 0.0)
    if pseudo_visits == 0:
        for s in range(n_states):
            model[s, :, s] = 1.0
    return visits, paid, counts, guided, beta, model


@numba.njit(cache=True)
def empty_records(kept, times, n_states, n_actions):
    """Room for the first steps, and for visits, rewards and counts at the times asked for."""
    moments = len(times)
    return (
        np.zeros((kept, 4)),
        np.zeros((moments, n_states, n_actions)),
        np.zeros((moments, n_states, n_actions)),
        np.zeros((moments, n_states, n_actions, n_states)),
    )


@numba.njit(cache=True)
def live(
    transitions, chances, discount, eta, lambda_, by_resistance, delta, steps, seed, optimal,
    best_actions, values, epsilon, pseudo_visits, prior_mean, pseudo_rewards, cap, kept, times,
):  # fmt: skip
    """Live through T discounted steps in a world that pays 0 or 1.

    ``optimal`` is V*, ``best_actions`` π*, and ``values[π]`` V^π, where π counts the actions of all
    states as digits. With ``by_resistance``, λ_t is λ/√(1 − 2𝕽/9), and η_t goes with 1/λ_t, where
    𝕽 has the least P_U of the state's actions, which the agent knows, for both of its own. A prior
    adds ``pseudo_visits`` of each next state to the counts, and ``pseudo_rewards`` rewards of
    ``prior_mean``. The first ``kept`` steps are kept, and the counts at ``times``, from 0.
    """
    np.random.seed(seed)
    n_states, n_actions = chances.shape
    pairs = n_states * n_actions
    v_max, l1 = 1 / (1 - discount), np.log(24 * pairs / delta)
    visits, paid, counts, guided, beta, model = before_the_first_step(
        n_states, n_actions, eta, v_max, pseudo_visits
    )
    means = np.zeros((n_states, n_actions))
    v, j, q = np.zeros(n_states), np.full(n_states, v_max), np.zeros((n_states, n_actions))
    policy = np.zeros(n_states, dtype=np.int64)

    memory = 1 if discount == 0 else int(np.ceil(np.log(1e-17) / np.log(discount)))
    anchor_beta = np.zeros((memory, n_states, n_actions))
    anchor_visits = np.zeros((memory, n_states, n_actions))
    alive = np.zeros(memory, dtype=np.bool_)
    anchored = np.zeros(memory, dtype=np.int64)
    history, seen_visits, seen_paid, seen_counts = empty_records(kept, times, n_states, n_actions)
    seen = 0
    regret, sum_j, sum_beta, resistance, least_resistance = 0.0, 0.0, 0.0, 0.0, 0.0
    uncertain, bad = 0, 0
    state = 0
    for step in range(steps):
        if seen < len(times) and times[seen] == step:
            seen_visits[seen], seen_paid[seen], seen_counts[seen] = visits, paid, counts
            seen += 1
        if by_resistance:
            _, least = resistances(visits[state], 0, 0)
            relief = max(np.sqrt(1 - 2 / 9 * least), lambda_)
            for s in range(n_states):
                for a in range(n_actions):
                    guided[s, a], beta[s, a] = weigh(
                        visits[s, a], means[s, a], eta * relief, lambda_ / relief,
                        v_max, pairs, n_states, l1, delta,
                    )  # fmt: skip
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
        of_both, least = resistances(visits[state], action, best_actions[state])
        resistance += of_both
        least_resistance += least

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
        means[state, action] = mean = (paid[state, action] + pseudo_rewards * prior_mean) / (
            n + pseudo_rewards
        )
        model[state, action] = (counts[state, action] + pseudo_visits) / (
            n + n_states * pseudo_visits
        )
        guided[state, action], beta[state, action] = weigh(
            n, mean, eta, lambda_, v_max, pairs, n_states, l1, delta
        )
        state = following
    return Life(
        regret, sum_j, sum_beta, resistance, least_resistance, uncertain, bad,
        history, seen_visits, seen_paid, seen_counts,
    )  # fmt: skip


@numba.njit(cache=True)
def live_in_episodes(
    transitions, chances, horizon, eta, lambda_, delta, episodes, seed, optimal, best_action,
    epsilon, kept, times,
):  # fmt: skip
    """The same with a horizon: K episodes from state 0; ``optimal`` is V*_1 there, and π*_1."""
    np.random.seed(seed)
    n_states, n_actions = chances.shape
    pairs = n_states * n_actions
    v_max, l1 = float(horizon), np.log(24 * pairs * horizon / delta)
    visits, paid, counts, guided, beta, model = before_the_first_step(
        n_states, n_actions, eta, v_max, 0.0
    )
    v, j, true = np.zeros((3, horizon + 1, n_states))
    policy = np.zeros((horizon, n_states), dtype=np.int64)
    q = np.zeros(n_actions)
    history, seen_visits, seen_paid, seen_counts = empty_records(kept, times, n_states, n_actions)
    seen = 0
    regret, sum_j, sum_beta, resistance, least_resistance = 0.0, 0.0, 0.0, 0.0, 0.0
    uncertain, bad = 0, 0
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
        of_both, least = resistances(visits[0], policy[0, 0], best_action)
        resistance += of_both
        least_resistance += least

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
            guided[state, action], beta[state, action] = weigh(
                n, paid[state, action] / n, eta, lambda_, v_max, pairs, n_states, l1, delta
            )
            state = following
    return Life(
        regret, sum_j, sum_beta, resistance, least_resistance, uncertain, bad,
        history, seen_visits, seen_paid, seen_counts,
    )  # fmt: skip
