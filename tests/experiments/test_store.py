"""The store: what goes in comes out; what is not a store is refused and left as it is."""

import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.experiments import store as module
from eubrl_edu.experiments.cells import canonical, study_cells
from eubrl_edu.experiments.store import Store
from tests.systems import posix_only

CELL = ("loop", "EUBRL", 2)
SETTINGS = canonical({"eta": 0.5})


def row(seed, **changes):
    return {
        "study": "loop",
        "agent": "EUBRL",
        "size": 2,
        "seed": seed,
        "steps": 1000,
        "episodes": 1,
        "solved": None,
        "total_return": 0.1 + 0.2,
        "return_1000": 0.1 + 0.2,
        "seconds": 0.001,
    } | changes


def fill(path, n_rows, settings=SETTINGS):
    with Store(path) as store:
        for seed in range(n_rows):
            store.add(row(seed), settings)


def read(path, settings=SETTINGS):
    with Store(path) as store:
        return store.rows(*CELL, settings)


def same(one, other):
    return one.keys() == other.keys() and all(
        value == other[name] or (value != value and other[name] != other[name])
        for name, value in one.items()
    )


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(
    steps=st.integers(1, 2**62),
    solved=st.sampled_from([None, True, False]),
    total_return=finite,
    return_1000=finite | st.just(math.nan),
    seconds=st.floats(0, 1e9),
)
def test_a_row_comes_back_bit_for_bit(**values):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        kept = row(7, **values)
        with Store(path) as store:
            store.add(kept, SETTINGS)
        (found,) = read(path).values()
        assert same(found, kept)
        assert [type(value) for value in found.values()] == [type(value) for value in kept.values()]


def test_every_part_of_the_key_counts(tmp_path, monkeypatch):
    path = tmp_path / "results.sqlite"
    fill(path, 3)
    with Store(path) as store:
        assert list(store.rows(*CELL, SETTINGS)) == [0, 1, 2]
        assert store.rows("chain", "EUBRL", 2, SETTINGS) == {}
        assert store.rows("loop", "EUBRL+", 2, SETTINGS) == {}
        assert store.rows("loop", "EUBRL", 4, SETTINGS) == {}
        assert store.rows(*CELL, canonical({"eta": 0.25})) == {}
        monkeypatch.setattr(module, "VERSION", "0.1.0+other sources")
        assert store.rows(*CELL, SETTINGS) == {}


def test_rows_of_older_sources_are_found_where_they_are_asked_for(tmp_path, monkeypatch):
    path, now = tmp_path / "results.sqlite", module.VERSION
    for version, steps, n_rows in (("0.0.9", 9, 3), (now, 10, 2), ("9.9.9", 99, 3)):
        monkeypatch.setattr(module, "VERSION", version)
        with Store(path) as store:
            for seed in range(n_rows):
                store.add(row(seed, steps=steps), SETTINGS)
    monkeypatch.setattr(module, "VERSION", now)
    with Store(path) as store:
        assert list(store.rows(*CELL, SETTINGS)) == [0, 1]
        found = store.rows(*CELL, SETTINGS, any_version=True)
    assert [found[seed]["steps"] for seed in range(3)] == [10, 10, 99]


def test_the_rows_of_the_reproduction_can_be_read():
    """They were written under another key than that of the sources as they are."""
    (cell,) = study_cells("loop", ["EUBRL"], [2])
    with Store(Path(__file__).parents[2] / "figures" / "data" / "runs.sqlite") as store:
        rows = store.rows("loop", "EUBRL", 2, cell.key(), any_version=True)
    assert len(rows) >= 500


def test_the_order_of_settings_does_not_count():
    assert canonical({"eta": 1.0, "alpha": 1e-8}) == canonical({"alpha": 1e-8, "eta": 1.0})
    assert json.loads(canonical({"alpha": 1e-8})) == {"alpha": 1e-8}


