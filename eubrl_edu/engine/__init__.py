"""The same runs, compiled: for many seeds, bit for bit what the readable classes do.

`simulate` takes an agent and a world as ``eubrl_edu.simulation.simulate`` does, and gives the same
trajectory for the same seed. The readable classes remain the definition; each function in here
names the one that it mirrors, and the tests hold the two against each other for every agent and
world. ``state`` turns classes into arrays, ``learning`` mirrors beliefs and uncertainty,
``drawing`` posterior samples, ``success`` the rule that stops a run; ``run`` plans, acts and plays
the world, and ``fitting`` says which runs it can.
"""

from eubrl_edu.engine.fitting import why_not
from eubrl_edu.engine.run import simulate

__all__ = ["simulate", "why_not"]
