"""What one entry of the list of errata holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """How much an erratum matters.

    A *wrong claim* is a statement or a step that fails, or that nothing in the paper shows. A
    *wrong constant or condition* is a statement that holds with another number, or with an
    assumption more. After a *slip of the pen*, who reads on knows what was meant.
    """

    CLAIM = "wrong claim"
    CONSTANT = "wrong constant or condition"
    SLIP = "slip of the pen"


@dataclass(frozen=True)
class Erratum:
    """A statement of the paper that does not hold as printed, and what holds instead.

    Attributes
    ----------
    kind : Kind
        How much it matters.
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

    kind: Kind
    place: str
    printed: str
    problem: str
    repaired: str
    counterexample: Callable[[], Mapping[str, float]]
