"""Controls in rows, each row with a name in front."""

from collections.abc import Sequence

import ipywidgets


def named_row(name: str, widgets: Sequence[ipywidgets.Widget]) -> ipywidgets.HBox:
    """Return a row of ``widgets`` that wraps where the page is narrow."""
    # In em, so that the label grows with its letters.
    label = ipywidgets.Label(name, style={"font_weight": "bold"}, layout={"width": "4.6em"})
    return ipywidgets.HBox([label, *widgets], layout={"flex_flow": "row wrap"})
