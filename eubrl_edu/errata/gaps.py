"""Gaps: steps of the discounted proofs that do not follow, and leave a theorem open."""

from math import log

import numpy as np

from eubrl_edu.agents import FrequentistEUBRL
from eubrl_edu.environments.bandit import Bandit
from eubrl_edu.errata.erratum import Erratum, Kind
from eubrl_edu.simulation import simulate
from eubrl_edu.theory.error_terms import error_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import regret_lambda, schedule
from eubrl_edu.theory.stopping import stopping_times

SEEN = 64  # γ^64 is below the last bit of a sum of what came before, at γ = 1/2


def policies_that_change_on_the_way() -> dict[str, float]:
    """The agent of the regret theorem for 6000 steps, in a bandit (γ = 1/2, δ = 1).

    One state, so J^t = β^t(π_t)/(1 − γ) where it is not cut off. Of all steps of the run the one
    at which the step from J^t(s_{t+1}) to the next action fails by most, and how often it fails.
    """
    problem, steps = Problem(1, 2, 1.0, 1.0, discount=0.5), 6000
    settings = schedule(problem, regret_lambda(problem, steps))
    agent = FrequentistEUBRL(1, 2, eta=lambda t: settings.eta, discount=0.5)
    actions = simulate(agent, Bandit((0.9, 0.1)), steps, seed=0).actions
    taken = np.eye(2)[actions]
    visits = np.cumsum(taken, axis=0) - taken  # N^t
    p_u = 1 / np.sqrt(np.maximum(visits, 1.0))
    beta = error_terms(problem, visits, settings.eta * p_u**2, p_u, settings.lambda_)
    now, following = beta[np.arange(steps - 1), actions[:-1]], beta[range(steps - 1), actions[1:]]
    j = np.minimum(now / (1 - 0.5), problem.v_max)
    excess = j - np.minimum(following + 0.5 * j, problem.v_max)
    at = int(excess.argmax())
    return {
        "λ": settings.lambda_,
        "steps t at which it fails": int((excess > 1e-9).sum()),
        "worst at t": at + 1,
        "π_t": int(actions[at]) + 1,
        "π_{t+1}": int(actions[at + 1]) + 1,
        "J^t(s_{t+1})": float(j[at]),
        "β^t(s_{t+1}, a_{t+1}) + γPJ^t(s_{t+1}, a_{t+1})": float(following[at] + 0.5 * j[at]),
    }


def variances_that_add_up() -> dict[str, float]:
    """L = Σ Var(Y^t) of one action in two states, the second entered with probability 0.05.

    The second state takes long to be known, and while it is not, J differs between the two. All
    40000 steps of the run are added up, from the first, each anchor until its own stopping time,
    and A5 and A6 are watched at every T; λ = 0.02, δ = 1, γ = 1/2. By how much they hold is the
    least of all T.
    """
    rare, lambda_, steps = 0.05, 0.02, 40_000
    discount = 0.5
    problem = Problem(2, 1, 1.0, 1.0, discount)
    chances = np.array([1 - rare, rare])
    following = (np.random.default_rng(0).random(steps) < rare).astype(int)
    state = np.append(0, following[:-1])
    visits = np.cumsum(np.eye(2)[state], axis=0) - np.eye(2)[state]

    p_u = 1 / np.sqrt(np.maximum(visits, 1.0))
    bonus = schedule(problem, lambda_).eta * p_u**2
    beta = np.minimum(error_terms(problem, visits, bonus, p_u, lambda_), problem.v_max)
    j = np.full((steps, 2), problem.v_max)
    for _ in range(60):  # to the fixed points of all steps at once
        j = np.minimum(beta + discount * (j @ chances)[:, None], problem.v_max)

    offsets, y = stopping_times(state).offsets, np.zeros((steps, 2))
    for lag in range(SEEN):
        looks_on = lag < offsets[: steps - lag]
        y[lag:] += discount ** (lag + 1) * np.where(looks_on[:, None], j[: steps - lag], 0.0)
    variances = chances.prod() * (y[:, 0] - y[:, 1]) ** 2
    reached = y[np.arange(steps), following]
    gains, squares = np.cumsum(reached - y @ chances), np.cumsum(y**2 @ chances - reached**2)

    total, doubt = np.cumsum(variances), log(6 / problem.delta)
    scale = problem.v_max / (1 - discount)
    allowed, printed = total / (8 * scale) + 6 * scale * doubt, 48 * scale**2 * doubt
    return {
        "L": float(total[-1]),
        "48V↑²/(1 − γ)² log(6/δ)": printed,
        "first T with L above it": int((total > printed).argmax()) + 1,
        "A5 holds by": float((allowed + gains).min()),
        "mirror of A5 holds by": float((allowed - gains).min()),
        "A6 holds by": float((total / 4 + 12 * scale**2 * doubt - squares).min()),
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

    λ = 1, γ = 0.999, true transitions, and r̂ = 0, which A4 lets it be. By how much T₁f exceeds f
    in the first state.
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
        "(T₁f − f)(s)": float(mapped[0] - f[0]),
        "(T₁f − f)(s) with the least P_U": float(least_mapped - least),
    }


