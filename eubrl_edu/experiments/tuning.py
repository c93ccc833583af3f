"""Look for an agent's best settings in a study, as the paper says that it did.

"All hyperparameters are tuned via line search for best performance for each method" (the paper,
"Hyperparameters"): one setting after the other is swept over its grid while the others stay, and
takes its best value; this goes round until a whole round changes nothing. It starts from the
paper's settings. Every combination of the grids can be tried instead, at many times the cost.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
import pandas as pd

from eubrl_edu.experiments.cells import Cell, several, study_cells
from eubrl_edu.experiments.failures import StudyFailed, StudyInterrupted
from eubrl_edu.experiments.grids import paper_grid
from eubrl_edu.experiments.intervals import ROUNDING
from eubrl_edu.experiments.records import AGENTS
from eubrl_edu.experiments.run import as_frame, run_cells
from eubrl_edu.experiments.seeds import require_seeds
from eubrl_edu.experiments.settings import Settings
from eubrl_edu.experiments.studies import Study, study_named
from eubrl_edu.names import require_choice
from eubrl_edu.validation import require_bool, shown

FIRST_SEED = 10_000  # reported results start at seed 0, and no study has so many
SEEDS = range(FIRST_SEED, FIRST_SEED + 20)
MOST_ROUNDS = 5


@dataclass(frozen=True)
class Tuning:
    """What was tried, and what did best.

    Attributes
    ----------
    study, agent : str
        What was tuned, and where.
    size : int
        At which size.
    metric : {"return", "steps", "episodes"}
        What the score is, as the study has it: the mean return of a run, of which more is better;
        or the mean steps or episodes to solve the world, of which fewer are better and an unsolved
        run counts its limit.
    eta_per_size : bool
        Whether ``eta`` is to be multiplied by the size; where the table has a column of this name,
        each row says it for itself.
    table : pandas.DataFrame
        A row for each trial in its order: the settings swept, ``round`` and ``line`` (the setting
        that was being swept), ``seeds``, ``solved``, ``score``, ``score_se``. What a later line
        meets again stands there again.
    start, best : dict
        The settings at the start, which are the paper's where it has any, and the best ones.
    """

    study: str
    agent: str
    size: int
    metric: str
    eta_per_size: bool
    table: pd.DataFrame
    start: dict
    best: dict

    def score(self, settings: Mapping) -> tuple[float, float]:
        """Mean and standard error of the score with settings that were tried, or ``ValueError``."""
        trial = self._trial(settings)
        return float(trial.score), float(trial.score_se)

    def _trial(self, settings: Mapping) -> pd.Series:
        tried = self.table[list(self.start)].to_dict("records")
        if settings not in tried:
            raise ValueError(
                f"settings must be values of {', '.join(self.start)} that were tried together, "
                f"got {shown(settings)}"
            )
        return self.table.iloc[tried.index(settings)]

    def describe(self) -> str:
        """The outcome in words."""
        better = "more is better" if self.metric == "return" else "fewer is better"
        lines = [f"{self.agent} in {self.study}, size {self.size}; mean {self.metric}, {better}"]
        for title, settings in (("start", self.start), ("best", self.best)):
            trial = self._trial(settings)
            width = f"± {trial.score_se:.2g} (standard error)"
            error = "(one seed)" if np.isnan(trial.score_se) else width
            n_solved = trial.solved * trial.seeds
            solved = "" if pd.isna(n_solved) else f", solved {n_solved:.0f} of {trial.seeds}"
            lines.append(f"{title}: {variant_name(settings)}: {trial.score:.6g} {error}{solved}")
        if self.eta_per_size:
            lines.append("eta is to be multiplied by the size")
        lines.append("These runs have chosen the best: in other runs it is likely to do worse.")
        return "\n".join(lines)


def tune(
    study: str | Study,
    agent: str,
    size: int | None = None,
    seeds: int | Iterable[int] = SEEDS,
    grid: Mapping[str, Sequence] | None = None,
    *,
    every_combination: bool = False,
    n_jobs: int = 1,
    progress: bool = True,
    store: str | Path | None = None,
    key: str | None = None,
    scheduler: str | None = None,
) -> Tuning:
    """Sweep an agent's settings in a study.

    Parameters
    ----------
    study, agent : str
        Names, as in `run_study`; or a study of your own.
    size : int, optional
        Problem size; the study's smallest if left out.
    seeds : int or iterable of int
        Seeds that are not among the reported ones; a number stands for so many, from
        `FIRST_SEED`.
    grid : mapping, optional
        For each setting to sweep its values; those of `paper_grid` if left out. Where the paper
        scales η with the size, ``eta`` is the factor, unless ``eta_per_size`` is in the grid, too.
    every_combination : bool
        Whether to try every combination in place of a line search.
    n_jobs, progress, store, key, scheduler
        As in `run_study`.

    Returns
    -------
    Tuning

    Raises
    ------
    ValueError
        As `run_study`; also if the agent has no settings, or is not swept, as BEETLE, and no grid
        is given.
    StudyFailed, StudyInterrupted
        As `run_study`, with the runs for the values being tried; ``tried`` has a row for each
        combination of values that was finished before.
    """
    described = study_named(study)
    if size is not None and not described.sizes:
        raise ValueError(f"size must be left out: {described.name!r} has none, got {shown(size)}")
    size = min(described.sizes, default=None) if size is None else size
    sizes = None if size is None else [size]
    require_choice("agent", agent, AGENTS)
    if not AGENTS[agent].uses:
        raise ValueError(f"agent must have a setting to tune, and {agent} uses none")
    if grid is None and (reason := AGENTS[agent].not_tuned):
        raise ValueError(
            f"{agent} has no grid: {reason}. tune() takes one all the same, such as "
            "grid={'discount': [0.9, 0.95]}"
        )
    (cell,) = study_cells(study, [agent], sizes, key=key)
    paper = described.settings(agent, size)
    grid = _checked_grid(paper_grid(study, agent, size) if grid is None else grid)
    is_scaled = paper.eta_per_size and "eta" in grid and "eta_per_size" not in grid
    scale = {"eta_per_size": True} if is_scaled else {}
    numbers = [len(values) for values in grid.values()]
    everywhere = require_bool("every_combination", every_combination)
    most_at_once = math.prod(numbers) if everywhere else max(numbers)
    seeds = require_seeds(seeds, most_at_once, FIRST_SEED)
    scores: dict[tuple, dict] = {}

    def cell_with(combination: dict) -> Cell:
        return study_cells(study, [agent], sizes, combination | scale, key)[0]

    def try_out(combinations: list[dict]) -> list[dict]:
        """The scores of these combinations; what was tried before does not run again."""
        new = [c for c in combinations if tuple(c.values()) not in scores]
        if new:
            try:
                cells = list(map(cell_with, new))
                runs = list(itertools.product(cells, seeds))
                rows = iter(run_cells(runs, n_jobs, progress, store=store, scheduler=scheduler))
            except (Exception, KeyboardInterrupt) as error:
                if not scores and not isinstance(error, StudyFailed | StudyInterrupted):
                    raise
                stopped = _as_stopped(error, len(new) * len(seeds), store)
                failed = variant_name(new[cells.index(stopped.cell)]) if stopped.cell else ""
                tried = _table(list(scores.values()), grid if scores else ())
                raise stopped.of_search(tried, failed) from stopped.__cause__
            for combination in new:
                score = _score(described, [next(rows) for _ in seeds])
                scores[tuple(combination.values())] = combination | score
        return [scores[tuple(c.values())] for c in combinations]

    start = {name: getattr(paper, name) for name in grid}
    # Every value is tried once before anything runs, so that a bad one is an error at once.
    for name, values in grid.items():
        for value in values:
            cell_with(start | {name: value})
    search = _search_everywhere if everywhere else _search_lines
    trials, best = search(try_out, start, grid, described.metric == "return")
    return Tuning(
        study=described.name,
        agent=agent,
        size=cell.size,
        metric=described.metric,
        eta_per_size=is_scaled,
        table=_table(trials, start),
        start=start,
        best=best,
    )


def _as_stopped(error: BaseException, n_runs: int, store) -> StudyInterrupted | StudyFailed:
    """What stopped a search, be it before any run for the values being tried was finished."""
    if isinstance(error, StudyInterrupted | StudyFailed):
        return error
    none = as_frame([])
    if isinstance(error, KeyboardInterrupt):
        return StudyInterrupted(none, n_runs, store)
    stopped = StudyFailed.by(error, none, n_runs, store)
    stopped.__cause__ = error
    return stopped


def _checked_grid(grid: Mapping[str, Sequence]) -> dict[str, list]:
    if not isinstance(grid, Mapping) or not grid:
        raise ValueError(
            f"grid must name a setting, such as {{'eta': [0.5, 1.0]}}, got {shown(grid)}"
        )
    for name in grid:
        require_choice("setting", name, [field.name for field in fields(Settings)])
    return {name: several(f"the grid of {name}", values) for name, values in grid.items()}


def in_short(value) -> str:
    """A value of a setting, which may be a number or a word."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def variant_name(settings: Mapping) -> str:
    """Settings in words, such as ``plan_every=10``."""
    return ", ".join(f"{name}={in_short(value)}" for name, value in settings.items())


