"""Against another implementation of the same worlds, rules and settings.

``independent_runs.csv`` holds its means and standard errors over the seeds. A single comparison
must agree within three combined standard errors; as there are dozens, one of them may come to
between three and four by chance.
"""

import math
from pathlib import Path

import pandas as pd
import pytest

import eubrl_edu as eu
from eubrl_edu.experiments import AGENT_NAMES

REFERENCE = pd.read_csv(Path(__file__).with_name("independent_runs.csv"))
OUR_SEEDS = range(5000, 5100)
# Sampled models make these runs slow; fewer seeds widen our interval, not the verdict.
FEWER_SEEDS = range(5000, 5040)
# Where the world has no luck of its own, these need a few hundred steps.
QUICK = REFERENCE[
    ~REFERENCE.study.str.endswith("stochastic") & ~REFERENCE.agent.isin(["PSRL", "BEB"])
]


def standard_scores(row) -> dict[str, float]:
    """How many combined standard errors we are off, for each figure of a reference row."""
    seeds = FEWER_SEEDS if row.agent in ("PSRL", "BEB") else OUR_SEEDS
    runs = eu.run_study(row.study, [row.agent], [row["size"]], seeds, progress=False)
    scores = {}
    for ours, theirs in (("return_1000", "return1000"), ("steps", "steps")):
        if not math.isnan(row[theirs]):
            error = math.hypot(runs[ours].sem(), row[f"{theirs}_se"])
            difference = abs(runs[ours].mean() - row[theirs])
            # Runs that are all alike leave no error; the reference is rounded to 0.01.
            scores[ours] = difference / error if error else 0.0 if difference < 0.005 else math.inf
    if not math.isnan(row.solved):
        ours, n = float(runs.solved.mean()), len(runs)
        pooled = (ours * n + row.solved * row.seeds) / (n + row.seeds)
        error = math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / row.seeds))
        scores["solved"] = abs(ours - row.solved) / error if error else 0.0
    return scores


def scores_of(rows) -> dict[tuple, float]:
    """The standard score of every comparison in some rows of the reference."""
    found = {}
    for _, row in rows.iterrows():
        for figure, score in standard_scores(row).items():
            found[row.study, row.agent, row["size"], figure] = score
    return found


@pytest.fixture(scope="module")
def scores():
    return scores_of(REFERENCE)


def test_every_reference_row_is_covered():
    assert set(REFERENCE.agent) <= set(AGENT_NAMES)


def test_no_quick_comparison_is_off_by_four_standard_errors():
    found = scores_of(QUICK)
    assert len(found) > 10 and {key: score for key, score in found.items() if score > 4} == {}


@pytest.mark.long
def test_no_comparison_is_off_by_four_standard_errors(scores):
    assert {key: score for key, score in scores.items() if score > 4} == {}


@pytest.mark.long
def test_hardly_any_is_off_by_three(scores):
    assert len([key for key, score in scores.items() if score > 3]) <= 1


@pytest.mark.long
def test_the_differences_are_as_small_as_chance_makes_them(scores):
    """The root mean square of independent standard scores is near 1; 1.5 is beyond 99.9%."""
    finite = [score for score in scores.values() if score > 0]
    assert math.sqrt(sum(score**2 for score in finite) / len(finite)) < 1.5
