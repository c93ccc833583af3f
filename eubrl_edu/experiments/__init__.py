"""Many seeds: the paper's experiments as data, run and gathered into tables."""

import importlib

# Agents by name need no pandas; only the tables do.
_HOME_OF = {
    "AGENT_NAMES": "agents",
    "make_agent": "agents",
    "make_belief": "agents",
    "WORLD_SETTINGS": "settings",
    "Settings": "settings",
    "paper_settings": "settings",
    "STUDIES": "studies",
    "Study": "studies",
    "run_study": "run",
    "summarise": "summary",
    "Tuning": "tuning",
    "tune": "tuning",
}

__all__ = list(_HOME_OF)


def __getattr__(name: str):
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME_OF[name]}"), name)
