"""The checks of notebook 13_beyond_the_tables."""

from typing import Any

from eubrl_edu.exercises.feedback import Feedback, check_number


def check_better_of_two(answer: Any) -> Feedback:
    """Check the mean of the larger of two numbers that are uniform on [0, 1]."""
    return check_number(
        answer,
        (2 / 3, "Right: two thirds, so 13.33 in twenty tries."),
        (1 / 2, "That is either arm on average. The oracle takes the better of the two."),
        (3 / 4, "A good guess, but a little too high. How likely are both below x?"),
        (1, "The better arm need not be perfect."),
        (1 / 3, "That is the worse of the two."),
        otherwise="Both are below x with probability x². What is the mean of such a number?",
    )


def check_two_tries(answer: Any) -> Feedback:
    """Check what the best rule earns in two tries of two arms with uniform priors."""
    after_one, after_zero = 2 / 3, 1 / 2  # the same arm again; the other one
    right = 1 / 2 + (after_one + after_zero) / 2
    return check_number(
        answer,
        (right, "Right: 1/12 more than without learning, for having seen one result."),
        (1, "That is without learning: after a zero, try the other arm."),
        (1 / 2 + 2 / 3, "After a one, yes. But half of the time you see a zero."),
        (4 / 3, "That is what an oracle earns."),
        otherwise="1/2 for the first try; then 2/3 after a one, "
        "and the other arm's 1/2 after a zero.",
    )


def check_loss_of_a_rough_plan(answer: Any) -> Feedback:
    """Check how much a greedy policy can lose for γ = 0.9 and values that are off by 0.5."""
    discount, error = 0.9, 0.5
    loss = 2 * discount * error / (1 - discount)
    return check_number(
        answer,
        (loss, "Right: at most 9, eighteen times the error of the values."),
        (
            error,
            "That is the error of the values. One wrong choice can cost more, again and again.",
        ),
        (loss / 2, "The factor 2 is missing: one value may be too high, the other too low."),
        (loss / discount, "Almost: values come one step later, so γ counts above the line too."),
        (
            2 * discount * error,
            "That is the loss of one step. It may happen at every step: divide by 1 − γ.",
        ),
        otherwise="Put γ = 0.9 and ε = 0.5 into 2γε / (1 − γ).",
        tolerance=1e-3,
    )
