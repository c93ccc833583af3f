"""A moment of a run in words."""

from eubrl_edu.labs.exploration.scene import ExplorationState
from eubrl_edu.plotting.names import name_of_action, shown_actions


def describe(state: ExplorationState) -> str:
    """The numbers of all five panels, in words."""
    lines = [_where(state)]
    if state.action is not None:
        lines += [_uncertainty(state), _rewards(state), _values(state)]
    return "\n".join([*lines, _policy(state), _returns(state)])


def _where(state: ExplorationState) -> str:
    run = state.run
    at = f"Time {state.time} of {len(run)}"
    if run.recording.trajectory.episode_ends.any():
        at += f", episode {state.episode}"
    place = f"{run.agent_name} is in state {run.env.state_names[state.state]}"
    if state.action is None:
        return f"{at}: {place}, and here the run ends."
    return f"{at}: {place} and takes action {_name(state, state.action)}."


def _uncertainty(state: ExplorationState) -> str:
    if state.guided is None:
        return f"P_U: none, {state.run.agent_name} keeps no account of its uncertainty."
    here = state.state, state.action
    return (
        f"P_U of this action: {_plain(state.guided.probability_of_uncertainty[here])}, as its "
        f"E_b is {_plain(state.guided.epistemic_uncertainty[here])} "
        f"and E_max is {_plain(state.guided.max_uncertainty)}."
    )


def _rewards(state: ExplorationState) -> str:
    if state.modelled is None:
        return f"Rewards: none, {state.run.agent_name} has no model and learns values only."
    here = state.state, state.action
    planned = f"{_plain(state.plan.model.rewards[here])}"
    if state.guided is None:
        return f"Reward of this action that it plans with: {planned}."
    return (
        f"Rewards of this action: mean r_b {_plain(state.plan.mean_reward[here])}, "
        f"uncertainty E_b {_plain(state.guided.epistemic_uncertainty[here])}, guided {planned}."
    )


def _values(state: ExplorationState) -> str:
    q = state.plan.q[state.state]
    each = [
        f"{q[action]:.4g} for {_name(state, action)}"
        for action in shown_actions(state.run.env, state.state)
    ]
    n_best = int(state.greedy[state.state].sum())
    tie = f" {n_best} actions tie for the best: chance decides." if n_best > 1 else ""
    return f"Value Q: {', '.join(each)}.{tie}"


def _policy(state: ExplorationState) -> str:
    tried, pairs = state.visited_pairs
    right, path = state.right_on_path
    return (
        f"Tried so far: {tried} of {pairs} pairs of state and action. The greedy policy is "
        f"optimal in {right} of {path} states on the best way."
    )


def _returns(state: ExplorationState) -> str:
    return (
        f"Return so far: {state.total_return:.5g}; "
        f"an agent that knew the world would have {state.optimal_return:.5g} by now, on average."
    )


def _name(state: ExplorationState, action: int) -> str:
    return name_of_action(state.run.env, state.state, action)


def _plain(value: float) -> str:
    """Three digits, and no trace of rounding where the truth is 0."""
    return f"{value:.3g}" if abs(value) > 1e-12 else "0"
