"""The exploration lab: an agent in a world, step by step, and all it thinks on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import ipywidgets

from eubrl_edu.experiments import AGENTS
from eubrl_edu.labs.exploration import scene
from eubrl_edu.labs.exploration.picture import ExplorationPicture
from eubrl_edu.labs.exploration.scene import Params, State, require_explorer
from eubrl_edu.labs.own import OwnAgent, own_agents
from eubrl_edu.labs.world_controls import largest_size
from eubrl_edu.labs.world_lab import WorldLab
from eubrl_edu.labs.world_settings import left_out, require_world, suggested
from eubrl_edu.plotting.names import counted, name_of_action, shown_actions

SEA = {"world": "deepsea", **suggested("deepsea", 10)}


class ExplorationLab(WorldLab):
    """Watch an agent explore: run it once, then step, play or scrub through time.

    Five panels show its own plan at that time: the world with the visits, P_U and Q of each pair,
    the rewards of the actions at hand, and the return against the optimum.

    Size, prior and η, where left out, take values that suit the world and the agent (the paper's
    settings). ``world`` may also be an environment of one's own, with discrete spaces and a
    published table of transitions: what an agent does is measured against the optimum. ``agent``
    may be one's own, too: a mapping from its name to what makes it when called with the world, as
    `RaceLab` takes it.
    """

    scene = scene
    Picture = ExplorationPicture
    slow = tuple(field.name for field in fields(Params) if field.name != "time")
    remembers = 10  # to go back to a setting takes no run
    leading = ("world", "size", "stochastic", "agent")
    situations = {
        "Two unknown actions": (
            "Two loops, at time 23: both actions here are new, and chance decides",
            Params(time=23),
        ),
        "One left untried": ("The same run, at its end", Params(time=1000)),
        "η too small": (
            "The same world under η = 0.05, at the end of the run",
            Params(eta=0.05, time=1000),
        ),
        "One cell unknown": (
            "Deep water: the sea of 10 rows, at time 190",
            Params(**SEA, steps=300, time=190),
        ),
    }
    figure_inches = (10.8, 6.5)
    rows = (
        ("World", ("world", "size", "stochastic")),
        ("Agent", ("agent", "eta")),
        ("Time", ("time", "player", "stride")),
        ("Luck", ("seed", "steps")),
        ("Belief", ("alpha", "beta0", "uncertainty", "plan_every", "usual_button")),
    )
    plays = "time"
    question = ("world", "agent", "eta", "time", "player")

    def __init__(self, **settings: Any) -> None:
        if isinstance(settings.get("agent"), Mapping):
            own = own_agents(settings["agent"])
            if len(own) > 1:
                raise ValueError(f"agent must hold one agent, got {', '.join(map(str, own))}")
            settings["agent"] = own[0]
        super().__init__(**settings)

    # ---- controls ------------------------------------------------------------------------

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return the length of the player's steps, and the way back to the paper's settings."""
        self.stride = ipywidgets.Dropdown(
            options=[1, 5, 25, 100],
            description="stride",
            tooltip="How many steps of time Play, Step and the keys take at once",
            layout={"width": "8em"},
        )
        self.stride.style.description_width = "initial"
        self.stride.observe(self._on_stride, names="value")
        return [self.stride, *super().build_actions()]

    # ---- what is shown -------------------------------------------------------------------

    def structure(self, state: State) -> tuple:
        """The artists serve as long as world and agent stay the same."""
        env = state.run.env
        return type(env), env.n_states, getattr(env, "stochastic", None), state.run.agent_name

    def describe(self, state: State) -> str:
        """The numbers of all five panels, in words."""
        lines = [_where(state)]
        if state.action is not None:
            lines += [_uncertainty(state), _rewards(state), _q_values(state)]
        return "\n".join([*lines, _policy(state), _returns(state)])

    # ---- how controls answer -------------------------------------------------------------

    def suggested(self, **leading: Any) -> dict[str, Any]:
        """Return the paper's values for this world and this agent."""
        require_world(leading["world"])
        require_explorer("agent", leading.get("agent", self.Params.agent))
        if isinstance(leading.get("agent"), OwnAgent):
            del leading["agent"]  # it has no use for any of them
        return suggested(**leading)

    def at_rest(self, params: Params) -> dict[str, str]:
        """Return which controls have no effect in this world and for this agent, and why."""
        is_own = isinstance(params.agent, OwnAgent)
        agent = None if is_own else params.make_agent(params.make_env())
        return left_out(params.world, str(params.agent), agent)

    def ranges(self, values: Mapping[str, Any], state: State | None) -> dict[str, dict[str, Any]]:
        """The size ends where the world's does, the time where the run does."""
        steps = max(values["steps"], 1) if state is None else len(state.run)
        ends = {"size": {"max": largest_size(values["world"])}, "time": {"max": steps}}
        # A run takes too long to follow a slider while it moves.
        return ends | dict.fromkeys(("eta", "alpha", "beta0"), {"continuous_update": False})

    def _on_stride(self, change: Any) -> None:
        self.controls["time"].step = change["new"]


