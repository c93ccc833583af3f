"""Widgets: controls, a pure computation, and a picture with its words.

Each folder is one lab: its `scene` (settings, state, what is computed), its `picture`, its `words`
where they are long, and its `lab` (what is special about it). ``labs/race/lab.py`` holds
``RaceLab``; the modules beside the folders are what all labs are made of.
"""

import importlib
from pathlib import Path

from eubrl_edu.labs.cell_order import tell_what_to_run_first

_FOLDER_OF = {
    f"{file.parent.name.title().replace('_', '')}Lab": file.parent.name
    for file in sorted(Path(__file__).parent.glob("*/lab.py"))
}

__all__ = list(_FOLDER_OF)

tell_what_to_run_first()


def __getattr__(name: str):
    if name not in _FOLDER_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_FOLDER_OF[name]}.lab"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
