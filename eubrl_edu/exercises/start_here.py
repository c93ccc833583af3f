"""The checks of notebook 00_start_here."""

import math
from typing import Any

from eubrl_edu.environments import make_env
from eubrl_edu.exercises.feedback import NOTHING_YET, Feedback, number_in
from eubrl_edu.planning import backward_induction


def check_best_return(answer: Any) -> Feedback:
    """Check the largest return of 1000 steps in the Loop world with two loops."""
    if answer is ...:
        return NOTHING_YET
    number = number_in(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    steps = 1000
    plan = backward_induction(make_env("loop", size=2).model, horizon=steps, discount=1.0)
    best = float(plan.v[0, 0])
    if math.isclose(number, best):
        return Feedback(True, f"Right: {steps // 5} rounds of 5 steps, and each pays 2.")
    if math.isclose(number, 2 * steps):
        return Feedback(False, "That would be 2 in every step. How many steps does a round take?")
    if math.isclose(number, 2 * steps / 4):
        return Feedback(
            False,
            "That is a round of 4 steps. One step leads into the loop, three move on inside it, "
            "and one leads back: how many is that?",
        )
    if math.isclose(number, best / 2):
        return Feedback(False, "That is what loop 0 earns. Loop 1 pays 2 a round.")
    return Feedback(
        False, "Count the steps of one round from start to start. How many rounds fit into 1000?"
    )
