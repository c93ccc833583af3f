"""The race lab: several agents in the same world under the same luck, many seeds and one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.environments import WORLDS
from eubrl_edu.experiments import AGENT_NAMES, make_agent
from eubrl_edu.labs.exploration_settings import left_out, suggested
from eubrl_edu.labs.race_controls import build_controls
from eubrl_edu.labs.race_run import RaceMemory, RaceRun
from eubrl_edu.labs.race_state import TUNABLE, RaceParams, RaceState, why_not_here
from eubrl_edu.labs.race_words import describe
from eubrl_edu.labs.slow_lab import Player
from eubrl_edu.labs.world_lab import WorldLab
from eubrl_edu.plotting.legend import rows_needed
from eubrl_edu.plotting.race import RacePicture, legend_names
from eubrl_edu.validation import require_choice

USUAL_LEGEND_ROWS = 2


class RaceLab(WorldLab):
    """Let several agents live in the same world under the same luck, and compare them.

    The upper row shows many runs of each agent: return over time, return at the end, and who has
    solved the world by when. The lower row shows one run of each, step by step: return, share of
    the pairs tried, and mean P_U; it can be stopped at any time, and played.

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
    leading = ("world", "size", "stochastic", "tuned")
    figure_inches = (12.0, 7.4)
    rows = (
        ("World", ("world", "size", "stochastic")),
        ("Agents", ("agent_switches",)),
        ("Runs", ("seeds", "steps")),
        ("Watch", ("seed", "show", "until", "player")),
        ("Tune", ("tuned", "eta", "alpha", "beta0", "paper_button")),
        (None, ("notes",)),
        (None, ("run_button", "stop_button", "progress", "presentation", "status")),
    )

    def __init__(self, **settings: Any) -> None:
        self.memory = RaceMemory()
        super().__init__(**settings)

    # ---- controls ------------------------------------------------------------------------

    def build_controls(self, start: RaceParams) -> dict[str, ipywidgets.Widget]:
        """Return the controls of world, agents, luck and settings."""
        return build_controls(start)

    @property
    def agent_switches(self) -> Sequence[ipywidgets.Widget]:
        """The switches of the agents: so many wrap better without the picker around them."""
        return list(self.controls["agents"].switches.values())

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return the player of the watched run, and the way back to the paper's settings."""
        self.player = Player(self.controls["until"])
        return [self.player, *super().build_actions()]

    # ---- what is computed ----------------------------------------------------------------

    def prepare(self, params: RaceParams) -> RaceRun:
        """Run the race; what was run before is remembered."""
        return RaceRun(params, self.memory)

    def view(self, params: RaceParams, prepared: RaceState) -> RaceState:
        """Return the race, as it is to be shown."""
        shown = replace(prepared.params, show=params.show, until=params.until)
        return replace(prepared, params=shown)

    # ---- what is shown -------------------------------------------------------------------

    def structure(self, state: RaceState) -> int:
        """The artists serve whatever is shown, as long as the legend has room."""
        names = legend_names([racer.name for racer in state.racers])
        rows = rows_needed(names, self.figure_inches[0], self.presentation.value)
        return max(USUAL_LEGEND_ROWS, rows)

    def build(self, figure: Figure, state: RaceState) -> Sequence[Artist]:
        """Draw the panels."""
        self.panels = RacePicture(figure, legend_rows=self.structure(state))
        return self.panels.moving

    def draw(self, state: RaceState) -> None:
        """Move what moves."""
        self.panels.draw(state)

    def describe(self, state: RaceState) -> str:
        """Return the race in words."""
        return describe(state)

    # ---- how controls answer -------------------------------------------------------------

    def suggested(self, **leading: Any) -> dict[str, Any]:
        """Return the paper's values for this world and the agent that is tuned."""
        require_choice("world", leading["world"], WORLDS)
        tuned = require_choice("tuned", leading.pop("tuned", self.Params.tuned), TUNABLE)
        values = suggested(agent=tuned, **leading)
        return {name: values[name] for name in ("size", "stochastic", "eta", "alpha", "beta0")}

    def left_out(self) -> dict[str, str]:
        """Return which controls and which agents have no part in this world, and why."""
        params = self.params
        env = params.make_env()
        agent = make_agent(params.tuned, env, **params.settings_of(params.tuned))
        controls = left_out(params.world, params.tuned, agent)
        agents = {name: why_not_here(name, params, env) for name in AGENT_NAMES}
        return {name: why for name, why in controls.items() if name in self.controls} | {
            name: why for name, why in agents.items() if why is not None
        }

    def grey_out(self, names: Sequence[str]) -> None:
        """Disable the controls and the switches of these names, and no others."""
        super().grey_out(names)
        for name, switch in self.controls["agents"].switches.items():
            switch.disabled = name in names

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
