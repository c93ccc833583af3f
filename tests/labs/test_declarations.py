"""What a lab declares, the base does: no lab reaches into what is private there."""

import ast
from pathlib import Path

import pytest

import eubrl_edu.labs
from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.slow_lab import SlowLab

FOLDERS = sorted(Path(eubrl_edu.labs.__file__).parent.glob("*/lab.py"))
ANSWERS = {"set", "put", "load", "answer", "refresh", "refresh_now", "start_work", "stop_work"}


def private_names_of(kind: type) -> set[str]:
    sources = [
        ast.parse(Path(base.__module__.replace(".", "/") + ".py").read_text("utf-8"))
        for base in kind.__mro__
        if base.__module__.startswith("eubrl_edu.labs")
    ]
    found = [node for source in sources for node in ast.walk(source)]
    names = {node.attr for node in found if isinstance(node, ast.Attribute)}
    names |= {node.name for node in found if isinstance(node, ast.FunctionDef)}
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


@pytest.mark.parametrize("path", FOLDERS, ids=lambda path: path.parent.name)
def test_a_lab_touches_no_private_name_of_the_base_and_overrides_no_answer(path, monkeypatch):
    monkeypatch.chdir(Path(eubrl_edu.__file__).parents[1])
    private = private_names_of(SlowLab)
    assert {"_show", "_job", "_values"} <= private
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    made = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    assert not private & (used | made)
    assert not ANSWERS & made


def test_every_lab_is_a_lab():
    assert len(FOLDERS) >= 10
    for name in eubrl_edu.labs.__all__:
        assert issubclass(getattr(eubrl_edu.labs, name), Lab)
