"""Belief and uncertainty, compiled: what an observation changes.

The functions mirror ``beliefs`` (`Belief.update`, `TiedDirichletTransitions`, the reward beliefs)
and ``agents``, whose formulas are compiled as they stand; what they have in common with
`PosteriorPredictive` is in ``uncertainty.predictive_kernels``. Sums run in the order of the
readable code, so that even the last bit agrees.
"""

import numpy as np

from eubrl_edu.agents import beb, empirical, eqo, frequentist, mbie_eb, ucbvi, vbrb
from eubrl_edu.beliefs import conjugate_rewards, transitions
from eubrl_edu.beliefs.transitions import DirichletParameters
from eubrl_edu.compiling import compiled, inlined
from eubrl_edu.engine.state import (
    COUNT_BONUS,
    DEVIATION_BONUS,
    FREQUENTIST,
    GUIDED_BY_COUNT,
    INTERVAL,
    MEAN,
    OPTIMISTIC,
    QUASI_OPTIMISTIC,
)
from eubrl_edu.planning.kernels import all_finite
from eubrl_edu.uncertainty import formulas
from eubrl_edu.uncertainty.predictive_kernels import (
    BERNOULLI,
    NORMAL,
    NORMAL_GAMMA,
    independent_row,
    normal_gamma_parameters,
    write_row,
)

at_borders = inlined(transitions.at_borders)
tied_parameters = inlined(transitions.tied_parameters)
displacement = inlined(transitions.displacement)
normal_gamma_update = compiled(conjugate_rewards.normal_gamma_update)
normal_update = inlined(conjugate_rewards.normal_update)
beta_update = inlined(conjugate_rewards.beta_update)
average = inlined(empirical.average)
count_bonus = inlined(beb.count_bonus)
visit_bonus = inlined(eqo.visit_bonus)
deviation_bonus = inlined(vbrb.deviation_bonus)
interval_bonus = inlined(mbie_eb.interval_bonus)
guided_by_count = inlined(frequentist.guided_by_count)
bernstein_bonus = inlined(ucbvi.bernstein_bonus)
unknown_share = inlined(ucbvi.unknown_share)
backed_up = inlined(ucbvi.backed_up)
count_uncertainty = inlined(formulas.count_uncertainty)
epistemic_uncertainty = inlined(formulas.epistemic_uncertainty)
probability_of_uncertainty = inlined(formulas.probability_of_uncertainty)
epistemically_guided_reward = inlined(formulas.epistemically_guided_reward)
reward_with_uncertainty_added = inlined(formulas.reward_with_uncertainty_added)


@compiled(forceinline=True)
def outcome(knowledge, state, action, next_state):
    """`SuccessorTable.outcome`."""
    for k in range(knowledge.listed[state, action]):
        if knowledge.successors[state, action, k] == next_state:
            return k
    k = knowledge.listed[state, action]
    knowledge.successors[state, action, k] = next_state
    knowledge.listed[state, action] = k + 1
    return k


@compiled
def learn(knowledge, state, action, reward, next_state):
    """`Belief.update`."""
    k = outcome(knowledge, state, action, next_state)
    knowledge.visits[state, action] += 1.0
    if knowledge.tied:
        is_told, place = displacement(state, next_state, knowledge.visits.shape[0])
        knowledge.displacement_counts[action, place] += is_told
    else:
        knowledge.counts[state, action, k] += 1.0
    if knowledge.on_action:
        k = 0
    at = state, action, k
    prior, n, first, second = knowledge.prior, knowledge.n, knowledge.first, knowledge.second
    if knowledge.reward_kind == NORMAL_GAMMA:
        precision_count, _ = normal_gamma_parameters(n[at], prior[1], prior[2])
        first[at], second[at] = normal_gamma_update(
            first[at], second[at], precision_count, 1.0, reward, 0.0
        )
    elif knowledge.reward_kind == NORMAL:
        first[at] = normal_update(first[at], reward)
    elif knowledge.reward_kind == BERNOULLI:
        first[at], second[at] = beta_update(first[at], second[at], 1.0, reward)
    n[at] += 1.0


@compiled(forceinline=True)
def tied_row(counts, alpha, first, last, room):
    """`TiedDirichletTransitions.parameters`, written into ``room`` (4, 3)."""
    row = tied_parameters(alpha, counts[0], counts[1], counts[2], first, last)
    listed, others = room[0, :3], room[1, :3]
    for k in range(3):
        listed[k], others[k] = row.listed[k], row.others[k]
    return DirichletParameters(listed, listed, others, row.total, row.alpha, row.n_unlisted)


