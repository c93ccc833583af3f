"""What numbers cannot be."""

import math

import numpy as np

HIDDEN = np.ma.array(1, mask=True)
NO_REALS = (
    np.complex128(1 + 2j), np.timedelta64(1, "s"), np.array("1"), np.array(1j), np.array([1.0]),
    np.ma.masked, HIDDEN,
)  # fmt: skip


class Endless:
    """A sequence that says how long it is, and goes on."""

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return 1


class Stubborn:
    """What raises an error of its own, whatever it is asked to be."""

    def __float__(self):
        raise RuntimeError("not a number")

    __index__ = __array__ = __float__


NO_TEXT = (b"1", bytearray(b"1"), memoryview(b"1"))
# Where None stands for something, and no range is known here.
NEVER_NUMBERS = ("1", math.nan, Stubborn(), *NO_TEXT, *NO_REALS)
NOT_NUMBERS = (None, [1.0, 2.0], 1j, math.inf, *NEVER_NUMBERS)
NOT_INTEGERS = (None, 1.5, [1], *NEVER_NUMBERS)
TOO_LARGE = (1e51, 1e308, 10**400)
TOO_SMALL = (1e-51, 5e-324)
NOT_ABOVE_0 = (0, -1.0, True, np.True_, *NOT_NUMBERS, *TOO_LARGE, *TOO_SMALL)
NOT_AT_LEAST_0 = (-1e-9, True, *NOT_NUMBERS, *TOO_LARGE)
NOT_FINITE = (*NOT_NUMBERS, *TOO_LARGE, -1e51)
NOT_POSITIVE_INTEGERS = (0, -1, True, 2**63, *NOT_INTEGERS)
NOT_BOOLS = (None, "no", 0, 1.0)
NOT_DISCOUNTS = (False, -0.1, 1.0, 1.5, 1 - 1e-13, None, *NEVER_NUMBERS)
NO_INDICES = (-1, np.int64(-1), slice(-1, None), True, 2**63, 10**30, *NOT_INTEGERS)


def not_indices(size: int) -> tuple:
    """What no index below ``size`` can be."""
    return (*NO_INDICES, size)
