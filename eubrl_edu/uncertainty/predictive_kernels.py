"""What planning asks of a belief for one pair, compiled: for agents that observe at every step.

`refresh_pair` writes what `PosteriorPredictive` defines for all pairs at once. The formulas are
those of ``beliefs`` and ``uncertainty``, compiled as they stand, and their sums run in the same
order: even the last bit agrees.
"""

import numpy as np

from eubrl_edu.beliefs import (
    BetaBernoulliRewards,
    KnownRewards,
    NormalGammaRewards,
    NormalRewards,
    belief,
    conjugate_rewards,
    transitions,
)
from eubrl_edu.beliefs.rewards import RewardBelief
from eubrl_edu.beliefs.transitions import DirichletParameters
from eubrl_edu.compiling import compiled, inlined
from eubrl_edu.planning.lending import lent
from eubrl_edu.uncertainty import formulas, scipy_special  # noqa: F401, for psi and xlogy

# What is believed of rewards.
KNOWN, NORMAL_GAMMA, NORMAL, BERNOULLI = range(4)
# For each reward belief: its number, its two arrays, and the arguments of its prior.
REWARD_BELIEFS = {
    KnownRewards: (KNOWN, ("mean", "mean"), ()),
    NormalGammaRewards: (NORMAL_GAMMA, ("mean", "beta"), ("mu0", "lambda0", "alpha0", "beta0")),
    NormalRewards: (NORMAL, ("reward_sum", "reward_sum"), ("mu0", "tau0", "tau")),
    BetaBernoulliRewards: (BERNOULLI, ("successes", "failures"), ("alpha0", "beta0")),
}


def reward_arguments(rewards: RewardBelief) -> tuple | None:
    """The number of a reward belief, its arrays' names and its prior; None for an unknown one."""
    if type(rewards) not in REWARD_BELIEFS:
        return None
    kind, names, prior = REWARD_BELIEFS[type(rewards)]
    return kind, names, np.array([getattr(rewards, name) for name in prior], dtype=float)


outcome_parameters = inlined(transitions.outcome_parameters)
total_parameter = inlined(transitions.total_parameter)
predictive_probability = inlined(belief.predictive_probability)
transition_variance = inlined(formulas.transition_variance)
digamma_excess = inlined(formulas.digamma_excess)
transition_mutual_information = compiled(formulas.transition_mutual_information)
outcome_expectation = inlined(belief.outcome_expectation)
normal_gamma_parameters = inlined(conjugate_rewards.normal_gamma_parameters)
normal_gamma_variance = inlined(conjugate_rewards.normal_gamma_variance)
normal_mean = inlined(conjugate_rewards.normal_mean)
normal_variance = inlined(conjugate_rewards.normal_variance)
beta_mean = inlined(conjugate_rewards.beta_mean)
beta_variance = inlined(conjugate_rewards.beta_variance)


@compiled
def refresh_pair(
    state, action, n_listed, counts, visits, alpha,
    kind, on_action, prior, unlisted_mean, unlisted_variance, n, first, second,
    weights, background, transition_uncertainty, mean_reward, reward_uncertainty, information,
):  # fmt: skip
    """Write P_b, E_T (mutual ``information`` or variance), r_b and E_R of an independent pair.

    The arguments come from the belief over transitions, the belief over rewards (its entry of
    `REWARD_BELIEFS`), and the tables to be written.
    """
    n_listed, counts, visits, n, first, second = lent((n_listed, counts, visits, n, first, second))
    weights, background, transition_uncertainty, mean_reward, reward_uncertainty = lent(
        (weights, background, transition_uncertainty, mean_reward, reward_uncertainty)
    )
    pairs = visits.shape
    if not (
        0 <= state < pairs[0]
        and 0 <= action < pairs[1]
        and pairs == n_listed.shape == counts.shape[:2]
        and pairs == background.shape == transition_uncertainty.shape
        and pairs == mean_reward.shape == reward_uncertainty.shape
        and n.shape == first.shape == second.shape
        and pairs == n.shape[:2]
        and pairs == weights.shape[:2]
        and 0 <= n_listed[state, action] <= min(counts.shape[2], weights.shape[2])
        and n.shape[2] >= (1 if on_action else n_listed[state, action])
    ):
        raise ValueError("the arrays of a belief must keep their shapes, and one was replaced")
    room = np.empty((4, counts.shape[2]))
    row = independent_row(state, action, n_listed[state, action], counts, visits, alpha, room)
    write_row(
        state, action, row,
        kind, on_action, prior, unlisted_mean, unlisted_variance, n, first, second, room,
        weights, background, transition_uncertainty, mean_reward, reward_uncertainty, information,
    )  # fmt: skip


@compiled(forceinline=True)
def independent_row(state, action, n_listed, counts, visits, alpha, room):
    """`DirichletTransitions.parameters`, written into ``room`` (4, K)."""
    n_states = visits.shape[0]
    n, counts = visits[state, action], counts[state, action, :n_listed]
    listed, others = room[0, :n_listed], room[1, :n_listed]
    for k in range(n_listed):
        listed[k], others[k] = outcome_parameters(alpha, n_states, n, counts[k])
    total = total_parameter(alpha, n_states, n)
    return DirichletParameters(counts, listed, others, total, alpha, n_states - n_listed)


@compiled(forceinline=True)
def write_row(
    state, action, row,
    kind, on_action, prior, unlisted_mean, unlisted_variance, n, first, second, room,
    weights, background, transition_uncertainty, mean_reward, reward_uncertainty, information,
):  # fmt: skip
    """The rest of `refresh_pair`, for any row."""
    for k in range(len(row.counts)):
        weights[state, action, k] = predictive_probability(row.counts[k], row.total)
    background[state, action] = predictive_probability(row.alpha, row.total)
    if information:
        transition_uncertainty[state, action] = transition_mutual_information(row)
    else:
        transition_uncertainty[state, action] = transition_variance(row)
    if on_action:
        mean, variance = reward_posterior(
            kind, prior, n[state, action, 0], first[state, action, 0], second[state, action, 0]
        )
        mean_reward[state, action] = mean + 0.0  # makes −0 a 0, as `Belief.predict` does
        reward_uncertainty[state, action] = variance + 0.0
    else:
        means, variances = room[2, : len(row.counts)], room[3, : len(row.counts)]
        for k in range(len(row.counts)):
            means[k], variances[k] = reward_posterior(
                kind, prior, n[state, action, k], first[state, action, k], second[state, action, k]
            )
        mean_reward[state, action] = outcome_expectation(row, means, unlisted_mean)
        reward_uncertainty[state, action] = outcome_expectation(row, variances, unlisted_variance)


@compiled(forceinline=True)
def reward_posterior(kind, prior, n, first, second):
    """`RewardBelief.posterior_of` one outcome: mean, and variance of the mean."""
    if kind == NORMAL_GAMMA:
        return first, normal_gamma_variance(n, second, prior[1], prior[2])
    if kind == NORMAL:
        mean = normal_mean(n, first, prior[0], prior[1], prior[2])
        return mean, normal_variance(n, prior[1], prior[2])
    if kind == BERNOULLI:
        return beta_mean(first, second), beta_variance(first, second)
    return first, 0.0 * first
