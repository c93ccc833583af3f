"""Errata of the paper's analysis beside its lemmas: assumptions, remarks, small steps."""

from math import log, sqrt

import numpy as np

from eubrl_edu.agents import FrequentistEUBRL
from eubrl_edu.mdp import MDP
from eubrl_edu.theory.bounds_per_step import per_step_bound
from eubrl_edu.theory.erratum import Erratum, Kind
from eubrl_edu.theory.error_terms import bellman_like, error_terms
from eubrl_edu.theory.log_terms import pair_log_term
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.resistance import epistemic_resistance
from eubrl_edu.theory.schedules import schedule


def one_lambda_for_all_times() -> dict[str, float]:
    """How often A1 fails within e^300 visits if λ_t is always the best one, √(12V↑²ℓ₁/(Var N)).

    Then A1 allows √(3ℓ₁) standard deviations at every time. After many visits the error in
    standard deviations is a normal process with correlation e^(−|u − v|/2) at the times e^u, e^v.
    S = 2, A = 1, δ = 1.
    """
    allowed = sqrt(3 * log(24 * 2))
    rng, runs, step = np.random.default_rng(0), 1000, 0.1
    kept, drawn = np.exp(-step / 2), sqrt(1 - np.exp(-step))
    error = rng.standard_normal(runs)
    largest = np.abs(error)
    for _ in range(int(300 / step)):
        error = kept * error + drawn * rng.standard_normal(runs)
        np.maximum(largest, np.abs(error), out=largest)
    return {
        "standard deviations allowed": allowed,
        "share of runs in which A1 fails": float((largest > allowed).mean()),
        "δ/6": 1 / 6,
    }


def resistance_of_two_states() -> dict[str, float]:
    """A known state now, an unknown one next: √(9/2 − 𝕽) as λ_t has it, and as the lemma has it."""
    now, following = epistemic_resistance(1e-4, 1e-4), epistemic_resistance(1.0, 1.0)
    return {
        "√(9/2 − 𝕽^t(s_t))": sqrt(4.5 - now),
        "√(9/2 − 𝕽^t(s_{t+1}))": sqrt(4.5 - following),
    }


def bound_of_the_unknown() -> dict[str, float]:
    """The bound of one step where all was tried once, and where all was tried 10^8 times."""
    problem = Problem(2, 2, 1.0, 0.1, discount=0.9)
    world = MDP.from_dense(np.full((2, 2, 2), 0.5), np.zeros((2, 2)))
    lambda_, result = 0.1, {}
    for visits in (1e0, 1e8):
        p_u = np.full((2, 2), 1 / sqrt(visits))
        bonus = schedule(problem, lambda_).eta * p_u**2
        beta = error_terms(problem, visits * np.ones((2, 2)), bonus, p_u, lambda_)
        bound = per_step_bound(
            p_u_policy=p_u[0, 0],
            p_u_optimal=p_u[0, 0],
            lambda_=lambda_,
            j=bellman_like(world, np.zeros(2, dtype=int), beta, 0.9, problem.v_max)[0],
            r_max=1.0,
            v_max=problem.v_max,
        )
        result[f"first part of the bound, N = {visits:g}"] = float(bound.guided)
        result[f"the bound, N = {visits:g}"] = float(bound.total)
    return result


def uncertainty_without_its_scale() -> dict[str, float]:
    """P_U E_b after 100 visits, with E_b = 1/√N and with η/√N, for the η of the theorem."""
    eta = schedule(Problem(2, 2, 1.0, 0.1, discount=0.9), 1.0).eta
    return {"P_U · 1/√N": 0.1 * 0.1, "P_U · η/√N": 0.1 * eta * 0.1, "V↑": 10.0}


def speed_of_the_bonus() -> dict[str, float]:
    """N times the two bonuses, R_max = E_max = 1: what falls like 1/N keeps its value."""
    settings = schedule(Problem(2, 2, 1.0, 0.1, discount=0.9), 1.0)
    result = {}
    for factor in (1, 10**4):
        n = factor * settings.m
        p_u = 1 / sqrt(n)
        result[f"N P_U η E, N = {factor} m"] = n * p_u * settings.eta * p_u
        result[f"N b, N = {factor} m"] = n * (p_u + settings.upsilon / n)
    return result


def sum_that_was_lost() -> dict[str, float]:
    """K = 100: the sum over the episodes, one integral of it, and what the proof goes on with."""
    return {
        "Σ 1/√k": float((1 / np.sqrt(np.arange(1, 100))).sum()),
        "∫ from k to k + 1, at most": 2 * sqrt(2) - 2,
        "2√K − 2": 2 * sqrt(100) - 2,
    }


