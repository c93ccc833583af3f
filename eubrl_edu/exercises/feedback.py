"""What every check builds on: the feedback it gives, and reading numbers out of an answer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Feedback:
    """What a check says about an answer; an exercise that nobody touched is not wrong."""

    passed: bool
    words: str
    untouched: bool = False

    def __repr__(self) -> str:
        return f"{'○' if self.untouched else '✓' if self.passed else '✗'} {self.words}"


def nothing_yet(why: str) -> Feedback:
    """What a check says of a stub."""
    return Feedback(False, f"Nothing to check yet: {why}", untouched=True)


NOTHING_YET = nothing_yet("put your answer in place of the three dots.")


def check_number(
    answer: Any,
    right: float,
    praise: str,
    hints: Sequence[tuple[float, str]],
    otherwise: str,
    tolerance: float = 0.01,
) -> Feedback:
    """Check one number, and meet the numbers that people often give with a hint of their own.

    Parameters
    ----------
    answer : object
        Whatever was given.
    right : float
        What it should be, up to ``tolerance`` relative to it.
    praise, otherwise : str
        What to say of the right answer, and of one that is in no hint.
    hints : sequence of (number, words)
        Wrong answers, and what to say of each.
    tolerance : float
        How far from a number an answer may be, as a share of it.
    """
    if answer is ...:
        return NOTHING_YET
    number = number_in(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    if math.isclose(number, right, rel_tol=tolerance):
        return Feedback(True, praise)
    for wrong, hint in hints:
        if math.isclose(number, wrong, rel_tol=tolerance):
            return Feedback(False, hint)
    return Feedback(False, otherwise)


def number_in(answer: Any) -> float | None:
    """``answer`` as a finite float, or None."""
    try:
        number = float(answer)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def numbers_in(answer: Any, length: int) -> np.ndarray | None:
    """``answer`` as that many finite floats, or None."""
    if isinstance(answer, str) or not isinstance(answer, Sequence | np.ndarray):
        return None
    numbers = [number_in(entry) for entry in answer]
    if len(numbers) != length or None in numbers:
        return None
    return np.array(numbers)