ERRATA_OF_GAPS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.GAP,
        place="Boundedness of J (discounted), “Bounding J”",
        printed=r"where actions are chosen from $\pi_{t}(s_{t})$ at each time step, we decompose "
        r"$J^{t}_{\gamma}(s_{t})$ as follows: … "
        r"$= \beta^{t}(s_{t}, a_{t}) + \gamma P J^{t}(s_{t}, a_{t}) - \gamma J^{t}(s_{t + 1}) "
        r"+ \gamma J^{t}(s_{t + 1})$",
        problem="J^t follows the one policy π_t, but a_{t+1} is π_{t+1}'s. To go on, the proof "
        "needs J^t(s_{t+1}) ≤ β^t(s_{t+1}, a_{t+1}) + γPJ^t(s_{t+1}, a_{t+1}). It fails in "
        "runs of the theorem's own agent, for example where the new plan turns from a pair "
        "tried less to one tried more, once that one has been tried so often that the cap V↑ of J "
        "no longer hides the difference.",
        survives="In episodes the plan stays, and the step holds. Discounted, it holds while the "
        "plan stays: for an agent that plans anew only when a count has more than doubled, the "
        "printed regret bound is proved in theory/DOUBLING.md, with the printed constants (Ψ = 0). "
        "For planning at every step both discounted theorems are open; we know of no refutation.",
        counterexample=policies_that_change_on_the_way,
    ),
    Erratum(
        kind=Kind.GAP,
        place="Boundedness of J (discounted), “Bounding I₂”",
        printed=r"$L \leq \frac{48 V^{\uparrow}_{\gamma}{}^{2}}{(1 - \gamma)^{2}}"
        r"\log{\frac{6}{\delta}}$",
        problem="A sum of variances over all steps that does not grow with them. It grows for as "
        "long as J differs between states that can both come next. Here it passes the bound on a "
        "run on which A5 and A6 hold at every T. What makes it look bounded is the last line of "
        "the display for L_t, (Y + PY)(Y − PY) ≤ 2V↑/(1 − γ) · (Y − PY), which fails wherever Y < "
        "PY.",
        survives="With plans that stay, the lemma on γVar(V) gives L ≤ O(V↑/(1 − γ)) I₁ plus SA "
        "times logarithms, as in episodes, and I₂ is at most as small a share of I₁ as one "
        "likes, plus terms of the same kind: see theory/DOUBLING.md. Planning at every step: open.",
        counterexample=variances_that_add_up,
    ),
    Erratum(
        kind=Kind.GAP,
        place="Sample Complexity (discounted), the lemma on Σ J over Γ_T",
        printed=r"The proof follows the same procedure as in Lemmas … except adding the indicator "
        r"function $\mathbf{1}(t \in \Gamma_{T})$ to each time step",
        problem="From a bad step one looks ahead into steps that are not bad. Visits there are not "
        "counted, so 1/N stays large there, or infinite, however often they happen. (In episodes a "
        "whole episode is bad or not.)",
        survives="Count all visits, weighted by the bad steps that look ahead to them: then "
        "Σ_{t∈Γ} Σ_l γ^l/N^t ≤ 2/(1 − γ) · SA log(1 + |Γ|/SA), see theory/DOUBLING.md. With that, "
        "an agent that plans anew only when a count has more than doubled takes finitely many bad "
        "steps, with a bound that does not contain T (step 11 there; its constants are not the "
        "paper's).",
        counterexample=visits_outside_the_bad_steps,
    ),
    Erratum(
        kind=Kind.GAP,
        place="Quasi-Optimism (discounted), the lemma T₁f ≤ f; its induction in the episodic case; "
        "D in “Boundedness of Accuracy”",
        printed=r"Denote $f(s) = \lambda_{t}((2 - P_{U}^{t, \star}(s)) V^{\star}(s) - "
        r"\frac{1}{2V^{\uparrow}_{\gamma}}(V^{\star})^{2}(s))$, under high-probability event … it "
        r"holds that … $\mathcal{T}_{1}f \leq f$",
        problem="T₁ meets f at the next states, with their P_U*. From a state that is uncertain to "
        "one that is known, the relief (2 − P_U*) of the first does not carry over, and T₁f can "
        "exceed f. With P_U*(s) the lemma on Δ_h(V^k − V^π) fails in some episodic "
        "MDPs drawn at random, too.",
        survives="With the least P_U over the states, of π* and of π_t each, in place of P_U*(s) "
        "and P_U(s), here, in D, S_t and the resistance: as far as this step goes, all bounds "
        "stand with Ψ = 0; and the lower bound of epistemic resistance stands as it is, for it "
        "bounds P_U of every pair. The theorem on the per-step regret, with the P_U of the state "
        "at hand, is open.",
        counterexample=resistance_of_later_states,
    ),
)
