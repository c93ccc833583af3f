"""The paper's worlds once more, as dense arrays, and the rules by which a run is solved.

Written from the description of the worlds, and of none of the package's classes: an oracle for
whole runs. A world is what `play` plays; nothing here knows how an agent learns.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

IN_A_ROW = 10


@dataclass
class DenseWorld:
    """P (S, A, S), rewards (S, A, S), the deviation of their noise (S, A), and what ends a run.

    ``good(episode, q)`` says of an episode, a list of (state, action, reward), whether it counts
    towards the ten in a row; ``collect`` is the reward to be collected eleven times instead.
    """

    transitions: np.ndarray
    rewards: np.ndarray
    start: int
    step_limit: int
    terminal_states: tuple[int, ...] = ()
    episode_limit: int | None = None
    noise: np.ndarray | None = None
    good: Callable | None = None
    collect: float | None = None
    cumulative: np.ndarray = field(init=False)

    def __post_init__(self):
        self.cumulative = self.transitions.cumsum(axis=-1)
        assert np.allclose(self.cumulative[..., -1], 1)


def loop(loops: int, scaling: bool) -> DenseWorld:
    """L loops of four states; the last one pays 2 and only its own action moves on in it."""
    n_states, best = 4 * loops + 1, loops - 1
    transitions = np.zeros((n_states, loops, n_states))
    rewards = np.zeros_like(transitions)
    for action in range(loops):
        transitions[0, action, 4 * action + 1] = 1
        for k in range(loops):
            for place in range(1, 5):
                state = 4 * k + place
                falls = k == best and action != best and place < 4
                transitions[state, action, 0 if falls or place == 4 else state + 1] = 1
        for k in range(loops):
            rewards[4 * k + 4, action, 0] = 2 if k == best else 1
    if scaling:
        return DenseWorld(transitions, rewards, 0, 7000, collect=2)
    return DenseWorld(transitions, rewards, 0, 1000)


def deep_sea(size: int, stochastic: bool, rng: np.random.Generator) -> DenseWorld:
    """N x N cells and one terminal state; a fair coin says which action is right in each cell."""
    end, last = size * size, size - 1
    right = rng.integers(2, size=(size, size))
    transitions = np.zeros((end + 1, 2, end + 1))
    rewards = np.zeros_like(transitions)
    noise = np.zeros((end + 1, 2))
    fails = 1 / size if stochastic else 0
    for row in range(size):
        for column in range(size):
            state, is_right = row * size + column, right[row, column]

            def cell(to, row=row):
                return (row + 1) * size + to if row < last else end

            transitions[state, 1 - is_right, cell(max(column - 1, 0))] = 1
            transitions[state, is_right, cell(min(column + 1, last))] += 1 - fails
            transitions[state, is_right, cell(column)] += fails
            rewards[state, is_right] = (column == last) - 0.01 / size
            if stochastic and row == last and column in (0, last):
                noise[state] = 1
    transitions[end, :, end] = 1
    diagonal = np.arange(size) * (size + 1)

    def found(episode, q):
        return episode[-1][:2] == (end - 1, right[last, last])

    def knows(episode, q):
        return takes(q[diagonal], right.diagonal()).all()

    return DenseWorld(
        *(transitions, rewards, 0, 50 * size**2, (end,)),
        noise=noise,
        good=knows if stochastic else found,
    )


def lazy_chain(size: int, stochastic: bool) -> DenseWorld:
    """Left, right or nothing, from the middle of 2N + 1 states."""
    end = 2 * size
    transitions = np.zeros((end + 1, 3, end + 1))
    flips = 0.2 if stochastic else 0
    for state in range(1, end):
        transitions[state, 0, [state - 1, state + 1]] = 1 - flips, flips
        transitions[state, 1, [state + 1, state - 1]] = 1 - flips, flips
        transitions[state, 2, state] = 1
    transitions[[0, end], :, [0, end]] = 1
    rewards = np.full_like(transitions, -1)
    rewards[:, :, 0], rewards[:, :, end] = size - 1, 2 * size - 1
    rewards[:, 2] = 0

    def straight(episode, q):
        return sum(reward for _, _, reward in episode) == size

    def goes_right(episode, q):
        return takes(q[size:end], 1).all()

    return DenseWorld(
        *(transitions, rewards, size, 1000 * size, (0, end)),
        episode_limit=1000,
        good=goes_right if stochastic else straight,
    )


def takes(q: np.ndarray, actions) -> np.ndarray:
    """In which rows of ``q`` an action is better than every other, by more than rounding."""
    rows, others = np.arange(len(q)), q.copy()
    others[rows, actions] = -np.inf
    return q[rows, actions] - others.max(axis=1) > 1e-10 * np.abs(q).max(axis=1)


def play(agent, world: DenseWorld, rng: np.random.Generator) -> dict:
    """Let the agent live in the world until it is solved or its steps are used up."""
    state, episode, in_a_row, collected, total = world.start, [], 0, 0, 0.0
    steps, solved = 0, False
    while steps < world.step_limit and not solved:
        action = agent.act(state, rng)
        next_state = int((rng.random() >= world.cumulative[state, action]).sum())
        reward = world.rewards[state, action, next_state]
        if world.noise is not None and world.noise[state, action]:
            reward += world.noise[state, action] * rng.normal()
        terminated = next_state in world.terminal_states
        agent.observe(state, action, reward, next_state, terminated)
        if steps < 1000:
            total += reward
        steps += 1
        episode.append((state, action, reward))
        collected += reward == world.collect
        state = next_state
        if terminated or len(episode) == world.episode_limit:
            in_a_row = in_a_row + 1 if world.good(episode, agent.q) else 0
            state, episode = world.start, []
        solved = in_a_row == IN_A_ROW or collected == 11
    return {"steps": steps, "solved": solved, "return_1000": total}
