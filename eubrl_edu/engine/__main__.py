"""Compile what runs need, and keep it on disk: ``python -m eubrl_edu.engine``.

In the order in which the course needs it: the planner and the tables of the readable agents,
which step through the first notebooks; whole runs, for many seeds; runs that draw their models.
It may run beside a lab: who needs a function that is being compiled waits for it.
"""

from eubrl_edu import engine, simulation
from eubrl_edu.agents import EUBRL, PSRL
from eubrl_edu.beliefs import Belief, DirichletTransitions, NormalGammaRewards
from eubrl_edu.compiling import ready_mark
from eubrl_edu.environments import Loop

if __name__ == "__main__":
    world = Loop()
    sizes = world.n_states, world.n_actions
    for simulate, agent in [
        (simulation.simulate, EUBRL),
        (engine.simulate, EUBRL),
        (engine.simulate, PSRL),
    ]:
        belief = Belief(DirichletTransitions(*sizes), NormalGammaRewards(*sizes))
        simulate(agent(belief), world, steps=2, seed=0)
    mark = ready_mark()
    if mark is not None:
        mark.touch()
