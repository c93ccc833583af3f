"""Any Gymnasium environment with discrete spaces, seen as a world of this package.

Toy environments such as FrozenLake publish their transition table: ``P[state][action]`` lists
(probability, next state, reward, done). The done flag belongs to the transition, whereas in a
Markov decision process an end is a state. `ends_of` makes the two agree, with one extra terminal
state where that is needed. Where no table is known, nothing says which states end an episode, so
every end is that extra state. `GymnasiumWorld.step` translates accordingly.
"""

from collections.abc import Iterator
from functools import partial

import gymnasium
import numpy as np

from eubrl_edu.environments.outcomes import Outcome, OutcomeTable
from eubrl_edu.environments.published import (
    grid_width,
    known_world,
    layers_of,
    limits_of,
    only_checked,
    published_table,
    require_listed,
    require_start,
    row_of,
)
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.validation import (
    require_bool,
    require_distribution,
    require_finite,
    require_index,
    require_sizes,
    shown,
)


def world_from_gymnasium(env: gymnasium.Env) -> "TabularEnvironment | GymnasiumWorld":
    """Make a world of a Gymnasium environment; one of this package's own is returned itself.

    Raises
    ------
    ValueError
        If it is not an environment, its observation or action space is not ``Discrete``, or it
        wraps a `GymnasiumWorld`.
    """
    if isinstance(env, gymnasium.Env) and only_checked(env):
        env = env.unwrapped
    if isinstance(env, TabularEnvironment | GymnasiumWorld):
        require_discrete(env)
        return env
    if any(isinstance(layer, GymnasiumWorld) for layer in layers_of(env)):
        raise ValueError(
            f"env must not be a wrapper around a world that is made already, got {shown(env)}: "
            "put it around the environment, and make a world of that"
        )
    return GymnasiumWorld(env)


class GymnasiumWorld(gymnasium.Wrapper, gymnasium.utils.RecordConstructorArgs):
    """A Gymnasium environment with the attributes that worlds have, as far as they are known.

    `step` and `reset` pass through, except that states and actions count from 0 and that ends
    may lead to the extra terminal state: see `ends_of`; without a table, every end does.

    Parameters
    ----------
    env : gymnasium.Env
        With ``Discrete`` observation and action spaces.

    Attributes
    ----------
    n_states, n_actions : int
        S, counting the extra terminal state where there is one, and A.
    model : MDP or None
        Exact, from the table that is published, or of the world of this package inside. None where
        there is none or where it does not tell the truth: under wrappers that may change
        observations, actions or rewards, and for a Taxi with a fickle passenger (its table knows
        nothing of the change of mind).
    successor_rewards, outcome_states, outcome_probabilities, outcome_rewards, reward_deviations
        As in `TabularEnvironment`; None where there is no model.
    initial_states, initial_probabilities : array or None
        Where episodes begin, as far as the environment says.
    terminal_states : tuple of int
    state : int or None
        The present one; None before the first `reset`.
    max_episode_steps : int or None
        The least of its ``TimeLimit`` wrappers and of a world of this package inside.
    action_names, state_names : tuple of str
        The numbers.
    state_positions : (S, 2) array
        A grid, row by row: the environment's own ``shape`` if it has one, else nearly square.

    Raises
    ------
    ValueError
        If ``env`` is not an environment, one of its spaces is not ``Discrete`` or too large, or
        what it publishes is no table of outcomes.
    """

    def __init__(self, env: gymnasium.Env):
        if not isinstance(env, gymnasium.Env):
            raise ValueError(f"env must be a gymnasium.Env, got {shown(env)}")
        require_discrete(env)
        gymnasium.utils.RecordConstructorArgs.__init__(self)
        super().__init__(env)
        self._first_state = int(env.observation_space.start)
        self._first_action = int(env.action_space.start)
        n_listed, self.n_actions = require_sizes(env.observation_space.n, env.action_space.n)
        self._n_listed = n_listed
        self._read_start_distribution()
        self._read_table(n_listed)
        self._ends = frozenset(self.terminal_states)
        self._outcomes_found: set[tuple[int, int, int, float]] = set()
        self.state = self._place = None
        self.max_episode_steps = min(limits_of(env), default=None)
        self.observation_space = gymnasium.spaces.Discrete(self.n_states)
        self.action_space = gymnasium.spaces.Discrete(self.n_actions)
        self.action_names = tuple(map(str, range(self.n_actions)))
        names = map(str, range(n_listed))
        self.state_names = (*names, "end") if self.n_states > n_listed else tuple(names)
        columns = grid_width(env, n_listed)
        rows, places = np.divmod(np.arange(self.n_states), columns)
        self.state_positions = np.column_stack([places, -rows]).astype(float)

    def __repr__(self) -> str:
        name = type(self.env.unwrapped).__name__ if self.spec is None else self.spec.id
        return f"{type(self).__name__}({name}, {self.n_states} states, {self.n_actions} actions)"

    __str__ = __repr__

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        """Start an episode of the environment; returns its state, from 0, and its info.

        Raises
        ------
        ValueError
            If it begins where the model has no start, without having been asked to by ``options``.
        """
        begun = self.env.reset(seed=seed, options=options)
        observation, info = require_answer("the environment's reset", begun, 2)
        self.state = self._state(observation)
        self._place = self._own_place()
        if options is None:
            require_start(self, self.state)
        return self.state, info

    def step(self, action: int):
        """Step the environment; an end is reported as a terminal state of the model.

        Raises
        ------
        ValueError
            If there is no such action, or the step is none that the model knows.
        """
        action = require_index("action", action, self.n_actions)
        left_alone = self._own_place() is self._place  # not put elsewhere by hand
        before = self.state if left_alone else None
        answer = self.env.step(action + self._first_action)
        answer = require_answer("the environment's step", answer, 5)
        observation, reward, terminated, truncated, info = answer
        state = self._state(observation)
        reward = require_finite("the environment's reward", reward)
        terminated = require_bool("the environment's terminated", terminated)
        truncated = require_bool("the environment's truncated", truncated)
        if terminated and state not in self._ends:
            if self.n_states == self._n_listed:
                raise ValueError(
                    f"the environment ended in state {observation}, where its table env.P has no "
                    "end"
                )
            state = self.terminal_states[-1]
        outcome = before, action, state, reward
        is_held = self._is_held_to_table and before is not None
        if is_held and outcome not in self._outcomes_found:
            require_listed(self, *outcome)
            self._outcomes_found.add(outcome)  # and need not be looked up again
        self.state, self._place = state, self._own_place()
        return state, reward, terminated, truncated, info

    def render(self):
        """What the environment renders; where it has no ``render_mode``, as our own worlds."""
        return TabularEnvironment.render(self) if self.render_mode is None else self.env.render()

    def _own_place(self) -> object:
        """Where the environment itself takes itself to be, where it keeps that as usual."""
        inside = self.env.unwrapped
        return getattr(inside, "s", getattr(inside, "state", None))

    def _state(self, observation) -> int:
        """The state, from 0, behind an observation; an error if it is none of the space."""
        name, first = "the environment's observation", self._first_state
        return require_index(name, observation, self._n_listed, first) - first

    def _read_start_distribution(self) -> None:
        distribution = getattr(self.env.unwrapped, "initial_state_distrib", None)
        self.initial_states = self.initial_probabilities = None
        if distribution is not None:
            name = "env.initial_state_distrib"
            distribution = require_distribution(name, distribution, self._n_listed)
            self.initial_states = np.flatnonzero(distribution)
            self.initial_probabilities = distribution[self.initial_states]

    def _read_table(self, n_listed: int) -> None:
        """Set the model and the terminal states."""
        known = known_world(self.env)
        published = published_table(self.env) if known is None else None
        self._is_held_to_table = published is not None
        if known is not None:
            self.initial_states = known.initial_states
            self.initial_probabilities = known.initial_probabilities
            self.n_states, self.terminal_states = known.n_states, known.terminal_states
            self._take(OutcomeTable.of_world(known))
            return
        if published is None:
            self.n_states = n_listed + 1
            self.terminal_states = (n_listed,)
            self.model = self.successor_rewards = None
            self.outcome_states = self.outcome_probabilities = None
            self.outcome_rewards = self.reward_deviations = None
            return

        listed_at = partial(
            row_of, published, n_states=n_listed, starts=(self._first_state, self._first_action)
        )
        transitions = [
            (state, next_state, reward, done)
            for state in range(n_listed)
            for action in range(self.n_actions)
            for probability, next_state, reward, done in listed_at(state, action)
            if probability > 0
        ]
        starts = None if self.initial_states is None else self.initial_states.tolist()
        ends, extra = ends_of(transitions, starts)
        self.n_states = n_listed + extra
        self.terminal_states = (*sorted(ends), n_listed) if extra else tuple(sorted(ends))

        def outcomes(state: int, action: int) -> Iterator[Outcome]:
            for probability, next_state, reward, done in listed_at(state, action):
                end = n_listed if done and next_state not in ends else next_state
                yield Outcome(probability, end, reward)

        absorbing = set(self.terminal_states)
        self._take(OutcomeTable.of(outcomes, self.n_states, self.n_actions, absorbing))

    def _take(self, table: OutcomeTable) -> None:
        self.outcome_states = table.next_states
        self.outcome_probabilities = table.probabilities
        self.outcome_rewards = table.rewards
        self.reward_deviations = table.deviations
        self.model = table.model(self.terminal_states)
        self.successor_rewards = table.successor_rewards(self.model)


