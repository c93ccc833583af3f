"""The settings that the paper's experiments used, as data, for each world and algorithm.

The paper's text gives grids for α, β0 and m (its section "Hyperparameters") but none for η, and has
agents plan at every step. Where what stands here goes beyond the text, it was told to this project
as what those experiments used: the paper alone does not let one check it. What we found by a search
of our own says so.
"""

from dataclasses import dataclass, replace
from functools import partial

from eubrl_edu.names import require_choice
from eubrl_edu.uncertainty import MEASURES
from eubrl_edu.validation import (
    require_above,
    require_at_least,
    require_between,
    require_bool,
    require_discount,
    require_finite,
    require_positive_int,
    shown,
)

REWARD_MODELS = ("outcome", "action", "normal", "known", "bernoulli")
MAY_BE_NONE = ("lambda0", "r_max", "lambda_")


def _when_to_plan(name: str, value) -> int | str:
    if isinstance(value, str) and value in ("size", "episode", "doubling"):
        return value
    return require_positive_int(f'{name}, unless "episode" or "doubling",', value)


def _share(name: str, value, interval: str = "(0, 1]") -> float:
    return require_between(name, require_finite(name, value), 0, 1, interval)


CHECKS = {
    "eta": partial(require_at_least, bound=0),
    "eta_per_size": require_bool,
    **dict.fromkeys(("alpha", "beta0", "lambda0", "tau"), partial(require_above, bound=0)),
    # It must be below 1 where there is no horizon: the agent checks that.
    "discount": lambda name, value: require_discount(value, horizon=1),
    "plan_every": _when_to_plan,
    "reward_model": partial(require_choice, choices=REWARD_MODELS),
    "uncertainty": partial(require_choice, choices=MEASURES),
    "known_after": require_positive_int,
    "n_models": require_positive_int,
    "r_max": require_finite,
    "learning_rate": _share,
    "epsilon": partial(_share, interval="[0, 1]"),
    "clip_visited": require_bool,
    "delta": _share,
    "lambda_": _share,
}


@dataclass(frozen=True)
class Settings:
    """What an agent is made with.

    Attributes
    ----------
    eta : float
        Scaling factor η, in units of reward (a bonus's scale for other algorithms). Not of
        EUBRL-frequentist, which has the η_t of the analysis for its ``delta`` and ``lambda_``.
    eta_per_size : bool
        Whether ``eta`` is to be multiplied by the size of the world.
    alpha : float
        Dirichlet pseudo-count of every next state.
    beta0 : float
        Rate of the Normal-Gamma prior; its λ0 is the same unless given.
    lambda0 : float or None
        λ0, if it is not to be ``beta0``.
    discount : float
        γ.
    plan_every : int, "size", "episode" or "doubling"
        Steps from one plan to the next, ``"size"`` for the size of the world; or see
        `PlanningAgent`.
    reward_model : {"outcome", "action", "normal", "known", "bernoulli"}
        Normal-Gamma belief over r(s,a,s'), over r(s,a), Normal belief of known precision over
        r(s,a,s'), the mean rewards given, or 0/1 rewards of a pair.
    tau : float
        Precision of one reward, where the reward model is ``"normal"``; its prior mean reward is
        0 with precision 1, so that E_R starts at 1 as under the paper's Normal-Gamma.
    uncertainty : {"variance", "mutual-information", "count"}
        Measure of epistemic uncertainty.
    known_after : int
        m, the visits after which RMAX takes a pair for known; B, those after which BOSS draws anew.
    r_max : float or None
        The largest reward. If None, the world's own largest mean reward, or 1, with a warning,
        where the world does not publish its rewards.
    n_models : int
        K, how many models BOSS draws.
    learning_rate, epsilon : float
        How far Q-learning moves its values, and how often it acts at random.
    clip_visited : bool
        Whether PSRL raises the Dirichlet parameters of visited pairs too when it draws.
    delta : float
        δ in (0, 1], the probability with which the bounds of EUBRL-frequentist may fail.
    lambda_ : float or None
        λ in (0, 1], from which the η of EUBRL-frequentist follows: ε / (18 V↑) is that of the
        sample complexity. None stands for λ_t of the regret analysis for T = t, as an agent does
        not know how long it will live; for one known T it is ``theory.regret_lambda``.
    """

    eta: float = 1.0
    eta_per_size: bool = False
    alpha: float = 1e-2
    beta0: float = 1e-2
    lambda0: float | None = None
    discount: float = 0.99
    plan_every: int | str = 1
    reward_model: str = "outcome"
    tau: float = 1.0
    uncertainty: str = "variance"
    known_after: int = 1
    r_max: float | None = None
    n_models: int = 5
    learning_rate: float = 0.1
    epsilon: float = 0.1
    clip_visited: bool = True
    delta: float = 0.1
    lambda_: float | None = None

    def __post_init__(self):
        # What the checks return is kept: one way to write each value, as stored rows need it.
        for name, value in vars(self).items():
            if value is not None or name not in MAY_BE_NONE:
                vars(self)[name] = CHECKS[name](name, value)

    def for_size(self, size: int | None) -> "Settings":
        """The same settings with everything that depends on the size worked out.

        Raises
        ------
        ValueError
            If ``size`` is no positive integer, or η grows beyond what it may be.
        """
        if size is not None:
            size = require_positive_int("size", size)
        if size is None or not (self.eta_per_size or self.plan_every == "size"):
            return self
        return replace(
            self,
            eta=self.eta * size if self.eta_per_size else self.eta,
            eta_per_size=False,
            plan_every=size if self.plan_every == "size" else self.plan_every,
        )


