"""A race in words."""

from eubrl_edu.labs.race_state import Racer, RaceState


def describe(state: RaceState) -> str:
    """The numbers of all six panels, in words."""
    params = state.params
    lines = [f"{_title(state)}. Who knows the world has {state.optimum[-1]:.4g} by the end."]
    if params.show != "return":
        lines.append(
            "Reward lost is what an agent has less than that, so far; the words give returns."
        )
    if any(racer.name == params.tuned for racer in state.racers):
        lines.append(
            f"{params.tuned} has η {params.eta:.3g}, α {params.alpha:.3g} and "
            f"β₀ {params.beta0:.3g}; all others have the paper's settings."
        )
    else:
        lines.append(
            f"{params.tuned}, which the sliders set, does not race; "
            "all others have the paper's settings."
        )
    lines += [_many(racer, state) for racer in state.racers]
    lines.append(f"The run with seed {params.seed}, step by step:")
    lines += [_watched(racer, state) for racer in state.racers]
    lines += [f"{name} does not race here: {reason}." for name, reason in state.absent.items()]
    return "\n".join([*lines, _source(state)])


def _title(state: RaceState) -> str:
    params = state.params
    size = "" if params.world in ("chain", "bandit") else f" {params.size}"
    variant = "stochastic " if params.stochastic else ""
    return f"{variant}{params.world}{size}, {params.steps} steps".capitalize()


def _many(racer: Racer, state: RaceState) -> str:
    n = len(racer.outcomes)
    low, median, high = racer.bands[:, -1]
    mean = racer.mean
    if n == 1:
        return f"{racer.name}: one run, return {mean.value:.4g}{_solved(racer, state)}."
    return (
        f"{racer.name}, {n} runs: mean return {mean.value:.4g} "
        f"(95 % interval {mean.low:.4g} to {mean.high:.4g}), median {median:.4g} "
        f"(middle 80 % {low:.4g} to {high:.4g}){_solved(racer, state)}."
    )


def _solved(racer: Racer, state: RaceState) -> str:
    if not state.has_rule:
        return ""
    times = racer.solved_times
    share = f"; {len(times)} solved it"
    return (
        share
        if len(times) == 0
        else f"{share}, half of them by step {times[(len(times) - 1) // 2]}"
    )


def _watched(racer: Racer, state: RaceState) -> str:
    run = racer.watched
    words = f"{racer.name}: return {run.returns[-1]:.4g}, tried {run.coverage[-1]:.0%} of the pairs"
    if run.mean_uncertainty is not None:
        words += f", mean P_U from {run.mean_uncertainty[0]:.3g} to {run.mean_uncertainty[-1]:.3g}"
    if not state.has_rule:
        return f"{words}."
    solved = "not solved" if run.solved_at is None else f"solved at step {run.solved_at}"
    return f"{words}, {solved}."


def _source(state: RaceState) -> str:
    slow = [racer.name for racer in state.racers if not racer.is_compiled]
    words = "The upper row comes from the compiled engine"
    if slow:
        words += f" ({_listed(slow)}: from the readable class)"
    words += ", P_U from the plans of the readable class, which lives the same run"
    if not any(racer.watched.mean_uncertainty is not None for racer in state.racers):
        words += "; no agent here has it"
    if not state.has_rule:
        words += ". No rule says when this world is solved"
    fewer = [racer for racer in state.racers if len(racer.outcomes) < state.params.seeds]
    for racer in fewer:
        words += f". {racer.name}: {len(racer.outcomes)} runs of {state.params.seeds}"
    return words + "."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
