"""The race lab: several agents in the same world under the same luck, many seeds and one."""

from collections.abc import Generator, Mapping
from dataclasses import fields
from typing import Any

from eubrl_edu.experiments import AGENTS
from eubrl_edu.labs.controls import AgentSwitches
from eubrl_edu.labs.own import own_agents
from eubrl_edu.labs.race import run, scene
from eubrl_edu.labs.race.picture import RacePicture, legend_names
from eubrl_edu.labs.race.run import RaceMemory
from eubrl_edu.labs.race.scene import TUNABLE, Params, State
from eubrl_edu.labs.race.words import describe
from eubrl_edu.labs.slices import SoFar
from eubrl_edu.labs.world_controls import largest_size
from eubrl_edu.labs.world_lab import WorldLab
from eubrl_edu.labs.world_settings import require_world, suggested
from eubrl_edu.names import require_choice
from eubrl_edu.plotting.legend import settled_rows


def settings_for(**leading: Any) -> dict[str, Any]:
    """Return the paper's values, for this world and agent, of what a race has controls for."""
    values = suggested(**leading)
    return {name: values[name] for name in ("size", "stochastic", "eta", "alpha", "beta0")}


SEA = {"world": "deepsea", "steps": 1000, "seeds": 20}


class RaceLab(AgentSwitches, WorldLab):
    """Let several agents live in the same world under the same luck, and compare them.

    The upper row shows many runs of each agent: what it has lost over time, and by the end. The
    lower row shows one run of each, step by step, and the share of the pairs that it has tried; it
    can be stopped at any time, and played.

    World and agents may be your own: an environment in place of a name, and a mapping from names to
    what makes an agent when called with the world, as `run_study` takes it. Such agents race beside
    those that the lab starts with. Everything of your own runs in the readable loop, twenty runs at
    most; an agent that raises an exception leaves the race, and the words say where.

    Size, prior and η, where left out, take values that suit the world and the agent that is tuned
    (the paper's settings).
    """

    scene = scene
    Picture = RacePicture
    describe = staticmethod(describe)
    slow = tuple(field.name for field in fields(Params) if field.name not in ("show", "until"))
    leading = ("world", "size", "stochastic", "tuned")
    situations = {
        "Two loops": ("Which agents find the better of two loops?", Params()),
        "Chain": (
            "A small reward at hand, a large one at the far end of a slippery path",
            Params(
                world="chain",
                **settings_for(world="chain"),
                agents=("EUBRL", "BEB", "Mean-MDP"),
                seeds=20,
            ),
        ),
        "Deep water": (
            "One treasure, and every step towards it costs a little",
            Params(**SEA, **settings_for(world="deepsea")),
        ),
        "With chance": (
            "The same sea, where moves and rewards vary",
            Params(
                **SEA,
                **settings_for(world="deepsea", stochastic=True),
                agents=("EUBRL", "EUBRL+", "PSRL", "BEB"),
            ),
        ),
    }
    figure_inches = (10.8, 6.8)
    rows = (
        ("World", ("world", "size", "stochastic")),
        ("Agents", ("agent_switches", "other_switches")),
        ("Tune", ("tuned", "eta", "alpha", "beta0", "usual_button")),
        ("Runs", ("seeds", "steps")),
        ("Watch", ("seed", "show", "until", "player")),
    )
    plays = "until"
    question = ("world", "agent_switches", "eta")

    def __init__(self, **settings: Any) -> None:
        self.memory = RaceMemory()
        if isinstance(settings.get("agents"), Mapping):
            settings["agents"] = (*self.Params.agents, *own_agents(settings["agents"]))
        super().__init__(**settings)

    # ---- what is computed ----------------------------------------------------------------

    def prepare(self, params: Params) -> Generator[float | SoFar, None, State]:
        """Run the race; what was run before is remembered."""
        return run.prepare(params, self.memory)

    # ---- what is shown -------------------------------------------------------------------

    def structure(self, state: State) -> int:
        """The artists serve whatever is shown, as long as the legend has room."""
        names = legend_names(state)
        return settled_rows(names, self.figure_inches[0], self.presentation.value)

    # ---- how controls answer -------------------------------------------------------------

    def suggested(self, **leading: Any) -> dict[str, Any]:
        """Return the paper's values for this world and the agent that is tuned."""
        require_world(leading["world"])
        tuned = require_choice("tuned", leading.pop("tuned", self.Params.tuned), TUNABLE)
        return settings_for(agent=tuned, **leading)

    def at_rest(self, params: Params) -> dict[str, str]:
        """Return which controls and which agents have no part in this world, and why."""
        env, _ = self.memory.world(params)
        controls = scene.at_rest(params, env)
        agents = {name: self.memory.why_not_here(name, params) for name in AGENTS}
        return {name: why for name, why in controls.items() if name in self.controls} | {
            name: why for name, why in agents.items() if why is not None
        }

    def ranges(self, values: Mapping[str, Any], state: Any) -> dict[str, dict[str, Any]]:
        """The size ends where the world's does."""
        return {"size": {"max": largest_size(values["world"])}}
