"""Every agent in the worlds behind the lower bound, and from when on a bound says something.

``python -m eubrl_edu.reproduction.hard_worlds`` runs it and writes what the report then shows.
"""

import argparse
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed

from eubrl_edu.experiments import AGENT_NAMES, make_agent
from eubrl_edu.experiments.intervals import bootstrap_interval
from eubrl_edu.experiments.local import workers_for
from eubrl_edu.planning import solve
from eubrl_edu.reproduction.report_tables import markdown, write_table
from eubrl_edu.simulation import simulate
from eubrl_edu.theory import (
    HardWorld,
    Problem,
    first_informative_order,
    first_informative_step,
    hardest_gap,
    regret,
    regret_bound,
    regret_lower_bound,
)

TABLE = "hard_worlds.csv"
# EUBRL-tied is for worlds of another kind, and with general settings EUBRL+ is EUBRL.
LEFT_OUT = ("EUBRL-tied", "EUBRL+")
AGENTS = tuple(name for name in AGENT_NAMES if name not in LEFT_OUT)
RINGS, ACTIONS, DISCOUNT, DELTA, STEPS, SEEDS = 3, 3, 0.9, 0.1, 2000, 20
# Without a gap to speak of all are alike; so the worlds are run with an easier one, too.
EASIER = 10.0
DISCOUNTS, STATES, DELTAS = (0.5, 0.9, 0.99, 0.999), (2, 5, 10, 50, 100), (0.1, 1e-6)


def total_regret(agent: str, gap: float, seed: int) -> float:
    """Regret(T) of one run; the seed draws the world's better actions, too."""
    world = HardWorld(RINGS, ACTIONS, DISCOUNT, gap, seed)
    made = make_agent(agent, world, discount=DISCOUNT)
    run = simulate(made, world, STEPS, seed, record_plans=True)
    return float(regret(run, world, discount=DISCOUNT).sum())


def compare(n_jobs: int = 2) -> pd.DataFrame:
    """Mean Regret(T) of every agent, with 95% intervals, at the hardest gap and an easier one.

    Returns
    -------
    pandas.DataFrame
        ``gap agent regret low high``, in units of reward.
    """
    hardest = hardest_gap(RINGS, ACTIONS, DISCOUNT, STEPS)
    cases = [(agent, gap) for gap in (hardest, EASIER * hardest) for agent in AGENTS]
    jobs = [(*case, seed) for case in cases for seed in range(SEEDS)]
    found = Parallel(workers_for(n_jobs, len(jobs)))(delayed(total_regret)(*job) for job in jobs)
    rows = []
    for number, (agent, gap) in enumerate(cases):
        mean = bootstrap_interval(found[number * SEEDS : (number + 1) * SEEDS])
        rows.append({"gap": gap, "agent": agent, "regret": mean.value})
        rows[-1] |= {"low": mean.low, "high": mean.high}
    return pd.DataFrame(rows)


def most_regret(gap: float) -> float:
    """T times the largest loss of a step, that of a plan without a single better action."""
    best, never = (
        solve(HardWorld(RINGS, ACTIONS, DISCOUNT, each).model, DISCOUNT).v for each in (gap, 0.0)
    )
    return STEPS * float((best - never).max())


def hard_worlds_section(table: pd.DataFrame) -> str:
    """The report's section: the regrets beside the lines, and the map of where bounds begin."""
    sizes = {"n_states": 2 * RINGS, "n_actions": ACTIONS, "delta": DELTA, "discount": DISCOUNT}
    problem = Problem(r_max=1.0, **sizes)
    trivial = STEPS * problem.v_max
    printed = regret_bound(**sizes, steps=STEPS).total
    proved = regret_bound(**sizes, steps=STEPS, replanning="doubling").total
    hardest, easier = sorted(table.gap.unique())
    shown = {
        agent: [f"{row.regret:.1f} ({row.low:.1f} to {row.high:.1f})" for row in rows.itertuples()]
        for agent, rows in table.sort_values("gap", kind="stable").groupby("agent", sort=False)
    }
    begins = [
        [f"{n}", f"{delta:g}"]
        + [begin_in_words(Problem(n, ACTIONS, 1.0, delta, discount)) for discount in DISCOUNTS]
        for n in STATES
        for delta in DELTAS
    ]
    header = ["S", "δ", *(f"γ = {discount:g}" for discount in DISCOUNTS)]
    lines = {
        "*the most that can be lost here*": [most_regret(hardest), most_regret(easier)],
        "*order of the lower bound*": [min(trivial, regret_lower_bound(problem, STEPS))] * 2,
        "*T V↑*": [trivial] * 2,
        "*proved for planning by doubling*": [proved] * 2,
        "*the paper's bound*": [printed] * 2,
    }
    agents = markdown(
        ["agent, or *line*", f"ξ = {hardest:.2g}, the hardest", f"ξ = {easier:.2g}"],
        [[agent, *cells] for agent, cells in shown.items()]
        + [[line, *(f"{value:,.0f}" for value in values)] for line, values in lines.items()],
    )
    asked = 100 * problem.n_pairs * problem.effective_horizon**4
    return f"""## The worlds behind the lower bound

{RINGS} pairs of a poor state and a rich one in a ring, {ACTIONS} actions, one of which leaves \
the poor state a little more often, by ξ (He, Zhou and Gu, 2021). Regret of {STEPS:,} steps at γ \
= {DISCOUNT:g}, in the mean over {SEEDS} seeds with 95% intervals, each agent with its general \
settings. Left out are EUBRL-tied, which is for worlds of another kind, and EUBRL+, which with \
general settings is EUBRL. Below the agents stand lines. The most that can be lost here is what a \
plan without a single better action loses, at worst. The order of the lower bound is without \
constants and logarithms, and cut off at T V↑, the most that can be lost in any world. The bounds \
are for δ = {DELTA:g}.

{agents}

No agent can reach the order of the lower bound in these worlds, and that is no contradiction: the \
theorem behind it asks for T ≥ 100 SAL/(1 − γ)⁴, L a logarithm, which is {asked:.1e} L here, and \
its constant is left out. A ξ so small that {STEPS:,} steps do not reveal it does not cost much in \
them, either. Both bounds lie above T V↑, where they say nothing.

**From when on the paper's bound says something**: the least T at which it is below T V↑, with \
A = {ACTIONS}; in brackets for its two orders without constants and logarithms.

{markdown(header, begins)}"""


def begin_in_words(problem: Problem) -> str:
    """When the bound begins to say something and when its orders do, as powers of ten."""
    bound, order = first_informative_step(problem), first_informative_order(problem)
    return f"{bound:.0e} ({order:.0e})".replace("e+", "e")


def main() -> None:
    """Run every agent and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("figures"), help="where to write")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    (options.out / "data").mkdir(parents=True, exist_ok=True)
    table = compare(options.jobs)
    write_table(table, options.out / "data" / TABLE)
    print(hard_worlds_section(table))


if __name__ == "__main__":
    main()
