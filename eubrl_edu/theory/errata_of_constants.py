"""Errata of the paper's definitions, constants and remarks: what is printed, and what is meant."""

from math import e, log, log1p, sqrt

import numpy as np

from eubrl_edu.theory.bounds_sample_complexity import sample_complexity_bound
from eubrl_edu.theory.erratum import Erratum, Kind
from eubrl_edu.theory.log_terms import problem_log_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.resistance import (
    LEAST_SHARE,
    guidance_factor,
    resistance_lower_bound,
    resistance_upper_bound,
)
from eubrl_edu.theory.schedules import regret_lambda, schedule
from eubrl_edu.theory.stopping import stopping_times


def critical_visits() -> dict[str, float]:
    """λ = 0.01, γ = 0.9, at four times the m that is printed with λ."""
    problem, lambda_ = Problem(2, 2, 1.0, 0.1, discount=0.9), 0.01
    printed, needed = problem.v_max**2 / lambda_, schedule(problem, lambda_).m
    visits = 4 * printed
    return {
        "m with λ": printed,
        "m with λ²": needed,
        "gap of the rewards": 1 / sqrt(visits) - sqrt(printed) / visits,
        "allowed": lambda_ / problem.v_max,
    }


def stopping_time_as_offset() -> dict[str, float]:
    """One pair, ten steps: the stopping time of step 5, and step 5 + ν."""
    offset = int(stopping_times(np.zeros(10, dtype=int)).offsets[4])
    return {"ν as defined": 5 + offset, "t + ν as defined": 10 + offset, "T + 1": 11, "ν": offset}


def episodic_value_in_a_discounted_term() -> dict[str, float]:
    """The two V↑ for R_max = 1, γ = 0.99 and a horizon of 10."""
    return {
        "V↑_γ": Problem(1, 1, 1.0, 1.0, discount=0.99).v_max,
        "V↑_H": Problem(1, 1, 1.0, 1.0, horizon=10).v_max,
    }


def least_guidance_factor() -> dict[str, float]:
    """𝒢/SA where every P_U is 1."""
    return {"𝒢/SA": guidance_factor(np.ones((5, 2))) / 10, "17/63": 17 / 63}


def best_case_of_counts() -> dict[str, float]:
    """Share of the leading term that resistance can take off after 10^6 steps, S = 5, A = 2."""
    problem = Problem(5, 2, 1.0, 0.1, discount=0.9)
    most = resistance_upper_bound(problem, 1e6) / 1e6
    return {"Ψ in the best case": 1 - LEAST_SHARE, "Ψ at most": 2 / 9 * most}


def saving_beside_cost() -> dict[str, float]:
    """What resistance saves at least and what the auxiliary reward costs, 10^6 steps, γ = 0.9."""
    problem = Problem(5, 2, 1.0, 0.1, discount=0.9)
    lambda_ = regret_lambda(problem, 1e6)
    return {
        "saved at least": resistance_lower_bound(problem, 1e6, lambda_),
        "Σ Φ": 1e6 * schedule(problem, lambda_).phi,
    }


def lower_order_without_its_logarithm() -> dict[str, float]:
    """S = A = 1, δ = 1, T = 10^6: the sum of the smaller parts and what they are merged into."""
    t = problem_log_terms(Problem(1, 1, 1.0, 1.0, discount=0.0), 1e6)
    return {
        "48ℓ₁ℓ₂ + 120ℓ₂ℓ₃ + 26ℓ₄": 48 * t.l1 * t.l2 + 120 * t.l2 * t.l3 + 26 * t.l4,
        "168ℓ₁(1 + ℓ₂) as printed": 168 * t.l1 * (1 + t.l2),
        "168(1 + ℓ'₁)(1 + ℓ₂)": 168 * (1 + t.l1_prime) * (1 + t.l2),
    }


def doubled_lambda() -> dict[str, float]:
    """The first of the three parts of 2ΣJ, over V↑SA/(1 − γ): S = 5, A = 2, T = 10^9, γ = 0.9."""
    problem = Problem(5, 2, 1.0, 0.1, discount=0.9)
    t, lambda_ = problem_log_terms(problem, 1e9), regret_lambda(problem, 1e9)
    first = 48 * t.l1 * t.l2
    return {
        "48ℓ₁ℓ₂": first,
        "48ℓ₁ℓ₂/λ as printed": first / lambda_,
        "168Sℓ₁(1 + ℓ₂) that it goes into": 168 * 5 * t.l1 * (1 + t.l2),
    }


