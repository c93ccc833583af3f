"""DecompositionLab: the regret of each step, taken apart as the paper's proofs do."""

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.labs import controls
from eubrl_edu.labs.decomposition_state import (
    CRITICAL_VISITS,
    DISCOUNTS,
    MOST_STEPS,
    WORLDS,
    DecomposedRun,
    DecompositionParams,
    DecompositionState,
    decomposed_run,
    rewards_are_known,
    suggested,
)
from eubrl_edu.labs.decomposition_words import describe
from eubrl_edu.labs.slow_lab import Player, SlowLab
from eubrl_edu.plotting.decomposition import DecompositionPicture
from eubrl_edu.validation import require_choice


class DecompositionLab(SlowLab):
    """Where the regret of a step comes from, along a run of EUBRL in a small world.

    V* − V^π = (V* − Ṽ) + (Ṽ − V^t) + (V^t − V^π): quasi-optimism, complexity and accuracy (the
    paper, "Regret Decomposition"), all four value functions solved exactly at every step. With
    them the epistemic resistance, the bound of the step's regret and the events that it needs.
    Ṽ has the theorem's m and Υ, or an m of choice with the Υ that the learner's η leaves.

    Parameters
    ----------
    **settings
        Values to start with, by the names of the fields of `DecompositionParams`; the prior and η
        are the paper's for the world where they are left out.

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that is not allowed.
    """

    Params = DecompositionParams
    slow = ("world", "alpha", "beta0", "eta", "discount", "seed", "steps", "lambda_", "m")
    figure_inches = (12.0, 7.2)
    rows = (
        ("Run", ("world", "alpha", "beta0", "eta", "seed", "steps")),
        ("Theory", ("discount", "lambda_", "m")),
        (None, ("run_button", "stop_button", "progress", "status")),
        ("Look", ("time", "player", "presentation")),
    )

    def __init__(self, **settings: Any) -> None:
        if "world" in settings:
            settings = suggested(require_choice("world", settings["world"], WORLDS)) | settings
        super().__init__(**settings)
        self._fit()

    # ---- controls ------------------------------------------------------------------------

    def build_controls(self, start: DecompositionParams) -> dict[str, ipywidgets.Widget]:
        """Return the controls of the run, of the theory, then the time."""
        late = {"continuous_update": False, "width": "260px"}
        log_slider = partial(controls.log_slider, readout_format=".2g", **late)
        return {
            "world": controls.dropdown(
                WORLDS,
                "world",
                "Where the agent lives; brings the paper's prior and η for it",
                width="13em",
            ),
            "alpha": log_slider(-8, 1, "α", "Prior pseudo-count of every next state"),
            "beta0": log_slider(
                -4,
                1,
                "β₀",
                "How much the prior expects rewards to vary; grey where it is told the rewards",
            ),
            "eta": log_slider(-2, 3, "η", "How much a unit of uncertainty is worth"),
            "discount": controls.choice_slider(
                DISCOUNTS, "γ", "Discount: 1/(1 − γ) steps ahead count", width="240px"
            ),
            "seed": controls.seed_box("Seed of all chance: the same seed, the same run"),
            "steps": controls.int_slider(
                10, MOST_STEPS, "steps", "Length of the run", step=10, **late
            ),
            "lambda_": log_slider(
                -2, 0, "λ", "How tight the theory wants to be: small asks for many visits"
            ),
            "m": controls.dropdown(
                CRITICAL_VISITS,
                "m",
                "Visits of a pair from which on Ṽ has another reward than the agent",
                width="12em",
            ),
            "time": controls.int_slider(
                1,
                max(start.steps, start.time),
                "step",
                "The step of the run to look at",
                width="460px",
            ),
        }

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return the player of the steps."""
        self.player = Player(self.controls["time"])
        return [self.player]

    # ---- what is computed ----------------------------------------------------------------

    def prepare(self, params: DecompositionParams) -> Generator[float, None, DecomposedRun]:
        """Do the run, and take it apart."""
        return decomposed_run(params)

    def view(self, params: DecompositionParams, prepared: DecomposedRun) -> DecompositionState:
        """Return the step; the last one where the run is shorter."""
        return DecompositionState(prepared, min(params.time, len(prepared)))

    # ---- what is shown -------------------------------------------------------------------

    def build(self, figure: Figure, state: DecompositionState) -> Sequence[Artist]:
        """Draw the panels."""
        self.panels = DecompositionPicture(figure, state)
        return self.panels.moving

    def draw(self, state: DecompositionState) -> None:
        """Move what moves."""
        self.panels.draw(state)

    def describe(self, state: DecompositionState) -> str:
        """Return the step in words."""
        return describe(state)

    # ---- how controls answer -------------------------------------------------------------

    def set(self, **values: Any) -> None:
        """Set several controls at once; a new world brings the paper's prior and η."""
        if values.get("world") in WORLDS:
            values = suggested(values["world"]) | values
        with self._quietly():
            self.controls["time"].max = max(self.controls["time"].max, values.get("steps", 1))
        super().set(**values)
        self._fit()

    def on_change(self, name: str) -> None:
        """Answer a change; a new world brings the paper's prior and η."""
        if name == "world":
            self.put(suggested(self.controls["world"].value))
        super().on_change(name)

    def refresh(self) -> None:
        """Show the state, after fitting the time to the length of the run."""
        self._fit()
        super().refresh()

    def _fit(self) -> None:
        """Let the time end where the run does, and grey out β₀ where rewards are known."""
        with self._quietly():
            self.controls["time"].max = len(self._prepared[1])
        self.controls["beta0"].disabled = rewards_are_known(self.params.world)