def operator_that_leaves_its_set() -> dict[str, float]:
    """(T₁0)(s) in one state that pays R_max = 1, with r̂ = r, after 100 visits."""
    problem, visits = Problem(1, 1, 1.0, 0.1, discount=0.9), 100
    settings, p_u = schedule(problem, 1.0), 1 / sqrt(visits)
    return {"(T₁0)(s)": p_u - (p_u + settings.upsilon / visits), "least of [0, V↑]": 0.0}


def two_counts_of_bad_steps() -> dict[str, float]:
    """1000 steps whose regret is ε exactly, under either definition."""
    best, policy, epsilon = np.full(1000, 2.0), np.full(1000, 1.5), 0.5
    return {
        "steps with Δ > ε": int((best - policy > epsilon).sum()),
        "steps with V^π ≤ V* − ε": int((policy <= best - epsilon).sum()),
    }


def seventh_event() -> dict[str, float]:
    """Seven events that fail with probability 1/6 each, δ = 1, if they exclude each other."""
    return {"1 − δ": 0.0, "1 − 7δ/6": 1 - 7 / 6}


def index_of_an_episode() -> dict[str, float]:
    """ℓ₃ of a pair taken at every step: before step 1000, and before episode 1000 of 10 steps."""
    problem = Problem(2, 2, 1.0, 0.1, discount=0.9)
    return {
        "ℓ₃,t(s, a)": float(pair_log_term(problem, 999)),
        "ℓ₃,k(s, a)": float(pair_log_term(problem, 9990)),
    }


def action_in_place_of_a_state() -> dict[str, float]:
    """β in the first of two states, π = (1, 0); its action 0 was tried once, action 1 often."""
    problem = Problem(2, 2, 1.0, 0.1, discount=0.9)
    visits, policy = np.array([[1e0, 1e8], [1e8, 1e8]]), (1, 0)
    p_u = 1 / np.sqrt(visits)
    beta = error_terms(problem, visits, schedule(problem, 1.0).eta * p_u**2, p_u, 1.0)
    return {
        "β(s, π(s))": float(beta[0, policy[0]]),
        "β(s, π(a)) for a = 0": float(beta[0, policy[0]]),
        "β(s, π(a)) for a = 1": float(beta[0, policy[1]]),
    }


def upsilon_without_its_step() -> dict[str, float]:
    """Υ for a λ of 0.1, and for the 0.2 that a step with more resistance may have."""
    problem = Problem(2, 2, 1.0, 0.1, discount=0.9)
    return {
        "7V↑ℓ₁/λ": schedule(problem, 0.1).upsilon,
        "7V↑ℓ₁/λ_t": schedule(problem, 0.2).upsilon,
    }


def inequality_printed_as_equation() -> dict[str, float]:
    """H = 1, one pair that pays 1/2, after 100 visits; λ = 1, and V↑ = 1."""
    problem, visits, pays = Problem(1, 1, 1.0, 0.1, horizon=1), 100, 0.5
    p_u = 1 / sqrt(visits)
    bonus = schedule(problem, 1.0).eta * p_u**2
    own = min((1 - p_u) * pays + bonus, problem.v_max)
    slack = (1.5 - p_u) + 1.0  # S_k, as Φ = R_max λ = 1
    d = (3 - 2 * p_u) * pays - pays**2 / 2 + (slack**2 - (own - pays + slack) ** 2) / 7
    j = min(float(error_terms(problem, visits, bonus, p_u, 1.0)), problem.v_max)
    return {"V^k − V^π": own - pays, "D + 2J": d + 2 * j}


def own_value_for_the_policys() -> dict[str, float]:
    """H = 1, two arms that pay 0 and 1/2; an agent of η = 100 that has tried neither."""
    pays = (0.0, 0.5)
    plan = FrequentistEUBRL(1, 2, eta=lambda step: 100.0, horizon=1).plan()
    chosen = int(plan.q[0, 0].argmax())
    return {
        "V* − V^k": max(pays) - float(plan.v[0, 0]),
        "V* − V^{π_k}": max(pays) - pays[chosen],
    }


