"""BoundsLab: every term of the paper's bounds on one picture, and a real run beside them."""

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.environments import make_env
from eubrl_edu.labs.bounds_run import (
    AGENTS,
    DISCOUNTS,
    EPSILON_POWERS,
    LARGEST_SHARE,
    MOST_ACTIONS,
    MOST_STATES,
    PICTURES,
    STEPS_POWERS,
    WORLDS,
    BoundsParams,
    RealRun,
    real_run,
)
from eubrl_edu.labs.bounds_state import BoundsState, bounds_beside
from eubrl_edu.labs.bounds_words import describe
from eubrl_edu.labs.controls import (
    choice_slider,
    dropdown,
    int_slider,
    log_slider,
    seed_box,
    slider,
)
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.plotting.bounds import BoundsPicture
from eubrl_edu.validation import require_choice


class BoundsLab(SlowLab):
    """How much the paper's bounds promise, which term weighs most, and how a real run does.

    Regret(T) and the number of steps that are not ε-optimal, with the explicit constants of
    "Regret Analysis" and "Sample Complexity" and R_max = 1. The bounds follow the sliders at
    once. The run beside them is done, in slices, for each new γ, world, agent or seed.

    Parameters
    ----------
    **settings
        Values to start with, by the names of the fields of `BoundsParams`; S and A are the world's
        where they are left out.

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that is not allowed.
    """

    Params = BoundsParams
    slow = ("world", "agent", "seed", "discount")
    figure_inches = (10.0, 6.2)
    rows = (
        ("Bound", ("n_states", "n_actions", "discount", "delta", "resistance_share")),
        ("Look", ("picture", "steps", "epsilon")),
        ("Run", ("world", "agent", "seed")),
        (None, ("run_button", "stop_button", "progress", "presentation", "status")),
    )

    def __init__(self, **settings: Any) -> None:
        self._runs: dict[tuple, RealRun] = {}
        if "world" in settings:
            settings = _size_of(require_choice("world", settings["world"], WORLDS)) | settings
        super().__init__(**settings)
        self._show_what_acts()

    # ---- controls ------------------------------------------------------------------------

    def build_controls(self, start: BoundsParams) -> dict[str, ipywidgets.Widget]:
        """Return the controls of the bound, then those of the run."""
        power = partial(log_slider, readout_format=".2g")
        return {
            "picture": dropdown(
                PICTURES, "show", "Regret over time, or bad steps over accuracy", width="16em"
            ),
            "n_states": int_slider(1, MOST_STATES, "S", "Number of states"),
            "n_actions": int_slider(1, MOST_ACTIONS, "A", "Number of actions"),
            "discount": choice_slider(DISCOUNTS, "γ", "Discount: 1/(1 − γ) steps ahead count"),
            "delta": power(-6, 0, "δ", "Probability with which the bound may fail", step=0.5),
            "resistance_share": slider(
                0.0,
                LARGEST_SHARE,
                "Ψ",
                "What epistemic resistance takes off: 46/63 where every P_U is 1 for ever",
                step=LARGEST_SHARE / 20,
            ),
            "steps": power(*STEPS_POWERS, "T", "The steps to look at closely", width="300px"),
            "epsilon": power(
                *EPSILON_POWERS, "ε", "The accuracy to look at, in R_max", width="300px"
            ),
            "world": dropdown(
                WORLDS, "world", "Where the real run takes place; sets S and A", width="11em"
            ),
            "agent": dropdown(
                AGENTS,
                "agent",
                "Whose run it is: with the paper's settings for this world, or with the η of the "
                "theorem",
                width="18em",
            ),
            "seed": seed_box("Seed of all chance in the run"),
        }

    # ---- what is computed ----------------------------------------------------------------

    def prepare(self, params: BoundsParams) -> Generator[float, None, RealRun]:
        """Do the run, or remember it."""
        key = _run_of(params)
        if key not in self._runs:
            self._runs[key] = yield from real_run(params)
        return self._runs[key]

    def view(self, params: BoundsParams, prepared: RealRun | None) -> BoundsState:
        """Return the bounds, and the run if there is one."""
        return bounds_beside(params, prepared)

    def state_for(self, params: BoundsParams) -> BoundsState:
        """The bounds follow every control at once, and so does a run that was done before."""
        if self._prepared is None:
            return super().state_for(params)
        return self.view(params, self._runs.get(_run_of(params)))

    # ---- what is shown -------------------------------------------------------------------

    def build(self, figure: Figure, state: BoundsState) -> Sequence[Artist]:
        """Draw the axes; the artists serve for both pictures."""
        self.bounds_picture = BoundsPicture(figure, self.presentation.value)
        return self.bounds_picture.moving

    def draw(self, state: BoundsState) -> None:
        """Move what moves."""
        self.bounds_picture.draw(state)

    def describe(self, state: BoundsState) -> str:
        """Return the numbers in words."""
        return describe(state)

    # ---- how controls answer -------------------------------------------------------------

    def set(self, **values: Any) -> None:
        """Set several controls at once; a new world brings its size."""
        if values.get("world") in WORLDS:
            values = _size_of(values["world"]) | values
        super().set(**values)

    def on_change(self, name: str) -> None:
        """Show the bounds at once, and start the run where it was not done before."""
        if name == "world":
            self.put(_size_of(self.controls["world"].value))
        self.refresh()
        if name in self.slow:
            self._end_work("")
            if self.state.run is None:
                self.start_work()

    def refresh(self) -> None:
        """Show the state, and only those controls that have a say in it."""
        super().refresh()
        self._show_what_acts()

    def _show_what_acts(self) -> None:
        # T says with how many steps the bad ones are compared; the other two belong to one bound.
        is_regret = self.state.is_regret
        self.controls["epsilon"].layout.display = "none" if is_regret else None
        self.controls["resistance_share"].layout.display = None if is_regret else "none"


def _run_of(params: BoundsParams) -> tuple:
    """What a run depends on."""
    return params.world, params.agent, params.discount, params.seed


def _size_of(world: str) -> dict[str, int]:
    name, size = WORLDS[require_choice("world", world, WORLDS)]
    env = make_env(name, size=size)
    return {"n_states": env.n_states, "n_actions": env.n_actions}
