"""The scaling lab: how much more work a larger world is, for one agent and another."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.experiments import STUDIES
from eubrl_edu.labs.agent_picker import AgentPicker
from eubrl_edu.labs.controls import choice_slider, dropdown
from eubrl_edu.labs.race_controls import WHO
from eubrl_edu.labs.scaling_run import ScalingMemory, find_store
from eubrl_edu.labs.scaling_state import (
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
from eubrl_edu.labs.scaling_words import describe
from eubrl_edu.labs.slices import finish
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.plotting.legend import rows_needed
from eubrl_edu.plotting.scaling import ScalingPicture, legend_names
from eubrl_edu.validation import require_choice

PICTURES_ON_THE_WAY = 20
USUAL_LEGEND_ROWS = 2


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
    slow = ("study", "agents", "largest", "seeds", "reference")
    figure_inches = (10.0, 6.4)
    rows = (
        ("World", ("study", "largest")),
        ("Agents", ("agents",)),
        ("Show", ("seeds", "reference", "presentation")),
        (None, ("notes",)),
        (None, ("progress", "run_button", "stop_button", "status")),
    )

    def __init__(self, store: str | Path | None = None, **settings: Any) -> None:
        self.memory = ScalingMemory(find_store(store))
        self.notes = ipywidgets.HTML()
        study = settings.get("study")
        if study in SCALING_STUDIES:
            settings = {"largest": FIRST_LARGEST[STUDIES[study].environment]} | settings
        super().__init__(**settings)
        self.run_button.tooltip = "Compute the runs that are missing"
        self.stop_button.tooltip = "Stop computing; the runs that are done stay"
        self._say_who_is_left_out()

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
                {name: WHO.get(name, "Takes part") for name in COMPARED},
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

    def view(self, params: ScalingParams, prepared: ScalingState) -> ScalingState:
        """Return what was prepared: every control is part of it."""
        return prepared

    def state_for(self, params: ScalingParams) -> ScalingState:
        """Return what is known; only a lab that starts first runs what is missing."""
        return self.compute(params) if self.state is None else self.memory.state(params)

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

    def draw(self, state: ScalingState) -> None:
        """Move what moves."""
        self.panels.draw(state)

    def describe(self, state: ScalingState) -> str:
        """Return the numbers in words."""
        return describe(state)

    # ---- how controls answer -------------------------------------------------------------

    def set(self, **values: Any) -> None:
        """Set several controls at once, and return when all their runs are done."""
        study = values.get("study", self.controls["study"].value)
        if study in SCALING_STUDIES and study != self.controls["study"].value:
            values = {"largest": FIRST_LARGEST[STUDIES[study].environment]} | values
        for name in values:
            require_choice("control", name, self.controls)
        try:
            wanted = replace(self.params, **values)
        except ValueError as error:
            self.complain(error, self._next_generation())
            return
        with self._quietly():
            self._offer_sizes(wanted.study, wanted.largest)
        super().set(**values)
        self._say_who_is_left_out()

    def on_change(self, name: str) -> None:
        """Show at once what is known; what is missing waits for Run."""
        if name == "study":
            study = self.controls["study"].value
            with self._quietly():
                self._offer_sizes(study, FIRST_LARGEST[STUDIES[study].environment])
            self._say_who_is_left_out()
        if self._work is not None:
            self.start_work()  # those who wait go on with what they asked for last
        self.refresh()

    def refresh_now(self) -> None:
        """Run what is missing, to its end, and show the result."""
        self._end_work("")
        try:
            finish(self.prepare(self.params))
        except ValueError as error:
            self.complain(error, self._next_generation())
        else:
            self.refresh()

    def start_work(self) -> None:
        """Run what is missing, in slices."""
        super().start_work()
        if self._work is not None:
            self.status.value = "Computing; the picture fills as runs are done."

    def stop_work(self) -> None:
        """Stop; the runs that are done stay."""
        with self._lock:
            if self._work is None:
                return
            self._end_work(f"Stopped at {self.progress.value:.0%}. The runs that are done stay.")
        self.refresh()

    def _on_progress(self, fraction: float) -> None:
        # A picture costs about as much as a slice of work: twenty of them on the way are enough.
        is_next = int(PICTURES_ON_THE_WAY * fraction) != int(
            PICTURES_ON_THE_WAY * self.progress.value
        )
        super()._on_progress(fraction)
        if is_next and self._work is not None:
            self.refresh()

    def _offer_sizes(self, study: str, largest: int) -> None:
        """Give the slider the sizes of a study, and set it to one of them."""
        slider, sizes = self.controls["largest"], sizes_of(study)
        if tuple(slider.options) != sizes:
            slider.options = sizes
        slider.value = largest

    def _say_who_is_left_out(self) -> None:
        """Grey out who cannot take part, and say why."""
        study = self.controls["study"].value
        reasons = {name: why_not_in(study, name) for name in COMPARED}
        for name, switch in self.controls["agents"].switches.items():
            switch.disabled = reasons[name] is not None
        words = "; ".join(f"{name} ({reason})" for name, reason in reasons.items() if reason)
        self.notes.value = f"<small>Greyed out: {words}.</small>" if words else ""
