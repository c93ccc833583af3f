"""What the README says can be done."""

import re
import shlex
from pathlib import Path

import pytest

from eubrl_edu.cli import _parser

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_its_python_runs_from_top_to_bottom():
    names = {}
    for block in blocks("python"):
        exec(compile(block.replace("range(20)", "range(2)"), "README.md", "exec"), names)
    assert set(names["frame"].agent) == {"EUBRL", "RMAX"}
    assert names["frame"]["size"].unique().tolist() == [5, 10]
    assert names["plan"].q.shape == (101, 2)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines()]


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("eubrl-edu")])
def test_its_commands_are_understood(line):
    _parser().parse_args(shlex.split(line, comments=True)[1:])


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("make")])
def test_its_targets_are_in_the_makefile(line):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\n{line.split()[1]}:" in makefile


def test_the_folders_that_it_lists_are_there():
    table = README.split("| folder |")[1].split("\n\n")[0]
    listed = re.findall(r"`([^`]+)`", table)
    assert len(listed) > 10
    for name in listed:
        places = [ROOT / name, ROOT / "eubrl_edu" / name]
        assert name == "make bench" or any(place.exists() for place in places), name
