"""What a scaling lab shows, in words."""

import numpy as np

from eubrl_edu.labs.scaling.scene import Curve, ScalingState, Spot


def describe(state: ScalingState) -> str:
    """Return the numbers of the picture in words."""
    study, params = state.study, state.params
    lines = [
        f"{study.title}. Up to size {params.largest}, {params.seeds} runs of each agent and size."
    ]
    lines += [_curve_words(curve, state) for curve in state.curves]
    lines.append(_limits(state))
    if not np.isnan(state.reference).all():
        values = _pairs(state.sizes, [_whole(value) for value in state.reference])
        lines.append(f"Line to compare with, {params.reference}: {values}.")
    lines += [f"{name} takes no part: {reason}." for name, reason in state.absent.items()]
    if state.missing:
        runs = "1 run is" if state.missing == 1 else f"{state.missing} runs are"
        lines.append(f"{runs} still missing: press Run.")
    if state.trouble:
        lines.append(f"⚠ {state.trouble}. The lab goes on without it.")
    return "\n".join(lines)


def _curve_words(curve: Curve, state: ScalingState) -> str:
    words = f"{curve.name}, {state.measure} to solve by size: "
    words += ", ".join(_spot(spot) for spot in curve.spots) or "no run yet"
    if curve.too_large:
        sizes = ", ".join(map(str, curve.too_large))
        words += f". Size {sizes}: a run takes too long here, and none is stored"
    return words + "."


def _spot(spot: Spot) -> str:
    mean, n, solved = spot.cost, len(spot.solved), sum(spot.solved)
    if solved == 0:
        return f"{spot.size}: none of {n} solved it"
    if solved < n:
        return f"{spot.size}: above {_whole(mean.value)} ({solved} of {n} solved it)"
    if np.isnan(mean.low) or mean.low == mean.high:
        return f"{spot.size}: {_whole(mean.value)}"
    return f"{spot.size}: {_whole(mean.value)} [{_whole(mean.low)}, {_whole(mean.high)}]"


def _limits(state: ScalingState) -> str:
    ends = _pairs(state.sizes, [_whole(value) for value in state.limits])
    return f"A run that solves nothing ends after so many {state.measure}: {ends}."


def _pairs(sizes, values) -> str:
    return ", ".join(f"{size}: {value}" for size, value in zip(sizes, values, strict=True))


def _whole(value: float) -> str:
    return f"{value:.0f}" if value < 1e6 else f"{value:.1e}"
