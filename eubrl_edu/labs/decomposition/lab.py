"""DecompositionLab: the regret of each step, taken apart as the paper's proofs do."""

from collections.abc import Mapping
from typing import Any

from eubrl_edu.labs.decomposition import scene
from eubrl_edu.labs.decomposition.picture import DecompositionPicture
from eubrl_edu.labs.decomposition.scene import (
    THEORY,
    WORLDS,
    Params,
    State,
    rewards_are_known,
    suggested,
)
from eubrl_edu.labs.decomposition.words import describe
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.names import require_choice


class DecompositionLab(SlowLab):
    """Where the regret of a step comes from, along a run of EUBRL in a small world.

    V* − V^π = (V* − Ṽ) + (Ṽ − V^t) + (V^t − V^π): quasi-optimism, complexity and accuracy (the
    paper, "Regret Decomposition"), all four value functions solved exactly at every step. Shown
    with them: the epistemic resistance, the bound on the step's regret and the events it needs.
    Ṽ has the theorem's m and Υ, or an m of choice with the Υ that the learner's η leaves. The prior
    and η are the paper's for the world where they are left out.
    """

    scene = scene
    Picture = DecompositionPicture
    describe = staticmethod(describe)
    slow = ("world", "alpha", "beta0", "eta", "discount", "seed", "steps", "lambda_", "m")
    figure_inches = (11.4, 6.9)
    remembers = 10  # to go back to a setting takes no run
    leading = ("world",)
    situations = {
        "A wrong turn": (
            "At this step the agent of the Chain still turns back, and its regret shows it",
            Params(),
        ),
        "Full of hope": (
            "Early on, doubt makes up nearly all the value that the agent expects",
            Params(time=10),
        ),
        "The theorem's m": (
            "With the theorem's m no pair is ever visited often enough, and one part vanishes",
            Params(m=THEORY),
        ),
        "Optimism runs out": (
            "Two loops, step 19: the agent errs, and now Ṽ lies below V*",
            Params(world="2 loops", **suggested("2 loops"), time=19),
        ),
    }
    rows = (
        ("Run", ("world", "alpha", "beta0", "eta", "seed", "steps")),
        ("Theory", ("discount", "lambda_", "m")),
        ("Look", ("time", "player")),
    )
    plays = "time"
    question = ("world", "eta", "m", "time", "player")

    # ---- how controls answer -------------------------------------------------------------

    def brings(self, moved: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Another world brings the paper's prior and η."""
        if "world" not in moved:
            return {}
        return suggested(require_choice("world", moved["world"], WORLDS))

    def at_rest(self, params: Params) -> dict[str, str]:
        """A prior over rewards rests where they are known."""
        return {"beta0": "rewards are known here"} if rewards_are_known(params.world) else {}

    def ranges(self, values: Mapping[str, Any], state: State | None) -> dict[str, dict[str, Any]]:
        """The time ends where the run does."""
        return {"time": {"max": values["steps"] if state is None else len(state.run)}}
