"""A step of a decomposed run in words."""

import numpy as np

from eubrl_edu.labs.decomposition.scene import EPSILON_SHARE, ROUNDING, THEORY, DecomposedRun, State
from eubrl_edu.planning import greedy_actions
from eubrl_edu.plotting.names import counted, in_powers, name_of_action, things
from eubrl_edu.theory import resistance_share


def describe(state: State) -> str:
    """The numbers of the picture, in words."""
    run, at = state.run, state.at
    return "\n".join(
        [
            _where(run, at),
            _terms(run, at),
            _resistance(run, at),
            _bound(run, at),
            _events(run, at),
            _whole(run),
        ]
    )


def _where(run: DecomposedRun, at: int) -> str:
    state, action = int(run.trajectory.states[at]), int(run.trajectory.actions[at])
    values = run.values
    following = values.model.expected(values.optimal)[state]
    best = greedy_actions(values.model.rewards[state] + values.problem.discount * following)
    taken, wanted = (name_of_action(run.env, state, each) for each in (action, best[0]))
    same = "which is optimal" if action in best else f"where {wanted} is optimal"
    note = f" ({run.note})" if run.note else ""
    return (
        f"Step {at + 1} of {len(run)}, {run.params.world}: in state {run.env.state_names[state]}"
        f" the agent takes {taken}, {same}. All values in units of V↑ ="
        f" {values.problem.v_max:.4g}{note}."
    )


def _terms(run: DecomposedRun, at: int) -> str:
    best, auxiliary, believed, real = (_plain(level) for level in run.levels[at])
    quasi, complexity, accuracy = (_plain(term) for term in run.terms[at])
    return (
        f"V* = {best}, Ṽ = {auxiliary}, V^t = {believed}, V^π = {real}."
        f" Regret {_plain(run.regret[at])} = quasi-optimism {quasi} + complexity {complexity}"
        f" + accuracy {accuracy}."
    )


def _resistance(run: DecomposedRun, at: int) -> str:
    taken, best = run.p_u_policy[at], run.p_u_optimal[at]
    return (
        f"P_U of the action taken {_plain(taken)}, of the optimal one {_plain(best)}: resistance"
        f" 2 · {_plain(taken)} + 9/7 · {_plain(best)} = {_plain(run.resistance[at])}."
    )


def _bound(run: DecomposedRun, at: int) -> str:
    luck, learning, remainder = (_plain(part) for part in run.bound_parts[at])
    bound = run.bound[at]
    verdict = (
        "less than 1, so it says something"
        if bound < 1
        else "more than 1, so it says nothing: no regret can be above V↑"
    )
    return (
        f"Bound {_plain(bound)} = luck less resistance {luck} + learning {learning} + remainder"
        f" {remainder}: {verdict}."
    )


def _events(run: DecomposedRun, at: int) -> str:
    names = [f"A{number}" for number in range(1, 9)]

    def failing(holds: np.ndarray) -> str:
        failed = [name for name, good in zip(names, holds, strict=True) if not good]
        return f"{', '.join(failed)} {'fail' if failed[1:] else 'fails'}" if failed else ""

    here, ever = failing(run.events[at]), failing(run.events.all(axis=0))
    words = f"{here} at this step" if here else "A1 to A8 hold at this step"
    words += f"; in the whole run {ever} somewhere" if ever else " and at all others"
    return f"Events: {words} (A7 and A8 for ε = {EPSILON_SHARE:g} V↑)."


def _whole(run: DecomposedRun) -> str:
    optimistic = int((run.terms[:, 0] <= ROUNDING).sum())
    bad = int((run.regret > ROUNDING).sum())
    m = "the theorem's" if run.params.m == THEORY else "chosen"
    reached = (
        "no pair ever has that many, so Ṽ = V^t throughout"
        if run.first_critical is None
        else f"a pair has that many from step {run.first_critical} on"
    )
    return (
        f"The whole run: regret {in_powers(float(run.regret.sum()))} in {counted(bad, 'step')},"
        f" none in the others; Ṽ is at least V* in {optimistic} of the {len(run.terms)} steps; Ψ ="
        f" {resistance_share(run.resistance):.3f}. m = {in_powers(run.m)}"
        f" {things(run.m, 'visit')} ({m}): {reached}."
    )


def _plain(value: float) -> str:
    """Three digits, and no trace of rounding where the truth is 0."""
    return f"{value:.3g}".replace("-", "−") if abs(value) > ROUNDING else "0"
