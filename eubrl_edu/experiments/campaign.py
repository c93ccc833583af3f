"""Everything that a reproduction of the paper runs, as data, and how it is run.

Most agents run with all their seeds. Those that plan much more than others have a time cap: each
of their cells (an agent at a size) goes on to more seeds only while all seeds together are
foreseen to stay under it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import pandas as pd

from eubrl_edu.environments import make_env
from eubrl_edu.experiments.cells import Cell, study_cells
from eubrl_edu.experiments.run import COLUMNS, run_cells
from eubrl_edu.experiments.studies import STUDIES

# More seeds than the paper where they are cheap; by environment.
SEEDS = {"chain": 500, "loop": 500, "deepsea": 100, "lazychain": 100}
# From these sizes on as many as the paper, but for the agents whose success the claims turn on.
LARGE = {"deepsea": 50, "lazychain": 200}
MANY_SEEDS_AT_ANY_SIZE = ("EUBRL", "EUBRL+", "EUBRL-MI")
QUICK_SEEDS = 5
# By study; the smallest size where a study is not here.
QUICK_SIZES = {"loop-scaling": (2, 4, 8), "lazychain-deterministic": (10, 20)}
QUICK_CAP = 2.0
# Seconds of one core for a cell, summed over its seeds.
CAP = 20.0
ALWAYS_ALL_SEEDS = (
    *("EUBRL", "EUBRL+", "EUBRL-MI", "EUBRL-tied"),
    *("RMAX", "MBIE-EB", "VBRB", "Mean-MDP"),
)
# A capped cell does not run at all if one seed is foreseen to take so many times the cap.
HOPELESS = 10
# A capped cell goes from one of these numbers of seeds to the next.
LADDER = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500)

SEA, NOISY_SEA = "deepsea-deterministic", "deepsea-stochastic"
LAZY, NOISY_LAZY = "lazychain-deterministic", "lazychain-stochastic"
KNOWN_AFTER = (1, 3, 5, 10, 20)
PRECISIONS = (1.0, 10.0, 100.0, 1e4)
# One prior for the calm and the noisy sea: does it serve in both?
ONE_BETA0 = 5e-2
PAPERS_EUBRL_PLUS = {"eta": 2.0, "alpha": 1e-5}
PAPERS_VBRB = {
    LAZY: {"eta": 0.5, "eta_per_size": True},
    NOISY_LAZY: {"eta": 0.5, "eta_per_size": True, "alpha": 1e-4},
}


@dataclass(frozen=True)
class Batch:
    """Cells of one study that are run alike.

    Attributes
    ----------
    study : str
        Name of the study.
    agents : tuple of str
        Names of agents.
    sizes : tuple of int
        Problem sizes.
    seeds : int
        How many at most.
    variant : str
        ``"paper"``, or what departs from the paper's settings.
    settings : dict
        How it departs.
    capped : bool
        Whether the time cap holds.
    """

    study: str
    agents: tuple[str, ...]
    sizes: tuple[int, ...]
    seeds: int
    variant: str = "paper"
    settings: dict = field(default_factory=dict)
    capped: bool = False

    # Made once, as making a cell makes its world.
    @cached_property
    def cells(self) -> list[Cell]:
        """One cell for each agent and size."""
        return study_cells(self.study, self.agents, self.sizes, self.settings)


def paper_batches(quick: bool = False) -> list[Batch]:
    """The paper's own tables and figures: the cheap agents first."""
    batches = []
    for study in STUDIES.values():
        sizes = QUICK_SIZES.get(study.name, study.sizes[:1]) if quick else study.sizes
        for agent in study.agents:
            capped = agent not in ALWAYS_ALL_SEEDS
            batches += [
                Batch(study.name, (agent,), alike, seeds, capped=capped)
                for seeds, alike in sizes_by_seeds(study.name, agent, sizes, quick)
            ]
    return sorted(batches, key=lambda batch: batch.capped)


