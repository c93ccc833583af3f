"""Files that are no store, or no longer one: refused by their name, and not changed by a bit."""

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

from eubrl_edu.experiments import read_store, run_study
from eubrl_edu.experiments.store import Store
from tests.bad_inputs.ended import Ended, script
from tests.bad_inputs.row import Row
from tests.bad_inputs.studies import nothing_runs
from tests.experiments.test_store import fill, read
from tests.systems import LONG_ON_POSIX

FILE = Path("results.sqlite")
# More than a page, so that it does not fall into unused room.
GARBAGE = b"\xa5" * 5000
NO_DATABASES = (b"x", b"study,agent,seed\nloop,EUBRL,0\n", b"\x89PNG" + bytes(5000), bytes(4096))
DAMAGED = "'results.sqlite' is damaged or is not a store"
STATEMENTS = {
    "UPDATE runs SET steps = 999 WHERE seed = 1": DAMAGED,
    "ALTER TABLE runs RENAME COLUMN steps TO stairs": DAMAGED,
    "DROP TABLE runs": DAMAGED,
    "PRAGMA application_id = 1":
        "'results.sqlite' is a database of something else, not a store of results",
    "PRAGMA user_version = 99":
        "'results.sqlite' is sound but was written by another version of eubrl_edu",
}  # fmt: skip
FULL_DISK = """
import resource
from tests.experiments.test_store import SETTINGS, row
from eubrl_edu.experiments.store import Store
limit = 16_384
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
with Store("results.sqlite") as store:
    for seed in range(10_000):
        store.add(row(seed, seconds=1.0), SETTINGS)
"""
READ_ONLY = """
import os, sys
from tests.experiments.test_store import CELL, SETTINGS
from eubrl_edu.experiments.store import Store
if os.getuid() == 0:
    os.setuid(65534)
with Store(sys.argv[1]) as store:
    print(len(store.rows(*CELL, SETTINGS)), flush=True)
    store.require_writable()
"""


@contextmanager
def content(written):
    """A file that holds this."""
    FILE.write_bytes(written)
    with nothing_runs():
        yield


@contextmanager
def a_store(damage, n_rows=300):
    """A store whose bytes were changed by this function."""
    fill(FILE, n_rows)
    FILE.write_bytes(damage(FILE.read_bytes()))
    yield


@contextmanager
def a_changed_store(statement):
    """A store to which SQL was spoken."""
    fill(FILE, 3)
    with closing(sqlite3.connect(FILE, isolation_level=None)) as connection:
        connection.execute(statement)
    yield


def in_a_read_only_folder(name):
    """Look into a store, and ask to write it. In no folder of the test: those are for its owner."""
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder) / "there.sqlite", 5)
        os.chmod(folder, 0o555)
        try:
            script(READ_ONLY, f"{folder}/{name}")
        finally:
            os.chmod(folder, 0o755)
            assert os.listdir(folder) == ["there.sqlite"]


def what_was_stored_stays(error):
    """Also, it goes on where there is room again."""
    seeds = list(read(FILE))
    fill(FILE, 1000)
    return len(seeds) > 10 and seeds == list(range(len(seeds))) and len(read(FILE)) == 1000


def rows():
    def refused(what, given, names=DAMAGED):
        return Row(f"Store of {what}", lambda: read(FILE), names, given=given)

    for written in NO_DATABASES:
        yield refused(f"{written[:40]}", lambda written=written: content(written))
    for part in (0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.999):
        cut = lambda whole, part=part: whole[: max(1, int(part * len(whole)))]  # noqa: E731
        yield refused(f"which only {part:.2%} are left", lambda cut=cut: a_store(cut))
    for at in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9):

        def spoil(whole, at=at):
            start = int(at * len(whole))
            return (whole[:start] + GARBAGE + whole[start + len(GARBAGE) :])[: len(whole)]

        yield refused(f"which {at:.0%} are followed by garbage", lambda s=spoil: a_store(s))
    for statement, names in STATEMENTS.items():
        yield refused(f"{statement}", lambda s=statement: a_changed_store(s), f"^the store {names}")

    def no_text(whole):
        return whole.replace(b"CREATE TABLE", b"CRE\x93TE TABLE", 1)

    yield refused("a schema that is no text", lambda: a_store(no_text))
    for letter in (b"Q", b"\x93"):

        def spoil_a_row(whole, letter=letter):
            return whole.replace(b"EUBRL", b"EUBR" + letter, 1)

        yield Row(
            f"run_study(store=one with {letter} in a row that is not asked for)",
            lambda: run_study("loop", ["RMAX"], seeds=1, store=FILE), DAMAGED,
            given=lambda spoil=spoil_a_row: a_store(spoil),
        )  # fmt: skip
    nonsense = lambda: content(b"not results")  # noqa: E731
    yield Row(
        "run_study(store=what is none)",
        lambda: run_study("loop", ["RMAX"], seeds=3, store=FILE), DAMAGED, given=nonsense,
    )  # fmt: skip
    yield Row("read_store(what is none)", lambda: read_store(FILE), DAMAGED, given=nonsense)
    yield Row("read_store(absent)", lambda: read_store(FILE), "is not there", FileNotFoundError)
    yield Row("Store(absent folder)", lambda: Store("absent/x"), "'absent/x'", FileNotFoundError)
    yield Row("Store(folder)", lambda: Store("."), "'.' is a folder", IsADirectoryError)
    for path, error in (("no\0where.sqlite", ValueError), (5, TypeError), (b"x", TypeError)):
        names = "store must be the path of a file"
        yield Row(f"Store({path!r})", lambda path=path: Store(path), names, error)

    yield Row(
        "Store.add where the disk has room for 16 kB", lambda: script(FULL_DISK),
        "^1\n.*OSError: the store 'results.sqlite' cannot be read or written", Ended,
        leaves=("results.sqlite",), holds=what_was_stored_stays, marks=LONG_ON_POSIX,
    )  # fmt: skip
    for name, n_rows in (("there.sqlite", 5), ("new.sqlite", 0)):
        yield Row(
            f"Store.require_writable of {name} in a read-only folder",
            lambda name=name: in_a_read_only_folder(name),
            rf"^1\n{n_rows}\n.*OSError: the store '\S*{name}' .* may you write to the folder '/",
            Ended, marks=LONG_ON_POSIX,
        )  # fmt: skip
