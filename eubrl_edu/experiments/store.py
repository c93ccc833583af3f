"""Results in one file, seed by seed: what is finished outlives the process that computed it.

The file is an SQLite database. Every row is keyed by all that decides it: study, agent, size,
seed, settings and what the sources of this package say. So a second start finds what is there and
runs only the rest, and a row computed with other settings, or by code that has been edited since,
is never taken for this one.
"""

import json
import math
import sqlite3
import zlib
from collections.abc import Iterable
from contextlib import contextmanager
from functools import partial

from eubrl_edu import __version__, sources
from eubrl_edu.names import require_path

# "eubr" in ASCII, in the header of every store: a database of another program is left alone.
APPLICATION_ID = 0x65756272
SCHEMA_VERSION = 1
# The columns of every table of runs, and how a store keeps them; in it the key comes first.
TEXT, INTEGER, REAL = (f"{kind} NOT NULL" for kind in ("TEXT", "INTEGER", "REAL"))
WHICH_RUN = {"study": TEXT, "agent": TEXT, "size": INTEGER, "seed": INTEGER}
WHAT_IT_GAVE = {"steps": INTEGER, "episodes": INTEGER, "solved": "INTEGER"}
WHAT_IT_GAVE |= {"total_return": REAL, "return_1000": "REAL", "seconds": REAL}
COLUMNS = (*WHICH_RUN, *WHAT_IT_GAVE)
# In a table without a run pandas would take all columns for objects.
DTYPES = {
    name: {"TEXT": str, "INTEGER": "int64", "REAL": float}[kind.split()[0]]
    for name, kind in (WHICH_RUN | WHAT_IT_GAVE).items()
} | {"solved": "boolean"}
KEY = WHICH_RUN | {"settings": TEXT, "version": TEXT}
TABLE = KEY | WHAT_IT_GAVE | {"checksum": INTEGER}
# Rows are written, and found again, under the version and what the sources say that decide a run.
VERSION = f"{__version__}+{sources.AT_IMPORT}"
# Another process may be writing: wait so long for it.
PATIENCE_SECONDS = 60.0
# A write costs a few milliseconds. Rows are gathered until they are worth so much computing,
# which is then the most that a kill can lose.
WORTH_SECONDS = 0.1


