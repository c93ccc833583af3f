"""The class 𝕮 of priors for which the paper has bounds: which are in it, and their constants.

A prior is in 𝕮 if it is *decomposable* or *weakly informative*, and its epistemic uncertainty
falls like Θ(1/√n). If it is also *uniform* and *bounded*, the paper calls its bounds nearly
minimax-optimal ("From Frequentist to Bayesian").
"""

import math
from dataclasses import dataclass

import numpy as np

from eubrl_edu.beliefs import Belief, KnownRewards, NormalRewards
from eubrl_edu.beliefs.belief import require_belief
from eubrl_edu.beliefs.sampling import require_usual_parameters
from eubrl_edu.names import require_choice
from eubrl_edu.uncertainty import MEASURES
from eubrl_edu.validation import require_above, require_bool


@dataclass(frozen=True)
class Property:
    """Whether a prior has a property, and why."""

    holds: bool
    why: str


@dataclass(frozen=True)
class PriorClass:
    """What a prior is, in the paper's terms.

    Attributes
    ----------
    decomposable : Property
        P_b − P = f(n)(P̂ − P) + g(n)(P_b0 − P) and r_b − r = h(n)(r̂ − r) + s(n)(r_b0 − r) with
        f, h ≤ 1, g ≤ C_g S/n, s ≤ C_s/n (definition "Decomposable").
    weakly_informative : Property
        |r_b − r̂| = O(1/n) and ‖P_b − P̂‖₁ = O(S/n) (definition "Weakly Informative"); with the
        constants Λ_R and 2Λ_T.
    uniform : Property
        One C_g and one C_s serve every pair (definition "Uniform").
    bounded : Property
        |r_b0(s, a)| ≤ R̄ for every pair (definition "Bounded").
    rate : Property
        E_b = Θ(1/√n).
    transition_constant, reward_constant : float
        C_g and C_s; infinite where there is none.
    prior_mean_bound : float
        R̄, the largest |r_b0(s, a)|.
    transition_penalty, reward_penalty : float
        Λ_T = max C_g and Λ_R = max C_s (|r_b0| + R_max), through which the prior adds to the
        bounds that the paper states (the theorem on prior-dependent bounds).
    """

    decomposable: Property
    weakly_informative: Property
    uniform: Property
    bounded: Property
    rate: Property
    transition_constant: float
    reward_constant: float
    prior_mean_bound: float
    transition_penalty: float
    reward_penalty: float

    @property
    def in_class(self) -> bool:
        """Whether the prior is in 𝕮."""
        return self.rate.holds and (self.decomposable.holds or self.weakly_informative.holds)

    @property
    def nearly_minimax_optimal(self) -> bool:
        """Whether the paper calls its bounds for this prior nearly minimax-optimal."""
        return self.in_class and self.uniform.holds and self.bounded.holds

    @property
    def missing(self) -> dict[str, Property]:
        """The properties that keep the prior out of 𝕮, by name; empty if it is in it."""
        missing = {}
        if not (self.decomposable.holds or self.weakly_informative.holds):
            missing["decomposable or weakly informative"] = self.weakly_informative
        if not self.rate.holds:
            missing["rate Θ(1/√n) of epistemic uncertainty"] = self.rate
        return missing


