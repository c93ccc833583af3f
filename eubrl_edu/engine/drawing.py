"""Posterior sampling, compiled: equals ``beliefs.sampling.sample_mdp``, draw for draw."""

import math

import numpy as np
from numba import njit

from eubrl_edu.beliefs.sampling import LARGE_ALPHA, VISIBLE_MASS
from eubrl_edu.planning.predictive_kernels import (
    BERNOULLI,
    KNOWN,
    NORMAL_GAMMA,
    reward_posterior,
)


@njit(cache=True)
def standard_gamma(shapes, rng):
    """`draws.standard_gamma` of a one-dimensional array."""
    draws = np.empty(shapes.shape[0])
    for i in range(shapes.shape[0]):
        shape = shapes[i]
        draws[i] = rng.standard_gamma(shape + 1.0 if 0.0 < shape < 1.0 else shape)
    for i in range(shapes.shape[0]):
        if 0.0 < shapes[i] < 1.0:
            draws[i] *= math.pow(rng.random(), 1.0 / shapes[i])
    return draws


@njit(cache=True)
def divide_by_sums(gammas, shapes, width, rng):
    """The rest of `sampling._dirichlet`: rows of ``width`` draws, one after the other."""
    sums = np.empty(gammas.shape[0] // width)
    for row in range(sums.shape[0]):
        sums[row] = 0.0
        for i in range(row * width, (row + 1) * width):
            sums[row] += gammas[i]
    for row in range(sums.shape[0]):
        if sums[row] == 0.0:
            total = 0.0
            for i in range(row * width, (row + 1) * width):
                total += shapes[i]
            drawn, bound = rng.random() * total, 0.0
            for i in range(row * width, (row + 1) * width):
                bound += shapes[i]
                if drawn < bound:
                    gammas[i] = sums[row] = 1.0
                    break
    for row in range(sums.shape[0]):
        for i in range(row * width, (row + 1) * width):
            gammas[i] /= sums[row]


@njit(cache=True)
def is_listed(knowledge, state, action, next_state):
    """Whether a pair lists a next state."""
    for k in range(knowledge.listed[state, action]):
        if knowledge.successors[state, action, k] == next_state:
            return True
    return False


@njit(cache=True)
def unlisted_state(knowledge, state, action, drawn):
    """`sampling._unlisted_states`: the unlisted state number ``drawn``, in ascending order."""
    n_listed = knowledge.listed[state, action]
    for column in np.sort(knowledge.successors[state, action, :n_listed]):
        if drawn >= column:
            drawn += 1
    return drawn


@njit(cache=True)
def grown(array, length):
    """The array, or one twice as long with the same beginning if ``length`` does not fit."""
    if length < array.shape[0]:
        return array
    longer = np.empty(2 * length, dtype=array.dtype)
    longer[: array.shape[0]] = array
    return longer


@njit(cache=True)
def spread(knowledge, rest, alphas, rng):
    """`sampling._spread`: unlisted pairs, next states and weights, each once and in order."""
    n_states, n_actions = knowledge.visits.shape
    keys, weights, length = np.empty(64, np.int64), np.empty(64), 0

    pairs = np.flatnonzero(rest > VISIBLE_MASS)
    for pair in pairs:
        if alphas[pair] > LARGE_ALPHA:
            state, action = divmod(pair, n_actions)
            n_unlisted = n_states - knowledge.listed[state, action]
            shapes = np.full(n_unlisted, alphas[pair])
            shares = standard_gamma(shapes, rng)
            divide_by_sums(shares, shapes, n_unlisted, rng)
            place = 0
            for next_state in range(n_states):
                if not is_listed(knowledge, state, action, next_state):
                    keys, weights = grown(keys, length), grown(weights, length)
                    keys[length] = pair * n_states + next_state
                    weights[length] = rest[pair] * shares[place]
                    length += 1
                    place += 1

    pairs = pairs[alphas[pairs] <= LARGE_ALPHA]
    left = rest[pairs]
    while pairs.shape[0] > 0:
        kept = np.empty(pairs.shape[0])
        for i in range(pairs.shape[0]):
            state, action = divmod(pairs[i], n_actions)
            n_unlisted = n_states - knowledge.listed[state, action]
            exponent = 1.0 / (alphas[pairs[i]] * n_unlisted)
            kept[i] = left[i] * math.pow(rng.random(), exponent)
        for i in range(pairs.shape[0]):
            state, action = divmod(pairs[i], n_actions)
            n_unlisted = n_states - knowledge.listed[state, action]
            drawn = int(rng.random() * n_unlisted)
            keys, weights = grown(keys, length), grown(weights, length)
            keys[length] = pairs[i] * n_states + unlisted_state(knowledge, state, action, drawn)
            weights[length] = left[i] - kept[i]
            length += 1
        visible = kept > VISIBLE_MASS
        pairs, left = pairs[visible], kept[visible]

    order = np.argsort(keys[:length], kind="mergesort")
    merged_keys, merged_weights, n_merged = np.empty(length, np.int64), np.empty(length), 0
    for i in order:
        if n_merged == 0 or keys[i] != merged_keys[n_merged - 1]:
            merged_keys[n_merged], merged_weights[n_merged] = keys[i], 0.0
            n_merged += 1
        merged_weights[n_merged - 1] += weights[i]
    merged_keys, merged_weights = merged_keys[:n_merged], merged_weights[:n_merged]
    return merged_keys // n_states, merged_keys % n_states, merged_weights


@njit(cache=True)
def draw_rewards(knowledge, n, first, second, rng):
    """`RewardBelief.sample_at` for outcomes with these counts and posterior arrays."""
    prior = knowledge.prior
    if knowledge.reward_kind == KNOWN:
        return first.copy()
    if knowledge.reward_kind == NORMAL_GAMMA:
        # Shapes of at least 1 need no boost.
        drawn = standard_gamma(prior[2] + n / 2.0, rng)
        for i in range(n.shape[0]):
            precision = drawn[i] / second[i]
            drawn[i] = (prior[1] + n[i]) * precision
        for i in range(n.shape[0]):
            drawn[i] = first[i] + rng.standard_normal() / np.sqrt(drawn[i])
        return drawn
    if knowledge.reward_kind == BERNOULLI:
        ones, zeros = standard_gamma(first, rng), standard_gamma(second, rng)
        for i in range(n.shape[0]):
            if ones[i] + zeros[i] == 0.0:
                ones[i] = 1.0 if rng.random() < first[i] / (first[i] + second[i]) else 0.0
                zeros[i] = 1.0 - ones[i]
        return ones / (ones + zeros)
    drawn = np.empty(n.shape[0])
    for i in range(n.shape[0]):
        mean, variance = reward_posterior(knowledge.reward_kind, prior, n[i], first[i], second[i])
        drawn[i] = mean + rng.standard_normal() * np.sqrt(variance)
    return drawn


@njit(cache=True)
def draw_unlisted_rewards(knowledge, size, rng):
    """`RewardBelief.sample_prior`."""
    prior, nothing = knowledge.prior, np.zeros(size)
    if knowledge.reward_kind == NORMAL_GAMMA:
        return draw_rewards(knowledge, nothing, nothing + prior[0], nothing + prior[3], rng)
    if knowledge.reward_kind == BERNOULLI:
        return draw_rewards(knowledge, nothing, nothing + prior[0], nothing + prior[1], rng)
    return draw_rewards(knowledge, nothing, nothing, nothing, rng)


@njit(cache=True)
def draw_mdp(knowledge, minimum_alpha, clip_visited, is_terminal, rng):
    """`sampling.sample_mdp`: successors, weights, background and mean rewards of a drawn MDP."""
    n_states, n_actions, width = knowledge.successors.shape
    n_pairs = n_states * n_actions
    alphas, shapes = np.empty(n_pairs), np.zeros(n_pairs * (width + 1))
    n_listed = 0
    for pair in range(n_pairs):
        state, action = divmod(pair, n_actions)
        raised = clip_visited or knowledge.visits[state, action] == 0
        floor = minimum_alpha if raised else 0.0
        alphas[pair] = max(knowledge.alpha, floor)
        for k in range(knowledge.listed[state, action]):
            parameter = knowledge.alpha + knowledge.counts[state, action, k]
            shapes[pair * (width + 1) + k] = max(parameter, floor)
            n_listed += 1
        n_unlisted = n_states - knowledge.listed[state, action]
        shapes[pair * (width + 1) + width] = n_unlisted * alphas[pair]
    drawn = standard_gamma(shapes, rng)
    divide_by_sums(drawn, shapes, width + 1, rng)
    drawn = drawn.reshape(n_pairs, width + 1)
    rest = drawn[:, width].copy()
    pairs, next_states, weights = spread(knowledge, rest, alphas, rng)

    rewards = np.zeros(n_pairs)
    if knowledge.on_action:
        n, first, second = knowledge.n, knowledge.first, knowledge.second
        rewards[:] = draw_rewards(
            knowledge, n[:, :, 0].ravel(), first[:, :, 0].ravel(), second[:, :, 0].ravel(), rng
        )
    else:
        n, first, second = np.empty(n_listed), np.empty(n_listed), np.empty(n_listed)
        i = 0
        for pair in range(n_pairs):
            state, action = divmod(pair, n_actions)
            for k in range(knowledge.listed[state, action]):
                n[i] = knowledge.n[state, action, k]
                first[i] = knowledge.first[state, action, k]
                second[i] = knowledge.second[state, action, k]
                i += 1
        drawn_rewards = draw_rewards(knowledge, n, first, second, rng)
        i = 0
        for pair in range(n_pairs):
            state, action = divmod(pair, n_actions)
            for k in range(knowledge.listed[state, action]):
                rewards[pair] += drawn[pair, k] * drawn_rewards[i]
                i += 1
        unlisted_rewards = draw_unlisted_rewards(knowledge, weights.shape[0], rng)
        for i in range(weights.shape[0]):
            rewards[pairs[i]] += weights[i] * unlisted_rewards[i]

    extra = np.zeros(n_pairs, np.int64)
    mass = np.zeros(n_pairs)
    for i in range(pairs.shape[0]):
        extra[pairs[i]] += 1
        mass[pairs[i]] += weights[i]
    most = extra.max()
    all_successors = np.zeros((n_states, n_actions, width + most), np.int64)
    all_weights = np.zeros((n_states, n_actions, width + most))
    background = np.empty((n_states, n_actions))
    for pair in range(n_pairs):
        state, action = divmod(pair, n_actions)
        background[state, action] = max(rest[pair] - mass[pair], 0.0) / n_states
        for k in range(width):
            all_successors[state, action, k] = knowledge.successors[state, action, k]
            all_weights[state, action, k] = drawn[pair, k]
        extra[pair] = 0
    for i in range(pairs.shape[0]):
        state, action = divmod(pairs[i], n_actions)
        k = width + extra[pairs[i]]
        all_successors[state, action, k], all_weights[state, action, k] = next_states[i], weights[i]
        extra[pairs[i]] += 1
    rewards = rewards.reshape(n_states, n_actions)
    for state in range(n_states):
        if is_terminal[state]:
            all_weights[state] = 0.0
            background[state] = 0.0
            rewards[state] = 0.0
            for action in range(n_actions):
                all_successors[state, action, 0] = state
                all_weights[state, action, 0] = 1.0
    return all_successors, all_weights, background, rewards
