"""The controls of the exploration lab."""

import ipywidgets

from eubrl_edu.labs.controls import dropdown, int_slider
from eubrl_edu.labs.exploration_run import ExplorationParams
from eubrl_edu.labs.exploration_settings import LAB_AGENTS, PLAN_EVERY
from eubrl_edu.labs.world_controls import prior_controls, run_controls, world_controls
from eubrl_edu.uncertainty import MEASURES


def build_controls(start: ExplorationParams) -> dict[str, ipywidgets.Widget]:
    """Return a widget for each field of ``ExplorationParams``."""
    return {
        **world_controls(start, "The world that the agent has to explore"),
        "agent": dropdown(LAB_AGENTS, "agent", "Who explores", width="12em"),
        **prior_controls(follow=False),
        "uncertainty": dropdown(
            MEASURES, "measure", "How epistemic uncertainty is measured", width="16em"
        ),
        "plan_every": dropdown(
            PLAN_EVERY, "plan every", "Steps from one plan to the next", width="12em"
        ),
        **run_controls("Seed of all chance: the same seed, the same run"),
        "time": int_slider(
            0,
            max(start.steps, 1),
            "time",
            "The moment to look at: steps taken so far",
            width="36em",
        ),
    }
