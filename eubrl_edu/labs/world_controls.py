"""The settings that labs with a world of one's choice share, declared."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium

from eubrl_edu.environments import WORLDS
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.labs.settings import Settings, int_slider, log_slider, setting
from eubrl_edu.labs.world_settings import LARGEST_SIZES, MOST_STEPS, require_world, world_of
from eubrl_edu.plotting.names import world_title
from eubrl_edu.validation import require_bool, require_positive_int

prior_slider = partial(log_slider, width="17em", readout_format=".1e")


def largest_size(world: Any) -> int:
    """Where the slider of the size ends."""
    return LARGEST_SIZES.get(world, 8)


def seed_number(tooltip: str) -> Any:
    """Declare the seed of a run."""
    check = partial(require_positive_int, at_least=0)
    return setting(0, "IntText", check, "seed", tooltip, width="8em")


def _worlds(start: Any) -> list:
    """All worlds; one that is no name but an environment is one choice more."""
    if start.world in WORLDS:
        return list(WORLDS)
    return [*((name, name) for name in WORLDS), (world_title(start.world), start.world)]


def _require_world(name: str, value: Any) -> None:
    if not isinstance(value, gymnasium.Env):  # what one publishes is read where it is taken
        require_world(value)
    elif type(value).__hash__ is None:
        raise ValueError(
            f"{name} must be hashable, got a {type(value).__name__}: @dataclass(eq=False) is"
        )


def _require_steps(name: str, value: Any) -> None:
    if require_positive_int(name, value) > MOST_STEPS:
        raise ValueError(f"{name} must be from 1 to {MOST_STEPS}, got {value}")


@dataclass(frozen=True)
class WorldParams(Settings):
    """A world, which may be one's own, how long runs in it are, and an agent's η and prior."""

    world: str | gymnasium.Env = setting(
        "loop",
        "Dropdown",
        _require_world,
        "world",
        "The world to explore",
        width="12em",
        options=_worlds,
    )
    size: int = int_slider(
        2,
        1,
        lambda start: largest_size(start.world),
        "size",
        "Number of loops, or length N of the sea or of half the lazy chain",
        continuous_update=False,
        width="16em",
    )
    stochastic: bool = setting(
        False,
        "Checkbox",
        require_bool,
        "stochastic",
        "Moves may go wrong (sea and lazy chain); in the sea rewards vary, too",
        width="8em",
        indent=False,
    )
    # In steps so fine that 30 is shown as 30.
    eta: float = prior_slider(
        0.5,
        -3,
        3,
        "η",
        "How much a unit of uncertainty is worth, or how large a bonus is",
        step=0.025,
        readout_format=".2g",
    )
    alpha: float = prior_slider(
        1e-8,
        -8,
        1,
        "α",
        "Prior pseudo-count of every next state; PSRL draws with at least 0.001",
        step=0.25,
    )
    beta0: float = prior_slider(
        1e-4, -4, 1, "β₀", "Prior on rewards: the smaller it is, the less there is to unlearn"
    )
    steps: int = setting(
        1000,
        "IntText",
        _require_steps,
        "steps",
        f"Length of a run, from 1 to {MOST_STEPS}",
        width="9em",
    )

    def make_env(self) -> TabularEnvironment:
        """The world."""
        return world_of(self.world, self.size, self.stochastic)
