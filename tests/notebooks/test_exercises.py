"""The reading of exercises, and that a bad check or a bad solution is found out."""

import nbformat
import pytest
from nbclient.exceptions import CellExecutionError

from tests.notebooks.exercises import find_exercises, run_trials, with_trials
from tests.notebooks.store import execute

SETUP = """
from types import SimpleNamespace

def check_half(answer):
    return SimpleNamespace(passed=answer == 0.5)

def check_nothing(answer):
    return SimpleNamespace(passed=True)
"""


def written(check="check_half", solution="answer = 1 / 2", wrong=("answer = 2",)):
    v4 = nbformat.v4
    exercise = v4.new_code_cell(
        f"# One half, please.\nanswer = ...\n{check}(\n    answer\n)",
        metadata={"tags": ["exercise"], "eubrl": {"wrong": list(wrong)}},
    )
    folded = f"<details><summary>Solution</summary>\n\n```python\n{solution}\n```\n\n</details>"
    cells = [
        v4.new_code_cell(SETUP),
        exercise,
        v4.new_markdown_cell(folded, metadata={"tags": ["solution"]}),
    ]
    return v4.new_notebook(cells=cells)


def test_reads_stub_check_solution_and_wrong_answers():
    (exercise,) = find_exercises(written())
    assert exercise.position == 1
    assert exercise.stub == "# One half, please.\nanswer = ..."
    assert exercise.check == "check_half(\n    answer\n)"
    assert exercise.solution == "answer = 1 / 2"
    assert exercise.wrong == ("answer = 2",)


def run_in_a_kernel(notebook):
    execute(with_trials(notebook))


RUNNERS = [run_trials, pytest.param(run_in_a_kernel, marks=pytest.mark.long)]


@pytest.mark.parametrize("run", RUNNERS)
def test_a_good_exercise_runs(run):
    run(written())


@pytest.mark.parametrize("run", RUNNERS)
@pytest.mark.parametrize(
    "exercise",
    [
        {"check": "check_nothing"},
        {"solution": "answer = 3"},
        {"wrong": ["answer = 0.5"]},
        {"solution": "answer = undefined"},
    ],
    ids=["takes everything", "wrong solution", "right is called wrong", "broken solution"],
)
def test_a_bad_exercise_is_found_out(run, exercise):
    with pytest.raises((AssertionError, NameError, CellExecutionError)):
        run(written(**exercise))


def test_only_what_an_exercise_uses_runs_before_it():
    notebook = written(solution="answer = halves[-1]")
    code = nbformat.v4.new_code_cell
    notebook.cells[:0] = [code("halves = []"), code("1 / 0"), code("halves[:] = [0.5]")]
    run_trials(notebook)


UNCOVERED = nbformat.v4.new_markdown_cell(
    "Why? <details>Because.</details>", metadata={"tags": ["answer"]}
)
FOLDED = nbformat.v4.new_markdown_cell("<details>It is 42.</details>")


def test_a_folded_answer_may_stand_anywhere():
    notebook = written()
    answer = nbformat.v4.new_markdown_cell(FOLDED.source, metadata={"tags": ["answer"]})
    notebook.cells = [answer, *notebook.cells, answer]
    (exercise,) = find_exercises(notebook)
    assert exercise.position == 2


def spoilt(change):
    notebook = written()
    change(notebook.cells)
    return notebook


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda cells: cells.pop(2), "no cell with the tag solution"),
        (lambda cells: cells[1].metadata.pop("eubrl"), "plausible wrong answer"),
        (lambda cells: cells[1].metadata.pop("tags"), "must follow its exercise"),
        (lambda cells: cells[1].update(source="answer = ..."), "must be its check"),
        (lambda cells: cells[2].update(source="<details>no code</details>"), "one ```python block"),
        (lambda cells: cells[2].metadata.update(tags=["answer"]), "no cell with the tag solution"),
        (lambda cells: cells.insert(0, FOLDED), "must follow its exercise"),
        (lambda cells: cells.insert(0, UNCOVERED), "all in its fold"),
        (lambda cells: cells[2].update(source="```python\n1\n```"), "in <details>"),
    ],
)
def test_an_exercise_that_is_not_as_agreed_is_named(change, words):
    with pytest.raises(ValueError, match=words):
        find_exercises(spoilt(change))
