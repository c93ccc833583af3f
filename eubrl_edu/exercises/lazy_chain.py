"""The checks of notebook 08_lazy_chain."""

from typing import Any

import numpy as np

from eubrl_edu.environments import make_env
from eubrl_edu.exercises.feedback import NOTHING_YET, Feedback, number_in, numbers_in
from eubrl_edu.planning import solve
from eubrl_edu.success import NEARLY_ALL


def check_patience(answer: Any) -> Feedback:
    """Check a γ that is just large enough to set out in the deterministic LazyChain 20."""
    if answer is ...:
        return NOTHING_YET
    discount = number_in(answer)
    if discount is None or not 0 <= discount < 1:
        return Feedback(False, f"γ is a number from 0 to just below 1, not {answer!r}.")
    if not _sets_out(20, False, discount):
        return Feedback(False, f"With γ = {discount:g} it does not go right. More patience!")
    if _sets_out(20, False, max(discount - 0.01, 0.0)):
        return Feedback(False, f"It goes, but with γ = {discount - 0.01:.3g} it still would.")
    return Feedback(True, f"Right: with γ = {discount:g} it sets out, with 0.01 less it does not.")


def check_last_worthwhile_chain(answer: Any) -> Feedback:
    """Check the largest N whose stochastic LazyChain is worth the walk right at γ = 0.999."""
    if answer is ...:
        return NOTHING_YET
    number = number_in(answer)
    if number is None or number != int(number) or not 1 <= number <= 1000:
        return Feedback(False, f"N is a whole number from 1 to 1000, not {answer!r}.")
    size = int(number)
    if not _sets_out(size, True, 0.999):
        return Feedback(False, f"For N = {size} doing nothing is better at the start. Go lower.")
    if _sets_out(size + 1, True, 0.999):
        return Feedback(False, f"For N = {size} it is worth it, but for {size + 1} it is, too.")
    return Feedback(True, f"Right: {size}. One more, and the best thing is to do nothing at all.")


def check_states_that_may_be_wrong(answer: Any) -> Feedback:
    """Check how many states the near rule lets be wrong in LazyChain, for N = 10 and N = 50."""
    if answer is ...:
        return NOTHING_YET
    numbers = numbers_in(answer, 2)
    if numbers is None:
        return Feedback(False, f"The answer should be two numbers, not {answer!r}.")
    allowed = [
        max(wrong for wrong in range(size) if size - wrong >= NEARLY_ALL * size)
        for size in (10, 50)
    ]
    if np.array_equal(numbers, allowed):
        return Feedback(True, "Right: for 10 the two rules ask for the same policy.")
    if np.allclose(numbers, [0.5, 2.5]):
        return Feedback(False, "Those are 5 %. A state is right or wrong: only whole ones count.")
    if np.array_equal(numbers, [1, 3]):
        return Feedback(False, "One too many each: 9 of 10 are 90 %, and 47 of 50 are 94 %.")
    return Feedback(False, "At least 95 % of the N states must be right. How many may be wrong?")


def _sets_out(size: int, stochastic: bool, discount: float) -> bool:
    """Whether going right is the best action at the start of a LazyChain, better than nothing."""
    env = make_env("lazychain", size=size, stochastic=stochastic)
    right, nothing = solve(env.model, discount).q[size, [1, 2]]
    return bool(right > nothing)