def _where(state: State) -> str:
    run = state.run
    at = f"Time {state.time} of {len(run)}"
    if run.recording.trajectory.episode_ends.any():
        at += f", episode {state.episode}"
    place = f"{run.agent_name} is in state {run.env.state_names[state.state]}"
    if state.action is None:
        return f"{at}: {place}, and here the run ends."
    return f"{at}: {place} and takes action {_name(state, state.action)}."


def _uncertainty(state: State) -> str:
    if state.guided is None:
        name = state.run.agent_name
        instead = AGENTS[name].instead_of_p_u if name in AGENTS else ""
        return f"P_U: {name} has none. {instead}".replace("\n", " ").rstrip()
    here = state.state, state.action
    return (
        f"P_U of this action: {_plain(state.guided.probability_of_uncertainty[here])}, as its "
        f"E_b is {_plain(state.guided.epistemic_uncertainty[here])} "
        f"and E_max is {_plain(state.guided.max_uncertainty)}."
    )


def _rewards(state: State) -> str:
    if state.modelled is None:
        return f"Rewards: none; {state.run.agent_name} has no model and learns only values."
    here = state.state, state.action
    planned = f"{_plain(state.plan.model.rewards[here])}"
    if state.guided is None:
        return f"Reward that it plans with for this action: {planned}."
    return (
        f"Rewards of this action: mean r_b {_plain(state.plan.mean_reward[here])}, "
        f"uncertainty E_b {_plain(state.guided.epistemic_uncertainty[here])}, guided {planned}."
    )


def _q_values(state: State) -> str:
    q = state.plan.q[state.state]
    each = [
        f"{_plain(q[action], 4)} for {_name(state, action)}"
        for action in shown_actions(state.run.env, state.state)
    ]
    n_best = int(state.greedy[state.state].sum())
    tie = f" {n_best} actions tie for the best: chance decides." if n_best > 1 else ""
    return f"Value Q: {', '.join(each)}.{tie}"


def _policy(state: State) -> str:
    tried, pairs = state.visited_pairs
    right, path = state.right_on_path
    return (
        f"Tried so far: {tried} of {pairs} pairs of state and action. The greedy policy is "
        f"optimal in {right} of {counted(path, 'state')} on the best way."
    )


def _returns(state: State) -> str:
    return (
        f"Return so far: {state.total_return:.5g}; "
        f"an agent that knew the world would have earned {state.optimal_return:.5g} by now, on"
        " average."
    )


def _name(state: State, action: int) -> str:
    return name_of_action(state.run.env, state.state, action)


def _plain(value: float, digits: int = 3) -> str:
    """So many digits or all before the point, and no trace of rounding where the truth is 0."""
    if abs(value) >= 10**digits - 0.5:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}" if abs(value) > 1e-12 else "0"
