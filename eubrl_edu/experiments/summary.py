"""Many runs in a few lines: means, standard errors and success rates."""

from collections.abc import Sequence
from numbers import Number

import numpy as np
import pandas as pd

from eubrl_edu.validation import shown

GROUPS = ["study", "agent", "size"]
SUMMARISED = ("total_return", "return_1000", "solved", "steps", "episodes")


def summarise(frame: pd.DataFrame) -> pd.DataFrame:
    """One row for each study, agent and size: seeds, success rate, means and standard errors.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_study` returned.

    Returns
    -------
    pandas.DataFrame
        Columns ``seeds solved steps steps_se episodes return return_se``; the return is that of
        the first 1000 steps where every run has them, else of the whole run.

    Raises
    ------
    ValueError
        If the frame is no such table, lacks a column, holds text where numbers belong, no run, or
        a run twice.
    """
    require_table(frame, (*GROUPS, *SUMMARISED))
    if len(frame) == 0:
        raise ValueError("frame must hold at least one run, got none")
    rows = []
    for (study, agent, size), runs in frame.groupby(GROUPS, sort=False):
        returns = runs.return_1000 if runs.return_1000.notna().all() else runs.total_return
        rows.append(
            {
                "study": study,
                "agent": agent,
                "size": size,
                "seeds": len(runs),
                "solved": runs.solved.astype("Float64").mean(),
                "steps": runs.steps.mean(),
                "steps_se": runs.steps.sem(),
                "episodes": runs.episodes.mean(),
                "return": returns.mean(),
                "return_se": returns.sem(),
            }
        )
    return pd.DataFrame(rows)


def require_table(frame: pd.DataFrame, columns: Sequence[str]) -> None:
    """Raise ``ValueError`` unless this is a table of runs, each once, with these columns.

    They hold numbers where they count.
    """
    if not isinstance(frame, pd.DataFrame):
        text = f"frame must be a table of runs, as run_study returns it, got {shown(frame)}"
        raise ValueError(text)
    for name in columns:
        if name not in frame:
            raise ValueError(f"frame must have the column {name!r}, got {list(frame.columns)}")
        if name in ("study", "agent") and frame[name].isna().any():
            raise ValueError(f"the column {name!r} must have a name in each row, got none in some")
        if name in SUMMARISED and not _holds_numbers(frame[name]):
            got = shown(frame[name].tolist())
            raise ValueError(f"the column {name!r} must hold numbers, got {got}")
    which = [*GROUPS, "seed"]
    if set(which) <= set(frame) and frame.duplicated(which).any():
        run = frame[frame.duplicated(which)].iloc[0]
        raise ValueError(
            f"frame must hold each run once, got several of {run.agent} in {run.study} at size "
            f"{run['size']} with seed {run.seed}; if they differ in settings, choose some of them"
        )


def _holds_numbers(column: pd.Series) -> bool:
    """Whether all that is there is a finite number or a truth value."""
    there = column.dropna()
    if not pd.api.types.is_numeric_dtype(column):
        return all(isinstance(value, Number | np.bool_) for value in there)
    return not np.isinf(there.astype(float)).any()


def in_words(frame: pd.DataFrame) -> str:
    """The runs of one study as a table to read, with what its columns mean.

    Where runs are to solve their world it shows how often and how fast they do, else the return.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_study` returned for one study; at least one run.

    Returns
    -------
    str
    """
    solving = bool(frame.solved.notna().all())
    has_episodes = bool((frame.episodes > 1).any())
    rows = []
    for (agent, size), runs in frame.groupby(["agent", "size"], sort=False):
        row = {"agent": agent, "size": size}
        if solving:
            row["solved"] = f"{runs.solved.sum()} of {len(runs)}"
            row["mean steps"] = _mean(runs.steps)
            if has_episodes:
                row["mean episodes"] = _mean(runs.episodes)
        else:
            row["runs"] = len(runs)
            row["mean return"] = _mean(runs.total_return)
        rows.append(row)
    lines = [pd.DataFrame(rows).to_string(index=False), ""]
    if solving:
        lines.append("solved: how many of the runs solved their world, and stopped there.")
        if not frame.solved.all():
            lines.append("The means hold the others too, each with all that it was given.")
    else:
        steps = " to ".join(f"{n:,}" for n in sorted({frame.steps.min(), frame.steps.max()}))
        lines.append(f"return: the sum of the rewards of a run, {steps} steps.")
    lines.append("±: standard error of the mean.")
    return "\n".join(lines)


def _mean(values: pd.Series) -> str:
    """Mean and standard error; the mean alone where there is one value."""
    error = values.sem()
    return f"{values.mean():.2f}" + ("" if np.isnan(error) else f" ± {error:.2f}")
