"""The same runs, compiled: for many seeds, bit for bit what the readable classes do.

`simulate` takes an agent and a world as ``eubrl_edu.simulation.simulate`` does, and gives the same
trajectory for the same seed. The readable classes remain the definition; each function in here
names the one that it mirrors, and the tests hold the two against each other for every agent and
world. ``state`` turns classes into arrays, ``learning`` mirrors beliefs and uncertainty,
``drawing`` posterior samples, ``run`` plans, acts and plays the world.
"""

from eubrl_edu.engine.run import simulate, why_not

__all__ = ["simulate", "why_not"]
