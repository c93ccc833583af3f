"""Tuning: the search finds what there is to find, and sweeps what matters."""

import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from eubrl_edu import make_agent
from eubrl_edu.environments import Outcome, TabularEnvironment
from eubrl_edu.experiments import AGENT_NAMES, STUDIES, Study, run_study, tuning
from eubrl_edu.experiments.cells import run_once, study_cells, used_by
from eubrl_edu.experiments.grids import ETA_MULTIPLES, paper_grid
from eubrl_edu.experiments.records import AGENTS
from eubrl_edu.experiments.tuning import SEEDS, tune
from eubrl_edu.plotting.tuning import draw_tuning

GRID = {"x": [0, 1, 2, 3, 4], "y": [0, 1, 2, 3, 4], "z": [0, 1, 2]}


def searched(search, function, start, higher):
    tried = []

    def try_out(combinations):
        tried.extend(combinations)
        return [{"score": float(function(**c))} for c in combinations]

    trials, best = search(try_out, start, GRID, higher)
    assert [{name: t[name] for name in GRID} for t in trials] == tried
    assert [t["score"] for t in trials] == [function(**c) for c in tried]
    return best, trials


@pytest.mark.parametrize("sign", [1, -1])
def test_a_line_search_finds_the_top_of_a_hill(sign):
    def hill(x, y, z):
        return sign * -((x - 3) ** 2 + (y - 1) ** 2 + (z - 2) ** 2 + 0.5 * (x - 3) * (y - 1))

    start = {"x": 0, "y": 4, "z": 0}
    best, trials = searched(tuning._search_lines, hill, start, sign > 0)
    assert best == {"x": 3, "y": 1, "z": 2}
    last = [t for t in trials if t["round"] == trials[-1]["round"]]
    for line in (list(g) for _, g in itertools.groupby(last, key=lambda t: t["line"])):
        assert {name: line[0][name] for name in GRID} == best


def test_a_line_search_stops_where_no_line_is_better_and_the_grid_does_not():
    def two_hills(x, y, z):
        return {(0, 0): 1, (4, 4): 2}.get((x, y), 0)

    start = {"x": 0, "y": 0, "z": 0}
    assert searched(tuning._search_lines, two_hills, start, True)[0] == start
    best, trials = searched(tuning._search_everywhere, two_hills, start, True)
    assert best == {"x": 4, "y": 4, "z": 0} and len(trials) == 5 * 5 * 3


def test_of_equals_the_settings_in_force_are_kept():
    start = {"x": 2, "y": 3, "z": 1}
    best, trials = searched(tuning._search_lines, lambda **_: 7, start, True)
    assert best == start and trials[-1]["round"] == 1


def test_a_setting_that_is_better_by_rounding_only_is_no_better():
    start = {"x": 2, "y": 3, "z": 1}
    best, _ = searched(tuning._search_lines, lambda **c: 167 + 3e-14 * c["x"], start, True)
    assert best == start


def test_a_start_off_the_grid_is_tried_too():
    start = {"x": 2.5, "y": 0, "z": 0}
    for search in (tuning._search_lines, tuning._search_everywhere):
        assert searched(search, lambda x, **_: -abs(x - 2.5), start, True)[0]["x"] == 2.5


def test_the_papers_grids():
    assert paper_grid("chain", "EUBRL", 5) == {
        "eta": (1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 50.0, 100.0, 300.0),
        "alpha": (1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8),
    }, "rewards are known: no beta0"
    assert paper_grid("loop", "PSRL", 2)["beta0"] == (1.0, 0.5, 0.1, 0.05, 0.01, 0.001, 0.0001)
    assert paper_grid("deepsea-stochastic", "RMAX", 10) == {"known_after": (1, 3, 5, 10, 20)}
    # The factor of the size; the largest reward is 2N - 1.
    assert paper_grid("lazychain-stochastic", "EUBRL", 50)["eta"][4:6] == (4.0, 6.0)
    assert list(paper_grid("loop", "Q-learning", 2)) == ["learning_rate", "epsilon"]
    assert list(paper_grid("chain", "BEETLE-tied", 5)) == ["alpha"]


def test_every_agent_has_a_grid_or_a_reason():
    for record in AGENTS.values():
        assert bool(record.swept) or record.not_tuned or not record.uses, record.name


def test_an_agent_without_settings_cannot_be_tuned(monkeypatch):
    monkeypatch.setitem(AGENTS, "PSRL", replace(AGENTS["PSRL"], uses=frozenset()))
    for grid in (None, {"discount": [0.5, 0.9]}):
        with pytest.raises(
            ValueError, match="agent must have a setting to tune, and PSRL uses none"
        ):
            tune("loop", "PSRL", grid=grid, progress=False)


def test_q_learning_is_tuned_too():
    found = tune("loop", "Q-learning", seeds=2, progress=False)
    assert found.start == {"learning_rate": 0.1, "epsilon": 0.1}
    assert set(found.table.seeds) == {2}
    assert found.score(found.best)[0] == found.table.score.max()


