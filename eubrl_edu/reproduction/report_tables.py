"""The runs of a reproduction gathered into tables: for the eye (Markdown) and for files (CSV)."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from eubrl_edu.experiments.intervals import Interval, interval_of
from eubrl_edu.reproduction.comparisons import short
from eubrl_edu.reproduction.published import BORROWED, beside_published
from eubrl_edu.writing import in_place_of

MEASURES = {"return": "return_1000", "steps": "steps", "episodes": "episodes", "solved": "solved"}
NOTHING = Interval(np.nan, np.nan, np.nan)


def aggregate(frame: pd.DataFrame) -> pd.DataFrame:
    """One row for each study, variant, agent and size, with 95% intervals.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_batches` returned.

    Returns
    -------
    pandas.DataFrame
        ``study variant agent size seeds``; the means of ``return`` (of 1000 steps, where a
        study is about that), ``steps`` and ``episodes``, and the rate ``solved``, each also with
        ``_low`` and ``_high``; ``seconds`` by the clock, summed over seeds.
    """
    rows = []
    keys = ["study", "variant", "agent", "size"]
    for key, runs in frame.groupby(keys, sort=False):
        row = dict(zip(keys, key, strict=True))
        row["seeds"] = len(runs)
        has_rule = runs.solved.notna().all()
        for name, column in MEASURES.items():
            # A study is about returns, or about when and how often a world is solved.
            is_measured = has_rule == (name != "return")
            found = interval_of(runs, column) if is_measured else NOTHING
            row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
        rows.append(row | {"seconds": runs.seconds.sum()})
    return pd.DataFrame(rows)


def write_table(table: pd.DataFrame, file: Path) -> None:
    """Write a table as CSV; what the file held stays until all is written."""
    with in_place_of(file) as part:
        # Six digits: the last of ten depended on the version of SciPy.
        table.to_csv(part, index=False, float_format="%.6g")


def markdown(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [list(header), None, *(list(row) for row in rows)]
    lines[1] = ["---"] * len(lines[0])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def with_interval(row, name: str) -> str:
    """A mean and its interval in words."""
    value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    if np.isnan(low):
        return short(value)
    return f"{short(value)} ({short(low)} to {short(high)})"


def rate_with_interval(row) -> str:
    """A success rate and its interval in words."""
    low, high = row["solved_low"], row["solved_high"]
    return f"{row['solved']:.0%} ({low:.0%} to {high:.0%})"


def returns_table(frame: pd.DataFrame, table: pd.DataFrame, study: str) -> str:
    """A study of returns beside the paper's numbers."""
    rows = []
    intervals = table[(table.study == study) & (table.variant == "paper")].set_index("agent")
    for row in beside_published(frame[frame.variant == "paper"]).to_dict("records"):
        if row["study"] != study:
            continue
        agent = row["agent"]
        error = row["standard_error"]
        paper = short(row["value"]) + ("" if np.isnan(error) else f" ± {error:g}")
        if agent not in intervals.index:
            rows.append([agent, paper, "not run", "-", "-", "-", "-"])
            continue
        reached = "yes" if row["reached"] else "no"
        rows.append(
            [
                agent + (" ¹" if (study, agent) in BORROWED else ""),
                paper,
                with_interval(intervals.loc[agent], "return"),
                str(row["seeds"]),
                short(row["difference"]),
                short(row["score"]),
                reached,
            ]
        )
    header = [
        *("agent", "paper", "ours (95% interval)", "seeds", "difference"),
        *("in combined standard errors", "at least paper − 3 SE"),
    ]
    text = markdown(header, rows)
    if any(study == borrowed for borrowed, _ in BORROWED):
        text += "\n\n¹ The paper took this number from another paper, whose priors differ."
    return text


def solving_table(table: pd.DataFrame) -> str:
    """Rows of studies that ask when a world is solved."""
    rows = []
    for row in table.sort_values(["size"], kind="stable").to_dict("records"):
        cells = [str(row["size"]), row["agent"], str(row["seeds"]), rate_with_interval(row)]
        rows.append([*cells, with_interval(row, "steps"), with_interval(row, "episodes")])
    return markdown(["size", "agent", "seeds", "solved (95%)", "steps", "episodes"], rows)


def variants_table(table: pd.DataFrame) -> str:
    """Rows of any studies, with the settings that depart from the paper's."""
    rows = []
    for row in table.to_dict("records"):
        returns = np.isnan(row["solved"])
        rows.append(
            [
                *(row["study"], str(row["size"]), row["agent"], row["variant"], str(row["seeds"])),
                with_interval(row, "return") if returns else "-",
                "-" if returns else rate_with_interval(row),
                "-" if returns else with_interval(row, "steps"),
            ]
        )
    header = ["study", "size", "agent", "settings", "seeds", "return", "solved", "steps"]
    return markdown(header, rows)
