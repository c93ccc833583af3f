"""Every world of this package is a table, and this is the environment that plays a table.

A world says, for each state and action, what can happen (`TabularEnvironment.outcomes`).
From that follow both the exact Markov decision process, ``env.model``, and ``env.step``.

The draws of a step, in this order and no others:

1. which outcome, only if the row lists more than one: with one uniform number u, the first k
   with u < p_0 + ... + p_k (added up from left to right; the last outcome if rounding leaves u
   above them all);
2. its reward noise, only if its deviation is above 0: one standard normal number z, and the
   reward is mean + deviation * z.

`reset` draws the start state by rule 1. A compiled engine relies on this order to live through
the very same luck.
"""

import itertools
from collections.abc import Iterable, Sequence

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded

from eubrl_edu.environments.outcomes import Outcome, OutcomeTable
from eubrl_edu.names import require_text
from eubrl_edu.validation import (
    listed,
    require_distribution,
    require_index,
    require_positive_int,
    require_reals,
    require_sizes,
    require_states,
    shown,
)


class TabularEnvironment(gymnasium.Env):
    """A Gymnasium environment given by a table of outcomes.

    A subclass implements `outcomes` and, if its layout is not a line, sets `state_positions`.
    What it passes to the constructor becomes the attributes of the same name.

    Parameters
    ----------
    n_states, n_actions : int
        S and A.
    initial_states : sequence of int
        Where an episode can start.
    initial_probabilities : sequence of float, optional
        How likely each of them is; by default equally.
    terminal_states : sequence of int
        States that end an episode: absorbing and without reward in the model.
    max_episode_steps : int, optional
        An episode is truncated after this many steps; by default never.
    action_names, state_names : sequence of str, optional
        For axes and readouts; by default "0", "1", ...
    state_positions : (S, 2) array, optional
        Where to draw each state, x to the right and y upwards; by default on a line.

    Raises
    ------
    ValueError
        If an argument is out of its range, or an outcome is none.
    TypeError
        If a subclass has no `outcomes`.

    Attributes
    ----------
    model : MDP
        The exact Markov decision process: expected rewards (S, A), no background.
    successor_rewards : (S, A, K') array
        Mean reward of each of ``model.successors``; 0 in unused places.
    outcome_states, outcome_probabilities, outcome_rewards, reward_deviations : (S, A, K) arrays
        What `step` draws from. Only where one next state comes with several rewards (the
        bandit) does this list differ from the model's successors.
    state : int or None
        The current state; None before the first `reset`.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}
    render_mode = "rgb_array"

    def __init__(
        self,
        n_states: int,
        n_actions: int,
        *,
        initial_states: Sequence[int] = (0,),
        initial_probabilities: Sequence[float] | None = None,
        terminal_states: Sequence[int] = (),
        max_episode_steps: int | None = None,
        action_names: Sequence[str] | None = None,
        state_names: Sequence[str] | None = None,
        state_positions: np.ndarray | None = None,
    ):
        n_states, n_actions = require_sizes(n_states, n_actions)
        self.n_states, self.n_actions = n_states, n_actions
        self.observation_space = gymnasium.spaces.Discrete(n_states)
        self.action_space = gymnasium.spaces.Discrete(n_actions)
        self.terminal_states = require_states("terminal_states", terminal_states, n_states)
        if max_episode_steps is not None:
            max_episode_steps = require_positive_int("max_episode_steps", max_episode_steps)
        self.max_episode_steps = max_episode_steps
        self.action_names = _names("action_names", action_names, n_actions)
        self.state_names = _names("state_names", state_names, n_states)
        if state_positions is None:
            state_positions = np.column_stack([np.arange(n_states), np.zeros(n_states)])
        self.state_positions = require_reals("state_positions", state_positions)
        if self.state_positions.shape != (n_states, 2):
            raise ValueError(
                f"state_positions must have shape ({n_states}, 2), got {self.state_positions.shape}"
            )
        starts = require_states("initial_states", initial_states, n_states)
        if not starts or set(starts) & set(self.terminal_states):
            said = f"got {initial_states!r}; terminal are {self.terminal_states}"
            raise ValueError(f"initial_states must name a state, and none that is terminal, {said}")
        if initial_probabilities is None:
            initial_probabilities = np.full(len(starts), 1 / len(starts))
        self.initial_states = np.array(starts, dtype=np.int64)
        self.initial_probabilities = require_distribution(
            "initial_probabilities", initial_probabilities, len(starts)
        )

        ends = set(self.terminal_states)
        table = OutcomeTable.of(self.outcomes, n_states, n_actions, ends)
        self.outcome_states = table.next_states
        self.outcome_probabilities = table.probabilities
        self.outcome_rewards = table.rewards
        self.reward_deviations = table.deviations
        self.model = table.model(self.terminal_states)
        self.successor_rewards = table.successor_rewards(self.model)

        # Plain Python numbers: indexing an array costs more than the whole step.
        self._rows = table.as_lists()
        self._start_row = list(itertools.accumulate(self.initial_probabilities.tolist()))
        self._ends = ends
        self.state: int | None = None
        self._steps = 0
        self._episode_over = True

    def __repr__(self) -> str:
        if not hasattr(self, "model"):
            return f"{type(self).__name__}(without a table)"
        names = [name for name in ("size", "stochastic") if hasattr(self, name)]
        chosen = "".join(f"{name}={getattr(self, name)!r}, " for name in names)
        return f"{type(self).__name__}({chosen}{self.n_states} states, {self.n_actions} actions)"

    __str__ = __repr__

    def outcomes(self, state: int, action: int) -> Iterable[Outcome]:
        """What can happen when ``action`` is taken in ``state``, which is not terminal.

        Parameters
        ----------
        state, action : int
            From 0 to S - 1 and 0 to A - 1.

        Returns
        -------
        iterable of Outcome
            Their probabilities sum to one. Their order fixes which luck brings which outcome.
        """
        raise TypeError(f"{type(self).__name__} must define outcomes(state, action)")

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        """Start an episode.

        Parameters
        ----------
        seed : int, optional
            Seeds the dynamics (which outcome, which noise). It never changes the world itself.
        options : dict, optional
            Accepted because Gymnasium's interface has it; no world of this package has any.

        Returns
        -------
        state : int
        info : dict
            Empty.
        """
        if seed is not None:
            seed = require_positive_int("seed", seed, at_least=0)
        super().reset(seed=seed)
        self.state = int(self.initial_states[self._draw(self._start_row)])
        self._steps = 0
        self._episode_over = False
        return self.state, {}

    def step(self, action: int):
        """Take an action; the module's docstring says which random numbers that draws.

        Parameters
        ----------
        action : int
            From 0 to A - 1.

        Returns
        -------
        state : int
        reward : float
        terminated : bool
            Whether ``state`` is terminal.
        truncated : bool
            Whether `max_episode_steps` is reached in a state that is not terminal.
        info : dict
            Empty.

        Raises
        ------
        ValueError
            If there is no such action.
        gymnasium.error.ResetNeeded
            Before the first `reset`, and after the end of an episode.
        """
        if self._episode_over:
            raise ResetNeeded("the episode is over (or has not begun): call reset() before step()")
        action = require_index("action", action, self.n_actions)
        cumulative, next_states, rewards, deviations = self._rows[self.state][action]
        k = self._draw(cumulative)
        reward = rewards[k]
        if deviations[k] > 0:
            reward += deviations[k] * self.np_random.standard_normal()
        self.state = next_states[k]
        self._steps += 1
        terminated = self.state in self._ends
        truncated = not terminated and self._steps == self.max_episode_steps
        self._episode_over = terminated or truncated
        return self.state, reward, terminated, truncated, {}

    def render(self) -> np.ndarray:
        """The world with the agent where it is, as Gymnasium's ``"rgb_array"``.

        Returns
        -------
        (height, width, 3) array of uint8

        Raises
        ------
        gymnasium.error.ResetNeeded
            Before the first `reset`.
        """
        if self.state is None:
            raise ResetNeeded("there is nothing to see yet: call reset() before render()")
        from eubrl_edu.plotting.rendering import pixels_of

        return pixels_of(self, self.state)

    def _repr_png_(self) -> bytes:
        from eubrl_edu.plotting.rendering import png_of

        start = int(self.initial_states[0])
        return png_of(self, start if self.state is None else self.state)

    def _draw(self, cumulative: list[float]) -> int:
        """Index of an outcome by inverse CDF; no random number where there is no choice."""
        if len(cumulative) == 1:
            return 0
        uniform = self.np_random.random()
        for k, bound in enumerate(cumulative):
            if uniform < bound:
                return k
        return len(cumulative) - 1


def _names(name: str, names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """As many names as are needed; the numbers where there are none."""
    if names is None:
        return tuple(map(str, range(count)))
    taken = listed(names, count)
    if taken is None or len(taken) != count:
        raise ValueError(f"{name} must be {count} names, got {shown(names)}")
    return tuple(require_text(name, each) for each in taken)
