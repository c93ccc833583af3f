"""The table of bad inputs and faults: every row ends as it says, and leaves nothing changed."""

import itertools
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from eubrl_edu.environments import Outcome, TabularEnvironment
from eubrl_edu.experiments import AGENT_NAMES
from eubrl_edu.experiments.records import AGENTS
from tests.bad_inputs import (
    agents,
    beliefs,
    clusters,
    commands,
    drawn,
    faults,
    intervals,
    listings,
    names,
    planning,
    recordings,
    running,
    saved,
    signals,
    stores,
    studies,
    survived,
    theory,
    worlds,
)

INPUTS = (
    worlds, beliefs, planning, agents, running, theory, names, studies, stores, commands, saved,
    recordings, listings, intervals,
)  # fmt: skip
FAMILIES = (*INPUTS, faults, signals, clusters, survived)


class Slippery(TabularEnvironment):
    """Two states; each action leads to one of them, or slips. BEETLE's plan is quickly made."""

    def __init__(self):
        super().__init__(2, 2)

    def outcomes(self, state, action):
        yield Outcome(0.75, action, float(action))
        yield Outcome(0.25, 1 - action, 0.0)


LOOP, SLIPPERY = eu.make_env("loop", size=1), Slippery()
# Others need a world that suits them.
WORLD_OF = {
    "EUBRL-tied": eu.make_env("lazychain", size=1), "BEETLE": SLIPPERY, "BEETLE-tied": SLIPPERY,
}  # fmt: skip
ROWS = [row for family in FAMILIES for row in family.rows()]
PLACES = {name: drawn.places(kind, ROWS) for name, kind in drawn.KINDS.items()}


def by_place(rows):
    """Rows of one place together: a test each would cost more than the calls."""
    groups = itertools.groupby(rows, key=lambda row: id(row.place or row))
    return [list(group) for _, group in groups]


def name(rows):
    """What is called, without addresses: every process gives its tests the same names."""
    what = rows[0].place.what if rows[0].place else rows[0].what
    return re.sub(r"\s+", " ", re.sub(r" at 0x\w+|from '[^']*'", "", what))[:120]


def state(row):
    """What the call may not change, apart from the files that it may leave."""
    files = {path.as_posix(): path.is_file() and path.read_bytes() for path in Path().rglob("*")}
    for file in row.leaves:
        files.pop(file, None)
    return pickle.dumps((np.random.get_state(), files, row.keeps() if row.keeps else None))


@pytest.mark.parametrize(
    "rows", [pytest.param(rows, marks=rows[0].marks, id=name(rows)) for rows in by_place(ROWS)]
)
def test_bad_inputs(rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for row in rows:
        try:
            require_as_it_says(row)
        except BaseException as error:
            error.add_note(f"This is what came of {row.what}.")
            raise


def require_as_it_says(row):
    with row.given():
        before = state(row)
        if row.error is None:
            answer = row.call()
        else:
            with pytest.raises(row.error) as caught:
                row.call()
            assert caught.type is row.error
            answer = caught.value
        assert re.search(row.names, str(answer), re.DOTALL), str(answer)
        assert before == state(row)
    assert row.holds(answer)


@pytest.mark.parametrize(
    ("agent", "setting"),
    [(name, setting) for name in AGENT_NAMES for setting in AGENTS[name].settings],
)
@given(st.floats() | st.integers())
def test_a_setting_is_taken_or_refused_in_its_own_name(agent, setting, value):
    try:
        eu.make_agent(agent, WORLD_OF.get(agent, LOOP), **{setting: value})
    except (ValueError, TypeError) as error:
        assert re.search(rf"\b{setting}\b", str(error)), error


@pytest.mark.parametrize("kind", PLACES)
@given(data=st.data())
def test_what_is_drawn_is_refused_wherever_its_kind_is_asked_for(kind, data):
    value = data.draw(drawn.KINDS[kind].values)
    for place in PLACES[kind]:
        before = pickle.dumps(place.keeps()) if place.keeps else None
        with pytest.raises(ValueError) as caught:
            place.call(value)
            pytest.fail(f"{place.what} takes {value!r}")
        assert re.search(place.names, str(caught.value), re.DOTALL), (place.what, caught.value)
        assert before == (pickle.dumps(place.keeps()) if place.keeps else None), place.what


def test_every_kind_is_asked_for_in_many_places():
    assert len(PLACES["number"]) > 200 and min(map(len, PLACES.values())) >= 9


def test_the_table_is_large_and_repeats_nothing():
    assert len(ROWS) >= 400
    assert len({(row.what, row.names) for row in ROWS}) == len(ROWS)
