"""A prior in the paper's terms, and how its uncertainty falls in a small world. No widget."""

from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from eubrl_edu.agents import EUBRL
from eubrl_edu.beliefs import (
    Belief,
    BetaBernoulliRewards,
    DirichletTransitions,
    KnownRewards,
    NormalGammaRewards,
    NormalRewards,
    TiedDirichletTransitions,
)
from eubrl_edu.labs.settings import Settings, dropdown, int_slider, log_slider, seed_box, slider
from eubrl_edu.theory.priors_class import PriorClass, Property, classify_prior
from eubrl_edu.theory.priors_rate import RateEstimate, estimate_rate
from eubrl_edu.uncertainty import MEASURES

R_MAX = 1.0
RUNS = 5
VISITS = np.unique(np.geomspace(1, 1000, 19).round().astype(int))
FIT_FROM = 100  # before, the prior still has its say
WEIGHT_VISITS = np.geomspace(1, 1e4, 81)
MISSING = np.full(len(WEIGHT_VISITS), np.nan)
CHANCE = 0.7  # of the reward 1, and of staying, where they are random
STATE = 1  # the pair's; it has neighbours on both sides, as a tied prior expects

REWARD_PRIORS = ("Normal", "Normal-Gamma", "Beta", "known")
TRANSITION_PRIORS = ("Dirichlet", "tied Dirichlet")
REWARDS_ON = {"pairs (s,a)": "action", "outcomes (s,a,s')": "outcome"}
RANDOM = ("nothing", "rewards", "next states", "both")
choice = partial(dropdown, width="16em")


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `PriorLab` stand.

    ``strength`` is how many rewards the prior is worth: τ0/τ of a Normal, λ0 of a Normal-Gamma,
    α0 + β0 of a Beta prior. ``alpha0`` and ``beta0`` are the shape and the rate of a Normal-Gamma.
    """

    reward_prior: str = choice(
        "Normal-Gamma", REWARD_PRIORS, "rewards", "What is believed about rewards at first"
    )
    rewards_on: str = choice(
        "pairs (s,a)", REWARDS_ON, "belong to", "Whether the reward depends on the next state"
    )
    mu0: float = slider(
        0.0, -2.0, 2.0, "μ₀", "Mean reward that the prior expects; true rewards lie in [0, 1]"
    )
    strength: float = log_slider(
        1.0, -3, 3, "worth", "How many rewards the prior is worth: τ0/τ, λ0 or α0+β0"
    )
    alpha0: float = slider(
        2.0, 1.1, 10.0, "α₀", "Shape of a Normal-Gamma: the larger, the surer it is of the spread"
    )
    beta0: float = log_slider(
        1.0, -3, 3, "β₀", "Rate of a Normal-Gamma; E_R begins at β₀ / (λ₀(α₀ − 1))"
    )
    transition_prior: str = choice(
        "Dirichlet",
        TRANSITION_PRIORS,
        "next states",
        "Tied: one Dirichlet over left, stay and right, shared by all states",
    )
    alpha: float = log_slider(0.1, -6, 2, "α", "Prior visits to each next state")
    n_states: int = int_slider(4, 3, 20, "S", "Number of states in the world")
    measure: str = choice("variance", MEASURES, "measure", "How uncertainty is measured")
    random: str = choice("nothing", RANDOM, "random is", "What chance decides in this world")
    seed: int = seed_box("Another seed, different luck where the world is random")

    @property
    def rewards_vary(self) -> bool:
        """Whether the reward of the pair is random."""
        return self.random in ("rewards", "both")

    @property
    def transitions_vary(self) -> bool:
        """Whether the next state of the pair is random."""
        return self.random in ("next states", "both")


@dataclass(frozen=True)
class State:
    """What a `PriorLab` shows.

    Attributes
    ----------
    prior : PriorClass
        What the prior is, for use in any world.
    rate_here : Property
        Whether E_b = Θ(1/√n) in this world.
    visits : (K,) integer array
        n.
    epistemic : (RUNS, K) array
        E_b with η = 1, after n visits of a pair.
    transition_part, reward_part : (K,) arrays
        √E_T and √E_R, averaged over the runs; NaN where a count is all there is.
    measured : RateEstimate or None
        The power of n that E_b follows; None where it is 0 to the computer.
    """

    params: Params
    prior: PriorClass
    rate_here: Property
    visits: np.ndarray
    epistemic: np.ndarray
    transition_part: np.ndarray
    reward_part: np.ndarray
    measured: RateEstimate | None

    @property
    def mean_epistemic(self) -> np.ndarray:
        """(K,) E_b, averaged over the runs."""
        return self.epistemic.mean(axis=0)

    @property
    def verdicts(self) -> dict[str, bool]:
        """Whether each property holds, and what follows from them."""
        prior = self.prior
        return {
            "decomposable": prior.decomposable.holds,
            "weakly informative": prior.weakly_informative.holds,
            "rate": prior.rate.holds,
            "class": prior.in_class,
            "uniform": prior.uniform.holds,
            "bounded": prior.bounded.holds,
            "minimax": prior.nearly_minimax_optimal,
        }

    @property
    def balance(self) -> dict[str, float]:
        """C_g S and C_s: the visits after which a decomposable prior weighs as much as the data."""
        return {
            "transitions": self.prior.transition_constant * self.params.n_states,
            "rewards": self.prior.reward_constant,
        }

    @property
    def weights(self) -> dict[str, np.ndarray]:
        """g(n) and s(n), the prior's weights; NaN where no such function of n exists."""
        exists = {
            "transitions": np.isfinite(self.prior.transition_constant),
            "rewards": self.prior.decomposable.holds,
        }
        return {
            name: prior_weight(constant if exists[name] else np.nan, WEIGHT_VISITS)
            for name, constant in self.balance.items()
        }

    @property
    def weight_bounds(self) -> dict[str, np.ndarray]:
        """C_g S/n and C_s/n, 1 where that is more; NaN without a constant."""
        return {
            name: np.minimum(1.0, constant / WEIGHT_VISITS) if np.isfinite(constant) else MISSING
            for name, constant in self.balance.items()
        }


