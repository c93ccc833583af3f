"""One record an agent: what there is to know of it besides its class.

`make_agent`, studies, tuning, labs, legends and the report all read it here. A new agent is its
class and one record in `RECORDS`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import gymnasium

from eubrl_edu.agents import (
    BEB,
    BOSS,
    EQO,
    EUBRL,
    MBIEEB,
    PSRL,
    RMAX,
    VBRB,
    Agent,
    MeanMDP,
    QLearning,
    UCBVIGamma,
)
from eubrl_edu.experiments.building import (
    Build,
    beetle,
    beetle_tied,
    frequentist,
    with_belief,
    with_counts,
)
from eubrl_edu.experiments.settings import Settings
from eubrl_edu.names import require_choice

SETTINGS = (*(field.name for field in fields(Settings) if field.name != "eta_per_size"), "horizon")
PRIOR = frozenset({"alpha", "beta0", "lambda0", "reward_model", "tau"})
PLANNING = frozenset({"discount", "horizon", "plan_every"})
# In the order in which a line search takes them.
SWEPT = ("known_after", "eta", "alpha", "beta0", "learning_rate", "epsilon")
# When an agent plans that does not go by ``plan_every``.
WHEN_KNOWN = "plans when a pair becomes known"
BEFOREHAND = "plans once, before its first step"
NEVER = "never plans"
# Why a setting is not used, where the record has no reason of its own.
NOT_USED = {
    **dict.fromkeys(("alpha", "beta0"), "has no belief"),
    "eta": "has no bonus to scale",
    "uncertainty": "measures no uncertainty",
}
MOSTLY_QUICK = {"loop": 8, "deepsea": 14, "lazychain": 20}
FADES = "It adds to the reward a bonus\nthat fades as a pair is visited."


@dataclass(frozen=True)
class Look:
    """How an agent looks in every picture.

    The colour, a name in ``plotting.style``, says how it explores; marker and line who it is.
    """

    colour: str
    marker: str
    line: str


@dataclass(frozen=True)
class AgentRecord:
    """What there is to know of an agent besides its class.

    Attributes
    ----------
    name : str
        Its name.
    build : callable
        Makes one; see `building`.
    uses : frozenset of str
        The settings that can change what it does, of `SETTINGS`.
    about : str
        What it says of itself, in a line.
    look : Look
        How it looks in pictures.
    instead_of_p_u : str
        How it explores, in two short lines; empty where its plans have a P_U, which shows it.
    plans : str
        When it plans, if not every ``plan_every`` steps: `WHEN_KNOWN`, `BEFOREHAND` or `NEVER`.
    holds_plan : bool
        Whether a plan has to last some steps, as a new draw at every step is hardly a plan at all.
    fixed : mapping
        Settings that make it what it is.
    not_used : mapping
        For settings that one would expect it to use, why it does not.
    not_tuned : str
        Why no search for its best settings starts by itself.
    quick_up_to : mapping, or None
        For worlds that come in sizes the largest at which a run takes about half a second. None:
        it is left out where many runs at many sizes are compared, as it takes too long.
    """

    name: str
    build: Build
    uses: frozenset[str]
    about: str
    look: Look
    instead_of_p_u: str = ""
    plans: str = ""
    holds_plan: bool = False
    fixed: Mapping[str, object] = field(default_factory=dict)
    not_used: Mapping[str, str] = field(default_factory=dict)
    not_tuned: str = ""
    quick_up_to: Mapping[str, int] | None = field(default_factory=MOSTLY_QUICK.copy)

    def make(self, world: gymnasium.Env, settings: Settings, horizon: int | None = None) -> Agent:
        """Make one for a world."""
        values = vars(settings) | {"horizon": horizon}
        chosen = {name: values[name] for name in self.uses - PRIOR} | self.fixed
        return self.build(world, settings, chosen)

    def why_not_used(self, setting: str) -> str | None:
        """Say why a setting changes nothing; None if it does."""
        if require_choice("setting", setting, SETTINGS) in self.uses:
            return None
        if setting == "plan_every":
            return f"{self.name} {self.plans}"
        why = NOT_USED.get(setting, f"has no use for {setting}")
        return self.not_used.get(setting, f"{self.name} {why}")

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that it uses, in the order of `SETTINGS`."""
        return tuple(name for name in SETTINGS if name in self.uses)

    @property
    def swept(self) -> tuple[str, ...]:
        """The settings that a line search sweeps, in its order."""
        return tuple(name for name in SWEPT if name in self.uses)


