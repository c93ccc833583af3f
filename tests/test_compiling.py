"""What is compiled is kept by what all its sources say, and never stands in the way."""

import importlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

import eubrl_edu
from eubrl_edu import compiling
from eubrl_edu.sources import DIGITS, PACKAGE

MODULE = """
from eubrl_edu.compiling import compiled

@compiled
def doubled(x):
    return 2 * x
"""
RUN = """
import sys, warnings
warnings.simplefilter("always")
from numba.core import event
class Heard(event.Listener):
    def on_start(self, event): print("compiles", event.data["dispatcher"].py_func.__name__)
    def on_end(self, event): pass
with event.install_listener("numba:compile", Heard()):
    from module import doubled
    print(doubled(3), doubled(4))
"""


def run(folder, caches, **environment):
    """Start a process that calls a compiled function; what it says, and what it warns of."""
    (folder / "module.py").write_text(MODULE)
    paths = os.pathsep.join([str(folder), str(PACKAGE.parent)])
    done = subprocess.run(
        [sys.executable, "-B", "-c", RUN],
        env=os.environ | {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(caches)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split("\n")[:-1], done.stderr


def test_what_one_process_compiles_the_next_one_loads(tmp_path):
    assert run(tmp_path, tmp_path / "caches") == (["compiles doubled", "6 8"], "")
    assert run(tmp_path, tmp_path / "caches") == (["6 8"], "")
    (folder,) = (tmp_path / "caches" / "eubrl_edu").iterdir()
    assert len(folder.name) == DIGITS
    assert not list(tmp_path.glob("**/__pycache__/*.nb?"))


def test_who_is_interrupted_while_compiling_lets_others_do_it(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path / "caches")

    def tripled(x):
        return 3 * x

    def interrupted(*_):
        raise KeyboardInterrupt

    function = compiling.compiled(tripled)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(function._compiler, "_compile_cached", interrupted)
        with pytest.raises(KeyboardInterrupt):
            function(2)
    assert not function._cache._lock.is_locked
    assert function(2) == 6


@pytest.mark.long
def test_processes_forked_with_what_is_not_compiled_yet_compile_it(tmp_path):
    """As a pool of one's own does: no lock of the first process stands in their way."""
    (tmp_path / "module.py").write_text(MODULE)
    script = """
import multiprocessing
from module import doubled
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(doubled, [3, 4], chunksize=1))
"""
    paths = os.pathsep.join([str(tmp_path), str(PACKAGE.parent)])
    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        env=os.environ | {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(tmp_path / "caches")},
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout == "[6, 8]\n"


def test_a_folder_that_cannot_be_written_is_said_once_and_done_without(tmp_path):
    (tmp_path / "caches").write_text("a file, not a folder")
    said, warned = run(tmp_path, tmp_path / "caches")
    assert said == ["compiles doubled", "6 8"]
    assert warned.count("RuntimeWarning") == 1
    assert "cannot be kept on disk" in warned and "NUMBA_CACHE_DIR" in warned


def test_a_folder_that_goes_away_meanwhile_is_done_without(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path / "gone")
    tripled = compiling.compiled(lambda x: 3 * x)
    (tmp_path / "gone").rename(tmp_path / "elsewhere")
    (tmp_path / "gone").write_text("a file, not a folder")
    with pytest.warns(RuntimeWarning, match="cannot be kept on disk"):
        assert tripled(2) == 6


@pytest.mark.long
def test_a_damaged_file_is_compiled_anew(tmp_path):
    run(tmp_path, tmp_path / "caches")
    for file in (tmp_path / "caches").rglob("*.nb?"):
        file.write_bytes(b"nothing")
    assert run(tmp_path, tmp_path / "caches") == (["compiles doubled", "6 8"], "")
    assert run(tmp_path, tmp_path / "caches") == (["6 8"], "")


def test_other_code_of_the_process_keeps_its_own_cache(tmp_path, monkeypatch):
    before = numba.config.CACHE_DIR
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path)
    compiling.compiled(lambda x: x)
    assert numba.config.CACHE_DIR == before


@pytest.mark.long
def test_who_needs_what_another_process_compiles_waits_for_it(tmp_path, monkeypatch):
    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path / "caches")
    function = lambda x: 5 * x  # noqa: E731
    busy, waiting = compiling.compiled(function), compiling.compiled(function)
    monkeypatch.setattr(compiling, "PATIENCE", 0.2)
    lock = busy._cache.new_lock()
    lock.acquire()
    hurried = compiling.compiled(function)
    started = time.monotonic()
    assert hurried(1) == 5  # its patience has an end
    assert time.monotonic() - started >= 0.2
    lock.release(force=True)
    assert waiting(1) == 5


def test_old_folders_go_but_for_the_last_few(tmp_path, monkeypatch):
    month = 30 * 24 * 3600
    for age in range(12):
        mark = tmp_path / str(age) / "used"
        mark.parent.mkdir()
        mark.write_bytes(b"")
        date = time.time() - (month + age if age > 2 else age)
        os.utime(mark, (date, date))
    (tmp_path / "notes.txt").write_text("not ours")
    compiling._remove_old_folders(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {str(age) for age in range(compiling.FOLDERS_KEPT)} | {"notes.txt"}


def test_every_compiled_function_is_in_the_hash():
    from eubrl_edu.engine import drawing, learning, state, success
    from eubrl_edu.engine import run as whole_run
    from eubrl_edu.planning import graph_kernels, kernels, linear_kernels
    from eubrl_edu.uncertainty import predictive_kernels

    named = [PACKAGE / part for part in compiling.COMPILED]
    of_the_engine = drawing, learning, state, success, whole_run
    of_planning = graph_kernels, kernels, linear_kernels
    for module in (*of_the_engine, *of_planning, predictive_kernels):
        for value in vars(module).values():
            if isinstance(value, numba.core.dispatcher.Dispatcher):
                file = Path(value.py_func.__code__.co_filename)
                assert any(file.is_relative_to(part) for part in named), file


def test_nothing_that_the_reference_lists_is_compiled():
    """Compiled code looks at no index, so whoever calls it is to know that it is private."""
    reference = (PACKAGE.parent / "docs" / "reference.md").read_text("utf-8")
    modules = [
        importlib.import_module(name)
        for name in re.findall(r"^   (eubrl_edu\S+)$", reference, re.M)
    ]
    assert len(modules) > 10
    listed = [
        getattr(module, name)
        for module in (eubrl_edu, *modules)
        for name in getattr(module, "__all__", vars(module))
    ]
    assert len(listed) > 200
    assert not [thing for thing in listed if isinstance(thing, numba.core.dispatcher.Dispatcher)]


def test_without_numbas_compiler_it_is_said_what_is_to_be_done():
    code = "import eubrl_edu as eu; eu.run_study('loop', ['RMAX'], seeds=1)"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert "RuntimeError: NUMBA_DISABLE_JIT must be unset" in done.stderr.splitlines()[-1]
