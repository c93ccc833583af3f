import shutil
import subprocess
import sys

import pytest

from eubrl_edu.sources import DIGITS, PACKAGE, source_hash


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "some" / "where" / "eubrl_edu"
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_the_same_sources_have_the_same_hash_wherever_they_lie(package):
    assert source_hash(package=package) == source_hash()
    assert source_hash("agents", "mdp.py", package=package) == source_hash("mdp.py", "agents")
    assert len(source_hash()) == DIGITS


def test_any_edit_changes_it(package):
    file = package / "agents" / "eubrl.py"
    before = source_hash(package=package)
    file.write_bytes(file.read_bytes() + b"\n# edited\n")
    assert source_hash(package=package) != before
    assert source_hash("agents", package=package) != source_hash("agents")
    assert source_hash("beliefs", package=package) == source_hash("beliefs")


def test_a_file_more_less_or_renamed_changes_it(package):
    seen = {source_hash(package=package)}
    (package / "new.py").write_bytes(b"")
    seen.add(source_hash(package=package))
    (package / "new.py").rename(package / "newer.py")
    seen.add(source_hash(package=package))
    (package / "newer.py").unlink()
    (package / "agents" / "beb.py").unlink()
    seen.add(source_hash(package=package))
    assert len(seen) == 4


def test_neither_line_endings_nor_dates_nor_other_files_change_it(package):
    before = source_hash(package=package)
    for file in package.rglob("*.py"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    (package / "notes.txt").write_text("no code")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "mdp.cpython-311.pyc").write_bytes(b"compiled")
    assert source_hash(package=package) == before


def test_text_that_moves_from_one_file_to_the_next_changes_it(tmp_path):
    (tmp_path / "a.py").write_bytes(b"x")
    (tmp_path / "b.py").write_bytes(b"yz")
    before = source_hash(package=tmp_path)
    (tmp_path / "a.py").write_bytes(b"xy")
    (tmp_path / "b.py").write_bytes(b"z")
    assert source_hash(package=tmp_path) != before


def test_another_process_finds_the_same():
    command = "from eubrl_edu.sources import source_hash; print(source_hash())"
    found = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == source_hash()


def test_a_part_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="'agent'"):
        source_hash("agent")
