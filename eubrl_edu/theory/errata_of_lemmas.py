"""Errata of the paper's analysis: lemmas that fail as printed, and steps that do not follow."""

from math import log, sqrt

import numpy as np

from eubrl_edu.mdp import MDP
from eubrl_edu.theory.erratum import Erratum, Kind
from eubrl_edu.theory.error_terms import bellman_like, error_terms
from eubrl_edu.theory.log_terms import problem_log_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import schedule
from eubrl_edu.theory.stopping import overshoot_bound, printed_overshoot_bound, stopping_times
from eubrl_edu.theory.variance_of_errors import variance_of_errors


def overshooting_without_discount() -> dict[str, float]:
    """One pair, visited 1000 times, γ = 0.9."""
    times = stopping_times(np.zeros(1000, dtype=int))
    problem = Problem(1, 1, 1.0, 0.1, discount=0.9)
    return {
        "stops": int(times.stopped.sum()),
        "SA log2(2T) as printed": printed_overshoot_bound(problem, 1000),
        "stops weighed by γ^ν": float((0.9 ** times.offsets[times.stopped].astype(float)).sum()),
        "SA log2(2T)/(1 − γ)": overshoot_bound(problem, 1000),
    }


def policies_that_change_on_the_way() -> dict[str, float]:
    """J^t where π_t takes an action never tried, and π_{t+1} one that is well known."""
    problem = Problem(2, 2, 1.0, 0.5, discount=0.9)
    transitions = np.zeros((2, 2, 2))
    transitions[..., 1] = 1.0  # everything leads to state 1
    world = MDP.from_dense(transitions, np.zeros((2, 2)))
    visits = np.array([[0.0, 1e8], [1e8, 1e8]])
    p_u = 1 / np.sqrt(np.maximum(visits, 1.0))
    settings = schedule(problem, 0.5)
    bonus = settings.eta * p_u**2
    beta = error_terms(problem, visits, bonus, p_u, 0.5)
    j = bellman_like(world, np.array([0, 0]), beta, 0.9, problem.v_max)
    return {
        "J^t(s_{t+1})": float(j[0]),
        "β^t(s_{t+1}, a_{t+1}) + γPJ^t(s_{t+1}, a_{t+1})": float(beta[0, 1] + 0.9 * j[1]),
    }


def variances_that_add_up() -> dict[str, float]:
    """One action, two states, the second entered with probability 0.05; 40000 steps."""
    return variance_of_errors()


def product_with_a_negative_factor() -> dict[str, float]:
    """Y is 0 or 1 by a fair coin and turns out 0; V↑/(1 − γ) = 2."""
    mean, square, reached, scale = 0.5, 0.5, 0.0, 2.0
    return {
        "Var(Y)": square - mean**2,
        "Z + 2V↑/(1 − γ) · (Y − PY)": square - reached**2 + 2 * scale * (reached - mean),
    }


def visits_outside_the_bad_steps() -> dict[str, float]:
    """Pairs 0 and 1 in turn for 200 steps; bad are the steps at pair 0 and one at pair 1 before.

    Counting the visits in bad steps only, pair 1 has one for ever and never stops an anchor. Each
    anchor but the first meets pair 0 and pair 1 at least. γ = 1/2.
    """
    bad = 100
    own = sum(1 / before for before in range(1, bad))
    return {
        "Σ_t Σ_l γ^l/N at least": own + (bad - 1) * 0.5 / 1,
        "2/(1 − γ) · SA log(1 + |Γ|/SA)": 2 / 0.5 * 2 * log(1 + (bad + 1) / 2),
        "with all visits counted": own + sum(0.5 / before for before in range(2, bad + 1)),
    }


