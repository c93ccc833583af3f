"""The predictions: each is asked by a page, has that page's answer, and uncovers its lab."""

import re

import nbformat
import pytest

import eubrl_edu.labs
from eubrl_edu.exercises import predictions
from eubrl_edu.labs.prediction import Choice, Number
from tests.notebooks.store import NOTEBOOKS

# As the folded answers of the pages have it.
RIGHT = {
    "WHO_GOES_AGAIN": "the third (EUBRL)",
    "CHANCE_OF_C": 100 / 6,
    "WHICH_DIE": "the unknown one",
    "SWEEPS_TO_THE_START": 7,
    "WILL_IT_TRY": "no, its doubt deters it",
    "PAIRS_TRIED": 17,
    "FIRST_IN_THE_LOOPS": "EUBRL",
    "FIRST_IN_THE_SEA": "EUBRL",
    "TWICE_AS_DEEP": "about as many",
    "EUBRL_PLUS": "slower, and it fails less",
    "WORTH_THE_WALK": "yes, and it would grow a lot",
    "WHO_GIVES_UP": "BEB",
    "HOPEFUL_OR_GLOOMY": "more than it will",
    "HOW_LOOSE": "a million times as large",
    "WHAT_A_PRIOR_MOVES": "the regret of the run",
    "SURE_TOO_SOON": "Normal-Gamma, but Normal has the guarantee",
    "NEVER_THE_BETTER_ARM": 200,
    "WITHOUT_PURPOSE": "nearly all",
}


def asked_on_pages() -> dict[str, str]:
    """The cell that asks each question."""
    cells = {}
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            for name in re.findall(r"prediction=predictions\.(\w+)", cell.source):
                assert cell.cell_type == "code" and name not in cells
                cells[name] = cell.source
    return cells


CELLS = asked_on_pages()


def test_every_prediction_is_asked_once():
    kept = {name for name, each in vars(predictions).items() if isinstance(each, Choice | Number)}
    assert set(CELLS) == kept == set(RIGHT)


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("name", CELLS)
def test_every_answer_uncovers_its_lab_and_is_met_with_a_sentence(name):
    names = {each: getattr(eubrl_edu.labs, each) for each in eubrl_edu.labs.__all__}
    call = CELLS[name][re.search(r"^\w+Lab\(", CELLS[name], re.MULTILINE).start() :]
    lab = eval(call, names | {"predictions": predictions})
    question, words = lab.prediction, repr(lab)
    assert lab.is_covered and question.question in words

    is_choice = isinstance(question, Choice)
    answers = list(question.answers) if is_choice else [*question.numbers]
    verdicts = {answer: question.judge(answer, lab.state) for answer in answers}
    right = [answer for answer, verdict in verdicts.items() if verdict.startswith("✓")]
    if is_choice:
        assert right == [RIGHT[name]]
        assert len(set(question.answers.values())) == len(answers)
        remarks = [verdicts[answer].endswith(question.answers[answer]) for answer in answers]
        assert all(remarks)
    else:
        assert min(answers, key=lambda each: abs(each - RIGHT[name])) in right
        assert len(right) < len(answers) / 4
        assert all(verdicts[each].endswith(remark) for each, remark in question.common.items())
        assert verdicts[answers[0]] != verdicts[answers[-1]]

    lab.predict("nonsense")
    assert lab.is_covered and "⚠" in lab.readout.value
    lab.predict(answers[0])
    assert not lab.is_covered and repr(lab) == lab.describe(lab.state) != words
    assert lab.front.verdict == verdicts[answers[0]]
