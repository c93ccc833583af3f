"""The long work of the exploration lab: a run that can be stopped, and looked at up to there."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

import gymnasium

from eubrl_edu.environments import make_env
from eubrl_edu.environments.registry import FIXED_SIZES
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import make_agent
from eubrl_edu.experiments.explored_run import ExploredRun
from eubrl_edu.labs.exploration_settings import MOST_STEPS
from eubrl_edu.replay import Recorder
from eubrl_edu.validation import require_positive_int


@dataclass(frozen=True)
class ExplorationParams:
    """A run and a moment of it; the world may be an environment of one's own."""

    world: str | gymnasium.Env = "loop"
    size: int = 2
    stochastic: bool = False
    agent: str = "EUBRL"
    alpha: float = 1e-8
    beta0: float = 1e-4
    eta: float = 0.5
    uncertainty: str = "variance"
    plan_every: int = 1
    seed: int = 0
    steps: int = 1000
    time: int = 0

    def make_env(self) -> TabularEnvironment:
        """The world."""
        if isinstance(self.world, gymnasium.Env):
            return make_env(self.world)
        return make_env(
            self.world,
            size=None if self.world in FIXED_SIZES else self.size,
            stochastic=self.stochastic,
        )


class ExplorationRun(Generator):
    """A run under way: yields the fraction done, and can be looked at before it is finished."""

    def __init__(self, params: ExplorationParams) -> None:
        self.params = params
        self.recorder: Recorder | None = None
        self.steps_taken = 0

    def so_far(self) -> ExploredRun | None:
        """Return the run up to now; None before the first step."""
        recording = self.recorder.recording() if self.recorder else None
        if recording is None:
            return None
        return ExploredRun.of(self.params.agent, self.env, recording)

    def send(self, value: Any) -> float:
        """Take a step of the agent."""
        if self.recorder is None:
            self._start()
        elif self.steps_taken == self.params.steps:
            raise StopIteration(self.so_far())
        self.recorder.advance()
        self.steps_taken += 1
        return self.steps_taken / self.params.steps

    def throw(self, *exception: Any) -> None:
        """Be ended: there is nothing to put away."""
        raise exception[0]

    def _start(self) -> None:
        params = self.params
        steps = require_positive_int("steps", params.steps)
        if steps > MOST_STEPS:
            raise ValueError(f"steps must be from 1 to {MOST_STEPS}, got {steps}")
        seed = require_positive_int("seed", params.seed, at_least=0)
        self.env = params.make_env()
        agent = make_agent(
            params.agent,
            self.env,
            alpha=params.alpha,
            beta0=params.beta0,
            eta=params.eta,
            uncertainty=params.uncertainty,
            plan_every=params.plan_every,
        )
        self.recorder = Recorder(agent, self.env, seed)
