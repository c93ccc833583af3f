"""The checks of notebook 10_priors."""

import re
from collections.abc import Set
from typing import Any

import numpy as np

from eubrl_edu.beliefs import (
    Belief,
    DirichletTransitions,
    NormalGammaRewards,
    NormalRewards,
    TiedDirichletTransitions,
)
from eubrl_edu.exercises.feedback import (
    NOTHING_YET,
    Feedback,
    asks_for_numbers,
    check_number,
    check_numbers,
)
from eubrl_edu.theory.priors_class import PriorClass, classify_prior
from eubrl_edu.uncertainty import outcome_expectation
from eubrl_edu.validation import shown


@asks_for_numbers(2)
def check_constants(numbers: np.ndarray) -> Feedback:
    """Check C_g and C_s of Dirichlet(0.5) over 20 states and N(0, 1/4) of known precision 2."""
    n_states, alpha, tau0, tau = 20, 0.5, 4.0, 2.0
    rewards = NormalRewards(n_states, 1, 0.0, tau0, tau, on="action")
    prior = classify_prior(Belief(DirichletTransitions(n_states, 1, alpha), rewards), r_max=1.0)
    right = [prior.transition_constant, prior.reward_constant]
    return check_numbers(
        numbers,
        (right, "Right: C_g = α and C_s = τ₀/τ, as in the paper's corollary."),
        ([alpha * n_states, tau0 / tau], "Almost: the bound is C_g S/n. It has its S already."),
        ([alpha, tau0], "C_g is right. One reward has precision τ: divide by it."),
        ([alpha, tau / tau0], "C_g is right. The other way round: a sure prior has a large τ₀."),
        otherwise="Write the prior's weight as c / (c + n). It is below c / n: what is c?",
    )


def check_power(answer: Any) -> Feedback:
    """Check the power of n for E_b = 0.3 after 100 visits, and 0.1 after 900."""
    visits, uncertainty = [100, 900], [0.3, 0.1]
    power = float(np.polyfit(np.log(visits), np.log(uncertainty), 1)[0])
    return check_number(
        answer,
        (power, "Right: nine times the visits, a third of the doubt, so 1/√n."),
        (-power, "It falls, so the power is below 0."),
        (1 / power, "The other way round: log of the uncertainty over log of n."),
        (-1, "With 1/n, nine times the visits would leave a ninth."),
        otherwise="Solve 9^p = 1/3: p is log(1/3) / log(9).",
        tolerance=0,
        absolute=0.02,
    )


def check_outcome_uncertainty(answer: Any) -> Feedback:
    """Check E_R(s, a) from that of three outcomes, seen 4, 1 and 0 times, with α = 1."""
    counts, uncertainties = np.array([4, 1, 0]), np.array([0.02, 0.1, 1.0])
    belief = DirichletTransitions(n_states=3, n_actions=1, alpha=1.0)
    for next_state, count in enumerate(counts[:2]):
        belief.update(0, 0, next_state, times=int(count))
    right = outcome_expectation(belief.parameters(0, 0), uncertainties, uncertainties[2])
    seen = counts @ uncertainties / counts.sum()
    return check_number(
        answer,
        (right, "Right: and most of it comes from the outcome never seen."),
        (seen, "That weights by the frequencies. C was never seen, but its P_b is not 0."),
        (uncertainties.mean(), "That treats all outcomes as equally likely. Weight them by P_b."),
        (uncertainties.sum(), "That is the sum. It should be the mean, weighted by P_b."),
        otherwise="First P_b, (1 + count) / 8 for each outcome; then the weighted mean.",
        tolerance=1e-9,
        absolute=1e-3,
    )


def check_members(answer: Any) -> Feedback:
    """Check which of the priors A to D are in the class 𝕮."""
    if answer is ...:
        return NOTHING_YET
    answer = answer.tolist() if hasattr(type(answer), "tolist") else answer  # an array, a Series
    if not isinstance(answer, str | Set | list | tuple):
        return Feedback(False, f"The answer should be a set of letters, not {shown(answer)}.")
    parts = [answer] if isinstance(answer, str) else answer
    text = " ".join(each if isinstance(each, str) else shown(each) for each in parts)
    letters = set(re.sub(r"\bAND\b|[\s,;.&+/{}()\[\]]", "", text.upper()))
    priors = _four_priors()
    unknown = letters - set(priors)
    if unknown:
        return Feedback(False, f"The priors are A, B, C and D, not {', '.join(sorted(unknown))}.")
    members = {letter for letter, prior in priors.items() if prior.in_class}
    if letters == members:
        return Feedback(True, f"Right: {' and '.join(sorted(members))}.")
    if wrong := sorted(letters - members):
        lacks = "; ".join(priors[wrong[0]].missing)
        return Feedback(False, f"{wrong[0]} is not in the class. Missing: {lacks}.")
    return Feedback(False, "So far so good, but more of them are in the class.")


def _four_priors() -> dict[str, PriorClass]:
    """The class of each prior of the exercise, over 5 states."""
    size = 5, 1
    alike, tied = DirichletTransitions(*size, 0.1), TiedDirichletTransitions(*size, 0.1)
    normal_gamma = NormalGammaRewards(*size, 0.0, 0.1, 2.0, 0.1, on="action")
    normal, on_outcomes = (
        NormalRewards(*size, 3.0, 1.0, 0.1, on=on) for on in ("action", "outcome")
    )
    return {
        "A": classify_prior(Belief(alike, normal), r_max=1.0),
        "B": classify_prior(Belief(alike.copy(), normal_gamma), r_max=1.0),
        "C": classify_prior(Belief(alike.copy(), on_outcomes), r_max=1.0),
        "D": classify_prior(Belief(tied, normal.copy()), r_max=1.0),
    }
