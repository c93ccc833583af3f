"""The checks of notebook 08_lazy_chain."""

import numpy as np

from eubrl_edu.environments import make_env
from eubrl_edu.exercises.feedback import Feedback, asks_for_number, asks_for_numbers, check_numbers
from eubrl_edu.planning import solve
from eubrl_edu.success import NEARLY_ALL


@asks_for_number("γ is a number from 0 to just below 1", lambda number: 0 <= number < 1)
def check_patience(discount: float) -> Feedback:
    """Check a γ that is just large enough to set out in the deterministic LazyChain 20."""
    if not _sets_out(20, False, discount):
        return Feedback(False, f"With γ = {discount:g} it does not set out. Try a larger γ.")
    if _sets_out(20, False, max(discount - 0.01, 0.0)):
        return Feedback(False, f"It goes, but with γ = {discount - 0.01:.3g} it still would.")
    return Feedback(True, f"Right: with γ = {discount:g} it sets out, with 0.01 less it does not.")


@asks_for_number("N is a whole number from 1 to 1000", lambda n: n == int(n) and 1 <= n <= 1000)
def check_last_worthwhile_chain(number: float) -> Feedback:
    """Check the largest N whose stochastic LazyChain is worth the walk right at γ = 0.999."""
    size = int(number)
    if not _sets_out(size, True, 0.999):
        return Feedback(False, f"For N = {size} doing nothing is better at the start. Go lower.")
    if _sets_out(size + 1, True, 0.999):
        return Feedback(False, f"For N = {size} it is worth it, but for {size + 1} it is, too.")
    return Feedback(True, f"Right: {size}. One more, and the best thing is to do nothing at all.")


@asks_for_numbers(2)
def check_states_that_may_be_wrong(numbers: np.ndarray) -> Feedback:
    """Check how many states the near rule lets be wrong in LazyChain, for N = 10 and N = 50."""
    allowed = [
        max(wrong for wrong in range(size) if size - wrong >= NEARLY_ALL * size)
        for size in (10, 50)
    ]
    return check_numbers(
        numbers,
        (allowed, "Right: for 10 the two rules ask for the same policy."),
        ([0.5, 2.5], "Those are 5%. A state is right or wrong: only whole ones count."),
        ([1, 3], "One too many each: 9 of 10 are 90%, and 47 of 50 are 94%."),
        otherwise="At least 95% of the N states must be right. How many may be wrong?",
    )


def _sets_out(size: int, stochastic: bool, discount: float) -> bool:
    """Whether going right is the best action at the start of a LazyChain, better than nothing."""
    env = make_env("lazychain", size=size, stochastic=stochastic)
    right, nothing = solve(env.model, discount).q[size, [1, 2]]
    return bool(right > nothing)
