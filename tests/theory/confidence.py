"""Statements that hold with probability 1 − δ, held against many independent runs.

Of each run we take the *share*: the largest part of its bound that it ever used. The statement
failed on a run where the share is above 1. As the bounds are generous, hardly any run comes near 1.
So that a test can fail, the *room* is measured too, on the first half of the runs: the number by
which the bound can be divided until four of five runs break it. On the second half, a bound half
as large as that has to be found wrong.

``python -m tests.theory.confidence`` prints all of it.
"""

import numpy as np
from scipy.stats import binom

ALARM = 1e-4  # the probability, at most, with which a test rejects a statement that is true
MOST_WITHIN = 0.2  # the share of runs that stay within a bound divided by its room


def refuted(failed, delta: float) -> bool:
    """Whether failures refute “it fails with probability at most δ”, by a binomial test.

    Parameters
    ----------
    failed : (n,) booleans
        Of independent runs, which may be of different worlds: the number of failures is then
        below a Binomial(n, δ) all the same.
    delta : float
        δ.
    """
    failed = np.asarray(failed, dtype=bool)
    return bool(binom.sf(failed.sum() - 1, failed.size, delta) < ALARM)


def room(shares) -> float:
    """What to divide a bound by so that four of five runs break it; infinite if nothing does."""
    share = float(np.quantile(shares, MOST_WITHIN))
    return 1 / share if share > 0 else np.inf


def assert_holds_and_could_fail(shares, delta: float) -> None:
    """Neither is the statement refuted, nor would a bound pass that is too small."""
    shares = np.asarray(shares)
    assert not refuted(shares > 1, delta), f"{(shares > 1).sum()} of {shares.size} runs failed"
    first, second = np.array_split(shares, 2)
    divisor = 2 * room(first)
    assert np.isfinite(divisor), "too few runs come near this bound at all"
    assert refuted(second * divisor > 1, delta), f"divided by {divisor:.3g} it passes too"


def table(statements) -> str:
    """What was measured, as text: one line for each (name, shares, δ)."""
    lines = [f"{'statement':58} {'δ':>6} {'runs':>4} {'failed':>6} {'most':>8} {'room':>8}"]
    for name, shares, delta in statements:
        lines.append(
            f"{name:58} {delta:6.3g} {len(shares):4} {(shares > 1).sum():6} "
            f"{shares.max():8.3g} {room(shares):8.3g}"
        )
    return "\n".join(lines)


def main() -> None:
    """Print the table of all statements."""
    from tests.theory import (
        test_doubling_with_confidence,
        test_episodes_with_confidence,
        test_events_with_confidence,
        test_long_runs_with_confidence,
        test_plans_with_confidence,
        test_sticking_with_confidence,
        test_with_confidence,
    )

    modules = (
        test_with_confidence,
        test_events_with_confidence,
        test_episodes_with_confidence,
        test_plans_with_confidence,
        test_long_runs_with_confidence,
        test_sticking_with_confidence,
        test_doubling_with_confidence,
    )
    print(table(row for module in modules for row in module.measured()))


if __name__ == "__main__":
    main()
