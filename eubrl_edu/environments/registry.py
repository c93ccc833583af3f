"""Worlds by name."""

from functools import partial

import gymnasium
import numpy as np

from eubrl_edu.environments.bandit import Bandit
from eubrl_edu.environments.chain import Chain
from eubrl_edu.environments.deepsea import DeepSea
from eubrl_edu.environments.from_gymnasium import GymnasiumWorld, world_from_gymnasium
from eubrl_edu.environments.lazychain import LazyChain
from eubrl_edu.environments.loop import Loop
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.names import require_choice
from eubrl_edu.validation import require_bool, require_positive_int, shown

WORLDS = {
    "chain": Chain,
    "loop": Loop,
    "deepsea": DeepSea,
    "lazychain": LazyChain,
    "bandit": Bandit,
}
WITH_STOCHASTIC_VARIANT = ("deepsea", "lazychain")
ALWAYS_STOCHASTIC = ("chain", "bandit")
# Their number of states, which a study's table may give as their size.
FIXED_SIZES = {"chain": 5, "bandit": 1}


def make_env(
    name: str | gymnasium.Env,
    size: int | None = None,
    stochastic: bool = False,
    seed: int = 0,
    **misspelled,
) -> TabularEnvironment | GymnasiumWorld:
    """Make a world by its name; the bare environment, without Gymnasium's wrappers.

    Parameters
    ----------
    name : str or gymnasium.Env
        ``chain``, ``loop``, ``deepsea``, ``lazychain`` or ``bandit``; or an environment with
        discrete spaces, to see it as a world (then the other arguments are left out).
    size : int, optional
        Number of loops L for ``loop`` (by default 2), N for ``deepsea`` and ``lazychain`` (by
        default 10). ``chain`` has 5 states and ``bandit`` 1, and no other size.
    stochastic : bool
        Whether to build the stochastic variant of ``deepsea`` or ``lazychain``. ``chain`` and
        ``bandit`` are stochastic either way; ``loop`` never is.
    seed : int
        Fixes what belongs to the world: the action mapping of ``deepsea``. The dynamics are
        seeded by ``reset``.

    Returns
    -------
    TabularEnvironment or GymnasiumWorld

    Raises
    ------
    ValueError
        For an unknown name (with the closest match), or a size, variant or seed that the world
        does not have, or an environment that is a vector or whose spaces are not discrete.
    """
    for setting in misspelled:
        require_choice("setting", setting, ("size", "stochastic", "seed"))
    if isinstance(name, gymnasium.Env):
        if size is not None or stochastic is not False or not (type(seed) is int and seed == 0):
            raise ValueError(
                "size, stochastic and seed must be left out for an environment that exists, "
                f"got size={size!r}, stochastic={stochastic!r}, seed={seed!r}"
            )
        return world_from_gymnasium(name)
    if isinstance(name, str) and name in gymnasium.registry:
        raise ValueError(
            f"{name!r} is a name of Gymnasium's; pass the environment itself: "
            f"make_env(gymnasium.make({name!r}))"
        )
    if isinstance(name, type) and issubclass(name, gymnasium.Env):
        raise ValueError(f"{shown(name)} is a class: make a world of it, {name.__name__}()")
    if isinstance(name, gymnasium.vector.VectorEnv):
        raise ValueError(f"the environment must be a single one, got a vector: {shown(name)}")
    name = require_choice("environment", name, WORLDS)
    stochastic = require_bool("stochastic", stochastic)
    settings: dict = {}
    if name in FIXED_SIZES:
        fixed = FIXED_SIZES[name]
        is_integer = isinstance(size, int | np.integer) and not isinstance(size, bool)
        if size is not None and not (is_integer and size == fixed):
            raise ValueError(f"size must be {fixed} for {name}, got {shown(size)}")
    elif size is not None:
        settings["size"] = size
    if name in WITH_STOCHASTIC_VARIANT:
        settings["stochastic"] = stochastic
    elif stochastic and name not in ALWAYS_STOCHASTIC:
        raise ValueError(
            f"stochastic must be False for {name}, got {stochastic!r}; "
            f"{' and '.join(WITH_STOCHASTIC_VARIANT)} have a stochastic variant, "
            f"{' and '.join(ALWAYS_STOCHASTIC)} are always stochastic"
        )
    seed = require_positive_int("seed", seed, at_least=0)
    if name == "deepsea":
        settings["seed"] = seed
    return WORLDS[name](**settings)


def register_worlds() -> None:
    """Register every world with Gymnasium: ``eubrl_edu/Chain-v0`` and so on."""
    for world in WORLDS.values():
        identifier = f"eubrl_edu/{world.__name__}-v0"
        if identifier not in gymnasium.registry:
            make = partial(_made_by_gymnasium, world)
            make.metadata = world.metadata  # where Gymnasium looks up how it can be rendered
            gymnasium.register(identifier, entry_point=make)


def _made_by_gymnasium(world: type[TabularEnvironment], render_mode=None, **settings):
    """Gymnasium says how to render, once it has warned of what cannot be; here there is one way."""
    return world(**settings)
