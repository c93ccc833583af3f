"""One child process of a test: arrays replaced after they were checked, each noted first.

    python -m tests.engine.replaced_arrays

A line for each replacement goes out before the run and its end after it, so that a crash of the
whole process is traced to the array that caused it.
"""

from operator import attrgetter

import numpy as np

import eubrl_edu as eu
from eubrl_edu import engine, planning
from eubrl_edu.planning.capped import solve_capped
from eubrl_edu.success import SuccessRule, SuccessWatch

WORLD = (
    "env.outcome_states", "env.outcome_probabilities", "env.outcome_rewards",
    "env.reward_deviations", "env.initial_states", "env.initial_probabilities",
)  # fmt: skip
RULE = ("rule.states", "rule.right_actions")
BELIEF = (
    "agent.belief.transitions.visits", "agent.belief.transitions.table.successors",
    "agent.belief.transitions.table.listed", "agent.belief.rewards.n", "agent.belief.rewards.mean",
)  # fmt: skip
PREDICTIVE = tuple(
    f"agent.predictive.{name}" for name in
    ("weights", "background", "mean_reward", "transition_uncertainty", "reward_uncertainty")
)  # fmt: skip
COUNTS = (
    "agent.table.successors", "agent.table.listed", "agent.counts", "agent.visits",
    "agent.reward_sums",
)  # fmt: skip
INDEPENDENT = "agent.belief.transitions.counts"
TIED = "agent.belief.transitions.displacement_counts"
RUNS = {
    ("EUBRL", "deepsea"): (*WORLD, *RULE, *BELIEF, INDEPENDENT, *PREDICTIVE),
    ("PSRL", "deepsea"): (*WORLD, *BELIEF, INDEPENDENT),
    ("RMAX", "lazychain"): (*WORLD, *COUNTS),
    ("UCBVI-gamma", "lazychain"): ("agent.q", *COUNTS),
    ("EUBRL-tied", "lazychain"): (*WORLD, *BELIEF, TIED),
}  # fmt: skip
MODEL = ("model.successors", "model.weights", "model.background", "model.rewards")
SOLVERS = {
    "solve": lambda model: planning.solve(model, 0.9),
    "solve_horizon": lambda model: planning.solve_horizon(model, 3, 0.9),
    "solve_capped": lambda model: solve_capped(model, 0.9, 1.0),
}


class Things:
    """A world, an agent in it and what it is judged by; the world's model."""

    def __init__(self, agent, world):
        self.env = eu.make_env(world, 3, stochastic=True)
        self.agent = eu.make_agent(agent, self.env)
        states = np.arange(3)
        self.rule = SuccessRule(states=states, right_actions=states % 2)
        self.model = self.env.model

    def run(self):
        """Through the engine, until the rule says so."""
        watch = SuccessWatch(self.rule, self.agent)
        return engine.simulate(self.agent, self.env, 500, seed=0, until=watch)

    def step(self):
        """Through the classes."""
        return eu.simulate(self.agent, self.env, 50, seed=0)


def misshapen(array):
    """Arrays of other shapes than the place's."""
    for axis in range(array.ndim):
        yield np.take(array, range(array.shape[axis] - 1), axis)
        yield np.take(array, [], axis)
        yield np.repeat(array, 2, axis)
    yield array[..., None]
    yield array.reshape(-1)[0]


def strange(array):
    """Arrays of other kinds of number, and what is no array."""
    yield array.astype(np.float32 if array.dtype.kind == "f" else float)
    yield array.astype(object)
    yield None


def nonsense(array):
    """Arrays that fit, and hold what they should not."""
    if array.dtype.kind == "f":
        return [np.full_like(array, value) for value in (np.nan, np.inf, -1.0, 0.0, 1e308)]
    return [np.full_like(array, value) for value in (-1, 1, 99, 2**62, -(2**62))]


def put(things, path, value):
    """Put a value where a dotted path leads, even in a frozen object."""
    *owners, name = path.split(".")
    vars(attrgetter(".".join(owners))(things))[name] = value


def cases():
    """What is replaced, by what kind of thing, and the call that then follows."""
    for (agent, world), paths in RUNS.items():
        for path in paths:
            for call in ("run", "step"):
                yield agent, world, path, call
    for path in MODEL:
        for solver in SOLVERS:
            yield "EUBRL", "deepsea", path, solver


def live(agent, world, path, call, kind, number):
    """Replace one array, and call; how it ended."""
    things = Things(agent, world)
    put(things, path, list(kind(attrgetter(path)(things)))[number])
    try:
        SOLVERS[call](things.model) if call in SOLVERS else getattr(things, call)()
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("\n", " ")
    return "ok"


if __name__ == "__main__":
    for case in cases():
        agent, world, path, call = case
        array = attrgetter(path)(Things(agent, world))
        # In the classes other kinds of number are compiled for, which takes half a minute each.
        for kind in (misshapen, nonsense, strange)[: 2 if call == "step" else 3]:
            for number in range(len(list(kind(array)))):
                print(*case, kind.__name__, number, flush=True)
                print(live(*case, kind, number), flush=True)
