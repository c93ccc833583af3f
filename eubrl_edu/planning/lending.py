"""Arrays lent to compiled code, which then need not be counted.

numba counts who uses an array each time that it is handed to another function or taken out of a
tuple, with an operation that locks memory. In functions of a few dozen numbers that costs more
than the arithmetic. A *lent* array has no counter: the caller keeps it alive as long as the call
lasts.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def lent(typing_context, arrays):
    """The same arrays, uncounted; for compiled code only.

    Only what a function was given as an argument may be lent, and it must not be returned: an
    array made within the function would be freed while it is in use.

    Parameters
    ----------
    arrays : array, or (nested) tuple of arrays and numbers

    Returns
    -------
    The same, in the same order.
    """

    def build(context, builder, signature, arguments):
        return _uncounted(context, builder, arrays, arguments[0])

    return arrays(arrays), build


def _uncounted(context, builder, kind, value):
    """Clear the pointer to the counter in every array of a value of this numba type."""
    if isinstance(kind, types.Array):
        array = cgutils.create_struct_proxy(kind)(context, builder, value)
        array.meminfo = ir.Constant(array.meminfo.type, None)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for place, member_kind in enumerate(kind.types):
            member = _uncounted(context, builder, member_kind, builder.extract_value(value, place))
            value = builder.insert_value(value, member, place)
    return value
