"""What a scaling lab shows, in words and a table."""

import numpy as np

from eubrl_edu.labs.readout import table
from eubrl_edu.labs.scaling.scene import Curve, ScalingState, Spot


def describe(state: ScalingState) -> str:
    """Return the numbers of the picture: a row for each agent, a column for each size."""
    study, params = state.study, state.params
    lines = [
        f"{study.title}, {params.seeds} runs of each agent and size up to {params.largest}."
        " Mean [95 % interval], ≥ where not every run solved it."
    ]
    rows = [_curve_cells(curve, state.sizes) for curve in state.curves]
    rows.append({"agent": "a run ends"} | _by_size(state.sizes, state.limits))
    if not np.isnan(state.reference).all():
        rows.append({"agent": f"line {params.reference}"} | _by_size(state.sizes, state.reference))
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


def _curve_cells(curve: Curve, sizes) -> dict[str, str]:
    spots = {spot.size: _spot(spot) for spot in curve.spots}
    cells = spots | dict.fromkeys(curve.too_large, "too long")
    return {"agent": curve.name} | {f"{size}": cells.get(size, "") for size in sizes}


def _spot(spot: Spot) -> str:
    mean, n, solved = spot.cost, len(spot.solved), sum(spot.solved)
    if solved == 0:
        return f"none of {n}"
    if solved < n:
        return f"≥ {_whole(mean.value)} ({solved} of {n})"
    if np.isnan(mean.low) or mean.low == mean.high:
        return _whole(mean.value)
    return f"{_whole(mean.value)} [{_whole(mean.low)}, {_whole(mean.high)}]"


def _by_size(sizes, values) -> dict[str, str]:
    return {f"{size}": _whole(value) for size, value in zip(sizes, values, strict=True)}


def _whole(value: float) -> str:
    return f"{value:.0f}" if value < 1e6 else f"{value:.1e}"