def resistance_of_later_states() -> dict[str, float]:
    """Two states in a row, every reward 1; the first visited 10^6 times, the second 10^12.

    λ = 1, γ = 0.999, true transitions, and r̂ = 0, which A4 lets it be.
    """
    problem = Problem(2, 1, 1.0, 1.0, discount=0.999)
    settings = schedule(problem, 1.0)
    visits = np.array([1e6, 1e12])
    p_u, v_max = 1 / np.sqrt(visits), problem.v_max
    f = (2 - p_u) * v_max - v_max / 2  # λ = 1 and V* = V↑
    bonus = p_u + settings.upsilon / visits
    mapped = (p_u - bonus) + (1 - p_u) + 0.999 * f[1]
    least = 1.5 * v_max - p_u.min() * v_max
    least_mapped = (p_u[0] - bonus[0]) + (1 - p_u[0]) + 0.999 * least
    return {
        "visits": float(visits[0]),
        "m": settings.m,
        "(T₁f)(s)": float(mapped[0]),
        "f(s)": float(f[0]),
        "(T₁f)(s) with the least P_U": float(least_mapped),
        "f(s) with the least P_U": float(least),
    }


def rewards_without_an_event() -> dict[str, float]:
    """One state that pays 1; P̂ = P, so that A1 and A2 hold; r̂ = 0; λ = 0.1, 10^12 visits."""
    problem = Problem(1, 1, 1.0, 0.1, discount=0.9)
    settings = schedule(problem, 0.1)
    visits = 1e12
    p_u = 1 / sqrt(visits)
    auxiliary = (p_u + settings.upsilon / visits) / (1 - 0.9)
    return {
        "V* − Ṽ": problem.v_max - auxiliary,
        "λ(3/2 − P_U*)V↑": 0.1 * (1.5 - p_u) * problem.v_max,
        "|r̂ − r|": 1.0,
        "A4 allows": 0.1 + problem_log_terms(problem).l1 / (0.1 * visits),
    }


def horizon_for_the_largest_value() -> dict[str, float]:
    """R_max = 10, H = 5, one state that pays 10, r̂ = (1 − λ)r as A4 lets it be; λ = 0.5."""
    problem, lambda_, visits = Problem(1, 1, 10.0, 0.1, horizon=5), 0.5, 1e12
    settings = schedule(problem, lambda_)
    p_u = 1 / sqrt(visits)
    estimate = (1 - lambda_) * 10
    auxiliary = 5 * ((1 - p_u) * estimate + p_u * 10 + settings.upsilon / visits)
    return {
        "V* − Ṽ": problem.v_max - auxiliary,
        "(3/2 − P_U*)λH": (1.5 - p_u) * lambda_ * 5,
        "(3/2 − P_U*)λV↑": (1.5 - p_u) * lambda_ * problem.v_max,
    }


def values_above_the_largest() -> dict[str, float]:
    """V^t before any step, under the η that the regret theorem asks for (γ = 0.9, λ = 1)."""
    problem = Problem(2, 2, 1.0, 0.1, discount=0.9)
    return {"V^t": schedule(problem, 1.0).eta / (1 - 0.9), "V↑": problem.v_max}


def operator_where_values_are_cut_off() -> dict[str, float]:
    """One state that pays R_max = 1, r̂ = r; Ṽ is cut off at V↑, so V* − Ṽ = 0; 10^4 visits."""
    problem, visits = Problem(1, 1, 1.0, 0.1, discount=0.9), 1e4
    settings = schedule(problem, 1.0)
    p_u = 1 / sqrt(visits)
    bonus = p_u + settings.upsilon / visits
    difference = problem.v_max - min((1 - p_u + bonus) / (1 - 0.9), problem.v_max)
    return {"V* − Ṽ": difference, "T₁(V* − Ṽ)": p_u - bonus + 0.9 * difference}


def advantage_without_a_visit() -> dict[str, float]:
    """B − P_U R_max at N = 0, where E = E_max = 1, and Υ/N as N comes close to it."""
    settings = schedule(Problem(2, 2, 1.0, 0.1, discount=0.9), 1.0)
    return {
        "b − P_U R_max at N = 0": settings.eta - 1.0,
        "Υ/N for N = 10⁻³": settings.upsilon * 1e3,
        "Υ/N for N = 10⁻⁶": settings.upsilon * 1e6,
        "V↑": 10.0,
    }


