"""All checks that the notebooks call, by name."""

import importlib

_PAGES = (
    "start_here", "beliefs", "uncertainty", "planning", "guidance", "step_by_step", "race",
    "deep_exploration", "lazy_chain", "regret_and_bounds", "priors", "when_it_fails",
    "critical_reading", "your_own_world", "beyond_the_tables",
)  # fmt: skip


def _checks_of(page: str) -> dict:
    """All that is written in the module of a page and called ``check_…``."""
    module = importlib.import_module(f"eubrl_edu.exercises.{page}")
    found = {name: value for name, value in vars(module).items() if name.startswith("check_")}
    return {name: check for name, check in found.items() if check.__module__ == module.__name__}


# Page by page in the order of `_PAGES`, and in each in the order of its exercises.
CHECKS = {name: check for page in _PAGES for name, check in _checks_of(page).items()}
