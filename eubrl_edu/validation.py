"""Checks of arguments: an error names the argument, its value and what is allowed.

What is measured (a setting, a reward) may be as large as ``LARGEST`` and, where it must be above
0, as small as ``SMALLEST``. Variances, values and their squares multiply a handful of settings,
and so stay within the range of floats, up to 1e308. What is counted is limited by memory and time.
"""

import bisect
import math
import operator
from collections.abc import Callable

import numpy as np

from eubrl_edu.sequences import MOST_VALUES, TEXT, can_be_array, listed

LARGEST = 1e50
SMALLEST = 1e-50
# The longest effective horizon 1 / (1 − γ), as rounding leaves 1e-16 of 1 − γ unsure: 1e-4 of it.
LARGEST_DISCOUNT = 1 - 1e-12
SUM_TOLERANCE = 1e-9  # so far from 1 may the sum of probabilities be
# Integers in arrays, in compiled code and in a store have 63 bits and a sign.
LARGEST_INTEGER = 2**63 - 1
MOST_STEPS = 100_000_000  # each takes 34 bytes where it is recorded, and 30 microseconds
MOST_RUNS = 1_000_000  # each takes a millisecond at least, and a kilobyte of memory
MOST_LISTED = 1000  # agents, sizes or values of a setting: each makes a world before anything runs
LONGEST_HORIZON = 1_000_000  # each step takes ten microseconds and more, however few the pairs
MOST_DRAWN = 50_000_000  # successors of all pairs, in a drawn model: about 2 GB on the way
MOST_PAIRS = 1_000_000  # each takes up to 1.5 kB, and up to 50 microseconds to set up


def require_positive_int(
    name: str, value, at_least: int = 1, at_most: int | None = LARGEST_INTEGER
) -> int:
    """Return ``value`` as an int from ``at_least`` to ``at_most``, or raise ``ValueError``."""
    number = _integer(value)
    if number is None or number < at_least:
        raise ValueError(f"{name} must be an integer of at least {at_least}, got {shown(value)}")
    if at_most is not None and number > at_most:
        raise ValueError(f"{name} must be at most {at_most:,}, got {shown(value)}")
    return number


def require_steps(name: str, value) -> int:
    """Return a number of steps (or episodes) that can be lived through, or raise ``ValueError``."""
    return require_positive_int(name, value, at_most=MOST_STEPS)


def require_sizes(n_states, n_actions) -> tuple[int, int]:
    """Return S and A as ints of at least 1, a million pairs at most, or raise ``ValueError``."""
    n_states = require_positive_int("n_states", n_states)
    n_actions = require_positive_int("n_actions", n_actions)
    if n_states * n_actions > MOST_PAIRS:
        raise ValueError(
            f"n_states times n_actions must be at most {MOST_PAIRS:,} pairs of state and action, "
            f"got {n_states} times {n_actions}: more would take gigabytes of memory"
        )
    return n_states, n_actions


def require_size(size, n_pairs: Callable[[int], int]) -> int:
    """Return the size of a world as an int, or raise ``ValueError`` before memory runs out.

    ``n_pairs`` says how many pairs of state and action a world of a size has; it grows with it.
    """
    number = require_positive_int("size", size, at_most=None)
    if n_pairs(number) > MOST_PAIRS:
        largest = bisect.bisect_right(range(MOST_PAIRS), MOST_PAIRS, key=n_pairs) - 1
        raise ValueError(
            f"size must be at most {largest}, got {shown(size)}: a larger world has more than "
            f"{MOST_PAIRS:,} pairs of state and action, and takes more than 1.5 GB of memory"
        )
    return number


