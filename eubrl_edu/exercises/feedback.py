"""What every check builds on: the feedback it gives, and reading numbers out of an answer."""

import math
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial, wraps
from inspect import signature
from typing import Any

import numpy as np

from eubrl_edu.sequences import TEXT, can_be_array, listed
from eubrl_edu.validation import raised, shown


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


def asks_for_number(
    else_say: str = "The answer should be one number", allowed: Callable = lambda number: True
) -> Callable:
    """Let a check have its answer as a float; what is none, or not allowed, is answered here."""

    def read(answer: Any) -> float | None:
        number = number_in(answer)
        return number if number is not None and allowed(number) else None

    return _reads(read, else_say)


def asks_for_numbers(length: int) -> Callable:
    """Let a check have its answer as so many numbers in an array; all else is answered here."""
    how_many = {2: "two", 4: "four"}[length]
    return _reads(partial(numbers_in, length=length), f"The answer should be {how_many} numbers")


def _reads(read: Callable[[Any], Any], else_say: str) -> Callable:
    def decorate(check: Callable[[Any], Feedback]) -> Callable[[Any], Feedback]:
        @wraps(check)
        def checked(answer: Any) -> Feedback:
            if has_dots(answer):
                return NOTHING_YET
            found = read(answer)
            if found is None:
                return Feedback(False, f"{else_say}, not {shown(answer)}.")
            try:
                return check(found)
            except ValueError as error:  # beyond what the package computes with
                return Feedback(False, f"{error}.")

        return checked

    return decorate


def asks_for_function(*trials: tuple) -> Callable:
    """Let a check have the numbers that a function returns in these trials, as an array."""

    def judge(check: Callable, answers: list) -> Feedback:
        numbers = numbers_in(answers, len(trials))
        if numbers is None:
            returned = shown(next(each for each in answers if number_in(each) is None))
            return Feedback(False, f"Your function should return one number, not {returned}.")
        return check(numbers)

    return _calls(trials, judge, "a number")


def asks_for_array_function(*arguments: Any) -> Callable:
    """Let a check have the array that a function returns, of the shape of its first argument."""

    def judge(check: Callable, answers: list) -> Feedback:
        shape, (answer,) = arguments[0].shape, answers
        is_text = isinstance(answer, TEXT)
        if isinstance(answer, Sequence) and not is_text and len(answer) != shape[0]:
            return Feedback(False, f"A {shape} array went in, {len(answer)} rows came out.")
        try:
            is_real = can_be_array(answer) and not np.iscomplexobj(answer)
            numbers = np.asarray(answer, dtype=float) if is_real else None
        except (OverflowError, TypeError, ValueError):
            numbers = None
        if numbers is None:
            return Feedback(False, "Your function should return an array of numbers.")
        if numbers.shape != shape:
            return Feedback(False, f"A {shape} array went in, a {numbers.shape} array came out.")
        return check(numbers)

    return _calls([arguments], judge, "anything")


def _calls(trials: Sequence[tuple], judge: Callable, what: str) -> Callable:
    def decorate(check: Callable[[np.ndarray], Feedback]) -> Callable[[Callable], Feedback]:
        @wraps(check)
        def checked(function: Callable) -> Feedback:
            answers = []
            for trial in trials:
                try:
                    answers.append(returned_by(function, *deepcopy(trial)))  # it may work in place
                except (Exception, SystemExit) as error:
                    return call_failed(error, trial)
            if answers[0] is None or has_dots(answers[0]):
                return nothing_yet(f"your function does not return {what}.")
            return judge(check, answers)

        return checked

    return decorate


def returned_by(function: Callable, *trial: Any) -> Any:
    """What a function returns, as it is now: the next call may write into the same array."""
    answer = function(*trial)
    return answer.copy() if isinstance(answer, np.ndarray | list) else answer


def call_failed(error: BaseException, trial: tuple) -> Feedback:
    """What a check says of a function that raises an exception, with the numbers that it got."""
    given = [
        f"a {each.shape} array" if isinstance(each, np.ndarray) else str(each)
        for each in trial
        if isinstance(each, int | float | np.ndarray)
    ]
    given = f" (it was called with {', '.join(given)})" if given else ""
    return Feedback(False, f"Calling your function failed: {raised(error)}{given}.")


ANY = math.nan  # in a hint on several numbers: whatever stands there


def check_numbers(
    numbers: Any,
    right: tuple[Any, str],
    *hints: tuple[Any, str],
    otherwise: str,
    tolerance: float = 1e-5,
    absolute: float = 1e-8,
) -> Feedback:
    """Check numbers, and meet those that people often give with a hint of their own.

    Parameters
    ----------
    numbers : float or array
        What was given.
    right : (numbers, words)
        What it should be, and what to say of it.
    *hints : (numbers, words)
        Wrong answers, and what to say of each; of those that fit, the first one is said.
    otherwise : str
        What to say of an answer that is none of these.
    tolerance, absolute : float
        How far from a number an answer may be: as a share of it, or so much.
    """
    for place, (known, words) in enumerate((right, *hints)):
        if all(
            math.isnan(each) or math.isclose(number, each, rel_tol=tolerance, abs_tol=absolute)
            for number, each in zip(np.ravel(numbers), np.ravel(known), strict=True)
        ):
            return Feedback(place == 0, words)
    return Feedback(False, otherwise)


def check_formula(
    numbers: np.ndarray,
    trials: Sequence[tuple],
    formula: Callable[..., float],
    *mistakes: tuple[Callable[..., float], str],
) -> Feedback:
    """Check what a function returned in some trials: a formula's numbers, or mistaken ones."""
    right = formula, "Right: your function agrees with the package in all trials."
    known = [formula(*trial) for trial in trials]
    differs = int(np.argmin(np.isclose(numbers, known, rtol=1e-5)))
    named = zip(signature(formula).parameters, trials[differs], strict=True)
    given = ", ".join(f"{name} = {value:g}" for name, value in named)
    return check_numbers(
        numbers,
        *(([each(*trial) for trial in trials], words) for each, words in (right, *mistakes)),
        otherwise=f"For {given} your function returns {numbers[differs]:.6g}, "
        f"the package {known[differs]:.6g}.",
    )


def check_number(
    answer: Any,
    *right_and_hints: tuple[float, str],
    otherwise: str,
    tolerance: float = 0.01,
    absolute: float = 0.0,
) -> Feedback:
    """Check one number, whatever was given as such, as `check_numbers` checks several."""

    @asks_for_number()
    def judge(number: float) -> Feedback:
        return check_numbers(
            number, *right_and_hints, otherwise=otherwise, tolerance=tolerance, absolute=absolute
        )

    return judge(answer)


def has_dots(answer: Any) -> bool:
    """Whether it is the three dots of a stub, or has them among its entries."""
    entries = answer if isinstance(answer, list | tuple) else [answer]
    return any(entry is ... for entry in entries)


def number_in(answer: Any) -> float | None:
    """``answer`` as a finite float, or None."""
    if isinstance(answer, (*TEXT, np.complexfloating, np.timedelta64)) or answer is np.ma.masked:
        return None  # of which Python or NumPy would make a float
    try:
        number = float(answer)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def numbers_in(answer: Any, length: int) -> np.ndarray | None:
    """``answer`` as that many finite floats, or None."""
    is_series = getattr(answer, "ndim", None) == 1
    is_list = is_series or isinstance(answer, Sequence | np.ndarray)
    entries = listed(answer, length) if is_list else None
    if entries is None or len(entries) != length:
        return None
    numbers = [number_in(entry) for entry in entries]
    return None if None in numbers else np.array(numbers)
