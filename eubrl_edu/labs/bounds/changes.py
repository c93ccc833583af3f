"""Where something changes along a bound: another term is the largest, or it begins to speak."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

PLACES_PER_DECADE = 8


@dataclass(frozen=True)
class Stretch:
    """From ``start`` to ``end`` the term ``name`` is the largest."""

    name: str
    start: float
    end: float


def powers_of_ten(low: int, high: int, top: float = np.inf) -> np.ndarray:
    """Places evenly apart on a logarithmic axis, up to ``top``, which is one of them."""
    places = np.logspace(low, high, PLACES_PER_DECADE * (high - low) + 1)
    return np.append(places[places < top], top) if top < places[-1] else places


def largest_term(parts: Mapping[str, float]) -> str:
    """The name of the largest part."""
    return max(parts, key=parts.get)


def stretches(bound: Any, terms: Mapping[str, np.ndarray]) -> tuple[Stretch, ...]:
    """Which term is the largest where."""
    names, places = list(terms), bound.places
    largest = np.array([terms[name] for name in names]).argmax(axis=0)
    changes = np.flatnonzero(np.diff(largest))
    owners = [names[largest[at]] for at in [*changes, len(places) - 1]]
    ends = [
        _bisect(
            places[at],
            places[at + 1],
            lambda place, owner=owner: largest_term(bound.parts(place)) != owner,
        )
        for at, owner in zip(changes, owners, strict=False)
    ]
    starts, ends = [float(places[0]), *ends], [*ends, float(places[-1])]
    return tuple(map(Stretch, owners, starts, ends))


def first_change(bound: Any, speaks: np.ndarray) -> float | None:
    """Where the bound begins to speak, or falls silent where it speaks at first."""
    changes = np.flatnonzero(np.diff(speaks))
    if not len(changes):
        return None
    at = changes[0]

    def is_past(place: float) -> bool:
        return (sum(bound.parts(place).values()) < bound.trivial(place)) != speaks[at]

    return _bisect(bound.places[at], bound.places[at + 1], is_past)


def _bisect(low: float, high: float, is_past: Callable[[float], bool]) -> float:
    """The place between ``low``, where it is not past, and ``high``, where it is."""
    low, high = np.log(low), np.log(high)
    while abs(high - low) > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if is_past(np.exp(middle)) else (middle, high)
    return float(np.exp(high))