class Store:
    """A file of finished runs, to be used as a context manager.

    Two processes may use one file at once: each row is written whole or not at all, and where
    both computed a row the first stays.

    Parameters
    ----------
    path : str or path
        The file. It is made when the first row is written, if it is not there.

    Raises
    ------
    ValueError
        If the file is there but is damaged, is not a store or is one of another version of this
        package; it is left as it is.
    OSError
        If the file cannot be read, or its folder is not there.
    """

    def __init__(self, path):
        self.path = require_path("store", path)
        self._pending: list[tuple] = []
        self._pending_seconds = 0.0
        self._connection: sqlite3.Connection | None = None
        if not self.path.parent.is_dir():
            raise FileNotFoundError(f"the folder of the store {str(self.path)!r} is not there")
        if self.path.is_dir():
            raise IsADirectoryError(f"the store {str(self.path)!r} is a folder, not a file")
        # An empty file is what a process leaves that was killed before it wrote the first row.
        if self.path.exists() and self.path.stat().st_size > 0:
            try:
                self._examine()
            except BaseException:
                self._disconnect()
                raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, kind, error, traceback) -> None:
        try:
            self.flush()
        except OSError:
            # Where something else went wrong before, that is what to tell.
            if error is None:
                raise
        finally:
            self._disconnect()

    def rows(
        self, study: str, agent: str, size: int, settings: str, any_version: bool = False
    ) -> dict[int, dict]:
        """Return what is stored for one cell of a table.

        Parameters
        ----------
        study, agent, size
            Which cell.
        settings : str
            Everything else that decides its runs, as text (see `Cell.key`).
        any_version : bool
            Whether rows count that were computed before the sources were edited. Where there are
            several, those of the sources as they are come first.

        Returns
        -------
        dict
            For each seed its row.

        Raises
        ------
        ValueError
            If a row is not what was once written.
        """
        if self._connection is None:
            return {}
        with self._errors():
            found = self._connection.execute(
                f"SELECT seed, version, {', '.join(WHAT_IT_GAVE)}, checksum FROM runs "
                "WHERE study = ? AND agent = ? AND size = ? AND settings = ? "
                "AND (version = ? OR ?) ORDER BY version = ?, version",
                (study, agent, size, settings, VERSION, any_version, VERSION),
            ).fetchall()
        rows = {}
        # Those of this version come last, and so stay.
        for seed, version, *results, checksum in found:
            if checksum != _checksum((study, agent, size, seed, settings, version, *results)):
                raise self._damaged(f"the row of {study}, {agent}, size {size}, seed {seed}")
            row = dict(zip(WHAT_IT_GAVE, results, strict=True))
            if row["solved"] is not None:
                row["solved"] = bool(row["solved"])
            if row["return_1000"] is None:
                row["return_1000"] = math.nan
            rows[seed] = {"study": study, "agent": agent, "size": size, "seed": seed} | row
        return rows

    def every_row(self) -> list[tuple]:
        """All that is stored: values for the columns of a run, then its settings and version.

        Raises
        ------
        ValueError
            If a row is not what was once written.
        """
        if self._connection is None:
            return []
        with self._errors():
            found = self._connection.execute(f"SELECT {', '.join(TABLE)} FROM runs").fetchall()
        rows = []
        for *values, checksum in found:
            if checksum != _checksum(tuple(values)):
                raise self._damaged(f"the row of {values[:4]}")
            which, settings, gave = values[:4], values[4:6], values[6:]
            rows.append((*which, *gave, *settings))
        return rows

    def add(self, row: dict, settings: str) -> None:
        """Keep a finished run; rows already there stay as they are.

        Parameters
        ----------
        row : dict
            A row of `run_study`'s table.
        settings : str
            As in `rows`.

        Raises
        ------
        OSError
            If the file cannot be written; what was stored before stays readable.
        """
        key = (row["study"], row["agent"], row["size"], row["seed"], settings, VERSION)
        solved = None if row["solved"] is None else int(row["solved"])
        return_1000 = None if math.isnan(row["return_1000"]) else row["return_1000"] + 0.0
        results = (
            *(row["steps"], row["episodes"], solved),
            *(row["total_return"] + 0.0, return_1000, row["seconds"] + 0.0),
        )
        self._pending.append((*key, *results, _checksum((*key, *results))))
        self._pending_seconds += row["seconds"]
        if self._pending_seconds >= WORTH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what has not been written yet."""
        if self._pending:
            self._write(self._pending)
            self._pending, self._pending_seconds = [], 0.0

    def require_writable(self) -> None:
        """Raise ``OSError`` if it cannot be written, ``ValueError`` if a row is not as written."""
        self.every_row()
        self._write([])

    def _write(self, rows: Iterable[tuple]) -> None:
        with self._errors():
            if self._connection is None:
                self._connect("rwc")
            connection = self._connection
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                columns = ", ".join(f"{name} {kind}" for name, kind in TABLE.items())
                connection.execute(
                    f"CREATE TABLE IF NOT EXISTS runs ({columns}, PRIMARY KEY ({', '.join(KEY)})) "
                    "WITHOUT ROWID"
                )
                values = ", ".join("?" * len(TABLE))
                connection.executemany(f"INSERT OR IGNORE INTO runs VALUES ({values})", rows)
                connection.execute("COMMIT")
            except BaseException:
                # A full disk has already undone it.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def _examine(self) -> None:
        """Open a file that is there, and see that it is a whole store; change nothing."""
        with self._errors():
            self._connect("rw")
            # Nobody writes between this and the end of the examination.
            self._connection.execute("BEGIN")
            pages = self._ask("PRAGMA page_count")
            size = self.path.stat().st_size
            if size == 0:
                # Killed during the first write, which has just been undone.
                self._disconnect()
                return
            if size < pages * self._ask("PRAGMA page_size") or pages == 0:
                raise self._damaged("its end is missing")
            if self._ask("PRAGMA application_id") != APPLICATION_ID:
                raise self._refused("is a database of something else, not a store of results")
            schema = self._ask("PRAGMA user_version")
            if schema != SCHEMA_VERSION:
                raise self._refused(
                    "is sound but was written by another version of eubrl_edu, in a form that this "
                    f"one does not read ({schema}, not {SCHEMA_VERSION})"
                )
            verdict = self._ask("PRAGMA integrity_check(1)")
            if verdict != "ok":
                raise self._damaged(verdict)
            columns = [row[1] for row in self._connection.execute("PRAGMA table_info(runs)")]
            if columns != list(TABLE):
                raise self._damaged("its table of runs has other columns")
            self._connection.execute("COMMIT")

    def _ask(self, question: str):
        return self._connection.execute(question).fetchone()[0]

    def _connect(self, mode: str) -> None:
        file = f"{self.path.absolute().as_uri()}?mode={mode}"
        self._connection = sqlite3.connect(
            file, timeout=PATIENCE_SECONDS, isolation_level=None, uri=True
        )
        # What is no text any more is found out by its checksum.
        self._connection.text_factory = partial(str, encoding="utf-8", errors="replace")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _damaged(self, reason: str) -> ValueError:
        return self._refused(f"is damaged or is not a store of results ({reason})")

    def _refused(self, reason: str) -> ValueError:
        return ValueError(
            f"the store {str(self.path)!r} {reason}; it is left as it is: name another file, or "
            "move this one away"
        )

    @contextmanager
    def _errors(self):
        """Say in words, and with the file's name, what SQLite complains about."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise OSError(
                f"the store {str(self.path)!r} cannot be read or written: {error}. "
                "What it holds so far stays as it is. Is there room on the disk, may you write to "
                f"the folder {str(self.path.absolute().parent)!r}, and has no other process the "
                "store locked?"
            ) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise self._damaged(str(error)) from error


def _checksum(values: tuple) -> int:
    return zlib.crc32(json.dumps(values).encode())
