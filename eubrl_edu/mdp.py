"""The one Markov decision process type: a few successors per row, plus a uniform background.

A world's exact model and an agent's posterior mean have the same shape. From state ``s``,
action ``a`` leads to a few *listed* successors with probabilities of their own, and to every
state (the listed ones included) with one small probability more, the *background*:

    P(s' | s, a) = sum_k weights[s, a, k] * 1[s' = successors[s, a, k]]  +  background[s, a]

A world has no background. A symmetric Dirichlet posterior has: its mean is
(α + n(s, a, s')) / (αS + n(s, a)), so ``weights`` holds n(s, a, s') / (αS + n(s, a)) for the
successors seen so far and ``background`` holds α / (αS + n(s, a)). That costs memory for what
was observed, not for S² pairs of states; nothing in this package ever needs the dense array.
"""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.validation import (
    MOST_VALUES,
    SUM_TOLERANCE,
    are_distributions,
    require_indices,
    require_reals,
    require_sizes,
    require_states,
    shown,
)

FIELDS = ("successors", "weights", "background", "rewards", "terminal_states")


@dataclass(frozen=True, eq=False)
class MDP:
    """A finite Markov decision process with sparse rows and a uniform background.

    Parameters
    ----------
    successors : (S, A, K) integer array
        The listed successors of each pair; unused places hold any state with weight 0.
    weights : (S, A, K) array
        Probability of each listed successor, beyond the background.
    background : (S, A) array
        Probability that every one of the S states receives on top.
    rewards : (S, A) array
        Expected reward r(s, a) of each pair.
    terminal_states : tuple of int
        States that end an episode; their rows must be absorbing and pay nothing.

    Raises
    ------
    ValueError
        If the shapes do not fit, a number is not finite, a successor or a terminal state is no
        state, a terminal state's row leads elsewhere or pays, or a row is not a probability
        distribution: its numbers are at least 0 and, with S times the background, sum to 1 up to
        1e-9.
    """

    successors: np.ndarray
    weights: np.ndarray
    background: np.ndarray
    rewards: np.ndarray
    terminal_states: tuple[int, ...] = ()

    def __post_init__(self):
        rewards = require_reals("rewards", self.rewards)
        shape = rewards.shape
        weights = require_reals("weights", self.weights, finite=False)
        background = require_reals("background", self.background, finite=False)
        if rewards.ndim != 2:
            raise ValueError(f"rewards must have shape (S, A), got {shape}")
        if not _fit(weights.shape, weights.shape, background.shape, shape):
            raise ValueError(
                "weights must have shape (S, A, K), background and rewards (S, A), "
                f"got {weights.shape}, {background.shape} and {shape}"
            )
        require_sizes(*shape)
        successors = require_indices("successors", self.successors, len(rewards))
        if successors.shape != weights.shape:
            raise ValueError(
                f"successors must have the shape of weights, {weights.shape}, "
                f"got {successors.shape}"
            )
        improper = (background < 0) | ~are_distributions(weights, 1 - len(rewards) * background)
        if improper.any():
            state, action = map(int, np.argwhere(improper)[0])
            raise ValueError(
                "weights and S times background must be one probability distribution for each "
                f"state and action, up to {SUM_TOLERANCE:g}, got {weights[state, action]} and "
                f"{len(rewards)} times {background[state, action]:g} for state {state}, "
                f"action {action}"
            )
        ends = require_states("terminal_states", self.terminal_states, len(rewards))
        last = np.array(ends, dtype=np.int64)
        to_itself = weights[last] * (successors[last] == last[:, None, None])
        goes_on = to_itself.sum(axis=-1) + background[last] < 1 - SUM_TOLERANCE
        wrong = (goes_on | (rewards[last] != 0)).any(axis=1)
        if wrong.any():
            raise ValueError(
                "terminal_states must be states that lead to themselves and pay nothing, got "
                f"{ends[int(np.argmax(wrong))]}, which does not"
            )
        self.__dict__.update(
            zip(FIELDS, (successors, weights, background, rewards, ends), strict=True)
        )

    def __repr__(self) -> str:
        ends = f", terminal states {self.terminal_states}" if self.terminal_states else ""
        return f"MDP({self.n_states} states, {self.n_actions} actions{ends})"

    @property
    def n_states(self) -> int:
        """Number of states S."""
        return self.rewards.shape[0]

    @property
    def n_actions(self) -> int:
        """Number of actions A."""
        return self.rewards.shape[1]

    def expected(self, values: np.ndarray) -> np.ndarray:
        """Expected value of the next state, (PV)(s, a) = sum_s' P(s'|s,a) V(s').

        Parameters
        ----------
        values : (S,) array
            A value for every state.

        Returns
        -------
        (S, A) array
        """
        values = require_reals("values", values)
        if values.shape != (self.n_states,):
            raise ValueError(f"values must have shape ({self.n_states},), got {values.shape}")
        result = self.background * values.sum()
        for k in range(self.successors.shape[-1]):
            result = result + self.weights[..., k] * values[self.successors[..., k]]
        return result

    def transition_matrix(self) -> np.ndarray:
        """The dense array P(s'|s,a), shape (S, A, S): for a look at small problems only.

        Raises
        ------
        ValueError
            If it would hold more than a hundred million numbers.
        """
        if self.rewards.size * self.n_states > MOST_VALUES:
            raise ValueError(
                f"n_states squared times n_actions must be at most {MOST_VALUES:,} for a dense "
                f"transition matrix, got {self.n_states} squared times {self.n_actions}"
            )
        dense = np.repeat(self.background[..., None], self.n_states, axis=-1)
        states, actions = np.ogrid[: self.n_states, : self.n_actions]
        for k in range(self.successors.shape[-1]):
            np.add.at(dense, (states, actions, self.successors[..., k]), self.weights[..., k])
        return dense

    @classmethod
    def unchecked(cls, *tables) -> "MDP":
        """An MDP of the same arguments without a check, for the plans that an agent makes."""
        mdp = object.__new__(cls)
        mdp.__dict__.update(zip(FIELDS, tables, strict=True))
        return mdp

    @classmethod
    def from_dense(
        cls, transitions: np.ndarray, rewards: np.ndarray, terminal_states: tuple[int, ...] = ()
    ) -> "MDP":
        """Build the sparse form of a dense model.

        Parameters
        ----------
        transitions : (S, A, S) array
            P(s'|s,a); every row sums to one, up to 1e-9.
        rewards : (S, A) array
            Expected rewards.
        terminal_states : tuple of int
            States that end an episode.

        Raises
        ------
        ValueError
            If the shapes do not fit, or a row of ``transitions`` is not a probability
            distribution.
        """
        transitions = require_reals("transitions", transitions, finite=False)
        rewards = require_reals("rewards", rewards)
        if rewards.ndim != 2 or transitions.shape != (*rewards.shape, len(rewards)):
            raise ValueError(
                "transitions must have shape (S, A, S) and rewards (S, A), "
                f"got {transitions.shape} and {rewards.shape}"
            )
        improper = ~are_distributions(transitions)
        if improper.any():
            state, action = map(int, np.argwhere(improper)[0])
            raise ValueError(
                "transitions must hold one probability distribution for each state and action, "
                f"up to {SUM_TOLERANCE:g}, got {transitions[state, action]} for state {state}, "
                f"action {action}"
            )
        most = max(1, int((transitions > 0).sum(axis=-1).max()))
        successors = np.argsort(-transitions, axis=-1, kind="stable")[..., :most]
        weights = np.take_along_axis(transitions, successors, axis=-1)
        return cls(successors, weights, np.zeros_like(rewards), rewards, terminal_states)


