"""What a lab asks before it shows its picture, and what there is to say of each answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eubrl_edu.names import require_name, require_text
from eubrl_edu.validation import require_at_least, shown

Truth = Callable[[Any], Any]


@dataclass(frozen=True)
class Choice:
    """A question with a few answers to choose from.

    Parameters
    ----------
    question : str
        What is asked.
    answers : mapping of str to str
        Each answer, and what to say to those who give it.
    truth : callable
        Of the lab's state: the answer that is right.

    Raises
    ------
    ValueError
        If a field is none of these.
    """

    question: str
    answers: Mapping[str, str]
    truth: Truth

    def __post_init__(self):
        require_name("question", self.question)
        _require_texts("answers", self.answers, str)
        if not self.answers:
            raise ValueError(f"answers must hold at least one answer, got {shown(self.answers)}")
        _require_truth(self.truth)

    def __str__(self) -> str:
        return f"{self.question} {' · '.join(self.answers)}"

    def hint(self, answer: Any) -> str | None:
        """What to do where this is no answer, else None."""
        if isinstance(answer, str) and answer in self.answers:
            return None
        return f"An answer is one of: {' · '.join(self.answers)}. {shown(answer)} is none of them"

    def reveal(self, state: Any) -> str:
        """What is right."""
        return f"It is: {self.truth(state)}."

    def judge(self, answer: str, state: Any) -> str:
        """What was said, what is right, and why.

        The remarks tell of the answers that there are: where none is right, none of them is told.
        """
        remark, truth = self.answers[answer], self.truth(state)
        if answer == truth:
            return f"✓ You said: {answer}. That is right. {remark}"
        said = f"✗ You said: {answer}. {self.reveal(state)}"
        return f"{said} {remark}" if truth in self.answers else said


@dataclass(frozen=True)
class Number:
    """A question for a number.

    Parameters
    ----------
    question : str
        What is asked.
    numbers : range
        What can be said.
    truth : callable
        Of the lab's state: the number that is right.
    right, too_low, too_high : str
        What to say to those who are right, or too low, or too high.
    common : mapping of int to str
        What to say instead to those who give one of these wrong answers.
    unit : str
        What is counted.
    within : float
        How far from the truth is still right.

    Raises
    ------
    ValueError
        If a field is none of these.
    """

    question: str
    numbers: range
    truth: Truth
    right: str
    too_low: str
    too_high: str
    common: Mapping[int, str] = field(default_factory=dict)
    unit: str = ""
    within: float = 0.5

    def __post_init__(self):
        require_name("question", self.question)
        if not isinstance(self.numbers, range) or not self.numbers or self.numbers.step < 0:
            raise ValueError(
                "numbers must be an ascending range with a number in it, such as range(1, 11), "
                f"got {shown(self.numbers)}"
            )
        _require_truth(self.truth)
        for name in ("right", "too_low", "too_high", "unit"):
            require_text(name, getattr(self, name))
        _require_texts("common", self.common, int)
        require_at_least("within", self.within, 0)

    def __str__(self) -> str:
        return f"{self.question} From {self.numbers[0]} to {self._amount(self.numbers[-1])}."

    def _amount(self, number: float) -> str:
        unit = self.unit.removesuffix("s") if number == 1 else self.unit
        amount = number if isinstance(number, int) else f"{number:.3g}"
        return f"{amount} {unit}".rstrip()

    def hint(self, answer: Any) -> str | None:
        """What to do where this is no answer, else None."""
        low, high = self.numbers[0], self.numbers[-1]
        kinds = int | float | np.integer | np.floating
        is_number = isinstance(answer, kinds) and not isinstance(answer, bool)
        if is_number and low <= answer <= high:
            return None
        return f"Please give a number from {low} to {self._amount(high)}, not {shown(answer)}"

    def reveal(self, state: Any) -> str:
        """What is right."""
        return f"It is {self._amount(self.truth(state))}."

    def judge(self, answer: float, state: Any) -> str:
        """What was said, what is right, and why."""
        truth = self.truth(state)
        said = f"You said {self._amount(answer)}. {self.reveal(state)}"
        if abs(answer - truth) <= self.within:
            return f"✓ {said} {self.right}"
        otherwise = self.too_low if answer < truth else self.too_high
        return f"✗ {said} {self.common.get(answer, otherwise)}"


Prediction = Choice | Number


def _require_truth(truth: Any) -> None:
    if not callable(truth):
        raise ValueError(f"truth must be a function of the lab's state, got {shown(truth)}")


def _require_texts(name: str, texts: Any, key: type) -> None:
    """Raise ``ValueError`` unless this is a mapping to texts, each with such a key."""
    if not isinstance(texts, Mapping) or not all(type(each) is key for each in texts):
        keys = {str: "texts", int: "integers"}[key]
        raise ValueError(f"{name} must be a mapping from {keys} to texts, got {shown(texts)}")
    for each, text in texts.items():
        require_text(f"{name}[{each!r}]", text)
