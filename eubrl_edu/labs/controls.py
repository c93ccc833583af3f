"""What the labs' controls look like, and how they start and keep their values."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import ipywidgets
import numpy as np
import traitlets

from eubrl_edu.labs.settings import Control, require_setting
from eubrl_edu.names import require_choice
from eubrl_edu.validation import shown


def widget_of(control: Control, start: Any) -> ipywidgets.Widget:
    """Make a declared control of a lab that begins with the ``Params`` ``start``."""
    kind = AgentPicker if control.kind == "AgentPicker" else getattr(ipywidgets, control.kind)
    return kind(**traits_of(control, start))


def traits_of(control: Control, params: Any) -> dict[str, Any]:
    """What a declared control is made with in a lab at these ``Params``."""
    return {k: v(params) if callable(v) else v for k, v in control.traits.items()}


def controls_for(
    params: type, settings: Mapping[str, Any], brings: Callable[[Mapping, Mapping], Mapping]
) -> dict[str, ipywidgets.Widget]:
    """Make what ``params`` declares, standing at the settings and at what those bring with them."""
    defaults = {field.name: field.default for field in fields(params)}
    for name, value in settings.items():
        require_setting(params, name, value)
    start = params(**brings(settings, defaults | settings) | settings)
    controls = {each.name: widget_of(each.metadata["control"], start) for each in fields(start)}
    for name, control in controls.items():
        stand_at(control, name, getattr(start, name))
        control.style.description_width = "initial"
    return controls


def button(
    description: str, tooltip: str, action: Callable[[], None], **traits: Any
) -> ipywidgets.Button:
    """Return a button, as wide as its words, that does ``action``."""
    layout = {"width": "auto"}
    made = ipywidgets.Button(description=description, tooltip=tooltip, layout=layout, **traits)
    made.on_click(lambda clicked: action())
    return made


@contextmanager
def told_last(controls: Iterable[ipywidgets.Widget]) -> Iterator[None]:
    """Tell the page of what changes at these controls in here only when all else has been sent.

    So the new picture, which is what one looks at, need not wait for a row of sliders to move.
    """
    with ExitStack() as held:
        for control in controls:
            held.enter_context(control.hold_sync())
        yield


class AgentPicker(ipywidgets.HBox):
    """Switches whose ``value`` is the names that are on, in the order of the switches.

    Parameters
    ----------
    choices : mapping to str
        Each name, or what has one, with what its switch says when the mouse rests on it.
    description, tooltip : str
        What the row is called, and what it does.
    """

    value = traitlets.Tuple()
    description = traitlets.Unicode()
    tooltip = traitlets.Unicode()

    def __init__(self, choices: Mapping[str, str], description: str, tooltip: str) -> None:
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
        self._is_showing = False
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


class AgentSwitches:
    """The part of a lab that shows the switches of its ``agents`` in two rows.

    They wrap better there than in their picker.
    """

    @property
    def agent_switches(self) -> Sequence[ipywidgets.Widget]:
        """The switches of those that take part at first."""
        picker = self.controls["agents"]
        return [picker.switches[name] for name in picker.value]

    @property
    def other_switches(self) -> Sequence[ipywidgets.Widget]:
        """The switches of all others, whom the page has yet to introduce."""
        picker = self.controls["agents"]
        return [switch for name, switch in picker.switches.items() if name not in picker.value]


def stand_at(control: ipywidgets.Widget, name: str, value: Any) -> None:
    """Set the control of ``name`` to ``value``, or raise ``ValueError`` where it cannot be."""
    if not _takes(control, value):
        raise ValueError(f"{name} must be {_allowed(control, name, value)}, got {shown(value)}")


def _takes(control: ipywidgets.Widget, value: Any) -> bool:
    """Set the control to ``value``; whether it stands there then."""
    try:
        control.value = bool(value) if isinstance(value, np.bool_) else value
    except (traitlets.TraitError, TypeError):  # the second from traitlets' own words for ()
        return False
    # A slider moves, silently, what is outside its range to an end of it.
    kept = control.value
    if isinstance(control, AgentPicker):  # it puts them in its own order
        return len(kept) == len(value)
    return kept == value or (isinstance(value, float) and math.isclose(kept, value))


def choices_of(control: ipywidgets.Widget) -> list:
    """Return the values of a list, whether or not it has words of its own for them."""
    return [each[1] if isinstance(each, tuple) else each for each in control.options]


def _allowed(control: ipywidgets.Widget, name: str, value: Any) -> str:
    """What a control can stand at, in words; of names, an error with the closest one."""
    if hasattr(control, "options"):
        choices = choices_of(control)
        if all(isinstance(choice, str) for choice in choices):
            require_choice(name, value, choices)
        return f"one of {', '.join(map(str, choices))}"
    if isinstance(control, AgentPicker):
        return f"some of {', '.join(map(str, control.switches))}, each once"
    if isinstance(control, ipywidgets.Checkbox | ipywidgets.ToggleButton):
        return "True or False"
    if not hasattr(control, "max"):
        return "an integer"
    low, high = slider_ends(type(control).__name__, control.min, control.max)
    return f"from {low:g} to {high:g}"


def slider_ends(kind: str, low: float, high: float) -> tuple[float, float]:
    """The least and the largest value of a slider; a logarithmic one is given powers of 10."""
    return (10.0**low, 10.0**high) if kind == "FloatLogSlider" else (low, high)


def require_within_ends(kind: str, traits: Mapping[str, Any], name: str, value: Any) -> None:
    """Raise ``ValueError`` where ``value`` lies beyond the ends of a control with these traits."""
    if "max" in traits:
        low, high = slider_ends(kind, traits["min"], traits["max"])
        is_end = any(math.isclose(value, end) for end in (low, high))
        if not (low <= value <= high or is_end):
            raise ValueError(f"{name} must be from {low:g} to {high:g}, got {shown(value)}")


def is_same_place(control: ipywidgets.Widget, new: Any, value: Any) -> bool:
    """Whether a slider of real numbers stands where it stood.

    The browser moves a value that is not on the slider's grid, were it by the last digit of a
    float, to the next place that is, as soon as the slider is shown. Nobody has moved it, so the
    value stays what it was. A value that somebody typed is seldom on the grid, and counts.
    """
    if isinstance(control, ipywidgets.FloatLogSlider):
        new, value = math.log(new, control.base), math.log(value, control.base)
    elif not isinstance(control, ipywidgets.FloatSlider):
        return False
    moved = abs(new - value) / control.step
    place = (new - control.min) / control.step
    is_on_grid = abs(place - round(place)) < 1e-3
    return moved < 1e-3 or (moved < 0.501 and is_on_grid)


def allow(control: ipywidgets.Widget, traits: Mapping[str, Any]) -> None:
    """Give a control these traits; of new options it keeps its value, where they have it."""
    for name, value in traits.items():
        if getattr(control, name) != value:
            kept = control.value
            try:
                setattr(control, name, value)
            except traitlets.TraitError as error:
                raise ValueError(f"{control.description} cannot have {name} {value!r}") from error
            if name == "options" and kept in value:
                control.value = kept


def why_at_rest(controls: Mapping[str, ipywidgets.Widget], reasons: Mapping[str, str]) -> str:
    """Grey out the controls, and the switches of controls, that ``reasons`` names; say why."""
    for name, control in controls.items():
        if control.has_trait("disabled"):
            control.disabled = name in reasons
        for choice, switch in getattr(control, "switches", {}).items():
            switch.disabled = choice in reasons
    words = "; ".join(
        f"{controls[name].description if name in controls else name} ({why})"
        for name, why in reasons.items()
    )
    # Folded up: with many agents the reasons are longer than the controls.
    why = "<summary>Why some are greyed out</summary>"
    return f"<small><details>{why}{words}.</details></small>" if words else ""
