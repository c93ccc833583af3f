"""The wait for numba, which compiles the engine on its first use and keeps it on disk."""

import sys

from numba.core import event

from eubrl_edu import engine
from eubrl_edu.environments import Loop
from eubrl_edu.experiments.agents import make_agent
from eubrl_edu.experiments.interruptible import interruptible

NOTICE = "eubrl_edu: compiling the engine. This is done once and takes about a minute ..."


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