def classify_prior(
    belief: Belief,
    *,
    r_max: float | None = None,
    uncertainty: str = "variance",
    rewards_vary: bool | None = None,
    transitions_vary: bool | None = None,
) -> PriorClass:
    """Say what a prior is, in the paper's terms.

    The class asks for its rate in *any* MDP, and with the same constants, as η is chosen before
    the MDP is known. The last two arguments say what is known of it; where next states or rewards
    are random, the constants depend on how random they are.

    Parameters
    ----------
    belief : Belief
        The prior; what it may have observed makes no difference.
    r_max : float
        R_max, above 0, which has to be given; rewards lie in [0, R_max].
    uncertainty : {"variance", "mutual-information", "count"}
        Measure of the epistemic uncertainty, as for `eubrl_edu.EUBRL`.
    rewards_vary, transitions_vary : bool, optional
        Whether the reward, or the next state, is random: True of every pair, False of no pair.

    Returns
    -------
    PriorClass

    Raises
    ------
    ValueError
        If ``belief`` is none, or of a class that is not known here, ``r_max`` is not above 0,
        ``uncertainty`` is unknown, or one of the last two is neither True, False nor None.
    """
    require_belief(belief)
    r_max = require_above("r_max", r_max, 0)
    uncertainty = require_choice("uncertainty", uncertainty, MEASURES)
    for name, known in ("rewards_vary", rewards_vary), ("transitions_vary", transitions_vary):
        if known is not None:
            require_bool(name, known)
    require_usual_parameters(belief.transitions, "classifying a prior")
    rate = _rate(belief, uncertainty, rewards_vary, transitions_vary)
    if belief.transitions.tied:
        return _tied_class(belief, rate)
    alpha = belief.transitions.alpha
    pseudo_count, prior_mean_bound = _pseudo_count(belief), _prior_mean_bound(belief)
    reward_constant = pseudo_count
    if _learns_outcomes(belief):
        # For each next state the prior gives at most max(α, c)|μ0|/n, and takes from the data at
        # most max(α, c)R_max/n, where c is the pseudo-count.
        reward_constant = belief.n_states * max(alpha, pseudo_count)
    reward_penalty = reward_constant * (prior_mean_bound + r_max)
    return PriorClass(
        decomposable=_decomposable(belief, pseudo_count),
        weakly_informative=_near_the_data(belief, r_max, alpha, reward_penalty),
        uniform=Property(
            True,
            f"all pairs have the same prior: C_g = {alpha:g}, C_s = {reward_constant:g}"
            + (", which grows with S" if reward_constant != pseudo_count else ""),
        ),
        bounded=_bounded(prior_mean_bound),
        rate=rate,
        transition_constant=alpha,
        reward_constant=reward_constant,
        prior_mean_bound=prior_mean_bound,
        transition_penalty=alpha,
        reward_penalty=reward_penalty,
    )


def _tied_class(belief: Belief, rate: Property) -> PriorClass:
    """A tied prior is neither decomposable nor weakly informative, so it has no constants."""
    no = Property(
        False,
        "one Dirichlet is shared by all states: P_b(·|s,a) follows what other states show, and "
        "need not come near P̂(·|s,a) however often (s,a) is tried",
    )
    prior_mean_bound = _prior_mean_bound(belief)
    return PriorClass(
        decomposable=no,
        weakly_informative=no,
        uniform=Property(False, "there are no constants C_g and C_s"),
        bounded=_bounded(prior_mean_bound),
        rate=rate,
        transition_constant=math.inf,
        reward_constant=math.inf,
        prior_mean_bound=prior_mean_bound,
        transition_penalty=math.inf,
        reward_penalty=math.inf,
    )


def _decomposable(belief: Belief, pseudo_count: float) -> Property:
    if _learns_outcomes(belief):
        return Property(
            False,
            "rewards belong to outcomes (s,a,s'): the weight of the prior in r_b(s,a) depends on "
            "how the visits split over next states, not on n alone",
        )
    total = belief.transitions.prior_total
    weight = f"g = {total:g}/({total:g} + n)"
    if isinstance(belief.rewards, KnownRewards):
        return Property(
            True,
            "P_b is an average of the data's mean and the prior's, whose weights depend on n alone "
            f"({weight}), and where rewards are known, r_b errs only as P_b does",
        )
    return Property(
        True,
        "posterior means are averages of the data's mean and the prior's, whose weights "
        f"depend on n alone: {weight}, s = {pseudo_count:g}/({pseudo_count:g} + n)",
    )


