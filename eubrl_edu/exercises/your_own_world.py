"""The checks of notebook 14_your_own_world."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from eubrl_edu import engine
from eubrl_edu.environments.from_gymnasium import require_discrete
from eubrl_edu.environments.published import own_method
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.exercises.feedback import (
    NOTHING_YET,
    Feedback,
    asks_for_array_function,
    check_number,
    check_numbers,
)
from eubrl_edu.experiments import make_agent
from eubrl_edu.experiments.intervals import paired_difference
from eubrl_edu.validation import shown

ETAS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
RIVALS = ("BEB", "MBIE-EB", "VBRB", "PSRL", "RMAX", "Mean-MDP", "EUBRL-MI")
FEWEST_STATES, MOST_STATES = 5, 40
STEPS, TUNING_SEEDS, FRESH_SEEDS = 500, range(40), range(1000, 1060)


def check_alpha_for_quick_learning(answer: Any) -> Feedback:
    """Check the α with which one visit weighs nine times as much as the prior, for 6 states."""
    n_states, share = 6, 0.9
    right = (1 / share - 1) / n_states
    return check_number(
        answer,
        (right, "Right: then one visit weighs 1 against αS = 1/9."),
        (1 / 9, "That is αS. The prior counts α for each of the six states."),
        (0.1, "With that, 1 / (1 + 6α) is 0.625. Find the α that makes it 0.9."),
        (9 / n_states, "That would be a prior nine times as heavy as the visit."),
        otherwise="The data weigh n / (n + αS), with n = 1 and S = 6. When is that 0.9?",
    )


_VISITS = np.array([[0.0, 3.0], [8.0, 99.0], [24.0, 0.0]])
_ETA = 2.5  # no number that anyone would write in its place


@asks_for_array_function(_VISITS, _ETA)
def check_root_bonus(numbers: np.ndarray) -> Feedback:
    """Check a bonus (visits, eta) of η / √(1 + n), for arrays of visits."""
    if not np.isfinite(numbers).all():
        return Feedback(False, "It is infinite at n = 0, and no plan can be made with that.")
    return check_numbers(
        numbers,
        (_ETA / np.sqrt(1 + _VISITS), "Right: large where nothing was tried, and never infinite."),
        (_ETA / (1 + _VISITS), "That is without the root: it falls like 1/n, as BEB's does."),
        (1 / np.sqrt(1 + _VISITS), "Almost: where is η?"),
        otherwise="η divided by the root of 1 + visits, for the whole array at once.",
    )


def check_eubrl_loses(world: Any, rivals: Any) -> Feedback:
    """Check a world in which two rivals beat EUBRL, each by a paired 95% interval below 0.

    EUBRL has the best of `ETAS` on `TUNING_SEEDS`; then all three run `STEPS` steps with
    `FRESH_SEEDS`. A run counts as what its steps pay on average, so that noise in the rewards
    decides nothing.
    """
    if world is ...:
        return NOTHING_YET
    refusal = _refusal(world, rivals)
    if refusal is not None:
        return Feedback(False, refusal)
    try:
        of_eta = {
            eta: np.mean([_worth("EUBRL", world, seed, eta=eta) for seed in TUNING_SEEDS])
            for eta in ETAS
        }
        most = max(of_eta.values())
        best = next(eta for eta, worth in of_eta.items() if math.isclose(worth, most))
        ours = [_worth("EUBRL", world, seed, eta=best) for seed in FRESH_SEEDS]
        differences = {
            rival: paired_difference(ours, [_worth(rival, world, seed) for seed in FRESH_SEEDS])
            for rival in rivals
        }
    except ValueError as error:
        return Feedback(False, f"Your world cannot be run: {error}.")
    found = "; ".join(f"EUBRL − {rival}: {difference}" for rival, difference in differences.items())
    found = (
        f"At its best η, {best:g}, EUBRL earns {np.mean(ours):.5g} in {STEPS} steps. With 95% "
        f"intervals, {found}."
    )
    if all(difference.high < 0 for difference in differences.values()):
        return Feedback(True, f"You have found one! {found}")
    if all(difference.low > 0 for difference in differences.values()):
        return Feedback(False, f"EUBRL wins here. {found}")
    return Feedback(False, f"Not yet: both intervals have to lie below 0. {found}")


def _refusal(world: Any, rivals: Any) -> str | None:
    """What is wrong with the world or the choice of rivals, in words; None if nothing is."""
    if isinstance(world, type):
        return f"That is the class. Make a world of it: {world.__name__}()."
    if not isinstance(world, TabularEnvironment):
        return f"The world should be a TabularEnvironment, not {type(world).__name__}."
    try:
        require_discrete(world)
    except ValueError as error:
        return f"{error}."
    if (method := own_method(world)) is not None:
        return f"What happens in the world should be in its `outcomes`; it has its own `{method}`."
    if not FEWEST_STATES <= world.n_states <= MOST_STATES:
        return (
            f"The world has {world.n_states} states; "
            f"it should have {FEWEST_STATES} to {MOST_STATES}."
        )
    if isinstance(rivals, str) or not isinstance(rivals, Sequence):
        return f"The rivals should be a list of two names, not {shown(rivals)}."
    names = [name for name in rivals[:3] if isinstance(name, str) and name in RIVALS]
    if len(rivals) != 2 or len(set(names)) != 2:
        return f"Choose two different rivals out of {', '.join(RIVALS)}."
    return None


def _worth(name: str, world: TabularEnvironment, seed: int, **settings: float) -> float:
    run = engine.simulate(make_agent(name, world, **settings), world, steps=STEPS, seed=seed)
    return float(world.model.rewards[run.states, run.actions].sum())
