"""The scaling lab: how much more work a larger world is, for one agent and another."""

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.experiments import AGENTS, STUDIES
from eubrl_edu.labs.agent_picker import AgentPicker
from eubrl_edu.labs.controls import choice_slider, dropdown
from eubrl_edu.labs.scaling.picture import ScalingPicture, legend_names
from eubrl_edu.labs.scaling.run import ScalingMemory, find_store
from eubrl_edu.labs.scaling.scene import (
    COMPARED,
    FIRST_LARGEST,
    REFERENCES,
    SCALING_STUDIES,
    SEED_COUNTS,
    ScalingParams,
    ScalingState,
    sizes_of,
    why_not_in,
)
from eubrl_edu.labs.scaling.words import describe
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.plotting.legend import rows_needed

USUAL_LEGEND_ROWS = 2

SITUATIONS = {
    "Deep sea": (
        "Who finds the treasure, and how many episodes it takes as the sea gets larger",
        ScalingParams(),
    ),
    "Deep sea with chance": (
        "The same sea, where moves and rewards vary",
        ScalingParams(study="deepsea-stochastic", agents=("EUBRL", "EUBRL+"), reference="none"),
    ),
    "Many loops": (
        "More and more loops: how many steps it takes to find the best one",
        ScalingParams(study="loop-scaling", reference="S·A·m"),
    ),
    "Lazy chain": (
        "A reward at the end of a long walk on which every step costs",
        ScalingParams(
            study="lazychain-deterministic",
            agents=("EUBRL", "RMAX", "BEB"),
            largest=20,
            reference="S·A·m",
        ),
    ),
}


class ScalingLab(SlowLab):
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
        Values to start with, by the names of the fields of `ScalingParams`.

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that is not allowed, or the store is not there.
    """

    Params = ScalingParams
    describe = staticmethod(describe)
    slow = ("study", "agents", "largest", "seeds", "reference")
    figure_inches = (10.0, 6.4)
    follows = waits = True
    leading = ("study",)
    situations = SITUATIONS
    rows = (
        ("World", ("study", "largest")),
        ("Agents", ("agents",)),
        ("Show", ("seeds", "reference")),
    )
    question = ("study", "largest", "agents")

    def __init__(self, store: str | Path | None = None, **settings: Any) -> None:
        self.memory = ScalingMemory(find_store(store))
        super().__init__(**settings)
        self.run_button.tooltip = "Compute the runs that are missing"
        self.stop_button.tooltip = "Stop computing; the runs that are done stay"

    # ---- controls ------------------------------------------------------------------------

    def build_controls(self, start: ScalingParams) -> dict[str, ipywidgets.Widget]:
        """Return the controls of the experiment, the agents and the line to compare with."""
        return {
            "study": dropdown(
                SCALING_STUDIES,
                "study",
                "The experiment: which world, and what counts as solved",
                width="19em",
            ),
            "agents": AgentPicker(
                {name: AGENTS[name].about for name in COMPARED},
                start.agents,
                description="agents",
                tooltip="Who takes part: switch agents on and off",
            ),
            "largest": choice_slider(
                sizes_of(start.study),
                "up to size",
                "The largest world: number of loops, or N of the sea or the lazy chain",
                width="20em",
            ),
            "seeds": dropdown(
                SEED_COUNTS,
                "runs",
                "How many runs of each agent at each size: the seeds 0, 1, 2, ...",
                width="8em",
            ),
            "reference": dropdown(REFERENCES, "line", "A line to compare with", width="10em"),
        }

    # ---- what is computed ----------------------------------------------------------------

    def prepare(self, params: ScalingParams) -> Generator[float, None, ScalingState]:
        """Run what is missing."""
        return self.memory.run_missing(params)

    def view(self, params: ScalingParams, prepared: ScalingState | None) -> ScalingState:
        """Return all that is known: what is stored, and what has run by now."""
        return self.memory.state(params)

    # ---- what is shown -------------------------------------------------------------------

    def structure(self, state: ScalingState) -> int:
        """The artists serve whatever is shown, as long as the legend has room."""
        width, _ = self.figure_inches
        rows = rows_needed(legend_names(state), width, self.presentation.value)
        return max(USUAL_LEGEND_ROWS, rows)

    def build(self, figure: Figure, state: ScalingState) -> Sequence[Artist]:
        """Draw the panels."""
        self.panels = ScalingPicture(figure, legend_rows=self.structure(state))
        return self.panels.moving

    # ---- how controls answer -------------------------------------------------------------

    def brings(self, moved: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Another study brings its sizes."""
        if moved.get("study") not in SCALING_STUDIES:
            return {}
        return {"largest": FIRST_LARGEST[STUDIES[moved["study"]].environment]}

    def at_rest(self, params: ScalingParams) -> dict[str, str]:
        """Return who cannot take part, and why."""
        reasons = {name: why_not_in(params.study, name) for name in COMPARED}
        return {name: reason for name, reason in reasons.items() if reason}

    def ranges(self, values: Mapping[str, Any], state: Any) -> dict[str, dict[str, Any]]:
        """The sizes are those of the study."""
        return {"largest": {"options": sizes_of(values["study"])}}
