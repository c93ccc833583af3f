"""The cells of a study's table, and one run of a cell: one agent, once, from one seed."""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace

import gymnasium
import numpy as np

from eubrl_edu import engine
from eubrl_edu.agents import Agent
from eubrl_edu.experiments import success_rules
from eubrl_edu.experiments.agents import (
    make_own_agent,
    noted,
    own_size,
    require_agents,
    require_new,
    world_variant,
)
from eubrl_edu.experiments.failures import Failure
from eubrl_edu.experiments.interruptible import interruptible
from eubrl_edu.experiments.records import AGENTS
from eubrl_edu.experiments.settings import OWN_SETTINGS, Settings, paper_settings
from eubrl_edu.experiments.studies import Study, study_named
from eubrl_edu.names import require_choice, require_name
from eubrl_edu.simulation import simulate
from eubrl_edu.success import SuccessRule, SuccessWatch
from eubrl_edu.validation import MOST_LISTED, require_list, require_positive_int, shown


@dataclass(frozen=True)
class Cell:
    """One cell of a study's table: an agent with its settings, at one size, for many seeds.

    Attributes
    ----------
    study : Study
        What is run.
    agent : str
        Name of the agent.
    size : int
        Size of the world, or its number of states where the study has no sizes.
    settings : Settings or None
        What an agent of this package is made with.
    factory : callable or None
        What makes an agent of your own for a given world.
    own_key : str or None
        What its owner says that code of their own is, for a store.
    """

    study: Study
    agent: str
    size: int
    settings: Settings | None
    factory: Callable[[gymnasium.Env], Agent] | None = None
    own_key: str | None = None

    def make_world(self, seed: int = 0) -> gymnasium.Env:
        """The world that the run with this seed has."""
        return self.study.make_world(self.size if self.study.sizes else None, seed)

    def make_agent(self, world: gymnasium.Env) -> Agent:
        """The agent, new, for this world."""
        if self.factory is None:
            return AGENTS[self.agent].make(world, self.settings)
        return make_own_agent(self.agent, self.factory, world)

    @property
    def may_be_compiled(self) -> bool:
        """Whether world and agent are this package's, so that the engine knows what they do."""
        return self.factory is None and not self.study.has_own_world

    def own_code(self) -> dict[str, Callable]:
        """What decides its runs and is no code of this package, by what it makes."""
        world, success = self.study.environment, self.study.success
        own = {f"the agent {self.agent!r}": self.factory, "the world": world}
        if getattr(success, "__module__", None) != success_rules.__name__:
            own["the rule of success"] = success
        return {what: code for what, code in own.items() if callable(code)}

    def key(self) -> str:
        """All that decides its runs, besides study, agent, size and seed, as text.

        Raises
        ------
        ValueError
            If code decides them that no text stands for.
        """
        study, success = self.study, self.study.success
        if (own := self.own_code()) and self.own_key is None:
            raise ValueError(
                f"store needs a key for {study.name!r}: {' and '.join(own)} is code of your own, "
                "and nothing in a store would tell when it has changed. Name what it is now, such "
                "as key='first try', and anew after every change (a world can be named instead, "
                "once it is registered with Gymnasium, with a version that changes when it does)"
            )
        chosen = {} if self.settings is None else asdict(self.settings)
        chosen.pop("eta_per_size", None)
        for agent, names in OWN_SETTINGS.items():
            for name in names if agent != self.agent else ():
                chosen.pop(name, None)
        world = {
            "environment": None if callable(study.environment) else study.environment,
            "stochastic": study.stochastic,
            "steps": study.step_limit(self.size),
            "success": getattr(success, "__name__", None),
        }
        if study.has_own_world:
            world["sized"] = bool(study.sizes)
        if own:
            world["key"] = self.own_key
        return canonical(chosen | world)


def canonical(settings: dict) -> str:
    """Settings as text: the same settings, the same text, whatever their order."""
    return json.dumps(settings, sort_keys=True)


def study_cells(
    study: str | Study,
    agents: Sequence[str] | Mapping[str, Callable[[gymnasium.Env], Agent]] | None = None,
    sizes: Sequence[int] | None = None,
    settings: Mapping[str, object] | None = None,
    key: str | None = None,
) -> list[Cell]:
    """The cells of a study's table; parameters and errors are those of `run_study`."""
    if key is not None:
        require_name("key", key)
    study = study_named(study)
    factories = agents if isinstance(agents, Mapping) else {}
    agents = several("agents", study.agents if agents is None else agents)
    sizes = _chosen_sizes(study, sizes)
    settings = _chosen_settings(settings, factories)
    require_agents(agents, factories)
    _require_settings(settings, agents)
    cells = [
        _cell(study, agent, size, settings, factories.get(agent), key)
        for agent in agents
        for size in sizes
    ]
    if key is not None and not any(cell.own_code() for cell in cells):
        raise ValueError(
            f"key must be left out where no code is your own: {study.name!r} is kept under what "
            f"the sources of this package say; got {shown(key)}"
        )
    return cells


