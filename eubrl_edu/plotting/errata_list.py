"""The list of errata as a notebook shows it: a table, and the same in plain words."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Protocol


class ErratumView(Protocol):
    """What is shown of one erratum."""

    place: str
    printed: str
    problem: str
    repaired: str
    counterexample: Callable[[], Mapping[str, float]]


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

    errata: Iterable[ErratumView]
    folded_under: str = ""

    def __repr__(self) -> str:
        return "\n\n".join(
            f"{erratum.place}\n"
            f"  printed:  {erratum.printed}\n"
            f"  problem:  {erratum.problem}\n"
            f"  numbers:  {numbers_of(erratum)} ({erratum.counterexample.__name__})\n"
            f"  repaired: {erratum.repaired}"
            for erratum in self.errata
        )

    def _repr_html_(self) -> str:
        left = 'style="text-align: left; vertical-align: top"'
        rows = [
            f"<tr><td {left}><b>{escape(erratum.place)}</b><br>{escape(erratum.printed)}</td>"
            f"<td {left}>{escape(erratum.problem)}<br><small>{escape(numbers_of(erratum))}"
            f" ({escape(erratum.counterexample.__name__)})</small></td>"
            f"<td {left}>{escape(erratum.repaired)}</td></tr>"
            for erratum in self.errata
        ]
        heads = "".join(
            f"<th {left}>{head}</th>" for head in ("Place, and what is printed", "Problem", "Holds")
        )
        table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        if not self.folded_under:
            return table
        return f"<details><summary>{escape(self.folded_under)}</summary>{table}</details>"


def numbers_of(erratum: ErratumView) -> str:
    """The numbers of the counterexample in one line, to four digits."""
    return " · ".join(f"{name}: {value:.4g}" for name, value in erratum.counterexample().items())
