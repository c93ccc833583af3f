"""Belief and uncertainty, compiled: what an observation changes.

The functions mirror ``beliefs`` (`Belief.update`, `DirichletTransitions`, the reward beliefs) and
``agents.predictive`` with the formulas of ``uncertainty``. Sums run in the order of the readable
code, so that even the last bit agrees.
"""

import numpy as np
from numba import njit

from eubrl_edu.beliefs import conjugate_rewards as formulas
from eubrl_edu.engine.state import (
    BERNOULLI,
    COUNT_BONUS,
    GUIDED_BY_COUNT,
    INTERVAL,
    MEAN,
    NORMAL,
    NORMAL_GAMMA,
    OPTIMISTIC,
)

# The formulas of the readable beliefs, compiled as they stand.
normal_gamma_update = njit(cache=True)(formulas.normal_gamma_update)
normal_gamma_variance = njit(cache=True)(formulas.normal_gamma_variance)
normal_mean = njit(cache=True)(formulas.normal_mean)
normal_variance = njit(cache=True)(formulas.normal_variance)
beta_mean = njit(cache=True)(formulas.beta_mean)
beta_variance = njit(cache=True)(formulas.beta_variance)


@njit(cache=True, forceinline=True)
def outcome(knowledge, state, action, next_state):
    """`SuccessorTable.outcome`."""
    for k in range(knowledge.listed[state, action]):
        if knowledge.successors[state, action, k] == next_state:
            return k
    k = knowledge.listed[state, action]
    knowledge.successors[state, action, k] = next_state
    knowledge.listed[state, action] = k + 1
    return k


@njit(cache=True)
def learn(knowledge, state, action, reward, next_state):
    """`Belief.update`."""
    k = outcome(knowledge, state, action, next_state)
    knowledge.visits[state, action] += 1.0
    if knowledge.tied:
        if 0 < state < knowledge.visits.shape[0] - 1:
            knowledge.displacement_counts[action, next_state - state + 1] += 1.0
    else:
        knowledge.counts[state, action, k] += 1.0
    if knowledge.on_action:
        k = 0
    at = state, action, k
    if knowledge.reward_kind == NORMAL_GAMMA:
        precision_count = knowledge.prior[1] + knowledge.n[at]
        knowledge.first[at], knowledge.second[at] = normal_gamma_update(
            knowledge.first[at], knowledge.second[at], precision_count, 1.0, reward, 0.0
        )
    elif knowledge.reward_kind == NORMAL:
        knowledge.first[at] += reward
    elif knowledge.reward_kind == BERNOULLI:
        knowledge.first[at] += reward
        knowledge.second[at] += 1.0 - reward
    knowledge.n[at] += 1.0


@njit(cache=True, forceinline=True)
def reward_posterior(knowledge, n, first, second):
    """`RewardBelief.posterior` of one outcome: mean, and variance of the mean."""
    prior = knowledge.prior
    if knowledge.reward_kind == NORMAL_GAMMA:
        return first, normal_gamma_variance(n, second, prior[1], prior[2])
    if knowledge.reward_kind == NORMAL:
        mean = normal_mean(n, first, prior[0], prior[1], prior[2])
        return mean, normal_variance(n, prior[1], prior[2])
    if knowledge.reward_kind == BERNOULLI:
        return beta_mean(first, second), beta_variance(first, second)
    return first, 0.0 * first


@njit(cache=True, forceinline=True)
def unlisted_reward(knowledge):
    """`RewardBelief.prior`."""
    prior = knowledge.prior
    if knowledge.reward_kind == NORMAL_GAMMA:
        return prior[0], normal_gamma_variance(0.0, prior[3], prior[1], prior[2])
    if knowledge.reward_kind == NORMAL:
        return prior[0], normal_variance(0.0, prior[1], prior[2])
    if knowledge.reward_kind == BERNOULLI:
        return beta_mean(prior[0], prior[1]), beta_variance(prior[0], prior[1])
    return 0.0, 0.0


@njit(cache=True, forceinline=True)
def dirichlet(knowledge, state, action, listed, others):
    """`parameters`: fill ``listed`` and ``others``; return total, alpha and number unlisted."""
    n_states = knowledge.visits.shape[0]
    alpha = knowledge.alpha
    if knowledge.tied:
        for k in range(3):
            listed[k] = alpha + knowledge.displacement_counts[action, k]
        if state == 0:
            listed[0], listed[1] = listed[0] + listed[1], 0.0
        if state == n_states - 1:
            listed[1], listed[2] = listed[1] + listed[2], 0.0
        others[0] = listed[1] + listed[2]
        others[1] = listed[0] + listed[2]
        others[2] = listed[0] + listed[1]
        return listed[0] + listed[1] + listed[2], 0.0, 0
    visits = knowledge.visits[state, action]
    others_prior = alpha * (n_states - 1)
    n_listed = knowledge.listed[state, action]
    for k in range(n_listed):
        count = knowledge.counts[state, action, k]
        listed[k] = alpha + count
        others[k] = others_prior + (visits - count)
    return alpha * n_states + visits, alpha, n_states - n_listed


