"""What goes wrong on the way: it is told with its place, and what is finished is kept."""

import asyncio
import os
import sys
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import pandas as pd
import pytest

from eubrl_edu import sources
from eubrl_edu.experiments import local, run, run_study
from eubrl_edu.experiments.cells import run_once
from eubrl_edu.experiments.failures import StudyFailed, StudyInterrupted
from eubrl_edu.experiments.local import run_in_processes
from eubrl_edu.experiments.store import Store
from eubrl_edu.reproduction import campaign, reproduce
from eubrl_edu.success import SuccessRule
from tests.bad_inputs.row import Row
from tests.experiments.test_own import Hallway, Walker, hallway
from tests.systems import posix_only

FILE = "results.sqlite"
not_root = pytest.mark.skipif(
    getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write anywhere"
)
LOOP = {"study": "loop", "agents": ["RMAX"], "sizes": [2], "progress": False}


class Peculiar(Exception):
    """An exception that cannot travel between processes."""

    def __init__(self, one, other):
        super().__init__(one)


class Breaks(Walker):
    """Breaks after some steps, with the seeds that it does not like."""

    error = ZeroDivisionError

    def act(self, state, rng):
        action = super().act(state, rng)
        if rng.bit_generator.seed_seq.entropy in (1, 3):
            raise self.error()
        return action


class BreaksPeculiarly(Breaks):
    def error(self):
        return Peculiar("one", "other")


class Exits(Breaks):
    error = SystemExit


class Fails(Breaks):
    error = pytest.fail.Exception


class Cancels(Breaks):
    error = asyncio.CancelledError


class GivesUp(Breaks):
    error = GeneratorExit


def broken(*_):
    raise ZeroDivisionError("division by zero")


def leaves(*_):
    sys.exit("no GPU")


def failed(*_):
    pytest.fail("division by zero")


def locked(make):
    """A function that makes what this one makes, and holds what no other process can have."""
    lock = threading.Lock()

    def make_alone(*arguments):
        with lock:
            return make(*arguments)

    return make_alone


def interrupted(*_):
    raise KeyboardInterrupt


def fail(number):
    raise ValueError(f"no {number}")


def two_cores():
    return patch.object(local.joblib, "cpu_count", lambda: 2)


@contextmanager
def patched(*changes):
    """Attributes replaced: owner, name and what is there instead."""
    with ExitStack() as stack:
        for change in changes:
            stack.enter_context(patch.object(*change))
        yield


def rows():
    yield from own_code()
    yield from interruptions()
    yield from out_of_order()
    yield from reproductions()


def own_code():
    """Exceptions in agents and worlds of one's own."""
    for breaks, error in ((broken, ZeroDivisionError), (failed, pytest.fail.Exception)):
        for study, agents, named in (
            (hallway(), {"mine": breaks}, "the agent 'mine'"),
            (hallway(environment=breaks), ["EUBRL"], "the world of 'hallway'"),
            (hallway(success=breaks), ["EUBRL"], "the rule of success of 'hallway'"),
        ):
            note = f"This is what came of making {named}."
            yield Row(
                f"run_study where making {named} raises {error.__name__}",
                lambda s=study, a=agents: run_study(s, a, seeds=2, progress=False),
                "division by zero", error, holds=lambda e, n=note: e.__notes__ == [n],
            )  # fmt: skip
    for study, agents, named in (
        (hallway(), {"mine": leaves}, "agent 'mine', size 5"),
        (hallway(environment=leaves), ["EUBRL"], "agent 'EUBRL', size None"),  # of no world
        (hallway(success=leaves), ["EUBRL"], "agent 'EUBRL', size 5"),
    ):
        yield Row(
            f"run_study where what is made for {named} raises SystemExit",
            lambda s=study, a=agents: run_study(s, a, seeds=2, progress=False),
            f"^{named}, seed 0: SystemExit: no GPU.*came of making the", RuntimeError,
        )  # fmt: skip
    for study, agents, named in (
        (hallway(), {"mine": locked(Walker)}, "the agent 'mine'"),
        (hallway(environment=locked(Hallway)), ["RMAX"], "the world"),
        (hallway(success=locked(lambda world: SuccessRule(1.0))), ["RMAX"], "the rule of success"),
    ):
        yield Row(
            f"run_study(n_jobs=2) where {named} holds a lock",
            lambda s=study, a=agents: run_study(
                s, a, seeds=2, n_jobs=2, progress=False, store=FILE, key="mine"
            ),
            f"^{named} must be made by code that can be sent to another process.*n_jobs.*got "
            "<function .*lock", given=two_cores,
        )  # fmt: skip
    kinds = {"ZeroDivisionError": Breaks, "Peculiar: one": BreaksPeculiarly, "SystemExit": Exits,
             "CancelledError": Cancels, "GeneratorExit": GivesUp, "Failed": Fails}  # fmt: skip
    for said, kind in kinds.items():
        agents = {"mine": kind, "walker": Walker}

        def here(error, said=said):
            cause = type(error.__cause__).__name__
            return said.startswith(cause) and error.frame.seed.tolist() == [0, 0]  # before it

        def there(error):
            return "in act" in str(error.__cause__)

        # In two processes either of the seeds may be the first.
        for n_jobs, seed, finished, holds in ((1, 1, 2, here), (2, "[13]", r"\d", there)):
            yield Row(
                f"run_study(n_jobs={n_jobs}) where an agent raises {said}",
                lambda a=agents, n=n_jobs: run_study(
                    hallway(), a, seeds=4, n_jobs=n, progress=False
                ),
                rf"agent 'mine', size 5, seed {seed}: .*{said}.*\. {finished} of 8 runs are fin",
                StudyFailed, given=two_cores, holds=holds,
                marks=(pytest.mark.long,) if n_jobs == 2 else (),
            )  # fmt: skip
    yield Row(
        "run_in_processes where a job fails",
        lambda: list(run_in_processes(fail, [(1,)], 2)), "^no 1$",
    )  # fmt: skip


