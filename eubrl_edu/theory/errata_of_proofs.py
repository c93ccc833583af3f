"""Errata of the paper's proofs and theorems: indices, ends of runs, what a rate leaves out."""

from math import log, log1p, sqrt

import numpy as np

from eubrl_edu.agents import FrequentistEUBRL
from eubrl_edu.environments.bandit import Bandit
from eubrl_edu.simulation import simulate
from eubrl_edu.theory.bounds_sample_complexity import bad_steps_bound
from eubrl_edu.theory.erratum import Erratum, Kind
from eubrl_edu.theory.error_terms import error_scale, error_terms
from eubrl_edu.theory.measured import sample_complexity
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.resistance import epistemic_resistance, guidance_factor, resistance_share
from eubrl_edu.theory.schedules import schedule, theoretical_eta
from eubrl_edu.theory.stopping import stopping_times


def index_bound_twice() -> dict[str, float]:
    """One pair, ten steps, of which 1, 2, 4 and 7 are bad: its counts at t = 4."""
    bad, t, steps = (1, 2, 4, 7), 4, range(1, 11)

    def gamma(last):
        return [step for step in bad if step <= last]

    return {
        "n⁴, the index called τ": len(gamma(t)),
        "N⁴, the index called τ": len(gamma(t - 1)),
        "n with t ∈ Γ_t": sum(step in gamma(step) for step in steps),
        "N with t ∈ Γ_{t−1}": sum(step in gamma(step - 1) for step in steps),
    }


def checkpoints_beyond_the_end() -> dict[str, float]:
    """One pair, visited at each of T = 10 steps: the checkpoints from t = 1 on."""
    steps = 10
    offsets = stopping_times(np.zeros(steps, dtype=int)).offsets
    checkpoints = [1]
    while checkpoints[-1] <= steps:
        checkpoints.append(int(checkpoints[-1] + offsets[checkpoints[-1] - 1] + 1))
    return {
        "the last within the run": checkpoints[-2],
        "the one after it": checkpoints[-1],
        "T": steps,
        "T + 2": steps + 2,
    }


def stopping_time_of_the_later_step() -> dict[str, float]:
    """One pair, visited at each of 20 steps: τ = 3, t = 5."""
    tau, t = 3, 5
    offsets = stopping_times(np.zeros(20, dtype=int)).offsets
    return {
        "t − τ": t - tau,
        "ν_t − 1": int(offsets[t - 1]) - 1,
        "ν_τ − 1": int(offsets[tau - 1]) - 1,
        "n^t": t,
        "2N^τ": 2 * (tau - 1),
    }


def sum_for_its_scale() -> dict[str, float]:
    """N β of a pair after a hundred visits, and the 𝒴 that is said to equal it."""
    problem, lambda_, visits = Problem(2, 2, 1.0, 0.1, discount=0.9), 0.1, 100.0
    settings, p_u = schedule(problem, lambda_), 1 / sqrt(visits)
    beta = error_terms(problem, np.array([visits]), settings.eta * p_u**2, p_u, lambda_)
    return {"N β": float(visits * beta[0]), "𝒴": error_scale(problem, visits, lambda_)}


def sum_of_unlike_terms() -> dict[str, float]:
    """The two sides for R_max = δ = ε = 1, S = 5, A = 2, γ = 0.9."""
    first, second = 4 * 5 * 2 / 0.1**3, 9 * 5**2 * 2 / 0.1**4
    return {"left-hand side": first + second, "right-hand side": 13 * 5**2 * 2 / 0.1**4}


def steps_for_bad_steps() -> dict[str, float]:
    """W of all steps and of the bad ones, 10^9 and 10^3, S = 5, A = 2, γ = 0.9, ε = 1."""
    problem = Problem(5, 2, 1.0, 0.1, discount=0.9)
    return {
        "with T": bad_steps_bound(problem, 1.0, 1e9).total,
        "with |Γ_T|": bad_steps_bound(problem, 1.0, 1e3).total,
    }


def state_that_nothing_binds() -> dict[str, float]:
    """A run that starts in an unknown state and then stays in a known one: Ψ of 100 steps."""
    p_u = np.array([1.0] + [0.01] * 99)
    resistance = epistemic_resistance(p_u, p_u)
    return {
        "Ψ with 𝕽^t(s_t)": resistance_share(resistance),
        "Ψ with 𝕽 of the first state": resistance_share(resistance[:1]),
    }


