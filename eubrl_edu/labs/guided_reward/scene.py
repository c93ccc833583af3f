"""What a bonus and what guidance make of one arm: over all P_U, and over all r_b and E_max."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.labs.settings import Settings, dropdown, slider
from eubrl_edu.planning.bellman import TIE_TOLERANCE
from eubrl_edu.uncertainty import epistemically_guided_reward
from eubrl_edu.validation import require_between

LOWEST_REWARD, HIGHEST_REWARD, LARGEST_MAX = -1.5, 1.5, 2.0
TRUTHS = ("better", "worse")
VERDICTS = ("both are right", "only EUBRL is right", "only the bonus is right", "neither is right")
GRID = 121


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `GuidedRewardLab` stand."""

    probability: float = slider(
        0.5, 0.0, 1.0, "P_U", "How unsure the agent is of the arm, from 0 to 1", step=0.01
    )
    mean_reward: float = slider(
        1.0, LOWEST_REWARD, HIGHEST_REWARD, "r_b", "The arm's believed reward", step=0.01
    )
    max_uncertainty: float = slider(
        0.8, 0.1, LARGEST_MAX, "E_max", "What full doubt is worth, in units of reward"
    )
    known: float = slider(0.8, -1.0, 1.5, "known", "What the known arm pays, in units of reward")
    truth: str = dropdown(
        "better", TRUTHS, "the arm is truly", "Better or worse than the known one", width="14em"
    )

    def __post_init__(self):
        super().__post_init__()
        require_between("probability", self.probability, 0, 1)
        require_between("max_uncertainty", self.max_uncertainty, 0, LARGEST_MAX, "(0, 2]")


@dataclass(frozen=True)
class State:
    """What a `GuidedRewardLab` shows.

    Attributes
    ----------
    probabilities, with_bonus, guided : (N,) arrays
        P_U from 0 to 1, and what each rule takes the arm to be worth.
    bonus_here, guided_here : float
        The same at the present P_U.
    lowest : float
        The P_U at which guidance values the arm least.
    verdict : int
        Who judges rightly here; the position in ``VERDICTS``.
    verdicts : (GRID, GRID) integer array
        The same for every E_max (rows, from 0 up) and r_b (columns).
    """

    params: Params
    probabilities: np.ndarray
    with_bonus: np.ndarray
    guided: np.ndarray
    bonus_here: float
    guided_here: float
    lowest: float
    lowest_worth: float
    verdict: int
    verdicts: np.ndarray


def compute(params: Params) -> State:
    """Value the arm by both rules, and judge them by what the arm truly is."""
    mean, largest = params.mean_reward, params.max_uncertainty
    probabilities = np.linspace(0, 1, 201)
    lowest = float(np.clip(mean / (2 * largest), 0, 1))
    bonus_here, guided_here = worths(mean, largest, params.probability)
    rewards = np.linspace(LOWEST_REWARD, HIGHEST_REWARD, GRID)
    largests = np.linspace(0, LARGEST_MAX, GRID)[:, None]
    return State(
        params,
        probabilities,
        *worths(mean, largest, probabilities),
        bonus_here,
        guided_here,
        lowest,
        worths(mean, largest, lowest)[1],
        int(judge(bonus_here, guided_here, params)),
        judge(*worths(rewards, largests, params.probability), params),
    )


def worths(mean_reward, max_uncertainty, probability):
    """What an arm is worth to a bonus and to guidance, with E_b = P_U E_max.

    Returns
    -------
    (r_b + P_U E_max, (1 − P_U) r_b + P_U² E_max)
    """
    epistemic = probability * max_uncertainty
    guided = epistemically_guided_reward(mean_reward, epistemic, probability)
    return mean_reward + epistemic, guided


def judge(bonus, guided, params: Params):
    """Who is right to try the arm, or right to leave it: a position in ``VERDICTS``."""
    is_better = params.truth == "better"
    enough = params.known + TIE_TOLERANCE  # what rounding leaves of a tie is no difference
    bonus_errs = (bonus > enough) != is_better
    guidance_errs = (guided > enough) != is_better
    return 1 * bonus_errs + 2 * guidance_errs
