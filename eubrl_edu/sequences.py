"""Sequences of any kind, before NumPy or a loop goes through them: some are never at an end."""

import itertools

import numpy as np

TEXT = (str, bytes, bytearray, memoryview)  # neither parsed as a number nor taken one by one
MOST_VALUES = 100_000_000  # H × S × A of them are a plan, S × A × S a dense model
MOST_AXES = 64  # of an array: NumPy looks no deeper
PLAIN = frozenset({float, int, bool, list, tuple, range, np.ndarray, np.float64, np.int64})


def listed(values, at_most: int) -> list | None:
    """``values``, of which there may be no end, up to one too many; None if they are no list."""
    if isinstance(values, TEXT) or not np.iterable(values):
        return None
    return list(itertools.islice(values, at_most + 1))


def can_be_array(values) -> bool:
    """Whether this is no text, and nothing in it is masked or goes on beyond its length."""
    if isinstance(values, TEXT):
        return False
    if type(values) is np.ndarray:
        return True  # by far the most common case
    level, depth = [values], 0
    while level and depth <= MOST_AXES:
        if any(_is_masked_or_endless(each) for each in level if type(each) not in PLAIN):
            return False
        lists = (each for each in level if type(each) in (list, tuple))
        level, depth = list(itertools.chain.from_iterable(lists)), depth + 1
    return True


def _is_masked_or_endless(value) -> bool:
    kind = type(value)
    if hasattr(kind, "__array__"):  # and has a length that can be relied on
        return np.ma.is_masked(value)
    if not hasattr(kind, "__len__") or not hasattr(kind, "__getitem__"):
        return False  # not a sequence, to NumPy
    at_most = min(len(value), MOST_VALUES)
    some = listed(value, at_most)
    return some is not None and len(some) > at_most
