"""The exercises in a folder of students' notebooks: each is run, and the results are a table."""

import math
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from eubrl_edu.compiling import cache_folder
from eubrl_edu.exercises.progress import check_called_in, exercises_by_page
from eubrl_edu.names import require_path

MARKS = ("✓", "✗", "○")


@dataclass(frozen=True)
class Checked:
    """What became of a notebook.

    Attributes
    ----------
    file : str
        The notebook, as seen from the folder.
    results : dict of str to str
        For each check that it calls ✓, ✗ or ○ (untouched), or why there is none, such as
        ``NameError`` or ``not run``.
    remark : str
        What was wrong with the notebook as a whole, if anything.
    """

    file: str
    results: dict[str, str] = field(default_factory=dict)
    remark: str = ""


def check_folder(folder: str | Path, seconds: float = 300.0) -> Iterator[Checked]:
    """Run every notebook in a folder and in those within, one after the other.

    Each is run in a kernel of its own, in a temporary folder that holds nothing but a copy of it,
    and that is also its home and its place for temporary files; what it compiles goes there too.
    At the time limit the kernel is killed.

    This fences off accidents, not attacks. A notebook runs with your rights: code that names a
    path outside can read, change and delete it, use the network, fill the memory or the disk,
    and start processes that outlive it; and who wants to can show a tick that no check has given.
    For notebooks of strangers use a container, or an account with nothing to lose.

    Parameters
    ----------
    folder
        Where the notebooks are; nothing is written there.
    seconds
        The longest that one notebook may run, > 0; up to a second more passes for each cell.

    Yields
    ------
    Checked
        In the order of the files' names, as soon as each is finished.

    Raises
    ------
    ValueError
        If there is no such folder, no notebook in it, or no time.
    KeyboardInterrupt
        At Ctrl-C; the kernel is ended first.
    """
    folder = require_path("folder", folder, "folder")
    if not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a number above 0, got {seconds}")
    if not folder.is_dir():
        raise ValueError(f"folder must be a folder of notebooks, got {str(folder)!r}")
    paths = [path for path in sorted(folder.rglob("*.ipynb")) if path.is_file()]
    paths = [path for path in paths if ".ipynb_checkpoints" not in path.parts]
    if not paths:
        raise ValueError(f"there is no notebook in {str(folder)!r}")
    return (_check(path, path.relative_to(folder).as_posix(), seconds) for path in paths)


def _check(path: Path, name: str, seconds: float) -> Checked:
    try:
        page = nbformat.read(path, as_version=4)
        cells = [cell for cell in page.cells if cell.cell_type == "code"]
    except Exception as error:  # whatever a file may hold, the others are to be checked
        return Checked(name, remark=f"cannot be read as a notebook ({type(error).__name__})")
    for cell in cells:
        cell.outputs, cell.execution_count = [], None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as fence:
        copy = _fenced(path, Path(fence))
        try:
            remark = _run(page, copy.parent, seconds)
        except Exception as error:
            remark = f"could not be run ({type(error).__name__})"
        if not copy.exists():
            remark = "; ".join(filter(None, (remark, "deleted or moved its own file")))
    results = {}
    for cell in cells:
        check = check_called_in(cell.source)
        # A check that is called again, further down, counts as it came out last.
        if check and (check not in results or cell.outputs):
            results[check] = _result(cell)
    return Checked(name, results, remark or ("" if results else "calls no check"))


def _fenced(path: Path, fence: Path) -> Path:
    """A copy of the notebook in a folder of its own; beside it, what is compiled already."""
    for name in ("page", "home", "temporary"):
        (fence / name).mkdir()
    if (compiled := cache_folder()) is not None:
        shutil.copytree(compiled, fence / "compiled" / "eubrl_edu" / compiled.name)
    return Path(shutil.copyfile(path, fence / "page" / path.name))


def _environment(fence: Path) -> dict[str, str]:
    outside = {name: text for name, text in os.environ.items() if not name.startswith("XDG_")}
    homes = dict.fromkeys(("HOME", "USERPROFILE"), str(fence / "home"))
    temporary = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(fence / "temporary"))
    settings = {
        "IPYTHONDIR": str(fence / "home" / ".ipython"),
        "MPLCONFIGDIR": str(fence / "home" / ".matplotlib"),
        "NUMBA_CACHE_DIR": str(fence / "compiled"),
    }
    return outside | homes | temporary | settings


class _Quiet(NotebookClient):
    """Keeps values and errors; a loop that prints for ever does not fill our memory."""

    def process_message(self, msg, cell, cell_index):
        kind = msg["msg_type"]
        if kind in ("stream", "display_data", "update_display_data") or kind.startswith("comm"):
            return None
        return super().process_message(msg, cell, cell_index)


def _run(page: nbformat.NotebookNode, folder: Path, seconds: float) -> str:
    """Run the cells, whose outputs are then in the page; return what stopped them, or nothing."""
    started = None

    def seconds_left(cell) -> int:
        nonlocal started  # when the first cell begins: starting a kernel is not the learner's time
        started = started or time.monotonic()
        return max(1, math.ceil(started + seconds - time.monotonic()))

    client = _Quiet(
        page,
        kernel_name="python3",
        allow_errors=True,
        shutdown_kernel="immediate",
        timeout_func=seconds_left,
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        # What a kernel says as it starts, it would say for each notebook; errors come as outputs.
        client.execute(env=_environment(folder.parent), stderr=subprocess.DEVNULL)
    except CellTimeoutError:
        return f"stopped after {seconds:g} seconds"
    except DeadKernelError:
        return "its kernel died"
    finally:
        # At Ctrl-C nbclient ends the kernel, and would have us go on with the next notebook.
        if hasattr(client, "_async_cleanup_kernel_future"):
            raise KeyboardInterrupt
    return ""


def _result(cell: nbformat.NotebookNode) -> str:
    """What a cell that calls a check has come to."""
    for output in cell.outputs:
        if output.output_type == "error":
            return re.sub(r"\W", "", output.ename)[:40] or "error"
        if output.output_type == "execute_result":
            shown = str(output.data.get("text/plain", ""))
            if shown.startswith(MARKS):
                return shown[0]
    return "no result" if cell.outputs or cell.execution_count else "not run"


def in_words(checked: list[Checked]) -> str:
    """A table for each page of the course, student's file × exercise; then the remarks."""
    import pandas as pd

    parts = []
    for page, checks in exercises_by_page().items():
        names = {check: check.removeprefix("check_") for check in checks}
        rows = {one.file: one.results for one in checked if one.results.keys() & names}
        if rows:
            table = pd.DataFrame.from_dict(rows, orient="index")
            table = table.reindex(columns=list(names)).rename(columns=names)
            table = table.astype(object).fillna("")
            parts.append(f"{page}\n{table.to_string()}")
    remarks = "\n".join(f"{one.file}: {one.remark}" for one in checked if one.remark)
    return "\n\n".join(filter(None, (*parts, remarks)))


def to_frame(checked: list[Checked]):
    """One row a file, one column an exercise (empty where the file has it not), and the remark."""
    import pandas as pd

    found = {check for one in checked for check in one.results}
    columns = [check for checks in exercises_by_page().values() for check in checks]
    return pd.DataFrame(
        [{"file": one.file, **one.results, "remark": one.remark} for one in checked],
        columns=["file", *(check for check in columns if check in found), "remark"],
    )
