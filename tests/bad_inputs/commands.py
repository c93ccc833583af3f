"""The command line: 2 for what cannot be done as asked, 1 for what fails; nothing else is said."""

import re
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pandas as pd
import pytest

from eubrl_edu.experiments import read_store
from eubrl_edu.reproduction import reproduce
from tests.bad_inputs.ended import Ended, command, script
from tests.bad_inputs.row import Row
from tests.bad_inputs.studies import DEEPSEA, POSITIVE, nothing_runs
from tests.experiments.test_store import fill
from tests.systems import LONG_ON_POSIX, posix_only

RMAX = "run loop --agents RMAX --jobs 1"
AS_ASKED = {
    "run lop": "unknown study 'lop'.* Did you mean 'loop'",
    "run deepsea": DEEPSEA,
    "run loop --agents EUBLR": "Did you mean 'EUBRL'",
    "run chain --sizes 6": "size must be 5 for chain, got 6",
    "run loop --seeds 0": f"--seeds {POSITIVE}0",
    "run loop --jobs 0": f"n_jobs, unless -1 for every core, {POSITIVE}0",
    "run loop --set eta": "--set takes NAME=VALUE, such as eta=0.5, got 'eta'",
    "run loop --set eta=1 eta=2": "--set takes each NAME once, got eta=1 eta=2",
    "run loop --set etta=1": "unknown setting 'etta'",
    "run loop --set eta=-1": "eta must be",
    f"run loop --set eta={50_000 * '['}": r"eta must be a finite number .* got '\[\[\[",
    f"run loop --store {5000 * 'a'}": "store must be the path of a file, of at most 4095 bytes",
    f"run loop --csv {300 * 'a'}": "--csv must be the path of a file, of at most .* 255 in each",
    "run loop --csv absent/runs.csv": "the folder of --csv 'absent/runs.csv' is not there",
    # A folder that was made for nothing is not left behind.
    "tune loop nobody --out new/folder": "unknown agent 'nobody'",
    "tune loop EUBRL --seeds 0": f"--seeds {POSITIVE}0",
    "tune loop EUBRL --values eta": "--values takes NAME=VALUE",
    "tune loop EUBRL --values bogus=1": "unknown setting 'bogus'",
    "tune loop EUBRL --values bogus=1 --values eta=1": "unknown setting 'bogus'",
    "lab absent.ipynb": "absent.ipynb",
    "lab a.ipynb b.ipynb": "one notebook can be opened at a time, got a.ipynb b.ipynb",
    "present .": "shows a lab",
    "present --port 70000": "65535",
    "progress absent": "folder 'absent' is not there",
}
NO_COMMANDS = ("", "swim", "run", "run loop --sizes two", "studies --no-browser")
# What no file can have as its name.
NO_FILES = ("run loop --csv", "tune loop RMAX --out", "reproduce --store", "slides --out", "course",
            "check", "progress", "present", "lab")  # fmt: skip
NOT_WRITTEN = {
    "run loop --csv /proc/runs.csv": "'/proc/runs.csv' cannot be written to",
    "tune loop RMAX --out /proc/x": "'/proc/x' cannot be written to",
}
FULL_STORE = """
import resource, sys
from eubrl_edu.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (16_384, 16_384))
run = ["run", "loop", "--agents", "RMAX", "--seeds", "500", "--jobs", "1"]
sys.exit(main([*run, "--store", "runs.sqlite", "--csv", "runs.csv"]))
"""


@contextmanager
def a_file(name, text="not results"):
    """A file that is no store, no notebook and no folder."""
    Path(name).write_text(text)
    with nothing_runs():
        yield


@contextmanager
def no_worlds():
    """A world in which none is made for a reproduction."""
    with patch.object(reproduce, "paper_batches", lambda quick: pytest.fail("batches")):
        yield


@contextmanager
def a_store(name):
    """A store with rows in it."""
    fill(Path(name), 3)
    with nothing_runs():
        yield


def ends(line, code, said, **more):
    """The row of a command that ends with this code and says this and no more."""
    names = rf"^{code}\neubrl-edu: [^\n]*{said}[^\n]*\n$"
    return Row(f"eubrl-edu {line!a}", lambda: command(*line.split()), names, Ended, **more)


def what_is_finished_is_kept(error):
    """All that is in the store, and what it had no room for, is in the table."""
    written = pd.read_csv("runs.csv")
    return 10 < len(written) < 500 and set(read_store("runs.sqlite").seed) <= set(written.seed)


