"""The stage shows the labs of a folder of notebooks, step by step; no browser is needed here."""

import nbformat
import pytest

from eubrl_edu import labs
from eubrl_edu.course import find_notebooks
from eubrl_edu.course.scenes import find_scenes
from eubrl_edu.course.stage import Stage
from eubrl_edu.labs import GuidanceLab, GuidedRewardLab

pytestmark = pytest.mark.usefixtures("undrawn")

PAGES = {
    "00_one": ["import eubrl_edu.labs\nfrom eubrl_edu.labs import GuidanceLab", "GuidanceLab(n=3)"],
    "01_none": ["%matplotlib inline", "x = GuidanceLab()", "print(1)", "NotAlab"],
    "02_two": ["from eubrl_edu.labs import GuidedRewardLab\nGuidedRewardLab()", "MissingLab()"],
}


@pytest.fixture
def folder(tmp_path):
    for name, sources in PAGES.items():
        cells = [nbformat.v4.new_markdown_cell(f"# {name.title()}: a subtitle\n\nText.")]
        cells += [nbformat.v4.new_code_cell(source) for source in sources]
        nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
    return tmp_path


@pytest.mark.parametrize(
    "before",
    [
        ["n = 1", "n += 2"],
        ["n: int = 3"],
        ["n, m = 3, 4"],
        ["(n, m), *_ = (3, 4), 5"],
        ["n = 0\nfor k in (1, 2):\n    n += k"],
        ["if True:\n    def n_of():\n        return 3", "n = n_of()"],
        ["with open(__file__) as _:\n    n = 3"],
        ["%matplotlib inline\nn = 3"],
        ["given = {}", "given['n'] = 3", "n = given['n']"],
        ["given = []", "given.append(3)", "n = given[0]"],
        ["class Given:\n    n = 1", "Given.n = 3", "n = Given.n"],
        ["import math as m, os.path", "n = int(m.sqrt(9)) + len(os.path.sep) - 1"],
        ["import math as m", "m.sqrt(-1)", "n = int(m.sqrt(9))"],
        ["if (n := 3):\n    pass"],
    ],
)
def test_a_lab_has_on_the_stage_what_its_page_has_defined(tmp_path, before):
    before = [source.replace("__file__", repr(__file__)) for source in before]
    shown = "from eubrl_edu.labs import GuidanceLab\nGuidanceLab(n=n)"
    cells = [nbformat.v4.new_code_cell(source) for source in ["1 / 0", *before, shown]]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "00_one.ipynb")
    (scene,) = find_scenes(tmp_path)
    assert scene.make().params.n == 3


@pytest.fixture
def stage(folder):
    return Stage(folder)


def entries(stage):
    """The list as it is seen; the entry where we are has a star."""
    seen = stage.contents.children[3:]
    return [entry.description + "*" * ("eubrl-here" in entry._dom_classes) for entry in seen]


@pytest.mark.long
def test_every_lab_of_the_course_is_on_the_stage_with_its_line_of_python():
    scenes = find_scenes(find_notebooks())
    assert {scene.line.partition("(")[0] for scene in scenes} == set(labs.__all__)
    assert [scene.page for scene in scenes] == sorted(scene.page for scene in scenes)
    # One of them takes a world and agents that its page has defined.
    page = nbformat.read(find_notebooks() / "14_your_own_world.ipynb", as_version=4)
    shown = [
        out["data"]["text/plain"]
        for cell in page.cells
        for out in cell.get("outputs", [])
        if "image/png" in out.get("data", {})
    ]
    assert [repr(scene.make()) for scene in scenes if scene.page == "14_your_own_world"] == shown


@pytest.mark.long
def test_steps_are_the_labs_each_with_its_situations(stage):
    names = list(GuidanceLab.situations)
    assert entries(stage) == ["00 00_One*", *names, "02 02_Two · 1", "02 02_Two · 2"]
    assert stage.children[1].params == GuidanceLab.Params(n=3)
    forward = []
    for _ in range(100):
        forward.append((stage.number, stage.situation))
        stage.go(1)
    ahead = [(0, None), *((0, name) for name in names)]
    ahead += [(1, None), *((1, name) for name in GuidedRewardLab.situations), (2, None)]
    assert list(dict.fromkeys(forward)) == ahead
    back = []
    for _ in range(100):
        back.append((stage.number, stage.situation))
        stage.go(-1)
    assert list(dict.fromkeys(back)) == ahead[::-1]


@pytest.mark.long
def test_a_step_sets_the_lab_whatever_was_moved_before(stage):
    lab = stage.children[1]
    assert lab.presentation.value
    lab.set(eta=3.0, n=10)
    for name, (_, params) in GuidanceLab.situations.items():
        stage.show(0, name)
        assert lab.params == params and f"{name}*" in entries(stage)
    stage.show(0)
    assert lab.params == GuidanceLab.Params(n=3)


def test_next_uncovers_an_answer_first(tmp_path):
    source = (
        "from eubrl_edu.exercises import predictions\nfrom eubrl_edu.labs import BeliefLab\n"
        "BeliefLab(prediction=predictions.CHANCE_OF_C)"
    )
    cells = [nbformat.v4.new_markdown_cell("# Asks"), nbformat.v4.new_code_cell(source)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "one.ipynb")
    stage = Stage(tmp_path)
    lab = stage.children[1]
    assert lab.is_covered
    stage.go(1)
    assert not lab.is_covered and stage.situation is None
    stage.go(1)
    assert stage.situation == next(iter(lab.situations))
    clicked = Stage(tmp_path)
    clicked.show(0, stage.situation)
    assert not clicked.children[1].is_covered


def test_whatever_may_take_long_the_page_says_that_it_is_computed(stage, monkeypatch):
    says = lambda: "eubrl-waiting" in stage._dom_classes  # noqa: E731
    heard = []
    make, lab = type(stage.scenes[1]).make, stage.children[1]

    def heard_making(scene):
        heard.append(says())
        return make(scene)

    monkeypatch.setattr(type(stage.scenes[1]), "make", heard_making)
    for name in ("load", "uncover"):
        monkeypatch.setattr(lab, name, lambda **values: heard.append(says()))
    stage.show(0, next(iter(lab.situations)))
    lab.is_covered = True
    stage.go(1)
    stage.show(1)
    assert heard == [True] * 4 and not says()


def test_a_lab_that_cannot_be_shown_is_answered_in_words_and_the_others_go_on(stage):
    stage.show(2)
    assert "NameError: name &#x27;MissingLab&#x27;" in stage.children[1].value
    assert "02 02_Two · 2*" in entries(stage)
    stage.show(1)
    assert isinstance(stage.children[1], GuidedRewardLab)
    assert "eubrl-waiting" not in stage._dom_classes
