"""One picture at a time: Matplotlib's settings and its parser of formulas belong to the process.

A kernel answers labs on more than one thread (JupyterLab from 4.4 on, with ipykernel from 7 on).
Two pictures drawn at once take each other's settings, and most formulas in them, such as the powers
of ten of an axis, fail to be read.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from matplotlib import rc_context

from eubrl_edu.plotting.style import rc_parameters

# Held while a picture is made and drawn. Whoever holds it waits for nothing else.
IN_TURN = threading.RLock()


@contextmanager
def drawing() -> Iterator[None]:
    """Draw in here, in turn and in the course's style."""
    with IN_TURN, rc_context(rc_parameters()):
        yield
