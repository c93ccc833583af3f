"""What the teaching plans name exists: pages, labs, and the situations to load."""

import re

import eubrl_edu.labs
from tests.notebooks.store import NOTEBOOKS

PLANS = (NOTEBOOKS / "TEACHING.md").read_text(encoding="utf-8")


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


def test_what_is_to_be_loaded_is_a_situation_or_a_control():
    rows = [line.split("|") for line in PLANS.splitlines() if re.match(r"\| (\+\d|\d+–)", line)]
    told = [name for row in rows for name in re.findall(r"\*([^*]+)\*", row[3])]
    told += [
        n for line in re.findall(r"Load (.+?\))", PLANS) for n in re.findall(r"\*([^*]+)\*", line)
    ]
    assert len(told) >= 12
    controls = {"time", "seed"}
    assert sorted(set(told) - situations() - controls) == []
