"""What a lab would show at other places of its controls: what pages and films are made of."""

import io
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets
import numpy as np
from PIL import Image

from eubrl_edu.labs.controls import choices_of, require_within_ends, slider_ends, traits_of
from eubrl_edu.labs.settings import control_of
from eubrl_edu.names import require_choice
from eubrl_edu.validation import MOST_LISTED, listed, shown

# How large a page or a film may become where nothing else is said.
MOST_MEGABYTES = 10.0


@dataclass(frozen=True)
class Frame:
    """A picture of a lab, and what it says in words."""

    picture: Image.Image
    words: str


def frame_at(lab: Any, params: Any, ratio: float) -> Frame:
    """Return what the lab would show for these parameters, within its `figure_in_use`."""
    try:
        state = lab.state_at(params)
    except ValueError as error:
        how = "say which values it is to take, as in over={...: [...]}"
        raise ValueError(f"{str(error).rstrip('.')}; {how}") from None
    picture = Image.open(io.BytesIO(lab.render(state, ratio)))
    return Frame(picture.convert("RGB"), lab.describe(state))


def params_over(lab: Any, values: Mapping[str, Sequence]) -> Iterator[Any]:
    """Yield the lab's parameters with its controls at each combination of these values."""
    present = vars(lab.shown_params)
    for combination in itertools.product(*values.values()):
        moved = dict(zip(values, combination, strict=True))
        wanted = present | moved
        # What stays where it is brings nothing by itself: these settings are the user's.
        leaving = {name: value for name, value in moved.items() if value != present[name]}
        brought = dict(lab.brings(leaving, wanted))
        if any(brought.get(name, value) != value for name, value in moved.items()):
            brought = dict(lab.brings(moved, wanted))  # another size than the new world's, say
        wanted |= brought | moved
        made = lab.Params(**wanted)
        ranges = lab.ranges(wanted, None)
        for name, value in moved.items():
            control = control_of(lab.Params, name)
            traits = traits_of(control, made) | ranges.get(name, {})
            require_within_ends(control.kind, traits, name, value)
        yield made


def values_over(lab: Any, over: Any, most: Mapping[int, int]) -> dict[str, list]:
    """Return the values that the named controls are to take.

    Parameters
    ----------
    lab : Lab
        The lab.
    over : str, sequence of str, or mapping of str to sequence
        The controls; a mapping also says which values of each.
    most : mapping of int to int
        How many controls there may be, and how many places of each where none are given.

    Raises
    ------
    ValueError
        If there is no such control, it has no range, no value is given, or there are too many.
    """
    given = over if isinstance(over, Mapping) else {}
    names = [over] if isinstance(over, str) else _listed(over, "controls")
    for name in names:
        _require_control(lab, name)
    # What asks for long work comes first, so that it is done once for all places of the other.
    names.sort(key=lab.is_quick)
    if len(names) not in most or len(set(names)) < len(names):
        allowed = "one control" if max(most) == 1 else "one or two different controls"
        raise ValueError(f"over must name {allowed}, got {len(names)}: {names}")
    values = {
        name: _listed(given[name], f"values of {name}")
        if name in given
        else _places(lab, name, most[len(names)])
        for name in names
    }
    for name, each in values.items():
        if not each:
            raise ValueError(f"over must hold at least one value of {name}, got none")
    return values


def _listed(values: Any, what: str) -> list:
    some = listed(values, MOST_LISTED)
    if some is None:
        raise ValueError(f"over must hold a list of {what}, got {shown(values)}")
    if len(some) > MOST_LISTED:
        raise ValueError(f"over must hold at most {MOST_LISTED:,} {what}, got {shown(values)}")
    return some


def _require_control(lab: Any, name: Any) -> None:
    try:
        require_choice("control", name, lab.controls)
    except ValueError as error:
        played = "" if lab.plays is None else f" What Play moves is {lab.plays!r}."
        raise ValueError(f"{error}{played}") from None


def _places(lab: Any, name: str, most: int) -> list:
    """At most so many places of a control, evenly apart, where it stands now among them."""
    control, present = lab.controls[name], getattr(lab.params, name)
    if hasattr(control, "options"):
        return choices_of(control)
    if isinstance(control, ipywidgets.Checkbox | ipywidgets.ToggleButton):
        return [False, True]
    if not hasattr(control, "max"):
        raise ValueError(f"{name} has no range: give its values, as in over={{{name!r}: [...]}}")
    if isinstance(control, ipywidgets.FloatLogSlider):
        powers = np.linspace(control.min, control.max, most)
        places = {float(f"{value:.3g}") for value in control.base**powers}
    elif isinstance(control, ipywidgets.FloatSlider):
        steps = round((control.max - control.min) / control.step)
        ticks = np.unique(np.linspace(0, steps, min(most, steps + 1)).round())
        places = {round(float(control.min + control.step * tick), 10) for tick in ticks}
    else:
        ticks = np.linspace(control.min, control.max, min(most, control.max - control.min + 1))
        places = {int(tick) for tick in ticks.round()}
    # The first and the last, as they were rounded, may lie beyond the ends.
    low, high = slider_ends(type(control).__name__, control.min, control.max)
    return sorted({min(max(place, low), high) for place in places} | {present})
