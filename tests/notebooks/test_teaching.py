"""What the teaching plans name exists: pages, labs, and the situations to load."""

import re

import pytest

import eubrl_edu.labs
from tests.notebooks.store import NOTEBOOKS

PLANS = (NOTEBOOKS / "TEACHING.md").read_text(encoding="utf-8")
CONTROLS = {"time", "seed"}


def situations() -> set[str]:
    kinds = [getattr(eubrl_edu.labs, name) for name in eubrl_edu.labs.__all__]
    return {name for kind in kinds for name in kind.situations}


def test_every_page_that_is_linked_exists():
    linked = set(re.findall(r"\]\((\w+\.ipynb)\)", PLANS))
    assert len(linked) >= 8
    assert [name for name in sorted(linked) if not (NOTEBOOKS / name).exists()] == []


def test_every_lab_that_is_named_exists():
    named = set(re.findall(r"`(\w+Lab)`", PLANS))
    assert named <= set(eubrl_edu.labs.__all__)


def emphasised(text: str) -> list[str]:
    return re.findall(r"\*([^*]+)\*", text)


def test_what_a_lecture_loads_is_a_situation_or_a_control():
    rows = [line.split("|") for line in PLANS.splitlines() if re.match(r"\| (\+\d|\d+–)", line)]
    told = [name for row in rows for name in emphasised(row[3])]
    assert len(told) >= 12
    assert sorted(set(told) - situations() - CONTROLS) == []


def test_the_course_has_four_sessions_and_they_name_every_page():
    titles = re.findall(r"^### Session (\d)", PLANS, re.MULTILINE)
    assert titles == ["1", "2", "3", "4"]
    linked = {page for session in sessions() for page in re.findall(r"\]\((\w+)\.ipynb\)", session)}
    assert linked == {path.stem for path in NOTEBOOKS.glob("*.ipynb")}


@pytest.mark.parametrize("number", range(4))
def test_a_session_shows_situations_asks_first_and_says_what_goes_wrong(number):
    shown, wrong = (table.splitlines() for table in tables(sessions()[number]))
    assert shown[0] == "| page and lab | load | ask first |" and len(shown) > 2
    lab = None
    for row in shown[2:]:
        where, load, ask = row.strip("| ").split(" | ")
        if where != "the same":
            assert re.search(r"\]\(\w+\.ipynb\)", where)
            (name,) = re.findall(r"`(\w+Lab)`", where)
            lab = getattr(eubrl_edu.labs, name)
        told = set(emphasised(load))
        assert told & lab.situations.keys() and told - lab.situations.keys() <= CONTROLS, row
        assert "?" in ask, row
    assert wrong[0] == "| where | what they say | what helps |"
    pages = re.findall(r"\[(\d\d)\]", sessions()[number])
    assert len(wrong) > 4 and all(row[2:4] in pages for row in wrong[2:])


def sessions() -> list[str]:
    course = PLANS.partition("\n## A course")[2].partition("\n## ")[0]
    return re.split(r"^### ", course, flags=re.MULTILINE)[1:]


def tables(text: str) -> list[str]:
    return re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
