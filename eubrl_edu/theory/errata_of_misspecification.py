"""Errata of the paper's "Prior Misspecification"."""

import itertools
import math

import numpy as np

from eubrl_edu.beliefs.conjugate_rewards import beta_mean, beta_variance
from eubrl_edu.theory.erratum import Erratum, Kind
from eubrl_edu.theory.misspecification import (
    guaranteed_sticking,
    guided_reward,
    max_uncertainty,
    required_prior,
    sufficient_average,
    sufficient_estimate,
    union_bound,
)
from eubrl_edu.theory.sticking import sticking_probability


def variance_that_rises() -> dict[str, float]:
    """Beta(1, 1) after five successes, and after a failure on top."""
    return {
        "after five successes": beta_variance(6.0, 1.0),
        "after a failure more": beta_variance(6.0, 2.0),
        "mean over what comes next": float(
            beta_mean(6.0, 1.0) * beta_variance(7.0, 1.0)
            + (1 - beta_mean(6.0, 1.0)) * beta_variance(6.0, 2.0)
        ),
    }


def probability_of_uncertainty_that_rises() -> dict[str, float]:
    """P_U under Beta(0.1, 0.1) after one observation and after one of each."""
    alpha = 0.1
    highest = max_uncertainty(alpha)
    return {
        "P_U after one": beta_variance(alpha + 1, alpha) / highest,
        "P_U after two": beta_variance(alpha + 1, alpha + 1) / highest,
    }


def hoeffding_with_the_wrong_mean() -> dict[str, float]:
    """The union bound with s(a) and with g(a, n), for μ2 = 0.6 and α = 29."""
    alpha, worse_mean = 29, 0.6
    estimate = sufficient_estimate(alpha)
    n = np.arange(1, 2000)
    return {
        "sum with s(a)": float(np.exp(-2 * n * (worse_mean - estimate) ** 2).sum()),
        "sum with g(a, n)": union_bound(alpha, worse_mean, estimate),
    }


def floor_in_place_of_the_number() -> dict[str, float]:
    """g(a, n) for a = 2.5 and n = 3, by its definition and with k = ⌊a⌋/n."""
    alpha, n = 2.5, 3
    estimate = sufficient_estimate(alpha)
    return {
        "g(a, n)": float(sufficient_average(alpha, n, estimate)),
        "with a/n": alpha / n * (2 * estimate - 1) + estimate,
        "with ⌊a⌋/n": math.floor(alpha) / n * (2 * estimate - 1) + estimate,
    }


def more_than_half() -> dict[str, float]:
    """What the theorem promises with the proof's δ0, beside the exact probability."""
    confidence, worse_mean = 0.1, 0.8
    alpha = required_prior(confidence, worse_mean).alpha
    guaranteed = guaranteed_sticking(confidence)
    return {
        "1 − δ0": 1 - guaranteed,
        "δ0": guaranteed,
        "exact": float(sticking_probability(worse_mean, alpha, 300)[-1]),
    }


def union_beside_leaving() -> dict[str, float]:
    """α = 1, μ2 = 0.6, twelve observations: that r̄ < g ever, and that the arm is ever left."""
    alpha, worse_mean, steps = 1.0, 0.6, 12
    rewards = np.array(list(itertools.product((0, 1), repeat=steps)))
    weights = np.where(rewards, worse_mean, 1 - worse_mean).prod(axis=1)
    n, sums = np.arange(1, steps + 1), rewards.cumsum(axis=1)
    below = sums / n < sufficient_average(alpha, n, sufficient_estimate(alpha))
    leaving = guided_reward(alpha, sums, n - sums) < max_uncertainty(alpha)
    return {
        "P(∪ r̄ < g)": float(weights[below.any(axis=1)].sum()),
        "P(the arm is left)": float(weights[leaving.any(axis=1)].sum()),
    }


def without_the_root() -> dict[str, float]:
    """Sticking for 300 steps with μ2 = 0.4, E_b the variance and its root."""
    result = {}
    for alpha in (1, 22):
        for rooted, name in ((False, "variance"), (True, "root")):
            probability = sticking_probability(0.4, alpha, 300, rooted)[-1]
            result[f"α = {alpha}, {name}"] = float(probability)
    return result


def values_of_the_arms() -> dict[str, float]:
    """Values of always pulling an arm, μ1 = 0.6 and μ2 = 0.4, with γ = 0.9."""
    better, worse, discount = 0.6, 0.4, 0.9
    return {
        "V* as printed": better,
        "V*": better / (1 - discount),
        "V* − V^π as printed": better - worse,
        "V* − V^π": (better - worse) / (1 - discount),
    }


def two_means_of_one_name() -> dict[str, float]:
    """The posterior mean under Beta(2, 2) after one success, and the average of the rewards."""
    return {"r̂ in this section": beta_mean(3.0, 2.0), "r̂ elsewhere, r̄ here": 1.0}


def tie_after_a_failure() -> dict[str, float]:
    """α = 1/√8 and one failure: the advantage of the tried arm is 0."""
    alpha = math.sqrt(1 / 8)
    sticking = sticking_probability(0.0, alpha, 2)  # with μ2 = 0 every reward is a failure
    return {
        "advantage": float(guided_reward(alpha, 0, 1)) - max_uncertainty(alpha),
        "P(the arm is left)": float(1 - sticking[1] / sticking[0]),
    }