_EUBRL = AgentRecord(
    name="EUBRL",
    build=with_belief(EUBRL),
    uses=PRIOR | PLANNING | {"eta", "uncertainty"},
    about="Guidance: plans with its uncertainty while unsure, with its rewards once sure",
    look=Look("BLUE", "o", "-"),
    quick_up_to={"loop": 16, "deepsea": 30, "lazychain": 50},
)
_BEETLE = AgentRecord(
    name="BEETLE",
    build=beetle,
    uses=frozenset({"alpha", "discount"}),
    about="Plans over beliefs before it starts (chain only; takes a while)",
    look=Look("BLACK", "H", "--"),
    instead_of_p_u="It has planned for every belief\nbefore its first step.",
    plans=BEFOREHAND,
    not_tuned="it plans for a minute before its first step, and anew for each value of alpha",
    quick_up_to=None,
)
RECORDS = (
    _EUBRL,
    replace(
        _EUBRL,
        name="EUBRL+",
        about="EUBRL with a larger η and prior in the stochastic sea; elsewhere it is EUBRL",
        look=Look("SKY_BLUE", "P", "-"),
        quick_up_to={"loop": 8, "deepsea": 30, "lazychain": 20},
    ),
    replace(
        _EUBRL,
        name="EUBRL-MI",
        uses=_EUBRL.uses - {"uncertainty"},
        fixed={"uncertainty": "mutual-information"},
        about="EUBRL that measures uncertainty of transitions as mutual information",
        look=Look("SKY_BLUE", "X", "--"),
        not_used={"uncertainty": "EUBRL-MI always measures by mutual information"},
        quick_up_to=MOSTLY_QUICK | {"lazychain": 50},
    ),
    replace(
        _EUBRL,
        name="EUBRL-tied",
        build=with_belief(EUBRL, tied=True),
        about="EUBRL that knows that a move does the same everywhere (as in the lazy chain)",
        look=Look("BLUE", "h", ":"),
        quick_up_to=MOSTLY_QUICK,
    ),
    AgentRecord(
        name="EUBRL-frequentist",
        build=frequentist,
        uses=PLANNING | {"r_max", "delta", "lambda_"},
        about="EUBRL that counts visits, with the η of the proofs: it explores far longer",
        look=Look("BLUE", "*", "--"),
        not_used={"eta": "its η is that of the proofs", "uncertainty": "it counts visits"},
        not_tuned="the analysis sets its η, and it has no prior",
        quick_up_to=None,
    ),
    AgentRecord(
        name="PSRL",
        build=with_belief(PSRL),
        uses=PRIOR | PLANNING | {"clip_visited"},
        about="Sampling: draws worlds from its belief, one by one, and acts as if each were true",
        look=Look("GREEN", "^", "-."),
        instead_of_p_u=(
            "It draws a whole world from its belief\nand acts as if that were the true one."
        ),
        holds_plan=True,
        quick_up_to={"loop": 8, "deepsea": 10, "lazychain": 20},
    ),
    AgentRecord(
        name="RMAX",
        build=with_counts(RMAX),
        uses=frozenset({"known_after", "r_max", "discount", "horizon"}),
        about="Optimism: expects the most of whatever it has not tried often enough",
        look=Look("ORANGE", "s", "-"),
        instead_of_p_u=(
            "A pair is known after enough visits;\nuntil then it seems as good as can be."
        ),
        plans=WHEN_KNOWN,
        quick_up_to={"loop": 16, "deepsea": 20, "lazychain": 50},
    ),
    AgentRecord(
        name="MBIE-EB",
        build=with_counts(MBIEEB),
        uses=PLANNING | {"eta", "r_max"},
        about="Bonus: adds η/√n to the reward of a pair tried n times",
        look=Look("VERMILLION", "<", "-."),
        instead_of_p_u=FADES,
    ),
    AgentRecord(
        name="BEB",
        build=with_belief(BEB),
        uses=PRIOR | PLANNING | {"eta"},
        about="Bonus: adds η/(1 + αS + n) to the believed reward",
        look=Look("VERMILLION", "D", "--"),
        instead_of_p_u=FADES,
    ),
    AgentRecord(
        name="VBRB",
        build=with_belief(VBRB),
        uses=PRIOR | PLANNING | {"eta"},
        about="Bonus: adds the spread of its belief to the believed reward",
        look=Look("VERMILLION", ">", ":"),
        instead_of_p_u="It adds its uncertainty to the reward,\nin full and everywhere.",
        not_used={"uncertainty": "VBRB always measures by the variance"},
    ),
    AgentRecord(
        name="Mean-MDP",
        build=with_belief(MeanMDP),
        uses=PRIOR | PLANNING,
        about="No exploration: takes its mean belief for the truth",
        look=Look("GREY", "p", "--"),
        instead_of_p_u="It takes what it believes on average\nfor the truth.",
    ),
    AgentRecord(
        name="BOSS",
        build=with_belief(BOSS),
        uses=PRIOR | {"n_models", "known_after", "discount", "horizon"},
        about="Sampling: draws several worlds, and trusts the best one for each action",
        look=Look("GREEN", "v", "--"),
        instead_of_p_u="It draws several worlds\nand trusts the best for each action.",
        plans=WHEN_KNOWN,
        quick_up_to=None,
    ),
    _BEETLE,
    replace(
        _BEETLE,
        name="BEETLE-tied",
        build=beetle_tied,
        about="BEETLE that knows that actions slip alike everywhere (chain only)",
        look=Look("BLACK", "8", ":"),
        not_tuned="",
    ),
    AgentRecord(
        name="Q-learning",
        build=with_counts(QLearning),
        uses=frozenset({"learning_rate", "epsilon", "discount"}),
        about="Dithering: now and then it takes an action at random",
        look=Look("PURPLE", "d", ":"),
        instead_of_p_u="It learns values, not the world,\nand explores by accident.",
        plans=NEVER,
    ),
    AgentRecord(
        name="EQO",
        build=with_counts(EQO),
        uses=PLANNING | {"eta", "r_max"},
        about="Bonus: adds η/n to the reward of a pair tried n times, and caps its values",
        look=Look("VERMILLION", "$E$", "-"),
        instead_of_p_u=FADES,
    ),
    AgentRecord(
        name="UCBVI-gamma",
        build=with_counts(UCBVIGamma),
        uses=frozenset({"eta", "r_max", "discount", "plan_every"}),
        about="Optimism: each value starts as high as it can be, and falls with the evidence",
        look=Look("ORANGE", "$U$", "--"),
        instead_of_p_u="Its values start as high as can be\nand fall as it grows more certain.",
    ),
)

AGENTS = {record.name: record for record in RECORDS}
AGENT_NAMES = tuple(AGENTS)
