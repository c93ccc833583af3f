"""The settings of the bounds lab, and the real run that stands beside the bound."""

from collections.abc import Generator
from dataclasses import dataclass

import numpy as np

from eubrl_edu.agents import EUBRL
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalRewards
from eubrl_edu.environments import make_env
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import make_agent
from eubrl_edu.labs.slices import record
from eubrl_edu.theory import PriorConstants, Problem, prior_constants, regret, theoretical_eta
from eubrl_edu.validation import require_choice, require_positive_int

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
MOST_STATES, MOST_ACTIONS = 100, 20
STEPS_POWERS, EPSILON_POWERS = (0, 15), (-3, 2)
LARGEST_SHARE = 46 / 63


@dataclass(frozen=True)
class BoundsParams:
    """Where the controls of a `BoundsLab` stand.

    ``alpha``, ``tau`` and ``eta`` are those of the agent with the learner's own prior, in units of
    R_max: Dirichlet(α) for next states, and for rewards a Normal of mean 0 and precision 1, which
    is worth 1/τ rewards.
    """

    picture: str = REGRET
    n_states: int = 5
    n_actions: int = 2
    discount: float = 0.95
    delta: float = 0.1
    resistance_share: float = 0.0
    steps: float = 1000.0
    epsilon: float = 0.1
    world: str = "Chain"
    agent: str = PAPER
    alpha: float = 0.1
    tau: float = 1.0
    eta: float = 3.0
    seed: int = 0

    def __post_init__(self):
        require_choice("picture", self.picture, PICTURES)
        require_choice("world", self.world, WORLDS)
        require_choice("agent", self.agent, AGENTS)
        require_positive_int("seed", self.seed, at_least=0)
        if self.discount not in DISCOUNTS:
            raise ValueError(f"discount must be one of {DISCOUNTS}, got {self.discount!r}")

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
