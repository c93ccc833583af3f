"""What a reproduction runs: numbers of runs as data, which no clock changes."""

import pytest

from eubrl_edu.experiments.cells import study_cells
from eubrl_edu.experiments.studies import STUDIES
from eubrl_edu.reproduction import campaign
from eubrl_edu.reproduction.campaign import (
    Batch,
    beyond_batches,
    paper_batches,
    planning_intervals,
    run_batches,
    sweep_batches,
    variant_name,
)


def test_the_full_run_is_every_study_agent_size_and_seed():
    planned = {
        (batch.study, agent, size): batch
        for batch in paper_batches()
        for agent in batch.agents
        for size in batch.sizes
    }
    wanted = {
        (s.name, agent, size) for s in STUDIES.values() for agent in s.agents for size in s.sizes
    }
    assert set(planned) == wanted
    for (study, agent, size), batch in planned.items():
        seas = agent == "PSRL" and study.startswith("deepsea") and size == 50
        assert batch.seeds == 3 if seas else batch.seeds >= STUDIES[study].n_seeds


def test_a_quick_run_has_as_few_seeds_everywhere():
    batches = [*paper_batches(True), *sweep_batches(True), *beyond_batches(True)]
    assert {batch.seeds for batch in batches} == {campaign.QUICK_SEEDS}


def test_all_settings_are_valid():
    for batch in [*sweep_batches(), *beyond_batches()]:
        # At a small size, as making a large world takes a while.
        assert study_cells(batch.study, batch.agents, (5,), batch.settings)


def test_planning_intervals():
    assert planning_intervals(20) == [1, 10, 20, 100, "episode"]
    assert planning_intervals(10) == [1, 5, 10, 50, "episode"]


def test_variant_names_tell_settings_apart():
    assert variant_name({"reward_model": "normal", "tau": 1e4}) == "reward_model=normal, tau=10000"
    batches = sweep_batches()
    names = {(b.study, b.agents, b.sizes, b.variant, str(b.settings)) for b in batches}
    assert len({name[:4] for name in names}) == len(names)


@pytest.fixture
def slow_runs(monkeypatch):
    """Runs that take 0.01 s (RMAX) or 4 s (PSRL) by their own account."""

    def run_cells(runs, n_jobs, progress, store=None):
        return [
            {
                "study": cell.study.name,
                "agent": cell.agent,
                "size": cell.size,
                "seed": seed,
                "steps": 10,
                "episodes": 1,
                "solved": True,
                "total_return": 0.0,
                "return_1000": 0.0,
                "seconds": 4.0 if cell.agent == "PSRL" else 0.01,
            }
            for cell, seed in runs
        ]

    monkeypatch.setattr(campaign, "run_cells", run_cells)


BATCHES = [Batch("loop", ("EUBRL", "BEB"), (2,), 100), Batch("loop", ("PSRL",), (2,), 3)]


def test_what_runs_does_not_hang_on_how_long_it_takes(slow_runs):
    frame = run_batches(BATCHES)
    assert frame.agent.value_counts().to_dict() == {"EUBRL": 100, "PSRL": 3, "BEB": 100}
    assert sorted(frame[frame.agent == "PSRL"].seed) == [0, 1, 2]


def test_one_cell_in_two_batches_keeps_both_labels(slow_runs):
    batches = [
        Batch("loop", ("EUBRL",), (2,), 10),
        Batch("loop", ("EUBRL",), (2,), 5, "eta=0.5", {"eta": 0.5}),
    ]
    counts = run_batches(batches).variant.value_counts()
    assert counts.to_dict() == {"paper": 10, "eta=0.5": 5}
