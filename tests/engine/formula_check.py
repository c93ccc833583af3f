"""What class, agent and engine make of the formulas, as numbers: run by `test_edited_formulas`.

Nothing is solved and no whole run is compiled: only what turns a belief into rewards to plan with.
"""

import sys

import numpy as np

import eubrl_edu as eu
from eubrl_edu.agents import EQO, FrequentistEUBRL, UCBVIGamma
from eubrl_edu.engine import learning, state
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.planning import Solution
from eubrl_edu.uncertainty.predictive import PosteriorPredictive

PAIRS = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)]
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
    if name == "UCBVI-gamma":
        return UCBVIGamma(5, 2, eta=0.7, discount=0.5)
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


def by_engine(agent, world, transitions) -> np.ndarray:
    """The same, learned and computed by the engine's functions."""
    knowledge, tables = state.learning_state(agent, world)
    learner = state.learner_state(agent)
    if learner.kind >= state.OPTIMISTIC:
        for transition in transitions:
            learning.count(learner, knowledge, tables, *transition)
        if learner.kind == state.BERNSTEIN:
            learning.back_up(learner, knowledge, tables, np.zeros(5, bool))
            return tables.q
        return tables.rewards
    for transition in transitions:
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


def check(name: str, rewards: str) -> float:
    """Return the sum of what all three say; raise where they differ."""
    world = Walk()
    transitions = [(s, a, float((s + a) % 2), (2 * s + a) % 3) for s, a in PAIRS for _ in range(2)]
    compiled = by_engine(made(name, rewards), world, transitions)
    agent, witness = made(name, rewards), made(name, rewards)
    for transition in transitions:
        agent.learn(*transition)
        witness.learn(*transition)
        if hasattr(agent, "predictive"):
            agent.predictive.refresh()  # one pair at a time, compiled
    if hasattr(witness, "predictive"):
        measure = witness.predictive.mutual_information
        plain = PosteriorPredictive(witness.belief, measure)  # all at once
        for table in ("weights", "mean_reward", "transition_uncertainty", "reward_uncertainty"):
            np.testing.assert_array_equal(getattr(agent.predictive, table), getattr(plain, table))
        believed = witness.belief.mean_mdp()
        np.testing.assert_array_equal(believed.weights, plain.weights)
        np.testing.assert_array_equal(believed.rewards, plain.mean_reward)
        witness.predictive = plain
    np.testing.assert_array_equal(by_class(agent), by_class(witness))
    np.testing.assert_array_equal(compiled, by_class(agent))
    weights = agent.predictive.weights.sum() if hasattr(agent, "predictive") else 0.0
    return float(compiled.sum() + weights)


if __name__ == "__main__":
    for arguments in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        print(repr(check(*arguments)))
