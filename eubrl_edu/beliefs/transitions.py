"""Dirichlet beliefs over the transition probabilities P(.|s, a).

The posterior of a pair that was visited n times, n_k times with outcome k, is again a Dirichlet
distribution, with parameters α_k + n_k. Its mean is the paper's posterior predictive P_b.

A belief describes the Dirichlet of one pair, or of all pairs at once, as `DirichletParameters`.
Formulas (see ``uncertainty``) are written on that description, with a loop over the outcomes k.
They run unchanged on floats (one pair) and on (S, A) arrays (every pair), and give the same bits.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import NamedTuple

import numpy as np

from eubrl_edu.beliefs.successors import SuccessorTable, widen
from eubrl_edu.validation import MOST_STEPS, require_above, require_positive_int


class DirichletParameters(NamedTuple):
    """A Dirichlet over next states: a few listed ones, and the rest that all look alike.

    Every number is a float for one pair, or an (S, A) array for all pairs.

    Attributes
    ----------
    counts : sequence
        n_k of each listed next state: what its parameter has beyond ``alpha``.
    listed : sequence
        α_k + n_k of each listed next state; 0 where a row has fewer.
    others : sequence
        α_0 + n − α_k − n_k of each listed next state: all the parameters but its own.
    total : float or array
        α_0 + n, the sum of all parameters.
    alpha : float
        Parameter of every next state that is not listed.
    n_unlisted : int or array
        How many next states are not listed.
    """

    counts: Sequence
    listed: Sequence
    others: Sequence
    total: float | np.ndarray
    alpha: float
    n_unlisted: int | np.ndarray


def outcome_parameters(alpha, n_states, visits, count):
    """α + n_k, the Dirichlet parameter of a next state, and α(S − 1) + n − n_k, of all others."""
    return alpha + count, alpha * (n_states - 1) + (visits - count)


def total_parameter(alpha, n_states, visits):
    """α_0 + n = αS + n, the sum of the Dirichlet parameters of a pair."""
    return alpha * n_states + visits


def at_borders(left, stay, right, first, last):
    """Add up, at both ends of a chain, what two displacements that lead to the same state have.

    Places 0 and 1 of the first state are the same next state, and so are 1 and 2 of the last:
    what cannot move stays. The first place gets both, the second nothing.

    Parameters
    ----------
    left, stay, right : (A,) arrays, or floats
        Dirichlet parameters or probabilities of the displacements −1, 0 and +1.
    first, last : (S, 1) arrays, or bool
        Whether a state is the first, or the last.

    Returns
    -------
    tuple of three (S, A) arrays, or floats
    """
    return left + first * stay, (1.0 - first) * (stay + last * right), (1.0 - last) * right


def tied_parameters(alpha, left, stay, right, first, last) -> DirichletParameters:
    """The Dirichlet under a tied prior, for `at_borders` of α + n_d of each displacement d."""
    listed = at_borders(alpha + left, alpha + stay, alpha + right, first, last)
    left, stay, right = listed
    others = (stay + right, left + right, left + stay)
    return DirichletParameters(listed, listed, others, left + stay + right, 0.0, 0)


def displacement(state, next_state, n_states):
    """Whether a step tells its displacement, which it does not from a border; and s' − s + 1."""
    return 0 < state < n_states - 1, next_state - state + 1


class TransitionBelief:
    """What the beliefs over transitions have in common: listed next states, visits, a prior.

    Subclasses define ``prepare``, ``count``, ``parameters`` and ``all_parameters``.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    alpha : float
        Prior pseudo-count, above 0.
    """

    # How often something was told here, past a `Belief`, whose tables are then made anew.
    edits = 0

    def __init__(self, n_states: int, n_actions: int, alpha: float):
        self.table = SuccessorTable(n_states, n_actions)
        self.n_states, self.n_actions = self.table.n_states, self.table.n_actions
        self.alpha = require_above("alpha", alpha, 0)
        self.visits = np.zeros((self.n_states, self.n_actions))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n_states}, {self.n_actions}, alpha={self.alpha:g})"

    def check(self, state: int, action: int, next_state: int) -> tuple[int, int, int]:
        """Return a transition as ints, or raise ``ValueError`` if one of them is out of range."""
        return self.table.check(state, action, next_state)

    def update(self, state: int, action: int, next_state: int, times: int = 1) -> int:
        """Count an observed transition, n(s,a,s') += times, and return the outcome k of s'.

        Raises
        ------
        ValueError
            If a state or action is out of range, or ``times`` is no integer from 0 on.
        """
        times = require_positive_int("times", times, at_least=0, at_most=MOST_STEPS)
        transition = self.check(state, action, next_state)
        self.edits += 1  # who keeps tables of this belief makes them anew
        return self.count(*transition, times)

    def copy(self) -> "TransitionBelief":
        """An independent copy."""
        return deepcopy(self)


