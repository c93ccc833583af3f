"""Errata of the paper's lemmas and of how it combines them: the events, values, and λ."""

from math import log, sqrt

import numpy as np

from eubrl_edu.errata.erratum import Erratum, Kind
from eubrl_edu.theory.log_terms import problem_log_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.resistance import epistemic_resistance
from eubrl_edu.theory.schedules import regret_lambda, schedule
from eubrl_edu.theory.stopping import overshoot_bound, printed_overshoot_bound, stopping_times


def overshooting_without_discount() -> dict[str, float]:
    """One pair, visited 10000 times, γ = 0.99. Its J is V↑ at every step, so I₃ = V↑ Σ γ^ν."""
    discount, steps = 0.99, 10_000
    times = stopping_times(np.zeros(steps, dtype=int))
    problem = Problem(1, 1, 1.0, 0.1, discount)
    weights = discount ** times.offsets.astype(float)
    return {
        "stops": int(times.stopped.sum()),
        "SA log2(2T) as printed": printed_overshoot_bound(problem, steps),
        "stops weighted by γ^ν": float(weights[times.stopped].sum()),
        "SA log2(2T)/(1 − γ)": overshoot_bound(problem, steps),
        "I₃/V↑": float(weights.sum()),
        "I₃/V↑ as printed": printed_overshoot_bound(problem, steps) + 1 / (1 - discount),
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


def seventh_event() -> dict[str, float]:
    """What each event costs at most, as a share of δ, by the paper's own concentration lemma.

    A1 and A4 have two sides, A2 one, each for SA pairs with log(24SA/δ). A3, for every next state:
    Freedman's inequality on blocks of visits from 2^j to 2^{j+1} leaves (δ/(12SA(1 + j log 2)))²
    for each of S²A chances and two sides, so at most 2/144 Σ_j 1/(1 + j log 2)².
    """
    blocks = np.arange(10**6)
    third = 2 / 144 * (float((1 / (1 + blocks * log(2)) ** 2).sum()) + 1 / (log(2) ** 2 * 10**6))
    first, second, fourth = 2 / 24, 1 / 24, 2 / 24
    return {
        "A1": first,
        "A2": second,
        "A3": third,
        "A4": fourth,
        "A5, its mirror and A6": 3 / 6,
        "together": first + second + third + fourth + 3 / 6,
    }


def resistance_of_two_states() -> dict[str, float]:
    """A known state now, an unknown one next: √(9/2 − 𝕽) as λ_t has it, and as the lemma has it."""
    now, following = epistemic_resistance(1e-4, 1e-4), epistemic_resistance(1.0, 1.0)
    return {"√(9/2 − 𝕽^t(s_t))": sqrt(4.5 - now), "√(9/2 − 𝕽^t(s_{t+1}))": sqrt(4.5 - following)}


def lambda_that_knows_the_best_action() -> dict[str, float]:
    """Two actions, visited 1 and 100 times, the first chosen: λ if the one or the other is best."""
    problem = Problem(1, 2, 1.0, 0.1, discount=0.9)
    chosen, other = 1.0, 0.1
    return {
        "λ if the first is best": regret_lambda(problem, 1e6, 2 * chosen + 9 / 7 * chosen),
        "λ if the second is best": regret_lambda(problem, 1e6, 2 * chosen + 9 / 7 * other),
    }


ERRATA_OF_THE_ANALYSIS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CLAIM,
        place="Boundedness of J (discounted), the lemma on overshooting",
        printed=r"$\sum\limits_{t = 1}^{T} \mathbf{1}(t + \nu_{t} \neq T + 1) \leq S A "
        r"\log_{2}{2 T}$",
        problem="Every step has a stopping time of its own (ν_t is an offset here), and many of "
        "them stop at the same step or one after the other; the proof counts along one chain of "
        "checkpoints. With one pair, visited T times, the look-ahead of every step in the first "
        "half of the run stops. For γ near 1, I₃ can exceed its printed bound, too.",
        survives="Σ_t γ^{ν_t} 1(t + ν_t ≠ T + 1) ≤ SA log2(2T)/(1 − γ), see `overshoot_bound`, and "
        "I₃ ≤ V↑(SA log2(2T) + 1)/(1 − γ). The last display of the proof gives that 1/(1 − γ) away "
        "in any case: what the lemma on ΣJ takes from I₃ stands with its constants.",
        counterexample=overshooting_without_discount,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Quasi-Optimism, lemmas and corollary, discounted and finite-horizon",
        printed=r"under high-probability event $\mathbf{A}_{1}^{\gamma} \cap "
        r"\mathbf{A}_{2}^{\gamma}$, it holds that for all … "
        r"$V^{\star}(s) - \widetilde{V}^{t}(s) \leq \lambda_{t} (\frac{3}{2} - "
        r"P_{U}^{t, \star}(s))V^{\uparrow}_{\gamma}$",
        problem="A1 and A2 are about transitions; the proof also bounds r − r̂.",
        survives="Under A1 ∩ A2 ∩ A4, as far as events go (P_U of the next states is another "
        "matter, see the gaps). The theorems assume all events anyway.",
        counterexample=rewards_without_an_event,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Regret Decomposition, the bound of the values",
        printed=r"we require $V^{t}(s) = \mathcal{O}(V^{\uparrow}_{\gamma})$ to ensure the agent's "
        r"subjective value function remains bounded. Without loss of generality, we set the "
        r"positive multiplicative constant $C = 1$",
        problem="It is a loss: under the theorems' own η, which is many times V↑, V^t violates "
        "the requirement in every state with an untried action, and where such a state is soon "
        "reached. Nothing in Algorithm 1 keeps it below.",
        survives="Cut values off, V = min{max_a Q, V↑}, as the episodic proof does silently and "
        "`FrequentistEUBRL` does. Unvisited pairs are then worth V↑.",
        counterexample=values_above_the_largest,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Quasi-Optimism (discounted), proof of the lemma",
        printed=r"Note, $\Delta V \leq \mathcal{T}_{1} \Delta V$",
        problem="Right for the Ṽ of an MDP. But V^t, and so Ṽ, has to be cut off at V↑ (see the "
        "bound of the values); then Ṽ can be below max_a Q̃, and T₁ΔV negative where ΔV is 0.",
        survives="With max{T₁, 0} in place of T₁: it is monotone and a contraction as well, and "
        "f ≥ 0.",
        counterexample=operator_where_values_are_cut_off,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="High Probability Events, the sequence of λ",
        printed=r"Let $\{\lambda_{k}\}_{k=1}^{\infty}$ be a sequence of real numbers with "
        r"$\lambda_{k} \in (0, 1], \forall k \in \mathbb{N}$",
        problem="Freedman's inequality is for one λ. Under a λ_t that falls like 1/√t, A1 and A4 "
        "would fail at some time for certain, by the law of the iterated logarithm, on a pair that "
        "is visited a fixed share of the time and whose outcome varies.",
        survives="Moot for both theorems, which choose one λ; the variant with λ_t by state and "
        "action needs the sequence. For it, ℓ'₁ = log(24SA(1 + log t)/δ) does.",
        counterexample=one_lambda_for_all_times,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="High Probability Events, “Putting All Together”",
        printed=r"Each undesirable event is assigned probability at most $\frac{\delta}{6}$",
        problem="“Bounding I₂” applies the concentration lemma to X and, for L, to −X. A5 is "
        "only the first of the two: its mirror image is not listed, nor is that of A7.",
        survives="The printed constants, for a constant λ. A1 to A4 then cost less than δ/6 each, "
        "so that all seven together cost less than 0.74 δ.",
        counterexample=seventh_event,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="State-action Dependent λ, the use of the lemma on ρ, for “Considering Both”",
        printed=r"Denote $\rho^{t}(s, a) := \frac{\sqrt{\frac{9}{2} - \mathfrak{R}^{t}(s, a)} "
        r"\ell_{1, t}}{N^{t}(s, a)}$ … with this, at best, we can achieve",
        problem="The lemma is true, but not about the sum that is needed. λ_t is chosen by 𝕽^t of "
        "the state s_t; the lemma sums √(9/2 − 𝕽^t) of the states that follow. Where they are less "
        "certain, it has too little.",
        survives="The sum with SA in place of 𝒢, which is all that “Disregarding 𝒢” takes from "
        "the lemma. “Considering Both” is not shown. (For a λ of each pair, quasi-optimism is not "
        "shown.)",
        counterexample=resistance_of_two_states,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="State-action Dependent λ, the choice of λ_t and “Disregarding 𝒢”",
        printed=r"Choosing $\lambda_{t} = \min\{1, \frac{C}{\sqrt{\frac{9}{2} - "
        r"\mathfrak{R}^{t}(s)}}\sqrt{\frac{SA \ell_{1, T}\ell_{2, T}}{T (1 - \gamma)}}\}$ … "
        r"we can obtain a tighter bound where the leading term is offset by the sum of epistemic "
        r"resistance $\sum\limits_{t=1}^{T}\mathfrak{R}^{t}(s)$",
        problem="Not for an agent. 𝕽^t contains P_U of the optimal action, which it does not "
        "know, and of π_t's action, while π_t depends on λ_t through η_t. So it cannot compute "
        "η_t, and that a consistent choice exists is not shown.",
        survives="With 23/7 times the least P_U of all pairs for 𝕽^t, which the agent knows and "
        "for which the resistance can be shown (see the gaps), and with ℓ'₁ for ℓ₁, as a sequence "
        "of λ asks for. Even then only as far as the theorem stands.",
        counterexample=lambda_that_knows_the_best_action,
    ),
)
