"""How agents are made for a world: their beliefs, and what else they are given."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import gymnasium
import numpy as np

from eubrl_edu.agents import BEETLE, Agent, FrequentistEUBRL, UnknownDynamics, plan_offline
from eubrl_edu.beliefs import (
    Belief,
    BetaBernoulliRewards,
    DirichletTransitions,
    KnownRewards,
    NormalGammaRewards,
    NormalRewards,
    RewardBelief,
    TiedDirichletTransitions,
)
from eubrl_edu.environments.from_gymnasium import world_from_gymnasium
from eubrl_edu.environments.reach import moves_further_than_one_step
from eubrl_edu.experiments.settings import Settings
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import regret_lambda, schedule
from eubrl_edu.theory.world_rewards import require_rewards_in_range
from eubrl_edu.validation import LARGEST, require_bool, shown

# Makes an agent: for a world, with its settings, given those of them that its class takes itself.
Build = Callable[[gymnasium.Env, Settings, Mapping[str, object]], Agent]


def with_belief(kind: type[Agent], tied: bool = False) -> Build:
    """For agents that take a belief first, then settings by their names."""

    def build(world, settings, chosen):
        if tied and (world.n_states == 1 or moves_further_than_one_step(world)):
            raise ValueError(
                f"{kind.__name__}-tied cannot live here: its tied prior is for worlds of several "
                "states in which a step leads one state on, one back or nowhere, such as lazychain"
            )
        return kind(make_belief(world, settings, tied), **chosen)

    return build


def with_counts(kind: type[Agent]) -> Build:
    """For agents without a prior, which take the sizes of the world, then settings by names."""

    def build(world, settings, chosen):
        if "r_max" in chosen:
            r_max = _largest_reward_of(world, settings)
            chosen = chosen | {"r_max": r_max, "terminal_states": world.terminal_states}
        return kind(world.n_states, world.n_actions, **chosen)

    return build


def make_belief(env: gymnasium.Env, settings: Settings, tied: bool = False) -> Belief:
    """The prior over a world: Dirichlet transitions, and rewards as the settings say."""
    world = world_from_gymnasium(env)
    if not isinstance(settings, Settings):
        raise ValueError(f"settings must be an eubrl_edu Settings, got {shown(settings)}")
    tied = require_bool("tied", tied)
    transitions = TiedDirichletTransitions if tied else DirichletTransitions
    return Belief(
        transitions(world.n_states, world.n_actions, settings.alpha),
        _reward_belief(world, settings),
        world.terminal_states,
    )


def _reward_belief(world: gymnasium.Env, settings: Settings) -> RewardBelief:
    model = settings.reward_model
    if model == "known":
        if world.model is None:
            raise ValueError("reward_model 'known' needs a world whose model is known")
        return KnownRewards(world.successor_rewards, world.model.successors)
    if model == "bernoulli":
        return BetaBernoulliRewards(world.n_states, world.n_actions, on="action")
    if model == "normal":
        return NormalRewards(world.n_states, world.n_actions, mu0=0.0, tau0=1.0, tau=settings.tau)
    return NormalGammaRewards(
        world.n_states,
        world.n_actions,
        mu0=0.0,
        lambda0=settings.beta0 if settings.lambda0 is None else settings.lambda0,
        alpha0=2.0,
        beta0=settings.beta0,
        on=model,
    )


def frequentist(world, settings, chosen) -> FrequentistEUBRL:
    """EUBRL with the η_t of the analysis, which needs rewards in [0, R_max]."""
    if world.model is None:
        r_max = _largest_reward_of(world, settings)
    else:
        try:
            r_max = require_rewards_in_range(world, settings.r_max)
        except ValueError as error:
            raise ValueError(f"EUBRL-frequentist cannot live here: {error}") from None
    planning = {name: chosen[name] for name in ("discount", "horizon", "plan_every")}
    horizon = planning["horizon"]
    problem = Problem(
        world.n_states,
        world.n_actions,
        r_max,
        settings.delta,
        discount=settings.discount if horizon is None else None,
        horizon=horizon,
    )
    if settings.lambda_ is None:
        eta = TheoreticalEta(problem)
    else:
        eta = schedule(problem, settings.lambda_).eta
        if eta > LARGEST:
            raise ValueError(
                f"lambda_ must be larger, got {settings.lambda_!r}: its η, {eta:g}, is above "
                f"{LARGEST:g}"
            )
    return FrequentistEUBRL(
        world.n_states,
        world.n_actions,
        eta,
        r_max=r_max,
        terminal_states=world.terminal_states,
        **planning,
    )


@dataclass(frozen=True)
class TheoreticalEta:
    """η_t of the analysis, with the λ of the regret bound for T = t."""

    problem: Problem

    def __call__(self, step: int) -> float:
        """η of a step t = 1, 2 and so on."""
        # Of episodes the analysis counts those begun, this one included.
        horizon = self.problem.horizon
        duration = step if horizon is None else 1 + (step - 1) // horizon
        return schedule(self.problem, regret_lambda(self.problem, duration)).eta


def beetle(world, settings, chosen) -> BEETLE:
    """BEETLE where nothing is known of the probabilities."""
    _require_known_model("BEETLE", world)
    dynamics = UnknownDynamics.independent(
        world.model.successors, world.successor_rewards, world.terminal_states
    )
    return BEETLE(plan_offline(dynamics, settings.alpha, settings.discount))


def beetle_tied(world, settings, chosen) -> BEETLE:
    """BEETLE where the probabilities are known to be the same everywhere."""
    _require_known_model("BEETLE-tied", world)
    n_outcomes = world.outcome_probabilities.shape[-1]
    if n_outcomes < 2 or (world.outcome_probabilities == 0).any():
        raise ValueError(
            "BEETLE-tied needs a world in which every pair has equally many outcomes, two or more, "
            "such as chain: their probabilities, the same everywhere, are all that is unknown"
        )
    dynamics = UnknownDynamics.shared(
        world.outcome_states, world.outcome_rewards, world.terminal_states
    )
    return BEETLE(plan_offline(dynamics, settings.alpha, settings.discount))


def _require_known_model(name: str, world: gymnasium.Env) -> None:
    if world.model is None:
        raise ValueError(f"{name} needs a world whose model is known: it is given its rewards")


def largest_reward(world: gymnasium.Env, settings: Settings) -> float:
    """R_max as the settings have it, else that of the model, else 1."""
    if settings.r_max is not None:
        return settings.r_max
    return 1.0 if world.model is None else float(mean_rewards(world).max())


def _largest_reward_of(world: gymnasium.Env, settings: Settings) -> float:
    """R_max for an agent that goes by it; where it is only taken to be 1, a warning says so."""
    if settings.r_max is None and world.model is None:
        warnings.warn(
            f"{world!r} does not say what it pays, so the largest reward is taken to be 1; if it "
            "is not, give r_max",
            UserWarning,
            stacklevel=2,
        )
    return largest_reward(world, settings)


def mean_rewards(world: gymnasium.Env) -> np.ndarray:
    """The mean rewards of all outcomes that there can be; unused places of the table are none."""
    return world.successor_rewards[world.model.weights > 0]
