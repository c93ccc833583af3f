"""The controls of the race lab."""

import ipywidgets

from eubrl_edu.environments import WORLDS
from eubrl_edu.experiments import AGENT_NAMES
from eubrl_edu.labs.agent_picker import AgentPicker
from eubrl_edu.labs.exploration_settings import LARGEST_SIZES
from eubrl_edu.labs.race_state import MOST_STEPS, SEED_COUNTS, SHOWN, TUNABLE, RaceParams

WHO = {
    "EUBRL": "Guidance: unsure, it plans with its uncertainty; sure, with its rewards",
    "EUBRL+": "EUBRL with a larger prior on rewards, made for the stochastic sea",
    "EUBRL-MI": "EUBRL that measures uncertainty of transitions as mutual information",
    "EUBRL-tied": "EUBRL that knows that a move does the same everywhere (lazy chain only)",
    "PSRL": "Sampling: draws a world from its belief, and lives in it for a while",
    "BOSS": "Sampling: draws several worlds, and hopes for the best of each",
    "RMAX": "Optimism: whatever it has not tried pays the most",
    "MBIE-EB": "Bonus: adds η/√n to the reward of a pair tried n times",
    "BEB": "Bonus: adds η/(1 + n) to the believed reward",
    "VBRB": "Bonus: adds the spread of its belief to the believed reward",
    "Mean-MDP": "No exploration: takes its mean belief for the truth",
    "BEETLE": "Plans over beliefs before it starts (chain only; takes a while)",
    "BEETLE-tied": "BEETLE that knows that actions slip alike everywhere (chain only)",
    "Q-learning": "Dithering: one action in ten is taken at random",
}


def build_controls(start: RaceParams) -> dict[str, ipywidgets.Widget]:
    """Return a widget for each field of `RaceParams`, at the values of ``start``."""
    return {
        "world": ipywidgets.Dropdown(
            options=list(WORLDS),
            value=start.world,
            description="world",
            tooltip="The world that all agents live in",
            layout={"width": "12em"},
        ),
        "size": ipywidgets.IntSlider(
            value=start.size,
            min=1,
            max=LARGEST_SIZES.get(start.world, 8),
            description="size",
            tooltip="Number of loops, or length N of the sea or of half the lazy chain",
            continuous_update=False,
            layout={"width": "16em"},
        ),
        "stochastic": ipywidgets.Checkbox(
            value=start.stochastic,
            description="stochastic",
            tooltip="Moves may go wrong (deep sea and lazy chain)",
            indent=False,
            layout={"width": "8em"},
        ),
        "agents": AgentPicker(
            {name: WHO.get(name, "Races") for name in AGENT_NAMES},
            start.agents,
            description="agents",
            tooltip="Who races: switch agents on and off",
        ),
        "seeds": ipywidgets.Dropdown(
            options=list(SEED_COUNTS),
            value=start.seeds,
            description="runs",
            tooltip="How many runs of each agent, each with other luck (upper row)",
            layout={"width": "8em"},
        ),
        "seed": ipywidgets.IntText(
            value=start.seed,
            description="seed",
            tooltip="The luck of the one run that is watched (lower row)",
            layout={"width": "8em"},
        ),
        "steps": ipywidgets.IntText(
            value=start.steps,
            description="steps",
            tooltip=f"Length of every run, from 1 to {MOST_STEPS}",
            layout={"width": "9em"},
        ),
        "tuned": ipywidgets.Dropdown(
            options=list(TUNABLE),
            value=start.tuned,
            description="agent",
            tooltip="The agent whose settings the sliders set; all others keep the paper's",
            layout={"width": "11em"},
        ),
        "eta": _log_slider(start.eta, -3, 3, "η", "What uncertainty is worth to that agent", ".2g"),
        "alpha": _log_slider(start.alpha, -8, 1, "α", "Its prior pseudo-count of every next state"),
        "beta0": _log_slider(start.beta0, -4, 1, "β₀", "Its prior on rewards"),
        "show": ipywidgets.Dropdown(
            options=list(SHOWN),
            value=start.show,
            description="show",
            tooltip="The return, or what it lacks of that of one who knows the world",
            layout={"width": "12em"},
        ),
    }


def _log_slider(
    value: float, low: int, high: int, name: str, words: str, readout_format: str = ".1e"
) -> ipywidgets.FloatLogSlider:
    # Followed while it moves: a new value takes the place of the one under way.
    return ipywidgets.FloatLogSlider(
        value=value,
        base=10,
        min=low,
        max=high,
        step=0.1 if high - low < 8 else 0.25,
        readout_format=readout_format,
        description=name,
        tooltip=words,
        layout={"width": "17em"},
    )
