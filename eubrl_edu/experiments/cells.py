"""The cells of a study's table, and one run of a cell: one agent, once, from one seed."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

import numpy as np

from eubrl_edu import engine
from eubrl_edu.environments import make_env
from eubrl_edu.experiments.agents import AGENT_NAMES, make_agent, world_variant
from eubrl_edu.experiments.interruptible import interruptible
from eubrl_edu.experiments.settings import Settings, paper_settings
from eubrl_edu.experiments.store import canonical
from eubrl_edu.experiments.studies import STUDIES, Study
from eubrl_edu.simulation import simulate
from eubrl_edu.success import SuccessWatch
from eubrl_edu.validation import require_choice

_REAL_SETTINGS = [field.name for field in fields(Settings) if field.type in (float, float | None)]


@dataclass(frozen=True)
class Cell:
    """One cell of a study's table: an agent with its settings, at one size, for many seeds."""

    study: Study
    agent: str
    size: int
    settings: Settings

    def key(self) -> str:
        """All that decides its runs, besides study, agent, size and seed, as text."""
        study, success = self.study, self.study.success
        chosen = asdict(self.settings)
        chosen.pop("eta_per_size")
        world = {
            "environment": study.environment,
            "stochastic": study.stochastic,
            "steps": study.step_limit(self.size),
            "success": None if success is None else success.__name__,
        }
        return canonical(chosen | world)


def study_cells(
    study: str,
    agents: Sequence[str] | None = None,
    sizes: Sequence[int] | None = None,
    settings: Mapping[str, object] | None = None,
) -> list[Cell]:
    """The cells of a study's table; parameters and errors are those of `run_study`."""
    described = STUDIES[require_choice("study", study, STUDIES)]
    agents = several("agents", described.agents if agents is None else agents)
    sizes = several("sizes", described.sizes if sizes is None else sizes)
    settings = dict(settings or {})
    for agent in agents:
        require_choice("agent", agent, AGENT_NAMES)
    for name in settings:
        require_choice("setting", name, [field.name for field in fields(Settings)])
    return [_cell(described, agent, size, settings) for agent in agents for size in sizes]


def _cell(study: Study, agent: str, size: int, overrides: dict) -> Cell:
    env = make_env(study.environment, size, study.stochastic)
    settings = paper_settings(world_variant(env), agent)
    if "eta" in overrides:
        settings = replace(settings, eta_per_size=False)
    settings = replace(settings, **overrides).for_size(size)
    # One way to write each value: it is part of the key of a stored row.
    plain = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in asdict(settings).items()
    }
    for name in _REAL_SETTINGS:
        if isinstance(plain[name], int) and not isinstance(plain[name], bool):
            plain[name] = float(plain[name])
    cell = Cell(study, agent, int(size), Settings(**plain))
    _make_agent(cell, env)
    return cell


def _make_agent(cell: Cell, env):
    settings = asdict(cell.settings)
    settings.pop("eta_per_size")
    return make_agent(cell.agent, env, **settings)


def several(name: str, values: Iterable) -> list:
    """The values without repetition, in their order; at least one."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a list or a range, got {values!r}")
    different = list(dict.fromkeys(values))
    if not different:
        raise ValueError(f"{name} must hold at least one value, got none")
    return different


def run_once(cell: Cell, seed: int) -> dict:
    """Run one agent once, and return its row of the study's table.

    It runs compiled where it can; the row is the same either way, but for its ``seconds``.

    Parameters
    ----------
    cell : Cell
        What to run.
    seed : int
        Seed of the world (such as the sea's action mapping), its dynamics and the agent.

    Returns
    -------
    dict
        A value for each of ``COLUMNS``; ``solved`` is None where the study has no such rule.
    """
    started = time.perf_counter()
    study, limit = cell.study, cell.study.step_limit(cell.size)
    env = make_env(study.environment, cell.size, study.stochastic, seed)
    agent = _make_agent(cell, env)
    watch = None if study.success is None else SuccessWatch(study.success(env), agent)
    if engine.why_not(agent, env) is None:
        trajectory = interruptible(engine.simulate, agent, env, limit, seed, until=watch)
    else:
        trajectory = simulate(agent, env, limit, seed, until=watch)
    steps = len(trajectory)
    unfinished = not trajectory.episode_ends[-1]
    return {
        "study": study.name,
        "agent": cell.agent,
        "size": cell.size,
        "seed": seed,
        "steps": steps,
        "episodes": int(trajectory.episode_ends.sum()) + int(unfinished),
        "solved": None if watch is None else bool(watch.solved),
        "total_return": float(trajectory.rewards.sum()),
        "return_1000": float(trajectory.rewards[:1000].sum()) if steps >= 1000 else np.nan,
        "seconds": time.perf_counter() - started,
    }
