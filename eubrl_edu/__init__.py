"""eubrl_edu: exploration under epistemic uncertainty, readable and alive.

The package follows the paper "EUBRL: Epistemic Uncertainty Directed Bayesian Reinforcement
Learning". Data flows one way: world → belief → uncertainty → plan → action → trajectory.

    >>> import eubrl_edu as eu
    >>> env = eu.make_env("loop", size=2)
    >>> agent = eu.make_agent("EUBRL", env)
    >>> trajectory = eu.simulate(agent, env, steps=1000, seed=0)

Names are loaded when they are first used, so that importing the package is quick.
"""

import importlib

__version__ = "0.1.0"

_HOME_OF = {
    "MDP": "mdp",
    "make_env": "environments",
    "world_from_gymnasium": "environments",
    "Belief": "beliefs",
    "BetaBernoulliRewards": "beliefs",
    "DirichletTransitions": "beliefs",
    "KnownRewards": "beliefs",
    "NormalGammaRewards": "beliefs",
    "NormalRewards": "beliefs",
    "TiedDirichletTransitions": "beliefs",
    "backward_induction": "planning",
    "evaluate_policy": "planning",
    "solve": "planning",
    "value_iteration": "planning",
    "Agent": "agents",
    "BEB": "agents",
    "BEETLE": "agents",
    "BOSS": "agents",
    "EUBRL": "agents",
    "FrequentistEUBRL": "agents",
    "GuidedPlan": "agents",
    "MBIEEB": "agents",
    "MeanMDP": "agents",
    "PSRL": "agents",
    "Plan": "agents",
    "QLearning": "agents",
    "RMAX": "agents",
    "VBRB": "agents",
    "Trajectory": "simulation",
    "simulate": "simulation",
    "Study": "experiments",
    "make_agent": "experiments",
    "run_study": "experiments",
}
_PARTS = ("engine", "theory")

__all__ = [*_HOME_OF, *_PARTS, "__version__"]


def __getattr__(name: str):
    if name in _PARTS:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
