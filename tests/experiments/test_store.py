"""The store: what goes in comes out; what is not a store is refused and left as it is."""

import json
import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.experiments import store as module
from eubrl_edu.experiments.cells import canonical, study_cells
from eubrl_edu.experiments.store import Store

CELL = ("loop", "EUBRL", 2)
SETTINGS = canonical({"eta": 0.5})


def row(seed, **changes):
    return {
        "study": "loop",
        "agent": "EUBRL",
        "size": 2,
        "seed": seed,
        "steps": 1000,
        "episodes": 1,
        "solved": None,
        "total_return": 0.1 + 0.2,
        "return_1000": 0.1 + 0.2,
        "seconds": 0.001,
    } | changes


def fill(path, n_rows, settings=SETTINGS):
    with Store(path) as store:
        for seed in range(n_rows):
            store.add(row(seed), settings)


def read(path, settings=SETTINGS):
    with Store(path) as store:
        return store.rows(*CELL, settings)


def same(one, other):
    return one.keys() == other.keys() and all(
        value == other[name] or (value != value and other[name] != other[name])
        for name, value in one.items()
    )


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(
    steps=st.integers(1, 2**62),
    solved=st.sampled_from([None, True, False]),
    total_return=finite,
    return_1000=finite | st.just(math.nan),
    seconds=st.floats(0, 1e9),
)
def test_a_row_comes_back_bit_for_bit(**values):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.sqlite"
        kept = row(7, **values)
        with Store(path) as store:
            store.add(kept, SETTINGS)
        (found,) = read(path).values()
        assert same(found, kept)
        assert [type(value) for value in found.values()] == [type(value) for value in kept.values()]


def test_every_part_of_the_key_counts(tmp_path, monkeypatch):
    path = tmp_path / "results.sqlite"
    fill(path, 3)
    with Store(path) as store:
        assert list(store.rows(*CELL, SETTINGS)) == [0, 1, 2]
        assert store.rows("chain", "EUBRL", 2, SETTINGS) == {}
        assert store.rows("loop", "EUBRL+", 2, SETTINGS) == {}
        assert store.rows("loop", "EUBRL", 4, SETTINGS) == {}
        assert store.rows(*CELL, canonical({"eta": 0.25})) == {}
        monkeypatch.setattr(module, "VERSION", "0.1.0+other sources")
        assert store.rows(*CELL, SETTINGS) == {}


def test_rows_of_older_sources_are_found_where_they_are_asked_for(tmp_path, monkeypatch):
    path, now = tmp_path / "results.sqlite", module.VERSION
    for version, steps, n_rows in (("0.0.9", 9, 3), (now, 10, 2), ("9.9.9", 99, 3)):
        monkeypatch.setattr(module, "VERSION", version)
        with Store(path) as store:
            for seed in range(n_rows):
                store.add(row(seed, steps=steps), SETTINGS)
    monkeypatch.setattr(module, "VERSION", now)
    with Store(path) as store:
        assert list(store.rows(*CELL, SETTINGS)) == [0, 1]
        found = store.rows(*CELL, SETTINGS, any_version=True)
    assert [found[seed]["steps"] for seed in range(3)] == [10, 10, 99]


def test_the_rows_of_the_reproduction_can_be_read():
    """They were written under another key than that of the sources as they are."""
    (cell,) = study_cells("loop", ["EUBRL"], [2])
    with Store(Path(__file__).parents[2] / "figures" / "data" / "runs.sqlite") as store:
        rows = store.rows("loop", "EUBRL", 2, cell.key(), any_version=True)
    assert len(rows) >= 500


def test_the_order_of_settings_does_not_count():
    assert canonical({"eta": 1.0, "alpha": 1e-8}) == canonical({"alpha": 1e-8, "eta": 1.0})
    assert json.loads(canonical({"alpha": 1e-8})) == {"alpha": 1e-8}


def test_of_two_rows_with_one_key_the_first_stays(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store(path) as one, Store(path) as other:
        one.add(row(0, seconds=1.0), SETTINGS)
        other.add(row(0, seconds=2.0), SETTINGS)
        other.add(row(1, seconds=2.0), SETTINGS)
    assert {seed: found["seconds"] for seed, found in read(path).items()} == {0: 1.0, 1: 2.0}


def test_a_row_worth_some_computing_is_written_at_once(tmp_path):
    path = tmp_path / "results.sqlite"
    with Store(path) as store:
        store.add(row(0, seconds=module.WORTH_SECONDS), SETTINGS)
        assert list(read(path)) == [0]
        store.add(row(1, seconds=module.WORTH_SECONDS / 10), SETTINGS)
    assert list(read(path)) == [0, 1]


def test_rows_are_kept_when_something_else_goes_wrong(tmp_path):
    path = tmp_path / "results.sqlite"
    with pytest.raises(KeyboardInterrupt), Store(path) as store:
        store.add(row(0), SETTINGS)
        raise KeyboardInterrupt
    assert list(read(path)) == [0]


def test_an_empty_file_is_a_new_store(tmp_path):
    path = tmp_path / "results.sqlite"
    path.touch()
    fill(path, 1)
    assert list(read(path)) == [0]
