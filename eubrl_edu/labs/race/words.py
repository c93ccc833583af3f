"""A race in words."""

from eubrl_edu.environments import WORLDS
from eubrl_edu.labs.race.scene import OwnAgent, Racer, RaceState
from eubrl_edu.labs.readout import table
from eubrl_edu.plotting.names import world_title


def describe(state: RaceState) -> str:
    """The numbers of all six panels, in words and a table."""
    params = state.params
    runs = "1 run" if params.seeds == 1 else f"{params.seeds} runs"
    lines = [
        f"{_title(state)}, {runs} of each agent. An agent that knew the world would have"
        f" {state.optimum[-1]:.4g} by the end."
    ]
    if params.show != "return":
        lines.append(
            "Reward lost is what an agent has less than that, so far; the words give returns."
        )
    if any(racer.name == params.tuned for racer in state.racers):
        lines.append(
            f"{params.tuned} has η {params.eta:.3g}, α {params.alpha:.3g} and "
            f"β₀ {params.beta0:.3g}; {_of_the_others(state)}."
        )
    else:
        lines.append(
            f"{params.tuned}, which the sliders set, does not race; {_of_the_others(state)}."
        )
    lines.append(table([_cells(racer, state) for racer in state.racers]))
    lines += [f"{name} does not race here: {reason}." for name, reason in state.absent.items()]
    return "\n".join([*lines, _source(state)])


def _of_the_others(state: RaceState) -> str:
    own = [str(agent) for agent in state.params.agents if isinstance(agent, OwnAgent)]
    whose = "the paper's" if state.params.world in WORLDS else "general"
    words = f"all others have {whose} settings"
    if own:
        words += f", and {_listed(own)} {'is' if len(own) == 1 else 'are'} as you made them"
    if any(racer.name == "Q-learning" for racer in state.racers):
        words += " (but Q-learning, which is not in the paper, has ours)"
    return words


def _title(state: RaceState) -> str:
    params = state.params
    if params.world not in WORLDS:
        return f"{world_title(params.world)}, {params.steps} steps"
    size = "" if params.world in ("chain", "bandit") else f" {params.size}"
    variant = "stochastic " if params.stochastic else ""
    return f"{variant}{params.world}{size}, {params.steps} steps".capitalize()


def _cells(racer: Racer, state: RaceState) -> dict[str, str]:
    """What the table says of an agent: of its many runs, then of the run that is watched."""
    until, watched, mean = state.until, racer.watched, racer.mean
    low, median, high = racer.bands[:, -1]
    cells = {"agent": racer.name}
    if len(racer.outcomes) == 1:
        cells["return"] = f"{mean.value:.4g}"
    else:
        cells["mean return, 95 %"] = f"{mean.value:.4g} [{mean.low:.4g}, {mean.high:.4g}]"
        cells["median, middle 80 %"] = f"{median:.4g} [{low:.4g}, {high:.4g}]"
    if state.has_rule:
        cells["solved, half by step"] = _solved(racer)
    cells[f"seed {state.params.seed}, step {until}: return"] = f"{watched.returns[until]:.4g}"
    cells["pairs tried"] = f"{watched.coverage[until]:.0%}"
    if any(other.watched.mean_uncertainty is not None for other in state.racers):
        uncertainty = watched.mean_uncertainty
        cells["mean P_U"] = "" if uncertainty is None else f"{uncertainty[until]:.3g}"
    if state.has_rule:
        is_solved = watched.solved_at is not None and watched.solved_at <= until
        cells["solved at step"] = str(watched.solved_at) if is_solved else "not yet"
    return cells


def _solved(racer: Racer) -> str:
    times = racer.solved_times
    share = f"{len(times)} of {len(racer.outcomes)}"
    return f"{share}, {times[(len(times) - 1) // 2]}" if len(times) else share


def _source(state: RaceState) -> str:
    slow = [racer.name for racer in state.racers if not racer.is_compiled]
    if len(slow) < len(state.racers):
        words = "The upper row comes from the compiled engine"
        if slow:
            words += f" ({_listed(slow)}: from the readable class)"
        words += ", P_U from the plans of the readable class, which lives the same run"
    else:
        words = "All runs come from the readable classes"
    if not any(racer.watched.mean_uncertainty is not None for racer in state.racers):
        words += "; no agent here has P_U"
    if not state.has_rule:
        words += ". No rule says when this world is solved"
    fewer = [racer for racer in state.racers if len(racer.outcomes) < state.params.seeds]
    for racer in fewer:
        words += f". {racer.name}: {len(racer.outcomes)} runs of {state.params.seeds}"
    return words + "."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
