"""Run notebooks from top to bottom in a clean kernel and store what they print and show.

`make notebooks` stores all of them; ``python -m tests.notebooks.store notebooks/01_beliefs.ipynb``
stores one. Widget state and widget views are left out: their random names would change the file
each time, and where no kernel runs a lab's picture is what is shown.
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tests.notebooks.slides import mark

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def execute(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Run every cell in a clean kernel, in the notebooks' folder; raise at the first error."""
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    )
    return client.execute()


def cleaned(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook without what differs from run to run and from machine to machine."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            output.get("data", {}).pop(WIDGET_VIEW, None)
    mark(notebook)
    return notebook


def store(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.write(cleaned(execute(notebook)), path)
    print(f"stored {path.name}")


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        store(path)
