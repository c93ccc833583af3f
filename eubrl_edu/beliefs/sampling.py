"""Drawing a whole MDP from a belief, at the cost of what was observed.

The transitions of independent Dirichlets are drawn row by row, sparsely, by
`sampling_kernels.draw_transitions`, which also the engine runs; rewards by their own beliefs.
"""

import math
from typing import TYPE_CHECKING

import numpy as np

from eubrl_edu.beliefs.transitions import (
    DirichletTransitions,
    TiedDirichletTransitions,
    TransitionBelief,
    at_borders,
)
from eubrl_edu.mdp import MDP, make_absorbing
from eubrl_edu.validation import MOST_DRAWN, require_at_least, require_bool, require_generator

if TYPE_CHECKING:
    from eubrl_edu.beliefs.belief import Belief

# Above this α every state of a Dirichlet row is drawn, below it only those that carry mass.
LARGE_ALPHA = 0.03


def sample_mdp(
    belief: "Belief",
    rng: np.random.Generator,
    minimum_alpha: float = 0.0,
    clip_visited: bool = True,
) -> MDP:
    """Draw P from its Dirichlet posterior and the mean rewards from theirs.

    Parameters
    ----------
    belief : Belief
        What to draw from.
    rng : numpy.random.Generator
        Source of randomness.
    minimum_alpha : float
        Every Dirichlet parameter is raised to at least this (the paper's experiments: 1e-3).
    clip_visited : bool
        Whether parameters of visited pairs are raised too, or only of pairs never visited.

    Returns
    -------
    MDP
        ``rewards`` are the drawn mean rewards, averaged over the drawn transitions.

    Raises
    ------
    ValueError
        If an argument is outside its range, the belief has parameters of its own, or the model
        would be too large to hold.
    """
    # Here, as it loads numba, which takes a while.
    from eubrl_edu.beliefs.sampling_kernels import average_rewards, draw_transitions

    rng = require_generator(rng)
    minimum_alpha = require_at_least("minimum_alpha", minimum_alpha, 0)
    clip_visited = require_bool("clip_visited", clip_visited)
    require_drawable(belief, minimum_alpha)
    transitions, rewards = belief.transitions, belief.rewards
    if transitions.tied:
        drawn = _tied_transitions(transitions, rng, minimum_alpha, clip_visited)
    else:
        drawn = draw_transitions(
            transitions.table.successors,
            transitions.table.listed,
            transitions.counts,
            transitions.visits,
            transitions.alpha,
            minimum_alpha,
            clip_visited,
            LARGE_ALPHA,
            rng,
        )
    successors, weights, lengths, background = drawn
    if rewards.on == "action":
        mean_reward = rewards.sample(rng, np.ones((*lengths.shape, 1), dtype=bool))[..., 0]
    else:
        listed = transitions.table.listed
        is_listed = np.arange(transitions.table.width) < listed[..., None]
        of_listed = rewards.sample(rng, is_listed)[is_listed]
        of_others = rewards.sample_prior(rng, (lengths - listed).sum())
        if not (
            weights.shape[:2] == lengths.shape == listed.shape
            and lengths.max() <= weights.shape[2]
            and of_listed.shape[0] == listed.sum()
            and of_others.shape[0] == (lengths - listed).sum()
        ):
            raise ValueError("the arrays of a belief must keep their shapes, and one was replaced")
        mean_reward = average_rewards(weights, lengths, listed, of_listed, of_others)

    model = MDP.unchecked(successors, weights, background, mean_reward, belief.terminal_states)
    return make_absorbing(model)


def require_usual_parameters(transitions: TransitionBelief, what: str) -> None:
    """Raise ``ValueError`` for a class with parameters of its own: other than from α and counts."""
    tied = getattr(transitions, "tied", False)
    usual = TiedDirichletTransitions if tied else DirichletTransitions
    for method in ("parameters", "all_parameters"):
        if getattr(type(transitions), method, None) is not getattr(usual, method):
            raise ValueError(
                f"{what} works only with the parameters of {usual.__name__}, and "
                f"{type(transitions).__name__} has its own {method}"
            )


def require_drawable(belief: "Belief", minimum_alpha: float = 0.0, n_models: int = 1) -> None:
    """Raise ``ValueError`` where no models can be drawn from a belief, or too large ones to hold.

    Parameters
    ----------
    belief : Belief
        What to draw from.
    minimum_alpha : float
        As of `sample_mdp`.
    n_models : int
        How many models are held at once.
    """
    transitions = belief.transitions
    require_usual_parameters(transitions, "drawing worlds")
    alpha = max(transitions.alpha, minimum_alpha)
    states, actions = transitions.n_states, transitions.n_actions
    # Of a pair each model holds its listed successors, its background and its reward at least.
    most = max(1, MOST_DRAWN // (states * actions * (transitions.table.width + 2)))
    if n_models > most:
        raise ValueError(
            f"n_models must be at most {most:,} for {states:,} states "
            f"and {actions:,} actions, got {n_models:,}: together they hold more than "
            f"{MOST_DRAWN:,} numbers"
        )
    every = n_models * states**2 * actions
    if transitions.tied or every <= MOST_DRAWN:
        return
    from eubrl_edu.beliefs.sampling_kernels import VISIBLE_MASS

    # On each state of a row, pieces fall as a Poisson variable of mean α · pieces.
    pieces = -math.log(VISIBLE_MASS)
    drawn = every if alpha > LARGE_ALPHA else round(-every * math.expm1(-alpha * pieces))
    if drawn > MOST_DRAWN:
        name = "alpha" if transitions.alpha == alpha else "minimum_alpha"
        # A little less, so that it may be rounded to three digits.
        limit = min(LARGE_ALPHA, -0.995 * math.log1p(-MOST_DRAWN / every) / pieces)
        raise ValueError(
            f"{name} must be at most {limit:.3g} to draw {n_models} models of {states:,} states "
            f"and {actions:,} actions, got {alpha}: that makes {drawn:,} numbers, more than "
            f"{MOST_DRAWN:,}, one for each state that a pair can lead to"
        )


def _tied_transitions(transitions, rng, minimum_alpha, clip_visited):
    """Draw one distribution over displacements for each action, and lay it out for all states."""
    from eubrl_edu.beliefs.sampling_kernels import draw_row

    counts = transitions.displacement_counts
    clipped = clip_visited | (counts.sum(axis=-1, keepdims=True) == 0)
    shapes = np.maximum(transitions.alpha + counts, np.where(clipped, minimum_alpha, 0.0))
    drawn = np.stack([draw_row(row, rng) for row in shapes])
    weights = np.stack(at_borders(*drawn.T, *transitions.borders()), axis=-1)
    table = transitions.table
    return table.successors.copy(), weights, table.listed, np.zeros(table.listed.shape)
