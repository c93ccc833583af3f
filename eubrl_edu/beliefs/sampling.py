"""Drawing a whole MDP from a belief, at the cost of what was observed.

A Dirichlet draw is a vector of Gamma draws divided by their sum. The states that are not listed
need no draws of their own: together they receive one Gamma draw of shape α(S − K). Only where
that rest carries visible mass is it spread over single states, by stick breaking: pieces of the
rest go to states drawn uniformly, each piece a Beta(1, α(S − K)) part of what is left. Pieces
that fall on the same state add up, and the result is exactly the Dirichlet.
"""

import numpy as np

from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.mdp import MDP

VISIBLE_MASS = 1e-12


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
    table, row = belief.transitions.table, belief.transitions.all_parameters()
    floor = np.full(belief.visits.shape, minimum_alpha)
    if not clip_visited:
        floor[belief.visits > 0] = 0.0
    is_listed = np.arange(table.width) < table.listed[..., None]
    listed = np.stack(row.listed, axis=-1)
    shapes = np.where(is_listed & (listed > 0), np.maximum(listed, floor[..., None]), 0.0)
    rest_shape = row.n_unlisted * np.maximum(row.alpha, floor)

    gammas = rng.standard_gamma(np.concatenate([shapes, rest_shape[..., None]], axis=-1))
    probabilities = _normalised(gammas, shapes, rest_shape, rng)
    weights, rest = probabilities[..., :-1], probabilities[..., -1]
    rewards_of_listed = belief.rewards.sample(rng)

    stick_states, stick_weights = _break_sticks(rest, rest_shape, table, rng)
    spread = stick_weights.sum(axis=-1)
    background = np.maximum(rest - spread, 0.0) / belief.n_states
    mean_reward = _mean_reward(belief, weights, rewards_of_listed, stick_weights, rng)
    model = MDP(
        np.concatenate([table.successors, stick_states], axis=-1),
        np.concatenate([weights, stick_weights], axis=-1),
        background,
        mean_reward,
        belief.terminal_states,
    )
    return _with_absorbing_ends(model)


def _normalised(gammas, shapes, rest_shape, rng):
    """Divide Gamma draws by their sum; a row of which all underflowed has all mass in one place."""
    totals = gammas.sum(axis=-1, keepdims=True)
    underflowed = np.argwhere(totals[..., 0] == 0.0)
    for state, action in underflowed:
        row = np.append(shapes[state, action], rest_shape[state, action])
        gammas[state, action, rng.choice(len(row), p=row / row.sum())] = 1.0
        totals[state, action] = 1.0
    return gammas / totals


def _break_sticks(rest, rest_shape, table, rng):
    """Spread each pair's rest over unlisted states until less than a visible mass is left."""
    left = rest.copy()
    states, weights = [], []
    while True:
        active = np.argwhere(left > VISIBLE_MASS)
        if len(active) == 0:
            break
        at = tuple(active.T)
        kept = left[at] * rng.random(len(active)) ** (1.0 / rest_shape[at])
        piece_states = np.zeros(rest.shape, dtype=np.int64)
        piece_weights = np.zeros(rest.shape)
        piece_states[at] = _unlisted_states(table, at, rng)
        piece_weights[at] = left[at] - kept
        left[at] = kept
        states.append(piece_states)
        weights.append(piece_weights)
    if not states:
        return np.zeros((*rest.shape, 0), dtype=np.int64), np.zeros((*rest.shape, 0))
    return np.stack(states, axis=-1), np.stack(weights, axis=-1)


def _unlisted_states(table, at, rng):
    """Draw, for each of the given pairs, one of the states that its row does not list."""
    listed = table.listed[at]
    drawn = rng.integers(table.n_states - listed)
    # Step over the listed states in ascending order; unused places sort behind every state.
    places = np.where(
        np.arange(table.width) < listed[:, None], table.successors[at], table.n_states + 1
    )
    for column in np.sort(places, axis=-1).T:
        drawn = drawn + (drawn >= column)
    return drawn


def _mean_reward(belief, weights, rewards_of_listed, stick_weights, rng):
    if belief.rewards.on == "action":
        return rewards_of_listed[..., 0]
    listed = (weights * rewards_of_listed[..., : weights.shape[-1]]).sum(axis=-1)
    rewards_of_sticks = belief.rewards.sample_prior(rng, stick_weights.shape)
    return listed + (stick_weights * rewards_of_sticks).sum(axis=-1)


def _with_absorbing_ends(model: MDP) -> MDP:
    for state in model.terminal_states:
        model.successors[state, :, 0] = state
        model.weights[state] = 0.0
        model.weights[state, :, 0] = 1.0
        model.background[state] = 0.0
        model.rewards[state] = 0.0
    return model
