"""The exercises in a folder of students' notebooks: each is run, and the results are a table."""

import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from eubrl_edu.compiling import cache_folder, is_ready
from eubrl_edu.course.marks import results_of
from eubrl_edu.exercises.progress import exercises_by_page
from eubrl_edu.names import require_path

# What a kernel runs first. Without its fence it is not to run anything.
START = """
try:
    from ipykernel import get_connection_file as fenced
    fenced = {{"kernels_own": fenced()}}
    from eubrl_edu.course.fence import keep_within
    keep_within(**fenced, **{folders!r})
except BaseException:
    import os
    os._exit(1)
del fenced, keep_within
"""


@dataclass(frozen=True)
class Checked:
    """What became of a notebook.

    Attributes
    ----------
    file : str
        The notebook, as seen from the folder.
    results : dict of str to str
        For each check that it calls ✓, ✗ or ○ (untouched), or why there is none, such as
        ``NameError`` (of each check of the cell that had no mark by then), ``not run``, or ``no
        result`` where its feedback is not what the cell shows.
    remark : str
        What was wrong with the notebook as a whole, if anything.
    """

    file: str
    results: dict[str, str] = field(default_factory=dict)
    remark: str = ""

    def __str__(self) -> str:
        """All of it in one line, whatever a file is called."""
        said = f"{self.file}: {' '.join([*self.results.values(), self.remark])}"
        return re.sub(r"[\x00-\x1f\x7f]+", " ", said).rstrip()


def check_folder(folder: str | Path, seconds: float = 300.0) -> Iterator[Checked]:
    """Run every notebook in a folder and below, also through links, one after the other.

    All are read before the first is run. Each is run in a kernel of its own, in a temporary
    folder that holds nothing but a copy of it, and that is also its home and its place for
    temporary files; what it compiles goes there too. To change or delete a file outside, or to
    start another program, raises PermissionError, and the remark says what was tried. At the
    time limit the kernel is killed.

    This fences off accidents, not attacks. A notebook runs with your permissions, and the fence
    sees what Python itself does: compiled code (SQLite's, say, or what is called through ctypes)
    and the processes that a library starts can change files outside. A notebook can read them, use
    the network and fill the memory or the disk; and whoever wants to can show a tick that no check
    has given. For notebooks of strangers use a container, or an account with nothing to lose.

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
    OSError
        If the folder cannot be looked into. Where one within cannot, a row says so.
    KeyboardInterrupt
        At Ctrl-C; the kernel is ended first.
    """
    folder = require_path("folder", folder, "folder")
    if not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be a finite number above 0, got {seconds}")
    if not folder.is_dir():
        raise ValueError(f"folder must be a folder of notebooks, got {str(folder)!r}")
    found = dict(_notebooks_in(folder))
    if found.keys() <= {folder}:
        raise found.get(folder) or ValueError(f"there is no notebook in {str(folder)!r}")
    read = [
        (path.relative_to(folder).as_posix(), found[path] or _read(path)) for path in sorted(found)
    ]

    def checked() -> Iterator[Checked]:
        if is_to_compile():  # else each notebook would, and its folder is thrown away
            subprocess.run([sys.executable, "-m", "eubrl_edu.engine"], check=False)
        yield from (_check(name, page, seconds) for name, page in read)

    return checked()


def _notebooks_in(folder: Path) -> Iterator[tuple[Path, OSError | None]]:
    """The notebooks in a folder and below, also through links; each folder once.

    And the folders that cannot be looked into, with the error.
    """
    seen, closed = set(), []
    for place, folders, files in os.walk(folder, onerror=closed.append, followlinks=True):
        here = Path(place)
        if here.resolve() in seen:
            folders.clear()
            continue
        seen.add(here.resolve())
        # Sorted, as else the disk decides by which of its names a folder is found.
        folders[:] = sorted(set(folders) - {".ipynb_checkpoints"})
        for path in (here / file for file in files if file.lower().endswith(".ipynb")):
            try:
                if path.is_file():
                    yield path, None
            except OSError as error:
                yield path, error
    yield from ((Path(error.filename), error) for error in closed)


def is_to_compile() -> bool:
    """Whether what notebooks need is to be compiled before the first is run: once, for a minute."""
    return cache_folder() is not None and not is_ready()


def _read(path: Path) -> nbformat.NotebookNode | Exception:
    """The notebook without its outputs, or why it cannot be read."""
    try:
        page = nbformat.read(path, as_version=4)
        for cell in _code_of(page):
            if not isinstance(cell.source, str):
                raise TypeError("the source of a cell is no text")
            cell.outputs, cell.execution_count = [], None
        nbformat.writes(page).encode()  # half a character can be read, and not be written
    except Exception as error:  # whatever a file may hold, the others are to be checked
        return error
    return page


def _code_of(page: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in page.cells if cell.cell_type == "code"]


def _check(name: str, page: nbformat.NotebookNode | Exception, seconds: float) -> Checked:
    if isinstance(page, Exception):
        what = "read" if isinstance(page, OSError) else "read as a notebook"
        return Checked(name, remark=f"cannot be {what} ({type(page).__name__})")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as fence:
        copy = _fenced(page, Path(name).name, Path(fence))
        try:
            remark = _run(page, copy.parent, seconds)
        except Exception as error:
            remark = f"could not be run ({type(error).__name__})"
        notes = Path(fence, "notes").read_text(encoding="utf-8").splitlines()
        if not copy.exists() and f"deleted {copy.name}" not in notes:
            notes.append("deleted or moved its own file")
        remark = "; ".join(filter(None, (remark, *notes)))
    cells = _code_of(page)
    results = {}
    for cell in cells:
        for check, result in results_of(cell).items():
            # A check that is called again, further down, counts as it came out last.
            if check not in results or cell.outputs:
                results[check] = result
    return Checked(name, results, remark or ("" if results else "calls no check"))


def _fenced(page: nbformat.NotebookNode, name: str, fence: Path) -> Path:
    """A copy of the notebook in a folder of its own; beside it, what is compiled already.

    Around the folder in which the notebook may change what it likes are the kernel's first lines
    and the notes on what was refused.
    """
    within = fence / "within"
    for folder in ("page", "home", "temporary"):
        (within / folder).mkdir(parents=True)
    if (compiled := cache_folder()) is not None:
        shutil.copytree(compiled, within / "compiled" / "eubrl_edu" / compiled.name)
    notes, copy = fence / "notes", within / "page" / name
    notes.touch()
    folders = {"fence": str(within), "page": str(copy.parent), "notes": str(notes)}
    (fence / "start.py").write_text(START.format(folders=folders), encoding="utf-8")
    nbformat.write(page, copy)
    return copy


def _environment(within: Path) -> dict[str, str]:
    outside = {name: text for name, text in os.environ.items() if not name.startswith("XDG_")}
    homes = dict.fromkeys(("HOME", "USERPROFILE"), str(within / "home"))
    places = ("TMPDIR", "TMP", "TEMP", "JOBLIB_TEMP_FOLDER")
    temporary = dict.fromkeys(places, str(within / "temporary"))
    settings = {
        "IPYTHONDIR": str(within / "home" / ".ipython"),
        "MPLCONFIGDIR": str(within / "home" / ".matplotlib"),
        "NUMBA_CACHE_DIR": str(within / "compiled"),
        "PYTHONSTARTUP": str(within.parent / "start.py"),
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
        iopub_timeout=60,  # what a cell has shown counts, however slowly it comes
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
    remarks = "\n".join(str(replace(one, results={})) for one in checked if one.remark)
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