def _chosen_sizes(study: Study, sizes: Sequence[int] | None) -> list[int | None]:
    if study.sizes:
        chosen = several("sizes", study.sizes if sizes is None else sizes)
        return [require_positive_int("size", size) for size in chosen]
    if sizes is None:
        return [None]
    raise ValueError(f"sizes must be left out: {study.name!r} has none, got {shown(sizes)}")


def _chosen_settings(settings: Mapping[str, object] | None, factories: Mapping) -> dict:
    if settings is not None and not isinstance(settings, Mapping):
        raise ValueError(
            "settings must be a mapping from names to values, such as {'eta': 0.5}, "
            f"got {shown(settings)}"
        )
    settings = dict(settings or {})
    if settings and factories:
        raise ValueError(
            "settings must be left out for agents of your own: what makes them decides; "
            f"got {shown(settings)}"
        )
    return settings


def _require_settings(settings: dict, agents: list[str]) -> None:
    for name in settings:
        require_choice("setting", name, [field.name for field in fields(Settings)])
    replace(Settings(), **settings)  # out of range is an error also for those who do not use it
    for name, value in settings.items():
        if not any(name in used_by(agent, settings) for agent in agents):
            reason = AGENTS[agents[0]].why_not_used(name)
            raise ValueError(f"{name} must be left out, got {shown(value)}: {reason}")


def _cell(study: Study, agent: str, size: int | None, overrides: dict, factory, key) -> Cell:
    try:
        world = study.make_world(size)
        size = size or own_size(world) or world.n_states
        study.step_limit(size)
        settings = None if factory else _settings(world, agent, size, overrides)
        cell = Cell(study, agent, size, settings, factory, key)
        _require_that_success_can_be_judged(cell, world)
    except SystemExit as error:  # of code of one's own: it would end Python without a word
        raise RuntimeError(f"{Failure.of(agent, size, 0, error)}") from error
    return cell


def _settings(world: gymnasium.Env, agent: str, size: int, overrides: dict) -> Settings:
    settings = paper_settings(world_variant(world), agent)
    overrides = used_by(agent, overrides)
    if "eta" in overrides:
        settings = replace(settings, eta_per_size=False)
    return replace(settings, **overrides).for_size(size)


def used_by(agent: str, settings: Mapping[str, object]) -> dict[str, object]:
    """Of these settings those that the agent uses."""
    uses = AGENTS[require_choice("agent", agent, AGENTS)].uses
    uses = uses | {"eta_per_size"} if "eta" in uses else uses
    return {name: value for name, value in settings.items() if name in uses}


def _require_that_success_can_be_judged(cell: Cell, world: gymnasium.Env) -> None:
    """Make the agent, so that what it cannot be made with is an error before anything runs."""
    agent = cell.make_agent(world)
    require_new(cell.agent, agent, cell.make_agent(world))
    rule = success_rule(cell.study, world)
    if rule is not None:
        SuccessWatch(rule, agent)


def success_rule(study: Study, world: gymnasium.Env) -> SuccessRule | None:
    """The rule of success of a study in this world; None if it has none.

    Raises
    ------
    ValueError
        If its function makes no rule, or one for another world. An error of its own gets a note.
    """
    if study.success is None:
        return None
    with noted(f"the rule of success of {study.name!r}"):
        rule = study.success(world)
    if not isinstance(rule, SuccessRule):
        raise ValueError(f"success of {study.name!r} must make a SuccessRule, got {shown(rule)}")
    try:
        rule.require_fits(world.n_states, world.n_actions)
    except ValueError as error:
        text = f"success of {study.name!r} makes a rule of another world: {error}"
        raise ValueError(text) from None
    return rule


def several(name: str, values: Iterable, at_most: int = MOST_LISTED) -> list:
    """The values without repetition, in their order; at least one, and no more than that."""
    different = require_list(name, values, at_most)
    if not different:
        raise ValueError(f"{name} must hold at least one value, got none")
    return different


def run_once(cell: Cell, seed: int) -> dict:
    """Run one agent once, and return its row of the study's table.

    It runs compiled where it can; the row is the same either way, but for its ``seconds``. What
    is your own runs step by step, in the readable loop.

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
    env = cell.make_world(seed)
    agent = cell.make_agent(env)
    rule = success_rule(study, env)
    watch = None if rule is None else SuccessWatch(rule, agent)
    if cell.may_be_compiled and engine.why_not(agent, env) is None:
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
