"""How long whole runs take: the readable classes and the compiled engine against dense arrays.

Run by hand: ``python -m benchmarks.bench_runs``. Every row's times come from one process, taken
in turns, so that a change of the machine's speed meets them all alike: read the ratios.
"""

import statistics
import time
import tracemalloc
from dataclasses import dataclass

import eubrl_edu as eu
from benchmarks.dense_eubrl import DenseEUBRL
from eubrl_edu import engine, simulation
from eubrl_edu.experiments import STUDIES, paper_settings
from eubrl_edu.experiments.agents import world_variant
from eubrl_edu.success import SuccessWatch

REPEATS = 5
# Runs in one measurement: a fast way is measured over many, as its caches are cold at first.
RUNS = {"dense": 1, "readable": 10, "engine": 50}


@dataclass(frozen=True)
class Case:
    """A run to be timed."""

    name: str
    environment: str
    size: int
    stochastic: bool
    steps: int
    plan_every: int


CASES = (
    Case("Loop-2, 1000 steps, a plan at each", "loop", 2, False, 1000, 1),
    Case("LazyChain 20, stochastic, 2000 steps, a plan every 20", "lazychain", 20, True, 2000, 20),
)


def dense_agent(env, settings, plan_every: int) -> DenseEUBRL:
    """The dense agent with the paper's settings for this world."""
    return DenseEUBRL(
        env.n_states,
        env.n_actions,
        settings.eta,
        settings.alpha,
        settings.beta0,
        settings.discount,
        plan_every,
        env.terminal_states,
    )


def time_runs(case: Case) -> dict[str, float]:
    """Median seconds of a run, by way of running it."""
    env = eu.make_env(case.environment, case.size, case.stochastic)
    settings = paper_settings(world_variant(env), "EUBRL", case.size)

    def agent():
        return eu.make_agent("EUBRL", env, plan_every=case.plan_every)

    ways = {
        "dense": lambda seed: simulation.simulate(
            dense_agent(env, settings, case.plan_every), env, case.steps, seed
        ),
        "readable": lambda seed: simulation.simulate(agent(), env, case.steps, seed),
        "engine": lambda seed: engine.simulate(agent(), env, case.steps, seed),
    }
    for name in ("readable", "engine"):
        ways[name](0)  # compiles what is not compiled yet
    seconds = {name: [] for name in ways}
    for _ in range(REPEATS):
        for name, run in ways.items():
            started = time.perf_counter()
            for seed in range(RUNS[name]):
                run(seed)
            seconds[name].append((time.perf_counter() - started) / RUNS[name])
    return {name: statistics.median(times) for name, times in seconds.items()}


def time_many_seeds(environment: str, size: int, seeds: int = 200) -> float:
    """Seconds for many compiled runs of 1000 steps, worlds and agents made anew for each."""
    env = eu.make_env(environment, size)
    plan_every = paper_settings(world_variant(env), "EUBRL", size).plan_every
    started = time.perf_counter()
    for seed in range(seeds):
        agent = eu.make_agent("EUBRL", env, plan_every=plan_every)
        engine.simulate(agent, env, 1000, seed)
    return time.perf_counter() - started


def memory_of_deep_sea(size: int = 50) -> tuple[float, float]:
    """Peak bytes of 500 steps of the readable EUBRL, and bytes of the dense agent's arrays."""
    env = eu.make_env("deepsea", size)
    simulation.simulate(eu.make_agent("EUBRL", env), env, 10, 0)
    tracemalloc.start()
    simulation.simulate(eu.make_agent("EUBRL", env), env, 500, 0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    dense_arrays = 5  # parameters of P; mean, rate, count and shape of the rewards
    return peak, dense_arrays * 8.0 * env.n_states**2 * env.n_actions


def solve_deep_sea(size: int, stochastic: bool) -> tuple[float, int, bool]:
    """Seconds and steps of a compiled run to success, and whether it came."""
    study = STUDIES["deepsea-stochastic" if stochastic else "deepsea-deterministic"]
    env = eu.make_env("deepsea", size, stochastic)
    agent = eu.make_agent("EUBRL+" if stochastic else "EUBRL", env, plan_every=10)
    watch = SuccessWatch(study.success(env), agent)
    started = time.perf_counter()
    trajectory = engine.simulate(agent, env, study.step_limit(size), 0, watch)
    return time.perf_counter() - started, len(trajectory), watch.solved


def run() -> str:
    """All tables, in Markdown."""
    lines = [
        "| run | dense | readable | engine | dense / readable | dense / engine |",
        "|---|---|---|---|---|---|",
    ]
    for case in CASES:
        seconds = time_runs(case)
        lines.append(
            f"| {case.name} | {seconds['dense']:.3f} s | {1e3 * seconds['readable']:.1f} ms "
            f"| {1e3 * seconds['engine']:.2f} ms | {seconds['dense'] / seconds['readable']:.0f} "
            f"| {seconds['dense'] / seconds['engine']:.0f} |"
        )
    lines += ["", "| 200 compiled runs of 1000 steps | seconds |", "|---|---|"]
    lines += [
        f"| {name} | {time_many_seeds(name, size):.2f} |"
        for name, size in (("loop", 2), ("chain", 5))
    ]
    peak, dense = memory_of_deep_sea()
    lines += [
        "",
        f"DeepSea 50, 500 steps of the readable EUBRL: peak {peak / 1e6:.2f} MB beyond the world; "
        f"the dense agent's arrays {dense / 1e6:.0f} MB: {dense / peak:.0f} times as much.",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(run())