def step_of_the_variance_lemma() -> dict[str, float]:
    """V = 0 here and 1 wherever one goes next, C = 1, γ = 0.5."""
    value, following, c, discount = 0.0, 1.0, 1.0, 0.5
    drop = value - discount * following
    return {
        "(V + γPV)(V − γPV)": (value + discount * following) * drop,
        "(1 + γ)C(V − γPV)": (1 + discount) * c * drop,
        "(1 + γ)C max{V − γPV, 0}": (1 + discount) * c * max(drop, 0.0),
    }


ERRATA_OF_LEMMAS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CLAIM,
        place="Boundedness of J (discounted), the lemma on overshooting",
        printed="Σ_t 1(t + ν_t ≠ T + 1) ≤ SA log2(2T)",
        problem="Every step has a stopping time of its own, and many of them stop at the same step "
        "or one after the other; the proof counts along one chain of checkpoints. One pair "
        "visited T times stops every step in the first half of the run.",
        repaired="Σ_t γ^{ν_t} 1(t + ν_t ≠ T + 1) ≤ SA log2(2T)/(1 − γ), see `overshoot_bound`. "
        "The sum I₃ has that weight, and the proof gives 1/(1 − γ) away two lines later, so that "
        "what it concludes about I₃ stands with its constants.",
        counterexample=overshooting_without_discount,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Boundedness of J (discounted), “Bounding J”",
        printed="J^t(s_t) ≤ Σ_l γ^l β^t(s_{t+l}, a_{t+l}) + …, with actions from π_t at each time",
        problem="J^t follows the one policy π_t, but a_{t+l} is π_{t+l}'s. Where the policy "
        "changes at every step, J^t(s_{t+1}) ≤ β^t(s_{t+1}, a_{t+1}) + γPJ^t(s_{t+1}, a_{t+1}) "
        "need not hold. (In episodes the policy stays, and it does.)",
        repaired="It holds while the plan stays: replan only when the visits of a pair have more "
        "than doubled, at most SA log2(2T) times. For replanning at every step the paper gives "
        "no proof; no counterexample to the theorem is known here.",
        counterexample=policies_that_change_on_the_way,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Boundedness of J (discounted), “Bounding I₂”",
        printed="L = Σ_t Var(Y^t) ≤ 48 V↑²/(1 − γ)² log(6/δ), for all T",
        problem="A sum of variances over all steps that does not grow with them. It grows for as "
        "long as J differs between next states: here it passes the bound, on a run on which A5 "
        "and A6 hold.",
        repaired="Under plans that stay until a count doubles, the lemma on Var(V) gives L ≤ "
        "O(V↑/(1 − γ)²) Σβ plus logarithms, as in episodes, and I₂ at most a constant times I₁ "
        "plus the logarithms printed: larger constants, the same rate.",
        counterexample=variances_that_add_up,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Boundedness of J (discounted), “Bounding I₂”, the bound of L_t",
        printed="(Y + PY)(Y − PY) ≤ 2V↑/(1 − γ) · (Y − PY)",
        problem="Only where Y ≥ PY; a negative difference times a larger factor is smaller. It is "
        "what makes L look bounded.",
        repaired="≤ 2V↑/(1 − γ) · max{Y − PY, 0}, which is no martingale difference any more.",
        counterexample=product_with_a_negative_factor,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Sample Complexity (discounted), the lemma on Σ J over Γ_T",
        printed="The proof of Σ_t J, with an indicator 1(t ∈ Γ_T) and visits counted in Γ_T only",
        problem="From a bad step one looks ahead into steps that are not bad. Visits there are not "
        "counted, so 1/N stays large there, or infinite, however often they happen. (In episodes a "
        "whole episode is bad or not.)",
        repaired="Count all visits: then Σ_{t∈Γ} Σ_l γ^l/N^t ≤ 2/(1 − γ) · SA log(1 + |Γ|/SA), "
        "as every visit is reached with weights of at most 1/(1 − γ). In the overshoot and in ℓ₃ "
        "T then stands for |Γ|, unless visits are counted by those weights there as well.",
        counterexample=visits_outside_the_bad_steps,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Quasi-Optimism (discounted), the lemma T₁f ≤ f; its induction in the episodic case; "
        "D in “Boundedness of Accuracy”",
        printed="f(s) = λ((2 − P_U*(s))V*(s) − V*(s)²/(2V↑)) satisfies T₁f ≤ f",
        problem="T₁ meets f at the next states, with their P_U*. From a state that is uncertain to "
        "one that is known, the relief (2 − P_U*) at the first does not carry over. With it the "
        "lemma on Δ_h(V^k − V^π) fails in random episodes.",
        repaired="With the least P_U* over the states in place of P_U*(s), here and in the "
        "resistance. The lower bound of epistemic resistance survives: it bounds P_U of every "
        "pair. That V* − Ṽ ≤ f fails is not shown: bonuses leave it room.",
        counterexample=resistance_of_later_states,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Quasi-Optimism, lemmas and corollary, discounted and finite-horizon",
        printed="Under A1 ∩ A2: V* − Ṽ ≤ λ(3/2 − P_U*)V↑",
        problem="A1 and A2 are about transitions; the proof also bounds r − r̂.",
        repaired="Under A1 ∩ A2 ∩ A4. The theorems assume all events anyway.",
        counterexample=rewards_without_an_event,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Proofs for finite-horizon MDPs, the lemmas on quasi-optimism and accuracy",
        printed="Ṽ + (3/2 − P_U*)λH ≥ V*, and (3 − 2P_U − 2/7 P_U*)λH",
        problem="H for V↑_H = H R_max: it fails where R_max is above 1.",
        repaired="λV↑_H in both, as the proofs have it.",
        counterexample=horizon_for_the_largest_value,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Regret Decomposition: “without loss of generality, C = 1”",
        printed="V^t = O(V↑), with C = 1",
        problem="It is a loss: the η of the theorems is many times V↑, and so is V^t. Nothing in "
        "Algorithm 1 keeps it below.",
        repaired="Cut values off, V = min{max_a Q, V↑}, as the episodic proof does silently and "
        "`FrequentistEUBRL` does. Unvisited pairs are then worth V↑.",
        counterexample=values_above_the_largest,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Quasi-Optimism (discounted), proof of the lemma: ΔV ≤ T₁ΔV",
        printed="ΔV = V* − Ṽ ≤ T₁ΔV, by the optimality of Ṽ's action",
        problem="Where Ṽ is cut off at V↑, as it has to be, it is below max_a Q̃, and T₁ΔV may be "
        "negative while ΔV is 0.",
        repaired="With max{T₁, 0} in place of T₁: it is monotone and a contraction as well, and "
        "f ≥ 0.",
        counterexample=operator_where_values_are_cut_off,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Helper Lemmas, b − P_U R_max ≥ Υ/N",
        printed="For any (s, a) and k",
        problem="Not for N = 0, where E is E_max and the right side is infinite.",
        repaired="For N ≥ 1. An unvisited pair is worth at least η ≥ V↑, so it is optimistic "
        "without the lemma once values are cut off.",
        counterexample=advantage_without_a_visit,
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Helper Lemmas, the lemma on γVar(V), step (b)",
        printed="(V + γPV)(V − γPV) ≤ (1 + γ)C(V − γPV)",
        problem="Not where V < γPV.",
        repaired="The last line, with max{V − γPV, 0}, is right, and so is the lemma.",
        counterexample=step_of_the_variance_lemma,
    ),
)
