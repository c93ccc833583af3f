"""Which cell of a notebook begins a slide: the rule by which `store` marks them.

A thought is a slide: a heading begins one, and so does each further text. What belongs to a text
(the line that computes it, the exercise, the solution) follows on the same slide, one by one.
"""

import nbformat

# In lines of a slide's letters: what a screen holds, a picture, and the letters of a line.
SCREEN, PICTURE, LETTERS = 24, 17, 80


def lines_of(cell: nbformat.NotebookNode) -> int:
    """How much of a slide a cell takes, in lines."""
    outputs = cell.get("outputs", ())
    if any("image/png" in output.get("data", {}) for output in outputs):
        return PICTURE
    if cell.cell_type == "markdown":
        if cell.source.lstrip().startswith("<details>"):
            return 2  # folded
        return sum(1 + len(line) // LETTERS for line in cell.source.splitlines())
    texts = [cell.source, *map(_printed, outputs)]
    return round(0.72 * sum(text.count("\n") + 2 for text in texts if text))


def _printed(output: nbformat.NotebookNode) -> str:
    return output.get("text") or output.get("data", {}).get("text/plain", "")


def slide_types(notebook: nbformat.NotebookNode) -> list[str]:
    """The type of each cell: ``slide``, ``subslide``, ``fragment`` or ``skip``."""
    types, room = [], 0
    for cell in notebook.cells:
        takes = lines_of(cell)
        if cell.cell_type == "code" and not cell.outputs and _only_imports(cell.source):
            kind = "skip"
        elif cell.cell_type == "markdown" and cell.source.startswith(("# ", "## ")):
            kind = "slide"
        elif takes > room or (cell.cell_type == "markdown" and "<details>" not in cell.source):
            kind = "subslide"
        else:
            kind = "fragment"
        if kind in ("slide", "subslide"):
            room = SCREEN
        if kind != "skip":
            room -= takes
        types.append(kind)
    return types


def _only_imports(source: str) -> bool:
    return all(line.startswith(("import ", "from ")) or not line for line in source.splitlines())


def mark(notebook: nbformat.NotebookNode) -> None:
    """Say of each cell what it is on the slides."""
    for cell, kind in zip(notebook.cells, slide_types(notebook), strict=True):
        cell.metadata["slideshow"] = {"slide_type": kind}
