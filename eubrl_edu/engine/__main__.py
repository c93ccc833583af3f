"""Compile the engine and the planner once: ``python -m eubrl_edu.engine``.

What is compiled is kept on disk, so that no lab and no notebook has to wait for it later.
"""

from eubrl_edu import engine, simulation
from eubrl_edu.agents import EUBRL
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalGammaRewards
from eubrl_edu.environments import Loop

if __name__ == "__main__":
    world = Loop()
    sizes = world.n_states, world.n_actions
    belief = Belief(DirichletTransitions(*sizes), NormalGammaRewards(*sizes))
    engine.simulate(EUBRL(belief), world, steps=2, seed=0)
    simulation.simulate(EUBRL(belief), world, steps=2, seed=0)
