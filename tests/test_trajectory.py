"""A run as arrays, and as a table."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu.trajectory import COLUMNS, Trajectory


@pytest.fixture(scope="module")
def dives():
    """Six dives of three steps, and two steps of a seventh."""
    world = eu.make_env("deepsea", size=3)
    return eu.simulate(eu.make_agent("EUBRL", world), world, steps=20, seed=0)


def test_an_empty_trajectory_has_empty_columns():
    empty = Trajectory.from_steps([])
    assert len(empty) == len(empty.to_frame()) == len(empty.episode_returns) == 0
    assert all(getattr(empty, column).shape == (0,) for column in COLUMNS)


def test_a_slice_is_to_be_taken_of_its_arrays(dives):
    assert dives[-1].next_state == dives.next_states[-1]
    with pytest.raises(TypeError, match="slice its arrays"):
        dives[1:3]


def test_a_table_and_returns_by_episode(dives):
    frame = dives.to_frame()
    assert len(frame) == 20 and frame.episode.max() == 6
    np.testing.assert_array_equal(frame.reward, dives.rewards)
    by_episode = frame.groupby("episode").reward.sum()
    np.testing.assert_allclose(dives.episode_returns, by_episode)


def test_a_notebook_shows_the_words_and_the_table(dives):
    shown = dives._repr_html_()
    assert shown.startswith(f"<p>{dives!r}</p>")
    (table,) = re.findall("<table.*</table>", shown, re.DOTALL)
    _, *rows = [[cell.text for cell in line] for line in ElementTree.fromstring(table).iter("tr")]
    head = [int(cell) for cell in rows[0][:4]]
    assert head == [0, 0, dives.states[0], dives.actions[0]]
    assert [float(row[4]) for row in rows] == pytest.approx(dives.rewards, abs=1e-6)
