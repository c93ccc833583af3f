"""Errata of the paper's sections on posterior predictives, their uncertainty, and priors."""

from math import sqrt

import numpy as np

from eubrl_edu.agents import MeanMDP
from eubrl_edu.beliefs import (
    Belief,
    DirichletTransitions,
    NormalGammaRewards,
    NormalRewards,
    TiedDirichletTransitions,
)
from eubrl_edu.beliefs.conjugate_rewards import normal_gamma_variance
from eubrl_edu.errata.erratum import Erratum, Kind
from eubrl_edu.theory.bounds_prior_dependent import prior_dependent_regret_bound
from eubrl_edu.theory.priors_class import classify_prior
from eubrl_edu.theory.priors_constants import PriorConstants
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import schedule
from eubrl_edu.uncertainty import transition_variance


def constant_of_the_wrong_state() -> dict[str, float]:
    """α = (0.1, 10), the second state seen once: n² E_T beside C_1 with either j."""
    alpha = np.array([0.1, 10.0])
    posterior = alpha + np.array([0.0, 1.0])
    total, prior_total = posterior.sum(), alpha.sum()
    constants = 2 * (prior_total - alpha) / ((1 + prior_total) ** 2 * (2 + prior_total))
    single = DirichletTransitions(1, 1, 1.0)
    return {
        "n² E_T": float((total**2 - (posterior**2).sum()) / (total**2 * (total + 1))),
        "C_1, j = 1": float(constants[0]),
        "C_1, j = 2": float(constants[1]),
        "E_T with one state": float(transition_variance(single.parameters(0, 0))),
    }


def unbounded_rewards() -> dict[str, float]:
    """Two rewards, ±1 and ±1000: n E_R of a Normal-Gamma prior."""
    result = {}
    for size in (1.0, 1000.0):
        rewards = NormalGammaRewards(1, 1, on="action")
        rewards.update_batch(0, 0, 0, np.array([size, -size]))
        result[f"rewards ±{size:g}"] = 2 * rewards.posterior()[1].item()
    return result


def shape_of_at_most_one() -> dict[str, float]:
    """E_R = β/(λ(α − 1)) of NG(0, 1, 1/2, 1) before any reward, and its α − 1 after one."""
    return {
        "variance before any reward": normal_gamma_variance(0.0, 1.0, 1.0, 0.5),
        "α − 1 after one reward": 0.5 + 1 / 2 - 1,
    }


def constants_that_grow() -> dict[str, float]:
    """Dirichlet(S·1) priors: C_g for each S, uniform over the pairs of every single MDP."""
    result = {}
    for n_states in (2, 20, 200):
        transitions = DirichletTransitions(n_states, 1, alpha=n_states)
        belief = Belief(transitions, NormalRewards(n_states, 1, on="action"))
        prior = classify_prior(belief, r_max=1.0)
        result[f"C_g with S = {n_states}"] = prior.transition_constant
    return result


def max_uncertainty_below_one() -> dict[str, float]:
    """Dirichlet(10) over five states and N(0, 1/100): E_max, and the reward gap that it leaves.

    C₁ = 1/√(τ0 + τ) is the reward's alone, so √n E is never below it. The gap between auxiliary and
    guided reward, P_U R_max + Υ/n − P_U η E, is widest after m visits where E is smallest.
    """
    transitions = DirichletTransitions(5, 1, 10.0)
    rewards = NormalRewards(5, 1, 0.0, tau0=100.0, on="action")
    max_uncertainty = float(
        np.sqrt(transition_variance(transitions.parameters(0, 0))) + np.sqrt(rewards.prior()[1])
    )
    problem, lambda_, lowest = Problem(5, 1, 1.0, 0.1, discount=0.9), 0.1, 1 / sqrt(101)
    settings = schedule(problem, lambda_)
    eta = max_uncertainty * settings.upsilon / lowest**2 + sqrt(settings.m) / lowest
    visits = settings.m * np.geomspace(1, 1e4, 200)
    uncertainty = lowest / np.sqrt(visits)
    p_u = uncertainty / max_uncertainty
    gaps = p_u + settings.upsilon / visits - p_u * eta * uncertainty
    return {
        "E_max": max_uncertainty,
        "C₁": lowest,
        "widest gap of the rewards": float(gaps.max()),
        "R_max² λ/V↑": lambda_ / problem.v_max,
    }


