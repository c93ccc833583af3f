"""The report's words: what is shown, and what is left out."""

import pandas as pd
import pytest

from eubrl_edu.experiments.campaign import Batch, run_batches
from eubrl_edu.experiments.claims import CLAIMS
from eubrl_edu.experiments.published import published
from eubrl_edu.experiments.report import SWEEPS, judge, report
from eubrl_edu.experiments.report_tables import aggregate
from eubrl_edu.experiments.report_words import WHY_A_CLAIM_DIFFERS, WHY_A_NUMBER_DIFFERS


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return run_batches([Batch("loop", ("EUBRL", "RMAX"), (2,), 6)], progress=False)


def written(frame, figures, missing=()):
    return report(frame, aggregate(frame), judge(frame), 20.0, False, figures, missing)


@pytest.mark.parametrize("name", [*SWEEPS, "loop"])
def test_every_figure_that_was_drawn_is_shown_and_no_other(frame, name):
    assert f"]({name}.png)" in written(frame, [name])
    assert f"]({name}.png)" not in written(frame, [])


def test_why_we_differ_is_said_of_what_there_is():
    assert set(WHY_A_CLAIM_DIFFERS) <= {claim.name for claim in CLAIMS}
    rows = published()
    assert set(WHY_A_NUMBER_DIFFERS) <= set(zip(rows.study, rows.agent, strict=True))