def logarithm_with_its_factor() -> dict[str, float]:
    """ℓ'*₂ as defined and as used, beside ℓ₂: SA = 10, T = 10^9."""
    least = sqrt(LEAST_SHARE) * 10
    used = log1p(1e9 / least)
    return {"as defined": least * used, "as used": used, "ℓ₂": log1p(1e8)}


def lambda_that_knows_the_best_action() -> dict[str, float]:
    """Two actions, visited 1 and 100 times, the first chosen: λ if the one or the other is best."""
    problem = Problem(1, 2, 1.0, 0.1, discount=0.9)
    chosen, other = 1.0, 0.1
    return {
        "λ if the first is best": regret_lambda(problem, 1e6, 2 * chosen + 9 / 7 * chosen),
        "λ if the second is best": regret_lambda(problem, 1e6, 2 * chosen + 9 / 7 * other),
    }


def episodic_constant() -> dict[str, float]:
    """K0's second constant beside what the proof needs: 480 of W, times the 2 of ℓ₂ ≤ 2ℓ₅."""
    return {"printed": 480, "2 · 480": 960, "for T0: 2 · 240": 480}


def fourth_power() -> dict[str, float]:
    """Two lines of the bound of log T0, without what they share: γ = 0.9, ε = 0.01, R_max = 1."""
    v_max, accuracy = 10.0, 0.01
    return {
        "log(e⁴/(ε⁴(1 − γ)⁸))": log(e**4 / (accuracy**4 * 0.1**8)),
        "log(V↑²e⁴/(ε⁴(1 − γ)⁴)) as printed": log(v_max**2 * e**4 / (accuracy**4 * 0.1**4)),
        "log(V↑⁴e⁴/(ε⁴(1 − γ)⁴))": log(v_max**4 * e**4 / (accuracy**4 * 0.1**4)),
    }


def lost_horizon() -> dict[str, float]:
    """Σ Φ²/V↑ with λ < 1, beside what is printed, without logarithms: γ = 0.99, SA = 10."""
    v_max, per_step = 100.0, 10 / 0.01  # λ² T is SA/(1 − γ), up to logarithms
    return {
        "Σ Φ²/V↑": per_step / v_max,
        "R_max²SA/V↑ as printed": 10 / v_max,
        "R_max SA": 10.0,
    }


def threshold_in_units_of_reward() -> dict[str, float]:
    """The two orders of the sample complexity at the ε printed: R_max = 10, S = 5, γ = 0.9."""
    ratio = {}
    for name, epsilon in (("1/(S(1 − γ))", 2.0), ("R_max/(S(1 − γ))", 20.0)):
        first, second = 10**2 * 5 / epsilon**2 / 0.1**3, 10 * 25 / epsilon / 0.1**2
        ratio[f"first part over second at ε = {name}"] = first / second
    nearly_zero = sample_complexity_bound(
        n_states=5, n_actions=1, delta=0.1, discount=0.9, epsilon=1e-9
    )
    return ratio | {"T0 at ε = 10⁻⁹": float(nearly_zero.total)}


def missing_discount() -> dict[str, float]:
    """(T₁U − T₁V)(s) for U = V + 1, γ = 0.9."""
    return {"γP̂(U − V)": 0.9, "P̂(U − V) as printed": 1.0}