def _near_the_data(belief: Belief, r_max: float, alpha: float, penalty: float) -> Property:
    if isinstance(belief.rewards, KnownRewards):
        vary = "vary" if belief.rewards.on == "action" else "vary given the outcome"
        return Property(
            False,
            f"rewards are known, so r_b does not follow r̂: where they {vary}, |r_b − r̂| falls "
            "like 1/√n only",
        )
    return Property(
        True,
        f"with rewards in [0, {r_max:g}], |r_b − r̂| ≤ {penalty:g}/n and "
        f"‖P_b − P̂‖₁ ≤ {2.0 * alpha:g} S/n",
    )


def _learns_outcomes(belief: Belief) -> bool:
    return belief.rewards.on == "outcome" and not isinstance(belief.rewards, KnownRewards)


def _pseudo_count(belief: Belief) -> float:
    """How many rewards the prior of a reward counts for: C_s of a belief over r(s, a)."""
    rewards = belief.rewards
    if isinstance(rewards, KnownRewards):
        # Of outcomes, r_b(s,a) errs only by P_b, as P_b does.
        return belief.transitions.prior_total if rewards.on == "outcome" else 0.0
    if not hasattr(rewards, "pseudo_count"):
        raise ValueError(
            "belief must have rewards of which the class is known, got such of type "
            f"{type(rewards).__name__}"
        )
    return rewards.pseudo_count


def _prior_mean_bound(belief: Belief) -> float:
    if isinstance(belief.rewards, KnownRewards):
        return float(np.abs(belief.rewards.rewards).max())
    return abs(float(belief.rewards.prior()[0]))


def _bounded(prior_mean_bound: float) -> Property:
    if prior_mean_bound == 0:
        return Property(True, "every prior mean reward is 0")
    return Property(True, f"no prior mean reward is beyond ±{prior_mean_bound:g}")


def _rate(
    belief: Belief, uncertainty: str, rewards_vary: bool | None, transitions_vary: bool | None
) -> Property:
    if uncertainty == "count":
        return Property(True, "E_b = η/√n by definition")
    rewards, several = belief.rewards, belief.n_states > 1
    tied = several and belief.transitions.tied
    if tied and _learns_outcomes(belief):
        return Property(
            False,
            "a next state that other states show, and (s,a) never does, keeps its share of "
            "P_b(·|s,a), and all of its uncertainty with it",
        )
    if isinstance(rewards, NormalRewards):
        how = (
            "E_R of an outcome is 1/(τ0 + τn), and the unseen ones have a share of P_b that falls "
            "like 1/n: so E_R(s,a) falls like 1/n, whatever the rewards were"
            if _learns_outcomes(belief)
            else "E_R = 1/(τ0 + τn) falls like 1/n, whatever the rewards were"
        )
        return Property(True, how)
    if rewards_vary and not isinstance(rewards, KnownRewards):
        return Property(True, "E_R falls like 1/n where rewards vary")
    if tied:
        return Property(
            False,
            "visits of other states lower E_T of (s,a) as well: it can be next to 0 before the "
            "first visit",
        )
    if several and uncertainty == "mutual-information":
        return Property(
            True,
            "the mutual information falls like 1/n even where one next state is all that is seen: "
            "each of the others keeps a share α/(αS + n), and a fixed number of nats with it",
        )
    if several and transitions_vary:
        return Property(True, "E_T falls like 1/n where next states vary")
    if several and _learns_outcomes(belief):
        if transitions_vary is None:
            return Property(
                False,
                "no C₁ serves every world: where no outcome's reward varies, and all but one were "
                "seen about √n times, E_b is of the order of n^(-3/4)",
            )
        return Property(
            True,
            "the next states that are never seen keep a share α/(αS + n) each in E_R(s,a), with "
            "all of their uncertainty",
        )
    falls = "E_T and E_R fall like 1/n², and E_b like 1/n"
    if isinstance(rewards, KnownRewards):
        falls = "E_T falls like 1/n², E_R is 0, and so E_b falls like 1/n"
    return Property(False, f"in a deterministic world the posterior soon has no spread: {falls}")
