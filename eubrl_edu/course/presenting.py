"""The stage as a page of Voilà's, on loopback, which fetches nothing from the network."""

import sys
import tempfile
from pathlib import Path

import nbformat

from eubrl_edu.course.jupyter import as_root, serve
from eubrl_edu.course.material import find_notebooks, notebooks_of
from eubrl_edu.course.scenes import find_scenes

PAGE = "stage.ipynb"
# Nothing else is to be served; Voilà brings a MathJax of its own where the server names none.
EXTENSIONS = {
    "voila.server_extension": True,
    "eubrl_edu.labs.prompt_server": True,
    "jupyterlab": False,
    "notebook": False,
    "notebook_shim": False,
    "jupyter_lsp": False,
    "jupyter_server_terminals": False,
}
SETTINGS = {"mathjax_url": None, "mathjax_config": None}


def present(folder: str | Path | None = None, port: int = 8866, open_browser: bool = True) -> int:
    """Show the labs of a folder of notebooks to a room; return the server's exit status at the end.

    Parameters
    ----------
    folder
        The notebooks, or a copy of the course; by default the course. What is saved on the stage
        goes there.
    port
        Where it is taken, the server says so and takes the next free one.
    open_browser
        Whether to open a browser, or only to say the address.

    Raises
    ------
    ValueError
        If there is no such folder, no notebook there shows a lab, or there can be no such port.
    """
    folder = find_notebooks() if folder is None else notebooks_of(folder)
    folder = folder.absolute()
    if not 0 < port < 65536:
        raise ValueError(f"port must be a number from 1 to 65535, got {port}")
    find_scenes(folder)
    with tempfile.TemporaryDirectory() as place:
        nbformat.write(_page(folder), Path(place) / PAGE)
        # Unlike JupyterLab, a bare server opens no browser unless it is told to.
        browser = f"--ServerApp.open_browser={open_browser}"
        return serve([*_command(place), f"--ServerApp.port={port}", browser])


def _page(folder: Path) -> nbformat.NotebookNode:
    lines = [
        "import os",
        "from eubrl_edu.course.stage import Stage",
        f"os.chdir({str(folder)!r})",
        "Stage('.')",
    ]
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("\n".join(lines))])
    page.metadata |= {"title": "Stage", "kernelspec": {"name": "python3", "display_name": "Python"}}
    return page


def _command(place: str) -> list[str]:
    extensions = (f"--ServerApp.jpserver_extensions={name}={on}" for name, on in EXTENSIONS.items())
    return [
        *(sys.executable, "-m", "eubrl_edu.course.server", "jupyter_server"),
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.root_dir={place}",
        f"--ServerApp.default_url=/voila/render/{PAGE}",
        f"--ServerApp.tornado_settings={SETTINGS}",
        "--VoilaConfiguration.template=stage",
        # Where Notebook 7 is installed, what it adds to JupyterLab would fail on this page.
        "--VoilaConfiguration.extension_denylist=['@jupyter-notebook/lab-extension']",
        *extensions,
        *as_root(),
    ]
