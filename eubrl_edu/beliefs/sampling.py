"""Drawing a whole MDP from a belief, at the cost of what was observed.

A Dirichlet draw is a vector of Gamma draws divided by their sum. The states that are not listed
need no draws of their own: together they receive one Gamma draw of shape α(S − K). Only where
that rest carries visible mass is it spread over single states, by stick breaking: pieces of the
rest go to states drawn uniformly, each piece a Beta(1, α(S − K)) part of what is left. Pieces
that fall on the same state add up, and the result is exactly the Dirichlet. That takes about
28 α pieces for each state, so where α is large every state is drawn instead.
"""

import numpy as np

from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.beliefs.draws import power, row_sums, standard_gamma
from eubrl_edu.beliefs.successors import SuccessorTable
from eubrl_edu.beliefs.transitions import merge_at_borders
from eubrl_edu.mdp import MDP

VISIBLE_MASS = 1e-12
LARGE_ALPHA = 0.03


def sample_mdp(
    belief: Belief,
    rng: np.random.Generator,
    minimum_alpha: float = 0.0,
    clip_visited: bool = True,
) -> MDP:
    """Draw P from its Dirichlet posterior and the mean rewards from theirs.

    Parameters
    ----------
    belief : Belief
        What to draw from.
    rng : numpy.random.Generator
        Source of randomness.
    minimum_alpha : float
        Every Dirichlet parameter is raised to at least this (the paper's experiments: 1e-3).
    clip_visited : bool
        Whether parameters of visited pairs are raised too, or only of pairs never visited.

    Returns
    -------
    MDP
        ``rewards`` are the drawn mean rewards, averaged over the drawn transitions.
    """
    table, rewards = belief.transitions.table, belief.rewards
    is_listed = np.arange(table.width) < table.listed[..., None]
    if belief.transitions.tied:
        listed = _tied_weights(belief.transitions, rng, minimum_alpha, clip_visited)
        rest = np.zeros(belief.visits.shape)
        unlisted_pairs, unlisted_states, unlisted_weights = _nothing()
    else:
        parameters = belief.transitions.all_parameters()
        floor = _floor(belief.visits, minimum_alpha, clip_visited)
        shapes = np.where(
            is_listed,
            np.maximum(np.stack(parameters.listed, axis=-1), floor[..., None]),
            0.0,
        )
        alpha = np.maximum(parameters.alpha, floor)
        rest_shape = parameters.n_unlisted * alpha
        drawn = _dirichlet(np.concatenate([shapes, rest_shape[..., None]], axis=-1), rng)
        listed, rest = drawn[..., :-1], drawn[..., -1]
        unlisted_pairs, unlisted_states, unlisted_weights = _spread(rest, alpha, table, rng)

    if rewards.on == "action":
        mean_reward = rewards.sample(rng, np.ones((*rest.shape, 1), dtype=bool))[..., 0]
    else:
        mean_reward = row_sums(listed * rewards.sample(rng, is_listed))[..., 0]
        prior_rewards = rewards.sample_prior(rng, unlisted_weights.shape)
        np.add.at(mean_reward.reshape(-1), unlisted_pairs, unlisted_weights * prior_rewards)

    unlisted_mass = np.bincount(unlisted_pairs, unlisted_weights, rest.size).reshape(rest.shape)
    successors, weights = _packed(unlisted_pairs, unlisted_states, unlisted_weights, rest.shape)
    model = MDP(
        np.concatenate([table.successors, successors], axis=-1),
        np.concatenate([listed, weights], axis=-1),
        np.maximum(rest - unlisted_mass, 0.0) / belief.n_states,
        mean_reward,
        belief.terminal_states,
    )
    return _with_absorbing_ends(model)


def _floor(visits, minimum_alpha, clip_visited):
    """What Dirichlet parameters are raised to."""
    return np.where(clip_visited | (visits == 0), minimum_alpha, 0.0)


def _dirichlet(shapes, rng):
    """Draw from the Dirichlet of every row.

    Where all Gamma draws underflow, one of them is larger than the others by many orders of
    magnitude, each with a chance in proportion to its shape: it gets everything.
    """
    gammas = standard_gamma(shapes, rng)
    totals = row_sums(gammas)
    for row in map(tuple, np.argwhere(totals[..., 0] == 0.0)):
        bounds = np.add.accumulate(shapes[row])
        largest = np.argmax(rng.random() * bounds[-1] < bounds)
        gammas[(*row, largest)] = totals[row] = 1.0
    return gammas / totals


