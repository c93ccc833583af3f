"""How a study can end early: interrupted, or by a run that failed; what is finished is kept."""

import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    import pandas

    from eubrl_edu.experiments.cells import Cell


class _Failure(NamedTuple):
    agent: str
    size: int
    seed: int
    reason: str
    traceback: str


class Failure(_Failure):
    """A run that ended in an exception.

    A tuple, since pandas writes ``attrs`` to Parquet as JSON, which takes no other objects.

    Attributes
    ----------
    agent, size, seed
        Which run.
    reason : str
        The exception in a line.
    traceback : str
        Where it came from, as Python prints it.
    error : BaseException or None
        Itself, where it was raised in this process: not every exception can travel.
    """

    error: BaseException | None = None

    @classmethod
    def of(cls, agent: str, size: int, seed: int, error: BaseException) -> "Failure":
        """The failure of this run."""
        reason = "".join(traceback.format_exception_only(error)).strip()
        failure = cls(agent, size, seed, reason, "".join(traceback.format_exception(error)))
        failure.error = error
        return failure

    def __reduce__(self):
        return Failure, tuple(self)

    def __repr__(self) -> str:
        return f"Failure({self})"

    def __str__(self) -> str:
        return f"agent {self.agent!r}, size {self.size}, seed {self.seed}: {self.reason}"

    @property
    def cause(self) -> BaseException:
        """The exception, or what is known of it."""
        return self.error or WorkerTraceback(f"\n{self.traceback}")


class WorkerTraceback(Exception):
    """Where a run failed in another process."""


class RunFailed(RuntimeError):
    """A run of a cell failed."""

    def __init__(self, cell: "Cell", failure: Failure) -> None:
        super().__init__(f"a run failed: {failure}")
        self.cell = cell


class _StoppedStudy:
    """What a study that came to no end leaves behind."""

    cell: "Cell | None" = None
    tried: "pandas.DataFrame | None" = None

    def __init__(self, frame: "pandas.DataFrame", total: int, store: Path | None, why: str = ""):
        self.frame, self.total, self.store, self.why = frame, total, store, why
        advice = (
            "with a store (store=, or --store FILE) the next call could go on from there"
            if store is None
            else f"the same call goes on from what {str(store)!r} holds"
        )
        super().__init__(f"{why}{len(frame)} of {total} runs are finished; {advice}")

    def __reduce__(self):
        # Also out of a worker process of one's own; by its message alone it could not be made.
        args = (self.frame, self.total, self.store, self.why)
        return type(self), args, {"tried": self.tried}

    def of_search(self, tried: "pandas.DataFrame", values: str) -> Self:
        """The same of a search, by the values that failed, if any, and what was tried before."""
        failed = f"With {values}, {self.why}" if values else self.why
        why = f"{failed}For the values being tried, "
        stopped = type(self)(self.frame, self.total, self.store, why)
        stopped.cell, stopped.tried = self.cell, tried
        return stopped


class StudyInterrupted(_StoppedStudy, KeyboardInterrupt):
    """Ctrl-C stopped a study.

    Attributes
    ----------
    frame : pandas.DataFrame
        The runs that were finished.
    total : int
        How many runs there were to be.
    store : path or None
        Where the finished runs are kept.
    tried : pandas.DataFrame or None
        Of a search for settings, what was finished before: the settings and their scores.
    """


class StudyFailed(_StoppedStudy, RuntimeError):
    """A run failed, or the disk, the scheduler or the workers on the way; ``__cause__`` says how.

    Attributes
    ----------
    frame, total, store, tried
        As in `StudyInterrupted`.
    cell : Cell or None
        Whose run failed, if it was one; None in a copy by pickle, as not all code can travel.
    """

    @classmethod
    def by(
        cls, error: Exception, frame: "pandas.DataFrame", total: int, store: Path | None
    ) -> Self:
        """The end of a study by this error, with what was finished by then."""
        stopped = cls(frame, total, store, f"{error}. ")
        stopped.cell = error.cell if isinstance(error, RunFailed) else None
        return stopped
