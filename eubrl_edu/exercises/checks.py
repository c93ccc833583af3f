"""All checks that the notebooks call, by name."""

import importlib

# Which module has the checks of which notebook.
_MODULES = {
    "00_start_here": "start_here",
    "01_beliefs": "beliefs",
    "02_uncertainty": "uncertainty",
    "03_planning": "planning",
    "04_guidance": "guidance",
    "05_eubrl_step_by_step": "step_by_step",
    "06_race": "race",
    "07_deep_exploration": "deep_exploration",
    "08_lazy_chain": "lazy_chain",
    "09_regret_and_bounds": "regret_and_bounds",
    "10_priors": "priors",
    "11_when_it_fails": "when_it_fails",
    "12_reading_the_paper_critically": "critical_reading",
    "13_beyond_the_tables": "beyond_the_tables",
    "14_your_own_world": "your_own_world",
}


def _checks_of(name: str) -> dict:
    """All that is written in a module and called ``check_…``."""
    module = importlib.import_module(f"eubrl_edu.exercises.{name}")
    found = {name: value for name, value in vars(module).items() if name.startswith("check_")}
    return {name: check for name, check in found.items() if check.__module__ == module.__name__}


# Page by page, and in each in the order of its exercises.
CHECKS_OF = {page: _checks_of(module) for page, module in _MODULES.items()}
CHECKS = {name: check for checks in CHECKS_OF.values() for name, check in checks.items()}