def discounted_value_in_an_episodic_step() -> dict[str, float]:
    """The line before the last for R_max = 1, λ = 0.5, H = 5, with γ = 0.99 in V↑_γ."""
    lambda_, horizon = 0.5, 5
    return {
        "λ/H": lambda_ / horizon,
        "R_max λ/V↑_γ": lambda_ / Problem(1, 1, 1.0, 1.0, discount=0.99).v_max,
        "R_max λ/V↑_H": lambda_ / Problem(1, 1, 1.0, 1.0, horizon=horizon).v_max,
    }


def uncertainty_after_the_last_visit() -> dict[str, float]:
    """One pair, visited five times, P_U = 1/√N: the least that counts, and P_U at the end."""
    visits = 5
    return {"P̄_U": 1 / sqrt(visits - 1), "P_U at T + 1": 1 / sqrt(visits)}


def least_of_nothing() -> dict[str, float]:
    """Two pairs, visited five times and once: over how much each minimum is; 𝒢 by convention."""
    numbers = {f"numbers n from 2 to {visits}": len(range(2, visits + 1)) for visits in (5, 1)}
    return numbers | {
        f"𝒢 if the least of nothing is {least:g}": guidance_factor([0.5, least])
        for least in (0.0, 1.0)
    }


def logarithm_that_vanishes() -> dict[str, float]:
    """Two arms, γ = 0, ε = 1/2: the rate at δ = 1 − 10⁻⁶, and bad steps in twenty short runs."""
    delta, epsilon, arms = 1 - 1e-6, 0.5, Bandit((0.9, 0.1))
    sizes = {"n_states": 1, "n_actions": 2, "delta": delta, "discount": 0.0}
    eta = theoretical_eta(**sizes, epsilon=epsilon).eta
    bad = []
    for seed in range(20):
        agent = FrequentistEUBRL(1, 2, lambda t: eta, discount=0.0)
        run = simulate(agent, arms, 4, seed=seed, record_plans=True)
        bad.append(sample_complexity(run, arms, epsilon=epsilon, discount=0.0))
    rate = 2 / epsilon**2 + 2 / epsilon
    return {
        "(SA/ε² + S²A/ε) log(1/δ)": rate * log(1 / delta),
        "(SA/ε² + S²A/ε)(1 + log(1/δ))": rate * (1 + log1p(1 / delta - 1)),
        "bad steps, at least": min(bad),
    }


def rate_without_its_unit() -> dict[str, float]:
    """Two arms that pay 0 and 10⁶, nobody knows which: T = 1, γ = 0."""
    r_max, pairs = 1e6, 2
    return {
        "Regret(1) of anyone, on average": r_max / 2,
        "√(SAT) + S²A": sqrt(pairs) + pairs,
        "R_max(√(SAT) + S²A)": r_max * (sqrt(pairs) + pairs),
    }


