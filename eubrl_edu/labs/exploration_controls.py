"""The controls of the exploration lab."""

import ipywidgets

from eubrl_edu.environments import WORLDS
from eubrl_edu.labs.exploration_run import ExplorationParams
from eubrl_edu.labs.exploration_settings import (
    LAB_AGENTS,
    LARGEST_SIZES,
    MOST_STEPS,
    PLAN_EVERY,
)
from eubrl_edu.uncertainty import MEASURES


def build_controls(start: ExplorationParams) -> dict[str, ipywidgets.Widget]:
    """Return a widget for each field of ``ExplorationParams``, at the values of ``start``."""
    wide = {"width": "19em"}
    return {
        "world": ipywidgets.Dropdown(
            options=list(WORLDS),
            value=start.world,
            description="world",
            tooltip="The world that the agent has to explore",
            layout={"width": "12em"},
        ),
        "size": ipywidgets.IntSlider(
            value=start.size,
            min=1,
            max=LARGEST_SIZES.get(start.world, 8),
            description="size",
            tooltip="Number of loops, or length N of the sea or of half the lazy chain",
            continuous_update=False,
            layout={"width": "16em"},
        ),
        "stochastic": ipywidgets.Checkbox(
            value=start.stochastic,
            description="stochastic",
            tooltip="Moves may go wrong (deep sea and lazy chain)",
            indent=False,
            layout={"width": "8em"},
        ),
        "agent": ipywidgets.Dropdown(
            options=list(LAB_AGENTS),
            value=start.agent,
            description="agent",
            tooltip="Who explores",
            layout={"width": "12em"},
        ),
        "alpha": _log_slider(
            start.alpha, -8, 1, "α", "Prior pseudo-count of every next state", wide
        ),
        "beta0": _log_slider(
            start.beta0, -4, 1, "β₀", "Prior on rewards: small means little to unlearn", wide
        ),
        "eta": _log_slider(
            start.eta, -3, 3, "η", "How much reward the largest uncertainty is worth", wide, ".2g"
        ),
        "uncertainty": ipywidgets.Dropdown(
            options=list(MEASURES),
            value=start.uncertainty,
            description="measure",
            tooltip="How epistemic uncertainty is measured",
            layout={"width": "16em"},
        ),
        "plan_every": ipywidgets.Dropdown(
            options=list(PLAN_EVERY),
            value=start.plan_every,
            description="plan every",
            tooltip="Steps from one plan to the next",
            layout={"width": "12em"},
        ),
        "seed": ipywidgets.IntText(
            value=start.seed,
            description="seed",
            tooltip="Seed of all chance: the same seed, the same run",
            layout={"width": "8em"},
        ),
        "steps": ipywidgets.IntText(
            value=start.steps,
            description="steps",
            tooltip=f"Length of the run, from 1 to {MOST_STEPS}",
            layout={"width": "9em"},
        ),
        "time": ipywidgets.IntSlider(
            value=start.time,
            min=0,
            max=max(start.steps, 1),
            description="time",
            tooltip="The moment to look at: steps taken so far",
            layout={"width": "36em"},
        ),
    }


def _log_slider(
    value: float,
    low: int,
    high: int,
    name: str,
    words: str,
    layout: dict[str, str],
    readout_format: str = ".1e",
) -> ipywidgets.FloatLogSlider:
    return ipywidgets.FloatLogSlider(
        value=value,
        base=10,
        min=low,
        max=high,
        step=0.1 if high - low < 8 else 0.25,
        readout_format=readout_format,
        description=name,
        tooltip=words,
        continuous_update=False,
        layout=layout,
    )
