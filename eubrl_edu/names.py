"""Names and paths: text that tables, stores and file systems can hold."""

import os
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
    if max(map(_n_bytes, Path(path).parts), default=0) > LONGEST or _n_bytes(path) > LONGEST_PATH:
        raise ValueError(
            f"{name} must be the path of a {kind}, of at most {LONGEST_PATH} bytes, {LONGEST} "
            f"in each of its parts, got {shown(value)}"
        )
    return Path(path)


def _n_bytes(text: str) -> int:
    return len(os.fsencode(text))


def _can_be_written(text: str) -> bool:
    """Whether it has no null character, and no half of one that UTF-16 writes as two."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
