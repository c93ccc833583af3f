"""The real run that stands beside the bound."""

from collections.abc import Generator

from eubrl_edu.agents import EUBRL
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalRewards
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import make_agent
from eubrl_edu.labs.bounds.scene import OWN, RUN_DELTA, RUN_STEPS, THEOREM, Params, RealRun
from eubrl_edu.labs.slices import record
from eubrl_edu.labs.world_settings import small_world
from eubrl_edu.theory import Problem, regret, theoretical_eta


def prepare(params: Params) -> Generator[float, None, RealRun]:
    """Run the agent in the world, and take its regret; a generator that yields the fraction done.

    The theorem's agent counts visits and has the η of `theoretical_eta` for `RUN_STEPS` steps.
    """
    env = small_world(params.world)
    r_max = float(env.outcome_rewards.max())
    agent, eta = _agent_in(env, params, r_max)
    trajectory = yield from record(agent, env, RUN_STEPS, params.seed)
    return RealRun(
        world=params.world,
        agent=params.agent,
        discount=params.discount,
        n_states=env.n_states,
        n_actions=env.n_actions,
        eta=eta / r_max,
        regret=regret(trajectory, env, discount=params.discount) / r_max,
    )


def _agent_in(
    env: TabularEnvironment, params: Params, r_max: float
) -> tuple[EUBRL | FrequentistEUBRL, float]:
    """The agent, and its η in units of the world's rewards."""
    size, discount = (env.n_states, env.n_actions), params.discount
    if params.agent == OWN:
        rewards = NormalRewards(*size, tau=params.tau, on="action")
        belief = Belief(DirichletTransitions(*size, params.alpha), rewards)
        agent = EUBRL(belief, eta=params.eta * r_max, discount=discount)
    elif params.agent == THEOREM:
        problem = Problem(*size, r_max, RUN_DELTA, discount)
        eta = theoretical_eta(problem, steps=RUN_STEPS).eta
        return FrequentistEUBRL(*size, lambda t: eta, r_max=r_max, discount=discount), eta
    else:
        agent = make_agent("EUBRL", env, discount=discount)
    return agent, agent.eta
