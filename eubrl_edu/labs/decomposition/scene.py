"""The per-step regret of a recorded run in its three parts, and a step of it to look at."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from eubrl_edu.beliefs import KnownRewards
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import make_agent
from eubrl_edu.labs import world_settings
from eubrl_edu.labs.settings import (
    Settings,
    choice_slider,
    dropdown,
    int_slider,
    log_slider,
    seed_box,
)
from eubrl_edu.labs.slices import record
from eubrl_edu.names import require_choice
from eubrl_edu.theory import schedule, step_bounds
from eubrl_edu.theory.decompose import decomposition
from eubrl_edu.theory.events import margins
from eubrl_edu.theory.run_values import run_values
from eubrl_edu.theory.solved_values import RunValues
from eubrl_edu.theory.world_rewards import reward_map, reward_range
from eubrl_edu.trajectory import Trajectory

WORLDS = ("Chain", "2 loops", "sea of 4 rows", "lazy chain 3")
DISCOUNTS = (0.5, 0.8, 0.9, 0.95, 0.98)
THEORY = "the theorem's"
CRITICAL_VISITS = (THEORY, 1, 2, 5, 20, 100)
MOST_STEPS = 1000
TERMS = ("quasi_optimism", "complexity", "accuracy")
BOUND_PARTS = ("guided", "learning", "remainder")
EPSILON_SHARE = 0.1  # ε of the events A7 and A8, as a share of V↑
ABOUT_RIGHT = 0.05  # of V↑, between what the agent expects and what its plan earns
ROUNDING = 1e-9  # in units of V↑
LATE = {"continuous_update": False, "width": "260px"}  # answered when let go
late_log_slider = partial(log_slider, readout_format=".2g", **LATE)


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `DecompositionLab` stand."""

    world: str = dropdown(
        "Chain",
        WORLDS,
        "world",
        "The world that the agent lives in; sets the paper's prior and η for it",
        width="13em",
    )
    alpha: float = late_log_slider(0.1, -8, 1, "α", "Prior pseudo-count of every next state")
    beta0: float = late_log_slider(
        1e-2,
        -4,
        1,
        "β₀",
        "How much the prior expects rewards to vary; grey where the agent is told the rewards",
    )
    eta: float = late_log_slider(30.0, -2, 3, "η", "How much a unit of uncertainty is worth")
    discount: float = choice_slider(
        0.95, DISCOUNTS, "γ", "Discount: about 1/(1 − γ) steps ahead count", width="240px"
    )
    seed: int = seed_box("Seed of all chance: the same seed, the same run")
    steps: int = int_slider(300, 10, MOST_STEPS, "steps", "Length of the run", step=10, **LATE)
    lambda_: float = late_log_slider(
        1.0, -2, 0, "λ", "How strict the proof is: the smaller, the more visits it asks for"
    )
    m: str | int = dropdown(
        5,
        CRITICAL_VISITS,
        "m",
        "Visits to a pair after which Ṽ has a different reward from the agent's",
        width="12em",
    )
    time: int = int_slider(
        28,
        1,
        lambda start: max(start.steps, start.time),
        "step",
        "The step of the run to look at",
        width="460px",
    )

    def __post_init__(self):
        super().__post_init__()
        if self.steps > MOST_STEPS:
            raise ValueError(f"steps must be from 1 to {MOST_STEPS}, got {self.steps}")

    def make_env(self) -> TabularEnvironment:
        """The world."""
        return world_settings.small_world(self.world)


def suggested(world: str) -> dict[str, float]:
    """The paper's prior and η for a world."""
    name, size = world_settings.SMALL_WORLDS[require_choice("world", world, WORLDS)]
    paper = world_settings.suggested(name, size)
    return {setting: paper[setting] for setting in ("alpha", "beta0", "eta")}


def rewards_are_known(world: str) -> bool:
    """Whether the agent is told the rewards of a world, so that its prior has no β0."""
    agent = make_agent("EUBRL", Params(world=world).make_env())
    return isinstance(agent.belief.rewards, KnownRewards)


