"""What one entry of the list of errata holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """How much an erratum matters, the gravest first.

    A *gap in a theorem's proof* leaves a theorem of the paper open: nobody has shown it false, but
    the printed proof does not show it true. A *wrong claim* is a statement that fails, or that
    nothing in the paper shows. A *wrong constant or condition* holds with another number, or with
    one more assumption. A *remark* is about a sentence that is right if read with care, or a step
    that needs a line more. After a *slip of the pen*, a reader who goes on knows what was meant.
    """

    GAP = "gap in a theorem's proof"
    CLAIM = "wrong claim"
    CONSTANT = "wrong constant or condition"
    REMARK = "remark"
    SLIP = "slip of the pen"


@dataclass(frozen=True)
class Erratum:
    """A passage of the paper, what is wrong with it, and what survives.

    Attributes
    ----------
    kind : Kind
        How much it matters.
    place : str
        Where in the paper: section, and the lemma, definition or equation.
    printed : str
        What it says, word for word; … stands for what is left out, formulas are in LaTeX.
    problem : str
        What is wrong with it.
    survives : str
        What holds instead, and whether what the paper builds on it still stands.
    counterexample : callable, optional
        Takes nothing and returns numbers by name, computed at the call, that show the problem. Few
        slips of the pen have one, and what other papers tell has none.
    """

    kind: Kind
    place: str
    printed: str
    problem: str
    survives: str
    counterexample: Callable[[], Mapping[str, float]] | None = None
