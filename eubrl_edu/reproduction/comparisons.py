"""Two agents on the same seeds: which one is better, and what that says about a claim."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import pandas as pd

from eubrl_edu.experiments.intervals import (
    FEWEST_PAIRS,
    Interval,
    paired_difference,
    rate_difference,
)
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.plotting.names import counted

YES, OPEN, NO = 1, 0, -1
OUTCOMES = {YES: "yes", OPEN: "open", NO: "no"}
RULE = (
    "A claim is judged by its parts. A part says *yes* or *no* where a 95% interval excludes the "
    f"opposite and at least {FEWEST_PAIRS} seeds were compared, else it stays *open*; a difference "
    f"of steps or returns that fewer than {FEWEST_PAIRS} seeds show has an interval that reaches "
    "to 0. **Holds**: "
    "every part says yes. **Holds in part**: some say yes, and at least as many as say no. **Does "
    "not hold**: more say no than yes. **Undecided**: all are open."
)


@dataclass(frozen=True)
class Comparison:
    """One agent's runs against another's.

    Attributes
    ----------
    outcome : int
        1 if the first is better in one measure and worse in none, -1 the other way round, else 0.
    difference : Interval
        First minus second, paired by seed: return, or steps to solve.
    rate : Interval or None
        Difference of their success rates; None where the study has no such rule.
    pairs : int
        Seeds that both ran.
    means : (float, float)
        Mean return, or steps to solve.
    rates : (float, float) or None
        Success rates.
    """

    outcome: int
    difference: Interval
    rate: Interval | None
    pairs: int
    means: tuple[float, float]
    rates: tuple[float, float] | None

    def words(self) -> str:
        """The numbers behind the outcome."""
        if self.pairs == 0:
            return "no seeds in common"
        what = "return" if self.rate is None else "steps"
        text = f"{what} {short(self.means[0])} against {short(self.means[1])}"
        if np.isfinite(self.difference.low):
            text += (
                f" (difference {short(self.difference.value)}, 95% interval "
                f"{short(self.difference.low)} to {short(self.difference.high)})"
            )
        if self.rates is not None:
            text += f"; solved {self.rates[0]:.0%} against {self.rates[1]:.0%}"
            if self.pairs >= FEWEST_PAIRS and self.rates[0] != self.rates[1]:
                text += f" ({difference_of_rates(self.rate)})"
        return f"{text}; {counted(self.pairs, 'seed')}"


def difference_of_rates(rate: Interval) -> str:
    """A difference of two success rates and its interval, in words."""
    value, low, high = map(_signed_percent, (rate.value, rate.low, rate.high))
    return f"difference {value}, 95% interval {low} to {high}"


def _signed_percent(share: float) -> str:
    """A share in percent, with more digits where one would leave a zero with a sign."""
    if abs(share) < 5e-6:
        share = 0.0
    digits = 2 if 0 < abs(share) < 5e-4 else 1
    return f"{share:+.{digits}%}".replace("-", "−")


def short(number: float) -> str:
    """A number to about four digits, with separators for thousands."""
    if not np.isfinite(number):
        return "-"
    size = abs(number)
    digits = 0 if size >= 1000 or size == 0 else 1 if size >= 10 else 2 if size >= 1 else 3
    return f"{number:,.{digits}f}".replace("-", "−")


def compare(ours: pd.DataFrame, theirs: pd.DataFrame) -> Comparison:
    """Compare runs with the same seeds: by return, or by steps and success rate.

    For a run that has not solved its world, all the steps it was given are counted.

    Parameters
    ----------
    ours, theirs : pandas.DataFrame
        Runs of one agent each, as `run_study` returns them.

    Returns
    -------
    Comparison
    """
    both = ours.merge(theirs, on="seed", suffixes=("", "_other"))
    has_rule = both.solved.notna().all() and both.solved_other.notna().all()
    measure, sign = ("steps", -1) if has_rule else ("return_1000", 1)
    difference = paired_difference(both[measure], both[f"{measure}_other"])
    sides = [sign * difference.side]
    rate = rates = None
    pairs = len(both)
    if has_rule and pairs:
        solved = int(both.solved.sum()), int(both.solved_other.sum())
        rates = solved[0] / pairs, solved[1] / pairs
        rate = rate_difference(solved[0], pairs, solved[1], pairs)
        if pairs >= FEWEST_PAIRS:
            sides.append(rate.side)
    better, worse = 1 in sides, -1 in sides
    means = float(both[measure].mean()), float(both[f"{measure}_other"].mean())
    return Comparison(int(better) - int(worse), difference, rate, pairs, means, rates)


@dataclass(frozen=True)
class Part:
    """One piece of evidence for a claim.

    Attributes
    ----------
    where : str
        What was looked at.
    outcome : int
        `YES`, `OPEN` or `NO`.
    evidence : str
        The numbers.
    """

    where: str
    outcome: int
    evidence: str


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and how to judge it.

    Attributes
    ----------
    name : str
        A few words.
    statement : str
        What the paper says.
    rule : str
        What a part of it is, and when it says yes or no.
    parts : callable
        From the runs of a reproduction to the parts.
    """

    name: str
    statement: str
    rule: str
    parts: Callable[["Runs"], list[Part]]


def verdict(parts: Sequence[Part]) -> str:
    """What the parts say together; see `RULE`."""
    yes = sum(part.outcome == YES for part in parts)
    no = sum(part.outcome == NO for part in parts)
    if yes == no == 0:
        return "undecided"
    if yes == len(parts):
        return "holds"
    return "holds in part" if yes >= no else "does not hold"


@dataclass(frozen=True)
class Judged:
    """A claim, its parts and what they say together."""

    claim: Claim
    parts: list[Part]
    verdict: str


class Runs:
    """The runs of a reproduction, by study, agent, size and variant of the settings.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `campaign.run_batches` returned.
    """

    def __init__(self, frame: pd.DataFrame):
        keys = ["study", "agent", "size", "variant"]
        self._groups = {key: runs for key, runs in frame.groupby(keys, sort=False)}
        self._nothing = frame.iloc[:0]

    def of(self, study: str, agent: str, size: int, variant: str = "paper") -> pd.DataFrame:
        """The runs of one agent at one size; with the paper's settings if no variant is named."""
        return self._groups.get((study, agent, size, variant), self._nothing)

    def sizes(self, study: str, agent: str, variant: str = "paper") -> list[int]:
        """The sizes at which an agent was run, from the smallest."""
        return sorted(
            key[2] for key in self._groups if (*key[:2], key[3]) == (study, agent, variant)
        )

    def all_sizes(self, study: str, agent: str) -> pd.DataFrame:
        """The runs of one agent at all sizes, with the paper's settings."""
        runs = [self.of(study, agent, size) for size in self.sizes(study, agent)]
        return pd.concat(runs) if runs else self._nothing


def world_of(study: str, size: int) -> str:
    """Study and size in words; the size only where there are several."""
    return study if study == "chain" else f"{study} {size}"


def against(
    results: Runs,
    study: str,
    agent: str,
    rivals: Sequence[str],
    outcome: Callable[[Comparison], int] = attrgetter("outcome"),
) -> list[Part]:
    """A part for each rival and size: yes where the agent is better, by ``outcome``."""
    parts = []
    for size in STUDIES[study].sizes:
        ours = results.of(study, agent, size)
        for rival in rivals:
            theirs = results.of(study, rival, size)
            if rival != agent and len(ours) and len(theirs):
                found = compare(ours, theirs)
                where = f"{world_of(study, size)}: {agent} against {rival}"
                parts.append(Part(where, outcome(found), found.words()))
    return parts
