"""The labs of the notebooks, in their order: what there is to show to a room."""

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from eubrl_edu.exercises.progress import parse_cell
from eubrl_edu.names import require_path


@dataclass(frozen=True)
class Scene:
    """A lab of a notebook.

    Attributes
    ----------
    page : str
        The notebook's name, such as ``06_race``.
    title : str
        Its heading, up to a colon; its name, where it has none.
    cell : str
        The ``id`` of the cell that shows it.
    needs : str
        The lines of the page that it takes: imports, and what the page itself has defined.
    line : str
        The line that makes the lab.
    """

    page: str
    title: str
    cell: str
    needs: str
    line: str

    def make(self) -> Any:
        """Return the lab, as the page shows it."""
        names: dict[str, Any] = {}
        exec(self.needs, names)
        return eval(self.line, names)


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Read a notebook; ``ValueError`` that names the file where it is none."""
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except Exception as error:  # whatever a file may hold
        text = f"notebook {str(path)!r} cannot be read as one ({type(error).__name__})"
        raise ValueError(text) from error
    return notebook


def find_scenes(folder: str | Path) -> tuple[Scene, ...]:
    """Return the labs of all notebooks in a folder, in the order in which they are read.

    Raises
    ------
    ValueError
        If no notebook there shows a lab.
    """
    scenes = []
    for path in sorted(require_path("folder", folder, "folder").glob("*.ipynb")):
        page = read_notebook(path)
        has_heading = page.cells and page.cells[0].source.startswith("# ")
        heading = page.cells[0].source.partition("\n")[0] if has_heading else path.stem
        title = heading.strip("# ").partition(":")[0]
        before: list[ast.stmt] = []
        for cell in page.cells:
            if cell.cell_type == "code":
                before += parse_cell(cell.source).body
                match before[-1:]:
                    case [ast.Expr(ast.Call(ast.Name(name))) as lab] if name.endswith("Lab"):
                        needs = ast.unparse(ast.Module(_needed(lab, before), []))
                        line = ast.unparse(lab)
                        scenes.append(Scene(path.stem, title, cell.id, needs, line))
    if not scenes:
        raise ValueError(f"no notebook in {str(folder)!r} shows a lab")
    return tuple(scenes)


def _needed(line: ast.stmt, before: list[ast.stmt]) -> list[ast.stmt]:
    """Those of the lines before that bind a name which this line reads, or they read themselves."""
    imports = [each for each in before if isinstance(each, ast.Import | ast.ImportFrom)]
    imported = set().union(*map(_bound, imports))  # ``numpy.sqrt(2)`` changes nothing in numpy
    wanted, kept = _read(line), []
    for earlier in reversed(before):
        if wanted & (_bound(earlier) if earlier in imports else _bound(earlier) - imported):
            wanted |= _read(earlier)
            kept.append(earlier)
    return kept[::-1]


def _read(line: ast.AST) -> set[str]:
    names = (node for node in ast.walk(line) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Load)}


def _bound(part: ast.AST) -> set[str]:
    """The names that a line binds, or whose objects it may change, as ``x.y = 1`` and ``x.y()``."""
    match part:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return {name}
        case ast.alias(name, asname):
            return {(asname or name).partition(".")[0]}
        case ast.Name(name, ast.Store()):
            return {name}
        case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
            return _read(part)
        case ast.Expr(ast.Call(ast.Attribute(changed))):
            return _read(changed)
    return set().union(*map(_bound, ast.iter_child_nodes(part)))
