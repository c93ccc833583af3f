"""The base of labs that let agents live in a world of one's choice, and the controls they share."""

from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets

from eubrl_edu.environments import WORLDS
from eubrl_edu.labs.controls import button, dropdown, int_slider, log_slider
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.labs.world_settings import LARGEST_SIZES, MOST_STEPS, USUAL_STEPS
from eubrl_edu.plotting.names import world_title


class WorldLab(SlowLab):
    """A lab in which a new world, or a new agent, brings the paper's settings with it.

    Beside what `SlowLab` asks for, a subclass names in ``leading`` the controls that bring them
    (``world`` and ``size`` among them), and writes `suggested`.
    """

    def suggested(self, **leading: Any) -> dict[str, Any]:
        """Return values for the controls that suit these of the leading ones, size included."""
        raise NotImplementedError

    def brings(self, moved: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the paper's settings for another world or another agent."""
        if set(moved).isdisjoint(self.leading):
            return {}
        leading = {name: values[name] for name in self.leading}
        if "world" not in moved:
            return self.suggested(**leading)
        if "size" not in moved:
            del leading["size"]
        return self.suggested(**leading) | {"steps": USUAL_STEPS.get(leading["world"], 1000)}

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return the way back to the paper's settings."""
        self.paper_button = button(
            "Paper's settings",
            "Back to the paper's values for this world and this agent",
            lambda: self.load(**{name: self.controls[name].value for name in self.leading}),
            icon="undo",
        )
        return [self.paper_button]


def world_controls(start: Any, tooltip: str) -> dict[str, ipywidgets.Widget]:
    """Return widgets for the fields ``world``, ``size`` and ``stochastic`` of ``start``.

    A world that is no name but an environment is one choice more.
    """
    own = [] if start.world in WORLDS else [(world_title(start.world), start.world)]
    return {
        "world": dropdown(
            [*((name, name) for name in WORLDS), *own] if own else WORLDS,
            "world",
            tooltip,
            width="12em",
        ),
        "size": int_slider(
            1,
            largest_size(start.world),
            "size",
            "Number of loops, or length N of the sea or of half the lazy chain",
            continuous_update=False,
            width="16em",
        ),
        "stochastic": ipywidgets.Checkbox(
            description="stochastic",
            tooltip="Moves may go wrong (deep sea and lazy chain)",
            indent=False,
            layout={"width": "8em"},
        ),
    }


def run_controls(seed_tooltip: str) -> dict[str, ipywidgets.Widget]:
    """Return widgets for the fields ``seed`` and ``steps``."""
    return {
        "seed": ipywidgets.IntText(
            description="seed",
            tooltip=seed_tooltip,
            layout={"width": "8em"},
        ),
        "steps": ipywidgets.IntText(
            description="steps",
            tooltip=f"Length of a run, from 1 to {MOST_STEPS}",
            layout={"width": "9em"},
        ),
    }


def prior_controls(follow: bool) -> dict[str, ipywidgets.Widget]:
    """Return sliders for the fields ``alpha``, ``beta0`` and ``eta``.

    With ``follow`` they answer while they move, else when they are let go.
    """
    look = {"continuous_update": follow, "width": "17em"}
    small = look | {"readout_format": ".1e"}
    return {
        "alpha": log_slider(
            -8, 1, "α", "Prior pseudo-count of every next state", step=0.25, **small
        ),
        "beta0": log_slider(
            -4, 1, "β₀", "Prior on rewards: small means little to unlearn", **small
        ),
        "eta": log_slider(
            -3,
            3,
            "η",
            "How much reward the largest uncertainty is worth",
            step=0.025,  # so fine that 30 is shown as 30
            readout_format=".2g",
            **look,
        ),
    }


def largest_size(world: str) -> int:
    """Where the slider of the size ends."""
    return LARGEST_SIZES.get(world, 8)
