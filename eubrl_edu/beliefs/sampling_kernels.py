"""Drawing from posteriors, compiled: what the beliefs, `sample_mdp` and the engine all run.

A Dirichlet draw is a vector of Gamma draws divided by their sum. The states that are not listed
need no draws of their own: together they receive one Gamma draw of shape α(S − K). That rest is
then spread over single states by stick breaking: pieces of it go to states drawn uniformly, each
piece a Beta(1, α(S − K)) part of what is left. Pieces that fall on the same state add up, and the
result is exactly the Dirichlet. That takes about 14 α pieces for each state until what is left
cannot be seen; where α is large every state is drawn instead.

Tiny shapes underflow, so Gamma draws are kept as logarithms: a draw of shape a below 1 is one of
shape a + 1, times U^(1/a) with U uniform, and −log U is exponentially distributed.
"""

import math

import numpy as np

from eubrl_edu.compiling import compiled

# A plan cannot tell a smaller mass from the same mass spread evenly: that moves Q by less than a
# millionth of the values' range, and by nothing on average.
VISIBLE_MASS = 1e-6


@compiled
def log_gamma_draw(shape, rng):
    """The logarithm of a draw from Gamma(shape, 1); minus infinity for a shape of 0."""
    if shape <= 0.0:
        return -np.inf
    if not shape < np.inf:  # of NaN a draw would never end
        return np.nan
    if shape < 1.0:
        return math.log(rng.standard_gamma(shape + 1.0)) - rng.standard_exponential() / shape
    return math.log(rng.standard_gamma(shape))


@compiled
def divide_by_sum(logs):
    """Turn logarithms of Gamma draws into a Dirichlet draw, in place."""
    largest, total = logs.max(), 0.0
    for i in range(logs.shape[0]):
        logs[i] = math.exp(logs[i] - largest)
        total += logs[i]
    for i in range(logs.shape[0]):
        logs[i] /= total


@compiled
def draw_row(shapes, rng):
    """A draw from the Dirichlet with these parameters."""
    logs = np.empty(shapes.shape[0])
    for i in range(shapes.shape[0]):
        logs[i] = log_gamma_draw(shapes[i], rng)
    divide_by_sum(logs)
    return logs


@compiled
def beta_draws(successes, failures, rng):
    """A draw of each Beta(a, b): the first part of a Dirichlet with the two parameters."""
    if successes.shape != failures.shape:
        raise ValueError("successes and failures must be equally long")
    draws, both = np.empty(successes.shape[0]), np.empty(2)
    for i in range(draws.shape[0]):
        both[0] = log_gamma_draw(successes[i], rng)
        both[1] = log_gamma_draw(failures[i], rng)
        divide_by_sum(both)
        draws[i] = both[0]
    return draws


@compiled
def normal_gamma_draws(precision_count, shape, mean, beta, rng):
    """The mean of a draw of each Normal-Gamma: τ ~ Gamma(α, β), then N(μ, 1 / (λτ))."""
    if not precision_count.shape == shape.shape == mean.shape == beta.shape:
        raise ValueError("all parameters must be equally long")
    draws = np.empty(mean.shape[0])
    for i in range(draws.shape[0]):
        draws[i] = rng.standard_gamma(shape[i]) if 0.0 < shape[i] < np.inf else np.nan
    for i in range(draws.shape[0]):
        precision = precision_count[i] * (draws[i] / beta[i])
        draws[i] = mean[i] + rng.standard_normal() / np.sqrt(precision)
    return draws


@compiled
def normal_draws(mean, variance, rng):
    """A draw of each N(mean, variance)."""
    if mean.shape != variance.shape:
        raise ValueError("mean and variance must be equally long")
    draws = np.empty(mean.shape[0])
    for i in range(draws.shape[0]):
        draws[i] = mean[i] + rng.standard_normal() * np.sqrt(variance[i])
    return draws


@compiled
def average_rewards(weights, lengths, listed, of_listed, of_others):
    """The mean reward of every pair (S, A), from a reward for each next state that it has.

    ``of_listed`` are those of the listed next states, pair after pair, ``of_others`` of the rest.
    """
    rewards = np.zeros(lengths.shape)
    i = j = 0
    for state in range(lengths.shape[0]):
        for action in range(lengths.shape[1]):
            for k in range(lengths[state, action]):
                if k < listed[state, action]:
                    reward = of_listed[i]
                    i += 1
                else:
                    reward = of_others[j]
                    j += 1
                rewards[state, action] += weights[state, action, k] * reward
    return rewards


