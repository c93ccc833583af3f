"""What has come of the checks that a cell of a student's notebook calls."""

import re

import nbformat

from eubrl_edu.exercises.progress import check_shown_by, checks_called_in

MARKS = ("✓", "✗", "○")


def results_of(cell: nbformat.NotebookNode) -> dict[str, str]:
    """What has come of each check that a cell calls, as `Checked.results` says it.

    A cell shows its last value; but IPython can be told to show the value of each line.
    """
    called, shown = checks_called_in(cell.source), list(filter(None, map(_shown, cell.outputs)))
    if len(called) == len(shown):
        return dict(zip(called, shown, strict=True))
    was_run = cell.outputs or cell.execution_count
    results = dict.fromkeys(called, "no result" if was_run else "not run")
    check = check_shown_by(cell.source)
    if check is not None and shown:
        results[check] = shown[-1]
    return results


def _shown(output: nbformat.NotebookNode) -> str:
    """A mark or the name of an error, if an output is one."""
    if output.output_type == "error":
        return re.sub(r"\W", "", output.ename)[:40] or "error"
    shown = str(output.get("data", {}).get("text/plain", ""))
    is_mark = output.output_type == "execute_result" and shown.startswith(MARKS)
    return shown[0] if is_mark else ""
