"""Many runs in a few lines: means, standard errors and success rates."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from eubrl_edu.experiments.failures import Failure
from eubrl_edu.names import require_name
from eubrl_edu.validation import require_at_least, require_finite, require_positive_int, shown

GROUPS = ["study", "agent", "size"]
SUMMARISED = ("total_return", "return_1000", "solved", "steps", "episodes")


def _require_truth(name: str, value) -> None:
    if not isinstance(value, bool | np.bool_ | int | float | np.integer) or value not in (0, 1):
        raise ValueError(f"{name} must be True or False, got {shown(value)}")


# What a value in each column can be: functions that raise ``ValueError`` for any other.
COLUMNS = {
    "study": require_name,
    "agent": require_name,
    "size": require_positive_int,
    "seed": partial(require_positive_int, at_least=0),
    "steps": partial(require_at_least, bound=0),
    "episodes": partial(require_at_least, bound=0),
    "total_return": require_finite,
    "return_1000": require_finite,
    "solved": _require_truth,
}
MAY_BE_MISSING = ("return_1000", "solved")


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
        the first 1000 steps where all runs of the study at this size have them, else of the whole
        run. It is missing where these differ in their steps, as runs do that stop when they have
        solved their world: who solves it later earns for longer. Where runs have failed,
        ``failed`` says how many; the others are what is summarised.

    Raises
    ------
    ValueError
        If the frame is no such table, lacks a column or has it twice, holds in one what cannot be
        there, no run, a run twice, or an agent with several settings in one place.
    """
    require_table(frame, (*GROUPS, *SUMMARISED))
    if len(frame) == 0:
        raise ValueError("frame must hold at least one run, got none")
    rows, failed = [], failed_runs(frame)
    of_size = frame.groupby(["study", "size"], observed=True)
    have_first_1000 = of_size.return_1000.count() == of_size.size()
    are_as_long = have_equal_steps(frame)
    for (study, agent, size), runs in frame.groupby(GROUPS, sort=False, observed=True):
        if have_first_1000[study, size]:
            returns = runs.return_1000
        else:
            returns = runs.total_return if are_as_long[study, size] else pd.Series(dtype=float)
        # A column of objects may hold kinds of numbers that cannot be added up.
        returns, steps = returns.astype(float), runs.steps.astype(float)
        rows.append(
            {
                "study": study,
                "agent": agent,
                "size": size,
                "seeds": len(runs),
                "solved": runs.solved.astype("Float64").mean(),
                "steps": steps.mean(),
                "steps_se": steps.sem(),
                "episodes": runs.episodes.astype(float).mean(),
                "return": returns.mean(),
                "return_se": returns.sem(),
                "failed": failed[agent, size],
            }
        )
    for (agent, size), count in _all_failed(frame, failed):
        which = {"study": frame.study.iloc[0], "agent": agent, "size": size}
        rows.append(which | {"seeds": 0, "failed": count})
    return pd.DataFrame(rows).drop(columns=[] if failed else "failed")


def _all_failed(frame: pd.DataFrame, failed: Counter) -> list:
    """Who has not a single run in the table, and how many have failed."""
    there = set(zip(frame.agent, frame["size"], strict=True))
    return [(which, count) for which, count in failed.items() if which not in there]


def have_equal_steps(frame: pd.DataFrame) -> pd.Series:
    """Whether all runs of a study at one size have as many steps, by study and size.

    Where they have not, as they stop once their world is solved, returns cannot be compared.
    """
    return frame.groupby(["study", "size"], observed=True).steps.nunique() == 1


def failed_runs(frame: pd.DataFrame) -> Counter:
    """How many runs have failed, by agent and size, of those that a study left out.

    Where only some of its runs are left in the frame, only those failures count whose agent and
    size are left, too, and whose seed is between the seeds that are.
    """
    failures = [Failure(*each) for each in frame.attrs.get("failures", ())]
    if len(frame) != frame.attrs.get("finished"):
        left = {"agent": set(frame.agent), "size": set(frame["size"])}
        if "seed" in frame and len(frame):
            seeds = frame.seed.astype(int)  # categories have no order
            left["seed"] = range(seeds.min(), seeds.max() + 1)
        for name, values in left.items():
            failures = [each for each in failures if getattr(each, name) in values]
    return Counter((each.agent, each.size) for each in failures)


