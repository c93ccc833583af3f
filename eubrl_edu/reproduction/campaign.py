"""Everything that a reproduction of the paper runs, as data, and how it is run.

How many seeds each agent runs at each size is fixed here; no clock decides it, so that the same
command runs the same on any machine.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path

import pandas as pd

from eubrl_edu.experiments.cells import Cell, study_cells
from eubrl_edu.experiments.run import COLUMNS, run_cells
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.experiments.tuning import variant_name

# More seeds than the paper where they are cheap; by environment.
SEEDS = {"chain": 500, "loop": 500, "deepsea": 100, "lazychain": 100}
# From these sizes on as many as the paper, and earlier for the agents that plan longest.
LARGE = {"deepsea": 50, "lazychain": 200}
LARGE_FOR = {"PSRL": {"deepsea": 20, "lazychain": 100}, "BEB": {"deepsea": 50, "lazychain": 50}}
MANY_SEEDS_AT_ANY_SIZE = ("EUBRL", "EUBRL+", "EUBRL-MI")
# Fewer than the paper: a run of PSRL on the largest seas takes minutes. By agent, environment and
# size.
FEWER_SEEDS = {("PSRL", "deepsea", 50): 3}
# Where PSRL draws at every step of a sea, it plans ten times as often as elsewhere.
SEEDS_OF_PSRL_AT_EVERY_STEP = 5
QUICK_SEEDS = 5
# By study; the smallest size where a study is not here.
QUICK_SIZES = {"loop-scaling": (2, 4, 8), "lazychain-deterministic": (10, 20)}

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
        How many: 0, 1, 2, ...
    variant : str
        ``"paper"``, or what departs from the paper's settings.
    settings : dict
        How it departs.
    """

    study: str
    agents: tuple[str, ...]
    sizes: tuple[int, ...]
    seeds: int
    variant: str = "paper"
    settings: dict = field(default_factory=dict)

    # Made once, as making a cell makes its world.
    @cached_property
    def cells(self) -> list[Cell]:
        """One cell for each agent and size."""
        return study_cells(self.study, self.agents, self.sizes, self.settings)


def paper_batches(quick: bool = False) -> list[Batch]:
    """The paper's own tables and figures."""
    batches = []
    for study in STUDIES.values():
        sizes = QUICK_SIZES.get(study.name, study.sizes[:1]) if quick else study.sizes
        for agent in study.agents:
            batches += [
                Batch(study.name, (agent,), alike, seeds)
                for seeds, alike in sizes_by_seeds(study.name, agent, sizes, quick)
            ]
    return batches


def sizes_by_seeds(
    study: str, agent: str, sizes: Sequence[int], quick: bool
) -> list[tuple[int, tuple[int, ...]]]:
    """How many seeds an agent runs in a study, and at which of the sizes."""
    found: dict[int, list[int]] = {}
    for size in sizes:
        seeds = QUICK_SEEDS if quick else n_seeds(study, agent, size)
        found.setdefault(seeds, []).append(size)
    return [(seeds, tuple(alike)) for seeds, alike in found.items()]


def n_seeds(study: str, agent: str, size: int) -> int:
    """How many seeds an agent runs in a study at this size."""
    environment = STUDIES[study].environment
    if (agent, environment, size) in FEWER_SEEDS:
        return FEWER_SEEDS[agent, environment, size]
    is_large = size >= LARGE_FOR.get(agent, LARGE).get(environment, math.inf)
    if is_large and agent not in MANY_SEEDS_AT_ANY_SIZE:
        return STUDIES[study].n_seeds
    return SEEDS[environment]


def planning_intervals(size: int) -> list[int | str]:
    """How often PSRL may draw: every so many steps, or once an episode."""
    return list(dict.fromkeys([1, size // 2, 10, size, 5 * size, "episode"]))


def sweep_batches(quick: bool = False) -> list[Batch]:
    """What the paper says of settings: one batch for each value."""
    small = (10,) if quick else (10, 20)
    batches = []

    def sweep(study, agent, sizes, values: Sequence[dict]):
        for settings in values:
            name = variant_name(settings)
            always = study == SEA and settings.get("plan_every") == 1
            batches.extend(
                Batch(
                    study,
                    (agent,),
                    alike,
                    min(seeds, SEEDS_OF_PSRL_AT_EVERY_STEP) if always else seeds,
                    name,
                    settings,
                )
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
            sweep(study, "PSRL", (size,), intervals)
    for study in (SEA, NOISY_SEA, LAZY, NOISY_LAZY):
        sweep(study, "PSRL", small, [{"clip_visited": False}])
    return batches


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
    progress: bool = True,
) -> pd.DataFrame:
    """Run all batches.

    Parameters
    ----------
    batches : sequence of Batch
        What to run.
    store, n_jobs, progress
        See `run_study`.

    Returns
    -------
    pandas.DataFrame
        The columns of `run_study` and ``variant``.
    """
    runs = [(cell, seed) for cell, seeds in most_seeds(batches).items() for seed in range(seeds)]
    finished = dict(zip(runs, run_cells(runs, n_jobs, progress, store=store), strict=True))
    rows = [
        finished[cell, seed] | {"variant": batch.variant}
        for batch in batches
        for cell, seed in product(batch.cells, range(batch.seeds))
    ]
    frame = pd.DataFrame(rows, columns=[*COLUMNS, "variant"])
    return frame.astype({"solved": "boolean"})


def most_seeds(batches: Iterable[Batch]) -> dict[Cell, int]:
    """The cells of all batches, each with the most seeds that a batch asks for."""
    wanted = {}
    for batch in batches:
        for cell in batch.cells:
            wanted[cell] = max(batch.seeds, wanted.get(cell, 0))
    return wanted
