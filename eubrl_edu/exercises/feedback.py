"""What every check builds on: the feedback it gives, and reading numbers out of an answer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Feedback:
    """What a check says about an answer."""

    passed: bool
    words: str

    def __repr__(self) -> str:
        return f"{'✓' if self.passed else '✗'} {self.words}"


NOTHING_YET = Feedback(False, "Nothing to check yet: put your answer in place of the three dots.")


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
