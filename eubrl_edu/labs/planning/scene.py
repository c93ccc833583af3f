"""Value iteration and policy iteration, step by step, in a small world with or without unknowns."""

from dataclasses import dataclass, replace

import numpy as np

from eubrl_edu.environments import make_env
from eubrl_edu.labs.settings import Settings, dropdown, int_slider, slider
from eubrl_edu.mdp import MDP
from eubrl_edu.planning import bellman_residual, greedy_policy, q_values, solve
from eubrl_edu.planning.policy_iteration import improved_policies

MOST_SWEEPS = 100
CORRIDOR_CELLS = 8
UNTRIED = ("none", "one", "all")


@dataclass(frozen=True)
class World:
    """A world to plan in.

    Attributes
    ----------
    model : MDP
    actions : tuple of str
        How a picture writes them.
    states : tuple of str
    untried_pair : (int, int)
        The pair (s, a) that is unknown where only one is.
    """

    model: MDP
    actions: tuple[str, ...]
    states: tuple[str, ...]
    untried_pair: tuple[int, int]


def corridor() -> MDP:
    """Cells in a row, action 0 goes left, 1 right; to enter the last one pays 1 and ends it."""
    goal = CORRIDOR_CELLS - 1
    cells = np.arange(CORRIDOR_CELLS)
    successors = np.stack([np.maximum(cells - 1, 0), np.minimum(cells + 1, goal)], axis=1)
    successors[goal] = goal
    rewards = np.zeros((CORRIDOR_CELLS, 2))
    rewards[goal - 1, 1] = 1.0
    weights = np.ones((CORRIDOR_CELLS, 2, 1))
    return MDP(successors[..., None], weights, np.zeros_like(rewards), rewards, (goal,))


def _numbers(n_states: int) -> tuple[str, ...]:
    return tuple(map(str, range(n_states)))


WORLDS = {
    "corridor": World(corridor(), ("←", "→"), (*_numbers(CORRIDOR_CELLS - 1), "goal"), (3, 1)),
    "chain": World(make_env("chain").model, ("←", "→"), _numbers(5), (3, 1)),
    "2 loops": World(make_env("loop", size=2).model, ("a₀", "a₁"), _numbers(9), (8, 1)),
}


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `PlanningLab` stand."""

    world: str = dropdown("corridor", WORLDS, "world", "Where to plan", width="12em")
    sweeps: int = int_slider(
        0, 0, MOST_SWEEPS, "sweeps k", "How many times every state was updated", width="300px"
    )
    discount: float = slider(
        0.9, 0.5, 0.98, "γ", "How much a reward that comes one step later counts", step=0.01
    )
    untried: str = dropdown(
        "none", UNTRIED, "untried", "Which pairs of state and action were never tried", width="9em"
    )
    worth: float = slider(
        0.0, 0.0, 2.0, "worth", "What an untried pair is taken to pay, in units of reward"
    )


@dataclass(frozen=True)
class State:
    """What a `PlanningLab` shows; row k of the arrays is after k sweeps, or k policies.

    Attributes
    ----------
    optimal : (S,) array
        V*.
    swept : (K + 1, S) array
        V_k of value iteration from V_0 = 0.
    greedy : (S,) integer array
        The greedy policy of the values that are shown.
    residuals, errors : (K + 1,) arrays
        Bellman residual of V_k, and its true error sup_s |V_k(s) − V*(s)|.
    evaluated : (M + 1, S) array
        Row k has the values of the k-th policy of policy iteration; row 0 is 0.
    policies : (M, S) integer array
        The policies.
    policy_errors : (M + 1,) array
        Their true errors.
    """

    params: Params
    world: World
    optimal: np.ndarray
    swept: np.ndarray
    residuals: np.ndarray
    errors: np.ndarray
    greedy: np.ndarray
    evaluated: np.ndarray
    policies: np.ndarray
    policy_errors: np.ndarray

    def arrows(self, policy: np.ndarray) -> list[str]:
        """The actions of a policy as a picture writes them, with ? where one was never tried."""
        model, unknown = self.world.model, untried_pairs(self.world, self.params.untried)
        return [
            ""
            if state in model.terminal_states
            else self.world.actions[action] + ("?" if unknown[state, action] else "")
            for state, action in enumerate(policy)
        ]

    @property
    def n_policies(self) -> int:
        """How many policies had been evaluated when nothing improved any more."""
        return len(self.policies)

    @property
    def at_policy(self) -> int:
        """The policy to show beside the present sweep."""
        return min(self.params.sweeps, self.n_policies)


def compute(params: Params) -> State:
    """Sweep `MOST_SWEEPS` times, and improve policies until nothing improves."""
    world = WORLDS[params.world]
    model = with_untried(world, params.untried, params.worth)
    optimal = solve(model, params.discount).v
    swept = [np.zeros(model.n_states)]
    for _ in range(MOST_SWEEPS):
        swept.append(q_values(model, swept[-1], params.discount).max(axis=1))
    unimproved = np.zeros(model.n_states, dtype=np.int64)
    policies, values = zip(*improved_policies(model, params.discount, unimproved), strict=True)
    evaluated = np.array([swept[0], *values])
    shown = swept[min(params.sweeps, MOST_SWEEPS)]
    return State(
        params,
        world,
        optimal,
        np.array(swept),
        np.array([bellman_residual(model, values, params.discount) for values in swept]),
        np.abs(np.array(swept) - optimal).max(axis=1),
        greedy_policy(q_values(model, shown, params.discount)),
        evaluated,
        np.array(policies),
        np.abs(evaluated - optimal).max(axis=1),
    )


def with_untried(world: World, untried: str, worth: float) -> MDP:
    """The mean MDP of an agent that knows the world but for some pairs, which it never tried.

    With no visit, (α + n(s,a,s')) / (αS + n(s,a)) is 1/S: an untried pair leads everywhere,
    uniformly. All its probability is in the background.

    Parameters
    ----------
    world : World
    untried : {"none", "one", "all"}
        Which pairs; an end of an episode stays known.
    worth : float
        What the agent takes the reward of an untried pair for.
    """
    model, unknown = world.model, untried_pairs(world, untried)
    return replace(
        model,
        weights=np.where(unknown[..., None], 0.0, model.weights),
        background=np.where(unknown, 1 / model.n_states, model.background),
        rewards=np.where(unknown, worth, model.rewards),
    )


def untried_pairs(world: World, untried: str) -> np.ndarray:
    """Which pairs were never tried, as an (S, A) array of truth values."""
    unknown = np.full(world.model.rewards.shape, untried == "all")
    unknown[world.untried_pair] = untried != "none"
    unknown[list(world.model.terminal_states)] = False
    return unknown