ERRATA_OF_MISSPECIFICATION: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CLAIM,
        place="Prior Misspecification, lemma on Beta(α, β) with α = β",
        printed="The variance of the posterior decreases monotonically with the number of "
        "observations",
        problem="After an unbalanced history the posterior is not symmetric, so the proof's first "
        "step does not repeat: an unlikely outcome raises the variance.",
        repaired="It decreases in expectation; it stays below 1/(4(2α + n + 1)), which falls with "
        "every observation; and it never exceeds the prior's.",
        counterexample=variance_that_rises,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Prior Misspecification, proof: “we know that P_U is decreasing”",
        printed="P_{U,n} ≤ P_{U,1}, so that r̂ ≥ s(α) suffices",
        problem="For α < 1/2 a success and a failure leave P_U larger than one of them does.",
        repaired="For α ≥ 1/2, P_{U,n} ≤ P_{U,1} for all n ≥ 1. That r̂ ≥ s(α) suffices is true for "
        "every α: the arm is kept if r̂ > E_max + E, and E ≤ 1/16 but after one success and one "
        "failure, where r̂ = 1/2 is enough.",
        counterexample=probability_of_uncertainty_that_rises,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Prior Misspecification, proof: Hoeffding's inequality",
        printed="P(r̄ < g(a, n)) ≤ exp(−2n(μ2 − s(a))²)",
        problem="True, as g < s, but then the sum over n does not vanish for large α and bounds "
        "nothing; the steps that follow use g(a, n).",
        repaired="P(r̄ < g(a, n)) ≤ exp(−2n(μ2 − g(a, n))²).",
        counterexample=hoeffding_with_the_wrong_mean,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Prior Misspecification, proof: Bounding S2",
        printed="With k = ⌊a⌋/n, g(a, n) = k(2s − 1) + s",
        problem="g has a/n, not ⌊a⌋/n.",
        repaired="With k = a/n, which is in (0, 1) for n > ⌊a⌋; all that follows holds.",
        counterexample=floor_in_place_of_the_number,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Prior Misspecification, the theorem",
        printed="With probability greater than 1 − δ0",
        problem="The proof gives more than δ0 = (1 − η)/2. With that δ0, 1 − δ0 is above 1/2, and "
        "no such bandit reaches it: half of the agents try the better arm first.",
        repaired="With probability at least δ0 = (1 − η)/2; or, in the theorem's words, "
        "1 − δ0 with δ0 = (1 + η)/2.",
        counterexample=more_than_half,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="From Frequentist to Bayesian, after the theorem on misspecification",
        printed="… leading to repeated commitment to the suboptimal arm with high probability",
        problem="At most about 1/2, however strong the prior: both arms look the same at first.",
        repaired="With a probability as near to 1/2 as one likes.",
        counterexample=more_than_half,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Prior Misspecification, proof: P(Omission) and P(Sticky)",
        printed="P(Omission) = P(∪_n (r̄ < g(a, n))), P(Sticky) = P(∩_n (r̄ ≥ g(a, n)))",
        problem="r̄ ≥ g(a, n) is sufficient to keep the arm, not necessary: the union is larger "
        "than the event that the arm is left.",
        repaired="P(Omission) ≤ P(∪ …) and P(Sticky) ≥ P(∩ …), which is what the proof needs.",
        counterexample=union_beside_leaving,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Prior Misspecification, problem setting, against Epistemic Uncertainty",
        printed="E is the variance, and η = 1",
        problem="The algorithm has E_b = η(√E_T + √E_R), the root of it; h(x, y) = y is another "
        "algorithm. With the root, weak priors are left far more often.",
        repaired="The theorem holds with the root too: r̂ > 2 E_max = 1/√(2α + 1) keeps the arm, "
        "and that goes to 0 for large α.",
        counterexample=without_the_root,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Prior Misspecification, proof: the last line",
        printed="V^{π_t}(s_t) = u_2 and V*(s_t) = μ1",
        problem="These are the rewards of one step (u_2 should be μ2); values add up over time.",
        repaired="μ2/(1 − γ) and μ1/(1 − γ), so that every ε0 < (μ1 − μ2)/(1 − γ) will do.",
        counterexample=values_of_the_arms,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Prior Misspecification, names",
        printed="r̂, η and a",
        problem="r̂ is the posterior mean here and the average of the rewards elsewhere; η is the "
        "scale, 1, in the theorem and a confidence in its proof; α is also written a.",
        repaired="r_b for the posterior mean, another letter for the confidence, and α throughout.",
        counterexample=two_means_of_one_name,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Prior Misspecification, proof: the advantage of the second arm",
        printed="r_2 − r_1 ≥ 0 makes the agent select this arm repeatedly",
        problem="Where it is 0 the tie is broken at random, and the arm is left half of the time.",
        repaired="r_2 − r_1 > 0, which r̂ ≥ s(α) provides.",
        counterexample=tie_after_a_failure,
    ),
)
