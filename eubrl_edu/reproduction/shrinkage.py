r"""What the weight 1 − P_U of the guided reward is good for: EUBRL with it and without it.

.. math:: (1 - P_U)\,r_b + P_U\,\mathcal E_b \qquad\text{against}\qquad r_b + P_U\,\mathcal E_b

With visit counts, E_b = η/√n and P_U = 1/√n, so that the second is r_b + η/n: the bonus of EQO (Lee
and Oh, 2025). The difference between the two is the shrinkage alone. The paper does not ask this
question. At each size each variant has the best η of the same grid, found on seeds of its own; both
then run with the same seeds, and are compared run by run.

``python -m eubrl_edu.reproduction.shrinkage --help`` says how to run it.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import gymnasium
import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from matplotlib.figure import Figure

from eubrl_edu.agents import Agent
from eubrl_edu.experiments.cells import Cell, run_once, study_cells
from eubrl_edu.experiments.grids import ETA_MULTIPLES, paper_grid
from eubrl_edu.experiments.interruptible import compile_engine
from eubrl_edu.experiments.intervals import CONFIDENCE, paired_difference
from eubrl_edu.experiments.local import workers_for
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.plotting.style import BLUE, VERMILLION
from eubrl_edu.reproduction.comparisons import counted, short
from eubrl_edu.reproduction.figures import save
from eubrl_edu.reproduction.report_tables import markdown, write_table

TABLE = "shrinkage.csv"
LOOKS = {"count": (VERMILLION, "o"), "variance": (BLUE, "s")}
TUNING_SEEDS = range(10_000, 10_010)
# Below the grid of the other agents, as without the weight less is often best.
MULTIPLES = (0.003, 0.01, 0.03, *ETA_MULTIPLES)
NONE_SOLVES = "No η of the grid solves {} {} the weight; the smallest η stands for all."
AT_THE_EDGE = "In {} the best η {} the weight is at the grid's edge: one beyond may be better."


@dataclass(frozen=True)
class Variant(Cell):
    """A cell of a study with EUBRL, with or without the weight 1 − P_U."""

    shrinkage: bool = True

    def make_agent(self, world: gymnasium.Env) -> Agent:
        """The agent, new, for this world."""
        agent = super().make_agent(world)
        agent.shrinkage = self.shrinkage
        return agent


def variant(study: str, size: int, measure: str, shrinkage: bool, multiple: float) -> Variant:
    """The cell with η at ``multiple`` of R_max; where the paper scales η, so does R_max."""
    unit = paper_grid(study, "EUBRL", size)["eta"][ETA_MULTIPLES.index(1.0)]
    settings = {
        "eta": multiple * unit,
        "eta_per_size": STUDIES[study].settings("EUBRL", size).eta_per_size,
        "uncertainty": measure,
    }
    (cell,) = study_cells(study, ["EUBRL"], [size], settings)
    given = {field.name: getattr(cell, field.name) for field in fields(cell)}
    return Variant(**given, shrinkage=shrinkage)


class Outcomes(NamedTuple):
    """What came of every cell and seed: its `outcome`, each column (cells, seeds)."""

    costs: np.ndarray
    failed: np.ndarray
    cpu_seconds: np.ndarray


def outcome(cell: Variant, seed: int) -> tuple[float, bool, float]:
    """A run's cost, the less the better; whether it failed to solve its world; CPU seconds.

    One that fails costs the limit, where it ends. No run fails where nothing counts as solving.
    """
    started, metric = time.process_time(), cell.study.metric
    run = run_once(cell, seed)
    cost = -run["total_return"] if metric == "return" else float(run[metric])
    return cost, run["solved"] is False, time.process_time() - started


def outcomes(cells: list[Variant], seeds, n_jobs: int) -> Outcomes:
    """Run every cell with every seed."""
    jobs = [(cell, seed) for cell in cells for seed in seeds]
    found = Parallel(workers_for(n_jobs, len(jobs)))(delayed(outcome)(*job) for job in jobs)
    columns = zip(*found, strict=True)
    return Outcomes(*(np.array(column).reshape(len(cells), len(seeds)) for column in columns))


class Best(NamedTuple):
    """The best η of the grid, in multiples of its unit, and how it was found."""

    multiple: float
    none_solves: bool
    cpu_seconds: float


def best_multiple(study: str, size: int, measure: str, shrinkage: bool, n_jobs: int) -> Best:
    """The best η of the grid; of equals, the smallest."""
    cells = [variant(study, size, measure, shrinkage, multiple) for multiple in MULTIPLES]
    found = outcomes(cells, TUNING_SEEDS, n_jobs)
    best = MULTIPLES[int(found.costs.mean(axis=1).argmin())]
    return Best(best, bool(found.failed.all()), float(found.cpu_seconds.sum()))


def compare(
    studies=tuple(STUDIES), sizes: int | None = None, seeds: int | None = None, n_jobs: int = 2
) -> Iterator[dict]:
    """Compare both variants under both measures, at one size after the other.

    Parameters
    ----------
    studies : sequence of str
        Names of studies.
    sizes, seeds : int, optional
        How many of each study's sizes (the smallest), and of its seeds; all if left out.
    n_jobs : int
        Processes.

    Yields
    ------
    dict
        Study, size and measure; for both variants η, also as a ``multiple`` of its unit, whether
        none of the grid ever solved the world (``none_solves``), the mean cost and how many runs
        ``failed`` (``_added``: without the weight); ``saved``, what the weight saves in the mean
        over the seeds, with its paired 95% interval, in units of the study's metric; the
        ``cpu_seconds`` of the runs, and of the ``tuning``.
    """
    for study in studies:
        described = STUDIES[study]
        chosen = range(described.n_seeds if seeds is None else min(seeds, described.n_seeds))
        for measure in LOOKS:
            for size in described.sizes[:sizes]:
                best = [best_multiple(study, size, measure, each, n_jobs) for each in (True, False)]
                pair = [
                    variant(study, size, measure, each, found.multiple)
                    for each, found in zip((True, False), best, strict=True)
                ]
                found = outcomes(pair, chosen, n_jobs)
                ours, theirs = found.costs
                saved = paired_difference(theirs, ours)
                yield (
                    {"study": study, "size": size, "measure": measure, "seeds": len(chosen)}
                    | {"metric": described.metric}
                    | _both("eta", [cell.settings.eta for cell in pair])
                    | _both("multiple", [each.multiple for each in best])
                    | _both("none_solves", [each.none_solves for each in best])
                    | _both("cost", found.costs.mean(axis=1))
                    | _both("failed", found.failed.sum(axis=1))
                    | {"saved": theirs.mean() - ours.mean(), "low": saved.low, "high": saved.high}
                    | {"cpu_seconds": found.cpu_seconds.sum()}
                    | {"tuning_cpu_seconds": sum(each.cpu_seconds for each in best)}
                )


def _both(name: str, values) -> dict:
    return {name: values[0], f"{name}_added": values[1]}


def in_words(table: pd.DataFrame) -> str:
    """Who wins where, in a few sentences for each measure."""
    sentences = []
    for measure, rows in table.groupby("measure", sort=False):
        alike = rows[(rows.low == 0) & (rows.high == 0)]
        hopeless = int(((alike.failed == alike.seeds) & (alike.failed_added == alike.seeds)).sum())
        apart = len(rows) - int((rows.low > 0).sum()) - int((rows.high < 0).sum())
        sentences.append(
            f"Measured by {measure}, EUBRL with the weight is better than without it in "
            f"{_worlds(rows[rows.low > 0])}, and worse in {_worlds(rows[rows.high < 0])}. In "
            f"{apart} of {counted(len(rows), 'comparison')} the interval contains 0; in "
            f"{len(alike)} of them both cost the same in every run, in {hopeless} because neither "
            "ever solves the world."
        )
        for column, which in {"": "with", "_added": "without"}.items():
            none = rows[f"none_solves{column}"]
            at_the_edge = ~none & rows[f"multiple{column}"].isin([MULTIPLES[0], MULTIPLES[-1]])
            for found, words in ((none, NONE_SOLVES), (at_the_edge, AT_THE_EDGE)):
                if found.any():
                    sentences.append(words.format(_worlds(rows[found]), which))
    return " ".join(sentences)


def _worlds(rows: pd.DataFrame) -> str:
    """Studies with their sizes, or "no world"."""
    found = [
        f"{study} ({', '.join(map(str, sizes))})"
        for study, sizes in rows.groupby("study", sort=False)["size"]
    ]
    return "; ".join(found) or "no world"


def shrinkage_section(table: pd.DataFrame) -> str:
    """The report's section."""
    rows = [
        [row["study"], str(row["size"]), row["measure"], str(row["seeds"])]
        + [short(row["eta"]), short(row["eta_added"])]
        + [
            short(abs(row[f"cost{of}"]))
            + f" ({row[f'failed{of}']} failed)" * (row[f"failed{of}"] > 0)
            for of in ("", "_added")
        ]
        + [row["metric"], f"{short(row['saved'])} ({short(row['low'])} to {short(row['high'])})"]
        for row in table.to_dict("records")
    ]
    header = ["study", "size", "measure", "seeds", "η with", "η without"]
    header += ["with", "without", "metric", "saved"]
    run = set(zip(table.study, table["size"], strict=True))
    missing = [(s.name, size) for s in STUDIES.values() for size in s.sizes]
    missing = pd.DataFrame([each for each in missing if each not in run], columns=["study", "size"])
    still_open = f" Not compared here: {_worlds(missing)}." if len(missing) else ""
    by_chance = (1 - CONFIDENCE) * int((table.low < table.high).sum())
    running, tuning = (short(table[f"{of}cpu_seconds"].sum() / 60) for of in ("", "tuning_"))
    return f"""## What the weight 1 − P_U is good for

The paper does not ask this. (1 − P_U) r_b + P_U E_b, EUBRL's reward, is compared with \
r_b + P_U E_b, which for counts has the bonus of EQO (Lee and Oh, 2025). At each size each \
variant has the best η of the same grid, {MULTIPLES[0]:g} to {MULTIPLES[-1]:g} times the largest \
reward, found on other seeds than these; both then run with the same seeds. The last column \
is what the weight saves, with its paired 95% interval; a negative number is what it costs. \
A run that fails costs as many steps or episodes as it was given. {in_words(table)}{still_open}

How far this reaches: the weight wins {int((table.low > 0).sum())} of \
{counted(len(table), "comparison")}, each at the η that did best on {len(TUNING_SEEDS)} other \
seeds, and a win can hang on that choice (notebook 09 shows one that another η undoes). Were the \
weight without effect, {by_chance:.0f} or so of the intervals would still leave out 0 by chance. \
All runs took {running} minutes of one processor, and the search for η {tuning}.

Written by `python -m eubrl_edu.reproduction.shrinkage`.

![What the weight 1 − P_U saves or costs, by world and size](shrinkage.png)

{markdown(header, rows)}"""


