"""The notebooks and figures of the course: where they are, and a copy of them to work in."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from eubrl_edu import __version__
from eubrl_edu.course.course_files import course_files
from eubrl_edu.names import require_path
from eubrl_edu.writing import in_place_of, require_writable_folder, writing_to

FIRST_PAGE = "00_start_here.ipynb"
# Beside the copy: what each file was when it was copied, so that a learner's own changes show.
RECORD = ".eubrl_edu.json"


@dataclass(frozen=True)
class Copied:
    """What a copy of the course did: files that are new, brought up to date, and left alone."""

    new: tuple[str, ...]
    updated: tuple[str, ...]
    kept: tuple[str, ...]

    def describe(self) -> str:
        """Say it in words; each file that a learner has changed is named."""
        lines = [f"Files copied: {len(self.new)}, brought up to date: {len(self.updated)}."]
        if self.kept:
            lines += [
                "Left alone, as you have changed them:",
                *(f"    {name}" for name in self.kept),
                "To get the new version of a file, rename or delete yours and run this again.",
            ]
        return "\n".join(lines)


def material() -> Path:
    """The folder that holds ``notebooks`` and ``figures``: in a wheel, or in a clone."""
    installed = Path(__file__).parent
    return installed if (installed / "notebooks").is_dir() else installed.parents[1]


def find_notebooks() -> Path:
    """The folder of the notebooks to work in: here, or in the clone that the package runs from.

    Raises
    ------
    ValueError
        Where there is neither; what an installed wheel holds is not to be worked in.
    """
    for folder in map(notebooks_of, (Path(), Path(__file__).parents[2])):
        if (folder / FIRST_PAGE).is_file():
            return folder.absolute()
    raise ValueError(
        f"the course is not in {str(Path.cwd())!r}; `eubrl-edu course my-course` copies it into "
        "a folder, and there `eubrl-edu lab` opens it"
    )


def notebooks_of(folder: str | Path) -> Path:
    """The ``notebooks`` of a folder, where they are the course's; else the folder itself.

    Raises
    ------
    ValueError
        If there is no such folder.
    """
    folder = require_path("folder", folder, "folder")
    if not folder.is_dir():
        what = "is no folder" if folder.exists() else "is not there"
        raise ValueError(f"folder {str(folder)!r} {what}")
    within = folder / "notebooks"
    return within if (within / FIRST_PAGE).is_file() else folder


def copy_course(folder: str | Path) -> Copied:
    """Copy the course's notebooks and figures into a folder; what a learner has changed stays.

    It is the course as it came (`course_files`): answers written into a clone stay in the clone.
    A file counts as changed when it is not as it was copied before. One that is gone is copied
    again.

    Raises
    ------
    ValueError
        If ``folder`` is a file.
    OSError
        If a file in it cannot be read or written.
    """
    folder = require_path("folder", folder, "folder")
    require_writable_folder(folder)
    record = _read_record(folder)
    new, updated, kept = [], [], []
    for name, content in course_files(material()).items():
        target, hash = folder / name, _hash(content)
        if not target.exists():
            new.append(name)
        else:
            with writing_to(target):
                present = _hash(target.read_bytes())
            if present == hash:
                record[name] = hash
                continue
            if present != record.get(name):
                kept.append(name)
                continue
            updated.append(name)
        with writing_to(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        with in_place_of(target) as part:
            part.write_bytes(content)
        record[name] = hash
        _write_record(folder, record)
    _write_record(folder, record)
    return Copied(tuple(new), tuple(updated), tuple(kept))


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _read_record(folder: Path) -> dict[str, str]:
    """The hashes of the copies made before; none where the record is gone or has been spoilt."""
    try:
        return dict(json.loads((folder / RECORD).read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def _write_record(folder: Path, record: dict[str, str]) -> None:
    text = json.dumps({"version": __version__, "files": record}, indent=1)
    with in_place_of(folder / RECORD) as part:
        part.write_text(text, encoding="utf-8")
