"""The table of bad inputs: every row is refused as it says, and leaves nothing changed."""

import pickle
import re

import numpy as np
import pytest

from tests.bad_inputs import agents, beliefs, planning, running, theory, worlds

FAMILIES = (worlds, beliefs, planning, agents, running, theory)
ROWS = [row for family in FAMILIES for row in family.rows()]


def name(row):
    """The call on one line, without addresses: every process gives its tests the same names."""
    return re.sub(r"\s+", " ", re.sub(r" at 0x\w+|from '[^']*'", "", row.what))[:120]


@pytest.mark.parametrize("row", ROWS, ids=map(name, ROWS))
def test_bad_input(row, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    generator = pickle.dumps(np.random.get_state())
    before = pickle.dumps(row.keeps()) if row.keeps else None
    with pytest.raises(row.error) as caught:
        row.call()
    assert re.search(row.names, str(caught.value), re.DOTALL), str(caught.value)
    assert before == (pickle.dumps(row.keeps()) if row.keeps else None)
    assert generator == pickle.dumps(np.random.get_state())
    assert not list(tmp_path.iterdir())


def test_the_table_is_large_and_repeats_nothing():
    assert len(ROWS) >= 400
    assert len({(row.what, row.names) for row in ROWS}) == len(ROWS)
