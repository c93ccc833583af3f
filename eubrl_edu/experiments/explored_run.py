"""One run, looked at closely: what an agent thought at each moment, and how well it did.

Everything about the agent's mind is its own plan at that moment (`Recording.at`). Everything it is
measured against comes from planning in the world's exact model, which the agent does not know.
"""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.agents import GuidedPlan, Plan
from eubrl_edu.agents.frequentist import CountPlan
from eubrl_edu.agents.q_learning import ActionValues
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import greedy_actions, solve
from eubrl_edu.replay import Recording


@dataclass(frozen=True)
class Optimum:
    """The best way to act in a world, found by planning in its exact model.

    Attributes
    ----------
    actions : (S, A) boolean array
        Which actions are optimal.
    path : (S,) boolean array
        States in which an optimal policy acts when it starts where episodes start.
    returns : (T + 1,) array
        Its expected sum of rewards after 0, 1, ..., T steps, new episodes included.
    """

    actions: np.ndarray
    path: np.ndarray
    returns: np.ndarray


def best_actions(q: np.ndarray) -> np.ndarray:
    """The actions that tie for the best in each state, (S, A) booleans."""
    best = np.zeros(q.shape, dtype=bool)
    for state, row in enumerate(q):
        best[state, greedy_actions(row)] = True
    return best


def find_optimum(env: TabularEnvironment, discount: float, steps: int) -> Optimum:
    """Plan in the world's exact model, and follow the distribution over its states.

    A limit on the steps of an episode is left out: no optimal policy here lives to see it.

    Parameters
    ----------
    env : TabularEnvironment
        The world.
    discount : float
        γ of the agent that is measured against it.
    steps : int
        T.

    Returns
    -------
    Optimum
    """
    model = env.model
    solution = solve(model, discount)
    every = np.arange(model.n_states)
    successors = model.successors[every, solution.policy]
    weights = model.weights[every, solution.policy]
    rewards = model.rewards[every, solution.policy]

    start = np.zeros(model.n_states)
    start[env.initial_states] = env.initial_probabilities
    ends = list(env.terminal_states)
    here, path = start, start > 0
    gains = np.empty(steps)
    for step in range(steps):
        gains[step] = here @ rewards
        flow = np.bincount(
            successors.ravel(), (here[:, None] * weights).ravel(), minlength=model.n_states
        )
        ended = flow[ends].sum()
        flow[ends] = 0.0
        here = flow + ended * start
        path = path | (here > 0)
    return Optimum(best_actions(solution.q), path, _sums(gains))


@dataclass(frozen=True)
class ExploredRun:
    """A recorded run of a named agent, with what it is measured against.

    Attributes
    ----------
    agent_name : str
        One of `AGENT_NAMES`.
    env : TabularEnvironment
        The world.
    recording : Recording
        What happened, and every moment of it.
    returns : (T + 1,) array
        Sum of the rewards after 0, 1, ..., T steps.
    optimum : Optimum
        The best there is.
    """

    agent_name: str
    env: TabularEnvironment
    recording: Recording
    returns: np.ndarray
    optimum: Optimum

    @classmethod
    def of(cls, agent_name: str, env: TabularEnvironment, recording: Recording) -> "ExploredRun":
        """Measure a recorded run."""
        discount = recording.checkpoints[0][0].discount
        returns = _sums(recording.trajectory.rewards)
        return cls(agent_name, env, recording, returns, find_optimum(env, discount, len(recording)))

    def __len__(self) -> int:
        return len(self.recording)

    def at(self, time: int) -> "ExplorationState":
        """Return all there is to see at ``time``, from 0 to T."""
        moment = self.recording.at(time)
        past = self.recording.trajectory
        visits = np.zeros((self.env.n_states, self.env.n_actions), dtype=np.int64)
        np.add.at(visits, (past.states[:time], past.actions[:time]), 1)
        plan = moment.agent.current_plan
        return ExplorationState(
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
class ExplorationState:
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
        """What who knows the world would have by now, on average."""
        return float(self.run.optimum.returns[self.time])

    @property
    def visited_pairs(self) -> tuple[int, int]:
        """How many pairs were tried, and of how many that can be reached."""
        reachable = reachable_states(self.run.env)
        return int((self.visits > 0).sum()), int(reachable.sum()) * self.visits.shape[1]

    @property
    def right_on_path(self) -> tuple[int, int]:
        """In how many states on the best path each greedy action is optimal, and of how many."""
        optimum = self.run.optimum
        right = ~(self.greedy & ~optimum.actions).any(axis=1)
        return int((right & optimum.path).sum()), int(optimum.path.sum())


def reachable_states(env: TabularEnvironment) -> np.ndarray:
    """States in which an agent can ever have to act, (S,) booleans."""
    model = env.model
    reachable = np.zeros(model.n_states, dtype=bool)
    frontier = {int(state) for state in env.initial_states}
    while frontier:
        state = frontier.pop()
        reachable[state] = True
        possible = model.successors[state][model.weights[state] > 0]
        frontier |= {int(s) for s in possible if not reachable[s]}
    reachable[list(env.terminal_states)] = False
    return reachable


def _sums(rewards: np.ndarray) -> np.ndarray:
    return np.concatenate([[0.0], np.cumsum(rewards)])
