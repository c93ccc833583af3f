"""Errata of the paper's experiments: its table of tasks, and what is read out of its results."""

from math import sqrt

import numpy as np
from scipy.stats import binomtest

from eubrl_edu.environments import make_env
from eubrl_edu.errata.erratum import Erratum, Kind
from eubrl_edu.planning import solve
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import regret_lambda, schedule
from eubrl_edu.theory.sticking import simulate_bandit


def lead_within_the_error() -> dict[str, float]:
    """EUBRL and VBRB on Chain, as printed; VBRB's standard error is given as 20 to 50."""
    ours, theirs, our_error = 3473, 3465, 16
    return {
        "lead of EUBRL over VBRB": ours - theirs,
        "standard error of the lead, at least": sqrt(our_error**2 + 20**2),
        "standard error of the lead, at most": sqrt(our_error**2 + 50**2),
    }


def never_failing_in_twenty() -> dict[str, float]:
    """No failure in 20 runs: the least rate of success with 95% confidence, exact, one-sided."""
    successes = binomtest(20, 20, alternative="greater")
    interval = successes.proportion_ci(0.95)
    return {
        "success rate seen": successes.statistic,
        "success rate, at least": interval.low,
        "probability of it where one run in ten fails": 0.9**20,
    }


def mean_cut_off() -> dict[str, float]:
    """One run in five fails, and would take 10000 episodes; the others take 60; limit 500."""
    episodes = np.array([60] * 16 + [10_000] * 4)
    return {
        "mean of the runs that succeed": float(episodes[:16].mean()),
        "mean with the limit": float(np.minimum(episodes, 500).mean()),
        "mean without it": float(episodes.mean()),
    }


def sampling_beside_guidance() -> dict[str, float]:
    """300 pulls of arms that pay 0.9 and 0.6, under Beta(20, 20): mean return of 500 agents.

    In a bandit all agents have the same solver: they take the arm that looks best.
    """
    alpha, means, agents, steps = 20, np.array([0.9, 0.6]), 500, 300
    guided = simulate_bandit(means, alpha, agents, steps, np.random.default_rng(0))
    rng = np.random.default_rng(0)
    paid, failed = np.full((2, 2, agents), float(alpha))
    total = 0
    for _ in range(steps):
        chosen = rng.beta(paid, failed).argmax(axis=0), np.arange(agents)
        reward = rng.random(agents) < means[chosen[0]]
        paid[chosen] += reward
        failed[chosen] += ~reward
        total += int(reward.sum())
    return {
        "EUBRL": float(guided.rewards.sum() / agents),
        "sampling from the posterior": total / agents,
    }


def solver_without_error() -> dict[str, float]:
    """Three arms that pay 1, 0, 0; the first is known, the others not; the solver takes the second.

    π_t is for the third arm, whose P_U is 1, and so is worth as little as what the solver takes.
    γ = 0.9, 1000 steps.
    """
    discount, steps = 0.9, 1000
    problem = Problem(1, 3, 1.0, 0.1, discount)
    eta, means = schedule(problem, regret_lambda(problem, steps)).eta, np.array([1.0, 0.0, 0.0])
    visits, error, regret = np.array([10**6, 1, 0]), 0.0, 0.0
    for _ in range(steps):
        p_u = 1 / np.sqrt(np.maximum(visits, 1))
        planned = ((1 - p_u) * means + p_u * eta * p_u).argmax()
        error += (means[planned] - means[1]) / (1 - discount)
        regret += (means[0] - means[1]) / (1 - discount)
        visits[1] += 1
    return {"approximation error, all steps": error, "regret": regret}


def isomorphic_in_one_sense() -> dict[str, float]:
    """V* after one step away from the treasure, in worlds of size 10; γ = 0.999."""
    sea, chain = make_env("deepsea", size=10), make_env("lazychain", size=10)
    return {
        "DeepSea": float(solve(sea.model, 0.999).v[sea.cell(1, 0)]),
        "LazyChain": float(solve(chain.model, 0.999).v[chain.size - 1]),
    }


def rewards_outside_the_range() -> dict[str, float]:
    """The least mean rewards of two worlds, and the largest deviation of a single reward."""
    lazy, sea = make_env("lazychain", size=10), make_env("deepsea", size=10, stochastic=True)
    return {
        "least reward of LazyChain": float(lazy.model.rewards.min()),
        "least mean reward of DeepSea": float(sea.model.rewards.min()),
        "deviation of a reward of DeepSea": float(sea.reward_deviations.max()),
    }


def reward_of_chain() -> dict[str, float]:
    """Mean rewards of going left in state 0, and right in state 3, from which the last is next."""
    model = make_env("chain").model
    return {
        "left in state 0": float(model.rewards[0, 0]),
        "as Table 2 has it": 0.0,
        "right in state 3": float(model.rewards[3, 1]),
        "right in state 3, as Table 2 has it": 0.8 * 10,
    }


def paid_for_falling_back() -> dict[str, float]:
    """Leaving the better loop after its first state: its reward, and the best reward a step."""
    model = make_env("loop", size=2).model
    return {
        "falling back to the start": float(model.rewards[5, 0]),
        "as Table 2 has it": 2.0,
        "best reward a step": 2 / 5,
        "best reward a step, as Table 2 has it": 2 / 2,
    }