def _fit(successors: tuple, weights: tuple, background: tuple, rewards: tuple) -> bool:
    """Whether shapes are (S, A, K) and (S, A, K), (S, A) and (S, A)."""
    rows_fit = successors == weights and len(weights) == 3 and weights[:2] == rewards
    return rows_fit and background == rewards


def make_absorbing(model: MDP) -> MDP:
    """Let the terminal states of a model lead to themselves and pay nothing; in its own arrays."""
    for state in model.terminal_states:
        model.successors[state, :, 0] = state
        model.weights[state] = 0.0
        model.weights[state, :, 0] = 1.0
        model.background[state] = 0.0
        model.rewards[state] = 0.0
    return model


def require_mdp(mdp) -> MDP:
    """Return ``mdp`` if it is an `MDP`, or raise ``ValueError`` with where a world has its own."""
    if isinstance(mdp, MDP):
        shapes = [getattr(getattr(mdp, name), "shape", ()) for name in FIELDS[:4]]
        if not _fit(*shapes) or 0 in shapes[-1]:
            raise ValueError(
                "successors, weights, background and rewards of mdp must keep the shapes that they "
                f"were made with, got {', '.join(map(str, shapes))}"
            )
        return mdp
    hint = "; a world's is env.model" if isinstance(getattr(mdp, "model", None), MDP) else ""
    raise ValueError(f"mdp must be an eubrl_edu.MDP{hint}, got {shown(mdp)}")