ERRATA_OF_PROOFS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CONSTANT,
        place="Frequentist Bounds, the theorem on sample complexity; its finite-horizon form",
        printed="δ ∈ (0, 1], and Õ((SA/(ε²(1 − γ)³) + …) log(1/δ)) steps",
        problem="As δ nears 1 the logarithm vanishes, and with it the number of steps. But of two "
        "arms the algorithm has to try both, so that one step is bad for certain.",
        repaired="With 1 + log(1/δ); or as T0 has it, where ℓ₁ = log(24SA/δ) is above 3.",
        counterexample=logarithm_that_vanishes,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Frequentist Bounds, the theorems on regret and sample complexity",
        printed="Õ(√(SAT)/(1 − γ)^1.5 + …), and Õ(SA/(ε²(1 − γ)³) + …)",
        problem="Regret is in units of reward, and so is ε. Rewards are in [0, R_max], and R_max "
        "is not among what Õ hides, which is logarithms.",
        repaired="R_max times the first; R_max/ε for 1/ε in the second. The proofs have both.",
        counterexample=rate_without_its_unit,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Boundedness of Complexity (finite-horizon), the difference of the rewards",
        printed="R_max λ_k/V↑_γ, and in the next line, with an equals sign, λ_k/H",
        problem="There is no γ in an episode, and with V↑_γ the two differ.",
        repaired="R_max λ_k/V↑_H, which is λ_k/H.",
        counterexample=discounted_value_in_an_episodic_step,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Boundedness of J (discounted), the lemma on overshooting, its checkpoints",
        printed="t_{k+1} = t_k + ν_{t_k} + 1 ≤ T, so that some t_K is T",
        problem="Where nothing stops, ν is T + 1 − t_k, and the next checkpoint is T + 2. The "
        "chain leaves the run and need not meet T.",
        repaired="t_{k+1} ≤ T + 2. That every step is in some [t_k, t_{k+1}] is true all the same; "
        "what is wrong with the lemma is another matter, see there.",
        counterexample=checkpoints_beyond_the_end,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Boundedness of J (discounted), the lemma on Σ J by 𝒴, its first step",
        printed="For any t with t − τ ≤ ν_t − 1, n^t(s_t, a_t) ≤ 2N^τ(s_t, a_t)",
        problem="ν_t looks ahead from t. How far the count of the anchor τ may be used is what "
        "ν_τ says.",
        repaired="t − τ ≤ ν_τ − 1, as the indicators of the proof have it.",
        counterexample=stopping_time_of_the_later_step,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Boundedness of J (discounted), the lemma on Σ J by 𝒴, β and 𝒴",
        printed="Σ γ^{t−τ} β^τ = Σ γ^{t−τ} 𝒴^τ/N^τ",
        problem="𝒴 has 12V↑ℓ₁/λ where N β has (11 − P_U)V↑ℓ₁/λ + V↑/λ, and ℓ_{3,τ} for that of "
        "the pair.",
        repaired="≤, as ℓ₁ ≥ 1 and E_max ≥ 1, which is all that is needed.",
        counterexample=sum_for_its_scale,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Regret Analysis (discounted), Ψ(T) and the sums that go with it",
        printed="Σ_t 𝕽^t(s), Σ_t J^t(s), and Σ_t J^t(s_1^t)",
        problem="Nothing says which s; and s_1^t is the first state of an episode, of which there "
        "are none.",
        repaired="s_t in all of them, as in the lower bound of epistemic resistance.",
        counterexample=state_that_nothing_binds,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="State-action Dependent λ, the definition of P̄_U",
        printed="P̄_U(s, a) = min over 2 ≤ n ≤ N^{T+1}(s, a) of min over τ ≤ t_(s,a)(n) of P̄_U^τ",
        problem="Of a pair visited less than twice it is the least of nothing. And t_(s,a)(n) is "
        "not said to be the time of the n-th visit.",
        repaired="1 for such pairs, see `guidance_factor`: they have no part in the sum that 𝒢 "
        "bounds, so that anything in [0, 1] will do.",
        counterexample=least_of_nothing,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="State-action Dependent λ, after the definition of 𝒢",
        printed="If the uncertainty never rises, P̄_U(s, a) is exactly P̄_U^{T+1}(s, a)",
        problem="It ends with the plan that led to the last visit, and does not know of that visit "
        "yet.",
        repaired="P̄_U(s, a) ≥ P̄_U^{T+1}(s, a), so that the latter makes a 𝒢 that is no smaller.",
        counterexample=uncertainty_after_the_last_visit,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Sample Complexity (discounted), the visits in Γ_T",
        printed="n^t(s, a) = Σ_{t ∈ Γ_t} 1((s_t, a_t) = (s, a)), N^t(s, a) with t ∈ Γ_{t−1}",
        problem="t is bound twice: it is the time of the count, and the index of its sum. For the "
        "index, t ∈ Γ_t only says that t is bad, so n counts the whole run; t ∈ Γ_{t−1} is never "
        "true, so N counts nothing.",
        repaired="Σ_{τ ∈ Γ_t} 1((s_τ, a_τ) = (s, a)), and τ ∈ Γ_{t−1} for N^t, as for episodes. "
        "Which visits ought to be counted is another matter, see the lemma on Σ J over Γ_T.",
        counterexample=index_bound_twice,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Sample Complexity (discounted), proof of |Γ_T| ≤ W(|Γ_T|)",
        printed="|Γ_T| ≤ 8𝒴^(T) SAℓ_{2,T}/(ε(1 − γ)) + …, and then the same with |Γ_T| for T",
        problem="The second line does not follow from the first, which is weaker: T may be far "
        "larger than |Γ_T|, and has no bound.",
        repaired="|Γ_T| in the first line too, as in the lemma that it is taken from.",
        counterexample=steps_for_bad_steps,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Sample Complexity (discounted), proof of W(T0) < T0, the bound of B",
        printed="4R_max²SA/(δε²(1 − γ)³) + 9R_max²S²A/(δε²(1 − γ)⁴) = 13R_max²S²A/(δε²(1 − γ)⁴)",
        problem="Equal only where S = 1 and γ = 0.",
        repaired="≤, which is all that is needed.",
        counterexample=sum_of_unlike_terms,
    ),
)
