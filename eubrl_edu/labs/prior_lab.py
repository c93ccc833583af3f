"""PriorLab: what a prior is in the paper's terms, and what that means for its uncertainty."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

import ipywidgets
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.prior_state import (
    FIT_FROM,
    RANDOM,
    REWARD_PRIORS,
    REWARDS_ON,
    TRANSITION_PRIORS,
    PriorParams,
    PriorState,
    classify_and_measure,
)
from eubrl_edu.labs.rows import named_row
from eubrl_edu.plotting.priors import PriorPicture
from eubrl_edu.uncertainty import MEASURES
from eubrl_edu.validation import require_choice

SITUATIONS = {
    "Normal-Gamma": (
        "Learns how much rewards vary; where they do not, it is sure too soon",
        PriorParams(),
    ),
    "Normal": (
        "The paper's corollary: Dirichlet and Normal, in the class and nearly minimax-optimal",
        PriorParams(reward_prior="Normal"),
    ),
    "Mutual information": (
        "Normal-Gamma again, but E_T is the mutual information: one source is enough",
        PriorParams(measure="mutual-information"),
    ),
    "Experiments": (
        "As in the paper's experiments: Normal-Gamma on outcomes, and a tiny α",
        PriorParams(rewards_on="outcomes (s,a,s')", strength=0.05, alpha=1e-6),
    ),
    "Tied": (
        "One Dirichlet for all states: no constants, and no class",
        PriorParams(reward_prior="Normal", transition_prior="tied Dirichlet"),
    ),
    "Stubborn": (
        "In the class, and yet worth 100 rewards of 2 that nobody saw",
        PriorParams(reward_prior="Normal", mu0=2.0, strength=100.0, alpha=10.0, random="both"),
    ),
}
RANDOM_WORDS = {
    "nothing": "nothing is random",
    "rewards": "rewards are random",
    "next states": "next states are random",
    "both": "rewards and next states are random",
}
SLOWEST_FAST_POWER = -0.75  # halfway between 1/√n and 1/n
NOT_WITH_KNOWN_REWARDS = ("rewards_on", "mu0", "strength")


class PriorLab(Lab):
    """Whether the paper's guarantee covers a prior, and why.

    The prior is one over transitions and one over rewards. At the top stand the properties that
    the paper asks for, and what follows from them (the paper, "From Frequentist to Bayesian").
    Below, one pair of a small world is tried again and again. In each of five runs E_b (with
    η = 1) is computed by the agent's own classes, and the power of n that it follows is measured.
    Rewards lie in [0, 1].

    Parameters
    ----------
    **settings
        Values to start with: ``reward_prior``, ``rewards_on``, ``mu0``, ``strength``,
        ``transition_prior``, ``alpha``, ``n_states``, ``measure``, ``random``, ``seed``.

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that is not allowed.
    """

    Params = PriorParams
    figure_inches = (10.5, 6.0)

    def __init__(self, **settings) -> None:
        super().__init__(**settings)
        self._arrange_controls()

    def build_controls(self, start: PriorParams) -> dict[str, ipywidgets.Widget]:
        def choice(name, options, description, tooltip):
            return ipywidgets.Dropdown(
                options=list(options),
                value=require_choice(name, getattr(start, name), options),
                description=description,
                tooltip=tooltip,
                layout={"width": "16em"},  # in em, so that it grows with its letters
            )

        def log_slider(name, low, high, description, tooltip):
            return ipywidgets.FloatLogSlider(
                value=getattr(start, name),
                min=low,
                max=high,
                step=0.1,
                readout_format=".3g",
                description=description,
                tooltip=tooltip,
            )

        return {
            "reward_prior": choice(
                "reward_prior", REWARD_PRIORS, "rewards", "What is believed of rewards at first"
            ),
            "rewards_on": choice(
                "rewards_on", REWARDS_ON, "belong to", "Whether the next state tells the reward"
            ),
            "mu0": ipywidgets.FloatSlider(
                value=start.mu0,
                min=-2.0,
                max=2.0,
                step=0.1,
                readout_format=".1f",
                description="μ₀",
                tooltip="Mean reward that the prior expects; true rewards lie in [0, 1]",
            ),
            "strength": log_slider(
                "strength", -3, 3, "worth", "How many rewards the prior is worth: τ0/τ, λ0 or α0+β0"
            ),
            "transition_prior": choice(
                "transition_prior",
                TRANSITION_PRIORS,
                "next states",
                "Tied: one Dirichlet over left, stay and right, shared by all states",
            ),
            "alpha": log_slider("alpha", -6, 2, "α", "Prior visits to each next state"),
            "n_states": ipywidgets.IntSlider(
                value=start.n_states,
                min=3,
                max=20,
                description="S",
                tooltip="Number of states in the world",
            ),
            "measure": choice("measure", MEASURES, "measure", "How uncertainty is measured"),
            "random": choice("random", RANDOM, "random is", "What chance decides in this world"),
            "seed": ipywidgets.BoundedIntText(
                value=start.seed,
                min=0,
                max=9999,
                description="seed",
                tooltip="Another seed, other luck where the world is random",
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

    def on_change(self, name: str) -> None:
        if name == "reward_prior" and self.controls[name].value == "Beta":
            # A coin's chance; most means that other priors may have are none.
            self.put({"mu0": 0.5})
        super().on_change(name)
        self._show_used_controls()

    def refresh_now(self) -> None:
        super().refresh_now()
        self._show_used_controls()

    def compute(self, params: PriorParams) -> PriorState:
        """Return the prior's class, and its uncertainty as a pair is tried again."""
        return classify_and_measure(params)

    def build(self, figure: Figure, state: PriorState) -> Sequence[Artist]:
        self.prior_picture = PriorPicture(figure, state)
        return self.prior_picture.moving

    def draw(self, state: PriorState) -> None:
        self.prior_picture.draw(state)

    def describe(self, state: PriorState) -> str:
        prior = state.prior
        properties = {
            "decomposable": prior.decomposable,
            "weakly informative": prior.weakly_informative,
            "rate Θ(1/√n) in every world": prior.rate,
            "uniform": prior.uniform,
            "bounded": prior.bounded,
        }
        return "\n".join(
            [
                _verdict(state),
                *(
                    f"{'✓' if found.holds else '✗'} {name}: {found.why}."
                    for name, found in properties.items()
                ),
                _constants(state),
                _measured(state),
            ]
        )

    def _show_situation(self, params: PriorParams, button: ipywidgets.Button) -> None:
        self.set(**asdict(params))

    def _arrange_controls(self) -> None:
        """A row for each of the two priors, one for the world, one of situations."""
        control = self.controls
        for name in ("mu0", "strength", "alpha", "n_states"):
            control[name].layout.width = "215px"
        rows = {
            "Belief": ("reward_prior", "rewards_on", "mu0", "strength"),
            "": ("transition_prior", "alpha", "n_states"),
            "World": ("random", "measure", "seed"),
        }
        self.children = [
            *(named_row(title, [control[name] for name in names]) for title, names in rows.items()),
            named_row("Show", [*self.situation_buttons, self.presentation]),
            *self.children[1:],
        ]
        self._show_used_controls()

    def _show_used_controls(self) -> None:
        """Hide what plays no part where rewards are known."""
        known = self.controls["reward_prior"].value == "known"
        for name in NOT_WITH_KNOWN_REWARDS:
            self.controls[name].layout.display = "none" if known else None


