"""How fast the exact planner is, against dense value iteration and QuantEcon's DiscreteDP.

Run by hand: ``python benchmarks/bench_planning.py``. The MDPs are what an agent plans in: the
posterior mean after random exploration, with the reward of curiosity added. "Warm" means one
more observation (or ten) since the last solution, which is where the new one starts. All times
of a row come from one run and one machine: read the ratios. Medians throughout.
"""

import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from unittest import mock

import numpy as np

import eubrl_edu as eu
from eubrl_edu.beliefs import sampling
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import Solution, q_values, solve

DENSE_TOLERANCE = 1e-2


@dataclass(frozen=True)
class Case:
    """One planning problem, and the same after one and after ten more observations."""

    name: str
    discount: float
    before: MDP
    after_one: MDP
    after_ten: MDP


class Counts:
    """Transition counts and mean rewards of an agent that explores at random."""

    def __init__(self, n_states: int, n_actions: int, alpha: float, terminal: tuple[int, ...]):
        self.alpha = alpha
        self.terminal = terminal
        self.n_states = n_states
        self.seen: list[list[dict[int, int]]] = [
            [{} for _ in range(n_actions)] for _ in range(n_states)
        ]
        self.reward_sum = np.zeros((n_states, n_actions))

    def observe(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Count one transition."""
        row = self.seen[state][action]
        row[next_state] = row.get(next_state, 0) + 1
        self.reward_sum[state, action] += reward

    def posterior_mean(self) -> MDP:
        """The mean MDP of a Dirichlet(α) posterior; reward: its mean plus 1 / √visits."""
        n_states, n_actions = self.reward_sum.shape
        visits = np.array([[sum(row.values()) for row in rows] for rows in self.seen], dtype=float)
        n_listed = max(1, max(len(row) for rows in self.seen for row in rows))
        successors = np.zeros((n_states, n_actions, n_listed), dtype=np.int64)
        weights = np.zeros((n_states, n_actions, n_listed))
        for state, rows in enumerate(self.seen):
            for action, row in enumerate(rows):
                for k, (next_state, count) in enumerate(row.items()):
                    successors[state, action, k] = next_state
                    weights[state, action, k] = count
        total = self.alpha * n_states + visits
        weights /= total[..., None]
        background = self.alpha / total
        rewards = (self.reward_sum + np.sqrt(np.maximum(visits, 1))) / np.maximum(visits, 1)
        for state in self.terminal:
            successors[state] = state
            weights[state] = 0
            weights[state, :, 0] = 1
            background[state] = 0
            rewards[state] = 0
        return MDP(successors, weights, background, rewards, self.terminal)


def explore(
    name: str,
    discount: float,
    alpha: float,
    n_states: int,
    n_actions: int,
    start: int,
    terminal: tuple[int, ...],
    step: Callable[[int, int, np.random.Generator], tuple[float, int]],
    steps: int,
    seed: int = 0,
) -> Case:
    """Explore at random for a number of steps, then for one and nine more."""
    rng = np.random.default_rng(seed)
    counts = Counts(n_states, n_actions, alpha, terminal)
    state, models = start, []
    for more in (steps, 1, 9):
        for _ in range(more):
            action = int(rng.integers(n_actions))
            reward, next_state = step(state, action, rng)
            counts.observe(state, action, reward, next_state)
            state = start if next_state in terminal else next_state
        models.append(counts.posterior_mean())
    return Case(name, discount, *models)


def deep_sea(size: int = 50, alpha: float = 1e-6, steps: int = 20_000) -> Case:
    """DeepSea: size × size cells and a terminal state; α = 1e-6, γ = 0.99."""
    rights = np.random.default_rng(1).integers(2, size=(size, size))
    terminal = size * size

    def step(state: int, action: int, rng: np.random.Generator) -> tuple[float, int]:
        row, column = divmod(state, size)
        right = action == rights[row, column]
        reward = (float(column == size - 1) - 0.01 / size) if right else 0.0
        column = min(column + 1, size - 1) if right else max(column - 1, 0)
        return reward, terminal if row == size - 1 else (row + 1) * size + column

    return explore(f"DeepSea {size}", 0.99, alpha, terminal + 1, 2, 0, (terminal,), step, steps)


def lazy_chain(size: int = 200, alpha: float = 1e-8, steps: int = 20_000) -> Case:
    """The stochastic LazyChain: 2 · size + 1 states in a row; α = 1e-8, γ = 0.999."""
    last = 2 * size

    def step(state: int, action: int, rng: np.random.Generator) -> tuple[float, int]:
        if action == 2:
            return 0.0, state
        right = (action == 1) != (rng.random() < 0.2)
        next_state = state + (1 if right else -1)
        rewards = {last: 2.0 * size - 1, 0: size - 1.0}
        return rewards.get(next_state, -1.0), next_state

    return explore(f"LazyChain {size}", 0.999, alpha, last + 1, 3, size, (0, last), step, steps)


def dense_value_iteration(transitions: np.ndarray, rewards: np.ndarray, discount: float):
    """Textbook value iteration on the (S·A, S) matrix, from zero to a residual of 1e-2."""
    values = np.zeros(rewards.shape[0])
    while True:
        q = rewards + discount * (transitions @ values).reshape(rewards.shape)
        improved = q.max(axis=1)
        if np.abs(improved - values).max() < DENSE_TOLERANCE:
            return q, improved
        values = improved


def median_seconds(function: Callable[[], object], runs: int) -> float:
    """The median time of a number of calls."""
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def peak_bytes(function: Callable[[], object]) -> int:
    """The most memory that Python and NumPy held at once during one call, beyond what was held."""
    tracemalloc.start()
    function()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def discrete_dp(mdp: MDP, discount: float):
    """The MDP as QuantEcon's DiscreteDP takes it: as its (S, A, S) array.

    DiscreteDP also takes sparse rows, but the background of a posterior mean leaves no zeros.
    """
    from quantecon.markov import DiscreteDP

    return DiscreteDP(mdp.rewards, mdp.transition_matrix(), discount)


def measure(case: Case, dense_runs: int = 3, runs: int = 31) -> dict[str, float | str]:
    """Time one case: seconds, bytes, and the largest relative difference from DiscreteDP."""
    cold = solve(case.before, case.discount)
    one, ten = case.after_one, case.after_ten
    dense = one.transition_matrix()
    rows = dense.reshape(-1, one.n_states)
    reference = discrete_dp(one, case.discount)
    theirs = reference.solve(method="policy_iteration", v_init=cold.v)

    def ours_warm() -> Solution:
        return solve(one, case.discount, cold)

    ours = ours_warm()
    scale = np.abs(ours.v).max()
    n_pairs = one.rewards.size
    model_bytes = one.successors.nbytes + one.weights.nbytes + one.background.nbytes
    return {
        "case": case.name,
        "error": float(np.abs(q_values(one, theirs.v, case.discount) - ours.q).max() / scale),
        "cold": median_seconds(lambda: solve(one, case.discount), runs),
        "warm, 1 observation": median_seconds(ours_warm, runs),
        "warm, 10 observations": median_seconds(lambda: solve(ten, case.discount, cold), runs),
        "dense value iteration": median_seconds(
            lambda: dense_value_iteration(rows, one.rewards, case.discount), dense_runs
        ),
        "DiscreteDP, cold": median_seconds(
            lambda: reference.solve(method="policy_iteration"), dense_runs
        ),
        "DiscreteDP, warm": median_seconds(
            lambda: reference.solve(method="policy_iteration", v_init=cold.v), dense_runs
        ),
        "peak bytes": peak_bytes(ours_warm),
        "model bytes": model_bytes + one.rewards.nbytes,
        "dense bytes": 8 * n_pairs * one.n_states,
    }


def table(results: list[dict[str, float | str]]) -> str:
    """The measurements as a Markdown table; ratios are against our warm solve."""
    lines = ["| | " + " | ".join(str(result["case"]) for result in results) + " |"]
    lines.append("|---" * (len(results) + 1) + "|")
    for name in ("cold", "warm, 1 observation", "warm, 10 observations"):
        cells = [f"{1e3 * result[name]:.3f} ms" for result in results]
        lines.append(f"| `solve`, {name} | " + " | ".join(cells) + " |")
    for name in ("dense value iteration", "DiscreteDP, cold", "DiscreteDP, warm"):
        cells = [
            f"{1e3 * result[name]:.0f} ms = {result[name] / result['warm, 1 observation']:,.0f} ×"
            for result in results
        ]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    cells = [
        f"{(result['peak bytes'] + result['model bytes']) / 1e3:,.0f} kB; "
        f"dense {result['dense bytes'] / 1e6:,.0f} MB = "
        f"{result['dense bytes'] / (result['peak bytes'] + result['model bytes']):,.0f} ×"
        for result in results
    ]
    lines.append("| memory, model and peak of a warm solve | " + " | ".join(cells) + " |")
    cells = [f"{result['error']:.1e}" for result in results]
    lines.append("| largest difference from DiscreteDP, relative | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def posterior_sampling(size: int = 50, steps: int = 20_000, runs: int = 11) -> str:
    """A plan of PSRL, rows drawn as far as they carry mass and drawn whole, as a sentence."""
    world = eu.make_env("deepsea", size=size)
    agent = eu.make_agent("PSRL", world, plan_every=steps // 20)
    eu.simulate(agent, world, steps, seed=0)

    def seconds(large_alpha: float) -> float:
        with mock.patch.object(sampling, "LARGE_ALPHA", large_alpha):
            rng = np.random.default_rng(0)
            return median_seconds(lambda: agent.plan(rng), runs)

    sparse, whole = seconds(sampling.LARGE_ALPHA), seconds(0.0)
    return (
        f"A plan of PSRL in DeepSea {size}, draw and solution: {1e3 * sparse:.1f} ms; with every "
        f"row drawn whole {1e3 * whole:.0f} ms = {whole / sparse:.0f} ×."
    )


def run() -> str:
    """All cases, as a Markdown table, and what a plan of PSRL costs."""
    return table([measure(deep_sea()), measure(lazy_chain())]) + "\n\n" + posterior_sampling()


if __name__ == "__main__":
    print(run())
