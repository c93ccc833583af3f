"""Files for results: whether they can be written, before anything is computed for them."""

import glob
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from eubrl_edu.names import require_path

SQLITE = b"SQLite format 3\0"  # how every file of such a database begins


def require_target(name: str, value: str | Path) -> Path:
    """Return the file if it can be written, and holds no database, whose place it would take.

    Raises
    ------
    TypeError, ValueError
        If it is no path, its folder is not there, or it is a store of results or another database.
    OSError
        If it cannot be written.
    """
    file = require_path(name, value)
    if not file.absolute().parent.is_dir():
        raise ValueError(f"the folder of {name} {str(file)!r} is not there")
    require_writable_file(file)
    if file.is_file():
        with writing_to(file), file.open("rb") as opened:
            is_database = opened.read(len(SQLITE)) == SQLITE
        if is_database:
            raise ValueError(
                f"{name} must name another file, got {str(file)!r}, which is a store or another "
                "database: what is written would take its place"
            )
    return file


def require_writable_folder(folder: Path) -> None:
    """Make the folder if need be, and see that files can be written there.

    Raises
    ------
    ValueError
        If it is a file, or a link that leads nowhere.
    OSError
        If no files can be written there; it names the folder.
    """
    if os.path.lexists(folder) and not folder.is_dir():
        raise ValueError(f"folder must be a folder, or a name that is free, got {str(folder)!r}")
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        try:
            # On a full disk an empty file can be made, but nothing written to it.
            probe.write_bytes(b"probe")
        finally:
            probe.unlink(missing_ok=True)


@contextmanager
def made_folder(folder: Path) -> Iterator[None]:
    """`require_writable_folder`; where what needs it fails, no folder stays that is new and empty.

    Raises
    ------
    ValueError, OSError
        As `require_writable_folder` does.
    """
    new = [each for each in (folder, *folder.parents) if not os.path.lexists(each)]
    try:
        require_writable_folder(folder)
        yield
    except BaseException:
        for each in new:
            with suppress(OSError):  # it is not there, or something is in it
                each.rmdir()
        raise


def require_writable_file(file: Path) -> None:
    """See that the file can be written; what it holds stays.

    Raises
    ------
    OSError
        If not; it names the file.
    """
    with writing_to(file):
        was_there = file.exists()
        file.open("a").close()
        if not was_there:
            file.resolve().unlink()  # not the link to it


def unused_stem(folder: Path, name: str) -> Path:
    """The first of ``name-1``, ``name-2`` and so on that no file there has, whatever its kind."""
    number = 1
    while any(folder.glob(f"{glob.escape(name)}-{number}.*")):
        number += 1
    return folder / f"{name}-{number}"


@contextmanager
def in_place_of(file: Path) -> Iterator[Path]:
    """Yield a path beside the file; what is written there takes its place once it is whole.

    Raises
    ------
    OSError
        If it cannot be written; it names the file, which stays as it was.
    """
    whole = file.resolve()
    part = whole.with_name(f".{uuid.uuid4().hex}{whole.suffix}")  # nobody's, whatever is there
    with writing_to(file):
        # What streams, such as a pipe, has no place to take; nor has its name in /dev.
        if file.absolute().is_relative_to("/dev") or (file.exists() and not file.is_file()):
            yield file
            return
        try:
            yield part
            part.replace(whole)
        except BaseException:
            part.unlink(missing_ok=True)
            raise


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Let errors name the path: that of a full disk does not say what was to be written."""
    try:
        yield
    except OSError as error:
        why = error.strerror or error  # not the name of the part that was to take its place
        raise OSError(f"{str(path)!r} cannot be written to: {why}") from error
