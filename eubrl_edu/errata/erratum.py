"""What one entry of the list of errata holds, and the list as a notebook shows it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from html import escape

from eubrl_edu.names import require_text
from eubrl_edu.sequences import listed
from eubrl_edu.validation import MOST_LISTED, shown


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


@dataclass(frozen=True, repr=False)
class ErrataList:
    """Errata as the last line of a notebook's cell; the counterexamples run when it is shown.

    Beside its numbers stands the name of the function that computes them.

    Attributes
    ----------
    errata : iterable of Erratum
        In the order in which they are shown.
    folded_under : str
        Where this is not empty, the table of a page is folded under these words; a click opens it.

    Raises
    ------
    ValueError
        If ``errata`` are not up to 1000 `Erratum`, or ``folded_under`` is no text.
    """

    errata: Iterable[Erratum]
    folded_under: str = ""

    def __post_init__(self):
        errata = listed(self.errata, MOST_LISTED)
        fits = errata is not None and len(errata) <= MOST_LISTED
        if not fits or not all(isinstance(each, Erratum) for each in errata):
            raise ValueError(
                f"errata must be a list of up to {MOST_LISTED:,} Erratum, got {shown(self.errata)}"
            )
        require_text("folded_under", self.folded_under)
        vars(self)["errata"] = tuple(errata)  # of a generator too, which gives them only once

    def __repr__(self) -> str:
        return "\n\n".join("\n  ".join(_in_words(erratum)) for erratum in self.errata)

    def _repr_html_(self) -> str:
        left = 'style="text-align: left; vertical-align: top"'
        rows = [
            f"<tr><td {left}><b>{escape(erratum.place)}</b><br>{escape(erratum.printed)}</td>"
            f"<td {left}>{escape(erratum.problem)}<br><small>{escape(numbers_of(erratum))}</small>"
            f"</td><td {left}>{escape(erratum.survives)}</td></tr>"
            for erratum in self.errata
        ]
        heads = "".join(
            f"<th {left}>{head}</th>" for head in ("Place, and what is printed", "Problem", "Holds")
        )
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        if not self.folded_under:
            return table
        return f"<details><summary>{escape(self.folded_under)}</summary>{table}</details>"


@cache  # a notebook asks a list for both of its forms
def numbers_of(erratum: Erratum) -> str:
    """The numbers of the counterexample in one line, to four digits, and its name; or nothing."""
    if erratum.counterexample is None:
        return ""
    found = erratum.counterexample().items()
    numbers = " · ".join(f"{name}: {value:.4g}" for name, value in found)
    return f"{numbers} ({erratum.counterexample.__name__})"


def _in_words(erratum: Erratum) -> Iterable[str]:
    yield erratum.place
    yield f"printed:  {erratum.printed}"
    if erratum.problem:
        yield f"problem:  {erratum.problem}"
    if erratum.counterexample is not None:
        yield f"numbers:  {numbers_of(erratum)}"
    yield f"survives: {erratum.survives}"
