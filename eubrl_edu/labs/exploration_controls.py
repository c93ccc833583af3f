"""The controls of the exploration lab."""

import ipywidgets

from eubrl_edu.labs.exploration_run import ExplorationParams
from eubrl_edu.labs.exploration_settings import LAB_AGENTS, PLAN_EVERY
from eubrl_edu.labs.world_controls import prior_controls, run_controls, world_controls
from eubrl_edu.uncertainty import MEASURES


def build_controls(start: ExplorationParams) -> dict[str, ipywidgets.Widget]:
    """Return a widget for each field of ``ExplorationParams``, at the values of ``start``."""
    return {
        **world_controls(start, "The world that the agent has to explore"),
        "agent": ipywidgets.Dropdown(
            options=list(LAB_AGENTS),
            value=start.agent,
            description="agent",
            tooltip="Who explores",
            layout={"width": "12em"},
        ),
        **prior_controls(start, follow=False),
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
        **run_controls(start, "Seed of all chance: the same seed, the same run"),
        "time": ipywidgets.IntSlider(
            value=start.time,
            min=0,
            max=max(start.steps, 1),
            description="time",
            tooltip="The moment to look at: steps taken so far",
            layout={"width": "36em"},
        ),
    }
