"""A heat map of a tuning: which settings did how well."""

from numbers import Real

import pandas as pd
import seaborn
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from eubrl_edu.experiments.tuning import Tuning, in_short, variant_name
from eubrl_edu.plotting.names import as_written
from eubrl_edu.plotting.style import SEQUENTIAL_MAP
from eubrl_edu.plotting.turns import drawing
from eubrl_edu.validation import shown

CELL_WIDTH, CELL_HEIGHT = 0.95, 0.6


def draw_tuning(tuning: Tuning) -> Figure:
    """Draw the mean score of all that was tried.

    A line search gives one row for each line, with the values that it went along. Every
    combination gives a map of the first setting against the second, one for each value of the
    third. The best is framed, and what is as good; bright is better. Values that are not all
    numbers stand in the order in which they were tried.

    Parameters
    ----------
    tuning : Tuning
        What was tried.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If ``tuning`` is none.
    """
    if not isinstance(tuning, Tuning):
        raise ValueError(f"tuning must be what eubrl_edu.tune returns, got {shown(tuning)}")
    everything = (tuning.table.line == "all").all()
    panels = _maps(tuning) if everything else [_lines(tuning)]
    rows = sum(len(scores) for _, scores, _ in panels)
    columns = max(scores.shape[1] for _, scores, _ in panels)
    with drawing():
        figure = Figure(
            figsize=(CELL_WIDTH * columns + 3.0, CELL_HEIGHT * rows + 1.2 * len(panels) + 0.8),
            layout="constrained",
        )
        FigureCanvasAgg(figure)
        figure.suptitle(as_written(f"{tuning.agent} in {tuning.study}, size {tuning.size}"))
        axes = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
        for axis, (title, scores, labels) in zip(axes, panels, strict=True):
            _draw_panel(axis, tuning, title, scores, labels)
        if not everything:
            axes[0].set_xticks([])
    return figure


def _draw_panel(axis, tuning: Tuning, title: str, scores, labels) -> None:
    more = tuning.metric == "return"
    seaborn.heatmap(
        scores,
        annot=labels,
        fmt="",
        ax=axis,
        cmap=SEQUENTIAL_MAP if more else f"{SEQUENTIAL_MAP}_r",
        vmin=tuning.table.score.min(),
        vmax=tuning.table.score.max(),
        linewidths=1.0,
        annot_kws={"size": 8},
        cbar_kws={"label": f"mean {tuning.metric} ({'more' if more else 'fewer'} is better)"},
    )
    axis.set_title(title)
    axis.tick_params(axis="y", rotation=0)
    best, _ = tuning.score(tuning.best)
    for row, column in zip(*(scores == best).to_numpy().nonzero(), strict=True):
        frame = Rectangle((column, row), 1, 1, fill=False, edgecolor="black", linewidth=3, zorder=3)
        axis.add_patch(frame)


def _lines(tuning: Tuning) -> tuple[str, pd.DataFrame, pd.DataFrame]:
    """A row for each line of the search, its values in order."""
    scores, labels = {}, {}
    for (number, name), line in tuning.table.groupby(["round", "line"], sort=False):
        line = line.sort_values(name, key=_places)
        scores[f"{name}, round {number}"] = pd.Series(line.score.to_numpy())
        labels[f"{name}, round {number}"] = pd.Series(
            [
                f"{in_short(value)}\n{score:.4g}"
                for value, score in zip(line[name], line.score, strict=True)
            ]
        )
    scores, labels = pd.DataFrame(scores).T, pd.DataFrame(labels).T.fillna("")
    return "each cell: the value, and the score below it", scores, labels


def _maps(tuning: Tuning) -> list[tuple[str, pd.DataFrame, pd.DataFrame]]:
    """The first setting against the second, for each value of the others."""
    first, *others = tuning.start
    table = tuning.table
    # By their places, for what is in order need be neither numbers nor there at all.
    places = table.assign(**{name: _places(table[name]) for name in tuning.start})
    words = {
        name: dict(zip(places[name], map(str, table[name]), strict=True)) for name in tuning.start
    }
    if not others:
        scores = places.set_index(first)[["score"]].sort_index().rename(index=words[first]).T
        return [("", scores, scores.map("{:.4g}".format))]
    second, *rest = others
    groups = places.groupby(rest) if rest else [((), places)]
    panels = []
    for _, group in groups:
        title = variant_name({name: table[name][group.index[0]] for name in rest})
        scores = group.pivot(index=first, columns=second, values="score")
        scores = scores.rename(index=words[first], columns=words[second])
        labels = scores.map(lambda score: "" if pd.isna(score) else f"{score:.4g}")
        panels.append((title, scores, labels))
    return panels


def _places(column: pd.Series) -> pd.Series:
    """Where each value stands among them all: ascending numbers, else as they come."""
    values = list(dict.fromkeys(column))
    if all(isinstance(value, Real) for value in values):
        values.sort()
    return pd.Series([values.index(value) for value in column], column.index)
