"""PriorLab: what a prior is in the paper's terms, and what that means for its uncertainty."""

from collections.abc import Mapping
from typing import Any

from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.prior import scene
from eubrl_edu.labs.prior.picture import PriorPicture
from eubrl_edu.labs.prior.scene import FIT_FROM, Params, State
from eubrl_edu.plotting.names import in_powers, things

RANDOM_WORDS = {
    "nothing": "nothing is random",
    "rewards": "rewards are random",
    "next states": "next states are random",
    "both": "rewards and next states are random",
}
SLOWEST_FAST_POWER = -0.75  # halfway between 1/√n and 1/n
STEEPEST, SHALLOWEST = -0.55, -0.45  # where the long run has 1/√n
NOT_WITH_KNOWN_REWARDS = ("rewards_on", "mu0", "strength")
WITH_NORMAL_GAMMA = ("alpha0", "beta0")


class PriorLab(Lab):
    """Whether the paper's guarantee covers a prior, and why.

    The prior is one over transitions and one over rewards. At the top stand the properties that
    the paper asks for, and what follows from them (the paper, "From Frequentist to Bayesian").
    Below, one pair of a small world is tried again and again. In each of five runs E_b (with
    η = 1) is computed by the agent's own classes, and the power of n that it follows is measured.
    Rewards lie in [0, 1].
    """

    scene = scene
    Picture = PriorPicture
    figure_inches = (10.5, 6.0)
    situations = {
        "Normal-Gamma": (
            "Learns how much rewards vary; where they do not, it is sure too soon",
            Params(),
        ),
        "Normal": (
            "The paper's corollary: Dirichlet and Normal, in the class, uniform and bounded",
            Params(reward_prior="Normal"),
        ),
        "Mutual information": (
            "Normal-Gamma again, but E_T is the mutual information: one source is enough",
            Params(measure="mutual-information"),
        ),
        "Experiments": (
            "As in the paper's experiments: Normal-Gamma on outcomes, and a tiny α",
            Params(rewards_on="outcomes (s,a,s')", strength=0.05, beta0=0.05, alpha=1e-6),
        ),
        "Tied": (
            "One Dirichlet for all states: no constants, and not in the class",
            Params(reward_prior="Normal", transition_prior="tied Dirichlet"),
        ),
        "Stubborn": (
            "In the class, and yet worth 100 rewards of 2 that nobody saw",
            Params(reward_prior="Normal", mu0=2.0, strength=100.0, alpha=10.0, random="both"),
        ),
    }
    leading = ("reward_prior",)
    rows = (
        ("Rewards", ("reward_prior", "rewards_on", "mu0", "strength", "alpha0", "beta0")),
        ("Next states", ("transition_prior", "alpha", "n_states")),
        ("World", ("random", "measure", "seed")),
    )
    question = ("reward_prior", "strength", "transition_prior", "alpha")

    def brings(self, moved: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        # A coin's chance; most means that other priors may have are none.
        return {"mu0": 0.5} if moved.get("reward_prior") == "Beta" else {}

    def at_rest(self, params: Params) -> dict[str, str]:
        reasons = {}
        if params.reward_prior != "Normal-Gamma":
            reasons |= dict.fromkeys(WITH_NORMAL_GAMMA, "only a Normal-Gamma prior has one")
        if params.reward_prior == "known":
            reasons |= dict.fromkeys(NOT_WITH_KNOWN_REWARDS, "rewards are known")
        return reasons

    def describe(self, state: State) -> str:
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


def _verdict(state: State) -> str:
    prior = state.prior
    if not prior.in_class:
        return f"✗ This prior is not in the class 𝕮. Missing: {'; '.join(prior.missing)}."
    if prior.nearly_minimax_optimal:
        return (
            "✓ This prior is in the class 𝕮, and the paper calls its bounds nearly minimax-optimal."
        )
    return "✓ This prior is in the class 𝕮."


def _constants(state: State) -> str:
    prior = state.prior
    if not (prior.decomposable.holds or prior.weakly_informative.holds):
        return "Constants: none."
    constants = prior.transition_constant, prior.reward_constant
    words = "Constants: C_g = {}, C_s = {}.".format(*map(in_powers, constants))
    penalties = prior.transition_penalty, prior.reward_penalty
    words += " So Λ_T = {}, Λ_R = {}.".format(*map(in_powers, penalties))
    balance = float(f"{state.balance['transitions']:.3g}")
    visits = f"{in_powers(balance)} {things(balance, 'visit')}"
    words += f" Over transitions the prior weighs as much as {visits}"
    if not prior.decomposable.holds:
        return f"{words}; over rewards its weight is no function of n alone."
    return f"{words}, over rewards as much as {in_powers(state.balance['rewards'])}."


def _measured(state: State) -> str:
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
        if state.rate_here.holds and power.high < STEEPEST:
            words += " E_b still falls faster than 1/√n here; the long-run rate shows only later."
        shallow = SHALLOWEST if state.rate_here.holds else SLOWEST_FAST_POWER
        if power.low > shallow and state.params.transition_prior == "Dirichlet":
            words += " The prior still has a say here; the long-run power shows only later."
    if state.rate_here.holds and not state.prior.rate.holds:
        words += f" In this world the rate would be enough: {state.rate_here.why}."
    return words
