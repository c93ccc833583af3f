"""Agents of one's own in a lab, and what becomes of their errors."""

import traceback
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import gymnasium

from eubrl_edu.agents import Agent
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import AGENT_NAMES
from eubrl_edu.labs.world_controls import WorldParams
from eubrl_edu.names import require_name
from eubrl_edu.validation import raised

PACKAGE = Path(__file__).parents[1]
# What code of one's own may raise. SystemExit would end the kernel; Ctrl-C is not the code's.
RAISED = (Exception, SystemExit)


@dataclass(frozen=True, eq=False, repr=False)
class OwnAgent:
    """An agent of one's own: its name, and what makes it when called with the world."""

    name: str
    make: Callable[[gymnasium.Env], Agent]

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        name = getattr(self.make, "__qualname__", "")
        if not name.isidentifier():  # a lambda, or a function that another one has made
            letters = [sign if f"_{sign}".isidentifier() else " " for sign in self.name]
            words = "".join(letters).split() or [f"{ord(sign):x}" for sign in self.name]
            name = f"make_{'_'.join(words)}"
        return f"OwnAgent({self.name!r}, {name})"


def own_agents(agents: Mapping[str, Callable[[gymnasium.Env], Agent]]) -> tuple[OwnAgent, ...]:
    """Agents of one's own, from a mapping as `run_study` takes it.

    Raises
    ------
    ValueError
        If there is none, or one has no name or a name of this package.
    """
    if not agents:
        raise ValueError("agents must hold at least one agent, got {}")
    for name in agents:
        if require_name("the name of an agent", name) in AGENT_NAMES:
            raise ValueError(
                f"an agent of your own needs a name that no other agent has, got {name!r}"
            )
    return tuple(OwnAgent(name, make) for name, make in agents.items())


def own_among(agents: Iterable[str | OwnAgent]) -> list[OwnAgent]:
    """Those that are one's own."""
    return [agent for agent in agents if isinstance(agent, OwnAgent)]


def world_of_its_own(params: WorldParams) -> TabularEnvironment:
    """The world for a run that no other moves: one's own is copied, unless it cannot be."""
    env = params.make_env()
    return env if isinstance(params.world, str) else copy_of(env)  # a named one is new


def copy_of(env: gymnasium.Env) -> gymnasium.Env:
    """The world once more, to be moved by itself; or itself, where it cannot be copied."""
    try:
        return deepcopy(env)
    except Exception:  # whatever a copy of what it holds may raise
        return env


class OwnCodeFailed(ValueError):
    """A world or an agent of one's own has raised; says where, and what."""

    def __init__(self, where: str, error: BaseException) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        # The first line that is none of this package's is where one's own code was called.
        own = [frame for frame in frames if not frame.filename.startswith(str(PACKAGE))]
        line = f" (in {own[0].name}: {own[0].line})" if own and own[0].line else ""
        super().__init__(f"{where} it raised {raised(error)}{line}")
