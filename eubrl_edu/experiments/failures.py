"""How a study can end early: interrupted, or by a run that failed; what is finished is kept."""

import traceback
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas


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


class _StoppedStudy:
    """What a study that came to no end leaves behind."""

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
        return type(self), (self.frame, self.total, self.store, self.why)


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
    """


class StudyFailed(_StoppedStudy, RuntimeError):
    """A run failed, or the disk, the scheduler or the workers on the way; ``__cause__`` says how.

    Attributes
    ----------
    frame, total, store
        As in `StudyInterrupted`.
    """