class DirichletTransitions(TransitionBelief):
    r"""Independent symmetric Dirichlet beliefs, one for each pair.

    .. math:: P(\cdot|s,a) \sim \mathrm{Dir}(\alpha \mathbf 1), \qquad
              P_b(s'|s,a) = \frac{\alpha + n(s,a,s')}{\alpha S + n(s,a)}

    (the paper, "Posterior Predictive: Transition").

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    alpha : float
        Prior pseudo-count of every next state, above 0.

    Raises
    ------
    ValueError
        If a size is not a positive integer or ``alpha`` is not positive.
    """

    tied = False

    def __init__(self, n_states: int, n_actions: int, alpha: float = 1.0):
        super().__init__(n_states, n_actions, alpha)
        self.counts = np.zeros(self.table.successors.shape)

    @property
    def prior_total(self) -> float:
        """Sum of the prior parameters of a pair, 1ᵀα."""
        return self.alpha * self.n_states

    def prepare(self, state: int, action: int, next_state: int) -> int:
        """List ``next_state`` without observing it, and return its outcome k."""
        transition = self.check(state, action, next_state)
        self.edits += 1
        return self._list(*transition)

    def _list(self, state, action, next_state):
        outcome = self.table.outcome(state, action, next_state)
        if outcome >= self.counts.shape[-1]:
            self.counts = widen(self.counts, self.table.width, 0.0)
        return outcome

    def count(self, state: int, action: int, next_state: int, times: int = 1) -> int:
        """`update` for a transition that `check` returned."""
        outcome = self._list(state, action, next_state)
        self.counts[state, action, outcome] += times
        self.visits[state, action] += times
        return outcome

    def parameters(self, state: int, action: int) -> DirichletParameters:
        """The posterior Dirichlet of one pair, in floats; an error if there is no such pair."""
        state, action = self.table.check_pair(state, action)
        n_listed = self.table.listed.item(state, action)
        visits = self.visits.item(state, action)
        counts = self.counts[state, action].tolist()[:n_listed]
        prior = self.alpha, self.n_states
        both = [outcome_parameters(*prior, visits, count) for count in counts]
        return DirichletParameters(
            counts=counts,
            listed=[own for own, _ in both],
            others=[others for _, others in both],
            total=total_parameter(*prior, visits),
            alpha=self.alpha,
            n_unlisted=self.n_states - n_listed,
        )

    def all_parameters(self) -> DirichletParameters:
        """The posterior Dirichlets of all pairs, in (S, A) arrays."""
        counts = [self.counts[..., k] for k in range(self.counts.shape[-1])]
        prior = self.alpha, self.n_states
        both = [outcome_parameters(*prior, self.visits, count) for count in counts]
        return DirichletParameters(
            counts=counts,
            listed=[(k < self.table.listed) * own for k, (own, _) in enumerate(both)],
            others=[others for _, others in both],
            total=total_parameter(*prior, self.visits),
            alpha=self.alpha,
            n_unlisted=self.n_states - self.table.listed,
        )


class TiedDirichletTransitions(TransitionBelief):
    r"""One Dirichlet for each action over the displacements −1, 0, +1, shared by all states.

    .. math:: d \sim \mathrm{Categorical}(p_a), \quad p_a \sim \mathrm{Dir}(\alpha \mathbf 1_3),
              \qquad s' = \min(\max(s + d, 0), S - 1)

    (the paper, "Prior Selection": a *tied* prior, for worlds in which a step looks alike
    everywhere). A displacement that would leave the chain stays at the border. At a border,
    staying does not tell −1 (or +1) from 0, so transitions from there are not counted.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S, at least 2, and actions A.
    alpha : float
        Prior pseudo-count of every displacement, above 0.

    Raises
    ------
    ValueError
        If a size is not a positive integer or ``alpha`` is not positive.
    """

    tied = True

    def __init__(self, n_states: int, n_actions: int, alpha: float = 1.0):
        super().__init__(require_positive_int("n_states", n_states, 2), n_actions, alpha)
        self.displacement_counts = np.zeros((self.n_actions, 3))
        reached = np.arange(self.n_states)[:, None] + np.array([-1, 0, 1])
        reached = np.clip(reached, 0, self.n_states - 1)
        self.table.successors = np.repeat(reached[:, None, :], self.n_actions, axis=1)
        self.table.listed[:] = 3

    @property
    def prior_total(self) -> float:
        """Sum of the prior parameters of a pair, 1ᵀα."""
        return self.alpha * 3

    def check(self, state: int, action: int, next_state: int) -> tuple[int, int, int]:
        """Return a transition as ints, or raise ``ValueError`` if it jumps or is out of range."""
        state, action, next_state = self.table.check(state, action, next_state)
        if abs(next_state - state) > 1:
            raise ValueError(
                "next_state must be within one step of state under a tied prior, "
                f"got state {state} and next_state {next_state}"
            )
        return state, action, next_state

    def prepare(self, state: int, action: int, next_state: int) -> int:
        """Return the outcome k of ``next_state``."""
        return self.table.outcome(*self.check(state, action, next_state))

    def count(self, state: int, action: int, next_state: int, times: int = 1) -> int:
        """`update` for a transition that `check` returned."""
        self.visits[state, action] += times
        is_told, place = displacement(state, next_state, self.n_states)
        self.displacement_counts[action, place] += is_told * times
        return self.table.outcome(state, action, next_state)

    def borders(self) -> tuple[np.ndarray, np.ndarray]:
        """Which states are the first and which the last, two (S, 1) arrays."""
        states = np.arange(self.n_states)[:, None]
        return states == 0, states == self.n_states - 1

    def all_parameters(self) -> DirichletParameters:
        """The posterior Dirichlets over next states of all pairs, in (S, A) arrays."""
        return tied_parameters(self.alpha, *self.displacement_counts.T, *self.borders())

    def parameters(self, state: int, action: int) -> DirichletParameters:
        """The posterior Dirichlet over next states of one pair, in floats; an error if none is."""
        state, action = self.table.check_pair(state, action)
        counts = self.displacement_counts[action].tolist()
        return tied_parameters(self.alpha, *counts, state == 0, state == self.n_states - 1)
