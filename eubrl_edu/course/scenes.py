"""The labs of the notebooks, in their order: what there is to show to a room."""

import ast
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat


@dataclass(frozen=True)
class Scene:
    """A lab of a notebook.

    Attributes
    ----------
    page : str
        The notebook's name, such as ``06_race``.
    title : str
        Its heading, up to a colon.
    imports : str
        What the page has imported so far.
    line : str
        The line that makes the lab.
    """

    page: str
    title: str
    imports: str
    line: str

    def make(self) -> Any:
        """Return the lab, as the page shows it."""
        names: dict[str, Any] = {}
        exec(self.imports, names)
        return eval(self.line, names)


def find_scenes(folder: str | Path) -> tuple[Scene, ...]:
    """Return the labs of all notebooks in a folder, in the order in which they are read.

    Raises
    ------
    ValueError
        If no notebook there shows a lab.
    """
    scenes = []
    for path in sorted(Path(folder).glob("*.ipynb")):
        page = nbformat.read(path, as_version=4)
        heading = page.cells[0].source.partition("\n")[0] if page.cells else path.stem
        title = heading.strip("# ").partition(":")[0]
        imports: list[ast.stmt] = []
        for cell in page.cells:
            if cell.cell_type == "code":
                lab = _lab_of(cell.source, imports)
                if lab is not None:
                    so_far = ast.unparse(ast.Module(imports, []))
                    scenes.append(Scene(path.stem, title, so_far, ast.unparse(lab)))
    if not scenes:
        raise ValueError(f"no notebook in {str(folder)!r} shows a lab")
    return tuple(scenes)


def _lab_of(source: str, imports: list[ast.stmt]) -> ast.Expr | None:
    """The call that makes the lab that a cell ends with; the cell's imports join the others."""
    try:
        body = ast.parse(source).body
    except SyntaxError:  # a magic, or half an answer
        return None
    imports += [line for line in body if isinstance(line, ast.Import | ast.ImportFrom)]
    match body[-1:]:
        case [ast.Expr(ast.Call(ast.Name(name))) as call] if name.endswith("Lab"):
            return call
    return None
