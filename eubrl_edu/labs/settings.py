"""The settings of a lab, declared: where each starts, its control, its name and what it does.

``eta: float = log_slider(1.0, -1, 1, "η", "What a unit of uncertainty is worth")`` among the fields
of a ``Params`` says all of a setting in one place. `Settings` refuses what it cannot be, and
`eubrl_edu.labs.controls.widget_of` makes the control: there is no widget in here.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

import numpy as np

from eubrl_edu.names import require_choice
from eubrl_edu.validation import require_finite, require_positive_int, shown

SLIDER_WIDTH = "214px"  # four stand in a row
Check = Callable[[str, Any], Any]


@dataclass(frozen=True)
class Control:
    """A control, declared.

    Attributes
    ----------
    kind : str
        The name of its class.
    check : callable
        Of the name of a setting and its value: raises ``ValueError`` for what it cannot be.
    traits : mapping
        What the widget is made with; a callable is called with the ``Params`` to start with.
    """

    kind: str
    check: Check
    traits: Mapping[str, Any]


class Settings:
    """The base of every ``Params``: a value that a setting cannot have is refused.

    Where a slider ends is no limit here: what lies beyond can be computed, too.
    """

    def __post_init__(self) -> None:
        for each in fields(self):
            each.metadata["control"].check(each.name, getattr(self, each.name))


def require_setting(params: type, name: str, value: Any) -> None:
    """Raise ``ValueError`` for what no setting can be, before anything else is made of it."""
    control_of(params, name).check(name, value)


def control_of(params: type, name: str) -> Control:
    """Return the control that is declared for a setting, or raise ``ValueError``."""
    declared = {each.name: each.metadata["control"] for each in fields(params)}
    return declared[require_choice("setting", name, declared)]


def with_settings(docstring: str, params: type[Settings]) -> str:
    """Return the docstring of a lab, with the settings that it takes and what they do."""
    parts = [
        inspect.cleandoc(docstring),
        "",
        "Parameters",
        "----------",
        "prediction : Prediction, optional",
        "    What is asked first; picture and words are covered until it is answered.",
    ]
    for each in fields(params):
        kind = getattr(each.type, "__name__", each.type)
        tooltip = each.metadata["control"].traits["tooltip"]
        parts += [f"{each.name} : {kind}, default {each.default!r}", f"    {tooltip}."]
    parts += ["", "Raises", "------", "ValueError"]
    return "\n".join(
        [*parts, "    If a setting has an unknown name or a value that is not allowed."]
    )


def setting(
    start: Any,
    kind: str,
    check: Check,
    description: str,
    tooltip: str,
    *,
    width: str | None = SLIDER_WIDTH,
    **traits: Any,
) -> Any:
    """Declare a setting with a control of any kind; those below are the usual ones."""
    traits |= {"description": description, "tooltip": tooltip, "layout": {"width": width}}
    return field(default=start, metadata={"control": Control(kind, check, traits)})


def slider(
    start: float, low: float, high: float, *words: str, step: float = 0.1, **look: Any
) -> Any:
    """Declare a real number, and its slider; ``words`` are description and tooltip."""
    look |= {"step": step, "readout_format": ".1f" if step >= 0.1 else ".2f"}
    return setting(start, "FloatSlider", require_finite, *words, min=low, max=high, **look)


def log_slider(
    start: float, low: float, high: float, *words: str, step: float = 0.1, **look: Any
) -> Any:
    """Declare a number above 0, and its slider from 10^``low`` to 10^``high``."""
    look = {"step": step, "readout_format": ".3g"} | look
    return setting(start, "FloatLogSlider", require_finite, *words, min=low, max=high, **look)


def int_slider(start: int, low: int, high: int, *words: str, step: int = 1, **look: Any) -> Any:
    """Declare a whole number, from 0 on or from 1 on, and its slider."""
    check = partial(require_positive_int, at_least=min(low, 1))
    return setting(start, "IntSlider", check, *words, min=low, max=high, step=step, **look)


def choice_slider(start: Any, options: Iterable[Any], *words: str, **look: Any) -> Any:
    """Declare a slider that stands at one of these values."""
    check = partial(_require_option, options=options)
    return setting(start, "SelectionSlider", check, *words, options=tuple(options), **look)


def dropdown(
    start: Any, options: Iterable[Any], *words: str, width: str | None = None, **look: Any
) -> Any:
    """Declare a list to choose from; a width in em grows with its letters."""
    check = partial(_require_option, options=options)
    return setting(start, "Dropdown", check, *words, width=width, options=list(options), **look)


def number_box(start: int, high: int, *words: str, width: str | None = None) -> Any:
    """Declare a whole number from 0 on, and its box."""
    check = partial(require_positive_int, at_least=0)
    return setting(start, "BoundedIntText", check, *words, width=width, min=0, max=high)


def seed_box(tooltip: str, start: int = 0) -> Any:
    """Declare the seed of all chance."""
    return number_box(start, 9999, "seed", tooltip, width="110px")


def switches(start: tuple, choices: Any, description: str, tooltip: str) -> Any:
    """Declare which of these are on, for a ``Params`` that checks it; each has words of its own."""
    traits = {"choices": choices, "description": description, "tooltip": tooltip}
    return field(default=start, metadata={"control": Control("AgentPicker", accept, traits)})


def accept(name: str, value: Any) -> None:
    """Leave the check to others."""


def _require_option(name: str, value: Any, options: Iterable[Any]) -> None:
    """Raise ``ValueError`` for what is none of these; of names, it has the closest one."""
    if all(isinstance(option, str) for option in options):
        require_choice(name, value, options)
    elif not isinstance(value, bool | int | float | str | np.generic) or value not in options:
        raise ValueError(f"{name} must be one of {tuple(options)}, got {shown(value)}")
