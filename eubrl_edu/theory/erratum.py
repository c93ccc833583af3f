"""What one entry of the list of errata holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Erratum:
    """A statement of the paper that does not hold as printed, and what holds instead.

    Attributes
    ----------
    place : str
        Where in the paper: section, and the lemma, definition or equation.
    printed : str
        What it says.
    problem : str
        What is wrong with it.
    repaired : str
        A statement that holds, and whether what the paper builds on it still stands.
    counterexample : callable
        Takes nothing and returns numbers by name, computed at the call, that show the problem.
    """

    place: str
    printed: str
    problem: str
    repaired: str
    counterexample: Callable[[], Mapping[str, float]]
