"""The controls of the race lab."""

from dataclasses import fields

import ipywidgets

from eubrl_edu.experiments import AGENT_NAMES
from eubrl_edu.labs.agent_picker import AgentPicker
from eubrl_edu.labs.controls import dropdown, int_slider
from eubrl_edu.labs.race_state import SEED_COUNTS, SHOWN, TUNABLE, RaceParams
from eubrl_edu.labs.world_controls import prior_controls, run_controls, world_controls

WHO = {
    "EUBRL": "Guidance: unsure, it plans with its uncertainty; sure, with its rewards",
    "EUBRL+": "EUBRL with a larger prior on rewards, made for the stochastic sea",
    "EUBRL-MI": "EUBRL that measures uncertainty of transitions as mutual information",
    "EUBRL-tied": "EUBRL that knows that a move does the same everywhere (lazy chain only)",
    "EUBRL-frequentist": "EUBRL that counts visits, with the η of the proofs: it explores for long",
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
    """Return a widget for each field of `RaceParams`."""
    controls = {
        **world_controls(start, "The world that all agents live in"),
        "agents": AgentPicker(
            {name: WHO.get(name, "Races") for name in AGENT_NAMES},
            start.agents,
            description="agents",
            tooltip="Who races: switch agents on and off",
        ),
        "seeds": dropdown(
            SEED_COUNTS,
            "runs",
            "How many runs of each agent, each with other luck (upper row)",
            width="8em",
        ),
        **run_controls("The luck of the one run that is watched (lower row)"),
        "until": int_slider(
            0,
            100,
            "until %",
            "How much of the run that is watched has been lived, in percent of its steps",
            width="22em",
        ),
        "tuned": dropdown(
            TUNABLE,
            "agent",
            "The agent whose settings the sliders set; all others keep the paper's",
            width="11em",
        ),
        # Followed while they move: a new value takes the place of the one under way.
        **prior_controls(follow=True),
        "show": dropdown(
            SHOWN,
            "show",
            "The return, or what it lacks of that of one who knows the world",
            width="9em",
        ),
    }
    return {field.name: controls[field.name] for field in fields(RaceParams)}