def interruptions():
    """Ctrl-C, where it is heard in this process."""

    def impatient(cell, seed):
        return interrupted() if seed == 3 else run_once(cell, seed)

    def finished(error):
        expected = run_study(**LOOP, seeds=3).drop(columns="seconds")
        return error.frame.drop(columns="seconds").equals(expected)

    for store, names in ((None, "with a store"), (FILE, f"goes on from what '{FILE}' holds")):
        yield Row(
            f"run_study(store={store!r}) and Ctrl-C in its fourth run",
            lambda store=store: run_study(**LOOP, seeds=10, store=store),
            f"^3 of 10 runs are finished; .*{names}", StudyInterrupted,
            given=lambda: patch.object(run, "run_once", impatient),
            leaves=() if store is None else (FILE,),
            holds=lambda error, store=store: finished(error)
            and (store is None or n_rows(store) == 3),
        )  # fmt: skip
    yield Row(
        "run_study and Ctrl-C while it compiles", lambda: run_study("loop", ["RMAX"], seeds=2),
        "^0 of 2 runs are finished", StudyInterrupted,
        given=lambda: patch.object(run, "compile_engine", interrupted),
    )  # fmt: skip


def n_rows(path):
    with Store(path) as store:
        return len(store.every_row())


def out_of_order():
    """A disk that fails, and sources that were edited."""

    def full(store, found):
        if found:
            raise OSError("no space left on device")

    yield Row(
        "run_study(store=FILE) where the disk is full on the way",
        lambda: run_study(**LOOP, seeds=3, store=FILE),
        r"no space left on device\. [1-3] of 3 runs are finished", StudyFailed,
        given=lambda: patch.object(Store, "_write", full),
        holds=lambda e: isinstance(e.__cause__, OSError) and 1 <= len(e.frame) <= 3,
    )  # fmt: skip

    @contextmanager
    def edited():
        run_study(**LOOP, seeds=1, store=FILE)
        with patch.object(sources, "AT_IMPORT", "0" * sources.DIGITS):
            yield

    yield Row(
        "run_study(store=FILE) after the sources were edited",
        lambda: run_study(**LOOP, seeds=1, store=FILE),
        "edited after this process had loaded them: start it again", given=edited,
    )  # fmt: skip
    yield Row(
        "a worker with other sources", lambda: local.require_version("0.1.0+other"),
        r"a worker has eubrl_edu .*, but 0\.1\.0\+other runs here: install the same on both",
    )  # fmt: skip


def reproductions():
    """Folders that a reproduction cannot write to: said before anything runs."""
    no_runs = (reproduce, "run_batches", lambda *_: pytest.fail("nothing was to run"))

    @contextmanager
    def a_file():
        Path("figures").write_text("kept")
        with patched(no_runs):
            yield

    @contextmanager
    def a_read_only_folder():
        os.chmod(".", 0o500)
        try:
            with patched(no_runs):
                yield
        finally:
            os.chmod(".", 0o700)

    for what, out, given, marks in (
        ("a file", "figures", a_file, ()),
        ("in a folder that is read only", "figures", a_read_only_folder, (posix_only, not_root)),
        ("where no one may write", "/proc/figures", lambda: patched(no_runs), (posix_only,)),
    ):  # fmt: skip
        yield Row(
            f"reproduce(out={out!r}), {what}", lambda o=out: reproduce.reproduce(o, quick=True),
            rf"'{out}.*' cannot be written to", OSError, given=given, marks=marks,
        )  # fmt: skip

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    only = [campaign.Batch("loop", ("RMAX",), (2,), 2)]
    kept = "figures/data/runs.sqlite"
    yield Row(
        "reproduce() where the disk is full in the end",
        lambda: reproduce.reproduce("figures", quick=True, n_jobs=1, progress=False),
        "'figures.*summary.csv' cannot be written to: .*No space left on device", OSError,
        given=lambda: patched((pd.DataFrame, "to_csv", full),
                              (reproduce, "paper_batches", lambda quick: []),
                              (reproduce, "sweep_batches", lambda quick: only)),
        leaves=("figures", "figures/data", kept), holds=lambda error: n_rows(kept) == 2,
    )  # fmt: skip