def ends_of(transitions: list[tuple], starts: list[int] | None) -> tuple[set[int], bool]:
    """The terminal states among those of a table, and whether there is to be an extra one.

    - A state that is only ever entered with the flag set is terminal, whatever its own rows say.
    - A state that is also entered without it (or is a start state) keeps its rows, and the flagged
      transitions lead to one extra terminal state, number S, instead (Taxi needs this). Where no
      start distribution is published, each state whose rows lead elsewhere or pay may be a start.

    A transition is (state, next state, reward, done).
    """
    entered_at_the_end = {after for _, after, _, done in transitions if done}
    # A state that loops to itself is not thereby entered from anywhere.
    entered = {after for state, after, _, done in transitions if not done and after != state}
    if starts is None:
        starts = [state for state, after, reward, _ in transitions if after != state or reward != 0]
    keep_their_rows = entered.union(starts)
    return entered_at_the_end - keep_their_rows, bool(entered_at_the_end & keep_their_rows)


def require_discrete(env: gymnasium.Env) -> None:
    """Raise ``ValueError`` if an environment has other states or actions than numbered ones."""
    if isinstance(env, TabularEnvironment) and not hasattr(env, "model"):
        raise ValueError(
            f"{type(env).__name__}.__init__ must call super().__init__, which makes its table"
        )
    for name in ("observation_space", "action_space"):
        space = getattr(env, name, None)
        if not isinstance(space, gymnasium.spaces.Discrete):
            raise ValueError(f"env.{name} must be Discrete, got {shown(space)}")


def require_answer(what: str, answer, n_parts: int) -> tuple:
    """Return the tuple that a method of a world returned, or raise ``ValueError``."""
    if isinstance(answer, tuple) and len(answer) == n_parts:
        return answer
    raise ValueError(
        f"{what} must return a tuple of {n_parts}, as Gymnasium has it, got {shown(answer)}"
    )
