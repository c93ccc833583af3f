"""Compiled functions, kept on disk for as long as no source that they may be made of changes.

numba keeps what it has compiled, but notices changes in a function's own file only: a formula
that was edited elsewhere would go on as it was in all the compiled code that calls it. So here the
folder is named by a hash of every source that is compiled. An edit makes a new folder, and what
is on the screen never disagrees with the class that a learner reads.
"""

import contextlib
import pickle
import shutil
import threading
import time
import warnings
from functools import cache
from pathlib import Path

import numba
from filelock import FileLock, Timeout
from numba.core.caching import FunctionCache
from numba.extending import register_jitable
from platformdirs import user_cache_path

from eubrl_edu.sources import source_hash

# Whatever holds a formula that is compiled; a test sees that nothing else does.
COMPILED = (
    "beliefs",
    "planning",
    "uncertainty",
    "agents/beb.py",
    "agents/empirical.py",
    "agents/eqo.py",
    "agents/frequentist.py",
    "agents/mbie_eb.py",
    "agents/ucbvi.py",
    "agents/vbrb.py",
    "engine",
    "success.py",
    "compiling.py",
)
# Folders of other sources (older ones, other checkouts) that are kept: so many, or so long.
FOLDERS_KEPT = 8
SECONDS_KEPT = 7 * 24 * 3600.0
# How many seconds to wait for another process that compiles the same function.
PATIENCE = 300.0

_settings = threading.Lock()


def compiled(function=None, **options):
    """Compile a function at its first call, or load it from disk; as `numba.njit`.

    Division by zero gives infinity or NaN, as NumPy's does on arrays. No index is looked at, which
    would make a plan take two to three times as long: compiled functions are private, and what is
    public checks all that it hands them. Called by themselves with arrays that do not fit together,
    they end the process.

    Parameters
    ----------
    function : callable
        The function, which may be one that is also read and called as it stands.
    **options
        As of `numba.njit`.

    Raises
    ------
    RuntimeError
        If ``NUMBA_DISABLE_JIT`` is set.
    """
    if function is None:
        return lambda function: compiled(function, **options)
    if numba.config.DISABLE_JIT:
        raise RuntimeError("NUMBA_DISABLE_JIT must be unset: runs need what is compiled")
    dispatcher = numba.njit(function, error_model="numpy", **options)
    if cache_folder() is not None:
        dispatcher._cache = _FunctionCache(function)
        dispatcher._compiler.compile = dispatcher._cache.unlocking(dispatcher._compiler.compile)
    return dispatcher


def inlined(formula):
    """Compile a formula as it stands; compiled formulas may call it by its own name."""
    register_jitable(error_model="numpy", forceinline=True)(formula)
    return compiled(formula, forceinline=True)


@cache
def cache_folder() -> Path | None:
    """The folder of what is compiled from these sources; None if it cannot be written.

    It lies in the user's folder for caches, or in ``NUMBA_CACHE_DIR`` where that is set.
    """
    chosen = numba.config.CACHE_DIR
    folders = Path(chosen) / "eubrl_edu" if chosen else user_cache_path("eubrl_edu", False)
    folder = folders / source_hash(*COMPILED)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "used").write_bytes(b"")  # its date says when
    except OSError as error:
        _say_that_nothing_is_kept(error)
        return None
    _remove_old_folders(folders)
    return folder


def ready_mark() -> Path | None:
    """The file that is there once all that runs need is compiled; None where nothing is kept."""
    folder = cache_folder()
    return None if folder is None else folder / "ready"


def is_ready() -> bool:
    """Whether ``python -m eubrl_edu.engine`` has compiled all that runs need."""
    mark = ready_mark()
    return mark is not None and mark.exists()


def _remove_old_folders(folders: Path) -> None:
    """Remove what no process has used for long, but for the last few."""
    dates = {}
    for mark in folders.glob("*/used"):
        try:
            dates[mark.parent] = mark.stat().st_mtime
        except OSError:  # another process was faster
            continue
    for folder in sorted(dates, key=dates.get, reverse=True)[FOLDERS_KEPT:]:
        if dates[folder] < time.time() - SECONDS_KEPT:
            shutil.rmtree(folder, ignore_errors=True)


def _say_that_nothing_is_kept(error: OSError) -> None:
    """Once: Python shows a warning of one place a single time."""
    warnings.warn(
        "eubrl_edu: what is compiled cannot be kept on disk, so every start compiles it again "
        f"({type(error).__name__}). NUMBA_CACHE_DIR may name a folder that can be written.",
        RuntimeWarning,
        stacklevel=2,
    )


class _FunctionCache(FunctionCache):
    """numba's cache of one function, where several processes may compile at the same time.

    Who starts to compile a function locks it; who else needs it waits, and then loads it.
    """

    def __init__(self, function):
        with _settings:
            numba.config.CACHE_DIR, before = str(cache_folder()), numba.config.CACHE_DIR
            try:
                super().__init__(function)
            finally:
                numba.config.CACHE_DIR = before
        self._lock = self.new_lock()

    def new_lock(self) -> FileLock:
        """A lock of its own on the file that stands for the function."""
        file = Path(self.cache_path) / f"{self._impl.filename_base}.lock"
        return FileLock(file, timeout=PATIENCE, thread_local=False)

    def load_overload(self, sig, target_context):
        """What was compiled, by whomever; None if it is to be compiled here and now."""
        found = self._kept(sig, target_context)
        if found is None:
            self._lock = self.new_lock()  # one that came with a fork cannot be locked
            with contextlib.suppress(Timeout, OSError):
                self._lock.acquire()
            found = self._kept(sig, target_context)
            if found is not None:
                self._lock.release(force=True)
        return found

    def unlocking(self, compile_):
        """The same function, which lets others compile if it is interrupted, or fails."""

        def compile_or_unlock(*arguments):
            try:
                return compile_(*arguments)
            except BaseException:
                self._lock.release(force=True)
                raise

        return compile_or_unlock

    def _kept(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # a damaged file is as good as none, and is written anew
            return None

    def save_overload(self, sig, data):
        """Keep what was compiled, where that can be; it runs in any case."""
        try:
            try:
                super().save_overload(sig, data)
            except pickle.UnpicklingError:  # the list of what is kept is damaged: begin a new one
                self.flush()
                super().save_overload(sig, data)
        except OSError as error:
            _say_that_nothing_is_kept(error)
        finally:
            self._lock.release(force=True)
