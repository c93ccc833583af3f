"""ScalingLab without a browser: its numbers, its store, its slices, its controls and picture."""

import asyncio
import io
import re

import numpy as np
import pytest
from PIL import Image

from eubrl_edu import make_env, simulation
from eubrl_edu.experiments import STUDIES, make_agent, run_study
from eubrl_edu.experiments.cells import used_by
from eubrl_edu.experiments.settings import paper_settings
from eubrl_edu.labs import ScalingLab, slices
from eubrl_edu.labs.scaling import run as scaling_run
from eubrl_edu.labs.scaling.picture import _count
from eubrl_edu.labs.scaling.run import find_store
from eubrl_edu.labs.scaling.scene import (
    COMPARED,
    REFERENCES,
    SCALING_STUDIES,
    SEED_COUNTS,
    Params,
    largest_here,
    reference_line,
    sizes_of,
    view,
)
from eubrl_edu.labs.slow_lab import STOPPED
from eubrl_edu.success import SuccessWatch
from tests.labs.there_and_back import require_nothing_left_behind
from tests.plotting.words import require_apart

QUICK = {"largest": 4, "seeds": 5, "agents": ("EUBRL", "RMAX", "Mean-MDP")}


@pytest.fixture(autouse=True, scope="module")
def no_store_of_the_package(tmp_path_factory):
    """Without the full run in ``figures``, which the lab finds by itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scaling_run, "DEFAULT_STORE", tmp_path_factory.mktemp("none") / "absent")
        yield


@pytest.fixture(scope="module")
def one_lab():
    return ScalingLab(**QUICK)


@pytest.fixture
def lab(one_lab):
    """A lab in its first state; one for all tests that run nothing more."""
    one_lab.presentation.value = False
    one_lab.set(**vars(Params(**QUICK)))
    return one_lab


@pytest.fixture
def own_lab():
    return ScalingLab(**QUICK)


@pytest.fixture
def no_runs(monkeypatch):
    def fail(cell, seed):
        raise AssertionError("nothing should run")

    monkeypatch.setattr(scaling_run, "run_once", fail)


def row(steps, solved, episodes=1):
    return {"steps": steps, "episodes": episodes, "solved": solved}


def spots_of(state, name):
    return {spot.size: spot for curve in state.curves if curve.name == name for spot in curve.spots}


# ---- numbers ------------------------------------------------------------------------------


def test_costs_are_those_of_the_readable_classes(lab):
    study = STUDIES["deepsea-deterministic"]
    for curve in lab.state.curves:
        for spot in curve.spots:
            env = make_env("deepsea", spot.size, seed=1)
            every = paper_settings("deepsea-deterministic", curve.name).plan_every
            agent = make_agent(curve.name, env, **used_by(curve.name, {"plan_every": every}))
            watch = SuccessWatch(study.success(env), agent)
            run = simulation.simulate(agent, env, study.step_limit(spot.size), 1, until=watch)
            assert spot.costs[1] == run.episode_ends.sum()
            assert spot.solved[1] == watch.solved


def test_means_and_shares_are_those_of_the_runs():
    params = Params(study="loop-scaling", agents=("EUBRL",), largest=4, seeds=5, reference="linear")
    costs = {2: [60, 70, 80, 70, 70], 4: [140, 7000, 150, 160]}
    rows = {
        ("EUBRL", size): {seed: row(cost, cost < 7000) for seed, cost in enumerate(of_size)}
        for size, of_size in costs.items()
    }
    state = view(params, rows)
    spots = spots_of(state, "EUBRL")
    assert state.study.metric == "steps" and state.missing == 1
    assert spots[2].cost.value == 70 and spots[2].success.value == 1
    assert spots[2].cost.low < 70 < spots[2].cost.high
    assert spots[4].cost.value == np.mean(costs[4]) and spots[4].success.value == 0.75
    assert spots[4].success.low < 0.75 < spots[4].success.high
    np.testing.assert_allclose(state.reference, [70, 140])
    assert list(state.limits) == [7000, 7000]


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_two_to_the_n_is_what_acting_at_random_costs(size):
    env = make_env("deepsea", size)
    paid = np.zeros_like(env.model.rewards)
    paid[env.model.rewards > 0.5] = 1.0
    # The probability of each cell under random moves, row by row, from the model alone.
    matrix = env.model.transition_matrix().mean(axis=1)
    here = np.zeros(env.n_states)
    here[0] = 1.0
    found = 0.0
    for _ in range(size):
        found += here @ paid.mean(axis=1)
        here = here @ matrix
    line = reference_line("2^N", STUDIES["deepsea-deterministic"], [size], (1, 1))
    assert 1 / found == pytest.approx(line[0])


def test_visits_of_every_pair():
    steps = reference_line("S·A·m", STUDIES["lazychain-stochastic"], [5, 10], (1, 1))
    np.testing.assert_allclose(steps, [9 * 3 * 10, 19 * 3 * 10])
    episodes = reference_line("S·A·m", STUDIES["deepsea-deterministic"], [10], (1, 1))
    np.testing.assert_allclose(episodes, [100 * 2 / 10])


def test_lines_through_the_first_point(lab):
    start = lab.state.curves[0].spots[0]
    for name, factor in (("linear", 2), ("quadratic", 4)):
        lab.set(reference=name)
        np.testing.assert_allclose(
            lab.state.reference, [start.cost.value, factor * start.cost.value]
        )
    lab.set(reference="none")
    assert np.isnan(lab.state.reference).all() and "Line to compare" not in repr(lab)


def test_every_study_has_sizes_and_agents_that_run_here():
    for name in SCALING_STUDIES:
        study = STUDIES[name]
        assert set(study.sizes) <= set(sizes_of(name))
        for agent in study.agents:
            assert agent in COMPARED
            assert largest_here(name, agent) >= sizes_of(name)[1]


# ---- store --------------------------------------------------------------------------------


def test_what_is_stored_appears_without_a_run(tmp_path, lab, request):
    path = tmp_path / "results.sqlite"
    run_study(
        "deepsea-deterministic", QUICK["agents"], [2, 4], range(5), progress=False, store=path
    )
    before = path.read_bytes()
    request.getfixturevalue("no_runs")
    stored = ScalingLab(path, **QUICK)
    assert stored.readout.words == lab.readout.words and stored.picture.value == lab.picture.value
    assert stored.code == f"{lab.code[:-1]}, store={str(path)!r})"
    again = eval(stored.code)
    assert again.readout.words == stored.readout.words
    stored.controls["seeds"].value = 10
    assert stored.state.missing == 3 * 2 * 5
    assert path.read_bytes() == before


def test_a_damaged_store_is_named_and_the_lab_goes_on(tmp_path, lab):
    path = tmp_path / "results.sqlite"
    path.write_bytes(b"not a store" * 100)
    other = ScalingLab(path, **QUICK)
    assert repr(other).startswith(repr(lab))
    assert str(path) in repr(other) and "goes on without it" in repr(other)


def test_a_store_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="not there"):
        ScalingLab(tmp_path / "nothing.sqlite")


def test_the_results_of_the_reproduction_are_found(tmp_path, monkeypatch):
    monkeypatch.setattr(scaling_run, "DEFAULT_STORE", tmp_path / "results.sqlite")
    assert find_store(None) is None
    (tmp_path / "results.sqlite").touch()
    assert find_store(None) == tmp_path / "results.sqlite"


# ---- work ---------------------------------------------------------------------------------


def test_a_change_runs_nothing_and_run_does(own_lab, monkeypatch):
    lab = own_lab
    runs = []
    run_once = scaling_run.run_once

    def counted(cell, seed):
        runs.append((cell.agent, cell.size, seed))
        return run_once(cell, seed)

    monkeypatch.setattr(scaling_run, "run_once", counted)
    lab.controls["largest"].value = 6
    assert not runs and "15 runs are still missing: press Run." in repr(lab)
    assert max(spots_of(lab.state, "EUBRL")) == 4
    lab.run_button.click()
    assert len(runs) == 15 and {size for _, size, _ in runs} == {6}
    assert "missing" not in repr(lab) and max(spots_of(lab.state, "EUBRL")) == 6
    lab.run_button.click()
    lab.controls["largest"].value = 2
    lab.controls["largest"].value = 6
    assert len(runs) == 15 and "missing" not in repr(lab)


def test_stop_keeps_what_is_done(own_lab, monkeypatch):
    lab = own_lab
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)

    async def session():
        lab.controls["seeds"].value = 100
        missing = lab.state.missing
        lab.run_button.click()
        work = lab._job.work
        while lab.progress.value < 0.05:
            await asyncio.sleep(0)
        assert not lab.stop_button.disabled and "Computing" in lab.status.value
        lab.stop_button.click()
        await work._task
        assert "Stopped at" in lab.status.value and lab.stop_button.disabled
        assert 0 < lab.state.missing < missing
        # A control that moves while runs are under way takes them along.
        lab.run_button.click()
        lab.controls["seeds"].value = 10
        await lab._job.work._task
        assert lab.state.missing == 0 and lab.state.params.seeds == 10

    asyncio.run(session())


def test_an_interrupted_load_goes_back_and_an_interrupted_run_shows_what_is_done(
    own_lab, monkeypatch
):
    lab, run_once, begun = own_lab, scaling_run.run_once, []

    def stopped_at_each_fourth(cell, seed):
        begun.append(seed)
        if len(begun) % 4 == 0:
            raise KeyboardInterrupt
        return run_once(cell, seed)

    monkeypatch.setattr(scaling_run, "run_once", stopped_at_each_fourth)
    before = repr(lab), lab.picture.value, lab.params
    with pytest.raises(KeyboardInterrupt):
        lab.load(largest=6)
    assert (repr(lab), lab.picture.value, lab.params) == before
    assert lab.status.value == STOPPED
    lab.controls["largest"].value = 6
    assert "12 runs are still missing" in repr(lab), "three of them are done, and stay"
    with pytest.raises(KeyboardInterrupt):
        lab.start_work()
    assert "9 runs are still missing" in repr(lab)
    assert "The picture shows what was done by then." in lab.status.value


def test_large_sizes_are_left_to_the_store(lab, no_runs):
    lab.controls["agents"].value = ("PSRL",)
    lab.controls["largest"].value = 50
    (row,) = (line for line in repr(lab).splitlines() if line.startswith("PSRL"))
    assert re.fullmatch(r"PSRL +│( +│)+( too long +│){3} too long", row)
    assert "Too long: a run of this size takes too long here" in repr(lab)
    assert lab.state.missing == 5 * sum(size <= 10 for size in lab.state.params.sizes)


# ---- controls and picture -----------------------------------------------------------------


def test_every_control_acts(lab):
    others = {
        "study": "lazychain-deterministic",
        "agents": ("EUBRL",),
        "largest": 6,
        "seeds": 20,
        "reference": "linear",
    }
    assert list(others) == list(lab.controls)
    for name, value in others.items():
        words, picture = repr(lab), lab.picture.value
        lab.controls[name].value = value
        assert repr(lab) != words and lab.picture.value != picture, name
        lab.set(**{"study": "deepsea-deterministic", "reference": "2^N"} | QUICK)


@pytest.mark.long
def test_any_study_and_any_value_leaves_a_picture(lab, no_runs):
    for study in ("loop-scaling", "deepsea-stochastic", "lazychain-stochastic"):
        changes = [("study", study), ("largest", sizes_of(study)[0]), ("agents", COMPARED)]
        changes += [("agents", ("EUBRL",)), ("largest", sizes_of(study)[-1])]
        for name, value in changes:
            lab.controls[name].value = value
            assert lab.state.params == lab.params
            assert "⚠" not in lab.readout.value and "nan" not in repr(lab)
    for reference in REFERENCES:
        lab.controls["reference"].value = reference
        assert "⚠" not in lab.readout.value and "nan" not in repr(lab)
    lab.controls["seeds"].value = SEED_COUNTS[-1]
    lab.presentation.value = True
    Image.open(io.BytesIO(lab.picture.value)).load()


def test_who_cannot_take_part_is_greyed_out_with_a_reason(lab):
    switches = lab.controls["agents"].switches
    assert switches["EUBRL-tied"].disabled and "EUBRL-tied (its tied prior" in lab.notes.value
    lab.controls["study"].value = "lazychain-stochastic"
    # Q-learning acts on values of its own, which this study judges like any plan's.
    assert not switches["EUBRL-tied"].disabled and not switches["Q-learning"].disabled


def test_agents_that_the_page_has_yet_to_introduce_wait_behind_more(lab):
    *front, more = lab.children[1].children
    shown, folded = (
        {widget.description for row in rows for widget in getattr(row, "children", ())}
        & set(COMPARED)
        for rows in (front, more.children)
    )
    assert shown == set(QUICK["agents"]) and folded == set(COMPARED) - shown


def test_no_agent_is_answered_in_words(lab):
    lab.controls["agents"].value = ()
    assert "⚠ agents must hold at least one" in lab.readout.value
    before = lab.controls["agents"].value
    assert before == tuple(curve.name for curve in lab.state.curves)
    lab.controls["agents"].value = before[1:]
    assert "⚠" not in lab.readout.value


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"study": "deepsee-deterministic"}, "Did you mean 'deepsea-deterministic'"),
        ({"study": "chain"}, "unknown study 'chain'"),
        ({"agents": ("EUBLR",)}, "Did you mean 'EUBRL'"),
        ({"agents": 3}, "agents must be a list"),
        ({"largest": 11}, r"largest must be one of \(2, 4, 6, 8, 10, 14, 20, 30, 50\), got 11"),
        ({"seeds": 7}, "seeds must be one of"),
        ({"reference": "3^N"}, "unknown reference"),
        ({"seads": 5}, "Did you mean 'seeds'"),
    ],
)
def test_bad_settings_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        ScalingLab(**settings)


def test_a_bad_value_later_is_answered_in_words(lab):
    lab.set(largest=11)
    assert "⚠ largest must be one of (2, 4," in lab.readout.value
    lab.set(largest=2)
    assert "⚠" not in lab.readout.value


def test_the_picture_shows_the_numbers(lab):
    panels, state = lab.panels, lab.state
    for curve in state.curves:
        agent = panels.agents[curve.name]
        means = [spot.cost.value for spot in curve.spots]
        np.testing.assert_allclose(agent.means.get_ydata(), means)
        whole = [spot.cost.value for spot in curve.spots if all(spot.solved)]
        np.testing.assert_allclose(agent.all_solved.get_ydata(), whole)
        assert len(agent.some_not.get_ydata()) == len(means) - len(whole)
        dots = [*agent.dots.get_ydata(), *agent.open_dots.get_ydata()]
        assert sorted(dots) == sorted(cost for spot in curve.spots for cost in spot.costs)
        unsolved = sum(not done for spot in curve.spots for done in spot.solved)
        assert len(agent.open_dots.get_ydata()) == unsolved
        rates = [spot.success.value for spot in curve.spots]
        np.testing.assert_allclose(agent.rates.get_ydata(), rates)
    assert not all(spots_of(state, "Mean-MDP")[4].solved)
    np.testing.assert_allclose(panels.reference_line.get_ydata(), [4, 16])
    assert panels.missing.texts == [""]
    low, high = panels.cost_axes.get_ylim()
    assert low < 4 and high > max(state.limits)


@pytest.mark.parametrize(
    "change",
    [
        {"study": "loop-scaling"},
        {"agents": ("EUBRL", "PSRL", "VBRB")},
        {"largest": 2},
        {"seeds": 10},
        *({"reference": name} for name in REFERENCES if name != Params.reference),
    ],
    ids=str,
)
def test_there_and_back_nothing_is_left_behind(lab, no_runs, change):
    # Another study has other sizes, so the largest moves along.
    start = {name: getattr(lab.params, name) for name in [*change, "largest"]}
    require_nothing_left_behind(lab, change, start)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (500, "500"), (20_000, "20,000"), (50_000, "50,000"), (1e5, "$10^{5}$"),
        (2e5, "$2·10^{5}$"), (5e6, "$5·10^{6}$"), (1000.0000000000001, "1,000"),
        (1e6 * (1 - 1e-15), "$10^{6}$"),
    ],
)  # fmt: skip
def test_no_two_ticks_have_the_same_number(value, words):
    assert _count(value, 0) == words


def test_words_do_not_overlap(lab, no_runs):
    lab.controls["agents"].value = COMPARED
    for presentation in (False, True):
        lab.presentation.value = presentation
        panels, renderer = lab.panels, lab.canvas.drawing.agg.get_renderer()
        words = [panels.title, panels.success_axes.title, panels.legend.words, panels.missing]
        words += [panels.size_ruler.name, *(ruler.numbers for ruler in panels.rulers)]
        require_apart(lab.figure, renderer, [*words, panels.size_ruler.numbers])