def sizes_by_seeds(
    study: str, agent: str, sizes: Sequence[int], quick: bool
) -> list[tuple[int, tuple[int, ...]]]:
    """How many seeds an agent runs in a study, and at which of the sizes."""
    environment, fewer = STUDIES[study].environment, STUDIES[study].n_seeds
    many = QUICK_SEEDS if quick else SEEDS[environment]
    if quick or agent in MANY_SEEDS_AT_ANY_SIZE or environment not in LARGE:
        return [(many, tuple(sizes))]
    small = tuple(size for size in sizes if size < LARGE[environment])
    large = tuple(size for size in sizes if size >= LARGE[environment])
    return [(seeds, alike) for seeds, alike in ((many, small), (fewer, large)) if alike]


def planning_intervals(size: int) -> list[int | str]:
    """How often PSRL may draw: every so many steps, or once an episode."""
    return list(dict.fromkeys([1, size // 2, 10, size, 5 * size, "episode"]))


def sweep_batches(quick: bool = False) -> list[Batch]:
    """What the paper says of settings: one batch for each value."""
    small = (10,) if quick else (10, 20)
    batches = []

    def sweep(study, agent, sizes, values: Sequence[dict], capped=False):
        for settings in values:
            name = variant_name(settings)
            batches.extend(
                Batch(study, (agent,), alike, seeds, name, settings, capped)
                for seeds, alike in sizes_by_seeds(study, agent, sizes, quick)
            )

    alphas = (0.1,) if quick else (0.001, 0.01, 0.1, 1.0, 5.0)
    sweep("chain", "Mean-MDP", (5,), [{"alpha": alpha, "plan_every": 1} for alpha in alphas])
    sweep("chain", "EUBRL", (5,), [{"plan_every": 1}])
    for study in (SEA, LAZY):
        sizes = small if quick else (10, 20, 50)
        sweep(study, "RMAX", sizes, [{"known_after": m} for m in KNOWN_AFTER])
    for study in (SEA, NOISY_SEA, LAZY, NOISY_LAZY):
        sweep(study, "EUBRL", small, [{"reward_model": model} for model in ("outcome", "action")])
    sweep(NOISY_SEA, "EUBRL+", (10,) if quick else (10, 20, 50), [PAPERS_EUBRL_PLUS])
    for study, settings in PAPERS_VBRB.items():
        sweep(study, "VBRB", small, [settings])
    priors = [{"beta0": ONE_BETA0}, *({"reward_model": "normal", "tau": t} for t in PRECISIONS)]
    for study in (SEA, NOISY_SEA):
        sweep(study, "EUBRL", small, priors)
    for study in (SEA, LAZY):
        for size in small:
            intervals = [{"plan_every": every} for every in planning_intervals(size)]
            sweep(study, "PSRL", (size,), intervals, capped=True)
    for study in (SEA, NOISY_SEA, LAZY, NOISY_LAZY):
        sweep(study, "PSRL", small, [{"clip_visited": False}], capped=True)
    return batches


def variant_name(settings: dict) -> str:
    """Settings in words, such as ``plan_every=10``."""
    return ", ".join(
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in settings.items()
    )


def beyond_batches(quick: bool = False) -> list[Batch]:
    """Sizes beyond the paper's, with few seeds.

    EUBRL+'s settings were found up to N = 50. At N = 100 its α = 4e-6 for each of S next states
    weighs αS = 0.04, and its η = 4 makes it look for longer than there are episodes: it also runs
    with less of both, and at N = 200 with less again. These settings, too, were found on other
    seeds, from 5000 on.
    """
    if quick:
        return []
    once = {"plan_every": "episode"}
    less = once | {"eta": 2.0, "alpha": 1e-6}
    least = once | {"eta": 0.2, "alpha": 1e-7}
    return [
        Batch(LAZY, ("EUBRL", "RMAX"), (500,), 20, "beyond"),
        Batch(NOISY_SEA, ("RMAX",), (100,), 10, "beyond"),
        Batch(NOISY_SEA, ("RMAX",), (200,), 1, "beyond"),
        Batch(NOISY_SEA, ("EUBRL+",), (100,), 10, f"beyond, {variant_name(once)}", once),
        Batch(NOISY_SEA, ("EUBRL+",), (100,), 10, f"beyond, {variant_name(less)}", less),
        Batch(NOISY_SEA, ("EUBRL+",), (200,), 2, f"beyond, {variant_name(least)}", least),
    ]


def run_batches(
    batches: Sequence[Batch],
    store: str | Path | None = None,
    n_jobs: int = 1,
    cap: float = CAP,
    progress: bool = True,
) -> pd.DataFrame:
    """Run all batches: first those without a cap, then the others, a few seeds more each time.

    Parameters
    ----------
    batches : sequence of Batch
        What to run.
    store, n_jobs, progress
        See `run_study`.
    cap : float
        Seconds of one core for each capped cell, summed over its seeds. The first seed runs in
        any case, but where a smaller size shows that it would take `HOPELESS` times the cap.

    Returns
    -------
    pandas.DataFrame
        The columns of `run_study` and ``variant``; ``wanted``, the seeds there were to be.
    """

    def run(cells: list[Cell], seeds: int) -> dict[Cell, list[dict]]:
        rows = run_cells(cells, range(seeds), n_jobs, progress, store=store)
        return {cell: rows[i * seeds : (i + 1) * seeds] for i, cell in enumerate(cells)}

    finished: dict[Cell, list[dict]] = {}
    free = most_seeds(batch for batch in batches if not batch.capped)
    # Many seeds are asked for where a run is cheap.
    for seeds in sorted(set(free.values()), reverse=True):
        finished |= run([cell for cell in free if free[cell] == seeds], seeds)

    capped = most_seeds(batch for batch in batches if batch.capped)
    capped = {cell: wanted for cell, wanted in capped.items() if cell not in free}
    for size in sorted({cell.size for cell in capped}):
        first = [
            cell
            for cell in capped
            if cell.size == size and seconds_at_least(finished, cell) <= HOPELESS * cap
        ]
        if first:
            finished |= run(first, 1)
    for seeds in LADDER[1:]:
        going_on = [
            cell
            for cell, wanted in capped.items()
            if cell in finished and seeds <= wanted and foreseen(finished, cell, seeds) <= cap
        ]
        if going_on:
            finished |= run(going_on, seeds)

    rows = []
    for batch in batches:
        for cell in batch.cells:
            labels = {"variant": batch.variant, "wanted": batch.seeds}
            rows += [row | labels for row in finished.get(cell, [])[: batch.seeds]]
    frame = pd.DataFrame(rows, columns=[*COLUMNS, "variant", "wanted"])
    return frame.astype({"solved": "boolean"})


def most_seeds(batches: Iterable[Batch]) -> dict[Cell, int]:
    """The cells of all batches, each with the most seeds that a batch asks for."""
    wanted = {}
    for batch in batches:
        for cell in batch.cells:
            wanted[cell] = max(batch.seeds, wanted.get(cell, 0))
    return wanted


def left_out(batches: Iterable[Batch], frame: pd.DataFrame) -> list[Cell]:
    """The cells of all batches of which `run_batches` ran nothing."""
    ran = set(zip(frame.study, frame.agent, frame["size"], frame.variant, strict=True))
    return [
        cell
        for batch in batches
        for cell in batch.cells
        if (cell.study.name, cell.agent, cell.size, batch.variant) not in ran
    ]


def seconds_at_least(finished: dict[Cell, list[dict]], cell: Cell) -> float:
    """Seconds that one seed of a cell takes at least, to judge by the next smaller size.

    A run that has all its steps there will hardly need fewer here, and each step and each state
    costs as much as it did.
    """
    smaller = [
        other
        for other in finished
        if (other.study, other.agent) == (cell.study, cell.agent)
        and replace(other.settings, eta=cell.settings.eta) == cell.settings
        and other.size < cell.size
    ]
    if not smaller:
        return 0.0
    other = max(smaller, key=lambda each: each.size)
    (row, *_) = finished[other]
    if row["solved"]:
        return 0.0
    growth = cell.study.step_limit(cell.size) / cell.study.step_limit(other.size)
    return row["seconds"] * growth * n_pairs(cell) / n_pairs(other)


def n_pairs(cell: Cell) -> int:
    """S · A of a cell's world."""
    env = make_env(cell.study.environment, cell.size, cell.study.stochastic)
    return env.n_states * env.n_actions


def foreseen(finished: dict[Cell, list[dict]], cell: Cell, seeds: int) -> float:
    """Seconds that so many seeds of a cell will take, as its first ones did."""
    rows = finished.get(cell)
    if rows is None:
        return 0.0
    return sum(row["seconds"] for row in rows) / len(rows) * seeds
