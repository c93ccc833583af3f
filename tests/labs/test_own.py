"""Agents of one's own in a lab's line of Python."""

import ast

import pytest

from eubrl_edu.labs.own import OwnAgent


@pytest.mark.parametrize(
    ("name", "made_by"),
    [
        ("my agent, the 2nd", "make_my_agent_the_2nd"),
        ("UCB²", "make_UCB"),  # no name in Python may hold this sign
        ("β", "make_β"),
        ("★", "make_2605"),
        ("☆", "make_2606"),
    ],
)
def test_a_line_can_be_read_by_python_whatever_an_agent_is_called(name, made_by):
    call = ast.parse(repr(OwnAgent(name, lambda world: None)), mode="eval").body
    assert [call.args[0].value, call.args[1].id] == [name, made_by]