def test_a_score_is_that_of_settings_that_were_tried_together():
    found = tune("loop", "Q-learning", seeds=2, progress=False)
    grid = paper_grid("loop", "Q-learning", 2)
    every = [dict(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    tried = found.table[list(grid)].to_dict("records")
    alone = [settings for settings in every if settings not in tried]
    assert alone
    for settings in (*alone, {"epsilon": 0.1}, {}, {"eta": 1.0}, "best"):
        with pytest.raises(ValueError, match="values of learning_rate, epsilon that were tried"):
            found.score(settings)


def test_seeds_are_not_among_the_reported_ones():
    assert min(SEEDS) >= 10 * max(study.n_seeds for study in STUDIES.values())


@pytest.mark.parametrize("agent", [name for name, record in AGENTS.items() if not record.not_tuned])
def test_swept_settings_matter_and_others_do_not(agent):
    assert agent in AGENT_NAMES
    study, size = "deepsea-stochastic", 4
    if agent == "EUBRL-tied":  # it is for chains
        study, size = "lazychain-stochastic", 2
    if agent == "BEETLE-tied":
        study, size = "chain", 5
    extremes = {"eta": (0.01, 100.0), "alpha": (1e-8, 0.5), "beta0": (1e-4, 5.0),
                "known_after": (1, 9), "learning_rate": (0.01, 1.0),
                "epsilon": (0.0, 0.5)}  # fmt: skip
    for name, values in extremes.items():
        if name not in AGENTS[agent].uses:
            with pytest.raises(ValueError, match=f"{name} must be left out"):
                study_cells(study, [agent], [size], {name: values[0]})
            continue
        rows = []
        for value in values:
            settings = {"discount": 0.9, "plan_every": 1, "alpha": 0.1, name: value}
            (cell,) = study_cells(study, [agent], [size], used_by(agent, settings))
            rows.append([run_once(cell, seed) for seed in range(3)])
        runs = [[(r["steps"], r["total_return"]) for r in these] for these in rows]
        assert (runs[0] != runs[1]) == (name in AGENTS[agent].swept), name


def test_the_table_holds_what_a_study_gives(tmp_path):
    grid = {"eta": [0.5, 4.0], "alpha": [1.0]}
    arguments = {"seeds": range(10_000, 10_004), "progress": False}
    store = tmp_path / "results.sqlite"
    found = tune("chain", "EUBRL", grid=grid, store=store, **arguments)
    assert (found.study, found.agent, found.size, found.metric) == ("chain", "EUBRL", 5, "return")
    assert found.start == {"eta": 30, "alpha": 0.1}
    for _, trial in found.table.iterrows():
        settings = {"eta": trial.eta, "alpha": trial.alpha}
        runs = run_study("chain", ["EUBRL"], settings=settings, **arguments)
        assert trial.score == runs.total_return.mean()
        assert trial.score_se == pytest.approx(runs.total_return.sem())
        assert trial.seeds == 4 and np.isnan(trial.solved)
    assert found.score(found.best)[0] == found.table.score.max()
    again = tune("chain", "EUBRL", grid=grid, store=store, **arguments)
    pd.testing.assert_frame_equal(found.table, again.table)
    assert "eta=30, alpha=0.1" in found.describe() and "more is better" in found.describe()


def test_steps_are_better_fewer_and_eta_is_the_factor():
    arguments = {"seeds": range(10_000, 10_003), "progress": False}
    found = tune("lazychain-stochastic", "EUBRL", 3, grid={"eta": [0.01, 6.0]}, **arguments)
    assert found.metric == "steps" and found.eta_per_size and found.start == {"eta": 6.0}
    fewest = found.table.score.min()
    assert found.score(found.best)[0] == fewest < found.table.score.max()
    runs = run_study("lazychain-stochastic", ["EUBRL"], [3], settings={"eta": 18}, **arguments)
    tried = found.table[found.table.eta == 6.0]
    assert tried.score.iloc[0] == runs.steps.mean() and tried.solved.iloc[0] == runs.solved.mean()
    assert "multiplied by the size" in found.describe()
    assert found.describe().endswith("likely to do worse.")


@pytest.mark.parametrize("scaled", [[False, True], [True, False]])
def test_where_the_grid_says_whether_eta_is_scaled_each_row_has_run_as_it_says(scaled):
    """One study in which the paper scales η, and one in which it does not."""
    arguments = {"seeds": range(10_000, 10_002), "progress": False}
    grid = {"eta": [0.1, 2.0], "eta_per_size": scaled}
    for study, size in (("lazychain-deterministic", 5), ("loop", 8)):
        found = tune(study, "EUBRL", size, grid=grid, every_combination=True, **arguments)
        for row in found.table.itertuples():
            settings = {"eta": row.eta, "eta_per_size": bool(row.eta_per_size)}
            runs = run_study(study, ["EUBRL"], [size], settings=settings, **arguments)
            column = "total_return" if found.metric == "return" else found.metric
            assert row.score == runs[column].mean(), settings
        assert found.table.score.nunique() > 1 and "to be multiplied" not in found.describe()


def test_the_sea_is_measured_in_episodes():
    arguments = {"seeds": range(10_000, 10_003), "progress": False}
    found = tune("deepsea-deterministic", "EUBRL", 4, grid={"beta0": [0.1]}, **arguments)
    runs = run_study("deepsea-deterministic", ["EUBRL"], [4], settings=found.best, **arguments)
    assert found.metric == "episodes" and "fewer is better" in found.describe()
    assert found.score(found.best)[0] == runs.episodes.mean() != runs.steps.mean()


def test_an_agent_that_solves_nothing_is_said_to():
    arguments = {"seeds": range(10_000, 10_003), "progress": False}
    found = tune("deepsea-deterministic", "Mean-MDP", 10, grid={"alpha": [0.1]}, **arguments)
    assert found.describe().count("(standard error), solved 0 of 3") == 2


def test_scores_that_differ_by_rounding_have_no_standard_error():
    study = STUDIES["loop"]
    rows = [{"total_return": value} for value in (0.1 + 0.2, 0.3, 0.3)]
    assert tuning._score(study, rows)["score_se"] == 0
    assert tuning._score(study, [*rows, {"total_return": 0.4}])["score_se"] > 0


def test_one_seed_has_no_standard_error():
    found = tune("chain", "EUBRL", seeds=[0], grid={"eta": [30.0]}, progress=False)
    assert found.describe().splitlines()[1].endswith(f"{found.table.score[0]:.6g} (one seed)")


def pixels(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


@pytest.mark.parametrize("every_combination", [False, True])
def test_the_heat_map_shows_every_score(every_combination):
    found = tune(
        *("loop", "EUBRL", 2, [10_000]),
        grid={"eta": [0.5, 2.0], "alpha": [1e-8, 1.0], "beta0": [1e-4, 1.0]},
        every_combination=every_combination,
        progress=False,
    )
    figure = draw_tuning(found)
    written = [text.get_text() for axis in figure.axes for text in axis.texts]
    shown = sorted(float(text.split("\n")[-1]) for text in written if text)
    assert shown == sorted(float(f"{score:.4g}") for score in found.table.score)
    assert figure.get_suptitle() == "EUBRL in loop, size 2"
    assert pixels(figure).std() > 10
    frames = sum(len(axis.patches) for axis in figure.axes)
    assert frames == (found.table.score == found.table.score.max()).sum()


@pytest.mark.parametrize("every_combination", [False, True])
@pytest.mark.parametrize(
    ("agent", "grid", "written"),
    [
        ("EUBRL", {"plan_every": [1, "episode"]}, ["1", "episode"]),
        ("RMAX", {"r_max": [None, 2.0]}, ["None", "2"]),
    ],
)
def test_words_and_nothing_are_values_like_others(agent, grid, written, every_combination):
    more = {"every_combination": every_combination, "progress": False}
    found = tune("loop", agent, seeds=1, grid=grid, **more)
    ((name, values),) = grid.items()
    assert set(found.table[name]) == set(values) and found.best[name] in values
    axes = draw_tuning(found).axes[0]
    cells = [text.get_text().split("\n")[0] for text in axes.texts]
    labels = [label.get_text().removesuffix(".0") for label in axes.get_xticklabels()]
    assert sorted(labels if every_combination else cells) == sorted(written)


class Costs(TabularEnvironment):
    """A round of three states; state 3 is never reached, and has one or two outcomes."""

    def __init__(self, unreached):
        self.unreached = unreached
        super().__init__(4, 2, max_episode_steps=20)

    def outcomes(self, state, action):
        if state == 3:
            share = 1 / len(self.unreached)
            return [Outcome(share, following, -1.0) for following in self.unreached]
        return [Outcome(1.0, (state + 1) % 3 if action else state, -2.0 - state)]


@pytest.mark.parametrize("unreached", [(3,), (3, 0)])
def test_an_unused_place_of_a_table_is_no_reward(unreached):
    assert make_agent("RMAX", Costs(unreached)).r_max == -1


def test_where_all_is_a_cost_eta_is_swept_in_units_of_the_largest():
    costs = Study(name="costs", environment=lambda size=None: Costs((3, 0)), steps=20)
    grid = paper_grid(costs, "EUBRL", None)["eta"]
    assert grid == tuple(4.0 * multiple for multiple in ETA_MULTIPLES)
    cliff = Study(name="cliff", environment="CliffWalking-v1", steps=20)
    assert paper_grid(cliff, "MBIE-EB", None)["eta"][-1] == 100 * ETA_MULTIPLES[-1]


def test_a_study_of_lazychain_may_leave_its_size_out():
    study = Study(name="mine", environment="lazychain", steps=50)
    assert paper_grid(study, "EUBRL", None) == paper_grid(study, "EUBRL", 10)
