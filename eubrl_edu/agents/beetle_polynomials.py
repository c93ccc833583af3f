"""BEETLE's representation: unknown probabilities, monomials of them, and their expectations.

Everything unknown about a world is a vector θ of probabilities. The belief about it is a product
of Dirichlets with parameters n (prior pseudo-counts plus observations), one for each *simplex*, a
group of probabilities that sum to one. A history of observations has the probability

    θ_1^{m_1} θ_2^{m_2} ⋯    where m_j counts how often the outcome with probability θ_j was seen,

a *monomial*. Its expectation under the belief is known in closed form, and BEETLE needs no other
integral: values of plans are polynomials in θ, sums of such monomials.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import gammaln

from eubrl_edu.mdp import MDP
from eubrl_edu.validation import (
    LARGEST,
    require_between,
    require_index,
    require_indices,
    require_reals,
    require_states,
    shown,
)

LARGEST_WORLD = 500


@dataclass(frozen=True, eq=False)
class UnknownDynamics:
    """What is known of a world (where outcomes lead, what they pay) and which θ_j is unknown.

    `independent` and `shared` make the two kinds in use.

    Parameters
    ----------
    next_states : (S, A, K) integer array
        The state that outcome k of (s, a) leads to; those of one pair differ.
    rewards : (S, A, K) array
        What the outcome pays.
    unknown : (S, A, K) integer array
        The j of the outcome's probability θ_j. The outcomes of a pair are those of one simplex.
    simplex : (J,) integer array
        The number of the simplex that each θ_j belongs to, from 0 on.
    terminal_states : tuple of int
        States known to end an episode.

    Raises
    ------
    ValueError
        If two outcomes of a pair lead to the same state, a number is not finite or out of range,
        every state is terminal, the probabilities of a pair are not all those of one simplex, or
        there are none or more than 500 outcomes in all: BEETLE is for small worlds.
    """

    next_states: np.ndarray
    rewards: np.ndarray
    unknown: np.ndarray
    simplex: np.ndarray
    terminal_states: tuple[int, ...] = ()

    def __post_init__(self):
        # What the checks return is kept: arrays of the same kinds of number, which are compared.
        next_states, rewards = _tables("next_states", self.next_states, self.rewards)
        _require_small(*rewards.shape)
        require_between("rewards", rewards, -LARGEST, LARGEST)
        unknown, simplex = _probabilities(self.unknown, self.simplex, rewards.shape)
        ends = require_states("terminal_states", self.terminal_states, len(rewards))
        if len(set(ends)) == len(rewards):
            raise ValueError(f"terminal_states must leave a state to act in, got {shown(ends)}")
        vars(self).update(next_states=next_states, rewards=rewards, terminal_states=ends)
        vars(self).update(unknown=unknown, simplex=simplex)
        for state, action in np.ndindex(self.rewards.shape[:2]):
            reached = self.next_states[state, action].tolist()
            if len(set(reached)) < len(reached):
                raise ValueError(
                    "next_states must differ among the outcomes of a pair, so that what was seen "
                    f"tells which it was; got {reached} for state {state}, action {action}"
                )

    @classmethod
    def independent(
        cls, successors: np.ndarray, rewards: np.ndarray, terminal_states=()
    ) -> "UnknownDynamics":
        """The *full* model: θ_j = P(s'|s,a) for every s', one simplex for each pair.

        Parameters
        ----------
        successors, rewards : (S, A, K) arrays
            The rewards that are known, and the next states that they come with, as
            `KnownRewards` takes them; any other transition pays 0.
        terminal_states : iterable of int
            States known to end an episode.
        """
        successors, rewards = _tables("successors", successors, rewards)
        n_states, n_actions, _ = rewards.shape
        _require_small(n_states, n_actions, n_states)
        shape = (n_states, n_actions, n_states)
        paid = np.zeros(shape)
        states, actions = np.ogrid[:n_states, :n_actions]
        np.add.at(paid, (states[..., None], actions[..., None], successors), rewards)
        return cls(
            next_states=np.broadcast_to(np.arange(n_states), shape),
            rewards=paid,
            unknown=np.arange(paid.size).reshape(shape),
            simplex=np.repeat(np.arange(n_states * n_actions), n_states),
            terminal_states=terminal_states,
        )

    @classmethod
    def shared(
        cls, next_states: np.ndarray, rewards: np.ndarray, terminal_states=()
    ) -> "UnknownDynamics":
        """The *tied* model: outcome k has the same probability θ_k wherever one acts.

        On Chain, k = 0 is the action's own effect and k = 1 the slip: one unknown in all.

        Parameters
        ----------
        next_states : (S, A, K) integer array
            Where each outcome leads.
        rewards : (S, A, K) array
            What it pays.
        terminal_states : iterable of int
            States known to end an episode.
        """
        next_states, rewards = _tables("next_states", next_states, rewards)
        n_outcomes = rewards.shape[-1]
        unknown = np.broadcast_to(np.arange(n_outcomes), rewards.shape)
        simplex = np.zeros(n_outcomes, dtype=np.int64)
        return cls(next_states, rewards, unknown, simplex, terminal_states)

    def __eq__(self, other) -> bool:
        return isinstance(other, UnknownDynamics) and self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    @cached_property
    def _content(self):
        arrays = (self.next_states, self.rewards, self.unknown, self.simplex)
        return (self.rewards.shape, self.terminal_states, *(array.tobytes() for array in arrays))

    @property
    def n_unknown(self) -> int:
        """How many probabilities θ_j there are, J."""
        return len(self.simplex)

    @cached_property
    def membership(self) -> np.ndarray:
        """(J, simplexes) array: 1 where θ_j belongs to the simplex, for adding up over each."""
        return np.eye(self.simplex.max() + 1)[self.simplex]

    def mean(self, dirichlet: np.ndarray) -> np.ndarray:
        """E_b[θ_j] = n_j / N_j, with N_j the sum of n over the simplex of θ_j.

        Parameters
        ----------
        dirichlet : (..., J) array
            n, the parameters of the belief.

        Returns
        -------
        (..., J) array
        """
        return dirichlet / (dirichlet @ self.membership)[..., self.simplex]

    def mean_mdp(self, dirichlet: np.ndarray) -> MDP:
        """The mean MDP of a belief with parameters n, (J,); terminal states are absorbing."""
        weights = self.mean(dirichlet)[self.unknown]
        next_states = self.next_states.copy()
        rewards = (weights * self.rewards).sum(axis=-1)
        for state in self.terminal_states:
            next_states[state], rewards[state] = state, 0.0
        return MDP(next_states, weights, np.zeros_like(rewards), rewards, self.terminal_states)

    def unknown_behind(self, state: int, action: int, next_state: int) -> int:
        """The j of the θ_j by which this transition happened.

        Raises
        ------
        ValueError
            If a state or action is out of range, or the transition is known to be impossible.
        """
        n_states, n_actions, _ = self.rewards.shape
        state = require_index("state", state, n_states)
        action = require_index("action", action, n_actions)
        next_state = require_index("next_state", next_state, n_states)
        for k, reached in enumerate(self.next_states[state, action].tolist()):
            if reached == next_state:
                return int(self.unknown[state, action, k])
        raise ValueError(
            f"next_state must be one of {self.next_states[state, action].tolist()} after state "
            f"{state}, action {action}, got {next_state!r}"
        )


@dataclass(frozen=True, eq=False)
class Monomials:
    r"""The basis functions φ_i(θ) ∝ Π_j θ_j^{m_ij}, scaled to expectation 1 under a prior.

    So scaled, φ_i is the density of the belief after history i relative to the prior's: large for
    the worlds that this history speaks for. With no history it is the constant 1.

    Parameters
    ----------
    dynamics : UnknownDynamics
        What the θ_j are.
    exponents : (I, J) array
        m, how often each outcome occurs in each of I histories.
    prior : (J,) array
        Parameters of the prior.
    """

    dynamics: UnknownDynamics
    exponents: np.ndarray
    prior: np.ndarray

    def expectations(self, dirichlet: np.ndarray) -> np.ndarray:
        r"""E_b[φ_i], shape (I,), under the belief with parameters n, (J,).

        .. math:: E_b\Bigl[\prod_j \theta_j^{m_j}\Bigr] = \prod_j
                  \frac{\Gamma(n_j + m_j)}{\Gamma(n_j)} \prod_g \frac{\Gamma(N_g)}{\Gamma(N_g+M_g)}

        with N_g and M_g the sums of n and m over simplex g.
        """
        return np.exp(self._log_expectations(dirichlet) - self._log_scale)

    def products(self, dirichlet: np.ndarray) -> np.ndarray:
        r"""E_b[θ_j φ_i], shape (J, I): the mean of θ_j after history i as well, times E_b[φ_i].

        .. math:: E_b[\theta_j \phi_i] = \frac{n_j + m_{ij}}{N_g + M_{ig}} \, E_b[\phi_i]
        """
        mean_after = self.dynamics.mean(dirichlet + self.exponents)
        return (mean_after * self.expectations(dirichlet)[:, None]).T

    def _log_expectations(self, dirichlet):
        totals = dirichlet @ self.dynamics.membership
        rising = gammaln(dirichlet + self.exponents) - gammaln(dirichlet)
        falling = gammaln(totals) - gammaln(totals + self._total_exponents)
        return rising.sum(axis=-1) + falling.sum(axis=-1)

    @cached_property
    def _log_scale(self):
        return self._log_expectations(self.prior)

    @cached_property
    def _total_exponents(self):
        return self.exponents @ self.dynamics.membership


def _tables(name: str, states, rewards) -> tuple[np.ndarray, np.ndarray]:
    """Where outcomes lead and what they pay as arrays of one shape, or ``ValueError``."""
    rewards = require_reals("rewards", rewards)
    if rewards.ndim != 3 or not rewards.size:
        raise ValueError(
            f"rewards must have a shape (S, A, K), each at least 1, got {rewards.shape}"
        )
    states = require_indices(name, states, len(rewards)).astype(np.int64, copy=False)
    if states.shape != rewards.shape:
        raise ValueError(
            f"{name} and rewards must have the same shape (S, A, K), "
            f"got {states.shape} and {rewards.shape}"
        )
    return states, rewards


def _probabilities(unknown, simplex, shape: tuple) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the θ_j and of their simplexes as arrays that fit, or ``ValueError``."""
    most = math.prod(shape)
    simplex = require_indices("simplex", simplex, most)
    if simplex.ndim != 1 or not 0 < simplex.size <= most or not np.bincount(simplex).all():
        raise ValueError(
            f"simplex must be a list of 1 to {most} numbers from 0 on that leaves none out, got "
            f"{shown(simplex)}"
        )
    unknown = require_indices("unknown", unknown, simplex.size)
    whole = {tuple(np.flatnonzero(simplex == number).tolist()) for number in np.unique(simplex)}
    pairs = np.ndindex(shape[:2] if unknown.shape == shape else (0,))
    if {tuple(sorted(unknown[pair].tolist())) for pair in pairs} != whole:
        raise ValueError(
            f"unknown must have the shape {shape} of rewards, and for each pair all probabilities "
            f"of one simplex, once each, got {shown(unknown)}"
        )
    return unknown.astype(np.int64, copy=False), simplex.astype(np.int64, copy=False)


def _require_small(n_states: int, n_actions: int, n_outcomes: int) -> None:
    size = n_states * n_actions * n_outcomes
    if size > LARGEST_WORLD:
        raise ValueError(
            f"the world must have at most {LARGEST_WORLD} states · actions · outcomes for BEETLE, "
            f"got {n_states} · {n_actions} · {n_outcomes} = {size}"
        )