@compiled(forceinline=True)
def refresh_pair(learner, knowledge, tables, state, action):
    """`PosteriorPredictive._refresh_pair`, and the pair's bonus."""
    if knowledge.tied:
        last = state == knowledge.visits.shape[0] - 1
        counts = knowledge.displacement_counts[action]
        row = tied_row(counts, knowledge.alpha, state == 0, last, tables.row_room)
    else:
        row = independent_row(
            state,
            action,
            knowledge.listed[state, action],
            knowledge.counts,
            knowledge.visits,
            knowledge.alpha,
            tables.row_room,
        )
    write_row(
        state,
        action,
        row,
        knowledge.reward_kind,
        knowledge.on_action,
        knowledge.prior,
        knowledge.unlisted_mean,
        knowledge.unlisted_variance,
        knowledge.n,
        knowledge.first,
        knowledge.second,
        tables.row_room,
        tables.weights,
        tables.background,
        tables.transition_uncertainty,
        tables.mean_reward,
        tables.reward_uncertainty,
        learner.mutual_information,
    )
    tables.bonus[state, action] = bonus(learner, knowledge, tables, state, action)


@compiled(forceinline=True)
def bonus(learner, knowledge, tables, state, action):
    """`EUBRL.epistemic_uncertainty`, or `AdditiveBonusAgent.bonus`; of a pair not terminal."""
    if learner.kind == MEAN:
        return 0.0
    visits = knowledge.visits[state, action]
    if learner.kind == COUNT_BONUS:
        return count_bonus(visits, learner.prior_total, learner.eta)
    if learner.kind == GUIDED_BY_COUNT:
        return count_uncertainty(visits, learner.eta)
    of_transition = tables.transition_uncertainty[state, action]
    of_reward = tables.reward_uncertainty[state, action]
    if learner.kind == DEVIATION_BONUS:
        return deviation_bonus(of_transition, of_reward, learner.eta)
    return epistemic_uncertainty(of_transition, of_reward, learner.eta)


@compiled
def set_planning_rewards(guided, shrinkage, mean, bonus, max_uncertainty, rewards):
    """The rewards of `EUBRL.plan` for a guided agent, else `MeanMDP.planning_reward`."""
    largest = max_uncertainty[0]
    if guided:
        for state in range(rewards.shape[0]):
            for action in range(rewards.shape[1]):
                largest = max(largest, bonus[state, action])
        max_uncertainty[0] = largest
    for state in range(rewards.shape[0]):
        for action in range(rewards.shape[1]):
            reward, epistemic = mean[state, action], bonus[state, action]
            if guided:
                probability = probability_of_uncertainty(epistemic, largest)
                if shrinkage:
                    guided_reward = epistemically_guided_reward(reward, epistemic, probability)
                else:
                    guided_reward = reward_with_uncertainty_added(reward, epistemic, probability)
                rewards[state, action] = guided_reward
            else:
                rewards[state, action] = reward + epistemic


@compiled
def count(learner, knowledge, tables, state, action, reward, next_state):
    """`EmpiricalAgent.learn`, and what it changes in `EmpiricalAgent.optimistic_model`."""
    knowledge.visits[state, action] += 1.0
    visits = knowledge.visits[state, action]
    if learner.kind == OPTIMISTIC and visits > learner.known_after:
        return
    k = outcome(knowledge, state, action, next_state)
    knowledge.counts[state, action, k] += 1.0
    knowledge.first[state, action, 0] += reward
    if visits < learner.known_after:
        return
    learned_from = knowledge.counts[state, action].sum()
    for k in range(tables.weights.shape[2]):
        tables.successors[state, action, k] = knowledge.successors[state, action, k]
        tables.weights[state, action, k] = average(knowledge.counts[state, action, k], learned_from)
    mean = average(knowledge.first[state, action, 0], learned_from)
    if learner.kind == INTERVAL:
        mean = mean + interval_bonus(visits, learner.eta)
    elif learner.kind == QUASI_OPTIMISTIC:
        mean = mean + visit_bonus(visits, learner.eta)
    elif learner.kind == FREQUENTIST:
        mean, _ = guided_by_count(mean, visits, learner.eta)
    tables.rewards[state, action] = mean


@compiled
def back_up(learner, knowledge, tables, is_terminal):
    """`UCBVIGamma.plan`; return whether all values are finite."""
    n_states, n_actions = tables.q.shape
    values, unknown = tables.values, np.empty(n_states)
    own = learner.value_cap, learner.discount, learner.eta
    for state in range(n_states):
        values[state] = tables.q[state].max()
        unknown[state] = unknown_share(knowledge.visits[state].sum())
        if is_terminal[state]:
            unknown[state] = 0.0
    for state in range(n_states):
        for action in range(n_actions):
            at = state, action
            visits = knowledge.visits[at]
            if visits > 0:
                row = tables.rewards[at], tables.weights[at], tables.successors[at]
                tables.q[at] = min(tables.q[at], backed_up(*row, values, unknown, visits, *own))
    return all_finite(tables.q.reshape(-1))
