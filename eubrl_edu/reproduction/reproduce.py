"""The whole paper in one call: run what is missing, then write figures, tables and the report."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from eubrl_edu.experiments.local import require_jobs
from eubrl_edu.experiments.store import Store
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.names import require_path
from eubrl_edu.reproduction import figures as pictures
from eubrl_edu.reproduction import hard_worlds, shrinkage
from eubrl_edu.reproduction.campaign import (
    LAZY,
    NOISY_LAZY,
    NOISY_SEA,
    SEA,
    beyond_batches,
    paper_batches,
    run_batches,
    sweep_batches,
)
from eubrl_edu.reproduction.comparisons import OUTCOMES
from eubrl_edu.reproduction.published import published
from eubrl_edu.reproduction.report import judge, report
from eubrl_edu.reproduction.report_tables import aggregate, write_table
from eubrl_edu.reproduction.reward_priors import uncertainty_over_time
from eubrl_edu.validation import require_bool
from eubrl_edu.writing import in_place_of, made_folder

REPORT, COSTS, STORE = "REPORT.md", "planning_cost.csv", "runs.sqlite"
# What the paper does not ask, each run by a command of its own: file in ``data``, and its section.
SECTIONS = {
    shrinkage.TABLE: shrinkage.shrinkage_section,
    hard_worlds.TABLE: hard_worlds.hard_worlds_section,
}


def reproduce(
    out: str | Path | None = None,
    store: str | Path | None = None,
    quick: bool = False,
    n_jobs: int = -1,
    progress: bool = True,
) -> Path:
    """Regenerate every experiment of the paper beside the paper's numbers.

    Parameters
    ----------
    out : str or path, optional
        Folder for the report, the figures and ``data``; made if it is not there. If left out,
        ``figures``, or ``quick`` for a quick one, which is not to take the place of a full one.
    store : str or path, optional
        File that keeps every finished run; ``out/data/runs.sqlite`` if left out. A second call
        runs only what is missing there.
    quick : bool
        Few seeds and small sizes.
    n_jobs, progress
        See `run_study`.

    Returns
    -------
    Path
        The report.

    Raises
    ------
    ValueError
        If an argument is outside its range or the store is damaged.
    OSError
        If the folder or the store cannot be written: before anything runs, or where the disk is
        full in the end. The store then still holds every run.
    """
    require_bool("quick", quick)
    require_bool("progress", progress)
    require_jobs(n_jobs)
    if out is None:
        out = "quick" if quick else "figures"
    out = require_path("out", out, "folder")
    store = out / "data" / STORE if store is None else require_path("store", store)
    with made_folder(out / "data"):
        with Store(store):
            pass  # one that cannot be had is refused before the worlds of all runs are made
        batches = [*paper_batches(quick), *sweep_batches(quick), *beyond_batches(quick)]
        frame = run_batches(batches, store, n_jobs, progress)
    return write_results(frame, out, quick)


def write_results(frame: pd.DataFrame, out: Path, quick: bool) -> Path:
    """Write figures, data and the report; what the files held stays until each is whole.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_batches` returned for all batches of `reproduce`.
    out, quick
        As in `reproduce`.

    Returns
    -------
    Path
        The report.
    """
    table = aggregate(frame)
    series = uncertainty_over_time()
    data = out / "data"
    write_table(table, data / "summary.csv")
    write_table(series, data / "reward_priors.csv")
    judged = judge(frame)
    claims = [
        [each.claim.name, each.verdict, part.where, OUTCOMES[part.outcome], part.evidence]
        for each in judged
        for part in each.parts
    ]
    columns = ["claim", "verdict", "where", "outcome", "evidence"]
    write_table(pd.DataFrame(claims, columns=columns), data / "claims.csv")
    figures = draw_figures(table, series)
    if (data / COSTS).exists():
        figures["planning-cost"] = pictures.planning_cost_figure(pd.read_csv(data / COSTS))
    if (data / shrinkage.TABLE).exists():
        figures["shrinkage"] = shrinkage.shrinkage_figure(pd.read_csv(data / shrinkage.TABLE))
    more = [
        section(pd.read_csv(data / name))
        for name, section in SECTIONS.items()
        if (data / name).exists()
    ]
    for name, figure in figures.items():
        pictures.save(figure, out, name)
    path = out / REPORT
    words = report(frame, table, judged, quick, list(figures), more)
    with in_place_of(path) as part:
        part.write_text(words, encoding="utf-8")
    return path


def draw_figures(table: pd.DataFrame, series: pd.DataFrame) -> dict[str, Figure]:
    """All figures by name."""
    near = f"{NOISY_LAZY}-near"
    figures = {
        study: pictures.returns_figure(table, published(), study) for study in ("chain", "loop")
    }
    figures["loop-scaling"] = pictures.loop_scaling_figure(table)
    for name, studies in (("deepsea", (SEA, NOISY_SEA)), ("lazychain", (LAZY, NOISY_LAZY, near))):
        metric = STUDIES[studies[0]].metric
        figures[name] = pictures.solving_figure(table, studies, metric, "size N")
    figures["psrl-sampling"] = pictures.sweep_figure(
        table, (SEA, LAZY), "PSRL", "plan_every", "steps from one draw to the next"
    )
    figures["rmax-known-after"] = pictures.sweep_figure(
        table, (SEA, LAZY), "RMAX", "known_after", "m, visits until a pair counts as known"
    )
    figures["reward-priors"] = pictures.reward_priors_figure(series)
    return figures