def _verdict(state: PriorState) -> str:
    prior = state.prior
    if not prior.in_class:
        return f"✗ This prior is not in the class 𝕮. It lacks: {'; '.join(prior.missing)}."
    if prior.nearly_minimax_optimal:
        return "✓ This prior is in the class 𝕮, and its bounds are nearly minimax-optimal."
    return "✓ This prior is in the class 𝕮."


def _constants(state: PriorState) -> str:
    prior = state.prior
    if not prior.weakly_informative.holds:
        return "Constants: none."
    words = f"Constants: C_g = {prior.transition_constant:.3g}, C_s = {prior.reward_constant:.3g}."
    words += f" So Λ_T = {prior.transition_penalty:.3g}, Λ_R = {prior.reward_penalty:.3g}."
    balance = state.balance["transitions"]
    words += f" Over transitions the prior weighs as much as {balance:.3g} visits"
    if not prior.decomposable.holds:
        return f"{words}; over rewards its weight is no function of n alone."
    return f"{words}, over rewards as much as {state.balance['rewards']:.3g}."


def _measured(state: PriorState) -> str:
    """What is seen in this world, and what to expect of it."""
    first, last = state.mean_epistemic[[0, -1]]
    words = (
        f"In this world {RANDOM_WORDS[state.params.random]}: E_b is {first:.3g} after 1 visit and"
        f" {last:.3g} after {state.visits[-1]}."
    )
    if state.measured is not None:
        power = state.measured
        words += (
            f" From n = {FIT_FROM} on it goes like n^{power.slope:.2f}"
            f" [{power.low:.2f}, {power.high:.2f}]."
        )
        if state.rate_here.holds and power.high < SLOWEST_FAST_POWER:
            words += " The part that falls like 1/√n is still too small to show."
    if state.rate_here != state.prior.rate:
        words += f" Here the rate would do: {state.rate_here.why}."
    return words
