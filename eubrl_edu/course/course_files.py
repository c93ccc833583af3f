"""Which files are the course: what it came with, and nothing that a learner has made since.

The build of a wheel runs this file by itself (`hatch_build.py`): it imports nothing of the package.
"""

import io
import re
import subprocess
import tarfile
from pathlib import Path

# Not the runs behind the figures, which only a new campaign would read.
COMMITTED = ("notebooks", "figures", ":(exclude)*.sqlite")
# By name, where git cannot be asked: no saved picture, no page of one's own, no copy of a page.
NAMES = re.compile(
    r"notebooks/(\d\d_[a-z_]+\.ipynb|TEACHING\.md)"
    r"|figures/(REPORT\.md|[a-z-]+\.(png|svg|webp)|data/[a-z_]+\.csv)"
)


def course_files(folder: Path) -> dict[str, bytes]:
    """Return the course's files by their names, such as ``notebooks/00_start_here.ipynb``.

    Parameters
    ----------
    folder : path
        The one that holds ``notebooks`` and ``figures``. Of a clone, what is committed counts: the
        answers that somebody has written into its pages, and all that lies beside them, stay there.
    """
    committed = _committed(folder)
    if committed is not None:
        return committed
    paths = (path for top in ("notebooks", "figures") for path in sorted((folder / top).rglob("*")))
    names = ((path.relative_to(folder).as_posix(), path) for path in paths)
    return {name: path.read_bytes() for name, path in names if NAMES.fullmatch(name)}


def _committed(folder: Path) -> dict[str, bytes] | None:
    """The files as they were committed; None where this is no clone, or there is no git."""
    if not (folder / ".git").exists():
        return None
    command = ["git", "archive", "HEAD", *COMMITTED]
    try:
        packed = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        return {file.name: files.extractfile(file).read() for file in files if file.isfile()}
