"""Checks of arguments: an error names the argument, its value and what is allowed."""

import difflib
import math
import operator
from collections.abc import Iterable

import numpy as np


def require_positive_int(name: str, value, at_least: int = 1) -> int:
    """Return ``value`` as an int of at least ``at_least``, or raise ``ValueError``."""
    number = _integer(value)
    if number is None or isinstance(value, bool) or number < at_least:
        raise ValueError(f"{name} must be an integer of at least {at_least}, got {value!r}")
    return number


def require_index(name: str, value, size: int) -> int:
    """Return ``value`` as an int in 0 .. size - 1, or raise ``ValueError``."""
    if type(value) is int and 0 <= value < size:
        return value  # by far the most common case, and checked at every step of a run
    number = _integer(value)
    if number is None or not 0 <= number < size:
        raise ValueError(f"{name} must be an integer from 0 to {size - 1}, got {value!r}")
    return number


def require_above(name: str, value, bound: float) -> float:
    """Return ``value`` as a finite float greater than ``bound``, or raise ``ValueError``."""
    number = _real(value)
    if not bound < number < math.inf:
        raise ValueError(f"{name} must be a finite number greater than {bound:g}, got {value!r}")
    return number


def require_at_least(name: str, value, bound: float) -> float:
    """Return ``value`` as a finite float of at least ``bound``, or raise ``ValueError``."""
    number = _real(value)
    if not bound <= number < math.inf:
        raise ValueError(f"{name} must be a finite number of at least {bound:g}, got {value!r}")
    return number


def require_finite(name: str, value) -> float:
    """Return ``value`` as a finite float, or raise ``ValueError``."""
    number = value if type(value) is float else _real(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {value!r}")
    return number


def require_discount(discount, horizon: int | None = None) -> float:
    """Return γ in [0, 1), or in [0, 1] where there is a horizon, or raise ``ValueError``."""
    number = discount if type(discount) is float else _real(discount)
    if horizon is None and not 0 <= number < 1:
        raise ValueError(f"discount must be in [0, 1) when there is no horizon, got {discount!r}")
    if not 0 <= number <= 1:
        raise ValueError(f"discount must be in [0, 1], got {discount!r}")
    return number


def require_between(
    name: str, values, low: float, high: float, interval: str | None = None
) -> float | np.ndarray:
    """Return a number, or an array of them, all from ``low`` to ``high``, or raise ``ValueError``.

    ``interval`` is how the error writes what is allowed, "[0, 1]" by default; where it begins with
    a round bracket, ``low`` itself is refused.
    """
    interval = interval or f"[{low:g}, {high:g}]"
    numbers = _reals(values)
    enough = numbers > low if interval.startswith("(") else numbers >= low
    if not (enough & (numbers <= high)).all():
        raise ValueError(f"{name} must be in {interval}, got {values!r}")
    return numbers if numbers.ndim else float(numbers)


def require_choice(name: str, value, choices: Iterable[str]) -> str:
    """Return ``value`` if it is among ``choices``, or raise ``ValueError`` with the closest ones.

    The closest is the one that differs only in capitals, or else all that begin so, or else the
    one that is spelled most alike.
    """
    choices = list(choices)
    if value in choices:
        return value
    by_lower_case = {choice.lower(): choice for choice in choices}
    asked = str(value).lower()
    if asked in by_lower_case:
        close = [asked]
    else:
        close = [name for name in by_lower_case if asked and name.startswith(asked)]
    close = close or difflib.get_close_matches(asked, by_lower_case, n=1)
    hint = f" Did you mean {' or '.join(repr(by_lower_case[c]) for c in close)}?" if close else ""
    raise ValueError(f"unknown {name} {value!r}; choose one of: {', '.join(choices)}.{hint}")


def require_list(name: str, values) -> list:
    """Return the values without repetition, in their order, or raise ``ValueError``."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a list, such as [{values!r}], got {values!r}")
    return list(dict.fromkeys(values))


def _integer(value) -> int | None:
    """``value`` as an int; None if it is not an integer."""
    try:
        return operator.index(value)
    except TypeError:
        return None


def _real(value) -> float:
    """``value`` as a float; NaN if it is not a number."""
    try:
        return math.nan if isinstance(value, str) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _reals(values) -> np.ndarray:
    """``values`` as an array of floats; NaN if they are not numbers."""
    try:
        numbers = np.asarray(values)
    except ValueError:  # rows of different lengths
        return np.array(math.nan)
    return numbers.astype(float) if numbers.dtype.kind in "biuf" else np.array(math.nan)
