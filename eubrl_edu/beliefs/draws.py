"""Random draws whose last bit is the same wherever they are computed.

NumPy's power function and Gamma draws of a shape below 1 may differ in the last bit from those of
compiled code. These are made of uniform, normal and Gamma draws of a shape of at least 1, which do
not, and of the C library's power function. Sums run from left to right for the same reason.
"""

import math

import numpy as np

power = np.frompyfunc(math.pow, 2, 1)


def standard_gamma(shapes: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw from Gamma(shape, 1); a shape of 0 draws nothing and gives 0.

    Below 1 a draw of shape + 1 is multiplied by U^(1 / shape), with U uniform.

    Parameters
    ----------
    shapes : array
        At least 0.
    rng : numpy.random.Generator
        First all Gamma draws are taken from it, then all uniform ones.

    Returns
    -------
    array
        Of the shape of ``shapes``.
    """
    small = (0 < shapes) & (shapes < 1)
    draws = rng.standard_gamma(np.where(small, shapes + 1.0, shapes))
    exponents = 1.0 / shapes[small]
    draws[small] *= power(rng.random(exponents.shape), exponents).astype(float)
    return draws


def row_sums(array: np.ndarray) -> np.ndarray:
    """Sums over the last axis, added up from left to right; that axis has length 1 after."""
    return np.add.accumulate(array, axis=-1)[..., -1:]
