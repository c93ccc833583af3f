"""Time and memory of one planning step against the number of states: ours beside dense arrays.

Run by hand: ``python -m benchmarks.bench_scaling figures``. It writes ``data/planning_cost.csv``
there and the figure ``planning-cost``, which ``eubrl-edu reproduce`` shows in its report. One
planning step is all that is between an observation and the next action: posterior means,
uncertainties, the guided reward and the solution, warm from the last one where that is possible.
Dense arrays are measured up to where the next size would not fit into half of the machine's free
memory.
"""

import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import eubrl_edu as eu
from benchmarks.dense_eubrl import DenseEUBRL
from eubrl_edu.experiments import paper_settings
from eubrl_edu.experiments.agents import world_variant
from eubrl_edu.reproduction.figures import planning_cost_figure
from eubrl_edu.reproduction.reproduce import COSTS, save
from eubrl_edu.writing import require_writable_folder

SIZES = (5, 10, 20, 30, 50, 70, 100, 200, 300)
EXPLORED, REPEATS, PATIENCE = 2000, 15, 20.0
# Never due by itself: here planning is asked for.
NEVER = 10 * EXPLORED
# Five arrays of (S, A, S) hold the belief, and planning makes as many again.
DENSE_ARRAYS = 10


def explored_world(size: int):
    """A sea, its settings, and what a random walk of `EXPLORED` steps observes in it."""
    env = eu.make_env("deepsea", size)
    rng = np.random.default_rng(0)
    observed = []
    state = env.reset(seed=0)[0]
    for _ in range(EXPLORED):
        action = int(rng.integers(env.n_actions))
        next_state, reward, terminated, truncated, _ = env.step(action)
        observed.append((state, action, float(reward), next_state, terminated))
        state = env.reset()[0] if terminated or truncated else next_state
    return env, paper_settings(world_variant(env), "EUBRL", size), observed


def measure(make: Callable, observed: list) -> tuple[float, float]:
    """Median milliseconds of an observation and its plan, and the most megabytes held meanwhile."""
    tracemalloc.start()
    agent = make()
    *before, last = observed
    for observation in before:
        agent.observe(*observation)
    agent.plan()
    agent.observe(*last)
    agent.plan()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Timed apart: tracing slows small steps down.
    times = []
    while len(times) < REPEATS and sum(times) < PATIENCE:
        started = time.perf_counter()
        agent.observe(*last)
        agent.plan()
        times.append(time.perf_counter() - started)
    return 1e3 * statistics.median(times), peak / 1e6


def our_cost(size: int) -> tuple[float, float]:
    """The package's EUBRL."""
    env, _, observed = explored_world(size)
    return measure(lambda: eu.make_agent("EUBRL", env, plan_every=NEVER), observed)


def dense_cost(size: int) -> tuple[float, float]:
    """The same agent with dense arrays, and value iteration from zero to a residual of 1e-2."""
    env, settings, observed = explored_world(size)

    def make():
        return DenseEUBRL(
            *(env.n_states, env.n_actions),
            *(settings.eta, settings.alpha, settings.beta0, settings.discount),
            plan_every=NEVER,
            terminal_states=env.terminal_states,
        )

    return measure(make, observed)


def free_bytes() -> int:
    """Memory that is free on this machine, in bytes."""
    with open("/proc/meminfo") as file:
        for line in file:
            if line.startswith("MemAvailable"):
                return 1024 * int(line.split()[1])
    raise OSError("/proc/meminfo does not say how much memory is free")


def run(sizes=SIZES) -> pd.DataFrame:
    """A row for each size and implementation: ``implementation states milliseconds megabytes``."""
    our_cost(sizes[0])  # compiles what is not compiled yet
    rows = []
    for name, cost in (("this package", our_cost), ("dense arrays", dense_cost)):
        for size in sizes:
            states = size**2 + 1
            if name == "dense arrays" and DENSE_ARRAYS * 16 * states**2 > free_bytes() / 2:
                break
            rows.append([name, states, *cost(size)])
            print(f"{name:14}{states:8,} states {rows[-1][2]:12.2f} ms {rows[-1][3]:12.2f} MB")
    return pd.DataFrame(
        rows, columns=["implementation", "states", "milliseconds", "megabytes"]
    ).round(4)


def main(out: Path) -> None:
    """Measure, and write table and figure."""
    require_writable_folder(out / "data")
    costs = run()
    costs.to_csv(out / "data" / COSTS, index=False)
    save(planning_cost_figure(costs), out, "planning-cost")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "figures"))
