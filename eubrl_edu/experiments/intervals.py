"""How sure a number is: intervals for means, success rates and differences."""

import math
from dataclasses import dataclass, replace

import numpy as np
import scipy  # its stats, which take long to load, come when they are first used

from eubrl_edu.validation import require_positive_int, require_reals, shown

CONFIDENCE = 0.95
# Fewer pairs than this say too little to decide anything.
FEWEST_PAIRS = 5
FEWEST_RUNS = 3  # of fewer a bootstrap sees next to no spread
RESAMPLES = 2000
ROUNDING = 1e-12  # relative: what a sum of rewards may be off by
MOST_RUNS, MOST_AT_ONCE = 100_000, 10_000_000
FARTHEST = 1e307  # from 0: differences are still finite


@dataclass(frozen=True)
class Interval:
    """An estimate and where the truth is likely to be.

    Attributes
    ----------
    value : float
        The estimate.
    low, high : float
        Ends of the interval.
    """

    value: float
    low: float
    high: float

    @property
    def side(self) -> int:
        """1 if all of the interval is above 0, -1 if all is below, else 0."""
        return int(self.low > 0) - int(self.high < 0)

    def __str__(self) -> str:
        """With as many decimals as its width calls for; without width, the estimate alone."""
        half = self.high / 2 - self.low / 2
        if not 0 < half < math.inf:  # of runs that are all alike; or of a single run, NaN
            return f"{self.value:z.4g}"
        decimals = 1 - math.floor(math.log10(half))
        form = f"z.{max(0, decimals)}f"  # no minus zero
        if not -15 <= decimals <= 8:  # long rows of zeros: in powers of ten
            largest = max(abs(self.low), abs(self.high))
            form = f"z.{min(17, decimals + 1 + math.floor(math.log10(largest)))}g"
        value, low, high = (f"{x:{form}}" for x in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}]"


def _require_column(name: str, values) -> np.ndarray:
    column = require_reals(name, values)
    if column.ndim != 1 or len(column) > MOST_RUNS:
        raise ValueError(
            f"{name} must be up to {MOST_RUNS:,} numbers in a row, got the shape {column.shape}"
        )
    if np.abs(column).max(initial=0) > FARTHEST:
        raise ValueError(f"{name} must be from -{FARTHEST:g} to {FARTHEST:g}, got {shown(values)}")
    return column


def bootstrap_interval(values) -> Interval:
    """The mean and its 95% bootstrap interval, bias-corrected and accelerated (BCa).

    The resampling has a fixed seed: the same values give the same interval. As a bootstrap of n
    runs sees too little spread, the ends are moved outwards by √(n/(n − 1)) t/z, where t and z are
    the quantiles of Student's and of the normal distribution (Hesterberg 2015, "What Teachers
    Should Know About the Bootstrap"): 58% at n = 5, 10% at 20, 2% at 100.

    Parameters
    ----------
    values : (n,) array
        One value of each run.

    Returns
    -------
    Interval
        Runs that are all alike give an interval of no width; otherwise one or two runs give one
        without ends (NaN), for they say next to nothing of the spread.

    Raises
    ------
    ValueError
        If ``values`` are not 1 to 100,000 numbers of at most 1e307 in a row.
    """
    values = _require_column("values", values)
    if not len(values):
        raise ValueError("values must hold at least one number, got none")
    return _in_its_unit(_bootstrap, values)


def _in_its_unit(interval, values: np.ndarray) -> Interval:
    """``interval(values)``, taken in a unit in which the largest is 0, or from 1/2 to 1.

    The unit is a power of 2, which rounds nothing, so that the reward's own plays no part.
    """
    unit = np.frexp(np.abs(values).max())[1]
    found = interval(np.ldexp(values, -unit))
    return Interval(*(float(np.ldexp(end, unit)) for end in (found.value, found.low, found.high)))


