"""The settings that labs with a world of one's choice share, declared."""

from typing import Any

from eubrl_edu.environments import WORLDS
from eubrl_edu.labs.settings import accept, int_slider, log_slider, setting
from eubrl_edu.labs.world_settings import LARGEST_SIZES, MOST_STEPS
from eubrl_edu.plotting.names import world_title
from eubrl_edu.validation import require_bool, require_positive_int


def world_list(tooltip: str) -> Any:
    """Declare the world; one that is no name but an environment is one choice more."""

    def options(start: Any) -> list:
        if start.world in WORLDS:
            return list(WORLDS)
        return [*((name, name) for name in WORLDS), (world_title(start.world), start.world)]

    look = {"width": "12em", "options": options}
    return setting("loop", "Dropdown", accept, "world", tooltip, **look)


def size_slider() -> Any:
    """Declare the size of the world."""
    return int_slider(
        2,
        1,
        lambda start: largest_size(start.world),
        "size",
        "Number of loops, or length N of the sea or of half the lazy chain",
        continuous_update=False,
        width="16em",
    )


def chance_box() -> Any:
    """Declare whether moves are left to chance."""
    words = "stochastic", "Moves may go wrong (deep sea and lazy chain)"
    return setting(False, "Checkbox", require_bool, *words, width="8em", indent=False)


def prior_slider(
    name: str, start: float, low: float, high: float, tooltip: str, follow: bool, **look: Any
) -> Any:
    """Declare a parameter of a prior, or η; with ``follow`` it answers while it moves."""
    look = {"continuous_update": follow, "width": "17em", "readout_format": ".1e"} | look
    return log_slider(start, low, high, name, tooltip, **look)


def alpha_slider(follow: bool) -> Any:
    """Declare α."""
    words = "Prior pseudo-count of every next state"
    return prior_slider("α", 1e-8, -8, 1, words, follow, step=0.25)


def beta0_slider(follow: bool) -> Any:
    """Declare β₀."""
    words = "Prior on rewards: small means little to unlearn"
    return prior_slider("β₀", 1e-4, -4, 1, words, follow)


def eta_slider(follow: bool) -> Any:
    """Declare η, in steps so fine that 30 is shown as 30."""
    words = "How much a unit of uncertainty is worth"
    return prior_slider("η", 0.5, -3, 3, words, follow, step=0.025, readout_format=".2g")


def seed_number(tooltip: str) -> Any:
    """Declare the seed of a run."""
    return setting(0, "IntText", _require_seed, "seed", tooltip, width="8em")


def steps_number() -> Any:
    """Declare how long a run is."""
    words = "steps", f"Length of a run, from 1 to {MOST_STEPS}"
    return setting(1000, "IntText", _require_steps, *words, width="9em")


def largest_size(world: Any) -> int:
    """Where the slider of the size ends."""
    return LARGEST_SIZES.get(world, 8)


def _require_seed(name: str, value: Any) -> None:
    require_positive_int(name, value, at_least=0)


def _require_steps(name: str, value: Any) -> None:
    if require_positive_int(name, value) > MOST_STEPS:
        raise ValueError(f"{name} must be from 1 to {MOST_STEPS}, got {value}")
