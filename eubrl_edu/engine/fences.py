"""What compiled code is handed is as large as it takes for granted, or it is refused.

Compiled code looks at no index: beyond an array it reads what is there, or ends the process. What
made these arrays checked them, but since then anyone may have put others in their place.
"""

from collections.abc import Mapping

import numpy as np

from eubrl_edu.agents.empirical import EmpiricalAgent
from eubrl_edu.beliefs import Belief
from eubrl_edu.beliefs.successors import SuccessorTable
from eubrl_edu.environments.reach import lead_further
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.uncertainty.predictive import PosteriorPredictive
from eubrl_edu.uncertainty.predictive_kernels import reward_arguments
from eubrl_edu.validation import are_distributions, require_distribution, require_indices, shown

# These arrays hold integers; all others hold floats.
INTEGERS = {"outcome_states", "initial_states", "successors", "listed"}


def require_world(env: TabularEnvironment) -> None:
    """Raise ``ValueError`` unless a world can be played from its arrays.

    Parameters
    ----------
    env : TabularEnvironment
        S states, A actions, K outcomes of a row, I states to start in.
    """
    rows = ("outcome_states", "outcome_probabilities", "outcome_rewards", "reward_deviations")
    starts = ("initial_states", "initial_probabilities")
    shapes = dict.fromkeys(rows, "SAK") | dict.fromkeys(starts, "I")
    require_arrays("env", env, shapes, sizes_of(env))
    require_indices("env.outcome_states", env.outcome_states, env.n_states)
    require_indices("env.initial_states", env.initial_states, env.n_states)
    require_distribution(
        "env.initial_probabilities", env.initial_probabilities, len(env.initial_states)
    )
    possible = env.outcome_probabilities > 0
    # What is impossible comes last, or else it could be drawn.
    in_order = (possible[..., :-1] >= possible[..., 1:]).all()
    if not (in_order and are_distributions(env.outcome_probabilities).all()):
        raise ValueError(
            "env.outcome_probabilities must hold a distribution in every row, as they did, got "
            f"{shown(env.outcome_probabilities)}"
        )


def require_belief(belief: Belief, env: TabularEnvironment) -> None:
    """Raise ``ValueError`` unless a belief's arrays are those of a belief about this world."""
    transitions, sizes = belief.transitions, sizes_of(env)
    # A tied prior lists the states one step off, the last one twice where there is no next.
    most = sizes["D"] if transitions.tied else env.n_states
    _require_table("belief.transitions.table", transitions.table, sizes, most)
    counts = {"displacement_counts": "AD"} if transitions.tied else {"counts": "SAL"}
    require_arrays("belief.transitions", transitions, counts | {"visits": "SA"}, sizes)
    _, names, _ = reward_arguments(belief.rewards)
    require_arrays("belief.rewards", belief.rewards, dict.fromkeys(("n", *names), "SAM"), sizes)
    if transitions.tied and lead_further(env.outcome_states, env.outcome_probabilities):
        raise ValueError("env.outcome_states must lead one step far at most under a tied prior")


def require_predictive(predictive: PosteriorPredictive, env: TabularEnvironment) -> None:
    """Raise ``ValueError`` unless the tables of a belief are those of this world's pairs."""
    pairs = ("background", "mean_reward", "transition_uncertainty", "reward_uncertainty")
    shapes = {"weights": "SAL"} | dict.fromkeys(pairs, "SA")
    require_arrays("predictive", predictive, shapes, sizes_of(env))


def require_counts(agent: EmpiricalAgent, env: TabularEnvironment) -> None:
    """Raise ``ValueError`` unless what an agent has counted are pairs of this world."""
    sizes = sizes_of(env)
    _require_table("agent.table", agent.table, sizes, env.n_states)
    pairs = ("visits", "reward_sums", *(["q"] if hasattr(agent, "q") else []))
    require_arrays("agent", agent, {"counts": "SAL"} | dict.fromkeys(pairs, "SA"), sizes)


def _require_table(owner: str, table: SuccessorTable, sizes: dict[str, int], most: int) -> None:
    require_arrays(owner, table, {"successors": "SAL", "listed": "SA"}, sizes)
    require_indices(f"{owner}.successors", table.successors, sizes["S"])
    require_indices(f"{owner}.listed", table.listed, min(sizes["L"], most) + 1)


def sizes_of(env: TabularEnvironment) -> dict[str, int]:
    """The lengths that are known: of S states, A actions and D displacements."""
    return {"S": env.n_states, "A": env.n_actions, "D": 3}


def require_arrays(owner: str, thing, shapes: Mapping[str, str], sizes: dict[str, int]) -> None:
    """Raise ``ValueError`` unless arrays have the shapes and the kind of number that they should.

    Parameters
    ----------
    owner : str
        What the error calls ``thing``.
    thing : object
        Has the arrays as attributes.
    shapes : mapping of str to str
        For each of them a letter for each axis, such as ``"SAK"``.
    sizes : dict
        How long the axis of a letter is. A letter that is missing gets the first length met.
    """
    for name, axes in shapes.items():
        array, kind = getattr(thing, name), np.int64 if name in INTEGERS else np.float64
        shape = getattr(array, "shape", ())
        if len(shape) == len(axes):
            for axis, length in zip(axes, shape, strict=True):
                if axis not in sizes:
                    sizes[axis] = max(length, 1)
        expected = tuple(sizes.get(axis, axis) for axis in axes)
        # Code is compiled for the one layout; for another it would be compiled anew.
        if shape != expected or array.dtype != kind or not array.flags.c_contiguous:
            got = f"{array.dtype} of shape {shape}" if shape else shown(array)
            raise ValueError(
                f"{owner}.{name} must be a C-contiguous array of {np.dtype(kind)} of shape "
                f"({', '.join(map(str, expected))}), got {got}: it was replaced"
            )
