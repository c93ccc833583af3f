"""The seeds of a study, and how many runs they make."""

from collections.abc import Iterable

import numpy as np

from eubrl_edu.experiments.cells import several
from eubrl_edu.sequences import TEXT
from eubrl_edu.validation import MOST_RUNS, require_positive_int, shown


def require_seeds(seeds: int | Iterable[int], n_cells: int, first: int = 0) -> list[int]:
    """The seeds that are meant, if so many cells may run with them, or raise ``ValueError``.

    A number stands for so many, from ``first``.
    """
    if hasattr(seeds, "__index__") and not np.iterable(seeds):
        seeds = range(first, first + require_positive_int("seeds", seeds, at_most=MOST_RUNS))
    if isinstance(seeds, TEXT) or not np.iterable(seeds):
        raise ValueError(f"seeds must be a number of seeds or a list of them, got {shown(seeds)}")
    chosen = several("seeds", seeds, MOST_RUNS)
    chosen = [require_positive_int("seed", seed, at_least=0) for seed in chosen]
    if n_cells * len(chosen) > MOST_RUNS:
        raise ValueError(
            f"seeds must be at most {MOST_RUNS // n_cells:,} for each of {n_cells:,} combinations "
            f"of agent, size and settings, got {len(chosen):,}: the limit is {MOST_RUNS:,} runs"
        )
    return chosen
