"""The seeds of a study, and how many runs they make."""

from collections.abc import Iterable

from eubrl_edu.experiments.cells import several
from eubrl_edu.validation import MOST_RUNS, require_positive_int


def seeds_from(seeds: int | Iterable[int], first: int = 0) -> list[int]:
    """The seeds that are meant; a number stands for so many, from ``first``."""
    if hasattr(seeds, "__index__"):
        seeds = range(first, first + require_positive_int("seeds", seeds, at_most=MOST_RUNS))
    chosen = several("seeds", seeds, MOST_RUNS)
    return [require_positive_int("seed", seed, at_least=0) for seed in chosen]


def require_runs(n_cells: int, seeds: list[int]) -> list[int]:
    """Return the seeds, or raise ``ValueError`` where so many cells make too many runs."""
    if n_cells * len(seeds) > MOST_RUNS:
        raise ValueError(
            f"seeds must be at most {MOST_RUNS // n_cells:,} for each of {n_cells:,} combinations "
            f"of agent, size and settings, got {len(seeds):,}: the limit is {MOST_RUNS:,} runs"
        )
    return seeds
