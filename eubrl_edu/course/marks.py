"""What has come of the checks that a cell of a student's notebook calls."""

import re

import nbformat

from eubrl_edu.exercises.progress import check_lines, check_shown_by, checks_called_in

MARKS = ("✓", "✗", "○")


def results_of(cell: nbformat.NotebookNode) -> dict[str, str]:
    """What has come of each check that a cell calls, as `Checked.results` says it.

    A cell shows its last value; but IPython can be told to show the value of each line.
    """
    called, marks, error = checks_called_in(cell.source), _marks(cell), _error(cell)
    was_run = cell.outputs or cell.execution_count
    results = dict.fromkeys(called, error or ("no result" if was_run else "not run"))
    check, each = check_shown_by(cell.source), [*filter(None, check_lines(cell.source))]
    if called == each and (error or len(marks) == len(called)):
        missing = [error] * (len(called) - len(marks))
        return dict(zip(called, marks + missing, strict=False))
    if check and not error and (len(marks) == 1 or (marks and len(results) == 1)):
        results[check] = marks[-1]
    return results


def _marks(cell: nbformat.NotebookNode) -> list[str]:
    values = [each for each in cell.outputs if each.output_type == "execute_result"]
    shown = [str(value.data.get("text/plain", "")) for value in values]
    return [words[0] for words in shown if words.startswith(MARKS)]


def _error(cell: nbformat.NotebookNode) -> str:
    """The name of the error that ended a cell, or nothing."""
    names = [each.ename for each in cell.outputs if each.output_type == "error"]
    return re.sub(r"\W", "", names[0])[:40] or "error" if names else ""
