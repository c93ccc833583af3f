"""PlanningLab: value flows back from where it is paid, one state a sweep."""

from collections.abc import Sequence

import ipywidgets

from eubrl_edu.labs.controls import button
from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.planning import scene
from eubrl_edu.labs.planning.picture import PlanningPicture
from eubrl_edu.labs.planning.scene import Params, State
from eubrl_edu.plotting.names import counted, in_two_digits


class PlanningLab(Lab):
    """How a plan is made: Bellman's equation, applied again and again.

    Value iteration starts with V = 0 and sweeps over all states; policy iteration evaluates whole
    policies, beginning with the first action everywhere. The black lines are V*, which both
    approach. Pairs that were never tried lead everywhere, uniformly, as in the mean MDP of an agent
    that has not tried them, and pay what *worth* says.
    """

    scene = scene
    Picture = PlanningPicture
    figure_inches = (9.6, 3.9)
    situations = {
        "Value flows back": ("A known corridor, after four sweeps", Params(sweeps=4)),
        "Far-sighted": (
            "The Chain under γ = 0.98, after 40 sweeps",
            Params(world="chain", discount=0.98, sweeps=40),
        ),
        "One step unknown": (
            "In the corridor, the step from cell 3 to the right was never tried",
            Params(untried="one", sweeps=60),
        ),
        "Unknown, worth 1": (
            "The same, but the plan assumes that this step pays 1, as much as the goal",
            Params(untried="one", worth=1.0, sweeps=60),
        ),
        "Nothing known": (
            "No pair was tried, and to try one is worth 1",
            Params(untried="all", worth=1.0, sweeps=60),
        ),
    }
    leading = ("untried",)
    rows = (
        ("Plan", ("sweeps", "sweep_button", "discount")),
        ("World", ("world", "untried", "worth")),
    )
    question = ("sweeps", "sweep_button", "discount")

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        self.sweep_button = button("Sweep", "Update every state once more", self._sweep)
        return [self.sweep_button]

    def at_rest(self, params: Params) -> dict[str, str]:
        return {"worth": "every pair was tried"} if params.untried == "none" else {}

    def _sweep(self) -> None:
        # A control keeps its value inside its range.
        self.controls["sweeps"].value += 1

    def structure(self, state: State) -> str:
        return state.params.world

    def describe(self, state: State) -> str:
        params, k = state.params, state.params.sweeps
        bound = state.residuals[k] / (1 - params.discount)
        left = [state.residuals[k], state.errors[k], bound] if bound > 1e-9 else [0.0, 0.0, 0.0]
        residual, error, bound = map(in_two_digits, left)
        believed = (
            f" is untried: the plan assumes that it pays {params.worth:g} and leads to any state"
            " with the same probability."
        )
        tried = {
            "none": "Every pair was tried.",
            "one": f"One pair{believed}",
            "all": f"Every pair{believed}",
        }[params.untried]
        return (
            f"After {counted(k, 'sweep')}: V of state 0 is {state.swept[k][0]:.3f}; its V* is"
            f" {state.optimal[0]:.3f}. Residual {residual}, true error {error},"
            f" at most residual / (1 − γ) = {bound}.\n"
            f"Value iteration: {_list('V', state, state.swept[k])}.\n"
            f"Optimal: {_list('V*', state, state.optimal)}.\n"
            f"Policy iteration: error {_size(state.policy_errors[state.at_policy])} after"
            f" {state.at_policy} of {counted(state.n_policies, 'policy')}."
            f" Steps that look best after {counted(k, 'sweep')} (if tied, the first):"
            f" {' '.join(state.arrows(state.greedy)).rstrip()}.\n{tried}"
        )


def _size(error: float) -> str:
    """An error in two digits, and 0 where there is only rounding."""
    return in_two_digits(error) if error > 1e-9 else "0"


def _list(letter: str, state: State, values) -> str:
    return ", ".join(
        f"{letter}({name}) = {value:.2f}"
        for name, value in zip(state.world.states, values, strict=True)
    )