def _tied_weights(transitions, rng, minimum_alpha, clip_visited):
    """Draw one distribution over displacements for each action, and lay it out for all states."""
    counts = transitions.displacement_counts
    floor = _floor(counts.sum(axis=-1, keepdims=True), minimum_alpha, clip_visited)
    drawn = _dirichlet(np.maximum(transitions.alpha + counts, floor), rng)
    everywhere = np.repeat(drawn.T[:, None, :], transitions.n_states, axis=1)
    return np.stack(merge_at_borders(*everywhere), axis=-1)


def _nothing():
    return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0)


def _spread(rest, alpha, table: SuccessorTable, rng):
    """Spread each pair's rest over its unlisted states.

    Returns the pairs (s · A + a), next states and weights, each combination once, in order.
    """
    rest, alpha = rest.ravel(), alpha.ravel()
    visible = np.flatnonzero(rest > VISIBLE_MASS)
    is_large = alpha[visible] > LARGE_ALPHA
    large, small = visible[is_large], visible[~is_large]
    pieces = [_nothing(), *_draw_every_state(large, rest[large], alpha[large], table, rng)]
    pieces += _break_sticks(small, rest[small], alpha[small], table, rng)
    pairs, next_states, weights = (np.concatenate(column) for column in zip(*pieces, strict=True))
    keys, place = np.unique(pairs * table.n_states + next_states, return_inverse=True)
    return *np.divmod(keys, table.n_states), np.bincount(place, weights, minlength=len(keys))


def _draw_every_state(pairs, rest, alpha, table, rng):
    """Divide each rest by a Dirichlet draw over all unlisted states."""
    for pair, mass, parameter in zip(pairs, rest, alpha, strict=True):
        state, action = divmod(pair, table.n_actions)
        next_states = np.delete(
            np.arange(table.n_states),
            table.successors[state, action, : table.listed[state, action]],
        )
        shares = _dirichlet(np.full(len(next_states), parameter), rng)
        yield np.full(len(next_states), pair), next_states, mass * shares


def _break_sticks(pairs, left, alpha, table, rng):
    """Take pieces from each rest until less than a visible mass is left."""
    while len(pairs) > 0:
        n_unlisted = table.n_states - table.listed.ravel()[pairs]
        kept = left * power(rng.random(len(pairs)), 1.0 / (alpha * n_unlisted)).astype(float)
        yield pairs, _unlisted_states(pairs, table, rng), left - kept
        visible = kept > VISIBLE_MASS
        pairs, left, alpha = pairs[visible], kept[visible], alpha[visible]


def _unlisted_states(pairs, table, rng):
    """Draw, for each of the given pairs, one of the states that its row does not list."""
    listed = table.listed.ravel()[pairs]
    successors = table.successors.reshape(-1, table.width)[pairs]
    drawn = (rng.random(len(pairs)) * (table.n_states - listed)).astype(np.int64)
    # Step over the listed states in ascending order; unused places sort behind every state.
    places = np.where(np.arange(table.width) < listed[:, None], successors, table.n_states + 1)
    for column in np.sort(places, axis=-1).T:
        drawn = drawn + (drawn >= column)
    return drawn


def _packed(pairs, next_states, weights, shape):
    """Lay out sorted pairs' successors in padded (S, A, K) arrays."""
    place = np.arange(len(pairs)) - np.searchsorted(pairs, pairs)
    width = place.max(initial=-1) + 1
    packed_successors = np.zeros((*shape, width), dtype=np.int64)
    packed_weights = np.zeros((*shape, width))
    at = (*np.divmod(pairs, shape[1]), place)
    packed_successors[at], packed_weights[at] = next_states, weights
    return packed_successors, packed_weights


def _with_absorbing_ends(model: MDP) -> MDP:
    for state in model.terminal_states:
        model.successors[state, :, 0] = state
        model.weights[state] = 0.0
        model.weights[state, :, 0] = 1.0
        model.background[state] = 0.0
        model.rewards[state] = 0.0
    return model
