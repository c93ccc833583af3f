"""Small random worlds with rewards in [0, R_max], and recorded runs in them."""

import numpy as np

import eubrl_edu as eu
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment


class RandomWorld(TabularEnvironment):
    """Every pair leads to a few states at random and pays 0 or R_max by a coin of its own."""

    def __init__(self, n_states, n_actions, seed, r_max=1.0, reach=3):
        rng = np.random.default_rng(seed)
        self.r_max = r_max
        self._to = rng.integers(n_states, size=(n_states, n_actions, reach))
        self._weights = rng.dirichlet(np.ones(reach), size=(n_states, n_actions))
        self._pays = rng.random((n_states, n_actions))
        super().__init__(n_states, n_actions)

    def outcomes(self, state, action):
        chance = self._pays[state, action]
        for to, weight in zip(self._to[state, action], self._weights[state, action], strict=True):
            yield Outcome(weight * chance, int(to), self.r_max)
            yield Outcome(weight * (1 - chance), int(to), 0.0)


def run_of(name, env, steps, seed=0, discount=0.9, eta=None, plan_every=1):
    """A recorded run of EUBRL under the learner's η, or of the frequentist instance."""
    if name == "frequentist":
        agent = FrequentistEUBRL(
            env.n_states, env.n_actions, lambda t: eta, r_max=float(env.outcome_rewards.max()),
            discount=discount, plan_every=plan_every, terminal_states=env.terminal_states,
        )  # fmt: skip
    else:
        extra = {} if eta is None else {"eta": eta}
        if plan_every != 1:  # the default, which agents that plan by themselves do not take
            extra["plan_every"] = plan_every
        agent = eu.make_agent(name, env, discount=discount, **extra)
    return eu.simulate(agent, env, steps, seed=seed, record_plans=True)


def least_likely(run, world) -> np.ndarray:
    """For each step of a run the next state that is least likely there, but possible."""
    chances = world.model.transition_matrix()[run.states, run.actions]
    return np.where(chances > 0, chances, np.inf).argmin(axis=1)
