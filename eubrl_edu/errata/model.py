"""Errata of the paper's method and model: inference, measures of uncertainty, sampling."""

import math

import numpy as np

from eubrl_edu.beliefs.conjugate_rewards import beta_variance
from eubrl_edu.errata.erratum import Erratum, Kind


def undiscounted_objective() -> dict[str, float]:
    """A now, or less for ever: what each policy earns with and without discounting."""
    discount, steps = 0.9, 100
    discounts = discount ** np.arange(steps)
    at_once = np.zeros(steps)
    at_once[0] = 1.0
    for_ever = np.full(steps, 0.05)
    return {
        "discounted, at once": float(discounts @ at_once),
        "discounted, for ever": float(discounts @ for_ever),
        "sum of log-probabilities, at once": float(at_once.sum()),
        "sum of log-probabilities, for ever": float(for_ever.sum()),
    }


def unnormalised_probability() -> dict[str, float]:
    """exp(r) for a reward of 1, and what separate normalisers do to the bound."""
    mean_reward, epistemic, probability = 0.0, 1.0, 0.5
    guided = (1 - probability) * mean_reward + probability * epistemic
    certain, uncertain = math.log(2.0), math.log(10.0)  # log-normalisers of the two cases
    return {
        "exp(r)": math.exp(epistemic),
        "guided reward": guided,
        "shift by one normaliser for both": uncertain,
        "shift by one for each": (1 - probability) * certain + probability * uncertain,
    }


def two_meanings_of_reward_uncertainty() -> dict[str, float]:
    """Var(E[r|s,a,w]) by sampling beside E_Pb[E_R(s,a,s')], for two next states."""
    rng = np.random.default_rng(0)
    shares = rng.dirichlet([1.0, 1.0], 200_000)
    rewards = np.array([0.0, 10.0])  # known exactly
    known_shares, uncertain = np.array([0.5, 0.5]), rng.standard_normal((200_000, 2))
    return {
        "variance, rewards known and shares unknown": float((shares @ rewards).var()),
        "aggregate, rewards known and shares unknown": 0.0,
        "variance, rewards unknown and shares known": float((uncertain @ known_shares).var()),
        "aggregate, rewards unknown and shares known": 1.0,
    }


def uncertainty_above_the_priors() -> dict[str, float]:
    """Variances of two Beta priors, and after a failure: they rise if n² > b(3n + 2), n = a + b."""
    result = {}
    for ones, zeros in ((3.0, 1.0), (2.0, 1.0)):
        prior = f"Beta({ones:g}, {zeros:g})"
        result[prior] = beta_variance(ones, zeros)
        result[f"{prior} after one failure"] = beta_variance(ones, zeros + 1)
    return result


def clipped_visited_row() -> dict[str, float]:
    """One visit in a world of 2501 states, α = 1e-6: the mean P(observed next state)."""
    n_states, alpha, floor, visits = 2501, 1e-6, 1e-3, 1.0
    return {
        "posterior": (alpha + visits) / (alpha * n_states + visits),
        "clipped": (alpha + visits) / (floor * (n_states - 1) + alpha + visits),
    }


ERRATA_OF_THE_MODEL: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.REMARK,
        place="Probabilistic Inference and Epistemic Guidance, the objective",
        printed=r"It has been shown that standard RL can be formulated as an inference problem … "
        r"$\max_{\pi} \mathbb{E}_{P(\tau)}[\log{\prod_{t=0}^{\infty}P"
        r"(\mathcal{O}_{t} = 1 | s_{t}, a_{t})}]$",
        problem="The logarithm is, up to a constant a step, the undiscounted sum of rewards over "
        "an infinite horizon; it can diverge, and it can prefer another policy than the "
        "discounted return does.",
        survives="The step from it to the guided reward, which is about single steps. For the "
        "whole, Σ_t γ^t log P(O_t = 1 | s_t, a_t), or a chance 1 − γ at every step that the world "
        "ends.",
        counterexample=undiscounted_objective,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Probabilistic Inference and Epistemic Guidance, the guided reward",
        printed=r"if we adopt the same exponential transformation, which intensifies the higher "
        r"uncertainty, we obtain the \emph{epistemically guided reward}",
        problem="The transformation is printed with ∝, and exp(r) exceeds 1 for positive rewards, "
        "so a constant is needed. If P(O|U = 0) and P(O|U = 1) had one each, the bound would "
        "shift by an amount that depends on P_U.",
        survives="P(O = 1|U) = exp(·)/Z with one Z for both, large enough; the bound is then "
        "r^EUBRL − log Z.",
        counterexample=unnormalised_probability,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Hierarchical Reward Model, against Epistemic Uncertainty (appendix)",
        printed=r"$\mathcal{E}_{R}(s, a) := \mathbb{E}_{P_{b}(s' | s, a)}"
        r"[\mathcal{E}_{R}(s, a, s')]$ … $\mathcal{E}_{R}(s, a) := "
        r"\operatorname{Var}_{\mathbf{w} \sim b}(\mathbb{E}[r | s, a, \mathbf{w}])$",
        problem="One symbol for two quantities: the first ignores that P is unknown too, and "
        "weighs independent errors by their shares instead of the shares' squares.",
        survives="Both, under different names. The theory is about the second "
        "(rewards of actions), the experiments use the first.",
        counterexample=two_meanings_of_reward_uncertainty,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Model Specification: Epistemic Uncertainty",
        printed=r"The maximum epistemic uncertainty $\mathcal{E}_{\text{max}}$ … is fully "
        "determined by the priors and therefore does not introduce any additional degrees of "
        "freedom",
        problem="The uncertainty of the prior itself is fixed by the prior, but need not be the "
        "maximum: a posterior can exceed it. The paper names the Normal-Gamma; a Beta or Dirichlet "
        "posterior does so after a surprise if the prior is lopsided enough, as Beta(3, 1) is. "
        "Then P_U would exceed 1.",
        survives="What the paper does two sentences later: track the maximum. With symmetric Beta "
        "and Dirichlet priors the prior's uncertainty is the largest, though it need not fall "
        "with every observation.",
        counterexample=uncertainty_above_the_priors,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Hyperparameters, PSRL",
        printed="we therefore clip the Dirichlet parameter at this threshold, which only affects "
        "state–action pairs for which no observations have been made",
        problem="Visited rows are affected, too, whether α itself is clipped or each parameter of "
        "the posterior: their next states not yet seen are raised to 1/1000 each, together up to "
        "S/1000 visits.",
        survives="If the posterior's parameters are clipped, it is true of triples (s, a, s'). For "
        "pairs, clip rows without any observation only.",
        counterexample=clipped_visited_row,
    ),
)
