r"""Where a Normal-Gamma prior breaks quasi-optimism.

The proposition of "Dirichlet and Normal-Gamma Priors" in the paper, constructed: the world has one
state and one action, which always pays R_max. Where a reward never varies, E_R of a Normal-Gamma
prior falls like 1/n² (`priors_rate`), so the bonus P_U η E does too; the error that the prior
leaves in r_b falls like 1/n only. However large the scale η, after enough visits the bonus no
longer covers the error. A Normal prior of the same mean, strength and initial uncertainty keeps
its bonus, and with it quasi-optimism.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from eubrl_edu.agents import EUBRL, GuidedPlan
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalGammaRewards, NormalRewards
from eubrl_edu.beliefs.belief import require_belief, require_over
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import solve
from eubrl_edu.theory.priors_class import classify_prior
from eubrl_edu.theory.priors_rate import require_visits
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import Schedule, schedule
from eubrl_edu.validation import require_above, require_at_least, shown

R_MAX = 1.0
DISCOUNT, DELTA = 0.5, 0.1
LAMBDA = 0.005  # λ of the analysis; the smaller, the less pessimism quasi-optimism allows
STRENGTH = 5000.0  # the prior counts as much as so many rewards


class CertainReward(TabularEnvironment):
    """One state, one action, and a reward of R_max = 1 at every step."""

    def __init__(self):
        super().__init__(n_states=1, n_actions=1)

    def outcomes(self, state: int, action: int) -> Iterator[Outcome]:
        """The reward; the state stays."""
        yield Outcome(1.0, state, R_MAX)


def failing_prior(strength: float = STRENGTH) -> Belief:
    """NG(μ0 = 0, λ0 = strength, α0 = 2, β0 = strength): E_R begins at 1, as in the experiments.

    The paper's proposition holds with it; with a small strength it does no harm.
    """
    strength = require_above("strength", strength, 0)
    rewards = NormalGammaRewards(1, 1, 0.0, strength, 2.0, strength, on="action")
    return Belief(DirichletTransitions(1, 1), rewards)


def holding_prior() -> Belief:
    """N(0, 1) with a known precision of 1/STRENGTH: the same prior mean, strength and E_R."""
    rewards = NormalRewards(1, 1, 0.0, tau0=1.0, tau=1.0 / STRENGTH, on="action")
    return Belief(DirichletTransitions(1, 1), rewards)


@dataclass(frozen=True)
class QuasiOptimism:
    """Whether V* − Ṽ stays within what quasi-optimism allows, visit by visit.

    Attributes
    ----------
    schedule : Schedule
        λ, m, Υ and η of the agent; Υ covers the prior's bias too.
    visits : (K,) integer array
        n, the visits after which was looked.
    shortfall : (K,) array
        V* − Ṽ, solved exactly.
    allowed : (K,) array
        λ(3/2 − P_U*) V↑.
    bonus : (K,) array
        P_U η E.
    needed : (K,) array
        P_U R_max + Υ/n, the bonus that the proof asks for.
    bias : (K,) array
        r − r_b, what the prior leaves in the estimate.
    """

    schedule: Schedule
    visits: np.ndarray
    shortfall: np.ndarray
    allowed: np.ndarray
    bonus: np.ndarray
    needed: np.ndarray
    bias: np.ndarray

    @property
    def holds(self) -> np.ndarray:
        """(K,) whether V* − Ṽ ≤ λ(3/2 − P_U*) V↑."""
        return self.shortfall <= self.allowed

    @property
    def first_failure(self) -> int | None:
        """The first of the visits looked at after which it fails; None if there is none."""
        failures = self.visits[~self.holds]
        return int(failures[0]) if len(failures) else None


def theoretical_schedule(belief: Belief) -> Schedule:
    r"""λ, m, Υ and η in the world of `CertainReward`, with Υ enlarged by the prior's bias.

    .. math:: \Upsilon = \frac{7V^\uparrow\ell_1}{\lambda} + C_s\,|r_{b_0} - r|, \qquad
              \eta = \mathcal E_{\max}\Upsilon + R_{\max}\sqrt m

    (the paper, proof of the theorem on prior-dependent bounds; there is a factor 1/N too many in
    print, see the errata.) With one state the transitions add nothing.

    Parameters
    ----------
    belief : Belief
        The prior.

    Returns
    -------
    Schedule

    Raises
    ------
    ValueError
        If ``belief`` is not over one state and one action, has seen anything, or has an E_max
        below 1.
    """
    require_over("belief", require_belief(belief), 1, 1)
    prior_mean, prior_variance = belief.rewards.prior()
    max_uncertainty = require_at_least("E_max of belief", float(np.sqrt(prior_variance)), 1)
    if belief.visits.any() or belief.rewards.n.any():
        raise ValueError(f"belief must be a prior, which has seen nothing, got {shown(belief)}")
    plain = schedule(Problem(1, 1, R_MAX, DELTA, DISCOUNT), LAMBDA, max_uncertainty)
    constant = classify_prior(belief, r_max=R_MAX).reward_constant
    extra = constant * abs(prior_mean - R_MAX)
    return replace(plain, upsilon=plain.upsilon + extra, eta=plain.eta + max_uncertainty * extra)


def check_quasi_optimism(belief: Belief, visits: Sequence[int]) -> QuasiOptimism:
    r"""Let EUBRL visit `CertainReward`, and hold V* − Ṽ against what quasi-optimism allows.

    .. math:: V^\star(s) - \widetilde V^t(s) \le \lambda\left(\tfrac32 - P_U^{t,\star}(s)\right)
              V^\uparrow_\gamma

    (the paper, "Quasi-Optimism with Epistemic Resistance", the corollary there.) Ṽ is the value
    under the auxiliary reward (1 − P_U) r_b + b with b = P_U η E while n < m, and
    b = P_U R_max + Υ/n from then on ("Preliminary Constructions"); it is capped at V↑.

    Parameters
    ----------
    belief : Belief
        The prior, over one state and one action; it is not changed.
    visits : sequence of int
        The visits n ≥ 1 after which to look, increasing.

    Returns
    -------
    QuasiOptimism

    Raises
    ------
    ValueError
        If ``belief`` is not as `theoretical_schedule` needs it, or ``visits`` are out of range.
    """
    if not (visits := require_visits(visits, at_least=1)):
        raise ValueError("visits must hold a number, got none")
    settings = theoretical_schedule(belief)
    world = CertainReward()
    largest_value = R_MAX / (1.0 - DISCOUNT)
    optimal_value = solve(world.model, DISCOUNT).v.item()
    agent = EUBRL(belief.copy(), eta=settings.eta, discount=DISCOUNT)
    agent.plan()  # E_max is that of the prior
    rows, seen = [], 0
    for n in visits:
        more = n - seen
        agent.belief.update_batch([0] * more, [0] * more, [R_MAX] * more, [0] * more)
        seen = n
        plan = agent.plan()
        probability = plan.probability_of_uncertainty.item()
        auxiliary = min(_auxiliary_value(plan, n, settings), largest_value)
        rows.append(
            (
                optimal_value - auxiliary,
                settings.lambda_ * (1.5 - probability) * largest_value,
                probability * plan.epistemic_uncertainty.item(),
                probability * R_MAX + settings.upsilon / n,
                R_MAX - plan.mean_reward.item(),
            )
        )
    return QuasiOptimism(settings, np.array(visits), *np.array(rows).T)


def _auxiliary_value(plan: GuidedPlan, n: int, settings: Schedule) -> float:
    """Ṽ: the plan's own value before the critical visit m, that of the modified bonus after it."""
    if n < settings.m:
        return plan.v.item()
    probability = plan.probability_of_uncertainty
    bonus = probability * R_MAX + settings.upsilon / n
    reward = (1.0 - probability) * plan.mean_reward + bonus
    return solve(replace(plan.model, rewards=reward), DISCOUNT).v.item()
