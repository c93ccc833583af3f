"""The values that the paper sweeps for each setting of an agent."""

import numpy as np

from eubrl_edu.experiments.building import largest_reward, mean_rewards
from eubrl_edu.experiments.records import AGENTS
from eubrl_edu.experiments.studies import Study, study_named

# The paper's grids; it prints none for η: these multiples of the largest reward cover its own.
ALPHAS = (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)
BETAS = (1.0, 5e-1, 1e-1, 5e-2, 1e-2, 1e-3, 1e-4)
VISITS = (1, 3, 5, 10, 20)
ETA_MULTIPLES = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
LEARNING_RATES = (0.01, 0.03, 0.1, 0.3, 0.5, 1.0)  # ours, as Q-learning is not the paper's
EPSILONS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.5)


def paper_grid(study: str | Study, agent: str, size: int | None) -> dict[str, tuple]:
    """The values to sweep for each setting that the agent uses in the study.

    Parameters
    ----------
    study, agent : str
        Names, as in `run_study`.
    size : int
        Problem size.

    Returns
    -------
    dict
        For each setting its values, in the order of a line search; η in multiples of R_max or,
        where that is not above 0, of the largest cost.
    """
    described = study_named(study)
    paper = described.settings(agent, size)
    world = described.make_world(size)
    unit = largest_reward(world, paper)
    if unit <= 0:  # where all is a cost, the largest of them says how much is at stake
        costs = unit if world.model is None else mean_rewards(world)
        unit = float(np.abs(costs).max()) or 1.0
    if paper.eta_per_size:
        unit = float(round(unit / world.size))
    grids = {
        "eta": tuple(multiple * unit for multiple in ETA_MULTIPLES),
        "alpha": ALPHAS,
        "beta0": BETAS,
        "known_after": VISITS,
        "learning_rate": LEARNING_RATES,
        "epsilon": EPSILONS,
    }
    has_beta = paper.reward_model in ("outcome", "action")
    return {name: grids[name] for name in AGENTS[agent].swept if name != "beta0" or has_beta}
