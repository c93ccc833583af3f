"""The checks that the notebooks call, one module a notebook: what is right about an answer.

A check computes the truth with the package when it is called, never from a stored number. What
it returns prints as one or two sentences; its ``passed`` is true exactly when the answer is right.
A wrong answer that many people give is met with a hint of its own. In a notebook, what is passed is
noted in a file of the learner's (`eubrl_edu.exercises.progress`).
"""

import eubrl_edu.labs  # noqa: F401  in a notebook, errors then say what to run first
from eubrl_edu.exercises.checks import CHECKS
from eubrl_edu.exercises.feedback import NOTHING_YET, Feedback
from eubrl_edu.exercises.progress import note_in_notebooks

globals().update(CHECKS)
__all__ = ["NOTHING_YET", "Feedback", *sorted(CHECKS)]

note_in_notebooks()
