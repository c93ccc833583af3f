"""Which runs have a compiled twin, and why others have none."""

import gymnasium
import numpy as np

from eubrl_edu.agents import PSRL, MeanMDP, PlanningAgent
from eubrl_edu.beliefs import (
    Belief,
    BetaBernoulliRewards,
    DirichletTransitions,
    TiedDirichletTransitions,
)
from eubrl_edu.engine.state import KINDS
from eubrl_edu.environments.published import own_method
from eubrl_edu.environments.reach import moves_further_than_one_step
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.simulation import misfit
from eubrl_edu.uncertainty.predictive_kernels import REWARD_BELIEFS


def why_not(agent: PlanningAgent, env: gymnasium.Env) -> str | None:
    """Say why this agent cannot run compiled in this world; None if it can.

    Parameters
    ----------
    agent : PlanningAgent
        The agent, as it was made.
    env : gymnasium.Env
        The world.
    """
    if not isinstance(env, TabularEnvironment):
        return "the world is not a table of this package"
    if (method := own_method(env)) is not None:
        return f"the world has a {method} of its own"
    if type(agent) not in KINDS:
        return f"{type(agent).__name__} has no compiled twin"
    # Compiled code checks no index: beyond the agent's arrays it would crash.
    reason = misfit(agent, env)
    if reason is not None:
        return f"the agent must be made for its world: {reason}"
    if callable(getattr(agent, "eta", None)):
        return "the agent's η is a function of the step"
    if agent.horizon is not None:
        return "the agent has a horizon"
    if agent.current_plan is not None or agent.n_observations:
        return "the agent has already planned or observed"
    if isinstance(agent, MeanMDP | PSRL):
        belief = agent.belief
        for part, twins in (
            (belief, (Belief,)),
            (belief.transitions, (DirichletTransitions, TiedDirichletTransitions)),
            (belief.rewards, REWARD_BELIEFS),
        ):
            if type(part) not in twins:
                return f"{type(part).__name__} has no compiled twin"
        tied = belief.transitions.tied
        if tied and isinstance(agent, PSRL):
            return "posterior sampling under a tied prior is not compiled"
        if tied and moves_further_than_one_step(env):
            return "the world jumps, which a tied prior cannot learn"
        if isinstance(belief.rewards, BetaBernoulliRewards) and not _pays_0_or_1(env):
            return "the world pays other rewards than 0 and 1, which Beta-Bernoulli cannot learn"
    known = getattr(agent, "belief", agent)
    if sorted(known.terminal_states) != sorted(env.terminal_states):
        return "the agent's terminal states are not those of the world"
    return None


def _pays_0_or_1(env: TabularEnvironment) -> bool:
    """Whether every reward of the world is 0 or 1, without noise."""
    return bool(np.isin(env.outcome_rewards, (0, 1)).all() and not env.reward_deviations.any())