NO_NOTEBOOKS = {"list": "[]", "cut": '{"nbformat": 4', "bare": '{"cells": [{}], "nbformat": 4}'}
# Whoever reads what is printed has gone, or reads another encoding.
NOBODY_READS = """
import sys
from eubrl_edu.cli import main
sys.stdout = open("/dev/full", "w", buffering=1)
sys.exit(main("run loop --agents RMAX --seeds 2 --jobs 1 --csv runs.csv".split()))
"""
OTHER_LETTERS = """
import sys
from eubrl_edu.cli import main
sys.stdout.reconfigure(encoding=sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""


def rows():
    yield from endings()
    for line, said in AS_ASKED.items():
        yield ends(line, 2, said, given=nothing_runs)
    for line in NO_FILES:
        for word in ("a\ud800", "\udcff", "a\0b"):
            said = "an argument must be text, without a null byte and in UTF-8.*"
            yield ends(f"{line} {word}", 2, said + re.escape(repr(word)), given=nothing_runs)
    for line in NO_COMMANDS:
        yield Row(
            f"eubrl-edu {line}", lambda line=line: command(*line.split()),
            r"^2\nusage: eubrl-edu", Ended,
        )  # fmt: skip
    for line, said in NOT_WRITTEN.items():
        yield ends(line, 1, said, given=nothing_runs, marks=(posix_only,))
    damaged = lambda: a_file("runs.sqlite")  # noqa: E731
    yield ends(f"{RMAX} --store runs.sqlite", 2, "'runs.sqlite' is damaged", given=damaged)
    taken = r"--csv must name another file, got '[./]*runs\.sqlite', which is (a|the) store"
    for options, given in (
        ("--store runs.sqlite --csv ./runs.sqlite", nothing_runs),
        ("--store runs.sqlite --csv runs.sqlite", lambda: a_store("runs.sqlite")),
        ("--csv runs.sqlite", lambda: a_store("runs.sqlite")),
    ):
        yield ends(f"{RMAX} {options}", 2, taken, given=given)
    yield ends("check . --csv runs.sqlite", 2, taken, given=lambda: a_store("runs.sqlite"))
    yield ends(f"{RMAX} --store absent/x.sqlite", 1, "'absent/x.sqlite' is not", given=nothing_runs)
    absent = "reproduce --quick --out new --store absent/x.sqlite"
    yield ends(absent, 1, "'absent/x.sqlite' is not there", given=no_worlds)
    file = lambda: a_file("file")  # noqa: E731
    yield ends("reproduce --quick --out file", 1, "'file.*' cannot be written to", given=file)
    yield Row(
        "eubrl-edu course ''", lambda: command("course", ""),
        "^2\n.*no argument can be empty, got 'course' ''", Ended,
    )  # fmt: skip
    for name, text in NO_NOTEBOOKS.items():
        page = lambda name=name, text=text: a_file(f"{name}.ipynb", text)  # noqa: E731
        said = f"notebook '{name}.ipynb' cannot be read as one"
        yield ends(f"slides {name}.ipynb --out new", 2, said, given=page)


def endings():
    """What has been computed is seen, or written, all the same."""
    yield Row(
        f"eubrl-edu {RMAX} --csv /dev/full",
        lambda: command(*f"{RMAX} --seeds 2 --csv /dev/full".split()),
        "^1\n.*394.00.*'/dev/full' cannot be written to: .*No space left", Ended,
        marks=(pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here"),),
    )  # fmt: skip
    yield Row(
        "eubrl-edu run --store FILE --csv TABLE where the disk has room for 16 kB",
        lambda: script(FULL_STORE), "^1\n.*runs.sqlite", Ended,
        leaves=("runs.sqlite", "runs.csv"), holds=what_is_finished_is_kept, marks=LONG_ON_POSIX,
    )  # fmt: skip
    yield Row(
        "eubrl-edu run --csv TABLE where nothing more can be printed",
        lambda: script(NOBODY_READS), "^120\n.*No space left", Ended, leaves=("runs.csv",),
        holds=lambda ended: len(pd.read_csv("runs.csv")) == 2, marks=LONG_ON_POSIX,
    )  # fmt: skip
    for encoding in ("ascii", "cp1252", "cp850"):
        for line in ("studies --agents", f"{RMAX} --seeds 2"):
            yield Row(
                f"eubrl-edu {line} printed in {encoding}",
                lambda e=encoding, s=line: script(OTHER_LETTERS, e, *s.split()), "^0\n.*RMAX",
                Ended, marks=(pytest.mark.long,),
            )  # fmt: skip