# What one agent alone has use for is part of its stored rows and of no others, which were there
# before it.
OWN_SETTINGS = {"EUBRL-frequentist": ("delta", "lambda_")}

# Each world's own settings, those of EUBRL; "All algorithms use the same prior" (the paper,
# "Hyperparameters"), so the other algorithms start from them.
WORLD_SETTINGS = {
    "chain": Settings(
        eta=30, alpha=0.1, discount=0.95, plan_every=10, reward_model="known", r_max=10.0
    ),
    "loop": Settings(eta=0.5, alpha=1e-8, beta0=1e-4, discount=0.95, r_max=2.0),
    "deepsea-deterministic": Settings(
        eta=1.0, alpha=1e-6, beta0=1e-4, discount=0.99, plan_every=10, r_max=1.0
    ),
    "deepsea-stochastic": Settings(
        eta=1.0, alpha=1e-6, beta0=5e-2, discount=0.99, plan_every=10, r_max=1.0
    ),
    "lazychain-deterministic": Settings(
        eta=6, eta_per_size=True, alpha=1e-8, beta0=1e-4, discount=0.999
    ),
    "lazychain-stochastic": Settings(
        eta=6, eta_per_size=True, alpha=1e-4, beta0=1e-1, discount=0.999, plan_every="size"
    ),
    "bandit": Settings(eta=1.0, discount=0.95, reward_model="bernoulli"),
}