def require_table(frame: pd.DataFrame, columns: Sequence[str]) -> None:
    """Raise ``ValueError`` unless this is a table of runs, each once, with these columns.

    They, and those that say which run it is, hold what `COLUMNS` allows.
    """
    if not isinstance(frame, pd.DataFrame):
        text = f"frame must be a table of runs, as run_study returns it, got {shown(frame)}"
        raise ValueError(text)
    which = [*GROUPS, "seed"]
    for name in dict.fromkeys([*columns, *(each for each in which if each in frame)]):
        if name not in frame:
            raise ValueError(f"frame must have the column {name!r}, got {list(frame.columns)}")
        if not isinstance(frame[name], pd.Series) or name in frame.index.names:
            raise ValueError(
                f"frame must have the column {name!r} once, and no index of that name, got "
                f"{list(frame.columns)} and an index of {list(frame.index.names)}"
            )
        _require_values(name, frame[name])
    if set(which) <= set(frame) and frame.duplicated(which).any():
        run = frame[frame.duplicated(which)].iloc[0]
        raise ValueError(
            f"frame must hold each run once, got several of {run.agent} in {run.study} at size "
            f"{run['size']} with seed {run.seed}; if they differ in settings, choose some of them"
        )
    for name in [each for each in ("settings", "version") if each in frame]:
        kinds = frame.groupby(GROUPS, observed=True)[name].nunique(dropna=False)
        if kinds.max() > 1:
            study, agent, size = kinds.idxmax()
            raise ValueError(
                f"frame must hold runs of one kind, got {kinds.max()} kinds of {agent} in {study} "
                f"at size {size}: choose one by the column {name!r}"
            )


def _require_values(name: str, column: pd.Series) -> None:
    """Raise ``ValueError`` unless the column of this name holds what it may."""
    there = column.dropna() if name in MAY_BE_MISSING else column
    # What is in a column of objects need not be hashable.
    for value in (there if there.dtype == object else there.unique()).tolist():
        COLUMNS[name](f"each value in the column {name!r} of frame", value)


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

    Raises
    ------
    ValueError
        If the frame is no table of runs, or holds those of no study or of several.
    """
    require_table(frame, (*GROUPS, *SUMMARISED))
    if frame.study.nunique() != 1:
        studies = ", ".join(frame.study.unique()) or "none"
        raise ValueError(f"frame must hold the runs of one study, got {studies}")
    solving = bool(frame.solved.notna().all())
    has_episodes = bool((frame.episodes > 1).any())
    rows, failed = [], failed_runs(frame)
    for (agent, size), runs in frame.groupby(["agent", "size"], sort=False, observed=True):
        row = {"agent": agent, "size": size}
        if failed:
            row["failed"] = failed[agent, size]
        if solving:
            row["solved"] = f"{runs.solved.sum()} of {len(runs) + failed[agent, size]}"
            row["mean steps"] = _mean(runs.steps)
            if has_episodes:
                row["mean episodes"] = _mean(runs.episodes)
        else:
            row["runs"] = len(runs)
            row["mean return"] = _mean(runs.total_return)
        rows.append(row)
    for (agent, size), count in _all_failed(frame, failed):
        row = {"agent": agent, "size": size, "failed": count}
        rows.append(row | ({"solved": f"0 of {count}"} if solving else {"runs": 0}))
    lines = [pd.DataFrame(rows).to_string(index=False, na_rep="-"), ""]
    if solving:
        lines.append("solved: how many of the runs solved their world, and stopped there.")
        if not frame.solved.all():
            lines.append("The means hold the others too, each with all that it was given.")
    else:
        fewest, most = int(frame.steps.min()), int(frame.steps.max())
        steps = f"{most:,} step{'s' * (most != 1)}"
        steps = steps if fewest == most else f"{fewest:,} to {steps}"
        lines.append(f"return: the sum of the rewards of a run, {steps}.")
    if failed:
        lines.append("failed: ended by an exception, and in no mean.")
    lines.append("±: standard error of the mean.")
    return "\n".join(lines)


def _mean(values: pd.Series) -> str:
    """Mean and standard error; the mean alone where there is one value."""
    error = values.sem()
    return f"{values.mean():z.2f}" + ("" if np.isnan(error) else f" ± {error:.2f}")
