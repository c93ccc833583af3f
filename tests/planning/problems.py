"""Random MDPs, and oracles for them in dense linear algebra that share no code with the planner."""

import itertools

import numpy as np
from hypothesis import strategies as st

from eubrl_edu.mdp import MDP

DISCOUNTS = [0.0, 0.5, 0.9, 0.99, 0.999, 0.9999]


def posterior_mean(
    n_states: int, n_actions: int, observations: int, alpha: float, reach: int, seed: int
) -> MDP:
    """The mean of a Dirichlet(α) posterior after random transitions.

    They lead to states at most ``reach`` away. Rewards are normal. Now and then a state is
    terminal. The places of a row that hold no successor point to random states, as they may.
    """
    rng = np.random.default_rng(seed)
    counts = np.zeros((n_states, n_actions, n_states))
    for _ in range(observations):
        state = rng.integers(n_states)
        to = np.clip(state + rng.integers(-reach, reach + 1), 0, n_states - 1)
        counts[state, rng.integers(n_actions), to] += 1
    visits = counts.sum(axis=-1)
    n_listed = int((counts > 0).sum(axis=-1).max()) + int(rng.integers(2))
    successors = np.argsort(-counts, axis=-1, kind="stable")[..., :n_listed]
    weights = np.take_along_axis(counts, successors, axis=-1)
    weights /= (alpha * n_states + visits)[..., None]
    background = np.where(visits > 0, alpha / (alpha * n_states + visits), 1 / n_states)
    successors = np.where(weights > 0, successors, rng.integers(n_states, size=successors.shape))
    rewards = rng.normal(size=(n_states, n_actions))
    terminal = tuple(
        int(state) for state in np.flatnonzero(rng.random(n_states) < 0.1) if successors.size
    )
    for state in terminal:
        successors[state] = state
        weights[state] = 0
        weights[state, :, 0] = 1
        background[state] = 0
        rewards[state] = 0
    return MDP(successors, weights, background, rewards, terminal)


def models(most_states: int = 25, most_actions: int = 4):
    """A strategy: posterior means from none to many observations, α from 1e-8 to 1."""

    def build(n_states, n_actions, per_pair, log_alpha, local, seed):
        reach = 2 if local else n_states
        return posterior_mean(
            n_states, n_actions, per_pair * n_states * n_actions, 10.0**log_alpha, reach, seed
        )

    return st.builds(
        build,
        st.integers(1, most_states),
        st.integers(1, most_actions),
        st.sampled_from([0, 1, 2, 5]),
        st.integers(-8, 0),
        st.booleans(),
        st.integers(0, 2**32 - 1),
    )


def random_policy(model: MDP, seed: int = 0) -> np.ndarray:
    """An action for each state, at random."""
    return np.random.default_rng(seed).integers(model.n_actions, size=model.n_states)


def dense_q(model: MDP, values: np.ndarray, discount: float) -> np.ndarray:
    """r + γPV with the dense array P."""
    return model.rewards + discount * model.transition_matrix() @ values


def dense_policy_values(model: MDP, policy: np.ndarray, discount: float) -> np.ndarray:
    """(I - γP)^{-1} r with the dense array P."""
    states = np.arange(model.n_states)
    transitions = model.transition_matrix()[states, policy]
    return np.linalg.solve(
        np.eye(model.n_states) - discount * transitions, model.rewards[states, policy]
    )


def best_of_all_policies(model: MDP, discount: float) -> np.ndarray:
    """V* by evaluating every single policy: the largest value of each state."""
    policies = itertools.product(range(model.n_actions), repeat=model.n_states)
    return np.max(
        [dense_policy_values(model, np.array(policy), discount) for policy in policies], axis=0
    )


def dense_optimum(model: MDP, discount: float) -> np.ndarray:
    """V* by policy iteration on the dense array."""
    policy = np.zeros(model.n_states, dtype=int)
    for _ in range(1000):
        values = dense_policy_values(model, policy, discount)
        q = dense_q(model, values, discount)
        gain = q.max(axis=1) - q[np.arange(model.n_states), policy]
        better = gain > 1e-13 * np.abs(values).max()
        if not better.any():
            return values
        policy = np.where(better, q.argmax(axis=1), policy)
    raise AssertionError("the oracle went in circles")


def relative_error(found: np.ndarray, truth: np.ndarray) -> float:
    """The largest difference, relative to the largest true value."""
    scale = np.abs(truth).max()
    return float(np.abs(found - truth).max() / (scale if scale > 0 else 1))


def lazy_chain(size: int, flip: float) -> MDP:
    """2 · size + 1 states in a row; left, right, nothing; the ends are terminal."""
    n_states = 2 * size + 1
    state = np.arange(n_states)
    left, right = np.maximum(state - 1, 0), np.minimum(state + 1, n_states - 1)
    entering = np.full(n_states, -1.0)
    entering[0], entering[-1] = size - 1, 2 * size - 1
    successors = np.stack(
        [np.stack([left, right], -1), np.stack([right, left], -1), np.stack([state, state], -1)], 1
    )
    weights = np.tile([[1 - flip, flip], [1 - flip, flip], [1.0, 0.0]], (n_states, 1, 1))
    rewards = (weights * entering[successors]).sum(-1)
    rewards[:, 2] = 0
    for end in (0, n_states - 1):
        successors[end], rewards[end] = end, 0
    return MDP(successors, weights, np.zeros((n_states, 3)), rewards, (0, n_states - 1))


def without_geometry(n_states: int, n_actions: int, n_listed: int, seed: int) -> MDP:
    """Random successors anywhere: one big component that no order makes narrow."""
    rng = np.random.default_rng(seed)
    shape = (n_states, n_actions, n_listed)
    return MDP(
        rng.integers(n_states, size=shape),
        rng.dirichlet(np.ones(n_listed), size=shape[:2]) * 0.999,
        np.full(shape[:2], 0.001 / n_states),
        rng.normal(size=shape[:2]),
    )


def edges(model, policy, discount):
    """The policy's graph: begin, target, weight; and the rewards and γb of its rows."""
    states = np.arange(model.n_states)
    weights = model.weights[states, policy]
    listed = weights > 0
    begin = np.concatenate([[0], np.cumsum(listed.sum(axis=1))]).astype(np.int64)
    target = model.successors[states, policy][listed].astype(np.int64)
    rewards, background = model.rewards[states, policy], model.background[states, policy]
    return begin, target, discount * weights[listed], rewards, discount * background
