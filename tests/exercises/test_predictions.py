"""The predictions: each is asked by a page, has that page's answer, and uncovers its lab."""

import re

import pytest

from eubrl_edu.course.scenes import find_scenes
from eubrl_edu.exercises import predictions
from eubrl_edu.labs import BayesOptimalLab, ExplorationLab, RaceLab
from eubrl_edu.labs.prediction import Choice, Number
from tests.notebooks.store import NOTEBOOKS

PAGES = sorted(NOTEBOOKS.glob("*.ipynb"))
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
    "EUBRL_PLUS": "slower, but it fails less often",
    "WORTH_THE_WALK": "yes, and it would grow a lot",
    "WHO_GIVES_UP": "BEB",
    "HOPEFUL_OR_GLOOMY": "more than it will",
    "HOW_LOOSE": "a million times as large",
    "WHAT_A_PRIOR_MOVES": "the regret of the run",
    "SURE_TOO_SOON": "Normal-Gamma, but Normal has the guarantee",
    "NEVER_THE_BETTER_ARM": 200,
    "WITHOUT_PURPOSE": "nearly all",
    "THE_FIRST_TREASURE": "late, with hardly any pair untried",
    "A_KNOWN_STEP": "a little less than 0",
    "DOTS_AROUND_A_MEAN": "in two groups, one on each side",
    "STILL_IN_DOUBT": "for most of them",
    "BEHIND_A_MEAN": "from a single run",
    "WHY_IT_RESTS": "less than resting",
}


SCENES = {
    name: scene
    for scene in find_scenes(NOTEBOOKS)
    for name in re.findall(r"prediction=predictions\.(\w+)", scene.line)
}


def test_every_prediction_is_asked_once():
    kept = {name for name, each in vars(predictions).items() if isinstance(each, Choice | Number)}
    assert set(SCENES) == kept == set(RIGHT)
    asked = [re.findall(r"prediction=predictions\.\w+", path.read_text()) for path in PAGES]
    assert sum(map(len, asked)) == len(SCENES)


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("name", SCENES)
def test_every_answer_uncovers_its_lab_and_is_met_with_a_sentence(name):
    lab = SCENES[name].make()
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


SEA = {"world": "deepsea", "steps": 300}
ONE_RACE = {"world": "chain", "agents": ("EUBRL",), "seeds": 1, "steps": 20}


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("question", "lab", "settings", "truth"),
    [
        ("THE_FIRST_TREASURE", ExplorationLab, SEA, "late, with hardly any pair untried"),
        ("THE_FIRST_TREASURE", ExplorationLab, SEA | {"agent": "Mean-MDP"}, "not within this run"),
        ("A_KNOWN_STEP", ExplorationLab, SEA | {"time": 0}, "1.99"),
        ("A_KNOWN_STEP", ExplorationLab, SEA | {"time": 209}, "0.98"),
        ("A_KNOWN_STEP", ExplorationLab, SEA | {"time": 300}, "nothing, as no reward"),
        ("STILL_IN_DOUBT", ExplorationLab, SEA | {"time": 0}, "for most of them"),
        ("STILL_IN_DOUBT", ExplorationLab, SEA | {"time": 190}, "only for the one"),
        ("STILL_IN_DOUBT", ExplorationLab, SEA | {"agent": "PSRL"}, "unknown, as this agent"),
        ("WHY_IT_RESTS", ExplorationLab, {"steps": 5}, "no less than resting"),
        ("DOTS_AROUND_A_MEAN", RaceLab, ONE_RACE, "nowhere, as Mean-MDP is not in this race"),
        ("BEHIND_A_MEAN", RaceLab, ONE_RACE, "from nowhere, as FiveVisits is not behind EUBRL"),
        ("WITHOUT_PURPOSE", BayesOptimalLab, {"tries": 1}, "none, as with so few"),
    ],
)
def test_in_another_situation_the_truth_is_another(question, lab, settings, truth):
    asked = lab(**settings, prediction=getattr(predictions, question))
    asked.uncover()
    assert asked.front.verdict.startswith(f"○ It is: {truth}")