@dataclass(frozen=True, eq=False)
class DecomposedRun:
    """A run of T steps held against the theory; all values in units of V↑.

    Attributes
    ----------
    params : Params
        Those of the run.
    env : TabularEnvironment
    trajectory : Trajectory
    values : RunValues
        As they are in the units of the (mapped) rewards.
    levels : (T, 4) array
        V*, Ṽ, V^t and V^π at the state of each step.
    terms : (T, 3) array
        Quasi-optimism, complexity and accuracy: the differences of the levels.
    p_u_policy, p_u_optimal, resistance : (T,) arrays
        P_U of the action taken and of the optimal one, and 𝕽.
    bound_parts : (T, 3) array
        The parts of the bound.
    events : (T, 8) boolean array
        Whether A1, ..., A8 hold.
    m : float
        The critical number of visits that Ṽ was computed with.
    note : str
        How the rewards were mapped, if they were.
    """

    params: Params
    env: TabularEnvironment
    trajectory: Trajectory
    values: RunValues
    levels: np.ndarray
    terms: np.ndarray
    p_u_policy: np.ndarray
    p_u_optimal: np.ndarray
    resistance: np.ndarray
    bound_parts: np.ndarray
    events: np.ndarray
    m: float
    note: str

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def regret(self) -> np.ndarray:
        """V* − V^π of each step, (T,)."""
        return self.levels[:, 0] - self.levels[:, 3]

    @property
    def bound(self) -> np.ndarray:
        """The bound of each step's regret, (T,)."""
        return self.bound_parts.sum(axis=1)

    @property
    def first_critical(self) -> int | None:
        """The first step at which a pair has m visits, from where on Ṽ can differ from V^t."""
        reached = (self.values.visits >= max(self.m, 1)).any(axis=(1, 2))[
            self.values.moment_of_step
        ]
        return int(reached.argmax()) + 1 if reached.any() else None


@dataclass(frozen=True, eq=False)
class State:
    """A step of a decomposed run; ``time`` counts from 1."""

    run: DecomposedRun
    time: int

    @property
    def params(self) -> Params:
        """Those of this step."""
        return replace(self.run.params, time=self.time)

    @property
    def at(self) -> int:
        """The place of the step in the arrays of the run."""
        return self.time - 1

    @property
    def verdict(self) -> str:
        """Whether the agent's own model promises more than its plan would earn."""
        believed, real = self.run.levels[self.at, 2:]
        if abs(believed - real) < ABOUT_RIGHT:
            return "about right"
        return "too hopeful" if believed > real else "too gloomy"


def prepare(params: Params) -> Generator[float, None, DecomposedRun]:
    """Run EUBRL and take its regret apart; a generator that yields the fraction done."""
    env = params.make_env()
    agent = make_agent(
        "EUBRL",
        env,
        alpha=params.alpha,
        beta0=params.beta0,
        eta=params.eta,
        discount=params.discount,
    )
    rescale = reward_range(env)[0] < 0
    trajectory = yield from record(agent, env, params.steps, params.seed, share=0.5)
    learners_own = {}
    if params.m != THEORY:
        scale = reward_map(env, rescale=rescale).scale
        learners_own = {"m": params.m, "eta": params.eta / scale}
    values = run_values(
        trajectory,
        env,
        discount=params.discount,
        lambda_t=params.lambda_,
        rescale=rescale,
        **learners_own,
    )
    yield 0.7
    frame = decomposition(values, trajectory)
    bounds = step_bounds(values, trajectory)
    yield 0.85
    v_max, states = values.problem.v_max, trajectory.states
    holds = margins(values, trajectory, EPSILON_SHARE * v_max) >= 0
    levels = (
        values.optimal[states],
        values.auxiliary[values.moment_of_step, states],
        values.agent[values.moment_of_step, states],
        values.policy[values.policy_of_step, states],
    )
    return DecomposedRun(
        params=params,
        env=env,
        trajectory=trajectory,
        values=values,
        levels=np.column_stack(levels) / v_max,
        terms=frame[list(TERMS)].to_numpy() / v_max,
        p_u_policy=frame.p_u_policy.to_numpy(),
        p_u_optimal=frame.p_u_optimal.to_numpy(),
        resistance=frame.resistance.to_numpy(),
        bound_parts=np.column_stack([getattr(bounds, part) for part in BOUND_PARTS]) / v_max,
        events=holds[[f"A{number}" for number in range(1, 9)]].to_numpy(),
        m=schedule(values.problem, params.lambda_).m if params.m == THEORY else float(params.m),
        note=frame.attrs["note"],
    )


def view(params: Params, run: DecomposedRun) -> State:
    """Return the step; the last one where the run is shorter."""
    return State(run, min(params.time, len(run)))
