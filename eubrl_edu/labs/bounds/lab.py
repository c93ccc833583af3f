"""BoundsLab: every term of the paper's bounds on one picture, and a real run beside them."""

from collections.abc import Mapping
from typing import Any

from eubrl_edu.labs.bounds import run, scene
from eubrl_edu.labs.bounds.picture import BoundsPicture
from eubrl_edu.labs.bounds.scene import BAD_STEPS, OWN, REGRET, WORLDS, Params, State
from eubrl_edu.labs.bounds.words import describe
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.labs.world_settings import small_world
from eubrl_edu.names import require_choice


class BoundsLab(SlowLab):
    """How much the paper's bounds promise, which term weighs most, and how a real run does.

    Regret(T) and the number of steps that are not ε-optimal, with the explicit constants of
    "Regret Analysis" and "Sample Complexity" and R_max = 1. The bounds follow the sliders at
    once. The run beside them is done, in slices, for each new γ, world, agent or seed. An agent
    with the learner's own prior brings what a prior adds to the bound, Λ_T and Λ_R. S and A are the
    world's where they are left out.
    """

    scene = scene
    prepare = staticmethod(run.prepare)
    Picture = BoundsPicture
    describe = staticmethod(describe)
    slow = ("world", "agent", "alpha", "tau", "eta", "seed", "discount")
    figure_inches = (10.0, 6.2)
    leading = ("world", "picture", "agent")
    situations = {
        "A real run": (
            "A thousand steps in the Chain, and what the bound says about them",
            Params(),
        ),
        "Where the bound begins to speak": (
            "It takes this many steps for the bound to say more than common sense does",
            Params(steps=10**7.9),
        ),
        "Only the √T part is left": (
            "After this many steps only learning and luck matter, which grow like √T",
            Params(steps=1e12),
        ),
        "Bad steps": (
            "How many steps may be worse than ε, and how many were",
            Params(picture=BAD_STEPS, discount=0.5),
        ),
        "Your own prior": (
            "An agent with your own prior: its Λ_T and Λ_R in the bound, and its run",
            Params(agent=OWN),
        ),
        "A stubborn prior": (
            "A prior that claims to have seen every next state a hundred times",
            Params(agent=OWN, alpha=100.0),
        ),
    }
    follows = True
    remembers = 100
    rows = (
        ("Bound", ("n_states", "n_actions", "discount", "delta", "resistance_share")),
        ("Look", ("picture", "steps", "epsilon")),
        ("Your agent, rewards in R_max", ("alpha", "tau", "eta")),
        ("Run", ("world", "agent", "seed")),
    )

    @property
    def question(self) -> tuple[str, ...]:
        """What the page asks about: a bound of all agents, or what a prior does to it."""
        if self.params.agent == OWN:
            return ("alpha", "tau", "eta", "steps")
        return ("discount", "delta", "picture", "steps")

    # ---- what is shown -------------------------------------------------------------------

    def structure(self, state: State) -> bool:
        """The artists serve for both pictures, but a prior's terms need a larger legend."""
        return state.has_prior

    # ---- how controls answer -------------------------------------------------------------

    def brings(self, moved: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Another world brings its size."""
        if "world" not in moved:
            return {}
        env = small_world(require_choice("world", moved["world"], WORLDS))
        return {"n_states": env.n_states, "n_actions": env.n_actions}

    def at_rest(self, params: Params) -> dict[str, str]:
        """T says with how many steps the bad ones are compared; the others belong to one bound."""
        reasons = {"resistance_share": "it belongs to regret over T"}
        if params.picture == REGRET:
            reasons = {"epsilon": "it belongs to bad steps over ε"}
        if params.agent != OWN:
            reasons |= dict.fromkeys(("alpha", "tau", "eta"), f"it belongs to {OWN}")
        return reasons