def shrinkage_figure(table: pd.DataFrame) -> Figure:
    """What the weight saves, as a share of the larger of the two costs, with intervals."""
    names = table.study + " " + table["size"].astype(str)
    places = {name: place for place, name in enumerate(names.unique())}
    figure = Figure(figsize=(8, 0.34 * len(places) + 1.4), layout="constrained")
    axes = figure.subplots()
    unit = np.maximum(table.cost.abs(), table.cost_added.abs())
    saved, low, high = (table[name] / unit for name in ("saved", "low", "high"))
    for (measure, (colour, marker)), shift in zip(LOOKS.items(), (-0.16, 0.16), strict=True):
        of = (table.measure == measure).to_numpy()
        axes.errorbar(
            saved[of],
            [places[name] + shift for name in names[of]],
            xerr=[(saved - low)[of], (high - saved)[of]],
            fmt=marker,
            color=colour,
            capsize=3,
            label=measure,
        )
    axes.axvline(0, color="0.5", linewidth=1)
    axes.set_yticks(list(places.values()), list(places))
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter("{x:+.0%}")
    axes.set_xlabel(
        "what the weight 1 − P_U saves, as a share of the larger cost\n"
        "(paired 95% intervals; left of 0 it costs)"
    )
    axes.legend(title="measure")
    return figure


def main() -> None:
    """Run the comparison and write its table, figure and sentences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("figures"), help="where to write")
    parser.add_argument("--sizes", type=int, help="only so many sizes of each study, the smallest")
    parser.add_argument("--seeds", type=int, help="at most so many seeds")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    options = parser.parse_args()
    data = options.out / "data"
    data.mkdir(parents=True, exist_ok=True)
    compile_engine()  # before processors' seconds are counted
    rows = []
    for row in compare(sizes=options.sizes, seeds=options.seeds, n_jobs=options.jobs):
        rows.append(row)
        seconds = row["cpu_seconds"] + row["tuning_cpu_seconds"]
        print(f"{row['study']} {row['size']}, {row['measure']}: {seconds:.0f} s", flush=True)
        table = pd.DataFrame(rows)
        write_table(table, data / TABLE)
    save(shrinkage_figure(table), options.out, "shrinkage")
    print(in_words(table))


if __name__ == "__main__":
    main()
