"""eubrl_edu: exploration under epistemic uncertainty, readable and alive.

The package follows the paper "EUBRL: Epistemic Uncertainty Directed Bayesian Reinforcement
Learning". Data flows one way: world → belief → uncertainty → plan → action → trajectory.

    >>> import eubrl_edu as eu
    >>> env = eu.make_env("loop", size=2)
    >>> agent = eu.make_agent("EUBRL", env)
    >>> trajectory = eu.simulate(agent, env, steps=1000, seed=0)

Names are loaded when they are first used, so that importing the package is quick.
"""

import lazy_loader

# The first to be loaded: it takes note of what the sources say.
from eubrl_edu import sources as _sources  # noqa: F401

__version__ = "0.1.0"

# What there is, and where, stands in __init__.pyi, for editors too.
__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
__all__ += ["__version__"]


def __dir__() -> list[str]:
    return sorted(__all__)
