"""JupyterLab on a page of the course, while what the pages need is compiled in the background."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from eubrl_edu.course.material import FIRST_PAGE, find_notebooks
from eubrl_edu.names import require_path

COMPILE = """
import runpy, time
time.sleep(8)
runpy.run_module("eubrl_edu.engine", run_name="__main__")
"""


def open_lab(notebook: str | Path | None = None, options: Sequence[str] = ()) -> int:
    """Open JupyterLab on a notebook, and return the server's exit status when it ends.

    Parameters
    ----------
    notebook
        By default the first page of the course.
    options
        More options for JupyterLab, such as ``("--no-browser", "--port=9000")``.

    Raises
    ------
    ValueError
        If there is no such notebook.
    """
    if notebook is None:
        notebook = find_notebooks() / FIRST_PAGE
    path = require_path("notebook", notebook).absolute()
    if not path.is_file():
        raise ValueError(f"notebook {str(notebook)!r} is not there")
    return serve([*_command(path), *options])


def serve(command: Sequence[str]) -> int:
    """Run a server until it ends, and compile in the background meanwhile.

    Ctrl-C is the server's to answer: it asks first, and ends its kernels.
    """
    compiling = _compile_in_background()
    server = subprocess.Popen(command, env=_with_our_settings())
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, signal.SIG_IGN),
        signal.SIGTERM: signal.signal(signal.SIGTERM, lambda *_: server.terminate()),
    }
    try:
        return server.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        compiling.terminate()


def _with_our_settings() -> dict[str, str]:
    """The environment, with JupyterLab's settings and Voilà's page of `eubrl_edu.course`.

    By the settings JupyterLab does not ask whether to fetch its news, and has no button for Voilà's
    own page, which would fetch icons. Kernels run `kernel_start` first, unless the learner has
    another file for that.
    """
    here = Path(__file__).parent
    own = {
        "JUPYTER_CONFIG_PATH": str(here / "jupyter-config"),
        "JUPYTER_PATH": str(here / "jupyter-data"),
    }
    paths = {name: [folder, os.environ.get(name)] for name, folder in own.items()}
    joined = {name: os.pathsep.join(filter(None, folders)) for name, folders in paths.items()}
    return {"PYTHONSTARTUP": str(here / "kernel_start.py")} | os.environ | joined


def _compile_in_background() -> subprocess.Popen:
    """Compile what the notebooks need, in their order, at low priority; what is kept is skipped.

    It begins when the page is open, which takes both cores of a small machine.
    """
    command = [sys.executable, "-c", COMPILE]
    silent = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    if os.name == "posix":
        return subprocess.Popen(["nice", *command], start_new_session=True, **silent)
    return subprocess.Popen(command, **silent)


def _command(path: Path) -> list[str]:
    """The command that opens JupyterLab on a page; root has to be meant."""
    return [
        *(sys.executable, "-m", "eubrl_edu.course.server", "jupyterlab"),
        f"--notebook-dir={path.parent}",
        f"--LabApp.default_url=/lab/tree/{quote(path.name)}",
        # Messages to the labs are sent at once; a server that was not opened here stays as it is.
        "--ServerApp.jpserver_extensions=eubrl_edu.labs.prompt_server=True",
        # Not here: it takes a second to load.
        "--ServerApp.jpserver_extensions=voila.server_extension=False",
        *as_root(),
    ]


def as_root() -> list[str]:
    """In a container one is often root, which Jupyter has to be told is meant so."""
    return ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
