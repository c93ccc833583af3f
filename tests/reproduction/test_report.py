"""The report's words: what is shown, and what is left out."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from eubrl_edu.environments import make_env
from eubrl_edu.experiments import STUDIES
from eubrl_edu.planning import solve
from eubrl_edu.reproduction.campaign import Batch, run_batches
from eubrl_edu.reproduction.claims import CLAIMS
from eubrl_edu.reproduction.comparisons import NO, OPEN, YES, Judged, Part, verdict
from eubrl_edu.reproduction.published import published
from eubrl_edu.reproduction.report import SWEEPS, judge, report, why
from eubrl_edu.reproduction.report_tables import aggregate
from eubrl_edu.reproduction.report_words import (
    WHY_A_CLAIM_DIFFERS,
    WHY_A_NUMBER_DIFFERS,
    judged_before,
    what_changed,
)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return run_batches([Batch("loop", ("EUBRL", "RMAX"), (2,), 6)], progress=False)


def written(frame, figures=(), quick=False):
    return report(frame, aggregate(frame), judge(frame), quick, list(figures))


@pytest.mark.parametrize("name", [*SWEEPS, "loop"])
def test_every_figure_that_was_drawn_is_shown_and_no_other(frame, name):
    assert f"]({name}.png)" in written(frame, [name])
    assert f"]({name}.png)" not in written(frame, [])


def test_what_the_paper_does_not_ask_comes_before_the_details(frame):
    text = report(frame, aggregate(frame), judge(frame), False, [], ["## One", "## Two"])
    places = [text.index(title) for title in ("## One", "## Two", "## The claims, part by part")]
    assert places == sorted(places)


def test_why_we_differ_is_said_of_what_there_is():
    assert set(WHY_A_CLAIM_DIFFERS) <= {claim.name for claim in CLAIMS}
    rows = published()
    assert set(WHY_A_NUMBER_DIFFERS) <= set(zip(rows.study, rows.agent, strict=True))
    for reasons in WHY_A_CLAIM_DIFFERS.values():
        assert all(sentence.endswith(".") for _, sentence in reasons)


def against(where, outcome=NO):
    """The report's words about a claim of which one part came out like this."""
    (claim,) = [claim for claim in CLAIMS if claim.name == "EUBRL leads LazyChain"]
    parts = [
        Part("lazychain-deterministic 10: EUBRL against BEB", YES, ""),
        Part(where, outcome, ""),
    ]
    return why(Judged(claim, parts, verdict(parts)))


def test_what_is_said_of_a_claim_follows_from_the_parts_that_say_no():
    text = against("lazychain-deterministic 50: EUBRL against VBRB")
    assert text.startswith(
        "Against it: 1 of 2 parts (lazychain-deterministic 50: EUBRL against VBRB)."
    )
    assert "VBRB's bonus is" in text and "strict rule" not in text
    assert "VBRB" not in against("lazychain-stochastic 50: EUBRL against RMAX")
    assert against("lazychain-stochastic 50: EUBRL against RMAX", OPEN) == (
        "Against it: none of 2 parts; some are open."
    )


@pytest.mark.long
def test_fewer_seeds_than_the_papers_are_named(frame):
    text = written(frame)
    assert "but for EUBRL on loop at size 2 (6 seeds); RMAX on loop at size 2 (6 seeds)" in text
    assert "at least as many seeds" not in written(frame, quick=True)
    ours = frame.assign(variant=frame.variant.where(frame.agent == "EUBRL", "plan_every=1"))
    assert "RMAX with plan_every=1 on loop at size 2 (6 seeds), as these take long" in written(ours)


def test_the_independent_figures_of_rmax_are_by_the_rules_that_the_report_says():
    summary = pd.read_csv(Path(__file__).parents[2] / "figures" / "data" / "summary.csv")
    rows = summary[(summary.agent == "RMAX") & (summary["size"] == 50)].set_index("study")
    for rule, solved, steps in (("", 0.67, 20_480), ("-near", 0.80, 14_850)):
        for study in ("lazychain-stochastic", "lazychain-stochastic-near"):
            row = rows.loc[study]
            same = study.endswith("stochastic" + rule)
            assert (row.solved_low < solved < row.solved_high) == same
            assert (row.steps_low < steps < row.steps_high) == same


def test_what_corrections_changed_is_computed():
    """A claim that comes out the other way is shown with its part; others with none."""
    before = judged_before()
    claims = {claim.name: claim for claim in CLAIMS}
    judged, turned = [], "RMAX explores for O(mSA) steps"
    for name, parts in before.groupby("claim", sort=False):
        now = [
            Part(row["where"], {"yes": YES, "open": OPEN, "no": NO}[row["outcome"]], "")
            for row in parts.to_dict("records")
        ]
        if name == turned:
            now[0] = Part(now[0].where, -now[0].outcome, "")
            now.append(Part("somewhere else", YES, ""))
        judged.append(Judged(claims[name], now, verdict(now)))
    lines = {line.split(" | ")[0].strip("| "): line for line in what_changed(judged).splitlines()}
    assert "→" in lines[turned] and "1 part new" in lines[turned]
    for each in judged:
        if each.claim.name != turned:
            assert lines[each.claim.name].endswith(f"| {each.verdict} | {each.verdict} | none |")


def test_the_margin_of_going_right_is_as_small_as_the_report_says():
    # What one of its explanations says of every size.
    for size in STUDIES["lazychain-stochastic"].sizes:
        world = make_env("lazychain", size=size, stochastic=True)
        values = np.sort(solve(world.model, 0.999).q[size : 2 * size], axis=1)
        assert (values[:, -1] - values[:, -2]).min() <= 0.0002 * (2 * size - 1)
    assert round((values[:, -1] - values[:, -2]).min(), 3) == 0.004 and size == 200
