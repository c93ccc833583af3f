"""What suits a world or an agent, and which settings an agent leaves out."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium

from eubrl_edu.agents.base import Agent
from eubrl_edu.beliefs import BetaBernoulliRewards, KnownRewards
from eubrl_edu.environments import WORLDS, make_env
from eubrl_edu.environments.published import only_checked, own_method
from eubrl_edu.environments.registry import ALWAYS_STOCHASTIC, FIXED_SIZES, WITH_STOCHASTIC_VARIANT
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments import AGENTS, make_agent, paper_settings
from eubrl_edu.experiments.agents import own_size, variant_named, world_variant
from eubrl_edu.experiments.records import BEFOREHAND
from eubrl_edu.names import require_choice

DEFAULT_SIZES = {"loop": 2, "deepsea": 10, "lazychain": 10} | FIXED_SIZES
LARGEST_SIZES = {"loop": 8, "deepsea": 20, "lazychain": 50}
USUAL_STEPS = {"deepsea": 500, "bandit": 200}  # everywhere else 1000
MOST_STEPS = 5000
PLAN_EVERY = (1, 5, 10, 20)
# Name and size of the worlds that fit theory, where there is much to compute for each state.
SMALL_WORLDS = {
    "Chain": ("chain", None),
    "2 loops": ("loop", 2),
    "4 loops": ("loop", 4),
    "sea of 4 rows": ("deepsea", 4),
    "lazy chain 3": ("lazychain", 3),
}
# What a lab with one agent has controls for.
TUNED = ("alpha", "beta0", "eta", "uncertainty", "plan_every")
# BEETLE plans once, before its first step, and most of a minute long: nothing to scrub or to stop.
LAB_AGENTS = tuple(name for name, record in AGENTS.items() if record.plans != BEFOREHAND)


def require_world(world: str | gymnasium.Env) -> None:
    """Raise ``ValueError`` for an unknown name, or for a world that does not say all of itself."""
    if isinstance(world, str):
        require_choice("world", world, WORLDS)
        return
    known = make_env(world)
    if known.model is None or known.initial_states is None:
        raise ValueError(
            "world must publish its transitions P and its initial_state_distrib, as Gymnasium's "
            f"toy environments do, to find the optimum; {world!r} does not"
        )
    if isinstance(known, TabularEnvironment) and (method := own_method(known)) is not None:
        raise ValueError(
            f"world must do what its table says, to find the optimum; {world!r} has a {method} of "
            "its own"
        )


def world_of(world: str | gymnasium.Env, size: int, stochastic: bool) -> TabularEnvironment:
    """Make a world of a lab's controls; an environment of one's own has no other size."""
    if isinstance(world, gymnasium.Env):
        return make_env(world)
    return make_env(world, size=None if world in FIXED_SIZES else size, stochastic=stochastic)


def small_world(title: str) -> TabularEnvironment:
    """Make one of `SMALL_WORLDS`."""
    name, size = SMALL_WORLDS[title]
    return make_env(name, size=size)


def suggested(
    world: str | gymnasium.Env,
    size: int | None = None,
    stochastic: bool = False,
    agent: str = "EUBRL",
) -> dict[str, Any]:
    """Values for the controls that suit a world and an agent: the paper's, where it has any.

    An agent plans at every step, but for those that hold on to a plan, about as long as in the
    paper.

    Returns
    -------
    dict
        ``size``, ``stochastic``, ``alpha``, ``beta0``, ``eta``, ``uncertainty``, ``plan_every``.
    """
    if world in FIXED_SIZES or size is None:
        size = DEFAULT_SIZES.get(world, 1)
    stochastic = stochastic and world in WITH_STOCHASTIC_VARIANT
    if isinstance(world, gymnasium.Env):
        known = world.unwrapped if only_checked(world) else world
        variant, of_size = world_variant(known), own_size(known) or size
    else:
        variant, of_size = variant_named(world, stochastic), size
    paper = paper_settings(variant, agent, of_size)
    plan_every = 1
    if AGENTS[agent].holds_plan:
        plan_every = min(PLAN_EVERY, key=lambda steps: abs(steps - paper.plan_every))
    return {
        "size": size,
        "stochastic": stochastic,
        "alpha": paper.alpha,
        "beta0": paper.beta0,
        "eta": paper.eta,
        "uncertainty": AGENTS[agent].fixed.get("uncertainty", paper.uncertainty),
        "plan_every": plan_every,
    }


def why_not_made(agent: str, world: gymnasium.Env, **settings) -> str | None:
    """Say why this agent cannot live in this world; None if it can."""
    try:
        make_agent(agent, world, **settings)
    except ValueError as error:
        return str(error).removeprefix(f"{agent} cannot live here: ")
    return None


def require_one_present(what: str, present: Sequence, absent: Mapping[str, str]) -> None:
    """Raise ``ValueError`` if no agent can do what is asked, with why each of them cannot."""
    if not present:
        words = "; ".join(f"{name}: {reason}" for name, reason in absent.items())
        raise ValueError(
            f"agents must hold at least one that can {what}"
            + (f" ({words})" if words else ", but none is chosen")
        )


def left_out(world: str | gymnasium.Env, agent_name: str, agent: Agent | None) -> dict[str, str]:
    """Return which controls have no effect, each with the reason in a few words.

    An agent of one's own has any other name, and leaves out all of `TUNED`.
    """
    reasons = {}
    if world in FIXED_SIZES:
        reasons["size"] = f"the {world} has one size"
    if world not in WORLDS:
        reasons["size"] = reasons["stochastic"] = "this world is used as given"
    elif world not in WITH_STOCHASTIC_VARIANT:
        how_often = "always" if world in ALWAYS_STOCHASTIC else "never"
        reasons["stochastic"] = f"the {world} is {how_often} random"
    for setting in TUNED:
        if agent_name not in AGENTS:
            reasons[setting] = "your agent is as you made it"
        elif (reason := AGENTS[agent_name].why_not_used(setting)) is not None:
            reasons[setting] = reason
    belief = getattr(agent, "belief", None)
    if getattr(belief, "n_states", None) == 1 and agent_name != "BEB":  # whose bonus counts α too
        reasons["alpha"] = "there is only one state to go to"
    rewards = getattr(belief, "rewards", None)
    if isinstance(rewards, KnownRewards):
        reasons["beta0"] = "rewards are known here"
    elif isinstance(rewards, BetaBernoulliRewards):
        reasons["beta0"] = "rewards are 0 or 1 here"
    return reasons