# Where an algorithm departs from its world's settings.
AGENT_SETTINGS: dict[tuple[str, str], dict] = {
    ("chain", "BEB"): {"eta": 16, "plan_every": 1},
    # BEETLE's authors take all worlds to be equally likely.
    ("chain", "BEETLE"): {"alpha": 1.0},
    ("chain", "BEETLE-tied"): {"alpha": 1.0},
    ("chain", "BOSS"): {"known_after": 10, "n_models": 10},
    # EQO and UCBVI-gamma are rivals that are not in the paper: their one scale is the best of
    # 0.003 to 10 times the largest reward, at a small size, for ten seeds that are not reported.
    # UCBVI-gamma's 0.01 on the stochastic lazy chain says little: no scale solves more than one of
    # those ten runs at N = 10.
    ("chain", "EQO"): {"eta": 10},
    ("chain", "MBIE-EB"): {"eta": 8, "plan_every": 1},
    ("chain", "Q-learning"): {"learning_rate": 0.3, "epsilon": 0.05},
    ("chain", "RMAX"): {"known_after": 5},
    ("chain", "UCBVI-gamma"): {"eta": 5, "plan_every": 1},
    ("chain", "VBRB"): {"eta": 16, "plan_every": 1},
    ("deepsea-deterministic", "BEB"): {"eta": 0.25, "reward_model": "action"},
    ("deepsea-deterministic", "EQO"): {"eta": 0.1},
    ("deepsea-deterministic", "PSRL"): {"reward_model": "action"},
    ("deepsea-deterministic", "UCBVI-gamma"): {"eta": 0.03, "plan_every": 1},
    ("deepsea-deterministic", "VBRB"): {"eta": 0.5, "alpha": 1e-8},
    ("deepsea-stochastic", "BEB"): {"eta": 0.25, "reward_model": "action"},
    ("deepsea-stochastic", "EQO"): {"eta": 0.25},
    ("deepsea-stochastic", "UCBVI-gamma"): {"eta": 0.1, "plan_every": 1},
    ("deepsea-stochastic", "BOSS"): {"known_after": 5},
    # The paper's η = 2 and α = 1e-5 fail in a run of twenty at N = 50; these were found on other
    # seeds than those reported, at 10, 20 and 50.
    ("deepsea-stochastic", "EUBRL+"): {"eta": 4.0, "alpha": 4e-6, "beta0": 1.0},
    ("deepsea-stochastic", "PSRL"): {"beta0": 1e-2, "reward_model": "action"},
    ("deepsea-stochastic", "RMAX"): {"known_after": 5},
    ("deepsea-stochastic", "VBRB"): {"eta": 0.5, "alpha": 1e-4},
    ("loop", "EQO"): {"eta": 0.2},
    ("loop", "UCBVI-gamma"): {"eta": 0.06},
    ("lazychain-deterministic", "BEB"): {"eta": 0.25, "reward_model": "action"},
    ("lazychain-deterministic", "EQO"): {"eta": 0.003},
    ("lazychain-deterministic", "UCBVI-gamma"): {"eta": 0.003},
    ("lazychain-deterministic", "PSRL"): {
        "alpha": 1e-3,
        "plan_every": "size",
        "reward_model": "action",
    },
    # VBRB's bonus on the lazy chain is from a line search of our own, on other seeds than those
    # reported: what the paper's experiments used, η = 0.5 N and α = 1e-4 on the stochastic chain,
    # was found with another form of the bonus. With this one it takes twice the steps, or solves no
    # chain at all.
    ("lazychain-deterministic", "VBRB"): {"eta": 0.05},
    ("lazychain-stochastic", "BEB"): {"eta": 0.25, "alpha": 1e-6, "reward_model": "action"},
    ("lazychain-stochastic", "EQO"): {"eta": 0.01},
    ("lazychain-stochastic", "UCBVI-gamma"): {"eta": 0.01, "plan_every": 1},
    ("lazychain-stochastic", "BOSS"): {"known_after": 10},
    ("lazychain-stochastic", "PSRL"): {"alpha": 1e-5, "reward_model": "action"},
    ("lazychain-stochastic", "RMAX"): {"known_after": 10},
    ("lazychain-stochastic", "VBRB"): {"eta": 0.2, "alpha": 1e-6, "beta0": 5e-2},
}


def paper_settings(world: str | None, agent: str, size: int | None = None) -> Settings:
    """The settings for an algorithm in a world.

    Parameters
    ----------
    world : str or None
        A key of ``WORLD_SETTINGS``; None for any other world, for which there are general defaults.
        A study may have settings of its own: see `Study.settings`.
    agent : str
        Name of the algorithm.
    size : int, optional
        Size of the world, where settings depend on it.

    Returns
    -------
    Settings

    Raises
    ------
    ValueError
        If the world has no settings here, ``agent`` is no name, or ``size`` no size.
    """
    if not isinstance(agent, str):
        raise ValueError(f"agent must be the name of an algorithm, got {shown(agent)}")
    if size is not None:
        size = require_positive_int("size", size)
    if world is None:
        settings = Settings()
    else:
        settings = WORLD_SETTINGS[require_choice("world", world, WORLD_SETTINGS)]
    if (world, agent) in AGENT_SETTINGS:
        settings = replace(settings, **AGENT_SETTINGS[world, agent])
    return settings.for_size(size)
