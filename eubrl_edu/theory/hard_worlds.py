"""The worlds behind the lower bound: so nearly alike that no agent tells them apart in time."""

from math import sqrt

import numpy as np

from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.theory.problem import require_one_between
from eubrl_edu.validation import (
    MOST_PAIRS,
    require_at_least,
    require_between,
    require_discount,
    require_positive_int,
    require_sizes,
)


class HardWorld(TabularEnvironment):
    """A ring of pairs of states, a poor one and a rich one; one action in each is a little better.

    ::

        (0: pays 0) --1 − γ, or 1 − γ + ξ--> (1: pays 1) --1 − γ--> (2: pays 0) ...
         else stays                           else stays

    - **States** 2i and 2i + 1 for the pairs i = 0, 1, ...; it starts in 0 and never ends.
    - **Actions** In 2i each leads to 2i + 1 with probability 1 − γ, but for one, drawn from
      ``seed`` for each pair, that does so with 1 − γ + ξ. In 2i + 1 all are alike.
    - **What it tests**: the lower bound of the discounted regret. He, Zhou and Gu (2021,
      "Nearly Minimax Optimal Reinforcement Learning for Discounted MDPs") prove it with this world.

    Parameters
    ----------
    n_rings : int
        How many pairs of states, at least 1: S = 2 n_rings.
    n_actions : int
        A.
    discount : float
        γ in (0, 1).
    gap : float
        ξ in [0, γ]; `hardest_gap` says which is hard for T steps.
    seed : int
        What it draws the better actions from.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """

    def __init__(self, n_rings: int, n_actions: int, discount: float, gap: float, seed: int = 0):
        self.n_rings = require_positive_int("n_rings", n_rings, at_most=MOST_PAIRS // 2)
        _, n_actions = require_sizes(2 * self.n_rings, n_actions)
        self.discount = require_between("discount", require_discount(discount), 0, 1, "(0, 1)")
        self.gap = require_one_between("gap", gap, 0, self.discount)
        rng = np.random.default_rng(require_positive_int("seed", seed, at_least=0))
        self.better_actions = rng.integers(n_actions, size=self.n_rings)
        super().__init__(n_states=2 * self.n_rings, n_actions=n_actions)

    def outcomes(self, state: int, action: int):
        """On to the next state, or stay."""
        on = 1 - self.discount
        ring, is_rich = divmod(state, 2)
        if not is_rich and action == self.better_actions[ring]:
            on += self.gap
        yield Outcome(on, (state + 1) % self.n_states, float(is_rich))
        if on < 1:
            yield Outcome(1 - on, state, float(is_rich))


def hardest_gap(n_rings: int, n_actions: int, discount: float, steps: float) -> float:
    r"""ξ for which T steps leave no agent sure which action is the better one.

    .. math:: \xi = \frac1{24}\sqrt{\frac{A(1-\gamma)}{K}}, \qquad T = 10\,n\,K

    for n pairs of states (He, Zhou and Gu 2021, whose theorem asks for more, such as
    T ≥ 100 SAL/(1 − γ)⁴, where L is a logarithm).

    Parameters
    ----------
    n_rings, n_actions, discount
        As of `HardWorld`.
    steps : float
        T, at least 1.

    Returns
    -------
    float
        At most γ, so that it is the gap of a `HardWorld`.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    n_rings = require_positive_int("n_rings", n_rings)
    n_actions = require_positive_int("n_actions", n_actions)
    discount = require_between("discount", require_discount(discount), 0, 1, "(0, 1)")
    steps = require_at_least("steps", steps, 1)
    gap = sqrt(10 * n_rings * n_actions * (1 - discount) / steps) / 24
    return min(gap, discount)
