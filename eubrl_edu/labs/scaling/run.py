"""The long work of a scaling lab: what is stored is read, what is missing runs, seed by seed."""

from collections.abc import Generator
from functools import partial
from pathlib import Path

from eubrl_edu.experiments.cells import Cell, run_once, study_cells
from eubrl_edu.experiments.store import Store
from eubrl_edu.labs.scaling.scene import Params, State, largest_here, view, why_not_in
from eubrl_edu.labs.slices import SoFar, elsewhere
from eubrl_edu.names import require_path

# Where the runs of the reproduction would lie beside the package's source.
DEFAULT_STORE = Path(__file__).parents[3] / "figures" / "data" / "runs.sqlite"

PICTURES_ON_THE_WAY = 20


class ScalingMemory:
    """All rows known so far, from the store and from runs; each is read or run once.

    Parameters
    ----------
    store : path or None
        A file that `run_study` has written. It is only read.
    """

    def __init__(self, store: Path | None) -> None:
        self.store = store
        self.trouble = ""
        self.rows: dict[Cell, dict[int, dict]] = {}
        self._cells: dict[tuple[str, str, int], Cell] = {}

    def cell(self, study: str, agent: str, size: int) -> Cell:
        """The cell of a study's table."""
        key = study, agent, size
        if key not in self._cells:
            (self._cells[key],) = study_cells(study, [agent], [size])
        return self._cells[key]

    def view(self, params: Params) -> State:
        """What is known for these settings."""
        cells = self._cells_of(params)
        self._read(list(cells.values()))
        # Copies, as work of which another thread does the last step may add to them.
        rows = {place: dict(self.rows[cell]) for place, cell in cells.items()}
        return view(params, rows, self.trouble)

    def prepare(self, params: Params) -> Generator[SoFar, None, State]:
        """Run what is missing, the cheap sizes first; yield the fraction done."""
        self.view(params)  # answers bad settings, and reads the store
        jobs = [
            (cell, seed)
            for (agent, size), cell in sorted(
                self._cells_of(params).items(), key=lambda item: item[0][1]
            )
            if size <= largest_here(params.study, agent)
            for seed in range(params.seeds)
            if seed not in self.rows[cell]
        ]

        def so_far(done: int) -> SoFar:
            fraction = done / len(jobs)
            # A picture costs about as much as a slice of work: a few on the way are enough.
            return SoFar(fraction, partial(self.view, params), int(PICTURES_ON_THE_WAY * fraction))

        for done, (cell, seed) in enumerate(jobs):
            self.rows[cell][seed] = yield from elsewhere(so_far(done), run_once, cell, seed)
            yield so_far(done + 1)
        return self.view(params)

    def _cells_of(self, params: Params) -> dict[tuple[str, int], Cell]:
        return {
            (agent, size): self.cell(params.study, agent, size)
            for agent in params.agents
            if why_not_in(params.study, agent) is None
            for size in params.sizes
            # To make a large world takes a while, and without a store there is nothing to find.
            if self.store is not None or size <= largest_here(params.study, agent)
        }

    def _read(self, cells: list[Cell]) -> None:
        new = [cell for cell in cells if cell not in self.rows]
        found = self._stored(new) if new and self.store is not None else {}
        for cell in new:
            self.rows[cell] = found.get(cell, {})

    def _stored(self, cells: list[Cell]) -> dict[Cell, dict[int, dict]]:
        try:
            with Store(self.store) as kept:
                return {
                    cell: kept.rows(
                        cell.study.name, cell.agent, cell.size, cell.key(), any_version=True
                    )
                    for cell in cells
                }
        except (OSError, ValueError) as error:
            # The lab can do without: it says so, and asks no more.
            self.trouble, self.store = str(error), None
            return {}


def find_store(store: str | Path | None) -> Path | None:
    """The file to read: the one that is named, else that of the reproduction, if it is there.

    Raises
    ------
    ValueError
        If a file is named that is not there.
    """
    if store is None:
        return DEFAULT_STORE if DEFAULT_STORE.is_file() else None
    file = require_path("store", store)
    if not file.is_file():
        raise ValueError(f"store must be a file of results, got {str(file)!r}, which is not there")
    return file
