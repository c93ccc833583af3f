"""What corrections of the package changed in the verdicts: the claims as before, and as now."""

from collections.abc import Sequence
from importlib import resources

import pandas as pd

from eubrl_edu.reproduction.comparisons import OUTCOMES, Judged, counted
from eubrl_edu.reproduction.report_tables import markdown

CORRECTIONS = (
    "An action counts as the right one only where it is strictly best: before, the lowest number "
    "of a tie did. It concerns every agent on the stochastic sea and the stochastic chain.",
    "RMAX knows a pair by its first m transitions and their rewards: before, it went on averaging "
    "the rewards.",
    "How many seeds run is fixed: before, seconds decided it for PSRL, BEB, BOSS and BEETLE.",
    "PSRL draws its rows anew in every run: the same distribution, other draws.",
)


def judged_before() -> pd.DataFrame:
    """Every part of every claim before the corrections: ``claim verdict where outcome``."""
    source = resources.files("eubrl_edu.reproduction").joinpath("claims_before.csv")
    with source.open(encoding="utf-8") as file:
        return pd.read_csv(file)


def what_changed(judged: Sequence[Judged]) -> str:
    """A section of the report: each claim's verdict before and now, and the parts that differ."""
    before = judged_before()
    rows = []
    for each in judged:
        earlier = before[before.claim == each.claim.name]
        then = dict(zip(earlier["where"], earlier.outcome, strict=True))
        now = {part.where: OUTCOMES[part.outcome] for part in each.parts}
        changed = [
            f"{where}: {then[where]} → {now[where]}"
            for where in now
            if where in then and then[where] != now[where]
        ]
        for words, these in (("new", now.keys() - then), ("not judged now", then.keys() - now)):
            if these:
                changed.append(f"{counted(len(these), 'part')} {words}")
        verdict = earlier.verdict.iloc[0] if len(earlier) else "not judged"
        rows.append([each.claim.name, verdict, each.verdict, "; ".join(changed) or "none"])
    table = markdown(["claim", "before", "now", "parts that differ"], rows)
    corrections = "\n".join(f"- {words}" for words in CORRECTIONS)
    return f"## What corrections changed\n\n{corrections}\n\n{table}"