ERRATA_OF_THE_EXPERIMENTS: tuple[Erratum, ...] = (
    Erratum(
        kind=Kind.REMARK,
        place="Experiments, Results, with the table on Chain",
        printed=r"in Chain and Loop, \texttt{EUBRL} not only outperforms all relevant baselines "
        "but also exhibits low variability",
        problem="Its average is the highest; that it outperforms is not shown on Chain. Its lead "
        "over VBRB is 8, at most a third of the standard error of the difference; of MBIE-EB, 11 "
        "behind, and BEB, 43 behind, no error is given.",
        survives="It is among the best: with VBRB, MBIE-EB and BEB it is clearly ahead of PSRL, "
        "RMAX and Mean-MDP. On Loop its lead of 1 over RMAX is real.",
        counterexample=lead_within_the_error,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Experiments, Results, on the stochastic DeepSea",
        printed=r"\texttt{EUBRL+} perfectly solves the task without failure—a result not observed "
        "in previous works",
        problem="In 20 runs of each size, as the caption says. Twenty successes in "
        "twenty come one time in eight even where one run in ten fails. In our runs with more "
        "seeds, whose settings need not be theirs, some do fail: see figures/REPORT.md.",
        survives="It solves it in at least 86% of all runs, with 95% confidence, at each size "
        "taken alone.",
        counterexample=never_failing_in_twenty,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Discussion on Function Approximation, Approximation Error",
        printed="given the same solver, our method will always outperform alternative approaches",
        problem="A bound on regret says how bad it gets at most, not who is better. The paper's "
        "own misspecified bandit is a world in which it is worse.",
        survives="Its own bounds, whatever others do.",
        counterexample=sampling_beside_guidance,
    ),
    Erratum(
        kind=Kind.CLAIM,
        place="Discussion on Function Approximation, the solver",
        printed="If a reasonably good approximation is available, we can derive similar regret and "
        "sample complexity bounds, albeit with an additional term reflecting the approximation "
        "error",
        problem="The bound of a step holds whoever acts, but those on regret and sample "
        "complexity sum J along a run in which π_t itself acts. If another policy does, π_t may "
        "wait for ever for the visits that would change it: the error can be 0 at every step, and "
        "the regret as large as can be.",
        survives="If the error is that in the learned model, V^t − V^{t,π̂_t} ≤ ε_t, and J follows "
        "π̂_t, the steps of the decomposition can be repeated, with O(ε_t) added. The paper does "
        "not do so.",
        counterexample=solver_without_error,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Metrics (appendix), T_max",
        printed="this threshold can be viewed as a penalty for any algorithm that fails the task, "
        "inflating the metric for the average steps or episodes required to solve the task",
        problem="Beside an average over the successful runs it is a penalty; beside the time that "
        "a failed run would have taken it is a favour.",
        survives="The average is never above the true one, and below it wherever a run has failed.",
        counterexample=mean_cut_off,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Preliminary, the range of rewards, against Experiments",
        printed=r"We assume the source distribution of rewards has bounded support in "
        r"$[0, R_{\text{max}}]$",
        problem="LazyChain and DeepSea have costs, and the stochastic DeepSea has noise that is "
        "normal: the theorems do not speak about them as they stand.",
        survives="Costs can be shifted and scaled away, see `reward_map`, and a bound scaled back. "
        "Normal noise asks for other concentration inequalities.",
        counterexample=rewards_outside_the_range,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Environments (appendix), the remark on LazyChain and DeepSea",
        printed="DeepSea is isomorphic to the right half of the chain of LazyChain, where any "
        "action that does not head toward the treasure is considered a failure",
        problem="Only in the sense of that clause. As MDPs they are not: in the chain a step back "
        "can be taken back, in the sea it cannot.",
        survives="They are alike: in both, going right at every step leads to the treasure.",
        counterexample=isomorphic_in_one_sense,
    ),
    Erratum(
        kind=Kind.CONSTANT,
        place="Experiments, Table 2, Chain",
        printed=r"$10\, \mathbf{1}_{(s'=5)}$",
        problem="In the usual Chain (Strens, 2000) going left pays 2; and entering the last state "
        "pays nothing, only staying there. A world built from the table pays up to 4.10 a "
        "step instead of 3.68.",
        survives="10 · 1(s = 5, s' = 5) + 2 · 1(s' = 1), the world to which the printed results "
        "belong.",
        counterexample=reward_of_chain,
    ),
    Erratum(
        kind=Kind.REMARK,
        place="Experiments, Table 2, the rewards of Loop",
        printed=r"$2\, \mathbf{1}_{(s'=1 \text{ and } L_{1})} + \mathbf{1}_{(s'=1 \text{ and } "
        r"L_{k \neq 1})}$",
        problem="Falling back out of the better loop leads to the start state, too. Read as "
        "“arriving from L₁”, the formula would pay 2 for it: two steps a round in place of five.",
        survives="Read as “having completed L₁”, as the appendix implies, it is right; and the "
        "authors' world is that one, for their EUBRL earns 395 in 1000 steps, of 400 at best.",
        counterexample=paid_for_falling_back,
    ),
)
