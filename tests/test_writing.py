"""Folders and files that cannot be written to are named, and before anything is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from eubrl_edu.writing import (
    in_place_of,
    made_folder,
    require_writable_file,
    require_writable_folder,
    writing_to,
)
from tests.systems import posix_only

FULL = Path("/dev/full")
needs_full_device = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")


def test_what_is_written_takes_the_files_place_only_when_it_is_whole(tmp_path):
    file = tmp_path / "a.csv"
    file.write_text("before")
    with pytest.raises(OSError, match="'.*a.csv' cannot be written to"), in_place_of(file) as part:
        part.write_text("half")
        raise OSError("No space left on device")
    assert file.read_text() == "before" and list(tmp_path.iterdir()) == [file]
    with in_place_of(file) as part:
        part.write_text("whole")
    assert file.read_text() == "whole" and list(tmp_path.iterdir()) == [file]


def test_a_folder_is_made_and_left_empty(tmp_path):
    folder = tmp_path / "a" / "b"
    require_writable_folder(folder)
    require_writable_folder(folder)
    assert folder.is_dir() and os.listdir(folder) == []


def test_a_folder_that_was_made_for_nothing_is_removed_again(tmp_path):
    (tmp_path / "there").mkdir()
    for folder in (tmp_path / "there", tmp_path / "there" / "a" / "b", tmp_path / "c"):
        with pytest.raises(KeyboardInterrupt), made_folder(folder):
            assert folder.is_dir()
            raise KeyboardInterrupt
    assert list(tmp_path.rglob("*")) == [tmp_path / "there"]
    with pytest.raises(ValueError), made_folder(tmp_path / "c" / "d"):
        (tmp_path / "c" / "result").write_text("of an hour")
        raise ValueError
    assert sorted(tmp_path.rglob("*")) == [
        tmp_path / "c", tmp_path / "c" / "result", tmp_path / "there"
    ]  # fmt: skip
    with made_folder(tmp_path / "e"):
        pass
    assert (tmp_path / "e").is_dir()


@posix_only
@pytest.mark.parametrize(
    ("path", "error", "words"),
    [
        (Path("/proc/folder"), OSError, "'/proc/folder' cannot be written to"),
        (
            Path("/dev/null"),
            ValueError,
            "must be a folder, or a name that is free, got '/dev/null'",
        ),
    ],
)
def test_what_cannot_be_a_folder_is_named(path, error, words):
    with pytest.raises(error, match=words):
        require_writable_folder(path)


def test_a_full_disk_is_noticed_beforehand(tmp_path, monkeypatch):
    """There an empty file can be made, and nothing written to it."""

    def write_bytes(path, content):
        path.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    with pytest.raises(OSError, match="No space left on device") as caught:
        require_writable_folder(tmp_path)
    assert repr(str(tmp_path)) in str(caught.value) and os.listdir(tmp_path) == []


def test_a_file_stays_as_it_is(tmp_path):
    there, absent = tmp_path / "there", tmp_path / "absent"
    there.write_text("kept")
    require_writable_file(there)
    require_writable_file(absent)
    assert there.read_text() == "kept" and not absent.exists()


@posix_only
def test_a_link_whose_file_is_not_there_yet_stays_a_link(tmp_path):
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    require_writable_file(link)
    assert link.is_symlink() and not file.exists()
    with in_place_of(link) as part:
        part.write_text("written")
    assert link.is_symlink() and file.read_text() == "written"


@posix_only
@pytest.mark.parametrize("target", ["nowhere", "link"])
def test_a_link_that_leads_nowhere_is_no_folder(tmp_path, target):
    (tmp_path / "link").symlink_to(tmp_path / target)
    with pytest.raises(ValueError, match="must be a folder, or a name that is free"):
        require_writable_folder(tmp_path / "link")


def test_a_file_that_cannot_be_written_is_named():
    with pytest.raises(OSError, match="'/proc/file' cannot be written to"):
        require_writable_file(Path("/proc/file"))


def test_a_folder_that_is_not_there_is_named_and_not_the_part_that_was_to_be_written(tmp_path):
    file = tmp_path / "nowhere" / "a.csv"
    with pytest.raises(OSError, match="a.csv' cannot be written to: No such file or directory$"):
        with in_place_of(file) as part:
            part.write_text("new")


@needs_full_device
def test_a_full_disk_is_named(tmp_path):
    with pytest.raises(OSError, match="No space left on device") as caught, writing_to(tmp_path):
        FULL.write_text("words")
    assert repr(str(tmp_path)) in str(caught.value)


@posix_only
@pytest.mark.parametrize("into", ["| cat >> log", ">> log"])
def test_standard_output_can_be_a_file_by_its_name(tmp_path, into):
    """A pipe has no place in a folder; and a log that takes the output is not to be replaced."""
    code = (
        "from pathlib import Path; from eubrl_edu.writing import in_place_of, require_target\n"
        "file = require_target('--csv', Path('/dev/stdout'))\n"
        "with in_place_of(file) as part, part.open('a') as out: out.write('table')"
    )
    (tmp_path / "program.py").write_text(code)
    command = f"echo before > log; {sys.executable} program.py {into}; echo after >> log"
    subprocess.run(["sh", "-c", command], cwd=tmp_path, check=True)
    assert (tmp_path / "log").read_text().split() == ["before", "tableafter"]
