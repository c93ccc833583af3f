"""The paper's tables and figures, drawn from aggregated runs.

Each function takes a table of `report_tables.aggregate` and returns a Figure. Agents keep their
colour, marker and line in all pictures.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import (
    LogLocator,
    NullFormatter,
    NullLocator,
    PercentFormatter,
    StrMethodFormatter,
)

from eubrl_edu.plotting.legend import AGENT_STYLES
from eubrl_edu.plotting.style import BLACK, BLUE, GREY, VERMILLION, cues
from eubrl_edu.plotting.turns import drawing
from eubrl_edu.writing import in_place_of

TITLES = {
    "chain": "Chain",
    "loop": "Loop, 2 loops",
    "loop-scaling": "Loop",
    "deepsea-deterministic": "DeepSea, deterministic",
    "deepsea-stochastic": "DeepSea, stochastic",
    "lazychain-deterministic": "LazyChain, deterministic",
    "lazychain-stochastic": "LazyChain, stochastic\nevery state right",
    "lazychain-stochastic-near": "LazyChain, stochastic\nnearly every state right",
}
PAPERS_LOOK = {
    **{"color": BLACK, "marker": "|", "markersize": 11, "markeredgewidth": 2},
    **{"linewidth": 1, "linestyle": "none"},
}


@drawing()
def returns_figure(table: pd.DataFrame, published: pd.DataFrame, study: str) -> Figure:
    """Mean returns with intervals, and the paper's numbers beside them."""
    rows = table[(table.study == study) & (table.variant == "paper")].sort_values(
        "return", kind="stable"
    )
    paper = published[published.study == study].set_index("agent")
    figure = Figure(figsize=(7.0, 0.9 + 0.42 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    for place, row in enumerate(rows.to_dict("records")):
        cue = AGENT_STYLES[row["agent"]]
        axes.errorbar(
            row["return"],
            place,
            xerr=_bars(rows.iloc[[place]], "return"),
            color=cue["color"],
            marker=cue["marker"],
            capsize=4,
            linestyle="none",
        )
        if row["agent"] in paper.index:
            value, error = paper.loc[row["agent"], ["value", "standard_error"]]
            axes.errorbar(value, place - 0.22, xerr=np.nan_to_num(1.96 * error), **PAPERS_LOOK)
    axes.set_yticks(range(len(rows)), rows.agent)
    axes.grid(axis="x", color="#DDDDDD", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel("return of 1000 steps, mean and 95% interval")
    axes.set_title(f"{TITLES[study]}: ours (coloured) and the paper's (black bar below)")
    return figure


def _lines(axes: Axes, rows: pd.DataFrame, name: str, agents: Sequence[str]) -> None:
    """A line for each agent over the sizes; agents stand a little apart, so that none is hidden."""
    for place, agent in enumerate(agents):
        mine = rows[rows.agent == agent].sort_values("size")
        if mine.empty:
            continue
        x = mine["size"] * 1.03 ** (place - (len(agents) - 1) / 2)
        axes.errorbar(
            x,
            mine[name],
            yerr=_bars(mine, name),
            capsize=2.5,
            elinewidth=1,
            markersize=5.5,
            linewidth=1.6,
            label=agent,
            **AGENT_STYLES[agent],
        )


def _bars(rows: pd.DataFrame, name: str) -> np.ndarray:
    """How far the interval of each mean reaches down and up; not at all where it has no ends."""
    ends = rows[name] - rows[f"{name}_low"], rows[f"{name}_high"] - rows[name]
    return np.maximum(np.nan_to_num(ends), 0.0)


def _size_axis(axes: Axes, sizes: Sequence[int], label: str) -> None:
    axes.set_xscale("log")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(label)


def _count_axis(axes: Axes) -> None:
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 300 else (1,)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


@drawing()
def solving_figure(table: pd.DataFrame, studies: Sequence[str], measure: str, label: str) -> Figure:
    """Success rate above, steps or episodes below, over the sizes; a column for each study."""
    rows = table[table.study.isin(studies) & table.variant.isin(["paper", "beyond"])]
    present = [study for study in studies if (rows.study == study).any()]
    agents = [agent for agent in AGENT_STYLES if agent in set(rows.agent)]
    figure = Figure(figsize=(1.6 + 3.3 * len(present), 6.2), layout="constrained")
    grid = figure.subplots(2, len(present), squeeze=False, sharey="row", sharex="col")
    for column, study in enumerate(present):
        above, below = grid[:, column]
        mine = rows[rows.study == study]
        _lines(above, mine, "solved", agents)
        _lines(below, mine, measure, agents)
        above.set(title=TITLES[study], ylim=(-0.04, 1.04))
        above.yaxis.set_major_formatter(PercentFormatter(1.0))
        _size_axis(below, sorted(mine["size"].unique()), label)
        _count_axis(below)
        for axes in (above, below):
            axes.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    grid[0, 0].set_ylabel("success rate")
    grid[1, 0].set_ylabel(f"{measure} to solve, mean")
    _legend(figure, grid)
    return figure


def _legend(figure: Figure, grid: np.ndarray) -> None:
    handles = {}
    for axes in grid.flat:
        handles |= dict(zip(*axes.get_legend_handles_labels()[::-1], strict=True))
    below = {"loc": "outside lower center", "ncols": min(8, len(handles))}
    figure.legend(handles.values(), handles.keys(), **below, handlelength=3)


@drawing()
def loop_scaling_figure(table: pd.DataFrame) -> Figure:
    """Steps to the 11th optimal reward over the loops, and how many times EUBRL's they are."""
    rows = table[(table.study == "loop-scaling") & (table.variant == "paper")]
    agents = [agent for agent in AGENT_STYLES if agent in set(rows.agent)]
    sizes = sorted(rows["size"].unique())
    figure = Figure(figsize=(8.4, 3.7), layout="constrained")
    left, right = figure.subplots(1, 2)
    _lines(left, rows, "steps", agents)
    _size_axis(left, sizes, "loops")
    _count_axis(left)
    left.set_ylabel("steps to the 11th optimal reward")
    left.legend()
    base = rows[rows.agent == "EUBRL"].set_index("size").steps
    for agent in agents:
        mine = rows[rows.agent == agent].set_index("size")
        right.plot(mine.index, mine.steps / base.reindex(mine.index), **AGENT_STYLES[agent])
    _size_axis(right, sizes, "loops")
    right.set_ylabel("steps, relative to EUBRL")
    for axes in (left, right):
        axes.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    return figure


@drawing()
def sweep_figure(
    table: pd.DataFrame, studies: Sequence[str], agent: str, setting: str, label: str
) -> Figure:
    """Steps to solve over the values of one setting, a line for each size."""
    values = table.variant.str.extract(rf"^{setting}=(\w+)$")[0]
    rows = table[values.notna() & (table.agent == agent)].assign(value=values)
    present = [study for study in studies if (rows.study == study).any()]
    figure = Figure(figsize=(1.2 + 3.9 * len(present), 3.8), layout="constrained")
    grid = figure.subplots(1, len(present), squeeze=False)
    for axes, study in zip(grid[0], present, strict=True):
        mine = rows[rows.study == study]
        numbers = sorted(int(value) for value in mine.value.unique() if value.isdigit())
        order = [*map(str, numbers), *(v for v in mine.value.unique() if not v.isdigit())]
        for place, (size, group) in enumerate(mine.groupby("size")):
            group = group.sort_values("value", key=lambda column: column.map(order.index))
            x = group.value.map(order.index)
            axes.errorbar(
                x,
                group.steps,
                yerr=_bars(group, "steps"),
                capsize=3,
                label=f"size {size}",
                **cues(place),
            )
            for spot, steps, solved in zip(x, group.steps, group.solved, strict=True):
                if solved < 1:
                    beside = {"textcoords": "offset points", "xytext": (6, 4)}
                    axes.annotate(f"{solved:.0%}", (spot, steps), **beside, color=GREY)
        axes.set_xticks(
            range(len(order)), [value.replace("episode", "once an\nepisode") for value in order]
        )
        _count_axis(axes)
        axes.set(xlabel=label, title=f"{agent} on {TITLES[study]}")
        axes.grid(axis="y", color="#DDDDDD", linewidth=0.8)
        axes.legend()
    grid[0, 0].set_ylabel("steps to solve (grey: share solved, if not all)")
    return figure


@drawing()
def reward_priors_figure(series: pd.DataFrame) -> Figure:
    """E_R over the rewards seen, under two beliefs, and what it should be."""
    groups = list(series.groupby(["before", "after"], sort=False))
    figure = Figure(figsize=(10.0, 5.6), layout="constrained")
    grid = figure.subplots(2, (len(groups) + 1) // 2, sharex=True, sharey=True)
    for axes, ((before, after), rows) in zip(grid.flat, groups, strict=True):
        n = rows.rewards
        axes.fill_between(n, rows.low, rows.high, color=BLUE, alpha=0.25, linewidth=0)
        axes.plot(n, rows.normal_gamma, color=BLUE, label="Normal-Gamma, median and 90%")
        axes.plot(n, rows.normal, color=VERMILLION, linestyle="--", label="Normal, τ = 1")
        axes.plot(n, rows.truth, color=BLACK, linestyle=":", label="true squared error of the mean")
        noise = f"{before:g}" if before == after else f"{before:g}, from half way on {after:g}"
        axes.set(title=f"deviation {noise}", yscale="log")
    for axes in grid[-1]:
        axes.set_xlabel("rewards seen")
    for axes in grid[:, 0]:
        axes.set_ylabel("uncertainty E_R")
    _legend(figure, grid)
    return figure


@drawing()
def planning_cost_figure(costs: pd.DataFrame) -> Figure:
    """Time and memory of one planning step over the number of states, ours and dense."""
    figure = Figure(figsize=(8.8, 3.9), layout="constrained")
    grid = figure.subplots(1, 2, squeeze=False)
    for axes, name, label in zip(
        grid[0], ("milliseconds", "megabytes"), ("one planning step, ms", "memory, MB"), strict=True
    ):
        for place, (who, rows) in enumerate(costs.groupby("implementation", sort=False)):
            axes.plot(rows.states, rows[name], label=who, **cues(place))
        axes.set(xscale="log", yscale="log", xlabel="states S", ylabel=label)
        axes.grid(color="#DDDDDD", linewidth=0.8)
    _legend(figure, grid)
    return figure


def save(figure: Figure, folder: Path, name: str) -> None:
    """Write a figure as PNG and SVG; the same picture gives the same bytes."""
    with in_place_of(folder / f"{name}.png") as part:
        figure.savefig(part, dpi=150, metadata={"Software": None})
    # What has been laid out needs it no second time.
    figure.set_layout_engine("none")
    with rc_context({"svg.hashsalt": name}), in_place_of(folder / f"{name}.svg") as part:
        figure.savefig(part, metadata={"Date": None})