ERRATA_OF_REMARKS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CLAIM,
        place="Regret Decomposition, after the theorem on the per-step regret",
        printed="The greater the uncertainty of these actions, the lower the per-step regret",
        problem="Resistance lowers one part of a bound. J, another part, grows with the "
        "uncertainty, and by more: the bound is largest where all is unknown.",
        repaired="Of two steps with the same J, the bound is lower where the actions are less "
        "certain.",
        counterexample=bound_of_the_unknown,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="High Probability Events, A1 and A4",
        printed="For any sequence of λ_t in (0, 1], with ℓ₁ = log(24SA/δ), for all t",
        problem="Freedman's inequality is for one λ. Under a λ_t that falls like 1/√t the events "
        "fail at some time for certain, by the law of the iterated logarithm.",
        repaired="For one λ, as both theorems choose it. For a sequence, with ℓ'₁ = "
        "log(24SA(1 + log t)/δ): the logarithm of a logarithm more.",
        counterexample=one_lambda_for_all_times,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="High Probability Events, “Putting All Together”",
        printed="Six events with δ/6 each",
        problem="“Bounding I₂” applies the concentration lemma to X and, for L, to −X: A5 is the "
        "first only. With its mirror there are seven.",
        repaired="δ/7 each, so 28SA for 24SA in ℓ₁ and so on; or drop the step, see above.",
        counterexample=seventh_event,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="High Probability Events, A3, discounted",
        printed="ℓ_{3,k}(s, a), twice",
        problem="k counts episodes, and here are none: N^k is not N^t.",
        repaired="ℓ_{3,t}(s, a), with N^t, as in the discounted β^t.",
        counterexample=index_of_an_episode,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Boundedness of Accuracy (discounted), the lemma on Δ_γ(V^t − V^π)",
        printed="(s, π_t(a)) on both sides",
        problem="A policy takes a state, and any action but π_t(s) is another one.",
        repaired="(s, π_t(s)), as T₂ and Condition 1, which rest on it, have it.",
        counterexample=action_in_place_of_a_state,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="State-action Dependent λ, 𝒥2",
        printed="2ΣJ ≤ … + 𝒥2(𝒢), by the lemma on Σ γ^l ρ^t",
        problem="λ_t is chosen by 𝕽^t of the state s_t; the lemma sums √(9/2 − 𝕽^t) of the states "
        "that follow. Where they are less certain, it has too little.",
        repaired="With SA in place of 𝒢, so “Disregarding 𝒢” stands; “Considering Both” does not. "
        "For a λ of each pair, quasi-optimism is not shown.",
        counterexample=resistance_of_two_states,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Quasi-Optimism (discounted), the lemma on T₁",
        printed="T₁ on [0, V↑]^S, with a fixed point by Banach's theorem",
        problem="T₁ does not stay in that set, and neither does V* − Ṽ, to which it is applied.",
        repaired="On ℝ^S, where it is a contraction and monotone just as well.",
        counterexample=operator_that_leaves_its_set,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Theoretical Analysis, the frequentist instance",
        printed="E_b(s, a) = 1/√N",
        problem="E_b holds η in “Epistemic Uncertainty”. Without it, the η of the theorems has no "
        "place to stand.",
        repaired="E = 1/√N and E_b = ηE, as in β and in the bonus.",
        counterexample=uncertainty_without_its_scale,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Preliminary Constructions",
        printed="Our formulation decays more aggressively than 1/N; the auxiliary bonus at least "
        "as fast as 1/N",
        problem="P_U η E is η/(E_max N), just as fast; and the auxiliary bonus has P_U R_max, "
        "which falls like 1/√N, slower.",
        repaired="The advantage P_U η E − P_U R_max falls below Υ/N from N = m on; the auxiliary "
        "bonus keeps it there.",
        counterexample=speed_of_the_bonus,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Lower Bound of Epistemic Resistance (finite-horizon), proof",
        printed="… ≥ 1 + 1/(E_max √H) ∫_k^{k+1} dx/√x",
        problem="The sum over k is missing.",
        repaired="Σ_{k=1}^{K−1} before the integral, as in the discounted proof; the end is right.",
        counterexample=sum_that_was_lost,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Sample Complexity (discounted), its definition",
        printed="Steps such that V^π ≤ V* − ε; in “Metrics for Exploration”, Δ_t > ε",
        problem="They differ where the regret is ε exactly, which may be for ever.",
        repaired="Δ_t > ε, for which the theorem is proved.",
        counterexample=two_counts_of_bad_steps,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Table of logarithmic terms, Υ^t (discounted)",
        printed="Υ^t = 7V↑ℓ₁/λ, beside m_t with λ_t²",
        problem="λ has no index there: η^t = E_max Υ^t + R_max √m_t would be of two λ at once.",
        repaired="7V↑ℓ₁/λ_t, as in the column of episodes, see `schedule`.",
        counterexample=upsilon_without_its_step,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Boundedness of Accuracy (finite-horizon), the end of the induction",
        printed="V_h^k − V_h^{π_k} = D_h^k + 2J_h^k",
        problem="The lemma before it is an inequality, and the two sides are far apart.",
        repaired="≤, which is all that the bound of accuracy needs.",
        counterexample=inequality_printed_as_equation,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Sample Complexity (finite-horizon), the regret of an episode",
        printed="V*(s_1^k) − V^k(s_1^k) ≤ …",
        problem="V^k is what the agent expects. Its bonus lifts it above V*, however bad the "
        "policy is.",
        repaired="V* − V^{π_k}, as in the theorem that it is taken from.",
        counterexample=own_value_for_the_policys,
    ),
)
