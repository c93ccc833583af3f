"""MisspecificationLab: two arms, a prior that is sure and wrong, and many agents that have it."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.misspecification_state import (
    MOST_STEPS,
    UNCERTAINTIES,
    MisspecificationParams,
    MisspecificationState,
    let_agents_live,
)
from eubrl_edu.labs.rows import named_row
from eubrl_edu.plotting.misspecification import MisspecificationPicture

SITUATIONS = {
    "Sure and wrong": (
        "A strong prior: half of all agents never try the better arm",
        MisspecificationParams(),
    ),
    "Open-minded": (
        "A weak prior: who is disappointed at first looks elsewhere",
        MisspecificationParams(alpha=0.1, worse=0.4),
    ),
    "Bound says nothing": (
        "A prior of a few visits: as many are stuck, and the bound is silent",
        MisspecificationParams(alpha=5.0),
    ),
    "Both poor": (
        "A worse arm that seldom pays is left sooner or later; the proof has no word on it",
        MisspecificationParams(better=0.4, worse=0.2, alpha=0.5),
    ),
    "With the root": (
        "E_b as in the algorithm, the root of the variance: weak priors are left far more often",
        MisspecificationParams(alpha=1.0, worse=0.4, uncertainty="its root"),
    ),
}


class MisspecificationLab(Lab):
    """How a prior that is sure and wrong keeps EUBRL on the worse of two arms.

    Each arm pays 1 with a probability of its own, else 0. The prior of each is Beta(α, α): it
    claims to have seen the arm pay α times, and not pay α times. Many agents with this prior pull
    the arm with the larger guided reward, all at once. Some never try the better arm. The share
    of those is held against the bound of the paper's proof ("Prior Misspecification").

    Parameters
    ----------
    **settings
        Values to start with: ``better``, ``worse``, ``alpha``, ``uncertainty``, ``n_agents``,
        ``steps``, ``confidence``, ``seed``.

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that is not allowed.
    """

    Params = MisspecificationParams
    figure_inches = (10.5, 5.2)

    def __init__(self, **settings) -> None:
        super().__init__(**settings)
        self._arrange_controls()

    def build_controls(self, start: MisspecificationParams) -> dict[str, ipywidgets.Widget]:
        def slider(name, description, tooltip):
            return ipywidgets.FloatSlider(
                value=getattr(start, name),
                min=0.05,
                max=0.95,
                step=0.05,
                readout_format=".2f",
                description=description,
                tooltip=tooltip,
            )

        def whole_slider(name, low, high, step, description, tooltip):
            return ipywidgets.IntSlider(
                value=getattr(start, name),
                min=low,
                max=high,
                step=step,
                description=description,
                tooltip=tooltip,
            )

        return {
            "better": slider("better", "μ₁ better", "How often the better arm pays"),
            "worse": slider("worse", "μ₂ worse", "How often the worse arm pays"),
            "alpha": ipywidgets.FloatLogSlider(
                value=start.alpha,
                min=-1.3,
                max=3,
                step=0.1,
                readout_format=".3g",
                description="α",
                tooltip="The prior claims α payments and α failures of each arm",
            ),
            "uncertainty": ipywidgets.Dropdown(
                options=UNCERTAINTIES,
                value=start.uncertainty,
                description="E_b is the",
                tooltip="The variance, as in the paper's proof, or its root, as in its algorithm",
                layout={"width": "17em"},
            ),
            "n_agents": whole_slider("n_agents", 50, 800, 50, "agents", "How many agents live"),
            "steps": whole_slider("steps", 10, MOST_STEPS, 10, "steps", "How long they live"),
            "confidence": slider(
                "confidence",
                "η of the proof",
                "S1 + S2 is at most this where α is beyond a1 and a2",
            ),
            "seed": ipywidgets.BoundedIntText(
                value=start.seed,
                min=0,
                max=9999,
                description="seed",
                tooltip="Another seed, other luck",
                layout={"width": "110px"},
            ),
        }

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        self.situation_buttons = []
        for name, (tooltip, params) in SITUATIONS.items():
            button = ipywidgets.Button(description=name, tooltip=tooltip, layout={"width": "auto"})
            button.on_click(partial(self._show_situation, params))
            self.situation_buttons.append(button)
        return self.situation_buttons

    def compute(self, params: MisspecificationParams) -> MisspecificationState:
        """Return what all agents did, and what the proof says of them."""
        return let_agents_live(params)

    def build(self, figure: Figure, state: MisspecificationState) -> Sequence[Artist]:
        self.agents_picture = MisspecificationPicture(figure, state)
        return self.agents_picture.moving

    def draw(self, state: MisspecificationState) -> None:
        self.agents_picture.draw(state)

    def describe(self, state: MisspecificationState) -> str:
        params, stuck = state.params, state.stuck
        return "\n".join(
            [
                f"{params.n_agents} agents, {params.steps} steps: {stuck.value:.1%}"
                f" [{stuck.low:.1%}, {stuck.high:.1%}] are stuck, they pulled the worse arm and"
                f" never the other. Exactly: {state.exact[-1]:.1%}.",
                f"In the last step {state.on_worse_arm:.1%} pull the worse arm, which pays"
                f" {params.worse:.2f}; the other pays {params.better:.2f}. So they lose"
                f" {state.loss:.2f} on average.",
                _why(state),
                *_bound(state),
            ]
        )

    def _show_situation(self, params: MisspecificationParams, button: ipywidgets.Button) -> None:
        self.set(**asdict(params))

    def _arrange_controls(self) -> None:
        control = self.controls
        rows = {
            "Belief": ("alpha", "uncertainty"),
            "World": ("better", "worse"),
            "Agents": ("n_agents", "steps", "seed"),
            "Proof": ("confidence",),
        }
        self.children = [
            *(named_row(title, [control[name] for name in names]) for title, names in rows.items()),
            named_row("Show", [*self.situation_buttons, self.presentation]),
            *self.children[1:],
        ]


def _why(state: MisspecificationState) -> str:
    untried = f"An arm never pulled is worth its uncertainty, E_max = {state.untried:.3g}."
    if state.params.rooted:
        return f"{untried} A tried arm is kept while r̂ > 2 E_max = {2 * state.untried:.3g}."
    return f"{untried} A tried arm is kept while r̂ is above s(α) = {state.enough:.3g}."


def _bound(state: MisspecificationState) -> list[str]:
    if state.bound is None:
        return [f"No bound here: {state.no_bound}."]
    bound, required = state.bound, state.required
    says = (
        f"so at least {state.least_stuck:.1%} never try the better arm"
        if bound.total < 1
        else "which is no less than 1 and says nothing"
    )
    return [
        f"Bound: S1 + S2 = {bound.early:.3g} + {bound.late:.3g} = {bound.total:.3g}, {says}.",
        f"For S1 + S2 ≤ η = {state.params.confidence:.2f}, α must be beyond a1 ="
        f" {required.late:.1f} and a2 = {required.early:.1f}. So α = {required.alpha} guarantees"
        f" (1 − η)/2 = {state.guaranteed:.1%}.",
    ]