def require_horizon(horizon, n_pairs: int = 1) -> int:
    """Return H as an int, for a plan that is made in seconds and fits into memory, or raise."""
    at_most = min(LONGEST_HORIZON, MOST_VALUES // n_pairs)
    return require_positive_int("horizon", horizon, at_most=at_most)


def require_index(name: str, value, size: int, first: int = 0) -> int:
    """Return ``value`` as an int, one of ``size`` from ``first`` on, or raise ``ValueError``."""
    if type(value) is int and first <= value < first + size:
        return value  # by far the most common case, and checked at every step of a run
    number = _integer(value)
    if number is None or not first <= number < first + size:
        raise ValueError(
            f"{name} must be an integer from {first} to {first + size - 1}, got {shown(value)}"
        )
    return number


def require_above(name: str, value, bound: float) -> float:
    """Return ``value`` as a finite float greater than ``bound``, or raise ``ValueError``."""
    number = _real(value)
    if not bound < number < math.inf:
        raise ValueError(
            f"{name} must be a finite number greater than {bound:g}, got {shown(value)}"
        )
    if bound == 0 and number < SMALLEST:
        raise ValueError(
            f"{name} must be at least {SMALLEST:g}, got {value!r}: products of smaller numbers "
            "leave the range of floats"
        )
    return _not_too_large(name, number, value)


def require_at_least(name: str, value, bound: float) -> float:
    """Return ``value`` as a finite float of at least ``bound``, or raise ``ValueError``."""
    number = _real(value)
    if not bound <= number < math.inf:
        raise ValueError(
            f"{name} must be a finite number of at least {bound:g}, got {shown(value)}"
        )
    return _not_too_large(name, number, value)


def require_finite(name: str, value) -> float:
    """Return ``value`` as a finite float, or raise ``ValueError``."""
    number = float(value) if isinstance(value, bool | np.bool_) else _real(value)  # as rewards are
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {shown(value)}")
    return number if -LARGEST <= number <= LARGEST else _not_too_large(name, number, value)


def _not_too_large(name: str, number: float, value) -> float:
    if abs(number) > LARGEST:
        raise ValueError(
            f"{name} must be at most {LARGEST:g} in size, got {value!r}: products of larger "
            "numbers leave the range of floats"
        )
    return number


def require_discount(discount, horizon: int | None = None) -> float:
    """Return γ in [0, 1), or in [0, 1] where there is a horizon, or raise ``ValueError``."""
    number = _real(discount)
    if horizon is None and not 0 <= number < 1:
        raise ValueError(
            f"discount must be in [0, 1) when there is no horizon, got {shown(discount)}"
        )
    if not 0 <= number <= 1:
        raise ValueError(f"discount must be in [0, 1], got {shown(discount)}")
    if horizon is None and number > LARGEST_DISCOUNT:
        raise ValueError(
            f"discount must be at most 1 - 1e-12 when there is no horizon, got {discount!r}: "
            "beyond, rounding decides what 1 / (1 - discount) is"
        )
    return number


def require_between(
    name: str, values, low: float, high: float, interval: str | None = None
) -> float | np.ndarray:
    """Return a number, or an array of them, all from ``low`` to ``high``, or raise ``ValueError``.

    ``interval`` is how the error writes what is allowed, "[0, 1]" by default; where it begins with
    a round bracket, ``low`` itself is refused, where it ends with one, ``high``.
    """
    interval = interval or f"[{low:g}, {high:g}]"
    numbers = _reals(name, values)
    enough = numbers > low if interval.startswith("(") else numbers >= low
    few_enough = numbers < high if interval.endswith(")") else numbers <= high
    if not (enough & few_enough).all():
        raise ValueError(f"{name} must be in {interval}, got {shown(values)}")
    return numbers if numbers.ndim else float(numbers)


def require_bool(name: str, value) -> bool:
    """Return ``value`` as True or False, or raise ``ValueError``."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def require_generator(rng) -> np.random.Generator:
    """Return ``rng`` if it is a source of randomness, or raise ``ValueError``."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy random Generator, got {shown(rng)}")
    return rng


def require_distribution(name: str, values, size: int) -> np.ndarray:
    """Return ``size`` probabilities that sum to one, or raise ``ValueError``."""
    numbers = _reals(name, values)
    if numbers.shape != (size,) or not are_distributions(numbers):
        text = f"{name} must be {size} probabilities that sum to 1 (up to {SUM_TOLERANCE:g})"
        raise ValueError(f"{text}, got {shown(values)}")
    return numbers


def are_distributions(rows: np.ndarray, shares: np.ndarray | float = 1.0) -> bool | np.ndarray:
    """Whether each row has no number below 0 and sums to one, or to its share, up to rounding."""
    return (rows >= 0).all(axis=-1) & (abs(rows.sum(axis=-1) - shares) <= SUM_TOLERANCE)


def require_reals(name: str, values, finite: bool = True) -> np.ndarray:
    """Return an array of floats, finite ones if asked for, or raise ``ValueError``."""
    numbers = _reals(name, values)
    if numbers.ndim == 0 or (finite and not np.isfinite(numbers).all()):
        raise ValueError(f"{name} must be an array of finite numbers, got {shown(values)}")
    return numbers


