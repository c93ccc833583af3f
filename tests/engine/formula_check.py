"""What class, agent and engine make of the formulas, as numbers: run by `test_edited_formulas`.

Nothing is solved and no whole run is compiled: only what turns a belief into rewards to plan with.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import CodeType

import numpy as np

import eubrl_edu as eu
from eubrl_edu.agents import EQO, FrequentistEUBRL, UCBVIGamma
from eubrl_edu.engine import learning, state
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import Solution
from eubrl_edu.uncertainty.predictive import PosteriorPredictive

PAIRS = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
TRANSITIONS = [(s, a, float((s + a) % 2), (2 * s + a) % 3) for s, a in PAIRS for _ in range(2)]
REWARDS = {
    "normal-gamma": lambda: eu.NormalGammaRewards(5, 2, mu0=0.2, lambda0=0.3),
    "normal": lambda: eu.NormalRewards(5, 2, mu0=0.1, tau0=0.4, tau=1.5),
    "bernoulli": lambda: eu.BetaBernoulliRewards(5, 2, alpha0=0.5, beta0=1.5),
    "tied": lambda: eu.NormalRewards(5, 2),
}


class Walk(TabularEnvironment):
    """No step leads further than to the next state, as a tied prior expects."""

    def __init__(self):
        super().__init__(n_states=5, n_actions=2)

    def outcomes(self, state, action):
        """One up, as far as it goes."""
        yield Outcome(1.0, min(state + 1, 4), 0.0)


def made(name: str, rewards: str):
    """An agent that has seen nothing yet."""
    if name == "MBIE-EB":
        return eu.MBIEEB(5, 2, eta=0.7)
    if name == "EQO":
        return EQO(5, 2, eta=0.7)
    if name == "frequentist":
        return FrequentistEUBRL(5, 2, eta=0.7)
    if name == "UCBVI-gamma":  # η so small that no value is capped
        return UCBVIGamma(5, 2, eta=0.02, discount=0.5)
    prior = eu.TiedDirichletTransitions if rewards == "tied" else eu.DirichletTransitions
    belief = eu.Belief(prior(5, 2, alpha=0.3), REWARDS[rewards]())
    if name in ("Mean-MDP", "BEB", "VBRB"):
        return {"Mean-MDP": eu.MeanMDP, "BEB": eu.BEB, "VBRB": eu.VBRB}[name](belief)
    if name == "without shrinkage":
        return eu.EUBRL(belief, eta=0.7, shrinkage=False)
    return eu.EUBRL(belief, eta=0.7, uncertainty=name)


def by_class(agent) -> np.ndarray:
    """The rewards that the agent plans with; its plan is not solved, unless that is one step."""
    if isinstance(agent, UCBVIGamma):
        return agent.plan().q
    agent.solve = lambda model: Solution(np.zeros((5, 2)), np.zeros(5), np.zeros(5, int), 0, 0.0)
    return agent.plan().model.rewards


def by_engine(agent, world) -> np.ndarray:
    """The same, learned and computed by the engine's functions."""
    knowledge, tables = state.learning_state(agent, world)
    learner = state.learner_state(agent)
    if learner.kind >= state.OPTIMISTIC:
        for transition in TRANSITIONS:
            learning.count(learner, knowledge, tables, *transition)
        if learner.kind == state.BERNSTEIN:
            learning.back_up(learner, knowledge, tables, np.zeros(5, bool))
            return tables.q
        return tables.rewards
    for transition in TRANSITIONS:
        learning.learn(knowledge, *transition)
    for pair in np.ndindex(5, 2):
        learning.refresh_pair(learner, knowledge, tables, *pair)
    learning.set_planning_rewards(
        learner.kind in (state.GUIDED, state.GUIDED_BY_COUNT),
        learner.shrinkage,
        tables.mean_reward,
        tables.bonus,
        tables.max_uncertainty,
        tables.rewards,
    )
    return tables.rewards


def that_has_learned(name: str, rewards: str):
    """An agent after all transitions; of what it computes from its belief nothing is compiled."""
    agent = made(name, rewards)
    for transition in TRANSITIONS:
        agent.learn(*transition)
    if hasattr(agent, "predictive"):
        measure = agent.predictive.mutual_information
        agent.predictive = PosteriorPredictive(agent.belief, measure)  # all pairs at once
    return agent


def in_short(agent, rewards: np.ndarray) -> float:
    """One number for what an agent plans with."""
    weights = agent.predictive.weights.sum() if hasattr(agent, "predictive") else 0.0
    return float(rewards.sum() + weights)


def by_class_alone(name: str, rewards: str) -> float:
    """What the class says, in short."""
    agent = that_has_learned(name, rewards)
    return in_short(agent, by_class(agent))


def check(name: str, rewards: str) -> float:
    """Return what all three say, in short; raise where they differ."""
    compiled = by_engine(made(name, rewards), Walk())
    agent, plain = made(name, rewards), that_has_learned(name, rewards)
    for transition in TRANSITIONS:
        agent.learn(*transition)
        if hasattr(agent, "predictive"):
            agent.predictive.refresh()  # one pair at a time, compiled
    if hasattr(plain, "predictive"):
        for table in ("weights", "mean_reward", "transition_uncertainty", "reward_uncertainty"):
            known, found = (getattr(each.predictive, table) for each in (plain, agent))
            np.testing.assert_array_equal(found, known)
        believed = plain.belief.mean_mdp()
        np.testing.assert_array_equal(believed.weights, plain.predictive.weights)
        np.testing.assert_array_equal(believed.rewards, plain.predictive.mean_reward)
    np.testing.assert_array_equal(by_class(agent), by_class(plain))
    np.testing.assert_array_equal(compiled, by_class(agent))
    return in_short(agent, compiled)


@contextmanager
def taken_back(place: str, name: str, source: str) -> Iterator[None]:
    """Let the class have this formula as ``source`` has it; what is compiled stays as it is."""
    module = import_module("eubrl_edu." + place.removesuffix(".py").replace("/", "."))
    codes = compile(source, place, "exec").co_consts
    (before,) = (code for code in codes if isinstance(code, CodeType) and code.co_name == name)
    function = getattr(module, name)
    edited, function.__code__ = function.__code__, before
    try:
        yield
    finally:
        function.__code__ = edited


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    said = [check(*each) for each in asked["checks"]]
    without = []
    for place, name, *agent in asked["formulas"]:
        with taken_back(place, name, Path(asked["unedited"], place).read_text(encoding="utf-8")):
            without.append(by_class_alone(*agent))
    print(json.dumps([said, without, [by_class_alone(*each) for each in asked["checks"]]]))
