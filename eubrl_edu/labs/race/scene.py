"""A race of several agents: its settings, and what is made of the runs. No widget, no picture."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from eubrl_edu.environments import WORLDS
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import AGENT_NAMES, AGENTS, STUDIES, make_agent
from eubrl_edu.experiments.cells import used_by
from eubrl_edu.experiments.intervals import ROUNDING, Interval, bootstrap_interval, wilson_interval
from eubrl_edu.labs.own import OwnAgent, own_among
from eubrl_edu.labs.settings import dropdown, int_slider, switches
from eubrl_edu.labs.world_controls import WorldParams, seed_number
from eubrl_edu.labs.world_settings import LAB_AGENTS, left_out, suggested, why_not_made
from eubrl_edu.names import require_choice
from eubrl_edu.plotting.names import counted
from eubrl_edu.success import SuccessRule
from eubrl_edu.validation import require_list, shown

SEED_COUNTS = (1, 20, 50, 100, 200, 500)
# Ends of the band that holds the middle 80% of the seeds.
BAND = (0.1, 0.9)
SHOWN = ("reward lost", "return")
# Those that have a prior or an η of their own, and plan so fast that they can follow a slider.
TUNABLE = tuple(name for name in LAB_AGENTS if AGENTS[name].uses & {"eta", "alpha", "beta0"})


@dataclass(frozen=True)
class Params(WorldParams):
    """Who races, where, how often, and how one of them is tuned.

    World and agents may be one's own: an environment, and `OwnAgent` among the names.
    ``seeds`` counts the runs of each agent, with the seeds 0, 1, 2, ...; ``seed`` is the one run
    that is watched closely, for ``until`` percent of its steps. ``eta``, ``alpha`` and ``beta0``
    are those of the agent ``tuned``; all others have the paper's.
    """

    agents: tuple[str | OwnAgent, ...] = switches(
        ("EUBRL", "PSRL", "BEB", "Q-learning"),
        lambda start: (
            {name: record.about for name, record in AGENTS.items()}
            | dict.fromkeys(own_among(start.agents), "An agent of your own")
        ),
        "agents",
        "Who races: switch agents on and off",
    )
    seeds: int = dropdown(
        100,
        SEED_COUNTS,
        "runs",
        "How many runs of each agent, each with different luck (upper row)",
        width="8em",
    )
    seed: int = seed_number("The luck of the one run that is watched (lower row)")
    until: int = int_slider(
        100,
        0,
        100,
        "until % of steps",
        "How far the watched run has gone, as a percentage of its steps",
        width="25em",
    )
    tuned: str = dropdown(
        "EUBRL",
        TUNABLE,
        "agent",
        "The agent whose settings the sliders set; all others keep their usual ones",
        width="11em",
    )
    show: str = dropdown(
        "reward lost",
        SHOWN,
        "show",
        "The return, or how far it is behind an agent that knew the world",
        width="9em",
    )

    def __post_init__(self):
        super().__post_init__()
        agents = require_list("agents", self.agents)
        own = own_among(agents)
        names = {
            require_choice("agent", agent, AGENT_NAMES) for agent in agents if agent not in own
        }
        in_order = [name for name in AGENT_NAMES if name in names]
        object.__setattr__(self, "agents", (*in_order, *own))
        # A page sends back 10^log₁₀(0.5), which is not 0.5, and nothing is to run again for that.
        for name in ("eta", "alpha", "beta0"):
            object.__setattr__(self, name, float(f"{getattr(self, name):.6g}"))
        if self.until > 100:
            raise ValueError(f"until must be from 0 to 100 percent, got {shown(self.until)}")

    def settings_of(self, name: str) -> dict[str, Any]:
        """What an agent is made with: the paper's settings, but for the one that is tuned."""
        settings = suggested(self.world, self.size, self.stochastic, name)
        del settings["size"], settings["stochastic"]
        if name == self.tuned:
            settings |= {"eta": self.eta, "alpha": self.alpha, "beta0": self.beta0}
        return used_by(name, settings)


def at_rest(params: Params, env: TabularEnvironment) -> dict[str, str]:
    """Which settings have no effect on the agent that is tuned, and why."""
    agent = make_agent(params.tuned, env, **params.settings_of(params.tuned))
    return left_out(params.world, params.tuned, agent)


def why_not_here(name: str, env: TabularEnvironment, **settings: Any) -> str | None:
    """Say why an agent with these settings cannot live in this world; None if it can."""
    if name not in LAB_AGENTS:  # BEETLE, which the paper, too, has in the chain only
        is_here = type(env) is WORLDS["chain"]
        return None if is_here else "the lab, like the paper, has it in the chain only"
    return why_not_made(name, env, **settings)


def success_rule(params: Params, env: TabularEnvironment) -> SuccessRule | None:
    """When a run has solved this world, by the paper's study of it; None if it has no such rule."""
    for study in STUDIES.values():
        same = type(env) is WORLDS[study.environment]
        same = same and getattr(env, "stochastic", False) == study.stochastic
        if same and study.success is not None:
            return study.success(env)
    return None


