"""MisspecificationLab: two arms, a prior that is sure and wrong, and many agents that have it."""

import math

from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.misspecification import scene
from eubrl_edu.labs.misspecification.picture import MisspecificationPicture
from eubrl_edu.labs.misspecification.scene import Params, State
from eubrl_edu.plotting.names import in_powers


class MisspecificationLab(Lab):
    """How a prior that is sure and wrong keeps EUBRL on the worse of two arms.

    Each arm pays 1 with a probability of its own, else 0. The prior of each is Beta(α, α): it
    claims to have seen the arm pay α times, and not pay α times. Many agents with this prior pull
    the arm with the larger guided reward, all at once. Some never try the better arm. The share
    of those is held against the bound of the paper's proof ("Prior Misspecification").
    """

    scene = scene
    Picture = MisspecificationPicture
    figure_inches = (10.5, 5.2)
    situations = {
        "Sure and wrong": ("A strong prior: half of all agents never try the better arm", Params()),
        "Open-minded": (
            "A weak prior: an agent that is disappointed early on looks elsewhere",
            Params(alpha=0.1, worse=0.4),
        ),
        "Bound says nothing": (
            "A prior worth ten visits to each arm: half are stuck here, too; the bound is silent",
            Params(alpha=5.0),
        ),
        "Both poor": (
            "Most agents that start on the worse arm, which seldom pays, leave it; the proof does"
            " not cover this case",
            Params(better=0.4, worse=0.2, alpha=0.5),
        ),
        "With the root": (
            "E_b as in the algorithm, the root of the variance: with a weak prior, far fewer stick",
            Params(alpha=1.0, worse=0.4, uncertainty="its root"),
        ),
    }
    rows = (
        ("Belief", ("alpha", "uncertainty")),
        ("World", ("better", "worse")),
        ("Agents", ("n_agents", "steps", "seed")),
        ("Proof", ("confidence",)),
    )
    question = ("alpha", "better", "worse")

    def describe(self, state: State) -> str:
        params, stuck = state.params, state.stuck
        return "\n".join(
            [
                f"{params.n_agents} agents, {params.steps} steps: {stuck.value:.1%}"
                f" [{stuck.low:.1%}, {stuck.high:.1%}] are stuck: they pulled the worse arm and"
                f" never the other. The exact probability is {state.exact[-1]:.1%}.",
                f"In the last step {state.on_worse_arm:.1%} pull the worse arm, which pays"
                f" {params.worse:.2f}; the other pays {params.better:.2f}. Averaged"
                f" over all agents, that costs {state.loss:.2f}.",
                _why(state),
                *_bound(state),
            ]
        )


def _why(state: State) -> str:
    untried = f"An arm never pulled is worth its uncertainty, E_max = {state.untried:.3g}."
    if state.params.rooted:
        return f"{untried} A tried arm is kept while r̂ > 2 E_max = {2 * state.untried:.3g}."
    return f"{untried} A tried arm is kept while r̂ is above s(α) = {state.enough:.3g}."


def _bound(state: State) -> list[str]:
    if state.bound is None:
        return [f"No bound here: {state.no_bound}."]
    bound, required = state.bound, state.required
    least = math.floor(1000 * state.least_stuck) / 1000  # what is proved is no more than it says
    says = (
        f"so at least {least:.1%} never try the better arm"
        if bound.total < 1
        else "which is no less than 1 and says nothing"
    )
    return [
        f"Bound: S1 + S2 = {in_powers(bound.early)} + {in_powers(bound.late)}"
        f" = {in_powers(bound.total)}, {says}.",
        f"For η = {state.params.confidence:.2f}, S1 and S2 are each at most η/2 once the integer"
        f" part of α is beyond a1 = {required.late:.1f} and a2 = {required.early:.1f}. So"
        f" α = {required.alpha} guarantees (1 − η)/2 = {state.guaranteed:.1%}.",
    ]
