"""Errata of the paper's sections on posterior predictives, their uncertainty, and priors."""

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
from eubrl_edu.theory.erratum import Erratum, Kind
from eubrl_edu.theory.priors import dirichlet_error, normal_gamma_error
from eubrl_edu.theory.priors_class import classify_prior
from eubrl_edu.uncertainty import transition_variance


def signs_of_the_dirichlet_lemma() -> dict[str, float]:
    """T² − Σ(α_k + n_k)² for α = (1, 2, 3), the third state seen four times."""
    alpha, counts, seen = np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.0, 4.0]), 2
    total, others = alpha.sum() + counts.sum(), np.delete(alpha, seen)
    common = total**2 - (counts.sum() + alpha[seen]) ** 2
    return {
        "left-hand side": float(total**2 - ((alpha + counts) ** 2).sum()),
        "as printed": float(common + len(others) * alpha[seen] ** 2),
        "repaired": float(common - (others**2).sum()),
    }


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


def transition_uncertainty_of_one_state() -> dict[str, float]:
    """One state, a Normal-Gamma prior, a hundred rewards of 1: n² E_T and n² E_R."""
    belief = Belief(DirichletTransitions(1, 1), NormalGammaRewards(1, 1, on="action"))
    belief.update_batch([0] * 100, [0] * 100, [1.0] * 100, [0] * 100)
    transition = transition_variance(belief.transitions.parameters(0, 0))
    return {
        "n² E_T": float(transition) * 100**2,
        "n² E_R": belief.rewards.posterior()[1].item() * 100**2,
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


def weight_below_minus_one() -> dict[str, float]:
    """A weight f = −3 satisfies f ≤ 1; what it does to an error of 0.1."""
    weight, error = -3.0, 0.1
    return {"|f (P̂ − P)V|": abs(weight * error), "bound |(P̂ − P)V|": error}


def constants_that_grow() -> dict[str, float]:
    """Dirichlet(S·1) priors: C_g for each S, uniform over the pairs of every single MDP."""
    result = {}
    for n_states in (2, 20, 200):
        transitions = DirichletTransitions(n_states, 1, alpha=n_states)
        belief = Belief(transitions, NormalRewards(n_states, 1, on="action"))
        prior = classify_prior(belief, r_max=1.0)
        result[f"C_g with S = {n_states}"] = prior.transition_constant
    return result


def bias_without_luck() -> dict[str, float]:
    """P̂ = P = (1, 0) after ten visits, Dirichlet(1): errors of PV for V = (1, 0)."""
    truth, values = np.array([1.0, 0.0]), np.array([1.0, 0.0])
    error = dirichlet_error([10, 0], 1.0, truth)
    return {
        "|(P̂ − P)V|": float(abs((np.array([1.0, 0.0]) - truth) @ values)),
        "|(P_b − P)V|": float(abs(error.total @ values)),
    }


def bias_divided_twice() -> dict[str, float]:
    """λ0 = 10, μ0 = 0, r = 1, n = 100: the bias, and what Υ/N leaves to cover it."""
    n, lambda0 = 100, 10.0
    bias = normal_gamma_error([1.0] * n, 1.0, 0.0, lambda0).prior_bias
    return {
        "|prior bias|": abs(float(bias)),
        "as printed": lambda0 / n / n,
        "repaired": lambda0 / n,
    }


def max_uncertainty_below_one() -> dict[str, float]:
    """E_max of Dirichlet(10) over five states and N(0, 1/100); the reward gap that it leaves.

    The gap between auxiliary and guided reward, (R_max/E_max)(√N − √m)/N, is widest at N = 4m.
    """
    transitions = DirichletTransitions(5, 1, 10.0)
    rewards = NormalRewards(5, 1, 0.0, tau0=100.0, on="action")
    max_uncertainty = float(
        np.sqrt(transition_variance(transitions.parameters(0, 0))) + np.sqrt(rewards.prior()[1])
    )
    discount, lambda_ = 0.9, 0.1
    m = 1 / ((1 - discount) * lambda_) ** 2
    return {
        "E_max": max_uncertainty,
        "reward gap at N = 4m": (np.sqrt(4 * m) - np.sqrt(m)) / (4 * m) / max_uncertainty,
        "R_max λ (1 − γ)": lambda_ * (1 - discount),
    }


def lower_bound_in_place_of_a_rate() -> dict[str, float]:
    """Rewards that are always 1: n² E_R under Normal-Gamma and Normal priors."""
    result = {}
    for n in (1000, 100_000):
        gamma, normal = NormalGammaRewards(1, 1, on="action"), NormalRewards(1, 1, on="action")
        for name, rewards in (("Normal-Gamma", gamma), ("Normal", normal)):
            rewards.update_batch(0, 0, 0, np.ones(n))
            result[f"n² E_R, {name}, n = {n}"] = n**2 * rewards.posterior()[1].item()
    return result


def tied_row() -> dict[str, float]:
    """Moving right works in state 2 and never in state 1: ‖P_b − P̂‖₁ of state 2, times n."""
    result = {}
    for n in (100, 1000):
        belief = Belief(TiedDirichletTransitions(5, 1), NormalRewards(5, 1, on="action"))
        belief.update_batch([2, 1] * n, [0] * 2 * n, [0.0] * 2 * n, [3, 0] * n)
        row = MeanMDP(belief, 0.5).plan().model.transition_matrix()[2, 0]
        result[f"n ‖P_b − P̂‖₁, n = {n}"] = float(n * np.abs(row - np.eye(5)[3]).sum())
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


ERRATA_OF_PRIORS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.SLIP,
        place="Bounds for Transition, proof of the Dirichlet lemma",
        printed="T² − Σ_k(α_k + n_k)² = (α_0 + n)² − (n + α_j)² + Σ_{k≠j} α_j²",
        problem="The last sum has the wrong sign and the wrong index.",
        repaired="… − Σ_{k≠j} α_k², from which the next line of the proof follows.",
        counterexample=signs_of_the_dirichlet_lemma,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Bounds for Transition, the Dirichlet lemma",
        printed="E_T = Ω(1/n²) with C_1 = (2α_0 − 2α_j)/((1 + α_0)²(2 + α_0)), j being the visited "
        "state",
        problem="A constant for every history needs the worst j. And with one state E_T is 0.",
        repaired="α_j is the largest of the parameters, and S ≥ 2.",
        counterexample=constant_of_the_wrong_state,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Bounds for Reward, the Normal-Gamma lemma",
        printed="E_R = O(1/n) and E_T = Ω(1/n²)",
        problem="E_T stands for E_R; with one state E_T is 0.",
        repaired="E_R = Ω(1/n²), with C_1 = β_0/((λ_0 + 1)(α_0 − 1/2)).",
        counterexample=transition_uncertainty_of_one_state,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Bounds for Reward, the Normal-Gamma lemma",
        printed="E_R = O(1/n) for any n; “the upper bound is trivial”",
        problem="β grows with the squares of the rewards, so no constant serves unbounded ones "
        "(the experiments have Gaussian noise).",
        repaired="For rewards in [0, R_max], with C_2 = 2β_0/(λ_0 + 1) + (R_max² + D²)/4, "
        "D = max(|μ_0|, |R_max − μ_0|).",
        counterexample=unbounded_rewards,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Bounds for Reward, definition “Normal-Gamma”",
        printed="E_R = β/(λ(α − 1)), without a condition",
        problem="For α_0 ≤ 1 the variance does not exist before the first rewards; the formula is "
        "negative or divides by 0.",
        repaired="α_0 > 1.",
        counterexample=shape_of_at_most_one,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Properties of Priors, definition “Decomposable”",
        printed="f(n, θ) ≤ 1, h(n, θ) ≤ 1",
        problem="The theorem uses |f(P̂ − P)V| ≤ |(P̂ − P)V|, which a weight below −1 breaks.",
        repaired="|f| ≤ 1 and |h| ≤ 1. (Conjugate priors have 0 ≤ f ≤ 1.)",
        counterexample=weight_below_minus_one,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Properties of Priors, definition “Uniform”",
        printed="There are C_g and C_s with C_g(s, a) ≤ C_g and C_s(s, a) ≤ C_s for any (s, a)",
        problem="Every prior over a finite MDP has them: the maximum. What the optimality needs is "
        "that they do not grow with the problem.",
        repaired="C_g and C_s that serve all pairs of all MDPs considered, whatever S and A.",
        counterexample=constants_that_grow,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="From Frequentist to Bayesian, proof of the theorem on priors",
        printed="Without loss of generality b is weakly informative. We bound |(P̂ − P)V*|",
        problem="What is bounded is |(P_b − P)V*|, by the weights f and g of a decomposable prior.",
        repaired="A decomposable b, and |(P_b − P)V*|; for a weakly informative one, "
        "‖P_b − P̂‖₁ V↑ = O(S/n) stands for the prior bias.",
        counterexample=bias_without_luck,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="From Frequentist to Bayesian, proof: the overloaded Υ",
        printed="Υ ← Υ + (C_g‖P_b0 − P‖₁V↑) S/N + (C_s|r_b0 − r|) 1/N",
        problem="Υ is divided by N where it is used, so the bias would be divided by N twice.",
        repaired="Υ ← Υ + C_g‖P_b0 − P‖₁V↑S + C_s|r_b0 − r|, as in the 𝒴 two lines below.",
        counterexample=bias_divided_twice,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Corollary on Dirichlet and Normal priors, with “Boundedness of Complexity”",
        printed="Near minimax-optimality for every α, μ_0, τ_0 and τ",
        problem="The lemma Ṽ − V ≤ R_max λ assumes E_max ≥ 1, which strong priors violate.",
        repaired="E_max ≥ 1/4 is enough for that lemma; below it, m must be larger by the factor "
        "1/(4 E_max)². (The rest depends on E_max through η only.)",
        counterexample=max_uncertainty_below_one,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="From Frequentist to Bayesian, after the definition of the class",
        printed="The class can be correlated over state-actions, including hierarchical priors",
        problem="The tied prior of the experiments is not in it: P_b of a pair follows what other "
        "states show, and n‖P_b − P̂‖₁ grows without bound where they differ.",
        repaired="Some correlated priors are in the class. A tied one is fit where all states "
        "behave alike, which it assumes.",
        counterexample=tied_row,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Dirichlet and Normal-Gamma Priors, after the proposition",
        printed="A lower bound E_R = Ω(1/n²), which is insufficient to guarantee quasi-optimism",
        problem="A lower bound does not keep E_R small: a Normal prior meets it too, and does not "
        "fail.",
        repaired="Where a reward never varies, E_R = Θ(1/n²). The proposition holds: see "
        "`check_quasi_optimism`.",
        counterexample=lower_bound_in_place_of_a_rate,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Posterior Predictive: Reward, and Bounds for Reward, against Model Specification",
        printed="r_b − r splits with weights that depend on n; n E_R ≤ 1/τ",
        problem="Both are about beliefs over r(s, a). The experiments learn r(s, a, s'): then the "
        "weights depend on how the visits split over next states, and n E_R can be S times 1/τ.",
        repaired="Such priors are weakly informative, with a constant that grows with S.",
        counterexample=rewards_of_outcomes,
    ),
)
