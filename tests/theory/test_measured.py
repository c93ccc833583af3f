import itertools

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.agents import BEETLE, Plan, PlanningAgent, UnknownDynamics
from eubrl_edu.agents.beetle import _plan_offline
from eubrl_edu.agents.q_learning import QLearning
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from tests.theory.worlds import RandomWorld, run_of

DISCOUNT = 0.9


class AtLeastOne(TabularEnvironment):
    """One state; one action pays 1, the other 2."""

    def __init__(self):
        super().__init__(n_states=1, n_actions=2)

    def outcomes(self, state, action):
        yield Outcome(1.0, 0, 1.0 + action)


def dense_values(world, policy, discount=DISCOUNT):
    states = np.arange(world.n_states)
    transitions = world.model.transition_matrix()[states, policy]
    return np.linalg.solve(
        np.eye(world.n_states) - discount * transitions, world.model.rewards[states, policy]
    )


@pytest.mark.parametrize(
    "name",
    [
        "EUBRL", "EUBRL-MI", "PSRL", "BOSS", "RMAX", "MBIE-EB", "BEB", "VBRB", "BEETLE",
        "Mean-MDP", "EQO", "UCBVI-gamma",
    ],
)  # fmt: skip
def test_regret_of_any_agent_is_what_dense_algebra_says(name):
    world = RandomWorld(4, 2, seed=1)
    if name == "BEETLE":  # its plan beforehand takes long by default
        dynamics = UnknownDynamics.independent(world.model.successors, world.successor_rewards)
        values = _plan_offline(dynamics, 1.0, DISCOUNT, n_histories=4, iterations=5)
        run = eu.simulate(BEETLE(values), world, 60, seed=0, record_plans=True)
    else:
        run = run_of(name, world, steps=60, discount=DISCOUNT)
    best = np.max([dense_values(world, p) for p in itertools.product(range(2), repeat=4)], axis=0)
    found = theory.regret(run, world, discount=DISCOUNT)
    for step, plan in enumerate(run.plans):
        policy = plan.q.argmax(axis=1)
        policy[run.states[step]] = run.actions[step]
        expected = best[run.states[step]] - dense_values(world, policy)[run.states[step]]
        assert found[step] == pytest.approx(expected, abs=1e-9)
    for epsilon in (0.01, 0.1, 1.0):
        count = theory.sample_complexity(run, world, epsilon=epsilon, discount=DISCOUNT)
        assert count == (found > epsilon).sum()


class Planned(PlanningAgent):
    """Acts by these values for ever."""

    def __init__(self, world, q):
        super().__init__(DISCOUNT)
        self.world, self.q = world, np.array(q)

    def plan(self, rng=None):
        values = self.q.max(axis=1)
        self.current_plan = Plan(self.world.model, self.world.model.rewards, self.q, values)
        return self.current_plan

    def learn(self, state, action, reward, next_state):
        pass


def test_rounding_does_not_decide_what_an_agent_would_have_done_elsewhere():
    world = RandomWorld(2, 2, seed=1)
    found = []
    for top in (1.0, np.nextafter(1.0, 2.0)):
        agent = Planned(world, [[1.0, 0.0], [1.0, top]])
        run = eu.simulate(agent, world, steps=1, seed=0, record_plans=True)
        found.append(theory.regret(run, world, discount=DISCOUNT))
    assert run.states[0] == 0 and found[0] == found[1]


def test_agents_without_a_model_are_measured_too():
    world = RandomWorld(4, 2, seed=1)
    run = eu.simulate(QLearning(4, 2, discount=DISCOUNT), world, 50, seed=0, record_plans=True)
    assert theory.regret(run, world, discount=DISCOUNT).max() > 0


def test_regret_of_episodes_is_what_backward_induction_says():
    env = eu.make_env("deepsea", size=4)
    agent = eu.make_agent("EUBRL", env, horizon=4, plan_every="episode")
    run = eu.simulate(agent, env, 80, seed=0, record_plans=True)
    found = theory.regret(run, env)
    assert len(found) == 20
    transitions, rewards = env.model.transition_matrix(), env.model.rewards
    best = np.zeros(env.n_states)
    for _ in range(4):
        best = (rewards + transitions @ best).max(axis=1)
    for episode, regret in enumerate(found):
        collected = run.rewards[4 * episode : 4 * episode + 4].sum()  # the sea is deterministic
        assert regret == pytest.approx(best[run.states[0]] - collected, abs=1e-12)
    assert found[-1] < found[0]


def test_what_is_missing_is_said_in_words():
    world = RandomWorld(3, 2, seed=0)
    bare = eu.simulate(eu.make_agent("EUBRL", world, discount=0.9), world, 5, seed=0)
    with pytest.raises(ValueError, match="record_plans=True"):
        theory.regret(bare, world, discount=0.9)
    run = run_of("EUBRL", world, 5)
    with pytest.raises(ValueError, match="discount must be in"):
        theory.regret(run, world)
    with pytest.raises(ValueError, match="epsilon must be"):
        theory.sample_complexity(run, world, epsilon=0, discount=0.9)
    world.model = None
    with pytest.raises(ValueError, match="env.model is missing"):
        theory.regret(run, world, discount=0.9)


def test_a_world_in_which_the_run_cannot_have_been_is_refused():
    world = eu.make_env("deepsea", size=4, seed=1)
    run = eu.simulate(eu.make_agent("EUBRL", world), world, 40, seed=0, record_plans=True)
    theory.regret(run, world, discount=0.99)
    other = eu.make_env("deepsea", size=4, seed=2)
    model = other.model.transition_matrix()
    assert (model[run.states, run.actions, run.next_states] == 0).any()
    said = r"env must be the world of the run.*: there action \d cannot lead from state \d+ to \d+"
    for measure in (theory.regret, theory.decompose):
        with pytest.raises(ValueError, match=said):
            measure(run, other, discount=0.99)


def test_more_than_the_largest_value_is_no_accuracy():
    world = RandomWorld(3, 2, seed=0, r_max=2.0)
    run = run_of("EUBRL", world, 5)
    assert theory.sample_complexity(run, world, epsilon=20, discount=DISCOUNT) == 0
    with pytest.raises(ValueError, match="epsilon must be at most .* V↑ = 20, got 20.1"):
        theory.sample_complexity(run, world, epsilon=20.1, discount=DISCOUNT)
    with pytest.raises(ValueError, match="epsilon must be at most"):
        theory.events(run, world, epsilon=20.1, discount=DISCOUNT)
    paid = AtLeastOne()  # V↑ is what its best reward adds up to, not what it can lose
    run = run_of("EUBRL", paid, 5)
    assert theory.sample_complexity(run, paid, epsilon=2 / (1 - DISCOUNT), discount=DISCOUNT) == 0
    env = eu.make_env("lazychain", size=3)  # it takes rewards away, too
    width = env.outcome_rewards.max() - env.outcome_rewards.min()
    agent = eu.make_agent("EUBRL", env, horizon=6, plan_every="episode")
    episodes = eu.simulate(agent, env, 12, seed=0, record_plans=True)
    assert theory.sample_complexity(episodes, env, epsilon=6 * width) == 0
    with pytest.raises(ValueError, match="epsilon must be at most"):
        theory.sample_complexity(episodes, env, epsilon=6.1 * width)
