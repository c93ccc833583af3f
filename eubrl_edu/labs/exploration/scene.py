"""One run, looked at closely: what an agent thought at each moment, and how well it did.

Everything about the agent's mind is its own plan at that moment (`Recording.at`). Everything it is
measured against comes from planning in the world's exact model, which the agent does not know.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from eubrl_edu.agents import Agent, GuidedPlan, Plan
from eubrl_edu.agents.frequentist import CountPlan
from eubrl_edu.agents.q_learning import ActionValues
from eubrl_edu.environments.reach import reachable_states
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import make_agent
from eubrl_edu.experiments.agents import make_own_agent
from eubrl_edu.experiments.cells import used_by
from eubrl_edu.labs.optimum import Optimum, best_actions, find_optimum, running_sum
from eubrl_edu.labs.own import RAISED, OwnAgent, OwnCodeFailed, own_among, world_of_its_own
from eubrl_edu.labs.settings import dropdown, int_slider, setting
from eubrl_edu.labs.slices import SoFar
from eubrl_edu.labs.world_controls import WorldParams, seed_number
from eubrl_edu.labs.world_settings import LAB_AGENTS, PLAN_EVERY, TUNED
from eubrl_edu.names import require_choice
from eubrl_edu.replay import Recorder, Recording
from eubrl_edu.uncertainty import MEASURES
from eubrl_edu.validation import require_positive_int


def require_explorer(name: str, agent: str | OwnAgent) -> None:
    """Raise ``ValueError`` for an unknown name, or for an agent that cannot be watched."""
    if not isinstance(agent, OwnAgent):
        require_choice(name, agent, LAB_AGENTS)


@dataclass(frozen=True)
class Params(WorldParams):
    """A run and a moment of it; world and agent may be one's own."""

    agent: str | OwnAgent = setting(
        "EUBRL",
        "Dropdown",
        require_explorer,
        "agent",
        "Which agent explores",
        width="12em",
        options=lambda start: [*LAB_AGENTS, *own_among([start.agent])],
    )
    uncertainty: str = dropdown(
        "variance", MEASURES, "measure", "How epistemic uncertainty is measured", width="16em"
    )
    plan_every: int = setting(
        1,
        "Dropdown",
        require_positive_int,
        "plan every",
        "Steps from one plan to the next",
        width="12em",
        options=PLAN_EVERY,
    )
    seed: int = seed_number("Seed of all chance: the same seed, the same run")
    time: int = int_slider(
        0,
        0,
        lambda start: max(start.steps, 1),
        "time",
        "The moment to look at: steps taken so far",
        width="36em",
    )

    def make_agent(self, env: TabularEnvironment) -> Agent:
        """The agent, as it is at first."""
        if isinstance(self.agent, OwnAgent):
            return make_own_agent(self.agent.name, self.agent.make, env)
        settings = {name: getattr(self, name) for name in TUNED}
        return make_agent(self.agent, env, **used_by(self.agent, settings))


@dataclass(frozen=True)
class ExploredRun:
    """A recorded run of a named agent, with what it is measured against.

    Attributes
    ----------
    params : Params
        Those of a run of this length.
    env : TabularEnvironment
        The world.
    recording : Recording
        What happened, and every moment of it.
    returns : (T + 1,) array
        Sum of the rewards after 0, 1, ..., T steps.
    optimum : Optimum
        The best there is.
    reward_range : (float, float)
        Room for all rewards and bonuses of the run: what the world pays, 0, and E_max at first.
    """

    params: Params
    env: TabularEnvironment
    recording: Recording
    returns: np.ndarray
    optimum: Optimum
    reward_range: tuple[float, float]

    @classmethod
    def of(cls, params: Params, env: TabularEnvironment, recording: Recording) -> "ExploredRun":
        """Measure a recorded run, which may have been stopped before its last step."""
        params = replace(params, steps=len(recording))
        discount = recording.checkpoints[0][0].discount
        returns = running_sum(recording.trajectory.rewards)
        optimum = find_optimum(env, discount, len(recording))
        first = getattr(recording.at(0).agent.current_plan, "max_uncertainty", 0.0)
        most = max(0.0, env.outcome_rewards.max(), first)
        least = min(0.0, env.outcome_rewards.min())
        return cls(params, env, recording, returns, optimum, (float(least), float(most)))

    @property
    def agent_name(self) -> str:
        """One of `AGENT_NAMES`, or that of an agent of one's own."""
        return str(self.params.agent)

    def __len__(self) -> int:
        return len(self.recording)

    def at(self, time: int) -> "State":
        """Return all there is to see at ``time``, from 0 to T."""
        moment = self.recording.at(time)
        past = self.recording.trajectory
        visits = np.zeros((self.env.n_states, self.env.n_actions), dtype=np.int64)
        np.add.at(visits, (past.states[:time], past.actions[:time]), 1)
        plan = moment.agent.current_plan
        return State(
            run=self,
            time=time,
            state=moment.state,
            action=moment.action,
            plan=plan,
            visits=visits,
            # At the very end the last episode may just have ended: it is still that one.
            episode=1 + int(past.episode_ends[: min(time, len(self) - 1)].sum()),
            greedy=best_actions(plan.q),
        )


