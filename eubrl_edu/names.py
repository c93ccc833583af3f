"""Names and paths: text that tables, stores and file systems can hold, and names to choose from."""

import difflib
import os
from collections.abc import Iterable
from pathlib import Path

from eubrl_edu.validation import shown

WRITABLE = "without a null byte and in UTF-8"
# In bytes: what the usual file systems can hold.
LONGEST, LONGEST_PATH = 255, 4095


def require_text(name: str, value) -> str:
    """Return text that can be written, or raise ``ValueError``."""
    if not isinstance(value, str) or not _can_be_written(value):
        raise ValueError(f"{name} must be text, {WRITABLE}, got {shown(value)}")
    return value


def require_name(name: str, value) -> str:
    """Return text that can be written and is not blank, or raise ``ValueError``."""
    if not isinstance(value, str) or not value.strip() or not _can_be_written(value):
        raise ValueError(f"{name} must be some text, {WRITABLE}, got {shown(value)}")
    return value


def require_path(name: str, value, kind: str = "file") -> Path:
    """Return the path of a file or folder, or raise ``TypeError`` or ``ValueError``."""
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(path, str):
        raise TypeError(f"{name} must be the path of a {kind}, got {shown(value)}")
    if not path or not _can_be_written(path):
        raise ValueError(f"{name} must be the path of a {kind}, {WRITABLE}, got {shown(value)}")
    if not os.path.isabs(path):
        require_current_folder()
    if max(map(_n_bytes, Path(path).parts), default=0) > LONGEST or _n_bytes(path) > LONGEST_PATH:
        raise ValueError(
            f"{name} must be the path of a {kind}, of at most {LONGEST_PATH} bytes, {LONGEST} "
            f"in each of its parts, got {shown(value)}"
        )
    return Path(path)


def require_current_folder() -> None:
    """Raise ``FileNotFoundError`` where the folder that relative paths begin in was deleted."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise FileNotFoundError(
            "the current folder has been deleted or moved: change to another one"
        ) from None


def require_choice(name: str, value, choices: Iterable[str]) -> str:
    """Return ``value`` if it is among ``choices``, or raise ``ValueError`` with the closest ones.

    Close is what differs only in capitals, else all that begins so, else what is spelled alike.
    """
    choices = list(choices)
    if isinstance(value, str) and value in choices:
        return value
    by_lower_case = {choice.lower(): choice for choice in choices}
    asked = (value if isinstance(value, str) else shown(value))[:100].lower()
    longer = [name for name in by_lower_case if asked and name.startswith(asked)]
    close = [asked] if asked in by_lower_case else longer
    close = close or difflib.get_close_matches(asked, by_lower_case, n=1)
    hint = f" Did you mean {' or '.join(repr(by_lower_case[c]) for c in close)}?" if close else ""
    raise ValueError(f"unknown {name} {shown(value)}; choose one of: {', '.join(choices)}.{hint}")


def _n_bytes(text: str) -> int:
    return len(os.fsencode(text))


def _can_be_written(text: str) -> bool:
    """Whether it has no null character, and no half of one that UTF-16 writes as two."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
