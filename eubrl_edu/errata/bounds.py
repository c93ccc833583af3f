"""Errata of the bounds: their constants, what is said of them, and which came first."""

from math import sqrt

import numpy as np

from eubrl_edu.errata.erratum import Erratum, Kind
from eubrl_edu.mdp import MDP
from eubrl_edu.theory.bounds_per_step import per_step_bound
from eubrl_edu.theory.error_terms import bellman_like, error_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.resistance import LEAST_SHARE, resistance_lower_bound, resistance_upper_bound
from eubrl_edu.theory.schedules import regret_lambda, schedule


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


def episodic_constant() -> dict[str, float]:
    """K0's second constant beside what the proof needs: 480 of W, times the 2 of ℓ₂ ≤ 2ℓ₅."""
    return {"printed": 480, "2 · 480": 960, "for T0: 2 · 240": 480}


def bound_of_the_unknown() -> dict[str, float]:
    """The bound of one step where all was tried once, 10^4 times, 10^8 times; λ = 0.1."""
    problem = Problem(2, 2, 1.0, 0.1, discount=0.9)
    world = MDP.from_dense(np.full((2, 2, 2), 0.5), np.zeros((2, 2)))
    lambda_, result = 0.1, {}
    for visits in (1e0, 1e4, 1e8):
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


def advantage_beyond_m() -> dict[str, float]:
    """N P_U η E at N = m and N = 4m, and N times its advantage over P_U R_max; in units of Υ."""
    settings, result = schedule(Problem(2, 2, 1.0, 0.1, discount=0.9), 1.0), {}
    for ratio in (1, 4):
        visits = ratio * settings.m
        bonus, plain = settings.eta / visits, 1 / sqrt(visits)
        result[f"N P_U η E, N = {ratio}m"] = visits * bonus / settings.upsilon
        result[f"N (P_U η E − P_U R_max), N = {ratio}m"] = (
            visits * (bonus - plain) / settings.upsilon
        )
    return result


def orders_beside_an_earlier_one() -> dict[str, float]:
    """The two orders without logarithms, S = 10, A = 4, γ = 0.9, for three accuracies."""
    result = {}
    for epsilon in (1.0, 0.1, 0.01):
        earlier = 40 / epsilon**2 / 0.1**3
        result[f"the paper's order over the earlier one, ε = {epsilon:g}"] = (
            1 + 400 / epsilon / 0.1**2 / earlier
        )
    return result


