"""What notebooks show of a thing that has numbers for each state and action: a small table."""

import html
from collections.abc import Mapping

import numpy as np

MOST_ROWS = 12


def table_of_pairs(title: str, columns: Mapping[str, np.ndarray]) -> str:
    """Return HTML: a title, and a row for each of the first pairs of state and action.

    Parameters
    ----------
    title : str
        What the table is of.
    columns : mapping of str to (S, A) array
        Numbers, written with three digits, or words. Where there are none, the title is all.
    """
    title = f"<p>{html.escape(title)}</p>"
    if not columns:
        return title
    n_states, n_actions = next(iter(columns.values())).shape
    pairs = list(np.ndindex(n_states, n_actions))
    rows = [[*pair, *(column[pair] for column in columns.values())] for pair in pairs[:MOST_ROWS]]
    lines = [_row("th", ("state", "action", *columns)), *(_row("td", row) for row in rows)]
    more = len(pairs) - len(rows)
    after = f"<p>… and {more:,} more pairs</p>" if more else ""
    return f"{title}<table>{''.join(lines)}</table>{after}"


def _row(kind: str, cells) -> str:
    written = [f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in cells]
    return "<tr>" + "".join(f"<{kind}>{html.escape(cell)}</{kind}>" for cell in written) + "</tr>"
