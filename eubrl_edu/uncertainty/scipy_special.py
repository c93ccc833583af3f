"""SciPy's digamma function ψ and x log y, for compiled code: the very functions, not others.

They are linked by name, so that what calls them can be kept on disk.
"""

from llvmlite import binding
from numba import types
from numba.extending import get_cython_function_address, overload
from scipy.special import psi, xlogy


def _linked(name: str, n_arguments: int) -> types.ExternalFunction:
    """A function of floats of ``scipy.special.cython_special``; 1 is its version for doubles."""
    address = get_cython_function_address("scipy.special.cython_special", f"__pyx_fuse_1{name}")
    binding.add_symbol(f"scipy_special_{name}", address)
    # The last argument is Cython's own, and without meaning here.
    arguments = [types.float64] * n_arguments + [types.intc]
    return types.ExternalFunction(f"scipy_special_{name}", types.float64(*arguments))


_psi, _xlogy = _linked("psi", 1), _linked("xlogy", 2)


@overload(psi)
def _compiled_psi(x):
    return lambda x: _psi(x, 0)


@overload(xlogy)
def _compiled_xlogy(x, y):
    return lambda x, y: _xlogy(x, y, 0)