ERRATA_OF_CONSTANTS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CONSTANT,
        place="Table of logarithmic terms, m",
        printed="m = V↑²/(R_max² λ), and m_t = V↑²/(R_max² λ_t²)",
        problem="With λ the gap between the two rewards exceeds R_max λ/V↑, and the complexity "
        "term Φ, for λ < 1/16.",
        repaired="λ² in both, see `schedule`.",
        counterexample=critical_visits,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Notations, ν_t; High Probability Events, A5; Boundedness of J",
        printed="ν_t = min{τ ∈ [t, T]: …}, or T + 1; then Σ_{l=0}^{ν_t − 1} and t + ν_t ≠ T + 1",
        problem="The definition is an absolute time, the sums take an offset.",
        repaired="ν_t = τ − t, and T + 1 − t where there is none, see `stopping_times`.",
        counterexample=stopping_time_as_offset,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Notations, the discounted β^t",
        printed="30 V↑_H S ℓ₃",
        problem="There is no H in a discounted problem.",
        repaired="30 V↑_γ S ℓ₃, as in β₁^t of “Boundedness of Accuracy”, see `error_terms`.",
        counterexample=episodic_value_in_a_discounted_term,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="State-action Dependent λ, the property of 𝒢",
        printed="17/63 SA ≤ 𝒢 ≤ SA",
        problem="True, but never attained: the root is forgotten.",
        repaired="√(17/63) SA ≤ 𝒢 ≤ SA, as its later use has it.",
        counterexample=least_guidance_factor,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="State-action Dependent λ, “Considering Both”",
        printed="At best, √(17/63) ≈ 0.519 of the leading term",
        problem="It asks for P_U = 1 at every step. Where P_U counts visits, that of the action "
        "taken adds up to SA + 2√(SAT) at most, so that Ψ ends below 2/7.",
        repaired="For counts, Ψ ≤ 2/7 + O(√(SA/T)), see `resistance_upper_bound`.",
        counterexample=best_case_of_counts,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Lower Bound of Epistemic Resistance, the remark after it",
        printed="The regret bound must be no worse than that without epistemic guidance",
        problem="What resistance saves for certain grows with √T · λ, what the auxiliary reward "
        "costs, ΣΦ, with T · λ.",
        repaired="The saving is certain; that it outweighs what guidance costs in the bound is "
        "not, and ends to hold at some T.",
        counterexample=saving_beside_cost,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="State-action Dependent λ, the non-leading part",
        printed="168 R_max/(1 − γ)² S²A ℓ₁(1 + ℓ₂)",
        problem="ℓ₃ is above ℓ₁ once T > e, and far above for large T; the uniform case has ℓ'₁.",
        repaired="168 R_max/(1 − γ)² S²A(1 + ℓ'₁)(1 + ℓ₂), see `state_action_regret_bound`.",
        counterexample=lower_order_without_its_logarithm,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="State-action Dependent λ, the bound of 2ΣJ",
        printed="48V↑SAℓ₁ℓ₂/((1 − γ)λ_T) beside 𝒥₂",
        problem="𝒴₁ has no λ, that is what 𝒴₂ is for. With it the part is of leading order and "
        "does not go into the last line.",
        repaired="48V↑SAℓ₁ℓ₂/(1 − γ).",
        counterexample=doubled_lambda,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="State-action Dependent λ, ℓ'*₂",
        printed="ℓ'*₂ =: √(17/63)SA log(1 + T/(√(17/63)SA)), and ℓ'*₂ ≃ ℓ₂",
        problem="The factor is counted twice in Regret*.",
        repaired="ℓ'*₂ is the logarithm alone.",
        counterexample=logarithm_with_its_factor,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="State-action Dependent λ, the choice of λ_t",
        printed="λ_t = min{1, C/√(9/2 − 𝕽^t) · …}, from which η_t follows",
        problem="𝕽^t contains P_U of the optimal action, so η_t cannot be computed by the agent, "
        "and π_t, which depends on η_t.",
        repaired="With 23/7 min_a P_U(s, a) for 𝕽^t, which the agent knows.",
        counterexample=lambda_that_knows_the_best_action,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Sample Complexity (finite-horizon), K0",
        printed="480 R_max H S²A(2ℓ₁ + ℓ₆)ℓ₅/ε",
        problem="W(K) has 480 already; ℓ₂ ≤ 2ℓ₅ doubles it, as 240 becomes 480 for T0.",
        repaired="960, see `sample_complexity_bound`. With 480 no K with W(K0) ≥ K0 is known: the "
        "logarithms are generous.",
        counterexample=episodic_constant,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Sample Complexity (discounted), proof of W(T0) < T0, log T0",
        printed="log(V↑² e⁴/(ε⁴(1 − γ)⁴))",
        problem="R_max⁴/(1 − γ)⁸ is V↑⁴/(1 − γ)⁴.",
        repaired="V↑⁴, as the next line, 4 log(V↑e/(ε(1 − γ))), has it.",
        counterexample=fourth_power,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Regret Analysis (discounted), Σ Φ²/V↑",
        printed="Õ(R_max² SA/V↑) ≤ Õ(R_max SA)",
        problem="λ² has 1/(1 − γ).",
        repaired="Õ(R_max² SA/(V↑(1 − γ))) = Õ(R_max SA): the end is right.",
        counterexample=lost_horizon,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Frequentist Bounds, the range of ε",
        printed="ε ∈ [0, 1/(S(1 − γ))]",
        problem="ε = 0 allows infinitely many bad steps, and R_max is missing.",
        repaired="0 < ε ≤ R_max/(S(1 − γ)), see `sample_complexity_threshold`.",
        counterexample=threshold_in_units_of_reward,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Quasi-Optimism (discounted), the lemma on T₁, monotonicity",
        printed="(T₁U − T₁V)(s) = P̂(U − V)(s, π*(s))",
        problem="γ is missing.",
        repaired="γP̂(U − V)(s, π*(s)).",
        counterexample=missing_discount,
    ),
)
