"""The comparison with and without the weight 1 − P_U, for the report: words, a table, a figure."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.plotting.style import BLUE, VERMILLION
from eubrl_edu.reproduction.comparisons import counted, short
from eubrl_edu.reproduction.report_tables import markdown

LOOKS = {"count": (VERMILLION, "o"), "variance": (BLUE, "s")}


def in_words(table: pd.DataFrame) -> str:
    """Who wins where, in a sentence or two for each measure."""
    sentences = []
    for measure, rows in table.groupby("measure", sort=False):
        same = int(((rows.low == 0) & (rows.high == 0)).sum())
        apart = len(rows) - int((rows.low > 0).sum()) - int((rows.high < 0).sum())
        sentences.append(
            f"Measured by {measure}, EUBRL with the weight is better than without it in "
            f"{_worlds(rows[rows.low > 0])}, and worse in {_worlds(rows[rows.high < 0])}. In "
            f"{apart} of {counted(len(rows), 'comparison')} the interval contains 0; in {same} of "
            "them both cost the same in every run."
        )
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
        [
            row["study"],
            str(row["size"]),
            row["measure"],
            str(row["seeds"]),
            short(row["eta"]),
            short(row["eta_added"]),
        ]
        + [short(abs(row["cost"])), short(abs(row["cost_added"])), row["metric"]]
        + [f"{short(row['saved'])} ({short(row['low'])} to {short(row['high'])})"]
        for row in table.to_dict("records")
    ]
    header = [
        "study",
        "size",
        "measure",
        "seeds",
        "η with",
        "η without",
        "with",
        "without",
        "metric",
    ]
    run = set(zip(table.study, table["size"], strict=True))
    missing = [(s.name, size) for s in STUDIES.values() for size in s.sizes]
    missing = pd.DataFrame([each for each in missing if each not in run], columns=["study", "size"])
    still_open = f" Not compared here: {_worlds(missing)}." if len(missing) else ""
    return f"""## What the weight 1 − P_U is good for

The paper does not ask this. (1 − P_U) r_b + P_U E_b, EUBRL's reward, is compared with \
r_b + P_U E_b, which for counts has the bonus of EQO (Lee and Oh, 2025). Each variant has the \
best η of the same grid, found at a study's smallest size on other seeds than these; both then run \
with the same seeds. The last column is what the weight saves, with its paired 95 % interval; a \
negative number is what it costs. {in_words(table)}{still_open}

Written by `python -m eubrl_edu.reproduction.shrinkage`.

![What the weight 1 − P_U saves or costs, by world and size](shrinkage.png)

{markdown([*header, "saved"], rows)}"""


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
        "what the weight 1 − P_U saves, as a share of the larger cost, with paired 95 % intervals\n"
        "(left of 0 it costs)"
    )
    axes.legend(title="measure")
    return figure
