"""Many seeds: run a study and gather one row for each run, or read what a store holds."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from itertools import product
from operator import itemgetter
from pathlib import Path

import gymnasium
import pandas as pd
from tqdm.auto import tqdm

from eubrl_edu.agents import Agent
from eubrl_edu.experiments.cells import Cell, run_once, study_cells
from eubrl_edu.experiments.cluster import connected, require_address, run_on_cluster
from eubrl_edu.experiments.failures import Failure, RunFailed, StudyFailed, StudyInterrupted
from eubrl_edu.experiments.interruptible import compile_engine
from eubrl_edu.experiments.local import (
    require_jobs,
    require_sendable,
    run_here,
    run_in_processes,
    workers_for,
)
from eubrl_edu.experiments.seeds import require_seeds
from eubrl_edu.experiments.store import COLUMNS, DTYPES, Store
from eubrl_edu.experiments.studies import Study
from eubrl_edu.names import require_choice
from eubrl_edu.sources import require_unchanged_sources
from eubrl_edu.validation import require_bool


def run_study(
    study: str | Study,
    agents: Sequence[str] | Mapping[str, Callable[[gymnasium.Env], Agent]] | None = None,
    sizes: Sequence[int] | None = None,
    seeds: int | Iterable[int] | None = None,
    n_jobs: int = 1,
    progress: bool = True,
    *,
    settings: Mapping[str, object] | None = None,
    store: str | Path | None = None,
    key: str | None = None,
    scheduler: str | None = None,
    on_error: str = "raise",
) -> pd.DataFrame:
    """Run every agent at every size with every seed of a study.

    Parameters
    ----------
    study : str or Study
        A name in ``STUDIES``; or a study of your own, in a world of your own.
    agents : sequence of str, or mapping, optional
        Names of agents; those of the study if left out. For agents of your own a mapping from
        names to what makes them: called with the world, it returns a new `Agent`.
    sizes : sequence of int, optional
        Problem sizes; those of the study if left out.
    seeds : int or iterable of int, optional
        Seeds; a number stands for so many, from 0. As many as the paper has if left out. There may
        be a million runs in all.
    n_jobs : int
        Processes to use; 1 stays in this one, -1 stands for all cores. There are never more than
        cores or runs.
    progress : bool
        Whether to show a progress bar, with an estimate of the time left, and to say so where the
        engine is yet to be compiled.
    settings : mapping, optional
        Settings to use in place of the paper's, for every agent: any field of `Settings`. An
        ``eta`` is taken as it is, unless ``eta_per_size`` is among them.
    store : str or path, optional
        A file to keep every finished run in. What it holds already does not run again, unless the
        sources of this package have been edited since.
    key : str, optional
        For a store of runs that code of your own decides, as an agent, a world or a rule: what you
        call it as it is now. Rows are found again under the same key only; whether the code has
        changed since, nobody but you can tell.
    scheduler : str, optional
        Address of a Dask scheduler, such as ``tcp://192.0.2.1:8786``: the runs go to its workers
        in place of this machine's processes.
    on_error : {"raise", "keep"}
        What to do when a run ends in an exception, as one of your own agent's may: stop, or go on
        without it and warn in the end, with the failures in ``frame.attrs["failures"]``.

    Returns
    -------
    pandas.DataFrame
        A row for each run, with the columns ``study agent size seed steps episodes solved
        total_return return_1000 seconds``. ``steps`` and ``episodes`` count to the end of the
        episodes that confirm success, where a solved run stops. ``solved`` is NA where the study
        has no such rule, ``return_1000`` where a run is shorter than 1000 steps.

    Raises
    ------
    ValueError
        If the study, an agent, a size, a seed or a setting is not valid, or the store is damaged;
        before anything runs.
    RuntimeError
        If making an agent, a world or a rule of your own ends in ``SystemExit``, before, too.
    OSError
        If the store cannot be written or the scheduler does not answer, before anything runs.
    StudyFailed
        If a run fails, or anything else once runs are finished; its ``frame`` holds those.
    StudyInterrupted
        On Ctrl-C, with the runs that were finished.

    Examples
    --------
    A world of your own is a Gymnasium environment with discrete spaces, and an agent of your own
    a subclass of `Agent`. Both run step by step, in the readable loop.

    >>> import gymnasium
    >>> import eubrl_edu as eu

    >>> class Walker(eu.Agent):
    ...     def __init__(self, world):
    ...         self.n_actions = world.n_actions
    ...
    ...     def act(self, state, rng):
    ...         return int(rng.integers(self.n_actions))
    ...
    ...     def observe(self, state, action, reward, next_state, terminated):
    ...         pass

    >>> lake = eu.Study(name="lake", environment="FrozenLake-v1", steps=500)
    >>> agents = {"walker": Walker, "EUBRL": lambda world: eu.make_agent("EUBRL", world, eta=1.0)}
    >>> frame = eu.run_study(lake, agents, seeds=2, progress=False)
    >>> frame[["study", "agent", "size", "seed", "steps"]]
      study   agent  size  seed  steps
    0  lake  walker    16     0    500
    1  lake  walker    16     1    500
    2  lake   EUBRL    16     0    500
    3  lake   EUBRL    16     1    500
    """
    cells = study_cells(study, agents, sizes, settings, key)
    seeds = range(cells[0].study.n_seeds) if seeds is None else seeds
    failures: list[Failure] = []
    kept = failures if require_choice("on_error", on_error, ("raise", "keep")) == "keep" else None
    runs = list(product(cells, require_seeds(seeds, len(cells))))
    rows = run_cells(runs, n_jobs, progress, store=store, scheduler=scheduler, failures=kept)
    frame = as_frame(rows)
    if failures:
        order = {(cell.agent, cell.size, seed): place for place, (cell, seed) in enumerate(runs)}
        failures.sort(key=lambda failure: order[failure.agent, failure.size, failure.seed])
        frame.attrs |= {"failures": failures, "finished": len(frame)}
        warnings.warn(
            f"{len(failures)} of {len(failures) + len(frame)} runs failed and are not in the table "
            f'(frame.attrs["failures"] has all): {failures[0]}',
            RuntimeWarning,
            stacklevel=2,
        )
    return frame


def read_store(path: str | Path) -> pd.DataFrame:
    """Read all runs that a store holds.

    Parameters
    ----------
    path : str or path
        A file written by ``run_study(..., store=path)``; it is only read.

    Returns
    -------
    pandas.DataFrame
        The columns of `run_study`, then ``settings``, a text that tells cells apart, and
        ``version``: the package's, and the hash of the sources that the run was computed by.

    Raises
    ------
    ValueError
        If the file is damaged or is not a store.
    OSError
        If it is not there or cannot be read.
    """
    with Store(path) as store:
        if not store.path.is_file():
            raise FileNotFoundError(f"the store {str(path)!r} is not there")
        frame = pd.DataFrame(store.every_row(), columns=[*COLUMNS, "settings", "version"])
    return frame.astype(DTYPES)


def run_cells(
    runs: Sequence[tuple[Cell, int]],
    n_jobs: int = 1,
    progress: bool = True,
    *,
    store: str | Path | None = None,
    scheduler: str | None = None,
    failures: list[Failure] | None = None,
) -> list[dict]:
    """Run cells with seeds; the rows come in the order of ``runs``, whichever finished first.

    Parameters
    ----------
    runs : sequence of (Cell, int)
        What to run, each with its seed.
    n_jobs, progress, store, scheduler
        As in `run_study`.
    failures : list, optional
        Where to note runs that end in an exception; where it is left out, the first ends it all.

    Returns
    -------
    list of dict
        A value for each of ``COLUMNS``, for each run that was finished.
    """
    require_jobs(n_jobs)
    require_bool("progress", progress)
    if scheduler is not None:
        require_address(scheduler)
    cells = dict.fromkeys(cell for cell, _ in runs)
    if scheduler is not None or workers_for(n_jobs, len(runs)) > 1:
        for cell in cells:
            require_sendable(cell.own_code())
    if store is not None:
        require_unchanged_sources()
    rows = {}

    def finished() -> list[dict]:
        return [rows[run] for run in runs if run in rows]

    with (
        nullcontext() if store is None else Store(store) as kept,
        # First, as a store would make its file.
        nullcontext() if scheduler is None else connected(scheduler) as client,
    ):
        if kept is not None:
            stored = {c: kept.rows(c.study.name, c.agent, c.size, c.key()) for c in cells}
            rows = {(cell, seed): stored[cell][seed] for cell, seed in runs if seed in stored[cell]}
        # Seed by seed through all cells: so the time left is foreseen from all of them, and where
        # long runs have few seeds, no process is left alone with them in the end.
        missing = sorted((run for run in runs if run not in rows), key=itemgetter(1))
        if kept is not None and missing:
            kept.require_writable()
        begun = False
        try:
            if progress and scheduler is None and any(cell.may_be_compiled for cell, _ in missing):
                compile_engine()
            bar = tqdm(
                total=len(runs),
                initial=len(rows),
                desc=(missing or runs)[0][0].study.name,
                unit="run",
                smoothing=0,
                disable=not progress,
            )
            with bar, closing(_results(missing, n_jobs, client)) as results:
                for position, row in results:
                    begun = True
                    cell, seed = missing[position]
                    bar.set_description(cell.study.name, refresh=False)
                    _keep(cell, seed, row, rows, kept, failures)
                    bar.update()
                if kept is not None:
                    kept.flush()
        except KeyboardInterrupt:
            raise StudyInterrupted(as_frame(finished()), len(runs), store) from None
        except Exception as error:
            if not begun:
                raise
            stopped = StudyFailed.by(error, as_frame(finished()), len(runs), store)
            raise stopped from error.__cause__ or error
    return finished()


def _keep(cell: Cell, seed: int, row: dict | Failure, rows: dict, store, failures) -> None:
    """Keep a row, in the store as well; note a failure, or raise it where none is to be noted."""
    if not isinstance(row, Failure):
        rows[cell, seed] = row
        if store is not None:
            store.add(row, cell.key())
    elif failures is None:
        raise RunFailed(cell, row) from row.cause
    else:
        failures.append(row)


def _results(jobs: list, n_jobs: int, client) -> Iterator[tuple[int, dict]]:
    """Run the jobs wherever they are to run; yield (position, row) in any order."""
    if client is not None:
        return run_on_cluster(attempt, jobs, client)
    if (n_workers := workers_for(n_jobs, len(jobs))) == 1:
        return run_here(attempt, jobs)
    return run_in_processes(attempt, jobs, n_workers)


def attempt(cell: Cell, seed: int) -> dict | Failure:
    """The row of a run, or how it failed."""
    try:
        return run_once(cell, seed)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # code of one's own raises what it likes
        return Failure.of(cell.agent, cell.size, seed, error)


def as_frame(rows: list[dict]) -> pd.DataFrame:
    """Runs as a table, each column of its kind, be there any or none."""
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(DTYPES)
