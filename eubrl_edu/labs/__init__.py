"""Widgets: controls, a pure computation, and a picture with its words."""

import importlib

_HOME_OF = {
    "BeliefLab": "belief_lab",
    "BoundsLab": "bounds_lab",
    "DecompositionLab": "decomposition_lab",
    "ExplorationLab": "exploration_lab",
    "GuidanceLab": "guidance_lab",
    "MisspecificationLab": "misspecification_lab",
    "PriorLab": "prior_lab",
    "RaceLab": "race_lab",
    "ScalingLab": "scaling_lab",
}

__all__ = list(_HOME_OF)


def __getattr__(name: str):
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
