"""Your own results as a picture: what `run_study` returned, or what a store holds."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from eubrl_edu.experiments.intervals import interval_of
from eubrl_edu.experiments.summary import failed_runs, have_equal_steps, require_table
from eubrl_edu.names import require_choice
from eubrl_edu.plotting.legend import looks_of
from eubrl_edu.plotting.names import as_written, counted
from eubrl_edu.plotting.turns import drawing

MEASURES = {
    "return": ("total_return", "return of a run"),
    "return_1000": ("return_1000", "return of the first 1000 steps"),
    "steps": ("steps", "steps to solve the world, or all there were"),
    "episodes": ("episodes", "episodes to solve the world, or all there were"),
    "solved": ("solved", "share of the runs that solved the world"),
}
NEEDED = ("study", "agent", "size", "seed")


def plot(frame: pd.DataFrame, measure: str | None = None) -> Figure:
    """Draw a study's runs: mean and 95% interval of each agent, over the sizes if there are any.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_study` or `read_store` returned; each study gets a panel of its own.
    measure : {"return", "return_1000", "steps", "episodes", "solved"}, optional
        What to draw; left out, the steps where runs are to solve their world or differ in them,
        else the return, which takes the column ``steps``.

    Returns
    -------
    matplotlib.figure.Figure
        Shown by a notebook as it is; ``figure.savefig("runs.png")`` keeps it. Where runs have
        failed, it says how many.

    Raises
    ------
    ValueError
        If the frame holds no run, lacks a column or holds in one what cannot be there, a run lacks
        the measure, an agent has several settings in one place, runs differ in their steps where
        their return is asked for, or there is no such measure.
    """
    require_table(frame, NEEDED)
    if measure is None:
        require_table(frame, [name for name in ("solved", "steps") if name in frame])
        solving = "solved" in frame and bool(frame.solved.notna().all())
        comparable = "steps" not in frame or have_equal_steps(frame).all()
        measure = "steps" if solving or not comparable else "return"
    column, label = MEASURES[require_choice("measure", measure, MEASURES)]
    require_table(frame, (column,))
    if len(frame) == 0:
        raise ValueError("frame must hold at least one run, got none")
    # Neither a study nor the runs of an agent that ended early are left out in silence.
    without = frame[frame[column].isna()]
    if len(without):
        raise ValueError(
            f"frame must hold a {column} of every run, got {len(without)} of {len(frame)} without, "
            f"in {', '.join(dict.fromkeys(without.study))}: choose another measure or other runs"
        )
    if measure == "return":
        require_table(frame, ("steps",))
        are_as_long = have_equal_steps(frame)
        if not are_as_long.all():
            study, size = are_as_long.idxmin()
            steps = frame.steps[(frame.study == study) & (frame["size"] == size)]
            raise ValueError(
                f"frame must hold runs of equal length to compare returns, got {steps.min()} to "
                f"{steps.max()} steps in {study} at size {size}: longer runs earn more; choose "
                "another measure"
            )
    studies = list(dict.fromkeys(frame.study))
    looks = looks_of(dict.fromkeys(frame.agent))
    with drawing():
        figure = Figure(figsize=(6.4, 3.6 * len(studies)), layout="constrained")
        grid = figure.subplots(len(studies), squeeze=False)[:, 0]
        for axes, study in zip(grid, studies, strict=True):
            _panel(axes, frame[frame.study == study], column, looks)
            axes.set(title=as_written(study), ylabel=label)
        if failed := failed_runs(frame).total():
            figure.suptitle(
                f"without {counted(failed, 'run')} that raised an exception", fontsize=10
            )
    return figure


def _panel(axes: Axes, runs: pd.DataFrame, column: str, looks: Mapping[str, dict]) -> None:
    """One study: lines over the sizes, or a point for each agent where there is one size."""
    agents = list(dict.fromkeys(runs.agent))
    sizes = sorted(runs["size"].unique())
    for place, agent in enumerate(agents):
        of_size = runs[runs.agent == agent].groupby("size", observed=True)
        means = {size: interval_of(some, column) for size, some in of_size}
        centre = [interval.value for interval in means.values()]
        errors = [
            [interval.value - interval.low for interval in means.values()],
            [interval.high - interval.value for interval in means.values()],
        ]
        x = list(means) if len(sizes) > 1 else [place]
        axes.errorbar(x, centre, errors, **looks[agent], capsize=3)
    names = [as_written(agent) for agent in agents]
    if len(sizes) > 1:
        axes.set(xlabel="size", xticks=sizes)
        axes.legend(axes.containers, names)
    else:
        axes.set_xticks(range(len(agents)), names, rotation=30, ha="right")
        axes.margins(x=0.1)
