"""An axis of square roots: small values apart, large ones in the picture too, of either sign.

A logarithmic axis has no place for 0, and makes a mountain of every small value below it.
"""

import math

import numpy as np
from matplotlib.ticker import Locator


def _signed_root(values: np.ndarray) -> np.ndarray:
    return np.sign(values) * np.sqrt(np.abs(values))


def _signed_square(roots: np.ndarray) -> np.ndarray:
    return np.sign(roots) * np.square(roots)


# For ``Axes.set_xscale`` and ``set_yscale``.
ROOT_SCALE = {"value": "function", "functions": (_signed_root, _signed_square)}
APART = 0.1  # the least way from one tick to the next, of the way from 0 to the farther end


class RootLocator(Locator):
    """Ticks at 0 and at 1, 2, 5, 10, 20, ... of either sign, as far as they stand apart."""

    def __call__(self) -> np.ndarray:
        """Return the ticks for the present limits."""
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin: float, vmax: float) -> np.ndarray:
        """Return the ticks for these limits; some may lie outside."""
        farthest = math.sqrt(max(abs(vmin), abs(vmax)))
        power = math.floor(2 * math.log10(farthest))
        sizes, last = [], math.inf
        for size in (digit * 10.0**p for p in range(power, power - 3, -1) for digit in (5, 2, 1)):
            root = math.sqrt(size)
            if root <= farthest and min(root, last - root) >= APART * farthest:
                sizes.append(size)
                last = root
        return np.array([*(-size for size in sizes), 0.0, *reversed(sizes)])
