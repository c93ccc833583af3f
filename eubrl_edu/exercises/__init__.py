"""The checks that the notebooks call, one module a notebook: what is right about an answer.

A check computes the truth with the package when it is called, never from a stored number. What
it returns prints as one or two sentences; its ``passed`` is true exactly when the answer is right.
A wrong answer that many people give is met with a hint of its own. In a notebook, what is passed is
noted in a file of the learner's (`eubrl_edu.exercises.progress`).
"""

import importlib

import eubrl_edu.labs  # noqa: F401  in a notebook, errors then say what to run first
from eubrl_edu.exercises.feedback import NOTHING_YET, Feedback

_PAGES = (
    "start_here", "beliefs", "uncertainty", "planning", "guidance", "step_by_step", "race",
    "deep_exploration", "lazy_chain", "regret_and_bounds", "priors", "when_it_fails",
    "critical_reading", "your_own_world", "beyond_the_tables",
)  # fmt: skip


def _checks_of(page: str) -> dict:
    """All that is written in the module of a page and called ``check_…``."""
    module = importlib.import_module(f"{__name__}.{page}")
    found = {name: value for name, value in vars(module).items() if name.startswith("check_")}
    return {name: check for name, check in found.items() if check.__module__ == module.__name__}


# Page by page in the order of `_PAGES`, and in each in the order of its exercises.
CHECKS = {name: check for page in _PAGES for name, check in _checks_of(page).items()}
globals().update(CHECKS)
__all__ = ["NOTHING_YET", "Feedback", *sorted(CHECKS)]

# Last, as it asks for the names above.
from eubrl_edu.exercises.progress import note_in_notebooks  # noqa: E402

note_in_notebooks()