@dataclass(frozen=True)
class State:
    """What there is to see at one moment of a run.

    Attributes
    ----------
    run : ExploredRun
        The run that it belongs to.
    time : int
        Steps taken.
    state : int
        Where the agent is.
    action : int or None
        What it is about to do; None at the end of the run.
    plan : Plan or ActionValues
        What it acts on: its own plan in force, or the values of an agent that never plans.
    visits : (S, A) integer array
        How often it took each action in each state.
    episode : int
        Which episode it is in, from 1.
    greedy : (S, A) boolean array
        The actions that tie for the best in its plan.
    """

    run: ExploredRun
    time: int
    state: int
    action: int | None
    plan: Plan | ActionValues
    visits: np.ndarray
    episode: int
    greedy: np.ndarray

    @property
    def params(self) -> Params:
        """Those of this moment."""
        return replace(self.run.params, time=self.time)

    @property
    def modelled(self) -> Plan | None:
        """The plan if it was made in a model, with rewards of its own, else None."""
        return self.plan if isinstance(self.plan, Plan) else None

    @property
    def guided(self) -> GuidedPlan | CountPlan | None:
        """The plan if it has uncertainty and guidance, else None."""
        return self.plan if isinstance(self.plan, GuidedPlan | CountPlan) else None

    @property
    def total_return(self) -> float:
        """Sum of the rewards so far."""
        return float(self.run.returns[self.time])

    @property
    def optimal_return(self) -> float:
        """What an agent that knew the world would have earned by now, on average."""
        return float(self.run.optimum.returns[self.time])

    @property
    def visited_pairs(self) -> tuple[int, int]:
        """How many pairs were tried, and of how many that can be reached."""
        reachable = reachable_states(self.run.env)
        return int((self.visits > 0).sum()), int(reachable.sum()) * self.visits.shape[1]

    @property
    def right_on_path(self) -> tuple[int, int]:
        """In how many states on the best way each greedy action is optimal, and of how many.

        Where there are several best ways, on that which the agent takes.
        """
        optimal = self.run.optimum.actions
        right = ~(self.greedy & ~optimal).any(axis=1)
        taken = np.where(right[:, None], self.greedy, optimal)
        on_way = reachable_states(self.run.env, taken)
        return int((right & on_way).sum()), int(on_way.sum())


def prepare(params: Params) -> Generator[SoFar, None, ExploredRun]:
    """Run the agent step by step; what it has done by then can be looked at on the way."""
    env, name = world_of_its_own(params), str(params.agent)
    with _own_code_fails(params, f"{name}: when it was made"):
        agent = params.make_agent(env)
    if not hasattr(agent, "current_plan"):
        raise ValueError(
            f"agent {name} makes no plan, so there is nothing to look into; RaceLab shows what it"
            " does"
        )
    if getattr(agent, "horizon", None) is not None:
        raise ValueError(
            f"agent {name} must have no horizon: its plan would be different at each step"
        )
    recorder = Recorder(agent, env, params.seed)

    def so_far() -> ExploredRun:
        with _own_code_fails(params, f"{name}: when its plan was looked into"):
            return ExploredRun.of(params, env, recorder.recording())

    for taken in range(1, params.steps + 1):
        with _own_code_fails(params, f"{name}: at step {taken}"):
            recorder.advance()
        yield SoFar(taken / params.steps, so_far)
    return so_far()


def view(params: Params, run: ExploredRun) -> State:
    """Return the moment, lived again; the last one if the run is shorter."""
    try:
        with _own_code_fails(params, f"{run.agent_name}: when its plan was looked into"):
            return run.at(min(params.time, len(run)))
    except RuntimeError as error:  # an agent of one's own cannot be lived again
        raise ValueError(str(error)) from error


@contextmanager
def _own_code_fails(params: Params, where: str) -> Generator[None, None, None]:
    """Answer what an agent of one's own raises; the package's own errors stay as they are."""
    try:
        yield
    except RAISED as error:
        if not isinstance(params.agent, OwnAgent):
            raise
        raise OwnCodeFailed(where, error) from error
