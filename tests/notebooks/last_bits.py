"""Find what a notebook prints that hangs on the last bits of its numbers.

Another CPU sums a matrix product in another order, and its logarithm may end in another bit.
``python -m tests.notebooks.last_bits notebooks/*.ipynb`` runs notebooks on such a CPU, only worse:
every result of linear algebra and of the special functions is off by some last bits. Each
cell whose words then differ from the stored ones is printed, with both. A value whose last digit
shown was decided by rounding is found by this, and so is the sign of a zero.
"""

import sys
from pathlib import Path

import nbformat

from tests.notebooks.store import execute

# A few times the distance between neighbouring floats.
NOISE = 1e-15

# Once all of them come out too large, once too small, so that a zero shows both of its signs.
DIRECTIONS = (1, -1)

UNSTEADY = f"""
def _unsteady(direction):
    import importlib
    import numpy as np

    rng = np.random.default_rng(0)

    def spoil(value):
        if isinstance(value, (float, np.ndarray, np.floating)) and np.asarray(value).dtype == float:
            return value * (1 + {NOISE} * direction * rng.random(np.shape(value)))
        return value

    def spoilt(function):
        return lambda *arguments, **options: spoil(function(*arguments, **options))

    for module, names in {{
        "numpy": "dot matmul einsum tensordot",
        "numpy.linalg": "solve inv",
        "scipy.special": "psi gammaln betaln xlogy betaincinv gammaincinv",
        "scipy.sparse.linalg": "spsolve",
    }}.items():
        module = importlib.import_module(module)
        for name in names.split():
            setattr(module, name, spoilt(getattr(module, name)))

    class Spoilt:
        def __init__(self, *arguments, **options):
            self.solve = spoilt(splu(*arguments, **options).solve)

    splu, scipy.sparse.linalg.splu = scipy.sparse.linalg.splu, Spoilt

# numba looks up NumPy's own functions the first time that it runs anything.
import scipy.special, scipy.sparse.linalg, matplotlib.figure, pandas, numba
numba.njit(lambda x: x + 1)(1)
_unsteady({{direction}})
"""


def words(cell: nbformat.NotebookNode) -> str:
    """What a cell shows in words."""
    return "".join(
        output.get("text", "") + output.get("data", {}).get("text/plain", "")
        for output in cell.get("outputs", ())
    )


def unsteady_cells(notebook: nbformat.NotebookNode, direction: int) -> list[tuple[int, str, str]]:
    """The cells whose words change with the last bits: number, stored words, words with noise."""
    stored = [words(cell) for cell in notebook.cells]
    first = nbformat.v4.new_code_cell(UNSTEADY.replace("{direction}", str(direction)))
    run = execute(nbformat.v4.new_notebook(cells=[first, *notebook.cells]))
    pairs = enumerate(zip(stored, map(words, run.cells[1:]), strict=True))
    return [(number, before, after) for number, (before, after) in pairs if before != after]


if __name__ == "__main__":
    found = False
    for path in map(Path, sys.argv[1:]):
        for direction in DIRECTIONS:
            notebook = nbformat.read(path, as_version=4)
            for number, before, after in unsteady_cells(notebook, direction):
                found = True
                print(f"{path.name}, cell {number}:\n{before}\nwith other last bits:\n{after}")
    sys.exit(found)
