"""Agents by name, with the paper's settings for the world they are made for."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial

import gymnasium
import numpy as np

from eubrl_edu.agents import (
    BEB,
    BEETLE,
    BOSS,
    EUBRL,
    MBIEEB,
    PSRL,
    RMAX,
    VBRB,
    Agent,
    FrequentistEUBRL,
    MeanMDP,
    QLearning,
    UnknownDynamics,
    plan_offline,
)
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
from eubrl_edu.environments import WORLDS, world_from_gymnasium
from eubrl_edu.experiments.settings import REWARD_MODELS, Settings, paper_settings
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.schedules import regret_lambda, schedule
from eubrl_edu.theory.world_rewards import require_rewards_in_range
from eubrl_edu.validation import require_choice


def make_agent(name: str, env: gymnasium.Env, **settings) -> Agent:
    """Make an agent for a world.

    Parameters
    ----------
    name : str
        One of `AGENT_NAMES`.
    env : gymnasium.Env
        The world; any environment with discrete spaces.
    **settings
        ``eta``, ``alpha``, ``beta0``, ``lambda0``, ``discount``, ``plan_every``,
        ``reward_model``, ``tau``, ``uncertainty``, ``known_after``, ``r_max``, ``n_models``,
        ``learning_rate``, ``epsilon``, ``clip_visited``, ``delta``, ``lambda_``: see `Settings`,
        which explains each. An agent takes no notice of settings that it has no use for.
        ``horizon``: H, where episodes have so many steps. What is left out comes from the paper's
        settings for that world, except ``plan_every``, which is 1.

    Returns
    -------
    Agent

    Raises
    ------
    ValueError
        If the name or a setting is unknown, a value is outside its range, or the agent cannot
        live in this world: EUBRL-frequentist, for one, needs rewards in [0, R_max].
    """
    build = _BUILDERS[require_choice("agent", name, _BUILDERS)]
    known = [field.name for field in fields(Settings) if field.name != "eta_per_size"]
    for setting in settings:
        require_choice("setting", setting, [*known, "horizon"])
    horizon = settings.pop("horizon", None)
    world = world_from_gymnasium(env)
    chosen = paper_settings(world_variant(world), name, getattr(world, "size", None))
    chosen = replace(chosen, **{"plan_every": 1} | settings)
    return build(world, chosen, horizon)


def world_variant(world: gymnasium.Env) -> str | None:
    """The name under which `WORLD_SETTINGS` knows this world; None for a foreign one."""
    for name, world_class in WORLDS.items():
        if type(world) is world_class:
            if not hasattr(world, "stochastic"):
                return name
            return f"{name}-{'stochastic' if world.stochastic else 'deterministic'}"
    return None


def make_belief(world: gymnasium.Env, settings: Settings, tied: bool = False) -> Belief:
    """The prior over a world: Dirichlet transitions, and rewards as the settings say."""
    transitions = TiedDirichletTransitions if tied else DirichletTransitions
    return Belief(
        transitions(world.n_states, world.n_actions, settings.alpha),
        _reward_belief(world, settings),
        world.terminal_states,
    )


def _reward_belief(world: gymnasium.Env, settings: Settings) -> RewardBelief:
    model = require_choice("reward_model", settings.reward_model, REWARD_MODELS)
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


def _planning(settings: Settings, horizon: int | None) -> dict:
    """The arguments that every planning agent takes."""
    return {
        "discount": settings.discount,
        "horizon": horizon,
        "plan_every": settings.plan_every,
    }


def _eubrl(world, settings, horizon, tied=False):
    return EUBRL(
        make_belief(world, settings, tied),
        eta=settings.eta,
        uncertainty=settings.uncertainty,
        **_planning(settings, horizon),
    )


def _eubrl_with_mutual_information(world, settings, horizon):
    return _eubrl(world, replace(settings, uncertainty="mutual-information"), horizon)


def _eubrl_tied(world, settings, horizon):
    if world.model is not None:
        distance = np.abs(world.model.successors - np.arange(world.n_states)[:, None, None])
        if (distance[world.model.weights > 0] > 1).any():
            raise ValueError(
                "EUBRL-tied needs a world in which a step leads one state on, back or nowhere, "
                "such as lazychain: under a tied prior a step does the same everywhere"
            )
    return _eubrl(world, settings, horizon, tied=True)


def _eubrl_frequentist(world, settings, horizon):
    if world.model is None:
        r_max = _largest_reward(world, settings)
    else:
        try:
            r_max = require_rewards_in_range(world, settings.r_max)
        except ValueError as error:
            raise ValueError(f"EUBRL-frequentist cannot live here: {error}") from None
    problem = Problem(
        world.n_states,
        world.n_actions,
        r_max,
        settings.delta,
        discount=settings.discount if horizon is None else None,
        horizon=horizon,
    )
    eta = partial(_theoretical_eta, problem, settings.lambda_)
    eta(1)  # so that a bad λ is an error now, and not when the agent first plans
    return FrequentistEUBRL(
        world.n_states,
        world.n_actions,
        eta,
        r_max=r_max,
        terminal_states=world.terminal_states,
        **_planning(settings, horizon),
    )


def _theoretical_eta(problem: Problem, lambda_: float | None, step: int) -> float:
    """η_t of the analysis; without a λ, with that of the regret bound for T = t."""
    if lambda_ is None:
        # Of episodes the analysis counts those begun, this one included.
        duration = step if problem.horizon is None else 1 + (step - 1) // problem.horizon
        lambda_ = regret_lambda(problem, duration)
    return schedule(problem, lambda_).eta


def _psrl(world, settings, horizon):
    return PSRL(
        make_belief(world, settings),
        clip_visited=settings.clip_visited,
        **_planning(settings, horizon),
    )


def _mean_mdp(world, settings, horizon):
    return MeanMDP(make_belief(world, settings), **_planning(settings, horizon))


def _beb(world, settings, horizon):
    return BEB(make_belief(world, settings), settings.eta, **_planning(settings, horizon))


def _vbrb(world, settings, horizon):
    return VBRB(make_belief(world, settings), settings.eta, **_planning(settings, horizon))


def _rmax(world, settings, horizon):
    return RMAX(
        world.n_states,
        world.n_actions,
        known_after=settings.known_after,
        r_max=_largest_reward(world, settings),
        discount=settings.discount,
        horizon=horizon,
        terminal_states=world.terminal_states,
    )


def _mbie_eb(world, settings, horizon):
    return MBIEEB(
        world.n_states,
        world.n_actions,
        eta=settings.eta,
        r_max=_largest_reward(world, settings),
        terminal_states=world.terminal_states,
        **_planning(settings, horizon),
    )


def _boss(world, settings, horizon):
    return BOSS(
        make_belief(world, settings),
        n_models=settings.n_models,
        known_after=settings.known_after,
        discount=settings.discount,
        horizon=horizon,
    )


def _beetle(world, settings, horizon):
    _require_known_model("BEETLE", world)
    dynamics = UnknownDynamics.independent(
        world.model.successors, world.successor_rewards, world.terminal_states
    )
    return _beetle_for(dynamics, settings, horizon)


def _beetle_tied(world, settings, horizon):
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
    return _beetle_for(dynamics, settings, horizon)


def _beetle_for(dynamics, settings, horizon):
    _require_no_horizon("BEETLE", horizon)
    return BEETLE(plan_offline(dynamics, settings.alpha, settings.discount))


def _require_known_model(name: str, world: gymnasium.Env) -> None:
    if world.model is None:
        raise ValueError(f"{name} needs a world whose model is known: it is given its rewards")


def _q_learning(world, settings, horizon):
    _require_no_horizon("Q-learning", horizon)
    return QLearning(
        world.n_states,
        world.n_actions,
        learning_rate=settings.learning_rate,
        epsilon=settings.epsilon,
        discount=settings.discount,
    )


def _require_no_horizon(name: str, horizon: int | None) -> None:
    if horizon is not None:
        raise ValueError(f"horizon must be left out: {name} has none; got {horizon!r}")


def _largest_reward(world: gymnasium.Env, settings: Settings) -> float:
    if settings.r_max is not None:
        return settings.r_max
    return 1.0 if world.model is None else float(np.max(world.successor_rewards))


_BUILDERS: dict[str, Callable[..., Agent]] = {
    "EUBRL": _eubrl,
    "EUBRL+": _eubrl,
    "EUBRL-MI": _eubrl_with_mutual_information,
    "EUBRL-tied": _eubrl_tied,
    "EUBRL-frequentist": _eubrl_frequentist,
    "PSRL": _psrl,
    "RMAX": _rmax,
    "MBIE-EB": _mbie_eb,
    "BEB": _beb,
    "VBRB": _vbrb,
    "Mean-MDP": _mean_mdp,
    "BOSS": _boss,
    "BEETLE": _beetle,
    "BEETLE-tied": _beetle_tied,
    "Q-learning": _q_learning,
}
AGENT_NAMES = tuple(_BUILDERS)
