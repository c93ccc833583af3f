"""How an exercise is written in a notebook, and how to take it apart.

An exercise is a code cell with the tag ``exercise``: a stub that runs, and as its last line the
check, an expression whose value has a truthy ``passed`` exactly when the answer is right:

    answer = ...
    exercises.check_posterior_mean(answer)

Plausible wrong answers stand in that cell's metadata, ``{"eubrl": {"wrong": ["answer = 0.5"]}}``.
The next cell is Markdown with the tag ``solution``: ``<details>`` that folds one Python block,
which may stand in place of the stub.

A Markdown cell with the tag ``answer`` folds an answer to read, to a question that has no check;
the question stands in the cell before.
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

import nbformat


@dataclass(frozen=True)
class Exercise:
    """One exercise: where it stands, its stub, its check, its solution and some wrong answers."""

    position: int
    stub: str
    check: str
    solution: str
    wrong: tuple[str, ...]


def tags(cell: nbformat.NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def find_exercises(notebook: nbformat.NotebookNode) -> list[Exercise]:
    """Every exercise of the notebook; raises ``ValueError`` where one is not as agreed above."""
    found = []
    for position, cell in enumerate(notebook.cells):
        if "exercise" in tags(cell):
            following = notebook.cells[position + 1] if position + 1 < len(notebook.cells) else None
            found.append(_exercise(position, cell, following))
        elif "answer" not in tags(cell) and ("solution" in tags(cell) or "<details" in cell.source):
            before = notebook.cells[position - 1] if position else None
            if before is None or "exercise" not in tags(before):
                raise ValueError(f"cell {position}: a folded solution must follow its exercise")
        elif "answer" in tags(cell) and not cell.source.startswith("<details>"):
            raise ValueError(
                f"cell {position}: an answer must be all in its fold, without question"
            )
    return found


def _exercise(position: int, cell, following) -> Exercise:
    body = ast.parse(cell.source).body
    if not body or not isinstance(body[-1], ast.Expr):
        raise ValueError(f"cell {position}: the last line of an exercise must be its check")
    lines = cell.source.splitlines()
    stub = "\n".join(lines[: body[-1].lineno - 1])
    check = "\n".join(lines[body[-1].lineno - 1 :])

    wrong = tuple(cell.metadata.get("eubrl", {}).get("wrong", ()))
    if not wrong:
        raise ValueError(f"cell {position}: an exercise needs a plausible wrong answer")
    if following is None or "solution" not in tags(following):
        raise ValueError(f"cell {position}: no cell with the tag solution follows the exercise")
    blocks = re.findall(r"```python\n(.*?)```", following.source, flags=re.DOTALL)
    if "<details" not in following.source or len(blocks) != 1:
        raise ValueError(f"cell {position + 1}: a solution folds one ```python block in <details>")
    return Exercise(position, stub, check, blocks[0].strip(), wrong)


def with_trials(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A copy in which, after each exercise, cells try the wrong answers, then the solution.

    Running the copy raises where a check takes a stub or a wrong answer for right, or the solution
    for wrong.
    """
    trials = {
        exercise.position: [nbformat.v4.new_code_cell(source) for source in _trials(exercise)]
        for exercise in find_exercises(notebook)
    }
    cells = []
    for position, cell in enumerate(notebook.cells):
        cells += [cell, *trials.get(position, ())]
    return nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)


def run_trials(notebook: nbformat.NotebookNode) -> None:
    """Run what `with_trials` adds, here and not in a kernel; raise where that would raise.

    Of the other cells only those run that make a name which an exercise uses.
    """
    sources, wanted = [], set()
    exercises = {exercise.position: exercise for exercise in find_exercises(notebook)}
    for position, cell in reversed(list(enumerate(notebook.cells))):
        if position in exercises:
            trials = list(_trials(exercises[position]))
            wanted |= _names(trials, ast.Load)
            sources += [(position, trial) for trial in reversed(trials)]
        elif cell.cell_type == "code" and wanted & _names([cell.source], ast.Store):
            wanted |= _names([cell.source], ast.Load)
            sources.append((position, cell.source))
    namespace = {"__name__": "__main__"}
    for position, source in reversed(sources):
        exec(compile(source, f"<cell {position}>", "exec"), namespace)


def _trials(exercise: Exercise) -> Iterable[str]:
    """Code that tries stub, wrong answers and solution, and raises at a wrong verdict."""
    attempts = [(exercise.stub, False)]
    attempts += [(wrong, False) for wrong in exercise.wrong]
    attempts += [(exercise.solution, True)]
    for answer, right in attempts:
        yield (
            f"{answer}\n_verdict = (\n{exercise.check}\n)\n"
            f"assert bool(_verdict.passed) is {right}, _verdict"
        )


def _names(sources: Iterable[str], use: type[ast.expr_context]) -> set[str]:
    """The names that the code reads (``ast.Load``), or that it makes or changes (``ast.Store``)."""
    found = set()
    for node in (node for source in sources for node in ast.walk(ast.parse(source))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, use):
            found.add(node.id)
        elif use is ast.Store:
            if isinstance(node, ast.Import | ast.ImportFrom):
                found |= {(each.asname or each.name).split(".")[0] for each in node.names}
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(node.name)
            elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, use):
                found |= {each.id for each in ast.walk(node.value) if isinstance(each, ast.Name)}
    return found
