"""The exploration lab: an agent in a world, step by step, and all it thinks on the way."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.environments import WORLDS, make_env
from eubrl_edu.experiments import make_agent
from eubrl_edu.experiments.explored_run import ExplorationState, ExploredRun
from eubrl_edu.labs.controls import dropdown
from eubrl_edu.labs.exploration_controls import build_controls
from eubrl_edu.labs.exploration_run import ExplorationParams, ExplorationRun
from eubrl_edu.labs.exploration_settings import LAB_AGENTS, left_out, suggested
from eubrl_edu.labs.exploration_words import describe
from eubrl_edu.labs.slow_lab import Player
from eubrl_edu.labs.world_lab import WorldLab
from eubrl_edu.plotting.exploration import ExplorationPicture
from eubrl_edu.validation import require_choice


class ExplorationLab(WorldLab):
    """Watch an agent explore: run it once, then step, play or scrub through time.

    Five panels show its own plan at that time: the world with the visits, P_U and Q of each pair,
    the rewards of the actions at hand, and the return against the optimum.

    Parameters
    ----------
    **settings
        Values to start with, by the names of the fields of `ExplorationParams`. What is left out
        of the size, the prior and η suits the world and the agent (the paper's settings).
        ``world`` may also be an environment of one's own, with discrete spaces and a published
        table of transitions: what an agent does is measured against the optimum.

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that its control does not allow.
    """

    Params = ExplorationParams
    slow = (
        "world",
        "size",
        "stochastic",
        "agent",
        "alpha",
        "beta0",
        "eta",
        "uncertainty",
        "plan_every",
        "seed",
        "steps",
    )
    leading = ("world", "size", "stochastic", "agent")
    figure_inches = (12.0, 7.2)
    rows = (
        (None, ("world", "size", "stochastic", "agent", "seed", "steps")),
        (None, ("alpha", "beta0", "eta", "uncertainty", "plan_every", "paper_button")),
        (None, ("notes",)),
        (None, ("run_button", "stop_button", "progress", "status")),
        (None, ("time", "player", "stride", "presentation")),
    )

    # ---- controls ------------------------------------------------------------------------

    def build_controls(self, start: ExplorationParams) -> dict[str, ipywidgets.Widget]:
        """Return the controls of the run, then the time."""
        return build_controls(start)

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return the player, the length of its steps, and the way back to the paper's settings."""
        self.player = Player(self.controls["time"])
        self.stride = dropdown(
            [1, 5, 25, 100],
            "stride",
            "How many steps of time Play, Step and the keys take at once",
            width="8em",
        )
        self.stride.style.description_width = "initial"
        self.stride.observe(self._on_stride, names="value")
        return [self.player, self.stride, *super().build_actions()]

    # ---- what is computed ----------------------------------------------------------------

    def prepare(self, params: ExplorationParams) -> ExplorationRun:
        """Run the agent."""
        return ExplorationRun(params)

    def view(self, params: ExplorationParams, prepared: ExploredRun) -> ExplorationState:
        """Return the moment, lived again; the last one if the run is shorter."""
        return prepared.at(min(params.time, len(prepared)))

    # ---- what is shown -------------------------------------------------------------------

    def structure(self, state: ExplorationState) -> tuple:
        """The artists serve as long as world and agent stay the same."""
        env = state.run.env
        return type(env), env.n_states, getattr(env, "stochastic", None), state.run.agent_name

    def build(self, figure: Figure, state: ExplorationState) -> Sequence[Artist]:
        """Draw the panels."""
        self.panels = ExplorationPicture(figure, state)
        return self.panels.artists

    def draw(self, state: ExplorationState) -> None:
        """Move what moves."""
        self.panels.move(state)

    def describe(self, state: ExplorationState) -> str:
        """Return the moment in words."""
        return describe(state)

    # ---- how controls answer -------------------------------------------------------------

    def suggested(self, **leading: Any) -> dict[str, Any]:
        """Return the paper's values for this world and this agent."""
        if isinstance(leading["world"], gymnasium.Env):
            _require_table(leading["world"])
        else:
            require_choice("world", leading["world"], WORLDS)
        require_choice("agent", leading.get("agent", self.Params.agent), LAB_AGENTS)
        return suggested(**leading)

    def left_out(self) -> dict[str, str]:
        """Return which controls have no effect in this world and for this agent, and why."""
        params = self.params
        return left_out(params.world, params.agent, make_agent(params.agent, params.make_env()))

    def refresh(self) -> None:
        """Show the state, after fitting the time to the length of the run."""
        if self._prepared is not None:
            steps = len(self._prepared[1])
            with self._quietly():
                self.controls["time"].max = steps
        super().refresh()

    def stop_work(self) -> None:
        """Stop the run; what it has done so far can be looked through."""
        with self._lock:
            work = self._work
            if work is None:
                return
            run = work.work.so_far()
            if run is None:
                super().stop_work()
                return
            work.stop()
            work.on_done(run)
            self.progress.value = len(run) / work.work.params.steps
            self.status.value = f"Stopped: {len(run)} of {work.work.params.steps} steps to look at."

    def make_room(self, values: dict[str, Any]) -> None:
        """Give the sliders the ranges that these values need."""
        super().make_room(values)
        time = self.controls["time"]
        time.max = max(time.max, values.get("steps", 1))

    def _on_stride(self, change: Any) -> None:
        self.controls["time"].step = change["new"]


def _require_table(env: gymnasium.Env) -> None:
    """Raise ``ValueError`` where the environment does not say all about itself."""
    world = make_env(env)
    if world.model is None or world.initial_states is None:
        raise ValueError(
            "world must publish its transitions P and its initial_state_distrib, as Gymnasium's "
            f"toy environments do, to find the optimum; {env!r} does not"
        )