@dataclass(frozen=True)
class Outcome:
    """One run of one agent, in short.

    Attributes
    ----------
    returns : (G,) array
        Sum of the rewards at the times of `shown_times`.
    solved_at : int or None
        Steps until the world was solved.
    """

    returns: np.ndarray
    solved_at: int | None


@dataclass(frozen=True)
class WatchedRun:
    """One run of one agent, step by step: arrays over the times 0 .. T.

    Attributes
    ----------
    returns : (T + 1,) array
        Sum of the rewards so far.
    coverage : (T + 1,) array
        Share of the reachable pairs of state and action that were tried.
    solved_at : int or None
        Steps until the world was solved.
    """

    returns: np.ndarray
    coverage: np.ndarray
    solved_at: int | None


@dataclass(frozen=True)
class Racer:
    """All runs of one agent.

    Attributes
    ----------
    name : str
        One of `AGENT_NAMES`, or that of an agent of one's own.
    outcomes : tuple of Outcome
        One for each of the seeds 0, 1, 2, ...
    watched : WatchedRun
        The run that is watched.
    """

    name: str
    outcomes: tuple[Outcome, ...]
    watched: WatchedRun

    @cached_property
    def final_returns(self) -> np.ndarray:
        """(n,) array: the return of all steps, for each seed."""
        return np.array([outcome.returns[-1] for outcome in self.outcomes])

    @cached_property
    def bands(self) -> np.ndarray:
        """(3, G) array: low end of the band, median, high end, at the times of `shown_times`."""
        returns = [outcome.returns for outcome in self.outcomes]
        return np.quantile(returns, [BAND[0], 0.5, BAND[1]], axis=0)

    @cached_property
    def mean(self) -> Interval:
        """The mean final return with its 95% interval."""
        return bootstrap_interval(self.final_returns)

    @cached_property
    def solved_times(self) -> np.ndarray:
        """Steps to solve, in order, of the seeds that solved it."""
        times = [outcome.solved_at for outcome in self.outcomes if outcome.solved_at is not None]
        return np.sort(np.array(times, dtype=int))

    @cached_property
    def success(self) -> Interval:
        """Share of the seeds that solved it, with its 95% interval."""
        return wilson_interval(len(self.solved_times), len(self.outcomes))


@dataclass(frozen=True)
class State:
    """What a race shows.

    Attributes
    ----------
    params : Params
        Its settings.
    env : TabularEnvironment
        The world.
    times : (G,) array
        The steps at which the returns of many seeds are known.
    optimum : (T + 1,) array
        What an agent that knew the world would have earned after 0 .. T steps, on average.
    racers : tuple of Racer
        The agents that race.
    absent : mapping of str to str
        Agents that were asked for and cannot live here, or have failed, each with the reason.
    has_rule : bool
        Whether there is a rule for when this world is solved.
    own : tuple of str
        The names of all agents of one's own that the lab has, whether or not they race.
    """

    params: Params
    env: TabularEnvironment
    times: np.ndarray
    optimum: np.ndarray
    racers: tuple[Racer, ...]
    absent: dict[str, str]
    has_rule: bool
    own: tuple[str, ...] = ()

    @property
    def until(self) -> int:
        """The step up to which the one run is watched."""
        return round(self.params.until * self.params.steps / 100)

    @property
    def runs(self) -> str:
        """How many runs of each agent there are, in words."""
        counts = {len(racer.outcomes) for racer in self.racers}
        runs = counted(max(counts), "run")
        return f"{runs} of each agent" if len(counts) == 1 else f"up to {runs} of each agent"

    @property
    def watched_times(self) -> np.ndarray:
        """The steps at which curves of one run are drawn: as many as the eye can tell apart."""
        return shown_times(len(self.optimum) - 1, most=401)

    def shown(self, returns: np.ndarray, times: np.ndarray) -> np.ndarray:
        """What is shown of ``returns`` at these times: themselves, or what they lack."""
        if self.params.show == "return":
            return returns
        lost = self.optimum[times] - returns
        rounding = ROUNDING * np.abs(self.optimum).max()
        return np.where(np.abs(lost) <= rounding, 0.0, lost)

    def mean_at_the_end(self, racer: Racer) -> Interval:
        """The mean over all runs of one agent, as it is shown, with its 95% interval."""
        mean = np.array([racer.mean.value, racer.mean.low, racer.mean.high])
        value, *ends = self.shown(mean, len(self.optimum) - 1).tolist()
        return Interval(value, min(ends), max(ends))


def view(params: Params, race: State) -> State:
    """Return the race, as it is to be shown."""
    shown = replace(race.params, show=params.show, until=params.until)
    return replace(race, params=shown)


def shown_times(steps: int, most: int = 101) -> np.ndarray:
    """At most so many times from 0 to T, evenly apart."""
    return np.unique(np.linspace(0, steps, most).round().astype(int))


def coverage_over_time(
    states: np.ndarray, actions: np.ndarray, reachable: np.ndarray, n_actions: int
) -> np.ndarray:
    """(T + 1,) array: share of the reachable pairs tried after 0, 1, ..., T steps."""
    is_new = np.zeros(len(states) + 1)
    _, first = np.unique(states * n_actions + actions, return_index=True)
    is_new[first + 1] = 1.0
    return np.cumsum(is_new) / (reachable.sum() * n_actions)
