"""What the sources say, as a few digits: they name what was computed or compiled from them."""

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).parent
DIGITS = 16
# What only shows runs, or is made of them, decides none.
DECIDES_NO_RUN = frozenset(
    {
        *("plotting", "labs", "errata", "reproduction", "exercises", "course"),
        *("cli.py", "cli_parser.py", "cli_streams.py", "__main__.py"),
        *("writing.py", "source_listing.py"),
    }
)


def source_hash(*parts: str, package: Path = PACKAGE) -> str:
    """A number for what the sources say: another for every edit, the same on every machine.

    It hangs on the files' names and text, but neither on their order, their dates or the folder
    that the package lies in, nor on how lines end: an installed wheel has that of its checkout.

    Parameters
    ----------
    *parts : str
        Folders and files of the package, such as ``"agents"`` or ``"mdp.py"``; all of its Python
        files where none is named.
    package : Path
        The folder of the package.

    Returns
    -------
    str
        `DIGITS` hexadecimal digits.

    Raises
    ------
    ValueError
        If there is no such folder or file.
    """
    files = set()
    for part in parts or ("",):
        found = _python_files(package / part)
        if not found:
            raise ValueError(f"parts must be folders and files of {str(package)!r}, got {part!r}")
        files |= {file.relative_to(package).as_posix() for file in found}
    digest = hashlib.sha256()
    for file in sorted(files):
        text = (package / file).read_bytes().replace(b"\r\n", b"\n")
        # Lengths first, so that no text can pass for a name.
        digest.update(f"{len(file)} {len(text)} {file} ".encode() + text)
    return digest.hexdigest()[:DIGITS]


def hash_of_what_decides_runs() -> str:
    """`source_hash` of all that decides what a run gives: all but `DECIDES_NO_RUN`."""
    parts = {path for path in PACKAGE.iterdir() if path.name not in DECIDES_NO_RUN}
    return source_hash(*(path.name for path in parts if _python_files(path)))


def require_unchanged_sources() -> str:
    """`hash_of_what_decides_runs` as this process has loaded it.

    Raises
    ------
    ValueError
        If the sources were edited since: what runs is then not what they say.
    """
    if hash_of_what_decides_runs() != AT_IMPORT:
        raise ValueError(
            "the sources of eubrl_edu were edited after this process had loaded them: start it "
            "again (in a notebook: restart the kernel), so that what is kept is of what they say"
        )
    return AT_IMPORT


def _python_files(path: Path) -> list[Path]:
    return [path] if path.is_file() and path.suffix == ".py" else list(path.rglob("*.py"))


AT_IMPORT = hash_of_what_decides_runs()
