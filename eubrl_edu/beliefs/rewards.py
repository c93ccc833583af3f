"""What every belief over the mean reward has in common.

A reward belief keeps one posterior per outcome (s, a, s'), or per pair (s, a) with
``on="action"``. In the arrays an outcome is its place k among the listed next states of its
pair; ``on="action"`` uses place 0 only. Formulas take floats and arrays alike.

Planning asks a reward belief for two numbers for each outcome: the posterior mean, and
the variance of the mean reward under the posterior, Var_{w~b}(E[r | s, a, s', w]), which the
paper calls the epistemic uncertainty E_R(s, a, s').
"""

import inspect
from copy import deepcopy

import numpy as np

from eubrl_edu.beliefs.successors import widen
from eubrl_edu.names import require_choice
from eubrl_edu.validation import (
    MOST_DRAWN,
    as_array,
    require_finite,
    require_generator,
    require_index,
    require_positive_int,
    require_reals,
    require_sizes,
    shown,
)


class RewardBelief:
    """What the reward beliefs have in common: a count of rewards per outcome, and its growth.

    Subclasses make their other arrays, say in ``_prior`` what an outcome without any reward holds
    in each, and define ``add_at``, ``posterior_of`` and ``draw``.

    Parameters
    ----------
    n_states, n_actions : int
        Numbers of states S and actions A.
    on : {"outcome", "action"}
        Whether a reward belongs to (s, a, s') or to (s, a).
    """

    # How often something was told here, past a `Belief`, whose tables are then made anew.
    edits = 0

    def __init__(self, n_states: int, n_actions: int, on: str = "outcome"):
        self.n_states, self.n_actions = require_sizes(n_states, n_actions)
        self.on = require_choice("on", on, ("outcome", "action"))
        self.n = np.zeros((self.n_states, self.n_actions, 1))

    def _filled(self, value: float) -> np.ndarray:
        """An array of this value for every outcome."""
        return np.full(self.n.shape, value)

    def _prior(self) -> dict[str, float]:
        """The arrays besides ``n``, with the value of an outcome that has no reward yet."""
        raise NotImplementedError

    def bind(self, transitions) -> None:
        """List in ``transitions`` the outcomes that this model knows of beforehand."""

    def check(self, reward: float) -> float:
        """Return ``reward`` as a float this model can learn from, or raise ``ValueError``."""
        return require_finite("reward", reward)

    def update(self, state: int, action: int, outcome: int, reward: float) -> None:
        """Learn from one reward of the given outcome.

        Raises
        ------
        ValueError
            If an index is out of range, or the reward is not one to learn from.
        """
        at, reward = self._checked(state, action, outcome), self.check(reward)
        self.edits += 1
        self.add(at, total=reward)

    def update_batch(self, state: int, action: int, outcome: int, rewards: np.ndarray) -> None:
        """Learn from several rewards of one outcome at once, by their sufficient statistics.

        Raises
        ------
        ValueError
            If an index is out of range, or there is no reward, or one that is not to learn from.
        """
        at = self._checked(state, action, outcome)
        rewards = require_reals("rewards", rewards, finite=False)
        if rewards.ndim != 1 or not rewards.size:
            raise ValueError(f"rewards must be a list of rewards, not empty, got {shown(rewards)}")
        rewards = np.array([self.check(reward) for reward in rewards.tolist()])
        self.edits += 1
        self.add_batch(at, rewards)

    def _checked(self, state, action, outcome) -> tuple[int, int, int]:
        return (
            require_index("state", state, self.n_states),
            require_index("action", action, self.n_actions),
            require_index("outcome", outcome, self.n_states),  # each leads to another state
        )

    def add_batch(self, at: tuple[int, int, int], rewards: np.ndarray) -> None:
        """`update_batch`, for rewards that `check` returned."""
        spread = float(((rewards - rewards.mean()) ** 2).sum())
        self.add(at, float(rewards.sum()), float(len(rewards)), spread)

    def add(
        self, at: tuple[int, int, int], total: float, n: float = 1.0, spread: float = 0.0
    ) -> None:
        """`update` and `update_batch`, for rewards that `check` returned; see `add_at`."""
        if self.on == "action":
            at = (*at[:2], 0)
        self.grow(at[2] + 1)
        self.add_at(at, total, n, spread)
        self.n[at] += n

    def add_at(self, at: tuple[int, int, int], total: float, n: float, spread: float) -> None:
        """The conjugate update of one outcome for n rewards; the count is raised afterwards.

        Parameters
        ----------
        at : (state, action, outcome)
            Place of the outcome in the arrays.
        total, n, spread : float
            The new rewards' sum, number, and sum of squared deviations from their mean.
        """
        raise NotImplementedError

    def grow(self, width: int) -> None:
        """Make room for ``width`` outcomes per pair; on actions there is always only one."""
        if self.on == "action" or width <= self.n.shape[-1]:
            return
        vars(self).update(self.widened(max(width, 2 * self.n.shape[-1])))

    def widened(self, width: int) -> dict[str, np.ndarray]:
        """The arrays by their names, with at least ``width`` places for the outcomes of a pair."""
        fills = {"n": 0.0} | self._prior()
        return {name: widen(getattr(self, name), width, fill) for name, fill in fills.items()}

    def posterior_of(self, n, *statistics):
        """Posterior mean and variance of the mean, given the arrays' values; floats or arrays."""
        raise NotImplementedError

    def posterior(self, at=...):
        """Posterior mean and variance of the mean, for the outcomes selected by ``at``.

        Parameters
        ----------
        at : index
            Index into an (S, A, K) array, of numbers from 0 on; all outcomes by default.

        Returns
        -------
        mean : array
            r_b(s, a, s') in units of reward.
        variance : array
            E_R(s, a, s') in units of reward².

        Raises
        ------
        ValueError
            If ``at`` is no such index, or out of range.
        """
        self._require_places(at)
        return self.posterior_of(*self._at(at))

    def _at(self, at) -> list[np.ndarray]:
        """The arrays' values for the outcomes that ``at`` selects, ``n`` first."""
        return [getattr(self, name)[at] for name in ("n", *self._prior())]

    def _require_places(self, at) -> None:
        """Raise ``ValueError`` unless ``at`` selects outcomes, none counted from the end."""
        try:
            are_places = all(map(_counts_from_the_front, at if type(at) is tuple else (at,)))
            self.n[at]
        except (IndexError, OverflowError, TypeError, ValueError):
            are_places = False
        if not are_places:
            raise ValueError(
                f"at must be an index into an array of shape (S, A, K) = {self.n.shape}, of "
                f"numbers from 0 on, got {shown(at)}"
            )

    def prior(self) -> tuple[float, float]:
        """Mean and variance of the mean for an outcome without any reward."""
        return self.posterior_of(0.0, *self._prior().values())

    def sample(self, rng: np.random.Generator, wanted: np.ndarray) -> np.ndarray:
        """Draw mean rewards from the posteriors of the wanted outcomes.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness; nothing is drawn from it for other outcomes.
        wanted : (S, A, K) boolean array
            Which outcomes; K is 1 for rewards on actions.

        Returns
        -------
        (S, A, K) array
            0 where not wanted.
        """
        require_generator(rng)
        given, wanted = wanted, as_array("wanted", wanted)
        if wanted.shape[:2] != (self.n_states, self.n_actions) or wanted.ndim != 3:
            raise ValueError(f"wanted must be an (S, A, K) array of booleans, got {shown(given)}")
        wanted = wanted.astype(bool)
        self.grow(wanted.shape[-1])
        at = np.nonzero(wanted)
        drawn = np.zeros(wanted.shape)
        drawn[at] = self.draw(rng, *self._at(at))
        return drawn

    def sample_prior(self, rng: np.random.Generator, size: int) -> np.ndarray:
        """Draw mean rewards from the prior, for so many outcomes that are not listed."""
        require_generator(rng)
        size = require_positive_int("size", size, at_least=0, at_most=MOST_DRAWN)
        return self.draw(rng, *(np.full(size, value) for value in (0.0, *self._prior().values())))

    def draw(self, rng: np.random.Generator, n, *statistics) -> np.ndarray:
        """Draw a mean reward from each posterior, given the arrays' values for some outcomes."""
        raise NotImplementedError

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.settings().items())
        return f"{type(self).__name__}({self.n_states}, {self.n_actions}{settings})"

    def settings(self) -> dict:
        """The constructor's arguments besides the sizes."""
        names = list(inspect.signature(type(self)).parameters)[2:]
        return {name: getattr(self, name) for name in names}

    def copy(self) -> "RewardBelief":
        """An independent copy."""
        return deepcopy(self)


def _counts_from_the_front(index) -> bool:
    """Whether an index of one axis is ``...``, or made of numbers from 0 on or booleans."""
    if type(index) is int:  # most are; to make an array of one takes longer than the posterior
        return index >= 0
    if isinstance(index, slice):
        parts = index.start, index.stop, index.step
        return all(part is None or _counts_from_the_front(part) for part in parts)
    numbers = as_array("at", 0 if index is ... else index)
    return numbers.dtype.kind in "biu" and not (numbers < 0).any()
