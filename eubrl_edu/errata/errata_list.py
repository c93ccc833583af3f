"""The list of errata as a notebook shows it: a table, and the same in plain words."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from eubrl_edu.errata.erratum import Erratum


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
    """

    errata: Iterable[Erratum]
    folded_under: str = ""

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
