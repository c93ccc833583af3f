"""A race in words."""

from eubrl_edu.environments import WORLDS
from eubrl_edu.environments.registry import FIXED_SIZES
from eubrl_edu.experiments.agents import world_variant
from eubrl_edu.labs.own import own_among
from eubrl_edu.labs.race.scene import SHOWN, Racer, State, at_rest
from eubrl_edu.labs.readout import table
from eubrl_edu.plotting.names import counted, in_a_row, in_powers, percent, world_title


def describe(state: State) -> str:
    """The numbers of the panels, in words and a table."""
    params = state.params
    most = max(len(racer.outcomes) for racer in state.racers)
    asked = f" (of {params.seeds})" if most < params.seeds else ""
    lines = [
        f"{_title(state)}, {state.runs}{asked}. An agent that knew the world would have"
        f" earned {state.optimum[-1]:.4g} by the end, on average. {_tuned(state)}",
        table([_cells(racer, state) for racer in state.racers]),
    ]
    lines += [f"{name} does not race here: {reason}." for name, reason in state.absent.items()]
    fewer = [racer for racer in state.racers if len(racer.outcomes) < most]
    lines += [
        f"{racer.name}: only {len(racer.outcomes)} of the {params.seeds} runs." for racer in fewer
    ]
    if state.params.show == SHOWN[0]:
        ahead = [racer.name for racer in state.racers if state.mean_at_the_end(racer).high < 0]
        if ahead:
            ends = state.env.terminal_states or state.env.max_episode_steps
            plans = (
                "only to the end of the episode, and with a discount" if ends else "with a discount"
            )
            lines.append(
                f"{in_a_row(ahead)} earned more than the agent that knew the world, as the latter"
                f" plans {plans}."
            )
    if not state.has_rule:
        lines.append("No rule says when this world is solved.")
    return "\n".join(lines)


def _tuned(state: State) -> str:
    """Whose settings are whose, of those who race."""
    params = state.params
    names = [racer.name for racer in state.racers]
    own = [str(agent) for agent in own_among(params.agents) if str(agent) in names]
    parts = [f"{params.tuned}, which the sliders set, does not race"]
    if params.tuned in names:
        rest, settings = at_rest(params, state.env), {"eta": "η", "alpha": "α", "beta0": "β₀"}
        values = [
            f"{symbol} = {in_powers(getattr(params, name))}"
            for name, symbol in settings.items()
            if name not in rest
        ]
        parts = [f"{params.tuned} has {in_a_row(values) or 'nothing that the sliders set'}"]
    of_others = []
    if set(names) - {*own, params.tuned}:
        whose = "general" if world_variant(state.env) is None else "their usual"
        of_others.append(f"{'the' if own else 'all'} others have {whose} settings")
    if own:
        made = "is as you made it" if len(own) == 1 else "are as you made them"
        of_others.append(f"{in_a_row(own)} {made}")
    if of_others:
        parts.append(", but ".join(of_others))
    return f"{'; '.join(parts)}."


def _title(state: State) -> str:
    params = state.params
    if params.world not in WORLDS:
        return f"{world_title(state.env)}, {counted(params.steps, 'step')}"
    size = "" if params.world in FIXED_SIZES else f" {params.size}"
    variant = "Stochastic " if params.stochastic else ""
    return f"{variant}{type(state.env).__name__}{size}, {counted(params.steps, 'step')}"


def _cells(racer: Racer, state: State) -> dict[str, str]:
    """What the table says of an agent: of its many runs, then of the run that is watched."""
    until, watched, show = state.until, racer.watched, state.params.show
    many = show if len(racer.outcomes) == 1 else f"mean {show}, 95%"
    cells = {"agent": racer.name, many: str(state.mean_at_the_end(racer))}
    if state.has_rule:
        cells["solved, half by step"] = _solved(racer)
    here = state.shown(watched.returns[until], until)
    cells[f"seed {state.params.seed}, step {until}: {show}"] = f"{here:.4g}"
    cells["pairs tried"] = percent(watched.coverage[until])
    if state.has_rule:
        is_solved = watched.solved_at is not None and watched.solved_at <= until
        cells["solved at step"] = str(watched.solved_at) if is_solved else "not yet"
    return cells


def _solved(racer: Racer) -> str:
    """How many runs solved it; and the step by which half of all had done so, if half did."""
    times, n_runs = racer.solved_times, len(racer.outcomes)
    half = (n_runs + 1) // 2
    share = f"{len(times)} of {n_runs}"
    return f"{share}, {times[half - 1]}" if len(times) >= half else share