@njit(cache=True, forceinline=True)
def transition_uncertainty(knowledge, state, action, listed, others, total, alpha, n_unlisted):
    """`transition_variance`, or `transition_mutual_information` from its tabulated terms."""
    n_listed = knowledge.listed[state, action]
    terms = knowledge.information
    if terms.shape[1] > 0:
        information = n_unlisted * terms[4, 0]
        for k in range(n_listed):
            count = int(knowledge.counts[state, action, k])
            information = information + terms[0, count] - terms[1, count]
        visits = int(knowledge.visits[state, action])
        information = (information - terms[2, visits] + terms[3, visits]) / total
        return max(information, 0.0)
    spread = n_unlisted * alpha * (total - alpha)
    for k in range(n_listed):
        spread = spread + listed[k] * others[k]
    return spread / (total * total * (total + 1.0))


@njit(cache=True, forceinline=True)
def refresh_pair(learner, knowledge, tables, state, action):
    """`PosteriorPredictive._refresh_pair`, and the pair's bonus."""
    n_listed = knowledge.listed[state, action]
    listed, others = tables.parameters, tables.others
    total, alpha, n_unlisted = dirichlet(knowledge, state, action, listed, others)
    for k in range(n_listed):
        count = listed[k] if knowledge.tied else knowledge.counts[state, action, k]
        tables.weights[state, action, k] = count / total
    tables.background[state, action] = alpha / total
    tables.transition_uncertainty[state, action] = transition_uncertainty(
        knowledge, state, action, listed, others, total, alpha, n_unlisted
    )
    n, first, second = knowledge.n, knowledge.first, knowledge.second
    if knowledge.on_action:
        at = state, action, 0
        mean, variance = reward_posterior(knowledge, n[at], first[at], second[at])
        tables.mean_reward[state, action] = mean + 0.0
        tables.reward_uncertainty[state, action] = variance + 0.0
        tables.bonus[state, action] = bonus(learner, knowledge, tables, state, action)
        return
    unlisted_mean, unlisted_variance = unlisted_reward(knowledge)
    weighted_mean = n_unlisted * alpha * unlisted_mean
    weighted_variance = n_unlisted * alpha * unlisted_variance
    for k in range(n_listed):
        at = state, action, k
        mean, variance = reward_posterior(knowledge, n[at], first[at], second[at])
        weighted_mean = weighted_mean + listed[k] * mean
        weighted_variance = weighted_variance + listed[k] * variance
    tables.mean_reward[state, action] = weighted_mean / total
    tables.reward_uncertainty[state, action] = weighted_variance / total
    tables.bonus[state, action] = bonus(learner, knowledge, tables, state, action)


@njit(cache=True, forceinline=True)
def bonus(learner, knowledge, tables, state, action):
    """`EUBRL.epistemic_uncertainty`, or `AdditiveBonusAgent.bonus`; of a pair not terminal."""
    if learner.kind == MEAN:
        return 0.0
    visits = knowledge.visits[state, action]
    if learner.kind == COUNT_BONUS:
        return learner.eta / (1.0 + visits + learner.prior_total)
    if learner.kind == GUIDED_BY_COUNT:
        return learner.eta / np.sqrt(max(visits, 1.0))
    return learner.eta * (
        np.sqrt(tables.transition_uncertainty[state, action])
        + np.sqrt(tables.reward_uncertainty[state, action])
    )


@njit(cache=True)
def count(learner, knowledge, tables, state, action, reward, next_state):
    """`EmpiricalAgent.learn`, and what it changes in `EmpiricalAgent.optimistic_model`."""
    if learner.kind != OPTIMISTIC or knowledge.visits[state, action] < learner.known_after:
        k = outcome(knowledge, state, action, next_state)
        knowledge.counts[state, action, k] += 1.0
    knowledge.visits[state, action] += 1.0
    knowledge.first[state, action, 0] += reward
    visits = knowledge.visits[state, action]
    if visits < learner.known_after:
        return
    counted = max(knowledge.counts[state, action].sum(), 1.0)
    for k in range(tables.weights.shape[2]):
        tables.successors[state, action, k] = knowledge.successors[state, action, k]
        tables.weights[state, action, k] = knowledge.counts[state, action, k] / counted
    mean = knowledge.first[state, action, 0] / visits
    if learner.kind == INTERVAL:
        mean = mean + learner.eta / np.sqrt(visits)
    tables.rewards[state, action] = mean
