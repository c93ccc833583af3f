"""What a lab says: the picture in words, and a warning where a value was no good."""

import html
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import ipywidgets

from eubrl_edu.plotting.names import in_a_row

BETWEEN_CELLS = " │ "


def table(rows: Sequence[Mapping[str, str]]) -> str:
    """Write rows as lines of text, in columns of one width; a `Readout` makes a table of them.

    Parameters
    ----------
    rows : sequence of mapping
        The cells of each row by the names of their columns; a column is there if any row has it.
    """
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [columns, *([row.get(name, "") for name in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        BETWEEN_CELLS.join(
            cell.ljust(width) for cell, width in zip(line, widths, strict=True)
        ).rstrip()
        for line in lines
    )


class Readout(ipywidgets.HTML):
    """The picture in words, below it; a warning, while there is one, right at the controls."""

    def __init__(self) -> None:
        super().__init__()
        self.add_class("eubrl-readout")
        self.words = ""

    def say(self, words: str) -> None:
        """Show these words, and no warning."""
        self.words = words
        self._show("")

    def warn(self, warning: str) -> None:
        """Show this warning; the words stay."""
        self._show(f'<div class="eubrl-warning" role="alert">⚠ {html.escape(warning)}</div>')

    def take_back_warning(self) -> None:
        """Show no warning any more; the words stay."""
        self._show("")

    def _show(self, warning: str) -> None:
        self.value = f'{warning}<div class="eubrl-words">{_as_html(self.words)}</div>'


def _as_html(words: str) -> str:
    """The words, with lines that have cells as tables; the first line of each is its head."""
    parts = []
    for has_cells, group in groupby(words.split("\n"), lambda line: BETWEEN_CELLS in line):
        lines = [html.escape(line) for line in group]
        if has_cells:
            head, *body = ([cell.strip() for cell in line.split("│")] for line in lines)
            rows = [f"<tr><th>{'</th><th>'.join(head)}</th></tr>"]
            rows += [f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in body]
            parts.append(f"<table>{''.join(rows)}</table>")
        else:
            parts.append("\n".join(lines))
    # A table begins and ends a line by itself.
    return "".join(parts)


def sent_back(
    error: ValueError, controls: Mapping[str, ipywidgets.Widget], back: Mapping[str, Any]
) -> str:
    """Say what was wrong, and which controls went back to which values."""
    values = ", ".join(
        f"{controls[name].description} = {in_words(value)}" for name, value in back.items()
    )
    why = f"{str(error).rstrip('.')}.".replace("?.", "?")
    return f"{why} Back to {values or 'what the picture shows'}."


def in_words(value: Any) -> str:
    """A value of a control, as a sentence can say it."""
    if isinstance(value, tuple):
        return in_a_row(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