def _search_lines(try_out, start: dict, grid: dict, higher: bool) -> tuple[list[dict], dict]:
    trials, current = [], start
    for number in range(1, MOST_ROUNDS + 1):
        before = current
        for name, values in grid.items():
            # The value in force comes first, and of equals the first is kept.
            line = [current | {name: value} for value in dict.fromkeys([current[name], *values])]
            where = {"round": number, "line": name}
            tried, current = _best_tried(try_out, line, higher, where)
            trials += tried
        if current == before:
            break
    return trials, current


def _search_everywhere(try_out, start: dict, grid: dict, higher: bool) -> tuple[list[dict], dict]:
    combinations = [dict(zip(grid, c, strict=True)) for c in itertools.product(*grid.values())]
    if start not in combinations:
        combinations.insert(0, start)
    return _best_tried(try_out, combinations, higher, {"round": 1, "line": "all"})


def _best_tried(try_out, trials: list[dict], higher: bool, where: dict) -> tuple[list[dict], dict]:
    """A row for each trial, and the best of them; of equals the first."""
    scores = try_out(trials)
    values = np.array([score["score"] for score in scores]) * (1 if higher else -1)
    best = np.argmax(values >= values.max() - ROUNDING * np.abs(values).max())
    rows = [trial | where | score for trial, score in zip(trials, scores, strict=True)]
    return rows, trials[best]


def _table(trials: list[dict], settings: Iterable[str]) -> pd.DataFrame:
    """The trials in rows; a setting that pandas would make NaN of, as of None, stays what it is."""
    table = pd.DataFrame(trials)
    for name in settings:
        if table[name].isna().any():
            table[name] = pd.Series([trial[name] for trial in trials], dtype=object)
    return table


def _score(study: Study, runs: list[dict]) -> dict:
    column = "total_return" if study.metric == "return" else study.metric
    values = pd.Series([run[column] for run in runs], dtype=float)
    error = 0.0 if values.sem() <= ROUNDING * values.abs().max() else values.sem()
    solved = np.nan if study.success is None else float(np.mean([run["solved"] for run in runs]))
    return {"seeds": len(runs), "solved": solved, "score": values.mean(), "score_se": error}
