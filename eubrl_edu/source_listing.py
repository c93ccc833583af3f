"""The code behind an equation, as a notebook prints it: the body first, its docstring in a fold."""

import ast
import inspect
import textwrap
from collections.abc import Callable


class SourceListing:
    """The present source of functions or classes, so that what a page prints is never stale.

    Where Markdown is shown the code is coloured and the docstrings are folded; as text they are
    left out.

    Parameters
    ----------
    *objects : function or class
        What to print, in this order.
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
    source = textwrap.dedent(inspect.getsource(found)).rstrip()
    (definition,) = ast.parse(source).body
    if ast.get_docstring(definition) is None:
        return source, ""
    first = definition.body[0]
    lines = source.splitlines()
    code = lines[: first.lineno - 1] + lines[first.end_lineno :]
    return "\n".join(code), inspect.getdoc(found)
