"""Posterior sampling, compiled: equals ``beliefs.sampling.sample_mdp``, draw for draw."""

import numpy as np

from eubrl_edu.beliefs.sampling import LARGE_ALPHA
from eubrl_edu.beliefs.sampling_kernels import (
    average_rewards,
    beta_draws,
    draw_transitions,
    normal_draws,
    normal_gamma_draws,
)
from eubrl_edu.compiling import compiled
from eubrl_edu.uncertainty.predictive_kernels import (
    BERNOULLI,
    KNOWN,
    NORMAL_GAMMA,
    normal_gamma_parameters,
    reward_posterior,
)


@compiled
def draw_rewards(knowledge, n, first, second, rng):
    """`RewardBelief.draw` for outcomes with these counts and posterior arrays."""
    kind, prior = knowledge.reward_kind, knowledge.prior
    if kind == KNOWN:
        return first.copy()
    if kind == NORMAL_GAMMA:
        precision_count, shape = normal_gamma_parameters(n, prior[1], prior[2])
        return normal_gamma_draws(precision_count, shape, first, second, rng)
    if kind == BERNOULLI:
        return beta_draws(first, second, rng)
    mean, variance = reward_posterior(kind, prior, n, first, second)
    return normal_draws(mean, variance, rng)


@compiled
def draw_unlisted_rewards(knowledge, size, rng):
    """`RewardBelief.sample_prior`."""
    prior, nothing = knowledge.prior, np.zeros(size)
    if knowledge.reward_kind == NORMAL_GAMMA:
        return draw_rewards(knowledge, nothing, nothing + prior[0], nothing + prior[3], rng)
    if knowledge.reward_kind == BERNOULLI:
        return draw_rewards(knowledge, nothing, nothing + prior[0], nothing + prior[1], rng)
    return draw_rewards(knowledge, nothing, nothing, nothing, rng)


@compiled
def draw_mdp(knowledge, minimum_alpha, clip_visited, is_terminal, rng):
    """`sampling.sample_mdp`: successors, weights, background and mean rewards of a drawn MDP."""
    successors, weights, lengths, background = draw_transitions(
        knowledge.successors,
        knowledge.listed,
        knowledge.counts,
        knowledge.visits,
        knowledge.alpha,
        minimum_alpha,
        clip_visited,
        LARGE_ALPHA,
        rng,
    )
    n_states, n_actions = lengths.shape
    n, first, second = knowledge.n, knowledge.first, knowledge.second
    if knowledge.on_action:
        rewards = draw_rewards(
            knowledge, n[:, :, 0].ravel(), first[:, :, 0].ravel(), second[:, :, 0].ravel(), rng
        ).reshape((n_states, n_actions))
    else:
        listed = knowledge.listed
        of_listed = np.empty((3, listed.sum()))
        i = 0
        for state in range(n_states):
            for action in range(n_actions):
                for k in range(listed[state, action]):
                    of_listed[0, i] = n[state, action, k]
                    of_listed[1, i] = first[state, action, k]
                    of_listed[2, i] = second[state, action, k]
                    i += 1
        drawn_listed = draw_rewards(knowledge, of_listed[0], of_listed[1], of_listed[2], rng)
        drawn_new = draw_unlisted_rewards(knowledge, lengths.sum() - listed.sum(), rng)
        rewards = average_rewards(weights, lengths, listed, drawn_listed, drawn_new)
    for state in range(n_states):
        if is_terminal[state]:
            weights[state] = 0.0
            background[state] = 0.0
            rewards[state] = 0.0
            for action in range(n_actions):
                successors[state, action, 0] = state
                weights[state, action, 0] = 1.0
    return successors, weights, background, rewards
