"""Controls in rows, each row with a name in front."""

from collections.abc import Sequence

import ipywidgets


def wrapped_row(name: str | None, widgets: Sequence[ipywidgets.Widget]) -> ipywidgets.HBox:
    """Return a row of ``widgets`` that wraps where the page is narrow, after its name if any."""
    if name is not None:
        # In em, so that the label grows with its letters.
        label = ipywidgets.Label(name, style={"font_weight": "bold"}, layout={"width": "4.6em"})
        widgets = [label, *widgets]
    return ipywidgets.HBox(list(widgets), layout={"flex_flow": "row wrap"})
