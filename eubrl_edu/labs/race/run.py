"""The long work of a race: every agent with every seed, and one run of each step by step."""

from collections.abc import Generator
from functools import lru_cache, partial
from typing import Any

import numpy as np

from eubrl_edu.environments import WORLDS
from eubrl_edu.environments.reach import reachable_states
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import AGENTS, make_agent, paper_settings
from eubrl_edu.experiments.agents import make_own_agent, world_variant
from eubrl_edu.labs.optimum import find_optimum
from eubrl_edu.labs.own import OwnAgent, OwnCodeFailed, own_among, world_of_its_own
from eubrl_edu.labs.race.lane import Lane
from eubrl_edu.labs.race.scene import Params, State, shown_times, success_rule, why_not_here
from eubrl_edu.labs.slices import SoFar
from eubrl_edu.labs.world_settings import require_one_present

# As many seeds of each agent are run before a first picture; all others follow.
FIRST_SEEDS = 8
MOST_KEPT = 40


class RaceMemory:
    """The worlds and lanes used last, so that only what has changed runs again."""

    def __init__(self) -> None:
        self.own: dict[str, None] = {}  # in the order in which they came
        self._world = lru_cache(MOST_KEPT)(_new_world)
        self._lane = lru_cache(MOST_KEPT)(self._new_lane)
        self._reason = lru_cache(MOST_KEPT * len(AGENTS))(self._new_reason)

    def world(self, params: Params) -> tuple[TabularEnvironment, np.ndarray]:
        """The world, and what an agent that knew it would have earned after 0 .. T steps."""
        return self._world(_place(params))

    def lane(self, agent: str | OwnAgent, params: Params) -> Lane:
        """The lane of an agent, with all that it has run already."""
        settings = {} if isinstance(agent, OwnAgent) else params.settings_of(agent)
        return self._lane(agent, _place(params), **settings)

    def why_not_here(self, agent: str, params: Params) -> str | None:
        """Why an agent cannot live in this world; None if it can."""
        return self._reason(agent, _place(params), **params.settings_of(agent))

    def _new_reason(self, agent: str, place: Params, **settings: Any) -> str | None:
        env, _ = self.world(place)
        return why_not_here(agent, env, **settings)

    def _new_lane(self, agent: str | OwnAgent, place: Params, **settings: Any) -> Lane:
        env, _ = self.world(place)
        reachable, rule = reachable_states(env), success_rule(place, env)
        is_own = isinstance(agent, OwnAgent)
        if is_own:
            agent_of = partial(make_own_agent, agent.name, agent.make)
        else:
            agent_of = partial(make_agent, agent, **settings)
        in_loop = is_own or place.world not in WORLDS
        return Lane(str(agent), agent_of, in_loop, env, place.steps, rule, reachable)


def _place(params: Params) -> Params:
    """What all lanes of a race have in common."""
    common = ("world", "size", "stochastic", "steps")
    return Params(**{name: getattr(params, name) for name in common})


def _new_world(place: Params) -> tuple[TabularEnvironment, np.ndarray]:
    env = world_of_its_own(place)
    discount = paper_settings(world_variant(env), "EUBRL").discount
    return env, find_optimum(env, discount, place.steps).returns


def prepare(params: Params, memory: RaceMemory) -> Generator[float | SoFar, None, State]:
    """Run a race; once each agent has had a few seeds, there is something to look at.

    Each agent first runs `FIRST_SEEDS` seeds and the run that is watched; then the other seeds
    follow.

    Parameters
    ----------
    params : Params
        The race.
    memory : RaceMemory
        What was run before.
    """
    env, optimum = memory.world(params)
    memory.own |= dict.fromkeys(map(str, own_among(params.agents)))
    reasons = {
        agent: None if isinstance(agent, OwnAgent) else memory.why_not_here(agent, params)
        for agent in params.agents
    }
    cannot = {agent: reason for agent, reason in reasons.items() if reason}
    lanes = [memory.lane(agent, params) for agent in params.agents if agent not in cannot]

    def so_far() -> State:
        absent = cannot | {lane.name: lane.failure for lane in lanes if lane.failure}
        racing = [lane for lane in lanes if not lane.failure]
        require_one_present("live in this world", racing, absent)
        return State(
            params=params,
            env=env,
            times=shown_times(params.steps),
            optimum=optimum,
            racers=tuple(lane.racer(lane.n_seeds(params.seeds), params.seed) for lane in racing),
            absent=absent,
            has_rule=success_rule(params, env) is not None,
            own=tuple(memory.own),
        )

    for lane in lanes:
        try:
            yield from lane.make_agent()
        except OwnCodeFailed as failure:
            lane.failure = str(failure)
    total = sum(lane.n_seeds(params.seeds) + 1 for lane in lanes if not lane.failure)
    done = 0
    for fraction in _in_turns(lanes, FIRST_SEEDS, params):
        yield (done + fraction) / total
        done += int(fraction)
    # Not where the last picture follows at once: all is remembered, or there are no more seeds.
    if any(lane.lacks(params.seeds) for lane in lanes if not lane.failure):
        yield SoFar(done / total, so_far, stage=1)
    for fraction in _in_turns(lanes, params.seeds, params):
        yield SoFar((done + fraction) / total, so_far, stage=1)
        done += int(fraction)
    return so_far()


def _in_turns(lanes: list[Lane], most: int, params: Params) -> Generator[float, None, None]:
    """Run what is missing of so many seeds of each; yield the share of a run, 1 at its end."""
    for lane in lanes:
        if lane.failure:
            continue
        try:
            while lane.lacks(min(most, params.seeds)):
                yield from lane.add_outcome()
                yield 1
            if params.seed not in lane.watched:
                yield from lane.watch(params.seed)
                yield 1
        except OwnCodeFailed as failure:
            lane.failure = str(failure)
