"""Commands and processes that come to an end, told as an error."""

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

from eubrl_edu.cli import main

HOUSE = Path(__file__).parents[2]
# A row is tried in a folder of its own; processes find the tests, and the package beside them.
PATHS = (str(HOUSE), os.environ.get("PYTHONPATH"))
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, PATHS))}


class Ended(Exception):
    """The exit code, and on the next lines what was printed."""

    def __init__(self, code: int, printed: str):
        super().__init__(f"{code}\n{printed}")


def command(*arguments: str) -> None:
    """Run a command of the command line in this process, to its end."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = ended.code
    raise Ended(code, printed.getvalue())


def script(text: str, *arguments: str) -> None:
    """Run a Python script in a process of its own, to its end."""
    done = subprocess.run(
        [sys.executable, "-c", text, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENVIRONMENT, check=False,
        encoding="utf-8", errors="replace",
    )  # fmt: skip
    raise Ended(done.returncode, done.stdout)