@compiled
def grown(array, length):
    """The array, or one twice as long with the same beginning if ``length`` does not fit."""
    if length <= array.shape[0]:
        return array
    longer = np.empty(2 * length, dtype=array.dtype)
    longer[: array.shape[0]] = array
    return longer


@compiled
def draw_transitions(
    successors, listed, counts, visits, alpha, minimum_alpha, clip_visited, large_alpha, rng
):
    """Draw P(· | s, a) for every pair.

    Parameters
    ----------
    successors, listed, counts, visits
        The arrays of a `SuccessorTable` and of `DirichletTransitions`.
    alpha : float
        α of a single next state.
    minimum_alpha, clip_visited
        See `sample_mdp`.
    large_alpha : float
        Above it every state is drawn.
    rng : numpy.random.Generator
        The rows take from it one after the other.

    Returns
    -------
    successors : (S, A, K') integer array
        The listed next states of each pair, in their order, then others that were drawn.
    weights : (S, A, K') array
        Their probabilities; 0 where a row has fewer.
    lengths : (S, A) integer array
        How many next states each row has.
    background : (S, A) array
        What is left for every state alike.
    """
    n_states, n_actions, width = successors.shape
    if not (
        counts.shape == successors.shape
        and visits.shape == listed.shape == (n_states, n_actions)
        and 0 <= listed.min() <= listed.max() <= min(width, n_states)
        and 0 <= successors.min() <= successors.max() < n_states
    ):
        raise ValueError("the arrays of a belief must keep their shapes, and one was replaced")
    n_pairs = n_states * n_actions
    targets, weights = np.empty(4 * n_pairs, np.int64), np.empty(4 * n_pairs)
    begin = np.zeros(n_pairs + 1, np.int64)
    background = np.empty((n_states, n_actions))
    # Where in its row a state stands, -1 for one that is not in it.
    place = np.full(n_states, -1)
    logs = np.empty(n_states + 1)
    end = 0
    for pair in range(n_pairs):
        state, action = divmod(pair, n_actions)
        n_listed = listed[state, action]
        n_unlisted = n_states - n_listed
        floor = minimum_alpha if clip_visited or visits[state, action] == 0 else 0.0
        own_alpha = max(alpha, floor)
        row, start = logs[: n_listed + 1], begin[pair]
        for k in range(n_listed):
            row[k] = log_gamma_draw(max(alpha + counts[state, action, k], floor), rng)
        row[n_listed] = log_gamma_draw(n_unlisted * own_alpha, rng)
        divide_by_sum(row)
        rest = row[n_listed]
        # Once a row, whatever it needs: asked in the innermost loop, it would take half the time.
        # Twice as much as a row has: room even where one lists a state twice.
        most = start + 2 * n_states
        targets, weights = grown(targets, most), grown(weights, most)
        for k in range(n_listed):
            targets[start + k], weights[start + k] = successors[state, action, k], row[k]
            place[targets[start + k]] = k
        end = start + n_listed

        if rest > VISIBLE_MASS and own_alpha > large_alpha:
            shares = logs[:n_unlisted]
            for i in range(n_unlisted):
                shares[i] = log_gamma_draw(own_alpha, rng)
            divide_by_sum(shares)
            for next_state in range(n_states):
                if place[next_state] < 0:
                    targets[end] = next_state
                    weights[end] = rest * shares[end - start - n_listed]
                    end += 1
            rest = 0.0
        while rest > VISIBLE_MASS:
            left = rest * math.exp(-rng.standard_exponential() / (own_alpha * n_unlisted))
            next_state = int(rng.random() * n_states)
            while 0 <= place[next_state] < n_listed:
                next_state = int(rng.random() * n_states)
            if place[next_state] < 0:
                targets[end], weights[end] = next_state, 0.0
                place[next_state] = end - start
                end += 1
            weights[start + place[next_state]] += rest - left
            rest = left

        background[state, action] = rest / n_states
        for i in range(start, end):
            place[targets[i]] = -1
        begin[pair + 1] = end

    lengths = begin[1:] - begin[:-1]
    width = max(width, lengths.max())
    all_targets = np.zeros((n_pairs, width), np.int64)
    all_weights = np.zeros((n_pairs, width))
    for pair in range(n_pairs):
        for k in range(lengths[pair]):
            all_targets[pair, k] = targets[begin[pair] + k]
            all_weights[pair, k] = weights[begin[pair] + k]
    shape = n_states, n_actions, width
    return (
        all_targets.reshape(shape),
        all_weights.reshape(shape),
        lengths.reshape((n_states, n_actions)),
        background,
    )
