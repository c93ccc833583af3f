"""The settings of the bounds lab, and the real run that stands beside the bound."""

from collections.abc import Generator
from dataclasses import dataclass
from functools import partial

import numpy as np

from eubrl_edu.agents import EUBRL
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalRewards
from eubrl_edu.environments import make_env
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import make_agent
from eubrl_edu.labs.settings import (
    Settings,
    choice_slider,
    dropdown,
    int_slider,
    log_slider,
    seed_box,
    slider,
)
from eubrl_edu.labs.slices import record
from eubrl_edu.theory import PriorConstants, Problem, prior_constants, regret, theoretical_eta

REGRET, BAD_STEPS = "regret over T", "bad steps over ε"
PICTURES = (REGRET, BAD_STEPS)
WORLDS = {
    "Chain": ("chain", None),
    "2 loops": ("loop", 2),
    "4 loops": ("loop", 4),
}
PAPER, THEOREM, OWN = "EUBRL", "EUBRL of the theorem", "EUBRL with your prior"
AGENTS = (PAPER, THEOREM, OWN)
DISCOUNTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
RUN_STEPS = 1000
RUN_DELTA = 0.1  # of the theorem's η
STEPS_POWERS, EPSILON_POWERS = (0, 15), (-3, 2)
LARGEST_SHARE = 46 / 63
power = partial(log_slider, readout_format=".2g")


@dataclass(frozen=True)
class BoundsParams(Settings):
    """Where the controls of a `BoundsLab` stand.

    ``alpha``, ``tau`` and ``eta`` are those of the agent with the learner's own prior, in units of
    R_max: Dirichlet(α) for next states, and for rewards a Normal of mean 0 and precision 1, which
    is worth 1/τ rewards.
    """

    picture: str = dropdown(
        REGRET, PICTURES, "show", "Regret over time, or bad steps over accuracy", width="16em"
    )
    n_states: int = int_slider(5, 1, 100, "S", "Number of states")
    n_actions: int = int_slider(2, 1, 20, "A", "Number of actions")
    discount: float = choice_slider(0.95, DISCOUNTS, "γ", "Discount: 1/(1 − γ) steps ahead count")
    delta: float = power(0.1, -6, 0, "δ", "Probability with which the bound may fail", step=0.5)
    resistance_share: float = slider(
        0.0,
        0.0,
        LARGEST_SHARE,
        "Ψ",
        "What epistemic resistance takes off: 46/63 where every P_U is 1 for ever",
        step=LARGEST_SHARE / 20,
    )
    steps: float = power(1000.0, *STEPS_POWERS, "T", "The steps to look at closely", width="300px")
    epsilon: float = power(
        0.1, *EPSILON_POWERS, "ε", "The accuracy to look at, in R_max", width="300px"
    )
    world: str = dropdown(
        "Chain", WORLDS, "world", "Where the real run takes place; sets S and A", width="11em"
    )
    agent: str = dropdown(
        PAPER,
        AGENTS,
        "agent",
        "Whose run it is: with the paper's settings for this world, with the η of the theorem, or "
        "with a prior and an η of yours",
        width="18em",
    )
    alpha: float = log_slider(0.1, -3, 3, "α", "Visits to each next state that the prior claims")
    tau: float = log_slider(
        1.0, -3, 3, "τ", "Precision of a reward: the prior, of mean 0, is worth 1/τ rewards"
    )
    eta: float = log_slider(3.0, -2, 5, "η", "How much a unit of uncertainty is worth, in R_max")
    seed: int = seed_box("Seed of all chance in the run")

    @property
    def problem(self) -> Problem:
        """What the bounds are functions of, with R_max = 1."""
        return Problem(**self.sizes, r_max=1.0)

    @property
    def sizes(self) -> dict[str, float]:
        """S, A, γ and δ, as the bounds take them."""
        names = ("n_states", "n_actions", "discount", "delta")
        return {name: getattr(self, name) for name in names}

    @property
    def prior(self) -> PriorConstants | None:
        """Λ_T and Λ_R of the learner's own prior; None for an agent without one."""
        if self.agent != OWN:
            return None
        return prior_constants(self.alpha, 1 / self.tau, prior_mean=0.0, r_max=1.0)


@dataclass(frozen=True, eq=False)
class RealRun:
    """A run of `RUN_STEPS` steps, its regret in units of R_max.

    ``world``, ``agent`` and ``discount`` say what it is a run of; ``eta`` is the agent's η, in
    units of R_max too.
    """

    world: str
    agent: str
    discount: float
    n_states: int
    n_actions: int
    eta: float
    regret: np.ndarray

    def bad_steps(self, epsilon: np.ndarray) -> np.ndarray:
        """How many steps were not ε-optimal, for each ε."""
        return len(self.regret) - np.searchsorted(np.sort(self.regret), epsilon, side="right")


def real_run(params: BoundsParams) -> Generator[float, None, RealRun]:
    """Run the agent in the world, and take its regret; a generator that yields the fraction done.

    The theorem's agent counts visits and has the η of `theoretical_eta` for `RUN_STEPS` steps.
    """
    name, size = WORLDS[params.world]
    env = make_env(name, size=size)
    r_max = float(env.outcome_rewards.max())
    agent, eta = _agent_in(env, params, r_max)
    trajectory = yield from record(agent, env, RUN_STEPS, params.seed)
    return RealRun(
        world=params.world,
        agent=params.agent,
        discount=params.discount,
        n_states=env.n_states,
        n_actions=env.n_actions,
        eta=eta / r_max,
        regret=regret(trajectory, env, discount=params.discount) / r_max,
    )


def _agent_in(
    env: TabularEnvironment, params: BoundsParams, r_max: float
) -> tuple[EUBRL | FrequentistEUBRL, float]:
    """The agent, and its η in units of the world's rewards."""
    size, discount = (env.n_states, env.n_actions), params.discount
    if params.agent == OWN:
        rewards = NormalRewards(*size, tau=params.tau, on="action")
        belief = Belief(DirichletTransitions(*size, params.alpha), rewards)
        agent = EUBRL(belief, eta=params.eta * r_max, discount=discount)
    elif params.agent == THEOREM:
        eta = theoretical_eta(
            n_states=env.n_states,
            n_actions=env.n_actions,
            delta=RUN_DELTA,
            r_max=r_max,
            discount=discount,
            steps=RUN_STEPS,
        ).eta
        return FrequentistEUBRL(*size, lambda t: eta, r_max=r_max, discount=discount), eta
    else:
        agent = make_agent("EUBRL", env, discount=discount)
    return agent, agent.eta
