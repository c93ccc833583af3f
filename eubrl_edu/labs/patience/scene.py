"""Is a long walk worth its cost? The lazy chain's value at the start, against N and γ."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.labs.settings import Settings, int_slider, log_slider, slider
from eubrl_edu.validation import require_between

PATIENCE = np.geomspace(5.0, 20_000.0, 61)  # 1 / (1 − γ), in steps
LONGEST = 20_000.0


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `PatienceLab` stand; ``patience`` is 1 / (1 − γ), in steps."""

    size: int = int_slider(200, 1, 400, "length N", "Steps from the start to either end")
    patience: float = log_slider(
        1000.0,
        0.7,
        4.3,
        "patience",
        "1 / (1 − γ): about how many steps ahead still count; 1000 is γ = 0.999",
        readout_format=".4g",
    )
    flip: float = slider(
        0.2, 0.0, 0.4, "flip", "The chance that a step goes the other way", step=0.05
    )

    def __post_init__(self):
        super().__post_init__()
        require_between("flip", self.flip, 0.0, 0.4)

    @property
    def discount(self) -> float:
        """γ."""
        return 1.0 - 1.0 / self.patience


@dataclass(frozen=True)
class State:
    """What a `PatienceLab` shows.

    Attributes
    ----------
    along : (2N − 1,) array
        What walking right is worth from each state between the ends.
    sizes, at_start : (K,) arrays
        Chains of other lengths, and what the walk is worth at their start.
    frontier : (61,) array
        For each of `PATIENCE`, the N at which the walk is worth nothing.
    """

    params: Params
    along: np.ndarray
    sizes: np.ndarray
    at_start: np.ndarray
    frontier: np.ndarray

    @property
    def start(self) -> float:
        """What walking right is worth at the start."""
        return float(self.along[self.params.size - 1])

    @property
    def longest(self) -> float:
        """The N up to which the walk pays, with this patience."""
        return break_even(self.params.patience, self.params.flip)


def compute(params: Params) -> State:
    """Return the walk's value along the chain, at the start of others, and where it is 0."""
    states = np.arange(1, 2 * params.size)
    sizes = np.unique(np.geomspace(1, 10_000, 200).astype(int))
    return State(
        params,
        walk_value(states, params.size, params.discount, params.flip),
        sizes,
        walk_value(sizes, sizes, params.discount, params.flip),
        break_even(PATIENCE, params.flip),
    )


@np.errstate(under="ignore")  # of what is far away nothing is left
def walk_value(state, size, discount, flip):
    r"""What walking right until an end is reached is worth, from a state of the lazy chain.

    .. math:: V(x) = -1 + \gamma\,[(1 - p)\, V(x + 1) + p\, V(x - 1)], \qquad
              V(0) = N / \gamma, \quad V(2N) = 2N / \gamma

    so that entering an end pays N − 1 or 2N − 1 (the paper, "Experiments": LazyChain). It is
    solved by :math:`V(x) = A\, r_1^x + B\, r_2^{x - 2N} - 1/(1-\gamma)`, with the two roots of
    :math:`\gamma (1 - p) r^2 - r + \gamma p = 0`.

    Parameters
    ----------
    state : array of numbers between 0 and 2N
        x.
    size : array of numbers from 1 on
        N.
    discount : float
        γ, below 1.
    flip : float
        p, the chance that a step goes the other way, below 1/2.

    Returns
    -------
    array
        In units of reward.
    """
    far = 2.0 * size
    root = np.sqrt(1.0 - 4.0 * discount**2 * flip * (1.0 - flip))
    small = 2.0 * discount * flip / (1.0 + root)
    large = (1.0 + root) / (2.0 * discount * (1.0 - flip))
    steps_for_ever = 1.0 / (1.0 - discount)
    left, right = size / discount + steps_for_ever, far / discount + steps_for_ever
    through_small, through_large = small**far, large**-far
    of_large = (right - through_small * left) / (1.0 - through_small * through_large)
    of_small = left - through_large * of_large
    return of_small * small**state + of_large * large ** (state - far) - steps_for_ever


def break_even(patience, flip):
    """Return the N, not rounded, at which walking right is worth 0 at the start.

    Parameters
    ----------
    patience : array of numbers
        1 / (1 − γ).
    flip : float
        The chance that a step goes the other way.
    """
    discount = 1.0 - 1.0 / np.asarray(patience)
    low, high = np.zeros_like(discount), np.full_like(discount, np.log(10 * LONGEST))
    for _ in range(60):
        middle = (low + high) / 2.0
        size = np.exp(middle)
        pays = walk_value(size, size, discount, flip) > 0.0
        low, high = np.where(pays, middle, low), np.where(pays, high, middle)
    return np.exp(low)
