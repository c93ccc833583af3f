"""Compile the engine once: ``python -m eubrl_edu.engine``.

What is compiled is kept on disk, so that no lab and no notebook has to wait for it later.
"""

from eubrl_edu.agents import EUBRL
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalGammaRewards
from eubrl_edu.engine.run import simulate
from eubrl_edu.environments import Loop

if __name__ == "__main__":
    world = Loop()
    sizes = world.n_states, world.n_actions
    belief = Belief(DirichletTransitions(*sizes), NormalGammaRewards(*sizes))
    simulate(EUBRL(belief), world, steps=2, seed=0)
