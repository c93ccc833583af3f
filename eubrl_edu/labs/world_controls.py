"""Controls that labs with a world of their choice share."""

from typing import Any

import ipywidgets

from eubrl_edu.environments import WORLDS
from eubrl_edu.labs.exploration_settings import LARGEST_SIZES, MOST_STEPS
from eubrl_edu.plotting.names import world_title


def world_controls(start: Any, tooltip: str) -> dict[str, ipywidgets.Widget]:
    """Return widgets for the fields ``world``, ``size`` and ``stochastic`` of ``start``.

    A world that is no name but an environment is one choice more.
    """
    own = [] if start.world in WORLDS else [(world_title(start.world), start.world)]
    return {
        "world": ipywidgets.Dropdown(
            options=[*((name, name) for name in WORLDS), *own] if own else list(WORLDS),
            value=start.world,
            description="world",
            tooltip=tooltip,
            layout={"width": "12em"},
        ),
        "size": ipywidgets.IntSlider(
            value=start.size,
            min=1,
            max=largest_size(start.world),
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
    }


def run_controls(start: Any, seed_tooltip: str) -> dict[str, ipywidgets.Widget]:
    """Return widgets for the fields ``seed`` and ``steps`` of ``start``."""
    return {
        "seed": ipywidgets.IntText(
            value=start.seed,
            description="seed",
            tooltip=seed_tooltip,
            layout={"width": "8em"},
        ),
        "steps": ipywidgets.IntText(
            value=start.steps,
            description="steps",
            tooltip=f"Length of a run, from 1 to {MOST_STEPS}",
            layout={"width": "9em"},
        ),
    }


def prior_controls(start: Any, follow: bool) -> dict[str, ipywidgets.Widget]:
    """Return sliders for the fields ``alpha``, ``beta0`` and ``eta`` of ``start``.

    With ``follow`` they answer while they move, else when they are let go.
    """

    def slider(name: str, low: int, high: int, description: str, tooltip: str, form: str):
        return ipywidgets.FloatLogSlider(
            value=getattr(start, name),
            base=10,
            min=low,
            max=high,
            step=0.1 if high - low < 8 else 0.25,
            readout_format=form,
            description=description,
            tooltip=tooltip,
            continuous_update=follow,
            layout={"width": "17em"},
        )

    return {
        "alpha": slider("alpha", -8, 1, "α", "Prior pseudo-count of every next state", ".1e"),
        "beta0": slider(
            "beta0", -4, 1, "β₀", "Prior on rewards: small means little to unlearn", ".1e"
        ),
        "eta": slider("eta", -3, 3, "η", "How much reward the largest uncertainty is worth", ".2g"),
    }


def largest_size(world: str) -> int:
    """Where the slider of the size ends."""
    return LARGEST_SIZES.get(world, 8)