def require_indices(name: str, values, size: int) -> np.ndarray:
    """Return an array of integers from 0 to ``size`` - 1, or raise ``ValueError``."""
    numbers = as_array(name, values)
    numbers = numbers if numbers.size else numbers.astype(np.int64)  # of none NumPy makes floats
    are_integers = numbers.ndim and numbers.dtype.kind in "iu"
    if not are_integers or ((numbers < 0) | (numbers >= size)).any():
        raise ValueError(f"{name} must be integers from 0 to {size - 1}, got {shown(values)}")
    return numbers


def require_states(name: str, states, n_states: int) -> tuple[int, ...]:
    """Return some states as a tuple of ints, or raise ``ValueError``."""
    some = listed(states, MOST_PAIRS)
    if some is None or len(some) > MOST_PAIRS:
        raise ValueError(f"{name} must list up to {MOST_PAIRS:,} states, got {shown(states)}")
    return tuple(require_index(name, state, n_states) for state in some)


def require_list(name: str, values, at_most: int = MOST_LISTED) -> list:
    """Return the values without repetition, in their order, or raise ``ValueError``."""
    some = listed(values, at_most)
    if some is None:
        raise ValueError(f"{name} must be a list, such as [{shown(values)}], got {shown(values)}")
    if len(some) > at_most:
        raise ValueError(f"{name} must hold at most {at_most:,} values, got {shown(values)}")
    try:
        return list(dict.fromkeys(some))
    except TypeError:  # not hashable, such as lists in a list
        raise ValueError(f"{name} must be a list of single values, got {shown(values)}") from None


def shown(value) -> str:
    """``repr(value)`` as an error can show it: cut off where it is long."""
    try:  # of ten million numbers not all, which would take a second
        text = repr(value[:300] if isinstance(value, list | tuple | str | bytes) else value)
    except Exception:  # an integer of more than 4300 digits, or an object that cannot say
        text = f"a value of type {type(value).__name__} that cannot be printed"
    return text if len(text) <= 300 else f"{text[:300]}..."


def raised(error: BaseException) -> str:
    """An exception as a message can show it: its type, and what it says, if it says anything."""
    try:
        said = str(error)
    except Exception:  # one of a user's own, which may fail at that, too
        said = ""
    return f"{type(error).__name__}: {said}".removesuffix(": ")


def _integer(value) -> int | None:
    """``value`` as an int; None if it is not an integer, or only counts as one, as True does."""
    if type(value) is int:
        return value  # by far the most common case
    try:
        return None if isinstance(value, bool) or _is_masked(value) else operator.index(value)
    except Exception:  # whatever an object raises when it is asked
        return None


def _real(value) -> float:
    """``value`` as a float; NaN if it is no number: NumPy would parse text, or drop a unit."""
    if type(value) is float:
        return value  # by far the most common case
    kind = getattr(getattr(value, "dtype", None), "kind", "f")
    several = getattr(value, "ndim", 0) or isinstance(value, (*TEXT, bool)) or _is_masked(value)
    try:
        return float(value) if kind in "iuf" and not several else math.nan
    except Exception:  # whatever an object raises when it is asked
        return math.nan


def _is_masked(value) -> bool:
    return isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value)


def as_array(name: str, values) -> np.ndarray:
    """``values`` as an array, of None if they make none; a range can be larger than memory."""
    large = isinstance(values, np.ndarray) and values.size > MOST_VALUES
    if large or (isinstance(values, range) and values[MOST_VALUES:]):
        raise ValueError(f"{name} must hold at most {MOST_VALUES:,} numbers, got {shown(values)}")
    try:
        array = np.asarray(values if can_be_array(values) else None)
        inside = array.tolist() if array.dtype.kind == "O" else None
        return array if inside is None else np.asarray(inside if can_be_array(inside) else None)
    except Exception:  # whatever an object raises when it is asked
        return np.asarray(None)


def _reals(name: str, values) -> np.ndarray:
    """``values`` as an array of floats; NaN if they are not numbers, such as a single True."""
    numbers = as_array(name, values)
    if numbers.dtype.kind in ("O" if numbers.ndim else "Ob"):  # fractions, integers beyond 64 bits
        read = np.vectorize(_real, otypes=[float])(numbers)
        return np.array(math.nan) if np.isnan(read).any() else read
    return numbers.astype(float, copy=False) if numbers.dtype.kind in "biuf" else np.array(math.nan)