def tied_row() -> dict[str, float]:
    """Moving right works in state 2 and never in state 1: ‖P_b − P̂‖₁ of state 2, times n."""
    result = {}
    for n in (100, 1000):
        belief = Belief(TiedDirichletTransitions(5, 1), NormalRewards(5, 1, on="action"))
        belief.update_batch([2, 1] * n, [0] * 2 * n, [0.0] * 2 * n, [3, 0] * n)
        row = MeanMDP(belief, 0.5).plan().model.transition_matrix()[2, 0]
        result[f"n ‖P_b − P̂‖₁, n = {n}"] = float(n * np.abs(row - np.eye(5)[3]).sum())
    return result


def lower_bound_in_place_of_a_rate() -> dict[str, float]:
    """Rewards that are always 1: n² E_R under Normal-Gamma and Normal priors."""
    result = {}
    for n in (1000, 100_000):
        gamma, normal = NormalGammaRewards(1, 1, on="action"), NormalRewards(1, 1, on="action")
        for name, rewards in (("Normal-Gamma", gamma), ("Normal", normal)):
            rewards.update_batch(0, 0, 0, np.ones(n))
            result[f"n² E_R, {name}, n = {n}"] = n**2 * rewards.posterior()[1].item()
    return result


def rewards_of_outcomes() -> dict[str, float]:
    """Ten rewards of 1 under N(0, 1) priors of outcomes: r_b and n E_R for two ways to split."""
    result = {}
    for counts in ((10, 0), (5, 5)):
        belief = Belief(DirichletTransitions(2, 1, 1e-9), NormalRewards(2, 1, on="outcome"))
        for next_state, count in enumerate(counts):
            belief.update_batch([0] * count, [0] * count, [1.0] * count, [next_state] * count)
        mean, variance = (table[0, 0] for table in belief.rewards.posterior())
        shares = np.array(counts) / 10
        seen = len(np.flatnonzero(counts))
        result[f"r_b, visits {counts}"] = float(shares[:seen] @ mean[:seen])
        result[f"n E_R, visits {counts}"] = float(10 * shares[:seen] @ variance[:seen])
    return result


def never_tighter() -> dict[str, float]:
    """What a prior adds to the bound, S = 10, A = 2, γ = 0.9, T = 10^10: weak, usual, strong."""
    sizes = {"n_states": 10, "n_actions": 2, "delta": 0.1, "discount": 0.9, "steps": 1e10}
    result = {}
    for weight in (1e-6, 1.0, 100.0):
        constants = PriorConstants(transitions=weight, rewards=weight)
        bound = prior_dependent_regret_bound(**sizes, prior=constants)
        result[f"added by Λ = {weight:g}"] = bound.total - bound.frequentist.total
    return result


def rate_of_a_wide_band() -> dict[str, float]:
    """N(0, 1/100), precision 1: the two constants of E, and by how much the √T part can grow.

    That part is 14 of the luck, which goes with λ, and 16 of what is to be learned, which goes
    with 1/λ; the prior touches the second only.
    """
    tau0, tau = 100.0, 1.0
    n = np.geomspace(1, 1e6, 200)
    scaled = np.sqrt(n / (tau0 + tau * n))
    squared = (tau0 + tau) / tau
    learning = 16 * (4 + 8 * squared) / 12
    return {
        "least √n E": float(scaled.min()),
        "C₁ = 1/√(τ0 + τ)": 1 / sqrt(tau0 + tau),
        "largest √n E": float(scaled.max()),
        "C₂ = 1/√τ": 1 / sqrt(tau),
        "(C₂/C₁)² = 1 + C_s": squared,
        "√T part with the paper's λ, times at most": (14 + learning) / 30,
        "√T part with a λ for this prior, times at most": 2 * sqrt(14 * learning) / 30,
    }


