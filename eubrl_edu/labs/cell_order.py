"""A cell run out of order: its NameError says which cell to run before it."""

import ast
import contextlib
import dis
import importlib
import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any


def tell_what_to_run_first() -> None:
    """In a kernel, let a NameError say which cell makes the name; elsewhere do nothing.

    Where somebody else already handles errors, that stays so.
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if hasattr(shell, "kernel") and not shell.custom_exceptions:
        shell.set_custom_exc((NameError,), _show)


def _show(
    shell: Any, kind: type, error: NameError, traceback: TracebackType, tb_offset: int | None = None
) -> None:
    # Whatever goes wrong in here, the learner's error is shown.
    with contextlib.suppress(Exception):
        if str(error) == f"name {error.name!r} is not defined" and _is_in(shell, traceback):
            # A server names the notebook to the kernel, and a page the cell that it sends.
            notebook = json.loads(Path(os.environ["JPY_SESSION_NAME"]).read_text(encoding="utf-8"))
            cell = shell.get_parent()["metadata"]["cellId"]
            words = what_to_run_first(error.name, notebook["cells"], cell, shell.transform_cell)
            if words is not None:
                error.add_note(words)
    shell.showtraceback((kind, error, traceback), tb_offset=tb_offset)


def _is_in(shell: Any, traceback: TracebackType) -> bool:
    """Whether a cell's own code lacks the name, and not that of a module."""
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return traceback.tb_frame.f_globals is shell.user_ns


def what_to_run_first(
    name: str,
    cells: Sequence[Mapping[str, Any]],
    asking: str,
    as_python: Callable[[str], str] = str,
) -> str | None:
    """Return which cell to run, so that another finds a name; None where none before it makes it.

    Of several it is the last: that one's value it finds on a page that is run in order.

    Parameters
    ----------
    name : str
        The name.
    cells : sequence of mapping
        The cells of the page, as its file has them.
    asking : str
        The ``id`` of the cell that lacks the name; one that is not in the file comes after all.
    as_python : callable
        Turns a cell's magics into Python.
    """
    found, is_first, section, number = None, True, "of the page", 0
    for cell in cells:
        source = "".join(cell["source"])
        if cell.get("id") == asking:
            break
        if cell["cell_type"] == "markdown":
            headings = re.findall(r"^#+ +(.+)", source, re.MULTILINE)
            if headings:
                section, number = f"under “{headings[-1]}”", 0
        elif cell["cell_type"] == "code":
            number += 1
            if _makes(name, as_python(source)):
                which = "the cell" if number == 1 else f"cell {number}"
                found = "the page's first cell" if is_first else f"{which} {section}"
            is_first = False
    return found and f"Run {found} before this one: it makes `{name}`."


def _makes(name: str, source: str) -> bool:
    """Whether a cell makes a name for the cells after it."""
    try:
        tree = ast.parse(source)
        code = compile(tree, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        return False
    from_all = [
        importlib.import_module(statement.module)
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*"
    ]
    if any(name in getattr(module, "__all__", ()) for module in from_all):
        return True
    # Not from the tables of symbols: from Python 3.12 on these count a comprehension's own names.
    return any(
        step.opname in ("STORE_NAME", "STORE_GLOBAL") and step.argval == name
        for step in dis.get_instructions(code)
    )