def prior_weight(constant: float, n):
    """Weight of a prior that is worth ``constant`` observations, beside n real ones."""
    return constant / (constant + n)


def compute(params: Params) -> State:
    """Return what the prior is, and how its uncertainty falls where a pair is tried again."""
    belief = build_prior(params)
    facts = {"r_max": R_MAX, "uncertainty": params.measure}
    here = classify_prior(
        belief, rewards_vary=params.rewards_vary, transitions_vary=params.transitions_vary, **facts
    )
    epistemic, transition_part, reward_part = _uncertainty_along_visits(params)
    measured = None
    if (epistemic > 0).all():
        late = VISITS >= FIT_FROM
        measured = estimate_rate(VISITS[late], epistemic[:, late])
    return State(
        params=params,
        prior=classify_prior(belief, **facts),
        rate_here=here.rate,
        visits=VISITS,
        epistemic=epistemic,
        transition_part=transition_part,
        reward_part=reward_part,
        measured=measured,
    )


def build_prior(params: Params, n_actions: int = 1) -> Belief:
    """The prior itself; E_R begins at 1 under Normal, at β0 / (λ0(α0 − 1)) under Normal-Gamma."""
    size = params.n_states, n_actions
    tied = params.transition_prior == "tied Dirichlet"
    transitions = TiedDirichletTransitions if tied else DirichletTransitions
    return Belief(transitions(*size, params.alpha), _reward_prior(params, size))


def _reward_prior(params: Params, size: tuple[int, int]):
    on, strength, mu0 = REWARDS_ON[params.rewards_on], params.strength, params.mu0
    match params.reward_prior:
        case "Normal":
            return NormalRewards(*size, mu0, tau0=1.0, tau=1.0 / strength, on=on)
        case "Normal-Gamma":
            return NormalGammaRewards(*size, mu0, strength, params.alpha0, params.beta0, on=on)
        case "known":
            return KnownRewards(np.full(size, CHANCE if params.rewards_vary else R_MAX))
    if not 0.0 < mu0 < 1.0:
        raise ValueError(f"mu0 must be above 0 and below 1 under a Beta prior, got {mu0:g}")
    return BetaBernoulliRewards(*size, mu0 * strength, (1.0 - mu0) * strength, on=on)


@lru_cache(maxsize=32)
def _uncertainty_along_visits(params: Params) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """E_b in each run, √E_T and √E_R on average, after each of `VISITS`.

    One belief serves all runs: each of its actions is a run of its own. (A tied prior, too, has a
    Dirichlet for each action.)
    """
    rng = np.random.default_rng(params.seed)
    draws = rng.random((2, RUNS, VISITS[-1])) < CHANCE
    pays = draws[0] if params.rewards_vary else np.ones_like(draws[0])
    stays = draws[1] if params.transitions_vary else np.ones_like(draws[1])
    agent = EUBRL(build_prior(params, RUNS), discount=0.0, uncertainty=params.measure)
    seen, rows = 0, []
    for n in VISITS:
        new = slice(seen, n)
        for run in range(RUNS):
            agent.belief.update_batch(
                [STATE] * (n - seen),
                [run] * (n - seen),
                pays[run, new].astype(float).tolist(),
                np.where(stays[run, new], STATE, STATE + 1).tolist(),
            )
        agent.predictive.refresh()
        rows.append(
            (
                agent.epistemic_uncertainty()[STATE],
                np.sqrt(agent.predictive.transition_uncertainty[STATE]),
                np.sqrt(agent.predictive.reward_uncertainty[STATE]),
            )
        )
        seen = n
    epistemic, transition, reward = np.array(rows).transpose(1, 2, 0)
    if params.measure == "count":  # neither has a part in it
        return epistemic, np.full(len(VISITS), np.nan), np.full(len(VISITS), np.nan)
    return epistemic, transition.mean(axis=0), reward.mean(axis=0)
