"""A fence around the kernel that runs a student's notebook: what it may not do, and who is told."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

# What Python tells an audit hook before it is done: how we call it, and where among the arguments
# the paths are, each with the folder (a descriptor) that it is seen from.
CHANGES = {
    "open": ("write to", ((0, None),)),
    "os.truncate": ("write to", ((0, None),)),
    "os.remove": ("delete", ((0, 1),)),
    "os.rmdir": ("delete", ((0, 1),)),
    "shutil.rmtree": ("delete", ((0, 1),)),
    "os.rename": ("move", ((0, 2), (1, 3))),
    "os.link": ("link", ((0, 2), (1, 3))),
    "os.symlink": ("make", ((1, 2),)),
    "os.mkdir": ("make", ((0, 2),)),
    "os.chmod": ("change", ((0, 2),)),
    "os.chown": ("change", ((0, 3),)),
    "os.utime": ("change", ((0, 3),)),
}
# These go where a link points to; the others are about the link itself.
THROUGH_LINKS = {"open", "os.truncate", "os.chmod", "os.chown", "os.utime"}
PROGRAMS = {
    "subprocess.Popen",
    "os.system",
    "os.fork",
    "os.forkpty",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
}
# Who starts programs because a cell says so: the cell, and what stands behind `!`.
NOTEBOOK = {"__main__", "IPython", "ipykernel", "pexpect", "ptyprocess"}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
MOST_NOTES = 5


def keep_within(fence: Path, page: Path, notes: Path, kernels_own: Path) -> None:
    """Refuse, from now on and in this process, to change a file outside a folder.

    What is refused raises PermissionError. So does a program that the notebook starts; those that
    a library starts (it asks for the fonts, or runs workers) are let through.

    Python tells of its own doings only: what compiled code does by itself (NumPy, SQLite) and
    what a child process does is not seen, and what is read is not refused. This holds off
    accidents, not malice.

    Parameters
    ----------
    fence
        The folder in which anything may be changed.
    page
        The folder within it where the notebook is; of a file that is deleted there, a note is
        made.
    notes
        The file that gets a line for each thing refused or noted, no more than `MOST_NOTES`;
        itself out of the kernel's reach.
    kernels_own
        A file that may be changed although it is outside: the kernel's connection.
    """
    fence, page, kernels_own = (Path(os.path.realpath(path)) for path in (fence, page, kernels_own))
    note = _notes(notes)

    def guard(event: str, args: tuple) -> None:
        if event in PROGRAMS and _asked_by_notebook():
            note("tried to start another program")
            raise PermissionError("a notebook that is being checked may not start other programs")
        if event not in CHANGES or (event == "open" and not _writes(*args[1:3])):
            return
        verb, places = CHANGES[event]
        for path in _paths(event, args, places):
            if path.is_relative_to(fence):
                if event == "os.remove" and path.is_relative_to(page):
                    note(f"deleted {path.relative_to(page)}")
            # Python keeps what it has compiled of an imported file in folders of this name.
            elif not (path in (kernels_own, Path(os.devnull)) or "__pycache__" in path.parts):
                if event == "os.mkdir" and path.is_dir():  # "unless it exists" begins with a try
                    continue
                note(f"tried to {verb} {path}")
                raise PermissionError(
                    f"a notebook that is being checked may not {verb} what is outside "
                    f"its temporary copy: {str(path)!r}"
                )

    sys.addaudithook(guard)


def _notes(file: Path) -> Callable[[str], None]:
    """A function that writes a line, once, until there are many."""
    # Through the descriptor no path is opened any more, so that the guard lets it pass.
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    noted = set()

    def note(line: str) -> None:
        if line not in noted and len(noted) <= MOST_NOTES:
            noted.add(line)
            line = line if len(noted) <= MOST_NOTES else "and more of the kind"
            os.write(descriptor, f"{line!s}\n".encode(errors="replace"))

    return note


def _writes(mode: str | None, flags: int) -> bool:
    return bool(flags & WRITING) or bool(set("wax+") & set(mode or ""))


def _paths(event: str, args: tuple, places: tuple) -> list[Path]:
    """Where the paths of an event are; a file that is open already has been let through."""
    found = []
    for at, folder_at in places:
        if not isinstance(args[at], int):
            path = os.fsdecode(args[at])
            folder = args[folder_at] if folder_at is not None and folder_at < len(args) else None
            if folder not in (None, -1):
                path = os.path.join(_folder_of(folder), path)
            before, name = os.path.split(path)
            if event in THROUGH_LINKS or name in ("", os.curdir, os.pardir):
                found.append(Path(os.path.realpath(path)))
            else:
                found.append(Path(os.path.realpath(before)) / name)
    return found


def _folder_of(descriptor: int) -> str:
    if sys.platform == "darwin":
        import fcntl

        return os.fsdecode(fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(1024)).rstrip(b"\0"))
    return os.readlink(f"/proc/self/fd/{descriptor}")


def _asked_by_notebook() -> bool:
    """Whether what is going on was begun by a cell, with the standard library at most between."""
    frame = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__", "").partition(".")[0]
        if module == "__main__" or module not in sys.stdlib_module_names:
            return module in NOTEBOOK
        frame = frame.f_back
    return False