ERRATA_OF_PRIORS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CLAIM,
        place="From Frequentist to Bayesian, after the theorem on priors",
        printed="depending on the priors, we can achieve even tighter bounds",
        problem="The bound is the frequentist one plus terms in Λ_T and Λ_R, none of which is "
        "below 0: no prior makes it smaller, not even one that is right. (A strong prior makes "
        "the weights f and h small; the proof bounds them by 1, and the prior's error by the "
        "worst case.)",
        survives="A weak prior costs next to nothing. That a good prior helps is seen in the "
        "experiments; no bound here shows it.",
        counterexample=never_tighter,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="From Frequentist to Bayesian, proof: η and β for the rate Θ(1/√N)",
        printed=r"since the rate of the epistemic uncertainty is "
        r"$\Theta{(\frac{1}{\sqrt{N^{t}}})}$, a scaling factor $\eta$ can be chosen appropriately",
        problem="It can, but not for free. If C₁/√n ≤ E ≤ C₂/√n, the bonus less P_U R_max covers "
        "Υ/N for every N < m, as the proof needs (beyond, its auxiliary bonus does so by "
        "definition), from η ≥ E_max Υ/C₁² + R_max √m/C₁ on, and β pays up to "
        "η C₂²/(E_max N): up to 4 + 8(C₂/C₁)² in place of 12 in N β, in units of V↑ℓ₁/λ. With the "
        "λ of the proof the learning part of √T grows by as much, with a λ chosen for the prior "
        "the whole √T part by √((1 + 2(C₂/C₁)²)/3). For bad steps, where ε fixes λ, the 1/ε² part "
        "grows like (C₂/C₁)². None of it is in the printed bounds. For the reward's uncertainty "
        "alone, under a Normal prior, (C₂/C₁)² is 1 + C_s.",
        survives="The rates in T and in ε, for each single prior; under the corollary's, where "
        "(C₂/C₁)² ≤ (1 + √τ)²(1 + C_s), those in S, A and 1 − γ as well. With that η, "
        "and for the reward's uncertainty alone, the stronger of two Normal priors with"
        " the same τ pays more in the leading part as well: Λ_T and Λ_R are not all "
        "that such a bound knows of the prior. (Where values are cut off at V↑ and μ₀ ≥"
        " 0, a smaller η, which covers Υ/N for N ≥ Υ/V↑ only, is enough under a Normal "
        "prior: for the reward's uncertainty alone most of this cost then leaves the "
        "leading part; with Dirichlet transitions in E a factor (C₂/C₁)² of up to (1 + "
        "√τ)² stays.)",
        counterexample=rate_of_a_wide_band,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Bounds for Transition, the Dirichlet lemma",
        printed=r"with constant $C_{1} = \frac{(2\alpha_0 - 2\alpha_{j})}{(1 + \alpha_0)^2"
        r"(2 + \alpha_0)}$",
        problem="j is the visited state in “the worse case”. Which that is, is not said: the one "
        "with the largest α_j. And with one state E_T is 0.",
        survives="The lemma, if α_j is the largest of the parameters and S ≥ 2; so the corollary, "
        "whose α are all equal.",
        counterexample=constant_of_the_wrong_state,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Bounds for Reward, the Normal-Gamma lemma",
        printed="The upper bound is trivial",
        problem="It is, for rewards in [0, R_max], which the paper assumes. β grows with their "
        "squares, so no constant serves unbounded ones (the experiments have Gaussian noise).",
        survives="The lemma, for rewards in [0, R_max] and α_0 > 1: C_2 = 2β_0/(λ_0 + 1) + "
        "(R_max² + D²)/4, D = max(|μ_0|, |R_max − μ_0|).",
        counterexample=unbounded_rewards,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Bounds for Reward, definition “Normal-Gamma”",
        printed=r"$\mathcal{E}_{R}(s, a) = \frac{\beta}{\lambda (\alpha - 1)}$",
        problem="For α_0 ≤ 1 the variance does not exist before the first rewards; the formula is "
        "negative or divides by 0.",
        survives="The definition, for α_0 > 1. (The experiments have 2.)",
        counterexample=shape_of_at_most_one,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Properties of Priors, definition “Uniform”",
        printed=r"is said to be \emph{uniform} if there exist positive constants $C_{g}$ and "
        r"$C_{s}$ such that … for any $(s, a) \in \mathcal{S} \times \mathcal{A}$",
        problem="Every decomposable prior over a finite MDP has them: the maximum; and likewise "
        "the R̄ of “Bounded”. What the optimality needs is that they do not grow with the problem, "
        "which the main text says: “the prior bias admits a universal constant”.",
        survives="The theorem, with constants that serve all pairs of all MDPs considered, "
        "whatever S, A, γ and T; and the corollary, whose C_g = α is one.",
        counterexample=constants_that_grow,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Boundedness of Complexity, where the corollary on priors uses it",
        printed=r"the last is because of the assumption that $\mathcal{E}_{\text{max}} \geq 1$",
        problem="Strong priors violate it, and the corollary is for every α, μ_0, τ_0 and τ.",
        survives="That lemma does not need it. With C₁/√n ≤ E ≤ C₂/√n and the η that covers Υ/n "
        "then, the gap of the rewards is at most R_max C₁/(4 E_max √m), and C₁ ≤ E_max. What a "
        "strong prior costs is in N β: (C₂/C₁)² Υ + C₂² V↑/(C₁ E_max λ).",
        counterexample=max_uncertainty_below_one,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="From Frequentist to Bayesian, after the definition of the class",
        printed="This class can be quite expressive, as it can be either correlated or independent "
        "over state-actions, including hierarchical priors",
        problem="True; but the correlated prior of the experiments, the tied one, is not in it: "
        "P_b of a pair follows what other states show, and n‖P_b − P̂‖₁ grows without bound where "
        "they differ. Nor is it decomposable: P_b − P does not fade where P̂ = P.",
        survives="The sentence. A tied prior is fit where all states behave alike, which it "
        "assumes; the bounds do not speak about it.",
        counterexample=tied_row,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Dirichlet and Normal-Gamma Priors, after the proposition",
        printed=r"$\mathcal{E}_{R}(s, a) = \Omega(\frac{1}{n^{2}})$ … which is "
        "insufficient to guarantee quasi-optimism",
        problem="Literally right, and no proof yet: a lower bound does not keep E_R small. A "
        "Normal prior meets it too, and does not fail. The authors' lemma, with its numerator "
        "Θ(1), shows what is meant.",
        survives="The proposition: where neither the reward nor the next state varies, E_R and "
        "E_T are Θ(1/n²), so that E = Θ(1/n), and `check_quasi_optimism` shows the failure.",
        counterexample=lower_bound_in_place_of_a_rate,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Hierarchical Reward Model, against Posterior Predictive: Reward",
        printed=r"we adopt modeling $P(r | s, a, s')$ in our implementation … "
        r"over mean of reward for a fixed $(s,a) \in \mathcal{S} \times \mathcal{A}$",
        problem="The experiments learn r(s, a, s'), the lemmas are about beliefs over r(s, a). "
        "With outcomes the weights depend on how the visits split over next states, and for Normal "
        "priors n E_R can be S/τ.",
        survives="The lemmas. Normal priors on outcomes are weakly informative, with a constant "
        "that grows with S; the S²A/(1 − γ)² part of the bound takes that bias up. Where α is far "
        "below τ₀/τ, n E_R of some pairs is up to S times that of others, and through η this "
        "enters the leading part.",
        counterexample=rewards_of_outcomes,
    ),
)
