"""The code behind an equation, as a notebook prints it: the body first, its docstring in a fold."""

import ast
import inspect
import textwrap
from collections.abc import Callable

from eubrl_edu.validation import shown


class SourceListing:
    """The present source of functions or classes, so that what a page prints is never stale.

    Where Markdown is shown the code is coloured and the docstrings are folded; as text they are
    left out.

    Parameters
    ----------
    *objects : function or class
        What to print, in this order.

    Raises
    ------
    ValueError
        If one of them is no function or class whose source is in a file (or in a notebook's cell).
    """

    def __init__(self, *objects: Callable):
        self._parts = [_without_docstring(found) for found in objects]

    def __repr__(self) -> str:
        return "\n\n".join(code for code, _ in self._parts)

    def _repr_markdown_(self) -> str:
        blocks = []
        for code, documentation in self._parts:
            blocks.append(f"```python\n{code}\n```")
            if documentation:
                blocks.append(
                    "<details>\n<summary>Its documentation</summary>\n\n"
                    f"```text\n{documentation}\n```\n\n</details>"
                )
        return "\n\n".join(blocks)


def _without_docstring(found: Callable) -> tuple[str, str]:
    """The source of a function or class without its docstring, and the docstring."""
    source, definition = _source_and_definition(found)
    if ast.get_docstring(definition) is None:
        return source, ""
    first = definition.body[0]
    lines = source.splitlines()
    code = lines[: first.lineno - 1] + lines[first.end_lineno :]
    return "\n".join(code), inspect.getdoc(found)


def _source_and_definition(found: Callable) -> tuple[str, ast.FunctionDef | ast.ClassDef]:
    """Its source at the margin, and what Python reads in it, or ``ValueError``."""
    try:
        name = inspect.unwrap(found).__name__ if callable(found) else None
        source = textwrap.dedent(inspect.getsource(found)).rstrip()
        (definition,) = ast.parse(source).body
        if definition.name == name:
            return source, definition
    except (TypeError, ValueError, AttributeError, OSError, SyntaxError):
        pass  # what has no name or no source, and the line of a lambda
    raise ValueError(
        f"objects must be functions or classes whose source is in a file, got {shown(found)}"
    )
