"""A row of switches, one for each agent: who takes part."""

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import ipywidgets
import traitlets


class AgentPicker(ipywidgets.HBox):
    """Switches whose ``value`` is the names that are on, in the order of the switches.

    Parameters
    ----------
    choices : mapping to str
        Each name, or what has one, with what its switch says when the mouse rests on it.
    value : sequence of str
        The names that are on at first.
    description, tooltip : str
        What the row is called, and what it does.
    """

    value = traitlets.Tuple()
    description = traitlets.Unicode()
    tooltip = traitlets.Unicode()

    def __init__(
        self, choices: Mapping[str, str], value: Sequence[str], description: str, tooltip: str
    ) -> None:
        self.style = SimpleNamespace()  # a lab sets widths there, and a row of switches has none
        self.switches = {
            name: ipywidgets.ToggleButton(
                description=str(name), tooltip=words, layout={"width": "auto", "min_width": "4.5em"}
            )
            for name, words in choices.items()
        }
        super().__init__(
            list(self.switches.values()),
            layout={"flex_flow": "row wrap"},
            description=description,
            tooltip=tooltip,
        )
        self._show(value)
        self.value = tuple(value)
        for switch in self.switches.values():
            switch.observe(self._on_switch, names="value")
        self.observe(lambda change: self._show(change["new"]), names="value")

    @traitlets.validate("value")
    def _in_order(self, proposal: Any) -> tuple[str, ...]:
        return tuple(name for name in self.switches if name in proposal["value"])

    def _show(self, names: Sequence[str]) -> None:
        self._is_showing = True
        try:
            for name, switch in self.switches.items():
                switch.value = name in names
                switch.icon = "check" if name in names else ""
        finally:
            self._is_showing = False

    def _on_switch(self, change: Any) -> None:
        # A whole value sets the switches one by one; only a hand on a switch sets the value.
        if not self._is_showing:
            self.value = tuple(name for name, switch in self.switches.items() if switch.value)
