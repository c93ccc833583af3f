"""Many agents with the same wrong prior, and the bound on how many stay with the worse arm."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from eubrl_edu.experiments.intervals import Interval, wilson_interval
from eubrl_edu.labs.settings import Settings, dropdown, int_slider, log_slider, seed_box, slider
from eubrl_edu.theory.misspecification import (
    SMALLEST_WORSE_MEAN,
    OmissionBound,
    RequiredPrior,
    guaranteed_sticking,
    max_uncertainty,
    omission_bound,
    required_prior,
    sticking_bound,
    sufficient_estimate,
)
from eubrl_edu.theory.sticking import BanditRuns, simulate_bandit, sticking_probability

UNCERTAINTIES = ("variance", "its root")
ALPHAS = np.geomspace(0.05, 1000, 150)
# Where the exact probability is computed; from the last but one on it hardly changes.
EXACT_ALPHAS = np.append(np.geomspace(0.05, 8, 18), ALPHAS[-1])
EXACT_STEPS = 40
MOST_STEPS = 100
STUCK, WORSE_AGAIN, BETTER = range(3)
WIDE = {"width": "300px"}


def share(start: float, description: str, tooltip: str) -> float:
    """Declare a share of something, with its slider."""
    return slider(start, 0.05, 0.95, description, tooltip, step=0.05, **WIDE)


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `MisspecificationLab` stand."""

    better: float = share(0.9, "μ₁ better", "How often the better arm pays")
    worse: float = share(0.7, "μ₂ worse", "How often the worse arm pays")
    alpha: float = log_slider(
        20.0, -1.3, 3, "α", "The prior claims α payments and α failures of each arm", **WIDE
    )
    uncertainty: str = dropdown(
        "variance",
        UNCERTAINTIES,
        "E_b",
        "The variance, as in the paper's proof, or its root, as in its algorithm",
        width="17em",
    )
    n_agents: int = int_slider(400, 50, 800, "agents", "How many agents there are", step=50, **WIDE)
    steps: int = int_slider(
        MOST_STEPS, 10, MOST_STEPS, "steps", "How many steps each takes", step=10, **WIDE
    )
    confidence: float = share(
        0.1, "η of the proof", "S1 + S2 is at most this where α is beyond a1 and a2"
    )
    seed: int = seed_box("Another seed, different luck", start=2)

    @property
    def rooted(self) -> bool:
        """Whether E_b is the root of the variance, as in the algorithm."""
        return self.uncertainty == "its root"


@dataclass(frozen=True)
class State:
    """What a `MisspecificationLab` shows.

    Attributes
    ----------
    pulls : (n_agents, steps) array
        What each agent does: STUCK (the worse arm, and never another so far), WORSE_AGAIN or
        BETTER. Agents that are stuck for longest come first.
    stuck : Interval
        Share that is stuck after the last step.
    exact : (steps,) array
        Probability of being stuck after 1, 2, ... steps.
    exact_by_alpha : (len(EXACT_ALPHAS),) array
        The same after `EXACT_STEPS`, for other priors.
    bound : OmissionBound or None
        S1 and S2; None where the proof says nothing, and ``no_bound`` says why.
    bound_by_alpha : (len(ALPHAS),) array
        (1 − S1 − S2) / 2 for other priors, 0 where that is less; NaN without a bound.
    required : RequiredPrior or None
        a1 and a2.
    """

    params: Params
    pulls: np.ndarray
    stuck: Interval
    exact: np.ndarray
    exact_by_alpha: np.ndarray
    bound: OmissionBound | None
    bound_by_alpha: np.ndarray
    required: RequiredPrior | None
    no_bound: str

    @property
    def least_stuck(self) -> float:
        """What the bound promises, (1 − S1 − S2) / 2; NaN without a bound."""
        if self.bound is None:
            return np.nan
        return sticking_bound(self.params.alpha, self.params.worse)

    @property
    def guaranteed(self) -> float:
        """(1 − η) / 2, what a prior beyond a1 and a2 guarantees; NaN without a bound."""
        return np.nan if self.bound is None else guaranteed_sticking(self.params.confidence)

    @property
    def untried(self) -> float:
        """E_max, what the arm that was never pulled is worth."""
        return max_uncertainty(self.params.alpha, self.params.rooted)

    @property
    def enough(self) -> float:
        """s(α), the estimate that keeps an agent on its arm."""
        return sufficient_estimate(self.params.alpha)

    @property
    def on_worse_arm(self) -> float:
        """Share of the agents that pull the worse arm in the last step."""
        return float((self.pulls[:, -1] != BETTER).mean())

    @property
    def loss(self) -> float:
        """What the agents miss in the last step, on average."""
        return self.on_worse_arm * (self.params.better - self.params.worse)


def compute(params: Params) -> State:
    """Simulate all agents, and compute what the proof says of them."""
    if params.worse >= params.better:
        raise ValueError(
            f"worse must be below better, which is {params.better:g}, got {params.worse:g}"
        )
    rng = np.random.default_rng(params.seed)
    means = params.better, params.worse
    runs = simulate_bandit(means, params.alpha, params.n_agents, params.steps, rng, params.rooted)
    pulls = _pulls(runs)
    no_bound = _why_no_bound(params)
    return State(
        params=params,
        pulls=pulls,
        stuck=wilson_interval(int((pulls[:, -1] == STUCK).sum()), params.n_agents),
        exact=sticking_probability(params.worse, params.alpha, params.steps, params.rooted),
        exact_by_alpha=_exact_by_alpha(params.worse, params.rooted),
        bound=None if no_bound else omission_bound(params.alpha, params.worse),
        bound_by_alpha=_bound_by_alpha(params.worse, bool(no_bound)),
        required=None if no_bound else required_prior(params.confidence, params.worse),
        no_bound=no_bound,
    )


def _pulls(runs: BanditRuns) -> np.ndarray:
    """Each agent's steps, in a row; those stuck for longest come first."""
    on_better = runs.actions.T == 0
    left = np.logical_or.accumulate(on_better, axis=1)
    pulls = np.where(on_better, BETTER, np.where(left, WORSE_AGAIN, STUCK))
    # Among those who are stuck for equally long: first who pulls the worse arm more often.
    order = np.lexsort((on_better.sum(axis=1), left.sum(axis=1)))
    return pulls[order].astype(np.uint8)


def _why_no_bound(params: Params) -> str:
    if params.rooted:
        return "it is proved for the variance only"
    if params.worse <= SMALLEST_WORSE_MEAN:
        return "it is proved for μ₂ above 5/16 only"
    return ""


@lru_cache(maxsize=64)
def _exact_by_alpha(worse: float, rooted: bool) -> np.ndarray:
    return np.array(
        [sticking_probability(worse, alpha, EXACT_STEPS, rooted)[-1] for alpha in EXACT_ALPHAS]
    )


def _bound_by_alpha(worse: float, missing: bool) -> np.ndarray:
    if missing:
        return np.full(len(ALPHAS), np.nan)
    return np.array([sticking_bound(alpha, worse) for alpha in ALPHAS])
