"""Errata of the paper's "Prior Misspecification"."""

from eubrl_edu.beliefs.conjugate_rewards import beta_mean, beta_variance
from eubrl_edu.errata.erratum import Erratum, Kind
from eubrl_edu.theory.misspecification import guaranteed_sticking, max_uncertainty, required_prior
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


def without_the_root() -> dict[str, float]:
    """Sticking for 300 steps with μ2 = 0.4, E_b the variance and its root."""
    result = {}
    for alpha in (1, 22):
        for rooted, name in ((False, "variance"), (True, "root")):
            probability = sticking_probability(0.4, alpha, 300, rooted)[-1]
            result[f"α = {alpha}, {name}"] = float(probability)
    return result


ERRATA_OF_MISSPECIFICATION: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CLAIM,
        place="Prior Misspecification, lemma on Beta(α, β) with α = β",
        printed="the variance of the posterior distribution decreases monotonically with the "
        "number of observations",
        problem="After an unbalanced history the posterior is not symmetric, so the proof's first "
        "step does not repeat: an unlikely outcome raises the variance.",
        survives="It decreases in expectation under the posterior itself; it is never above "
        "1/(4(2α + n + 1)), which falls with every observation; and it never exceeds the prior's. "
        "The theorem does not need more.",
        counterexample=variance_that_rises,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Prior Misspecification, proof of the theorem",
        printed=r"we know that $P_{U}$ is decreasing. Therefore, it suffices to ensure that",
        problem="It is not, whatever α is (see the lemma). What is used is P_{U,n} ≤ P_{U,1}, and "
        "that is false for α < 1/2: a success and a failure leave P_U larger than one of them "
        "does.",
        survives="For α ≥ 1/2, P_{U,n} ≤ P_{U,1} for all n ≥ 1; and the theorem takes a large α. "
        "That r̂ ≥ s(α) suffices is even true for every α: the arm is kept if r̂ > E_max + E, and "
        "E ≤ 1/16 except after one success and one failure, where r̂ = 1/2 is enough.",
        counterexample=probability_of_uncertainty_that_rises,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="From Frequentist to Bayesian, after the theorem on misspecification",
        printed="leading to repeated commitment to the suboptimal arm with high probability",
        problem="In the printed construction, with equal priors, about 1/2 at most, however strong "
        "they are: both arms look the same at first.",
        survives="As near to 1/2 as one likes; and to 1 under unequal priors, if the better arm's "
        "is confidently low. The theorem itself is true, for it only asks for some δ0: (1 + η)/2 "
        "will do.",
        counterexample=more_than_half,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Prior Misspecification, problem setting, against Epistemic Uncertainty",
        printed=r"$\mathcal{E}(a_{i}) = \text{Var}_{b(\mathbf{w} | a_{i}, S_{i}, F_{i})}"
        r"[\mathbb{E}_{P(r | a_{i}, \mathbf{w})}[r]]$",
        problem="The algorithm has E_b = η(√E_T + √E_R), the root of it; h(x, y) = y is another "
        "algorithm. With the root, the arm is left far more often under a weak prior.",
        survives="The theorem, with the root too: r̂ > 2 E_max = 1/√(2α + 1) keeps the arm, "
        "and that goes to 0 for large α.",
        counterexample=without_the_root,
    ),
)
