"""The scaling lab: how much more work a larger world is, for one agent and another."""

from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from eubrl_edu.experiments import STUDIES
from eubrl_edu.labs.controls import AgentSwitches
from eubrl_edu.labs.readout import table
from eubrl_edu.labs.scaling import scene
from eubrl_edu.labs.scaling.picture import ScalingPicture, legend_names
from eubrl_edu.labs.scaling.run import ScalingMemory, find_store
from eubrl_edu.labs.scaling.scene import (
    COMPARED,
    FIRST_LARGEST,
    SCALING_STUDIES,
    Curve,
    Params,
    Spot,
    State,
    sizes_of,
    why_not_in,
)
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.plotting.legend import settled_rows
from eubrl_edu.plotting.names import counted, in_powers


class ScalingLab(AgentSwitches, SlowLab):
    """Compare how the cost of solving a world grows with its size.

    Above, the steps or episodes that each run took to solve the world, and their mean; below, the
    share of the runs that solved it. What is stored or was run before appears at once. What is
    missing runs when the lab starts, and after that when *Run* is pressed.

    Parameters
    ----------
    store : str or path, optional
        A file written by ``run_study(..., store=...)``, which is only read. Left out: the results
        that come with the package's source, if they are there.
    **settings
        Values to start with, by the names of the fields of ``Params``.

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that is not allowed, or the store is not there.
    """

    scene = scene
    Picture = ScalingPicture
    slow = ("study", "agents", "largest", "seeds", "reference")
    figure_inches = (10.0, 6.4)
    follows = waits = True
    leading = ("study",)
    situations = {
        "Deep sea": (
            "Who finds the treasure, and how many episodes it takes as the sea gets larger",
            Params(),
        ),
        "Deep sea with chance": (
            "The same sea, where moves and rewards vary",
            Params(study="deepsea-stochastic", agents=("EUBRL", "EUBRL+"), reference="none"),
        ),
        "Many loops": (
            "More and more loops: how many steps until the best one has paid 11 times",
            Params(study="loop-scaling", reference="S·A·m"),
        ),
        "Lazy chain": (
            "A reward at the end of a long walk on which every step costs",
            Params(
                study="lazychain-deterministic",
                agents=("EUBRL", "RMAX", "BEB"),
                largest=20,
                reference="S·A·m",
            ),
        ),
    }
    rows = (
        ("World", ("study", "largest")),
        ("Agents", ("agent_switches", "other_switches")),
        ("Show", ("seeds", "reference")),
    )
    question = ("study", "largest", "agent_switches")

    def __init__(self, store: str | Path | None = None, **settings: Any) -> None:
        self.store = store
        self.memory = ScalingMemory(find_store(store))
        super().__init__(**settings)
        self.run_button.tooltip = "Compute the runs that are missing"
        self.stop_button.tooltip = "Stop computing; the runs that are done stay"

    def made_with(self) -> Mapping[str, Any]:
        """Return the store as it was named, if it was."""
        return {} if self.store is None else {"store": str(self.store)}

    # ---- what is computed ----------------------------------------------------------------

    def prepare(self, params: Params) -> Generator[float, None, State]:
        """Run what is missing."""
        return self.memory.prepare(params)

    def view(self, params: Params, prepared: State | None) -> State:
        """Return all that is known: what is stored, and what has run by now."""
        return self.memory.view(params)

    # ---- what is shown -------------------------------------------------------------------

    def structure(self, state: State) -> int:
        """The artists serve whatever is shown, as long as the legend has room."""
        names = legend_names(state)
        return settled_rows(names, self.figure_inches[0], self.presentation.value)

    def describe(self, state: State) -> str:
        """Return the numbers of the picture: a row for each agent, a column for each size."""
        study, params = state.study, state.params
        lines = [
            f"{study.title}, {params.seeds} runs of each agent at each size up to {params.largest},"
            " unless a cell says otherwise. Mean [95% interval]; where only some solved it, ≥ mean"
            " (how many did)."
        ]
        sizes = params.sizes
        rows = [_curve_cells(curve, params) for curve in state.curves]
        rows.append({"agent": "(a run ends at)"} | _by_size(sizes, state.limits))
        if not np.isnan(state.reference).all():
            rows.append({"agent": f"line {params.reference}"} | _by_size(sizes, state.reference))
        lines.append(table(rows))
        lines += [f"{name} takes no part: {reason}." for name, reason in state.absent.items()]
        notes = []
        if state.missing:
            runs = "1 run is" if state.missing == 1 else f"{state.missing} runs are"
            notes.append(f"{runs} still missing: press Run.")
        if any(curve.too_large for curve in state.curves):
            notes.append("Too long: a run of this size takes too long here, and none is stored.")
        lines += [" ".join(notes)] if notes else []
        if state.trouble:
            lines.append(f"⚠ {state.trouble}. The lab goes on without it.")
        return "\n".join(lines)

    # ---- how controls answer -------------------------------------------------------------

    def brings(self, moved: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Another study brings its sizes, and what to compare with."""
        if moved.get("study") not in SCALING_STUDIES:
            return {}
        # 2^N is what chance alone would take in the sea that the lab begins with.
        reference = "2^N" if moved["study"] == self.Params.study else "none"
        largest = FIRST_LARGEST[STUDIES[moved["study"]].environment]
        return {"largest": largest, "reference": reference}

    def at_rest(self, params: Params) -> dict[str, str]:
        """Return who cannot take part, and why."""
        reasons = {name: why_not_in(params.study, name) for name in COMPARED}
        return {name: reason for name, reason in reasons.items() if reason}

    def ranges(self, values: Mapping[str, Any], state: Any) -> dict[str, dict[str, Any]]:
        """The sizes are those of the study."""
        return {"largest": {"options": sizes_of(values["study"])}}


def _curve_cells(curve: Curve, params: Params) -> dict[str, str]:
    spots = {spot.size: _spot(spot, params.seeds) for spot in curve.spots}
    cells = spots | dict.fromkeys(curve.too_large, "too long")
    return {"agent": curve.name} | {f"{size}": cells.get(size, "") for size in params.sizes}


def _spot(spot: Spot, asked: int) -> str:
    mean, n, solved = spot.cost, len(spot.solved), sum(spot.solved)
    if solved == 0:
        return f"none of {n}"
    if solved < n:
        return f"≥ {_whole(mean.value)} ({solved} of {n})"
    runs = "" if n == asked else f", {counted(n, 'run')}"
    if np.isnan(mean.low) or mean.low == mean.high:
        return f"{_whole(mean.value)}{runs}"
    return f"{_whole(mean.value)} [{_whole(mean.low)}, {_whole(mean.high)}]{runs}"


def _by_size(sizes, values) -> dict[str, str]:
    return {f"{size}": _whole(value) for size, value in zip(sizes, values, strict=True)}


def _whole(value: float) -> str:
    return f"{value:,.0f}" if value < 1e6 else in_powers(value)
