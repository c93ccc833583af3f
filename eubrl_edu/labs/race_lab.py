"""The race lab: several agents in the same world under the same luck, many seeds and one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.environments import WORLDS
from eubrl_edu.experiments import AGENT_NAMES, make_agent
from eubrl_edu.labs.exploration_settings import (
    DEFAULT_STEPS,
    LARGEST_SIZES,
    left_out,
    suggested,
)
from eubrl_edu.labs.race_controls import build_controls
from eubrl_edu.labs.race_run import RaceMemory, RaceRun
from eubrl_edu.labs.race_state import RaceParams, RaceState, why_not_here
from eubrl_edu.labs.race_words import describe
from eubrl_edu.labs.rows import named_row
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.plotting.race import RacePicture


class RaceLab(SlowLab):
    """Let several agents live in the same world under the same luck, and compare them.

    The upper row shows many runs of each agent: return over time, return at the end, and who has
    solved the world by when. The lower row shows one run of each, step by step: return, share of
    the pairs tried, and mean P_U.

    Parameters
    ----------
    **settings
        Values to start with, by the names of the fields of `RaceParams`. What is left out of the
        size, the prior and η suits the world and the agent that is tuned (the paper's settings).

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that its control does not allow.
    """

    Params = RaceParams
    slow = (
        "world",
        "size",
        "stochastic",
        "agents",
        "seeds",
        "seed",
        "steps",
        "tuned",
        "eta",
        "alpha",
        "beta0",
    )
    # A change of one of these brings back the paper's values for the sliders.
    leading = ("world", "size", "stochastic", "tuned")
    figure_inches = (12.0, 7.4)

    def __init__(self, **settings: Any) -> None:
        leading = {name: settings[name] for name in self.leading if name in settings}
        leading = {"world": RaceParams.world} | leading
        if leading["world"] in WORLDS and leading.get("tuned", "EUBRL") in AGENT_NAMES:
            steps = {"steps": DEFAULT_STEPS[leading["world"]]}
            settings = _suggested(**leading) | steps | settings
        self.memory = RaceMemory()
        self.notes = ipywidgets.HTML()
        super().__init__(**settings)
        self._arrange()
        self._say_what_is_left_out()

    # ---- controls ------------------------------------------------------------------------

    def build_controls(self, start: RaceParams) -> dict[str, ipywidgets.Widget]:
        """Return the controls of world, agents, luck and settings."""
        return build_controls(start)

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return the way back to the paper's settings."""
        self.paper_button = ipywidgets.Button(
            description="Paper's settings",
            tooltip="Set η, α and β₀ of the tuned agent to the paper's values for this world",
            icon="undo",
            layout={"width": "auto"},
        )
        self.paper_button.on_click(lambda button: self.restore_suggested())
        return [self.paper_button]

    def _arrange(self) -> None:
        controls = self.controls
        for name in ("eta", "alpha", "beta0"):
            controls[name].layout.width = "17em"
        self.children = [
            named_row("World", [controls[name] for name in ("world", "size", "stochastic")]),
            named_row("Agents", list(controls["agents"].switches.values())),
            named_row("Runs", [controls[name] for name in ("seeds", "steps", "seed", "show")]),
            named_row(
                "Tune",
                [controls[name] for name in ("tuned", "eta", "alpha", "beta0")]
                + [self.paper_button],
            ),
            self.notes,
            ipywidgets.HBox(
                [self.run_button, self.stop_button, self.progress, self.presentation, self.status],
                layout={"flex_flow": "row wrap"},
            ),
            self.picture,
            self.readout,
        ]

    # ---- what is computed ----------------------------------------------------------------

    def prepare(self, params: RaceParams) -> RaceRun:
        """Run the race; what was run before is remembered."""
        return RaceRun(params, self.memory)

    def view(self, params: RaceParams, prepared: RaceState) -> RaceState:
        """Return the race, as it is to be shown."""
        return replace(prepared, params=replace(prepared.params, show=params.show))

    # ---- what is shown -------------------------------------------------------------------

    def structure(self, state: RaceState) -> tuple:
        """The artists serve as long as the world, the agents, the length and what is shown stay."""
        params = state.params
        names = tuple(racer.name for racer in state.racers)
        return names, params.world, params.size, params.stochastic, params.steps, params.show

    def build(self, figure: Figure, state: RaceState) -> Sequence[Artist]:
        """Draw the panels."""
        self.panels = RacePicture(figure, state)
        return self.panels.moving

    def draw(self, state: RaceState) -> None:
        """Move what moves."""
        self.panels.draw(state)

    def describe(self, state: RaceState) -> str:
        """Return the race in words."""
        return describe(state)

    # ---- how controls answer -------------------------------------------------------------

    def set(self, **values: Any) -> None:
        """Set several controls at once; what is left out suits a new world or tuned agent."""
        if any(name in values for name in self.leading):
            present = {name: self.controls[name].value for name in self.leading}
            if values.get("world", present["world"]) != present["world"]:
                del present["size"]
            given = {name: values[name] for name in self.leading if name in values}
            values = _suggested(**present | given) | values
        with self._quietly():
            self._make_room(values)
        super().set(**values)
        self._say_what_is_left_out()

    def on_change(self, name: str) -> None:
        """Answer a change; a new world or tuned agent brings the paper's settings with it."""
        if name in self.leading:
            self.restore_suggested(new_world=name == "world")
        else:
            super().on_change(name)

    def restore_suggested(self, new_world: bool = False) -> None:
        """Set what suits the world and the tuned agent, and run."""
        leading = {name: self.controls[name].value for name in self.leading}
        if new_world:
            leading["size"] = None
        values = _suggested(**leading)
        if new_world:
            values["steps"] = DEFAULT_STEPS[leading["world"]]
        with self._quietly():
            self._make_room(leading | values)
            for name, value in values.items():
                self.controls[name].value = value
        self._say_what_is_left_out()
        self.start_work()

    def stop_work(self) -> None:
        """Stop the race; the picture goes back to the last whole one."""
        super().stop_work()
        self.refresh()

    def _on_progress(self, fraction: float) -> None:
        super()._on_progress(fraction)
        with self._lock:
            work = self._work
            if work is None or not work.work.has_first or work.work.was_shown:
                return
            # A first look at few seeds, so that the picture follows a slider that moves.
            work.work.was_shown = True
            first = replace(work.work.so_far(), params=self.params)
            self._show(first, self._next_generation())

    def _make_room(self, values: dict[str, Any]) -> None:
        if "world" in values:
            self.controls["size"].max = LARGEST_SIZES.get(values["world"], 8)

    def _say_what_is_left_out(self) -> None:
        """Grey out what has no effect, and say why."""
        params = self.params
        try:
            env = params.make_env()
            absent = {
                name: reason
                for name in AGENT_NAMES
                if (reason := why_not_here(name, params, env)) is not None
            }
            agent = make_agent(params.tuned, env, **params.settings_of(params.tuned))
            reasons = left_out(params.world, params.tuned, agent)
        except ValueError:  # the run answers this one in the readout
            absent, reasons = {}, {}
        for name, switch in self.controls["agents"].switches.items():
            switch.disabled = name in absent
        sliders = ("size", "stochastic", "eta", "alpha", "beta0")
        for name in sliders:
            self.controls[name].disabled = name in reasons
        words = [
            f"{self.controls[name].description} ({reasons[name]})"
            for name in sliders
            if name in reasons
        ]
        words += [f"{name} ({reason})" for name, reason in absent.items()]
        self.notes.value = f"<small>Greyed out: {'; '.join(words)}.</small>" if words else ""


def _suggested(**leading: Any) -> dict[str, Any]:
    """The paper's values for the controls, by world and tuned agent."""
    values = suggested(agent=leading.pop("tuned", RaceParams.tuned), **leading)
    return {name: values[name] for name in ("size", "stochastic", "eta", "alpha", "beta0")}