ERRATA_OF_BOUNDS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.CLAIM,
        place="Introduction; repeated after the theorem on sample complexity",
        printed="To the best of our knowledge, our result is the first to achieve nearly "
        "minimax-optimal sample complexity in infinite-horizon discounted MDPs, without assuming "
        "the existence of a generative model",
        problem="Zhang, Zhou and Ji (2020, arXiv 2006.03864) state Õ(SA ln(1/p)/(ε²(1 − γ)³)) for "
        "small enough ε, online and without a model: the same order, which the paper does not "
        "cite. He, Zhou and Gu (2021, arXiv 2010.00587) list it as a “sample complexity of "
        "exploration”, Kakade's term, where ε ≤ 1/poly(S, A, 1/(1 − γ)). Lattimore and Hutter "
        "(2012), cited for the lower bound, have the order where each pair has at most two next "
        "states.",
        survives="For bad steps in the sense of the paper, once the gaps are closed, a "
        "model-based algorithm with the same order and explicit constants, for a wider range of "
        "ε: its order is optimal for every ε ≤ R_max/(S(1 − γ)). The two numbers of bad steps are "
        "not quite the same: here a step is bad if the plan of the moment, kept for ever, is worth "
        "too little; in Kakade's definition, if the algorithm itself is, with what it goes on to "
        "learn. We know of no bound of one number by the other.",
        counterexample=orders_beside_an_earlier_one,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="From Frequentist to Bayesian, after the corollary",
        printed="To the best of our knowledge, this is the first nearly minimax-optimality result "
        "in the Bayesian setting",
        problem="Bayes-UCBVI (2022, arXiv 2205.07704) and OPSRL (2022, arXiv 2209.14414) have "
        "frequentist guarantees of the order √(H³SAT) for a large number T of episodes, with "
        "Dirichlet posteriors. (Their H³ is for transitions that change with the step; it is "
        "optimal there.)",
        survives="Discounted, and for a class of priors, none earlier is known to us.",
    ),
    Erratum(
        kind=Kind.SLIP,
        place="Table of logarithmic terms, m",
        printed=r"$m$ & $\frac{V^{\uparrow}_{H}{}^{2}}{R_{\text{max}}^{2}\lambda}$ & "
        r"$\frac{V^{\uparrow}_{\gamma}{}^{2}}{R_{\text{max}}^{2}\lambda}$",
        problem="With λ the gap between the two rewards can exceed R_max² λ/V↑, and Ṽ − V the "
        "complexity term Φ, for λ < 1/16 (E_max = 1). The line above, m_t, has λ².",
        survives="λ² in both, see `schedule`.",
        counterexample=critical_visits,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="State-action Dependent λ, “Considering Both”",
        printed=r"with this, at best, we can achieve … the overall reduction is by a factor of "
        r"$\sqrt{\tfrac{17}{63}} \approx 0.519$. "
        "In this case, we can improve the constant in the leading term by roughly one-half",
        problem="The paper says “at best”; but that best, P_U = 1 at every step, is out of reach "
        "where P_U counts visits: P_U of the action taken then adds up to SA + 2√(SAT) at most, "
        "so that Ψ is at most 2/7 in the limit.",
        survives="For counts, Ψ ≤ 2/7 + O(√(SA/T)), see `resistance_upper_bound`.",
        counterexample=best_case_of_counts,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Regret Decomposition, after the lower bound of epistemic resistance",
        printed="the regret bound of our method must be no worse than that without epistemic "
        "guidance",
        problem="True of the same bound with 𝕽 = 0, as 𝕽 ≥ 0. But an agent that is not guided, and "
        "plans with r̂ + Υ/N, needs no auxiliary reward, so its bound has no Φ. What resistance "
        "saves for certain grows with √T · λ, ΣΦ with T · λ.",
        survives="The sentence, in the first reading. That the saving outweighs what guidance "
        "costs in the bound is not shown: beyond some T the certain saving alone does not.",
        counterexample=saving_beside_cost,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Sample Complexity (finite-horizon), K0",
        printed=r"$\frac{480 R_{\text{max}} H S^{2}A (2 \ell_{1} + \ell_{6, \epsilon}) "
        r"\ell_{5, \epsilon}}{\epsilon}$",
        problem="The proof is left to the discounted case, whose steps give 960: W(K) has 480 "
        "already, and ℓ₂ ≤ 2ℓ₅ doubles it, as 240 becomes 480 for T0.",
        survives="960, see `sample_complexity_bound`. 480 has no proof, and no case of W(K0) ≥ K0 "
        "with it is known: the logarithms are generous.",
        counterexample=episodic_constant,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Regret Decomposition, after the theorem on the per-step regret",
        printed="The greater the uncertainty of these actions, the lower the per-step regret",
        problem="Resistance lowers one part of a bound. J, another part, is at its cap V↑ while "
        "little is known. So, but for the terms in Φ, the bound is (17/14)λV↑ + 2V↑ where all is "
        "unknown, which for λ < 14/23 is more than the (9/2)λV↑ where all is known; and in "
        "between it rises before it falls.",
        survives="Of two steps with the same J and λ_t, the bound is lower where the actions are "
        "less certain. (It is itself open, see the gaps.)",
        counterexample=bound_of_the_unknown,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Preliminary Constructions",
        printed=r"our formulation decays more aggressively than $\frac{1}{N^{k}}$",
        problem="P_U η E = η/(E_max N) decays just as fast. What is meant is its advantage over "
        "P_U R_max.",
        survives="Beyond N = m_k that advantage is below Υ/N, which is why the auxiliary reward "
        "is needed.",
        counterexample=advantage_beyond_m,
    ),
)
