"""MisspecificationLab: two arms, a prior that is sure and wrong, and many agents that have it."""

from functools import partial

import ipywidgets

from eubrl_edu.labs import controls
from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.misspecification.picture import MisspecificationPicture
from eubrl_edu.labs.misspecification.scene import (
    MOST_STEPS,
    UNCERTAINTIES,
    MisspecificationParams,
    MisspecificationState,
    let_agents_live,
)

SITUATIONS = {
    "Sure and wrong": (
        "A strong prior: half of all agents never try the better arm",
        MisspecificationParams(),
    ),
    "Open-minded": (
        "A weak prior: an agent that is disappointed at first looks elsewhere",
        MisspecificationParams(alpha=0.1, worse=0.4),
    ),
    "Bound says nothing": (
        "A prior worth ten visits an arm: just as many are stuck, and the bound says nothing",
        MisspecificationParams(alpha=5.0),
    ),
    "Both poor": (
        "A worse arm that seldom pays is left sooner or later; the proof does not cover it",
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
    Picture = MisspecificationPicture
    compute = staticmethod(let_agents_live)
    figure_inches = (10.5, 5.2)
    situations = SITUATIONS
    rows = (
        ("Belief", ("alpha", "uncertainty")),
        ("World", ("better", "worse")),
        ("Agents", ("n_agents", "steps", "seed")),
        ("Proof", ("confidence",)),
    )
    question = ("alpha", "better", "worse")

    def build_controls(self, start: MisspecificationParams) -> dict[str, ipywidgets.Widget]:
        share = partial(controls.slider, 0.05, 0.95, step=0.05, width="300px")
        int_slider = partial(controls.int_slider, width="300px")
        return {
            "better": share("μ₁ better", "How often the better arm pays"),
            "worse": share("μ₂ worse", "How often the worse arm pays"),
            "alpha": controls.log_slider(
                -1.3,
                3,
                "α",
                "The prior claims α payments and α failures of each arm",
                width="300px",
            ),
            "uncertainty": controls.dropdown(
                UNCERTAINTIES,
                "E_b is the",
                "The variance, as in the paper's proof, or its root, as in its algorithm",
                width="17em",
            ),
            "n_agents": int_slider(50, 800, "agents", "How many agents live", step=50),
            "steps": int_slider(10, MOST_STEPS, "steps", "How long they live", step=10),
            "confidence": share(
                "η of the proof", "S1 + S2 is at most this where α is beyond a1 and a2"
            ),
            "seed": controls.seed_box("Another seed, other luck"),
        }

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
