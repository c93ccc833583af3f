"""What a reproduction runs, and how the time cap lowers seeds."""

import math

import pytest

from eubrl_edu.experiments import campaign
from eubrl_edu.experiments.campaign import (
    ALWAYS_ALL_SEEDS,
    LADDER,
    LARGE,
    MANY_SEEDS_AT_ANY_SIZE,
    SEEDS,
    Batch,
    beyond_batches,
    left_out,
    paper_batches,
    planning_intervals,
    run_batches,
    sweep_batches,
    variant_name,
)
from eubrl_edu.experiments.cells import study_cells
from eubrl_edu.experiments.studies import STUDIES


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
        environment, papers = STUDIES[study].environment, STUDIES[study].n_seeds
        large = size >= LARGE.get(environment, math.inf) and agent not in MANY_SEEDS_AT_ANY_SIZE
        assert batch.seeds == (papers if large else SEEDS[environment]) >= papers
        assert batch.capped == (agent not in ALWAYS_ALL_SEEDS)


def test_cheap_agents_come_first():
    capped = [batch.capped for batch in paper_batches()]
    assert capped == sorted(capped)


def test_every_number_of_seeds_is_on_the_ladder():
    batches = [*paper_batches(), *sweep_batches(), *paper_batches(True), *sweep_batches(True)]
    assert {batch.seeds for batch in batches if batch.capped} <= set(LADDER)


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
    calls = []

    def run_cells(cells, seeds, n_jobs, progress, store=None):
        calls.append(([cell.agent for cell in cells], len(seeds)))
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
            for cell in cells
            for seed in seeds
        ]

    monkeypatch.setattr(campaign, "run_cells", run_cells)
    return calls


BATCHES = [
    Batch("loop", ("EUBRL",), (2,), 100),
    Batch("loop", ("PSRL", "BEB"), (2,), 100, capped=True),
]


@pytest.mark.parametrize(("cap", "seeds"), [(0.6, 1), (4.1, 1), (8.5, 2), (50, 10), (1e9, 100)])
def test_the_cap_lowers_seeds_of_slow_cells_only(slow_runs, cap, seeds):
    frame = run_batches(BATCHES, cap=cap)
    counts = frame.agent.value_counts().to_dict()
    assert counts == {"EUBRL": 100, "PSRL": seeds, "BEB": 100 if cap >= 1 else 50}
    assert sorted(frame[frame.agent == "PSRL"].seed) == list(range(seeds))
    assert set(frame.wanted) == {100}


@pytest.mark.parametrize(
    ("cap", "solved", "expected"),
    [(6.5, False, []), (6.0, True, []), (6.0, False, [20, 40])],
)
def test_what_one_seed_cannot_finish_is_left_out(slow_runs, monkeypatch, cap, solved, expected):
    """PSRL takes 4 s at size 10; at size 20 there are 4 times the steps and the states: 64 s."""
    quick = campaign.run_cells
    monkeypatch.setattr(
        campaign, "run_cells", lambda *a, **k: [row | {"solved": solved} for row in quick(*a, **k)]
    )
    batches = [Batch("deepsea-deterministic", ("PSRL", "BEB"), (10, 20, 40), 5, capped=True)]
    missing = left_out(batches, run_batches(batches, cap=cap))
    assert [(cell.agent, cell.size) for cell in missing] == [("PSRL", size) for size in expected]


def test_uncapped_batches_run_first(slow_runs):
    run_batches(BATCHES, cap=50)
    assert slow_runs[0] == (["EUBRL"], 100)
    assert slow_runs[1] == (["PSRL", "BEB"], 1)


def test_one_cell_in_two_batches_keeps_both_labels(slow_runs):
    batches = [
        Batch("loop", ("EUBRL",), (2,), 10),
        Batch("loop", ("EUBRL",), (2,), 5, "eta=0.5", {"eta": 0.5}),
    ]
    counts = run_batches(batches).variant.value_counts()
    assert counts.to_dict() == {"paper": 10, "eta=0.5": 5}
