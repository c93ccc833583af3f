"""BeliefLab: one pair (s, a), a prior, and what observations make of it."""

from collections.abc import Sequence
from functools import partial

import ipywidgets

from eubrl_edu.labs.belief import scene
from eubrl_edu.labs.belief.picture import BeliefPicture
from eubrl_edu.labs.belief.scene import (
    COUNT_CONTROLS,
    NEXT_STATES,
    PRIOR_CONTROLS_OF,
    TRUE_MEAN_REWARD,
    TRUE_PROBABILITIES,
    Params,
    State,
)
from eubrl_edu.labs.controls import button
from eubrl_edu.labs.lab import Lab
from eubrl_edu.plotting.names import counted, in_two_digits
from eubrl_edu.theory.priors import PredictiveError


class BeliefLab(Lab):
    """A prior over one pair (s, a), and what observations make of it.

    The pair leads to one of three next states, A, B and C, and pays a reward. Its true
    probabilities are 0.6, 0.3 and 0.1, its true mean reward is 0.7; the belief knows neither.
    Top: the belief, prior dashed, posterior solid. Middle: how much of the posterior mean comes
    from the data and how much from the prior. Bottom: the error of that mean, in the same two
    parts (the paper, "Posterior Predictive").

    Rewards vary around their mean with standard deviation 0.5; under ``"Beta-Bernoulli"`` they
    are 0 or 1. ``"Normal"`` knows that deviation, ``"Normal-Gamma"`` learns it too.
    """

    scene = scene
    Picture = BeliefPicture
    figure_inches = (10.0, 5.6)
    leading = ("reward_model",)
    situations = {
        "Ten draws": ("After ten observations, data and prior both count", Params(draws=10)),
        "Strong prior": (
            "A prior worth 300 transitions: after 100 observations it still outweighs them",
            Params(alpha=100.0, draws=100),
        ),
        "Almost no prior": (
            "With a tiny α, the first transition seen is taken for the whole truth",
            Params(alpha=1e-6, draws=1),
        ),
        "Plenty of data": (
            "After 1000 observations, hardly anything is left of the prior",
            Params(draws=1000),
        ),
    }
    rows = (
        ("Prior", ("alpha", "reward_model", *PRIOR_CONTROLS_OF["Normal-Gamma"])),
        ("Observe", ("draws", "draw_buttons", "seed")),
        ("By hand", ("hand_buttons", "reset_button")),
    )
    question = ("alpha", "draws", "draw_buttons")

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        def adding(number, name, description, tooltip):
            return button(description, tooltip, partial(self._add, name, number))

        self.draw_buttons = [
            adding(
                number,
                "draws",
                f"+{number}",
                f"Take {counted(number, 'more observation')} from the true world",
            )
            for number in (1, 10, 100)
        ]
        self.hand_buttons = [
            *(
                adding(1, f"seen_{name.lower()}", f"saw {name}", f"Put in one transition to {name}")
                for name in NEXT_STATES
            ),
            adding(1, "low_rewards", "low reward", "Put in one low reward"),
            adding(1, "high_rewards", "high reward", "Put in one high reward"),
        ]
        forget = partial(self.set, **dict.fromkeys(COUNT_CONTROLS, 0))
        self.reset_button = button("Reset", "Forget all observations; the prior stays", forget)
        return [*self.draw_buttons, *self.hand_buttons, self.reset_button]

    def describe(self, state: State) -> str:
        seen = ", ".join(f"{name} {n}" for name, n in zip(NEXT_STATES, state.counts, strict=True))
        means = ", ".join(
            f"{name} {mean:.3f} (truth {truth:g})"
            for name, mean, truth in zip(
                NEXT_STATES, state.transition_means, TRUE_PROBABILITIES, strict=True
            )
        )
        of_next, of_reward = state.transition_error, state.reward_error
        wrong_by = state.transition_means - TRUE_PROBABILITIES, state.reward_mean - TRUE_MEAN_REWARD
        parts = zip(NEXT_STATES, of_next.frequentist, of_next.prior_bias, wrong_by[0], strict=True)
        errors = "; ".join(f"{name} {_as_a_sum(*errors)}" for name, *errors in parts)
        return (
            f"Transitions seen: {state.counts.sum()} ({seen})."
            f" E_T = {in_two_digits(state.transition_uncertainty)}.\n"
            f"P_b: {means}. {_weights(of_next)}\n"
            f"Error P_b − P: {errors}.\n"
            f"Rewards seen: {len(state.rewards_seen)}. "
            f"E_R = {in_two_digits(state.reward_uncertainty)}.\n"
            f"r_b: {state.reward_mean:.3f} (truth {TRUE_MEAN_REWARD:g}). "
            f"{_weights(of_reward)}\n"
            f"Error r_b − r: {_as_a_sum(of_reward.frequentist, of_reward.prior_bias, wrong_by[1])}."
        )

    def at_rest(self, params: Params) -> dict[str, str]:
        used = PRIOR_CONTROLS_OF[params.reward_model]
        return {
            name: f"a {params.reward_model} prior has none"
            for name in PRIOR_CONTROLS_OF["Normal-Gamma"]
            if name not in used
        }

    def _add(self, name: str, number: int) -> None:
        # A control keeps its value inside its range.
        self.controls[name].value += number


def _weights(error: PredictiveError) -> str:
    return f"Weight of the data {error.data_weight:.3f}, of the prior {error.prior_weight:.3f}."


def _as_a_sum(data: float, prior: float, together: float) -> str:
    parts = {"data": data, "prior": prior, "together": together}
    # Adding 0 turns −0 into 0.
    return ", ".join(f"{name} {round(value, 3) + 0.0:+.3f}" for name, value in parts.items())
