"""Many seeds: run a study and gather one row for each run."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict

import joblib
import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from eubrl_edu.environments import make_env
from eubrl_edu.experiments.agents import AGENT_NAMES, make_agent, world_variant
from eubrl_edu.experiments.settings import paper_settings
from eubrl_edu.experiments.studies import STUDIES, Study
from eubrl_edu.simulation import simulate
from eubrl_edu.success import SuccessWatch
from eubrl_edu.validation import require_choice, require_positive_int

COLUMNS = (
    "study",
    "agent",
    "size",
    "seed",
    "steps",
    "episodes",
    "solved",
    "total_return",
    "return_1000",
    "seconds",
)


def run_study(
    study: str,
    agents: Sequence[str] | None = None,
    sizes: Sequence[int] | None = None,
    seeds: Iterable[int] | None = None,
    n_jobs: int = 1,
    progress: bool = True,
) -> pd.DataFrame:
    """Run every agent at every size with every seed of a study.

    Parameters
    ----------
    study : str
        A name in ``STUDIES``.
    agents : sequence of str, optional
        Names of agents; those of the study if left out.
    sizes : sequence of int, optional
        Problem sizes; those of the study if left out.
    seeds : iterable of int, optional
        Seeds; as many as the paper has if left out.
    n_jobs : int
        Processes to use; -1 stands for all cores.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    pandas.DataFrame
        A row for each run, with the columns ``study agent size seed steps episodes solved
        total_return return_1000 seconds``. ``steps`` and ``episodes`` count to the end of the
        episodes that confirm success, where a solved run stops. ``solved`` is NA where the study
        has no such rule, ``return_1000`` where a run is shorter than 1000 steps.

    Raises
    ------
    ValueError
        If the study, an agent, a size or a seed is not valid; before anything runs.
    """
    described = STUDIES[require_choice("study", study, STUDIES)]
    agents = list(described.agents if agents is None else agents)
    sizes = list(described.sizes if sizes is None else sizes)
    seeds = range(described.n_seeds) if seeds is None else seeds
    seeds = [require_positive_int("seed", seed, at_least=0) for seed in seeds]
    for agent in agents:
        require_choice("agent", agent, AGENT_NAMES)
    for size in sizes:
        make_env(described.environment, size, described.stochastic)

    cells = [(agent, size, seed) for agent in agents for size in sizes for seed in seeds]
    # Each process has one core's worth of work: threads inside it would only compete.
    with joblib.parallel_config("loky", inner_max_num_threads=1):
        rows = joblib.Parallel(n_jobs=n_jobs, return_as="generator")(
            joblib.delayed(run_once)(described, *cell) for cell in cells
        )
        rows = list(tqdm(rows, total=len(cells), desc=study, unit="run", disable=not progress))
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame.astype({"solved": "boolean"})


def run_once(study: Study, agent_name: str, size: int, seed: int) -> dict:
    """Run one agent once, and return its row of the study's table.

    Parameters
    ----------
    study : Study
        What to run.
    agent_name : str
        Name of the agent.
    size : int
        Problem size.
    seed : int
        Seed of the world (such as the sea's action mapping), its dynamics and the agent.

    Returns
    -------
    dict
        A value for each of ``COLUMNS``.
    """
    started = time.perf_counter()
    env = make_env(study.environment, size, study.stochastic, seed)
    settings = asdict(paper_settings(world_variant(env), agent_name, size))
    settings.pop("eta_per_size")
    agent = make_agent(agent_name, env, **settings)
    watch = None if study.success is None else SuccessWatch(study.success(env), agent)
    trajectory = simulate(agent, env, study.step_limit(size), seed, until=watch)
    steps = len(trajectory)
    unfinished = not trajectory.episode_ends[-1]
    return {
        "study": study.name,
        "agent": agent_name,
        "size": size,
        "seed": seed,
        "steps": steps,
        "episodes": int(trajectory.episode_ends.sum()) + int(unfinished),
        "solved": pd.NA if watch is None else watch.solved,
        "total_return": float(trajectory.rewards.sum()),
        "return_1000": float(trajectory.rewards[:1000].sum()) if steps >= 1000 else np.nan,
        "seconds": time.perf_counter() - started,
    }


def summarise(frame: pd.DataFrame) -> pd.DataFrame:
    """One row for each study, agent and size: seeds, success rate, means and standard errors.

    Parameters
    ----------
    frame : pandas.DataFrame
        What `run_study` returned.

    Returns
    -------
    pandas.DataFrame
        Columns ``seeds solved steps steps_se episodes return return_se``; the return is that of
        the first 1000 steps where every run has them, else of the whole run.
    """
    rows = []
    for (study, agent, size), runs in frame.groupby(["study", "agent", "size"], sort=False):
        returns = runs.return_1000 if runs.return_1000.notna().all() else runs.total_return
        rows.append(
            {
                "study": study,
                "agent": agent,
                "size": size,
                "seeds": len(runs),
                "solved": runs.solved.astype("Float64").mean(),
                "steps": runs.steps.mean(),
                "steps_se": runs.steps.sem(),
                "episodes": runs.episodes.mean(),
                "return": returns.mean(),
                "return_se": returns.sem(),
            }
        )
    return pd.DataFrame(rows)
