"""A new arm beside a known one: what each rule thinks after n tries. No widget, no picture."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from eubrl_edu.beliefs import NormalGammaRewards
from eubrl_edu.labs.settings import Settings, int_slider, log_slider, seed_box, slider
from eubrl_edu.planning.bellman import TIE_TOLERANCE
from eubrl_edu.plotting.names import counted
from eubrl_edu.uncertainty import (
    epistemic_uncertainty,
    epistemically_guided_reward,
    probability_of_uncertainty,
)

MOST_TRIES = 1000
ALPHA0 = 2.0


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `GuidanceLab` stand."""

    eta: float = log_slider(1.0, -1, 1, "η", "How much a unit of uncertainty is worth")
    mu0: float = slider(0.0, -2.0, 2.0, "μ₀", "Mean reward that the prior expects")
    lambda0: float = log_slider(1.0, -2, 2, "λ₀", "How many rewards the prior is worth")
    beta0: float = log_slider(1.0, -4, 2, "β₀", "How much the prior expects rewards to vary")
    known_reward: float = slider(0.5, -1.0, 2.0, "known", "What the known arm pays")
    true_mean: float = slider(
        0.2, -1.0, 2.0, "new", "What the new arm pays on average; no rule knows this"
    )
    noise: float = slider(0.5, 0.0, 2.0, "noise", "Standard deviation of the new arm's rewards")
    first_reward: float = slider(2.0, -3.0, 3.0, "first", "What the first try of the new arm pays")
    seed: int = seed_box("Another seed, different luck from the second reward on")
    n: int = int_slider(
        1,
        0,
        MOST_TRIES,
        "after n tries",
        "The number of tries that the words below and the large dots describe",
        width="520px",
    )


@dataclass(frozen=True)
class Verdict:
    """What a rule does with the new arm, told that the known arm pays ``known_reward``.

    ``tries`` is how often it tries the new arm before it drops it (a dropped arm teaches nothing
    more, so it stays dropped), or all tries shown where it ``goes_on``.
    """

    rule: str
    tries: int
    goes_on: bool
    advantage: float

    @property
    def is_right(self) -> bool:
        """Whether the rule ends up on an arm that is none the worse."""
        return self.advantage == 0 or self.goes_on == (self.advantage > 0)

    @property
    def words(self) -> str:
        """The verdict in a few words: when the rule stops, and what an arm it is."""
        times, gap = counted(self.tries, "try"), f"{abs(self.advantage):.3g}"
        worse = f" of an arm {gap} worse on average" if self.advantage < 0 else ""
        if self.goes_on:
            return f"still trying after {times}{worse}"
        done = f"stops after {times}" if self.tries else "never tries"
        if self.advantage > 0:
            return f"{done}, and loses {gap} a step" + " from then on" * (self.tries > 0)
        return f"{done}{worse}" if self.tries else f"{done}, and loses nothing"


@dataclass(frozen=True)
class State:
    """What a `GuidanceLab` shows: arrays over the number of tries n = 0 .. N."""

    params: Params
    tries: np.ndarray
    mean_reward: np.ndarray
    reward_uncertainty: np.ndarray
    epistemic_uncertainty: np.ndarray
    max_uncertainty: np.ndarray
    probability_of_uncertainty: np.ndarray
    values: Mapping[str, np.ndarray]
    verdicts: tuple[Verdict, ...]


def compute(params: Params) -> State:
    """Return what each rule thinks after n tries of the new arm, for all n."""
    # Where one looks changes nothing of what there is to see.
    return replace(_judge(replace(params, n=0)), params=params)


@lru_cache(maxsize=1)
def _judge(params: Params) -> State:
    mean_reward, reward_uncertainty = _learn(params)
    epistemic = epistemic_uncertainty(0.0, reward_uncertainty, params.eta)
    # E_max is the largest so far: a Normal-Gamma belief can grow less sure.
    max_uncertainty = np.maximum.accumulate(epistemic)
    probability = np.array(
        [
            probability_of_uncertainty(uncertainty, maximum)
            for uncertainty, maximum in zip(epistemic, max_uncertainty, strict=True)
        ]
    )
    values = {
        "r_b alone": mean_reward,
        "r_b + E_b": mean_reward + epistemic,
        "EUBRL": epistemically_guided_reward(mean_reward, epistemic, probability),
    }
    return State(
        params=params,
        tries=np.arange(MOST_TRIES + 1),
        mean_reward=mean_reward,
        reward_uncertainty=reward_uncertainty,
        epistemic_uncertainty=epistemic,
        max_uncertainty=max_uncertainty,
        probability_of_uncertainty=probability,
        values=values,
        verdicts=tuple(_verdict(rule, worth, params) for rule, worth in values.items()),
    )


def _learn(params: Params) -> tuple[np.ndarray, np.ndarray]:
    """r_b and E_R after 0, 1, ..., N rewards of the new arm."""
    rng = np.random.default_rng(params.seed)
    rewards = rng.normal(params.true_mean, params.noise, MOST_TRIES)
    rewards[0] = params.first_reward
    belief = NormalGammaRewards(1, 1, params.mu0, params.lambda0, ALPHA0, params.beta0, on="action")
    after = [belief.posterior((0, 0, 0))]
    for reward in rewards:
        belief.update(0, 0, 0, reward)
        after.append(belief.posterior((0, 0, 0)))
    mean, variance = np.array(after).T
    return mean, variance


def _verdict(rule: str, worth: np.ndarray, params: Params) -> Verdict:
    """How long a rule tries the new arm: until it is worth less than the known one."""
    # What rounding leaves of a tie is no difference.
    below = np.flatnonzero(worth < params.known_reward - TIE_TOLERANCE)
    goes_on = len(below) == 0
    return Verdict(
        rule,
        tries=MOST_TRIES if goes_on else int(below[0]),
        goes_on=goes_on,
        advantage=round(params.true_mean - params.known_reward, 10),
    )
