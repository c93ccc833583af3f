"""The quantities that every bound of the paper is a function of, checked once."""

from dataclasses import dataclass, fields
from functools import wraps

import numpy as np

from eubrl_edu.validation import (
    SMALLEST,
    require_above,
    require_at_least,
    require_between,
    require_discount,
    require_positive_int,
    shown,
)


@dataclass(frozen=True)
class Problem:
    """The size of a problem, as the bounds see it: discounted, or episodic with a horizon.

    What is said of a problem takes one as its first argument, or else these as keywords; R_max is
    1 where the keywords leave it out.

    Parameters
    ----------
    n_states, n_actions : int
        S and A.
    r_max : float
        R_max; all rewards lie in [0, R_max].
    delta : float
        δ in (0, 1]; the bounds hold with probability at least 1 − δ.
    discount : float, optional
        γ in [0, 1), for infinite-horizon discounted problems.
    horizon : int, optional
        H, for finite-horizon episodic problems. Exactly one of the two must be given.

    Raises
    ------
    ValueError
        If an argument is outside its range, or both or neither of ``discount`` and ``horizon``
        are given.
    """

    n_states: int
    n_actions: int
    r_max: float
    delta: float
    discount: float | None = None
    horizon: int | None = None

    def __post_init__(self):
        # What the checks return is kept: plain numbers, whatever kind was given.
        checked = {
            "n_states": require_positive_int("n_states", self.n_states),
            "n_actions": require_positive_int("n_actions", self.n_actions),
            "r_max": require_above("r_max", self.r_max, 0),
            "delta": require_probability("delta", self.delta),
        }
        if (self.discount is None) == (self.horizon is None):
            raise ValueError(
                "give either discount (infinite horizon) or horizon (episodes), and not both: "
                f"got discount={shown(self.discount)} and horizon={shown(self.horizon)}"
            )
        if self.horizon is None:
            checked["discount"] = require_discount(self.discount)
        else:
            checked["horizon"] = require_positive_int("horizon", self.horizon)
        vars(self).update(checked)

    @property
    def n_pairs(self) -> int:
        """SA, the number of state-action pairs."""
        return self.n_states * self.n_actions

    @property
    def effective_horizon(self) -> float:
        """1 / (1 − γ), or H, in steps."""
        return 1.0 / (1.0 - self.discount) if self.horizon is None else float(self.horizon)

    @property
    def v_max(self) -> float:
        """V↑, the largest value there can be: R_max / (1 − γ), or H R_max ("Preliminary")."""
        return self.r_max * self.effective_horizon

    def require_epsilon(self, epsilon) -> float:
        """Return ε in (0, V↑], or raise ``ValueError``."""
        return require_epsilon(epsilon, self.v_max)

    def require_duration(self, steps, episodes) -> float:
        """Return T or K, whichever this problem counts in, or raise ``ValueError``."""
        if self.horizon is None:
            if steps is None or episodes is not None:
                raise ValueError(
                    "a discounted problem counts steps: give steps and not episodes, "
                    f"got steps={shown(steps)} and episodes={shown(episodes)}"
                )
            return require_at_least("steps", steps, 1)
        if episodes is None or steps is not None:
            raise ValueError(
                "a problem with a horizon counts episodes: give episodes and not steps, "
                f"got steps={shown(steps)} and episodes={shown(episodes)}"
            )
        return require_at_least("episodes", episodes, 1)

    def require_discounted(self, what: str) -> None:
        """Raise ``ValueError`` if there is a horizon: the paper has ``what`` without one only."""
        if self.horizon is not None:
            raise ValueError(
                f"the paper has {what} for discounted problems only: give a discount in place of "
                f"the horizon, got horizon={self.horizon!r}"
            )

    def steps_of(self, duration: float) -> float:
        """Environment steps in T steps, T, or in K episodes, KH; ``duration`` is above 0."""
        duration = require_above("duration", duration, 0)
        return duration if self.horizon is None else duration * self.horizon


FIELDS = tuple(field.name for field in fields(Problem))


def of_a_problem(function):
    """Let a function whose first argument is a `Problem` take the fields of one as keywords too."""

    @wraps(function)
    def called(*args, **keywords):
        sizes = {name: keywords.pop(name) for name in FIELDS if name in keywords}
        if bool(sizes) == (bool(args) or "problem" in keywords):
            raise TypeError(
                f"{function.__name__} takes either a Problem, first, or keywords alone, with "
                f"{', '.join(FIELDS)} among them: got {'both' if sizes else 'neither'}"
            )
        if sizes:
            return function(Problem(**{"r_max": 1.0} | sizes), **keywords)
        problem = args[0] if args else keywords["problem"]
        if not isinstance(problem, Problem):
            raise ValueError(f"problem must be an eubrl_edu.theory.Problem, got {shown(problem)}")
        return function(*args, **keywords)

    return called


def maximum_value(
    *, r_max: float, discount: float | None = None, horizon: int | None = None
) -> float:
    r"""The largest value there can be.

    .. math:: V^\uparrow_\gamma = \frac{R_{\max}}{1-\gamma}, \qquad V^\uparrow_H = H R_{\max}

    (the paper, "Preliminary").

    Parameters
    ----------
    r_max, discount, horizon
        See `Problem`.

    Returns
    -------
    float
        In units of reward.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    return Problem(1, 1, r_max, 1.0, discount, horizon).v_max


def require_epsilon(epsilon, v_max: float) -> float:
    """Return ε in (0, V↑], or raise ``ValueError``."""
    number = require_above("epsilon", epsilon, 0)
    if number > v_max * (1.0 + 1e-12):  # 1 / (1 - 0.99) is 99.99999999999999
        raise ValueError(
            f"epsilon must be at most the largest value there can be, V↑ = {v_max:g}, "
            f"got {shown(epsilon)}"
        )
    return min(number, v_max)


def require_probability(name: str, value) -> float:
    """Return ``value`` as a float in (0, 1], and not too small, or raise ``ValueError``."""
    require_one_between(name, value, 0, 1, "(0, 1]")
    return require_above(name, value, 0)


def require_lambda(lambda_, name: str = "lambda_") -> float | np.ndarray:
    """Return λ, or an array of them, in (0, 1] and large enough to square, or raise an error."""
    require_between(name, lambda_, 0, 1, "(0, 1]")
    return require_between(name, lambda_, SMALLEST, 1)


def require_one_between(
    name: str, value, low: float, high: float, interval: str | None = None
) -> float:
    """`require_between` of a single number."""
    number = require_between(name, value, low, high, interval)
    if not isinstance(number, float):
        raise ValueError(f"{name} must be a single number, got {shown(value)}")
    return number


def require_one_shape(**values) -> None:
    """Raise ``ValueError`` unless numbers and arrays can be computed with one by one."""
    shapes = [np.shape(each) for each in values.values()]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        *first, last = values
        text = ", ".join(map(str, shapes))
        raise ValueError(f"{', '.join(first)} and {last} must have one shape, got {text}") from None