def _bootstrap(values: np.ndarray) -> Interval:
    mean, n = float(values.mean()), len(values)
    # BCa divides by the spread, which rounding may leave at 1e-16 instead of 0.
    if n > 1 and np.ptp(values) <= ROUNDING:
        return Interval(mean, mean, mean)
    if n < FEWEST_RUNS:
        return Interval(mean, np.nan, np.nan)
    found = scipy.stats.bootstrap(
        (values,),
        np.mean,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        batch=max(1, min(500, MOST_AT_ONCE // n)),
        method="BCa",
        rng=np.random.default_rng(0),
    ).confidence_interval
    z = scipy.stats.norm.ppf((1 + CONFIDENCE) / 2)
    wider = float((n / (n - 1)) ** 0.5 * _student_quantile(n) / z)
    low, high = (mean + wider * (float(end) - mean) for end in (found.low, found.high))
    return Interval(mean, low, high)


def _student_quantile(n: int) -> float:
    return float(scipy.stats.t.ppf((1 + CONFIDENCE) / 2, n - 1))


def cut_off_interval(costs, solved) -> Interval:
    """`bootstrap_interval` of what runs took that were stopped at a limit if they had not solved.

    No run can have taken more than the limit, so the interval does not reach beyond it. Where
    the limit was of another kind (episodes taken, steps limited) there is nothing to hold it to.
    """
    found, costs = bootstrap_interval(costs), np.asarray(costs)
    stopped = costs[~np.asarray(solved, dtype=bool)]
    if len(stopped) and (stopped == costs.max()).all():
        return replace(found, high=float(min(found.high, costs.max())))
    return found


def wilson_interval(successes: int, n: int) -> Interval:
    """A success rate and its score interval (Wilson 1927): honest at 0 and 1 and for small n.

    Raises
    ------
    ValueError
        If ``n`` is no integer of at least 1, or ``successes`` none from 0 to ``n``.
    """
    n = require_positive_int("n", n)
    successes = require_positive_int("successes", successes, at_least=0, at_most=n)
    z = scipy.stats.norm.ppf((1 + CONFIDENCE) / 2)
    rate = successes / n
    centre = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2))
    low = 0.0 if successes == 0 else float(centre - half)
    high = 1.0 if successes == n else float(centre + half)
    return Interval(rate, low, high)


def interval_of(runs, column: str) -> Interval:
    """The interval that fits what a column of a study's runs counts, in a table of one agent's."""
    values = runs[column].astype(float)
    if column == "solved":
        return wilson_interval(int(values.sum()), len(values))
    if column in ("steps", "episodes") and "solved" in runs and runs.solved.notna().all():
        return cut_off_interval(values, runs.solved)
    return bootstrap_interval(values)


def rate_difference(successes: int, n: int, other_successes: int, other_n: int) -> Interval:
    """Difference of two success rates, with Newcombe's interval (1998) from two Wilson ones."""
    one = wilson_interval(successes, n)
    other = wilson_interval(other_successes, other_n)
    value = one.value - other.value
    low = value - np.hypot(one.value - one.low, other.high - other.value)
    high = value + np.hypot(one.high - one.value, other.value - other.low)
    return Interval(value, float(low), float(high))


def paired_difference(ours, theirs) -> Interval:
    """Mean of the differences of runs that share their seeds, with a 95% interval.

    Agents with the same seed face the same world, so their returns move together and the
    difference is known better than either mean. The interval ends where the farther one of two
    does: Student's t holds for equal agents, whose differences are as often up as down however
    skewed their returns (the bootstrap tells lognormal ones apart in one case of ten);
    `bootstrap_interval` does better where the differences themselves are skewed.

    Returns
    -------
    Interval
        Without ends (NaN) for fewer than `FEWEST_PAIRS` pairs. It reaches to 0 where fewer than
        that differ at all: chance alone gives so few the same sign too often.

    Raises
    ------
    ValueError
        If either is not up to 100,000 numbers of at most 1e307 in a row, or they are not equally
        many.
    """
    ours, theirs = _require_column("ours", ours), _require_column("theirs", theirs)
    if len(ours) != len(theirs):
        raise ValueError(f"ours and theirs must be pairs, got {len(ours)} and {len(theirs)}")
    if len(ours) == 0:
        return Interval(np.nan, np.nan, np.nan)
    # What rounding has left of a sum is no difference.
    differences = np.where(np.isclose(ours, theirs, rtol=ROUNDING, atol=0), 0.0, ours - theirs)
    if len(differences) < FEWEST_PAIRS:
        return Interval(float(differences.mean()), np.nan, np.nan)
    found = _in_its_unit(_widest, differences)
    if np.count_nonzero(differences) < FEWEST_PAIRS:
        return Interval(found.value, min(found.low, 0.0), max(found.high, 0.0))
    return found


def _widest(differences: np.ndarray) -> Interval:
    found, n = _bootstrap(differences), len(differences)
    half = _student_quantile(n) * float(differences.std(ddof=1)) / n**0.5
    low, high = min(found.low, found.value - half), max(found.high, found.value + half)
    return Interval(found.value, low, high)
