"""Runs with all their plans, recorded in slices: what the labs on the theory look at."""

from collections.abc import Generator

from eubrl_edu.agents.base import PlanningAgent
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.simulation import Trajectory, run


def record(
    agent: PlanningAgent, env: TabularEnvironment, steps: int, seed: int
) -> Generator[float, None, Trajectory]:
    """Do what ``simulate(..., record_plans=True)`` does, and yield the fraction done on the way.

    Parameters
    ----------
    agent : PlanningAgent
        One that plans without drawing, as EUBRL does.
    env, steps, seed
        As of `simulate`.

    Yields
    ------
    float
        0 to 1. The trajectory is what the generator returns.
    """
    taken, plans = [], []
    for step in run(agent, env, seed, plans):
        taken.append(step)
        yield len(taken) / steps
        if len(taken) == steps:
            return Trajectory.from_steps(taken, plans)
