"""Which exercises are solved, in ``progress.json``, a small file that belongs to the learner.

It lies in the folder in which the kernel runs, which is that of the notebook. Only a cell of a
notebook whose value is a passed `Feedback` is noted: neither a script nor a stored page, whose
exercises are stubs, leaves a file behind.
"""

import ast
import contextlib
import json
import sys
from datetime import date
from pathlib import Path

from eubrl_edu.exercises.checks import CHECKS, CHECKS_OF
from eubrl_edu.exercises.feedback import Feedback
from eubrl_edu.names import require_path
from eubrl_edu.writing import in_place_of, writing_to

FILE = "progress.json"


def exercises_by_page() -> dict[str, tuple[str, ...]]:
    """The names of the checks of each notebook, in the order of the pages and their exercises."""
    return {page: tuple(checks) for page, checks in CHECKS_OF.items()}


def parse_cell(source: str) -> ast.Module:
    """The lines of a cell; none where Python cannot parse it, as half an answer or too deep."""
    from IPython.core.inputtransformer2 import TransformerManager  # it knows a notebook's %magic

    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def checks_called_in(source: str) -> list[str]:
    """The checks that a cell calls, in their order; what stands in comments or text is no call."""
    calls = [node for node in ast.walk(parse_cell(source)) if isinstance(node, ast.Call)]
    called = []
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        code = _code_of_magic(call)
        called += [_name_of(call)] if code is None else checks_called_in(code)
    return [name for name in called if name in CHECKS]


def check_shown_by(source: str) -> str | None:
    """The check whose feedback is the value of a cell, or None where that cannot be told.

    Where a cell calls several, its last line has to be the call of one.
    """
    called = set(checks_called_in(source))
    if len(called) < 2:
        return next(iter(called), None)
    *_, last = check_lines(source)
    return None if source.rstrip().endswith(";") else last


def check_lines(source: str) -> list[str | None]:
    """For each line of a cell the check of which it is a call, or None."""
    found: list[str | None] = []
    for line in parse_cell(source).body:
        call = line.value if isinstance(line, ast.Expr) else None
        if not isinstance(call, ast.Call):
            found.append(None)
        elif (code := _code_of_magic(call)) is not None:
            found += check_lines(code)
        else:
            found.append(_name_of(call) if _name_of(call) in CHECKS else None)
    return found


def _name_of(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _code_of_magic(call: ast.Call) -> str | None:
    """The code that a magic command runs, which is its last argument; None if it is no such."""
    if _name_of(call) not in ("run_line_magic", "run_cell_magic") or not call.args:
        return None
    code = call.args[-1]
    return code.value if isinstance(code, ast.Constant) and isinstance(code.value, str) else None


def read_progress(folder: str | Path) -> dict[str, str]:
    """The checks that have been passed in a folder, each with the day; none without a file.

    Raises
    ------
    ValueError
        If ``progress.json`` there is something else.
    OSError
        If it cannot be read.
    """
    file = require_path("folder", folder, "folder") / FILE
    try:
        solved = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise OSError(f"{str(file)!r} cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError):  # such as brackets in brackets in brackets
        solved = None
    if not isinstance(solved, dict) or not all(name.startswith("check_") for name in solved):
        raise ValueError(f"{str(file)!r} is no record of solved exercises; it stays as it is")
    return solved


def note(folder: str | Path, check: str) -> None:
    """Note that a check has been passed; where that cannot be written, nothing happens."""
    with contextlib.suppress(OSError, ValueError):
        solved = read_progress(folder)
        if check not in solved:
            text = json.dumps(solved | {check: date.today().isoformat()}, indent=1)
            with in_place_of(Path(folder) / FILE) as part:
                part.write_text(text + "\n", encoding="utf-8")


def reset_progress(folder: str | Path) -> int:
    """Remove the file, and return how many solved exercises it named.

    Raises
    ------
    ValueError
        If ``progress.json`` there is something else.
    OSError
        If it cannot be removed.
    """
    solved = read_progress(folder)
    file = Path(folder) / FILE
    with writing_to(file):
        file.unlink(missing_ok=True)
    return len(solved)


def describe_progress(folder: str | Path) -> str:
    """A line for each notebook: a tick for what is solved, a circle for what is not."""
    solved = read_progress(folder)
    pages = exercises_by_page()
    width = max(map(len, pages))
    lines = []
    for page, checks in pages.items():
        marks = "".join("✓" if check in solved else "○" for check in checks)
        lines.append(f"{page:{width}}  {marks:6} {marks.count('✓')} of {len(checks)}")
    return "\n".join(lines)


def note_in_notebooks() -> None:
    """In a kernel, note each passed check when its cell has run; elsewhere do nothing."""
    # Only where IPython already runs is there a notebook.
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "kernel"):
        return
    folder = Path.cwd()  # where the notebook is, wherever its cells may go later

    def note_the_cell(result) -> None:
        if isinstance(result.result, Feedback) and result.result.passed:
            check = check_shown_by(result.info.raw_cell)
            if check is not None:
                note(folder, check)

    shell.events.register("post_run_cell", note_the_cell)
