"""Waiting for compiled code: for Ctrl-C, to which it does not listen, and for its compilation."""

import math
import sys
import threading
import time
from collections.abc import Callable

from numba.core import event

from eubrl_edu import engine
from eubrl_edu.environments import Loop
from eubrl_edu.experiments.agents import make_agent

NOTICE = "eubrl_edu: compiling the engine. This is done once and takes about a minute ..."


def interruptible(function: Callable, *arguments, patience: float = math.inf, **options):
    """Call a function on another thread and wait for it here, where Ctrl-C is heard at once.

    After Ctrl-C, or when patience is at its end, the other thread goes on unheard; it does not
    keep Python from exiting.

    Parameters
    ----------
    function : callable
        What to call, with the other arguments and options.
    patience : float
        Seconds to wait at most.

    Returns
    -------
    object
        What the function returns.

    Raises
    ------
    TimeoutError
        If the function has not returned in time.
    """
    outcome = {}

    def call():
        try:
            outcome["value"] = function(*arguments, **options)
        except BaseException as error:
            outcome["error"] = error

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    deadline = time.monotonic() + patience
    while thread.is_alive():
        # Windows hears Ctrl-C only between waits.
        thread.join(timeout=0.2)
        if time.monotonic() > deadline:
            raise TimeoutError(f"no answer within {patience:g} s")
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


class _Notice(event.Listener):
    """Says that something is being compiled when the first function is."""

    def __init__(self):
        self.given = False

    def on_start(self, event):
        if not self.given:
            print(NOTICE, file=sys.stderr, flush=True)
        self.given = True

    def on_end(self, event):
        pass


def compile_engine() -> None:
    """Load the engine, for all processes to come; compile it and say so where that is to be done.

    All agents and worlds share what one step of one of them needs; only those that draw their
    model, like PSRL, compile more.
    """
    world = Loop()
    with event.install_listener("numba:compile", _Notice()):
        interruptible(engine.simulate, make_agent("EUBRL", world), world, steps=1, seed=0)