def test_of_two_rows_with_one_key_the_first_stays(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store(path) as one, Store(path) as other:
        one.add(row(0, seconds=1.0), SETTINGS)
        other.add(row(0, seconds=2.0), SETTINGS)
        other.add(row(1, seconds=2.0), SETTINGS)
    assert {seed: found["seconds"] for seed, found in read(path).items()} == {0: 1.0, 1: 2.0}


def test_a_row_worth_some_computing_is_written_at_once(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        store.add(row(0, seconds=module.WORTH_SECONDS), SETTINGS)
        assert list(read(path)) == [0]
        store.add(row(1, seconds=module.WORTH_SECONDS / 10), SETTINGS)
    assert list(read(path)) == [0, 1]


def test_rows_are_kept_when_something_else_goes_wrong(tmp_path):
    path = tmp_path / "results.sqlite"
    with pytest.raises(KeyboardInterrupt), Store(path) as store:
        store.add(row(0), SETTINGS)
        raise KeyboardInterrupt
    assert list(read(path)) == [0]


def test_an_empty_file_is_a_new_store(tmp_path):
    path = tmp_path / "results.sqlite"
    path.touch()
    fill(path, 1)
    assert list(read(path)) == [0]


def refused(path):
    """Assert that the store is refused with its name, and not changed by a bit."""
    before = path.read_bytes()
    with pytest.raises(ValueError, match="damaged or is not a store") as caught, Store(path) as s:
        s.rows(*CELL, SETTINGS)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == before
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(
    "content", [b"x", b"study,agent,seed\nloop,EUBRL,0\n", b"\x89PNG" + bytes(5000), bytes(4096)]
)
def test_what_is_not_a_database_is_refused(tmp_path, content):
    path = tmp_path / "results.sqlite"
    path.write_bytes(content)
    refused(path)


@pytest.mark.parametrize("part", [0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_store_is_refused(tmp_path, part):
    path = tmp_path / "results.sqlite"
    fill(path, 300)
    whole = path.read_bytes()
    path.write_bytes(whole[: max(1, int(part * len(whole)))])
    refused(path)


@pytest.mark.parametrize("at", [0.0, 0.1, 0.3, 0.5, 0.7, 0.9])
def test_a_store_with_a_stretch_of_garbage_is_refused(tmp_path, at):
    path = tmp_path / "results.sqlite"
    fill(path, 300)
    content = bytearray(path.read_bytes())
    start = int(at * len(content))
    # More than a page, so that it does not fall into unused room.
    content[start : start + 5000] = b"\xa5" * len(content[start : start + 5000])
    path.write_bytes(content)
    refused(path)


def test_a_single_wrong_number_is_noticed(tmp_path):
    path = tmp_path / "results.sqlite"
    fill(path, 3)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE runs SET steps = 999 WHERE seed = 1")
    connection.close()
    refused(path)


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE runs RENAME COLUMN steps TO stairs",
        "DROP TABLE runs",
    ],
)
def test_a_store_with_another_table_is_refused(tmp_path, change):
    path = tmp_path / "results.sqlite"
    fill(path, 1)
    connection = sqlite3.connect(path)
    connection.execute(change)
    connection.close()
    refused(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("application_id = 1", "is a database of something else, not a store of results"),
        ("user_version = 99", "is sound but was written by another version of eubrl_edu"),
    ],
)
def test_another_schema_or_program_is_not_called_damage(tmp_path, change, said):
    path = tmp_path / "results.sqlite"
    fill(path, 1)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA {change}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(ValueError, match=said) as caught:
        Store(path)
    assert str(path) in str(caught.value) and "damaged" not in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("path", "error"), [("no\0where.sqlite", ValueError), (5, TypeError), (b"x.sqlite", TypeError)]
)
def test_what_is_no_path_is_refused(path, error):
    with pytest.raises(error, match="store must be the path of a file"):
        Store(path)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="absent"):
        Store(tmp_path / "absent" / "results.sqlite")
    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        Store(tmp_path)


def run_script(script, *arguments):
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)], capture_output=True, text=True
    )


FULL_DISK = """
import resource, sys
from tests.experiments.test_store import SETTINGS, row
from eubrl_edu.experiments.store import Store
path = sys.argv[1]
limit = 16_384
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
with Store(path) as store:
    for seed in range(10_000):
        store.add(row(seed, seconds=1.0), SETTINGS)
"""


@posix_only
def test_a_full_disk_is_named_and_what_was_stored_stays(tmp_path):
    path = tmp_path / "results.sqlite"
    outcome = run_script(FULL_DISK, path)
    assert "OSError" in outcome.stderr and str(path) in outcome.stderr
    seeds = list(read(path))
    assert len(seeds) > 10 and seeds == list(range(len(seeds)))
    fill(path, 1000)
    assert len(read(path)) == 1000


READ_ONLY = """
import os, sys
from tests.experiments.test_store import CELL, SETTINGS
from eubrl_edu.experiments.store import Store
if os.getuid() == 0:
    os.setuid(65534)
with Store(sys.argv[1]) as store:
    print(len(store.rows(*CELL, SETTINGS)))
    store.require_writable()
"""


@posix_only
def test_a_read_only_folder_is_named_and_the_store_in_it_readable():
    # Not tmp_path: only its owner may enter that.
    with tempfile.TemporaryDirectory() as folder:
        there, absent = Path(folder) / "results.sqlite", Path(folder) / "new.sqlite"
        fill(there, 5)
        os.chmod(folder, 0o555)
        try:
            for path, n_rows in ((there, 5), (absent, 0)):
                outcome = run_script(READ_ONLY, path)
                assert outcome.stdout.split() == [str(n_rows)], outcome.stderr
                assert "OSError" in outcome.stderr
                assert str(path) in outcome.stderr and repr(folder) in outcome.stderr
        finally:
            os.chmod(folder, 0o755)
        assert os.listdir(folder) == [there.name]
