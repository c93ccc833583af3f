"""Lent arrays: the same memory, without a counter."""

import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit

from eubrl_edu.planning.lending import lent


class Notes(NamedTuple):
    """A tuple with a name, a number and another tuple in it."""

    values: np.ndarray
    factor: float
    more: tuple


@njit
def write(notes):
    """Write into every array of the tuple."""
    for i in range(notes.values.shape[0]):
        notes.values[i] *= notes.factor
        notes.more[0][i, 0] = i
    return notes.values.sum() + notes.more[1]


@njit
def write_lent(notes):
    """The same, lent."""
    return write(lent(notes))


@njit
def sum_lent(array):
    """An array that is no tuple's member, strided or not."""
    return lent(array).sum()


@pytest.fixture
def notes():
    return Notes(np.arange(4.0), 2.5, (np.zeros((4, 2), np.int64), 7))


def test_what_is_written_reaches_the_caller(notes):
    assert write_lent(notes) == 2.5 * 6 + 7
    np.testing.assert_array_equal(notes.values, 2.5 * np.arange(4))
    np.testing.assert_array_equal(notes.more[0], [[0, 0], [1, 0], [2, 0], [3, 0]])


def test_the_caller_still_owns_the_arrays(notes):
    write_lent(notes)  # compiles
    before = [sys.getrefcount(notes.values), sys.getrefcount(notes.more[0])]
    for _ in range(10):
        write_lent(notes)
    assert [sys.getrefcount(notes.values), sys.getrefcount(notes.more[0])] == before


def test_views_and_slices_are_lent_too():
    table = np.arange(12.0).reshape(3, 4)
    assert sum_lent(table[:, 1]) == 15.0
    assert sum_lent(table[::2, ::-1]) == 44.0


def test_fewer_calls_count_the_arrays(notes):
    """What the module is for. Those that are left come before and after the loop."""

    def calls_that_count(prepare):
        @njit
        def total(notes):
            notes = prepare(notes)
            result = 0.0
            for i in range(3):
                if i % 2 == int(notes.factor):
                    result += write(notes)
                else:
                    result -= write(Notes(notes.values, i, notes.more))
            return result

        total(notes)
        (code,) = total.inspect_llvm().values()
        return code.count("call void @NRT_incref")

    assert calls_that_count(lent) < calls_that_count(njit(lambda notes: notes))
