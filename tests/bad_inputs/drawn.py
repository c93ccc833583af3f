"""What hypothesis draws where a number, a flag or an index is asked for: one strategy a kind.

A place is of a kind where the table tries what the kind's list in ``values`` holds.
"""

import math
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from tests.bad_inputs.row import Place, Row
from tests.bad_inputs.values import (
    NO_INDICES,
    NO_TEXT,
    NOT_ABOVE_0,
    NOT_AT_LEAST_0,
    NOT_BOOLS,
    NOT_DISCOUNTS,
    NOT_FINITE,
    NOT_POSITIVE_INTEGERS,
)

NO_NUMBERS_INSIDE = (
    npst.complex_number_dtypes()
    | npst.timedelta64_dtypes()
    | npst.datetime64_dtypes()
    | npst.byte_string_dtypes()
    | npst.unicode_string_dtypes()
)
# Arrays of anything, and scalars of NumPy that are no numbers.
arrays = npst.arrays(npst.scalar_dtypes(), npst.array_shapes(max_dims=2, max_side=3))
no_scalars = NO_NUMBERS_INSIDE.flatmap(
    lambda dtype: npst.arrays(dtype, ()).flatmap(lambda a: st.sampled_from((a, a[()])))
)
no_numbers = st.one_of(
    st.text(), st.sampled_from(("1", " 2.5\n", "1e3", "٣", "nan")), st.binary(),
    st.integers(0, 9).map(lambda digit: bytearray(b"%d" % digit)), st.complex_numbers(),
    st.timedeltas(), st.lists(st.floats(), max_size=3), st.tuples(st.integers()),
    st.dictionaries(st.integers(), st.floats(), max_size=1), st.builds(object), arrays, no_scalars,
)  # fmt: skip
beyond = st.floats(1e50, exclude_min=True) | st.floats(max_value=-1e50, exclude_max=True)
too_small = st.floats(0, 1e-50, exclude_max=True)


class Kind(NamedTuple):
    """Values that are refused wherever this list is."""

    listed: tuple
    values: st.SearchStrategy


KINDS = {
    "number": Kind(NO_TEXT, no_numbers),
    "finite number": Kind(NOT_FINITE, beyond | st.just(math.nan)),
    "number of at least 0": Kind(NOT_AT_LEAST_0, beyond | st.floats(max_value=0, exclude_max=True)),
    "number above 0": Kind(NOT_ABOVE_0, beyond | too_small | st.floats(max_value=0)),
    "discount": Kind(
        NOT_DISCOUNTS,
        no_numbers | st.floats(max_value=0, exclude_max=True) | st.floats(1) | st.integers(1),
    ),
    "count": Kind(
        NOT_POSITIVE_INTEGERS,
        st.integers(max_value=0) | st.integers(2**63) | st.floats() | st.booleans(),
    ),
    "index": Kind(
        NO_INDICES, st.integers(max_value=-1) | st.integers(10**7) | st.floats() | st.slices(9)
    ),
    "flag": Kind(NOT_BOOLS, no_numbers | st.integers() | st.floats() | npst.arrays(bool, 1)),
}


def places(kind: Kind, rows: list[Row]) -> list[Place]:
    """The places of this kind, each once."""
    found = {
        row.place.what: row.place
        for row in rows
        if row.place is not None
        and all(any(bad is value for value in row.place.tried) for bad in kind.listed)
    }
    return list(found.values())
