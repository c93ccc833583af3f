"""RaceLab without a browser: its numbers against plain runs, who may race, Stop, extremes."""

import asyncio
import io
import math
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import eubrl_edu as eu
from eubrl_edu.environments.reach import reachable_states
from eubrl_edu.experiments import AGENT_NAMES
from eubrl_edu.labs import RaceLab, slices
from eubrl_edu.labs.controls import AgentPicker
from eubrl_edu.labs.race import scene
from eubrl_edu.labs.race.lane import MOST_UNCOMPILED_SEEDS
from eubrl_edu.labs.race.run import FIRST_SEEDS, RaceMemory, prepare
from eubrl_edu.labs.race.scene import TUNABLE, Params, shown_times, success_rule
from eubrl_edu.labs.race.words import describe
from eubrl_edu.labs.slices import finish
from eubrl_edu.labs.world_settings import LAB_AGENTS
from eubrl_edu.plotting.legend import AGENT_STYLES
from eubrl_edu.plotting.names import percent
from eubrl_edu.success import SuccessWatch
from tests.labs.there_and_back import require_nothing_left_behind
from tests.plotting.words import require_apart

START = {
    "world": "loop",
    "size": 2,
    "agents": ("EUBRL", "RMAX", "Q-learning"),
    "seeds": 1,
    "seed": 0,
    "until": 100,
    "steps": 120,
    "tuned": "EUBRL",
    "show": "return",
}


@pytest.fixture(scope="module")
def one_lab():
    return RaceLab(**START)


@pytest.fixture
def lab(one_lab):
    """A lab in its first state; one for all tests, since making its picture takes a while."""
    one_lab.presentation.value = False
    one_lab.set(**START)
    return one_lab


def pixels(lab) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(lab.picture.value)))


def row_of(lab, name) -> dict[str, str]:
    """What the table in the words says of an agent."""
    lines = [line.split("│") for line in str(lab).splitlines() if "│" in line]
    head, *rows = ([cell.strip() for cell in line] for line in lines)
    (row,) = [row for row in rows if row[0] == name]
    return dict(zip(head, row, strict=False))


def shown(*by_agent) -> list:
    """The artists that are to be seen."""
    return [artist for each in by_agent for artist in each.values() if artist.get_visible()]


def race_of(**settings):
    return finish(prepare(Params(**{"seeds": 1, "steps": 120} | settings), RaceMemory()))


@pytest.mark.parametrize("world", ["chain", "bandit", "loop"])
@pytest.mark.parametrize("tuned", ["EUBRL", "PSRL", "BOSS", "MBIE-EB"])
def test_words_tell_the_settings_that_the_tuned_agent_has_and_no_others(world, tuned):
    state = race_of(world=world, tuned=tuned, agents=(tuned,), steps=20)
    head = describe(state).splitlines()[0]
    for name, symbol in (("eta", "η"), ("alpha", "α"), ("beta0", "β₀")):
        assert (f"{symbol} " in head) != (name in scene.at_rest(state.params, state.env))
    assert ("η" in head) == (tuned in ("EUBRL", "MBIE-EB"))


def test_rounding_is_no_reward_lost():
    state = race_of(agents=("EUBRL",))
    end = state.optimum[-1]
    assert state.shown(np.array([end + 3e-14, end - 3e-14, end - 0.5]), -1).tolist() == [0, 0, 0.5]


# ---- every number is that of a plain run of the readable classes -------------------------

CASES = [
    {"world": "loop", "size": 2},
    {"world": "deepsea", "size": 3, "alpha": 1e-6},
    {"world": "lazychain", "size": 3, "stochastic": True, "alpha": 1e-4, "beta0": 0.1},
    {"world": "chain", "alpha": 0.1},
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["world"])
def test_runs_are_those_of_the_plain_simulation(case):
    params = Params(agents=("EUBRL", "PSRL", "RMAX", "Q-learning"), seed=3, steps=150, **case)
    state = finish(prepare(replace(params, seeds=20), RaceMemory()))
    env = params.make_env()
    rule = success_rule(params, env)
    reachable = reachable_states(env)
    for racer in state.racers:
        for seed in (0, 3, 19):
            agent = eu.make_agent(racer.name, env, **params.settings_of(racer.name))
            watch = SuccessWatch(rule, agent) if rule else None
            solved_at, taken, tried, coverage = None, [], set(), [0.0]
            for step in eu.simulation.run(agent, env, seed):
                taken.append(step)
                tried.add((step.state, step.action))
                coverage.append(len(tried) / (reachable.sum() * env.n_actions))
                if watch and solved_at is None and watch(step):
                    solved_at = len(taken)
                if len(taken) == params.steps:
                    break
            returns = np.concatenate([[0.0], np.cumsum([step.reward for step in taken])])
            outcome = racer.outcomes[seed]
            np.testing.assert_array_equal(outcome.returns, returns[shown_times(params.steps)])
            assert outcome.solved_at == solved_at
            if seed == params.seed:
                np.testing.assert_array_equal(racer.watched.returns, returns)
                np.testing.assert_allclose(racer.watched.coverage, coverage)
                assert racer.watched.solved_at == solved_at


def test_before_the_first_step_nothing_is_tried_or_earned():
    watched = race_of(agents=("EUBRL",)).racers[0].watched
    assert watched.coverage[0] == watched.returns[0] == 0


def test_bands_means_and_shares_are_those_of_the_runs():
    racer = race_of(agents=("PSRL",), seeds=50, steps=200).racers[0]
    returns = np.array([outcome.returns for outcome in racer.outcomes])
    assert returns.shape == (50, 101)
    for row, share in zip(racer.bands, (0.1, 0.5, 0.9), strict=True):
        np.testing.assert_allclose(row, np.quantile(returns, share, axis=0))
    np.testing.assert_array_equal(racer.final_returns, returns[:, -1])
    assert racer.mean.low < racer.mean.value < racer.mean.high
    assert racer.mean.value == pytest.approx(returns[:, -1].mean())
    solved = [outcome.solved_at for outcome in racer.outcomes if outcome.solved_at is not None]
    assert racer.solved_times.tolist() == sorted(solved)
    assert racer.success.value == len(solved) / 50
    assert 0 < len(solved) < 50


def test_only_the_tuned_agent_leaves_the_papers_settings():
    params = Params(tuned="BEB", eta=7.0, alpha=0.5, beta0=0.25)
    tuned = params.settings_of("BEB")
    assert (tuned["eta"], tuned["alpha"], tuned["beta0"]) == (7.0, 0.5, 0.25)
    assert params.settings_of("EUBRL") == Params(tuned="PSRL").settings_of("EUBRL")


def test_what_was_run_before_does_not_run_again():
    memory = RaceMemory()
    params = Params(agents=("EUBRL", "RMAX"), seeds=1, steps=50)
    first = finish(prepare(params, memory))
    again = finish(prepare(replace(params, eta=3.0, seeds=20), memory))
    assert again.racers[1].watched is first.racers[1].watched
    assert again.racers[1].outcomes[0] is first.racers[1].outcomes[0]
    assert again.racers[0].watched is not first.racers[0].watched
    work = prepare(params, memory)
    assert sum(1 for _ in work) <= 4  # nothing but the agents that it looks for
    assert finish(prepare(params, memory)).racers[0].outcomes == first.racers[0].outcomes


def test_work_of_two_threads_at_once_ends_in_the_same_runs():
    """Here they take turns, step by step, also in the midst of a run of the readable loop."""
    params, memory = Params(agents=("Q-learning", "EUBRL"), seeds=20, steps=10), RaceMemory()
    under_way = [prepare(params, memory), prepare(params, memory)]
    while under_way:
        for work in list(under_way):
            if next(work, None) is None:
                under_way.remove(work)
    shown, alone = (finish(prepare(params, each)) for each in (memory, RaceMemory()))
    for racer, other in zip(shown.racers, alone.racers, strict=True):
        assert racer.final_returns.tolist() == other.final_returns.tolist()


# ---- who may race ------------------------------------------------------------------------


def test_who_cannot_live_in_a_world_is_left_out_with_the_reason(lab):
    lab.set(agents=("EUBRL", "EUBRL-tied"))
    assert [racer.name for racer in lab.state.racers] == ["EUBRL"]
    assert "EUBRL-tied does not race here: its tied prior" in repr(lab)
    assert lab.controls["agents"].switches["EUBRL-tied"].disabled
    assert "EUBRL-tied (its tied prior" in lab.notes.value
    lab.set(world="lazychain", size=3)
    assert not lab.controls["agents"].switches["EUBRL-tied"].disabled
    assert [racer.name for racer in lab.state.racers] == ["EUBRL", "EUBRL-tied"]


@pytest.mark.parametrize("world", ["loop", "chain", "bandit", "lazychain", "deepsea"])
def test_whoever_is_let_in_can_run(world):
    params, memory = Params(world=world, size=2), RaceMemory()
    names = [name for name in LAB_AGENTS if memory.why_not_here(name, params) is None]
    assert len(names) > 9
    state = race_of(world=world, size=2, agents=names, steps=30)
    assert [racer.name for racer in state.racers] == names
    for racer in state.racers:
        assert np.isfinite(racer.bands).all()
        assert (np.diff(racer.watched.coverage) >= 0).all() and racer.watched.coverage[-1] <= 1


def test_every_agent_has_a_look_and_words_of_its_own(lab):
    assert set(AGENT_STYLES) >= set(AGENT_NAMES)
    looks = {tuple(style.values()) for style in AGENT_STYLES.values()}
    assert len(looks) == len({style["marker"] for style in AGENT_STYLES.values()})
    for switch in lab.controls["agents"].switches.values():
        assert len(switch.tooltip) > 20


def test_agents_are_added_and_removed_live(lab):
    before = lab.picture.value
    lab.controls["agents"].switches["BEB"].value = True
    assert [racer.name for racer in lab.state.racers] == ["EUBRL", "RMAX", "BEB", "Q-learning"]
    assert float(row_of(lab, "BEB")["return"]) == lab.state.racers[2].final_returns[0]
    lab.controls["agents"].switches["BEB"].value = False
    assert lab.picture.value == before


def test_without_an_agent_the_picture_stays_and_the_words_say_why(lab):
    before = lab.picture.value
    lab.controls["agents"].value = ()
    assert "⚠ agents must hold at least one" in lab.readout.value
    assert "Back to agents = EUBRL, RMAX and Q-learning" in lab.readout.value
    assert lab.picture.value == before and lab.controls["agents"].switches["RMAX"].value
    lab.controls["agents"].switches["RMAX"].value = False
    assert "⚠" not in lab.readout.value


def test_an_agent_without_a_compiled_twin_runs_fewer_seeds_and_says_so():
    lab = RaceLab(world="bandit", agents=("BOSS", "Q-learning"), seeds=50, steps=3)
    boss, q_learning = lab.state.racers
    assert len(boss.outcomes) == MOST_UNCOMPILED_SEEDS and len(q_learning.outcomes) == 50
    assert "BOSS: only 20 of the 50 runs" in repr(lab)


def test_the_picker_keeps_its_order():
    picker = AgentPicker({"a": "1", "b": "2", "c": "3"}, "who", "who is it")
    picker.value = ("c", "a")
    assert picker.value == ("a", "c")
    seen = []
    picker.observe(lambda change: seen.append(change["new"]), names="value")
    picker.value = ("b", "c")
    assert [switch.value for switch in picker.switches.values()] == [False, True, True]
    picker.switches["a"].value = True
    assert seen == [("b", "c"), ("a", "b", "c")]


# ---- controls ----------------------------------------------------------------------------

OTHER = {
    "world": "chain",
    "size": 3,
    "agents": ("EUBRL",),
    "seeds": 20,
    "seed": 7,
    "until": 40,
    "steps": 60,
    "tuned": "PSRL",
    "eta": 0.001,
    "alpha": 1.0,
    "beta0": 10.0,
    "show": "reward lost",
}


@pytest.mark.parametrize("name", OTHER)
def test_every_control_changes_picture_and_words(lab, name):
    words, picture = repr(lab), lab.picture.value
    lab.controls[name].value = OTHER[name]
    assert repr(lab) != words and "⚠" not in lab.readout.value
    if name != "tuned":  # who is tuned to the paper's settings runs as before
        assert lab.picture.value != picture


def test_stochastic_changes_picture_and_words(lab):
    lab.set(world="deepsea", size=3)
    words, picture = repr(lab), lab.picture.value
    lab.controls["stochastic"].value = True
    assert repr(lab) != words and lab.picture.value != picture


def test_the_sliders_follow_the_agent_and_the_world(lab):
    lab.controls["eta"].value = 5.0
    lab.controls["tuned"].value = "BEB"
    assert lab.controls["eta"].value == Params(tuned="BEB").settings_of("EUBRL")["eta"]
    lab.controls["world"].value = "chain"
    assert lab.controls["eta"].value == 16 and lab.state.params.world == "chain"
    lab.controls["eta"].value = 1.0
    lab.usual_button.click()
    assert lab.controls["eta"].value == 16


@pytest.mark.parametrize("name", TUNABLE)
def test_whoever_can_be_tuned_has_something_to_tune(lab, name):
    lab.set(world="lazychain", size=2, agents=("RMAX",), steps=5, tuned=name)
    sliders = [lab.controls[slider] for slider in ("eta", "alpha", "beta0")]
    assert not all(slider.disabled for slider in sliders)


@pytest.mark.parametrize(
    "extreme",
    [
        {"eta": 1e-3, "alpha": 1e-8, "beta0": 1e-4},
        {"eta": 1e3, "alpha": 10.0, "beta0": 10.0},
        {"steps": 1},
        {"world": "bandit", "size": 1, "steps": 10},
        {"world": "lazychain", "size": 1, "stochastic": True},
        {"agents": AGENT_NAMES[:9], "seeds": 20, "steps": 20},
    ],
)
def test_extreme_values_give_a_picture_with_every_curve_in_it(lab, extreme):
    for show in ("return", "reward lost"):
        lab.set(**START | extreme | {"show": show})
        assert "⚠" not in lab.readout.value and "nan" not in lab.readout.value
        panels = lab.panels
        low, high = panels.band_axes.get_ylim()
        for line in shown(panels.many.medians, panels.one.returns):
            assert low <= line.get_ydata().min() and line.get_ydata().max() <= high
        low, high = panels.end_axes.get_xlim()
        for line in shown(panels.many.dots, panels.many.rings):
            assert low <= min(line.get_xdata()) and max(line.get_xdata()) <= high
        assert pixels(lab).std() > 1


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("seed", -1, "seed must be an integer of at least 0"),
        ("steps", 0, "steps must be an integer of at least 1"),
        ("steps", 5001, "steps must be from 1 to 5000"),
    ],
)
def test_bad_values_are_answered_in_words(lab, name, value, words):
    before = lab.picture.value
    lab.controls[name].value = value
    assert words in lab.readout.value
    assert lab.picture.value == before
    assert lab.controls[name].value == START[name]
    lab.controls[name].value = START[name] + 1
    assert "⚠" not in lab.readout.value and lab.picture.value != before


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"agents": ("EUBRLL",)}, "Did you mean 'EUBRL'"),
        ({"tuned": "RMAX"}, "unknown tuned 'RMAX'"),
        ({"seeds": 7}, "seeds must be one of"),
        ({"show": "regret"}, "unknown show 'regret'"),
        ({"agents": ()}, "at least one"),
        ({"agents": "EUBRL"}, r"agents must be a list, such as \['EUBRL'\]"),
        ({"agents": None}, "agents must be a list"),
        ({"eta": -1.0}, "eta must be from 0.001 to 1000"),
        ({"sede": 1}, "Did you mean 'seed'"),
    ],
)
def test_bad_settings_are_named(settings_, words):
    with pytest.raises(ValueError, match=words):
        RaceLab(**START | settings_)


# ---- what is shown -----------------------------------------------------------------------


def test_the_picture_shows_the_state(lab):
    lab.set(seeds=20)
    state, panels = lab.state, lab.panels
    for racer in state.racers:
        np.testing.assert_array_equal(panels.many.medians[racer.name].get_ydata(), racer.bands[1])
        np.testing.assert_array_equal(panels.many.dots[racer.name].get_xdata(), racer.final_returns)
        np.testing.assert_array_equal(
            panels.one.returns[racer.name].get_ydata(), racer.watched.returns
        )
        np.testing.assert_array_equal(
            panels.one.coverages[racer.name].get_ydata(), racer.watched.coverage
        )
        cells = row_of(lab, racer.name)
        times = sorted(outcome.solved_at or math.inf for outcome in racer.outcomes)
        half = f", {times[9]}" if times[9] < math.inf else ""
        assert cells["solved, half by step"] == f"{len(racer.solved_times)} of 20{half}"
        assert cells["mean return, 95%"] == str(racer.mean)
        assert cells["seed 0, step 120: return"] == f"{racer.watched.returns[-1]:.4g}"
    lab.set(show="reward lost")
    for racer in state.racers:
        lost = state.optimum[-1] - racer.final_returns
        np.testing.assert_allclose(lab.panels.many.dots[racer.name].get_xdata(), lost)
        mean = row_of(lab, racer.name)["mean reward lost, 95%"].split()[0]
        assert float(mean) == pytest.approx(lost.mean(), rel=1e-3)


def test_the_black_line_is_the_optimum_of_the_world_shown(lab):
    for world in ({"world": "deepsea", "size": 3}, {"size": 4}, {"stochastic": True}):
        lab.set(**world, steps=120)
        for axes in (lab.panels.band_axes, lab.panels.return_axes):
            black = [line for line in axes.get_lines() if line.get_color() == "#000000"]
            np.testing.assert_allclose(black[0].get_ydata(), lab.state.optimum)


def test_none_and_all_are_told_from_nearly_none_and_nearly_all():
    shares = [0, 1 / 420, 0.014, 0.5, 0.99, 418 / 420, 1]
    said = ["0%", "under 1%", "1%", "50%", "99%", "over 99%", "100%"]
    assert [percent(share) for share in shares] == said


def test_of_one_run_there_is_no_median():
    lab = RaceLab(world="loop", agents=("EUBRL",), steps=50, seeds=1)
    assert lab.panels.row_titles[0].texts == ["1 run of each agent"]


def test_the_watched_run_unfolds(lab):
    lab.set(until=50)
    state, one = lab.state, lab.panels.one
    assert state.until == 60 and "until step 60 of 120" in lab.panels.row_titles[1].texts[0]
    for racer in state.racers:
        watched = racer.watched
        for lines, values in ((one.returns, watched.returns), (one.coverages, watched.coverage)):
            np.testing.assert_array_equal(lines[racer.name].get_xdata(), np.arange(61))
            np.testing.assert_array_equal(lines[racer.name].get_ydata(), values[:61])
        cells = row_of(lab, racer.name)
        assert cells["seed 0, step 60: return"] == f"{watched.returns[60]:.4g}"
        assert cells["pairs tried"] == percent(watched.coverage[60])
        is_solved = watched.solved_at is not None and watched.solved_at <= 60
        assert len(one.stars[racer.name].get_xdata()) == is_solved
        assert cells["solved at step"] == (str(watched.solved_at) if is_solved else "not yet")
    # The many runs are those of all steps, as before.
    for racer in state.racers:
        assert lab.panels.many.medians[racer.name].get_xdata()[-1] == 120


def test_play_walks_through_the_watched_run_and_runs_nothing(lab, monkeypatch):
    monkeypatch.setattr(RaceLab, "prepare", None)
    lab.player.seconds = 0.0001
    lab.controls["until"].value = 97
    seen = []
    lab.controls["until"].observe(lambda change: seen.append(lab.state.until), names="value")
    lab.player.play()
    assert seen == [118, 119, 120]


@pytest.mark.parametrize(
    "change",
    [
        {"agents": ("EUBRL", "RMAX", "BEB", "Q-learning")},
        {"agents": ("Q-learning",)},
        {"show": "reward lost"},
        {"until": 0},
        {"seed": 7},
        {"seeds": 20},
        {"steps": 60},
    ],
    ids=str,
)
def test_there_and_back_nothing_is_left_behind(lab, change):
    start = {name: START[name] for name in change}
    require_nothing_left_behind(lab, change, start)


def test_another_world_leaves_nothing_of_the_one_before(lab):
    picture, words = lab.picture.value, repr(lab)
    lab.set(world="chain", steps=120)  # has no rule for when it is solved
    there = lab.picture.value
    lab.canvas.forget()
    lab.refresh()
    assert lab.picture.value == there
    lab.set(**START)
    assert (lab.picture.value, repr(lab)) == (picture, words)


@pytest.mark.parametrize("agents", [START["agents"], AGENT_NAMES[:9]], ids=len)
def test_words_do_not_overlap_and_the_table_has_a_row_for_each_agent(lab, agents):
    lab.set(agents=agents, steps=20, until=50)
    rows = [line for line in repr(lab).splitlines() if "│" in line]
    assert len(rows) == 1 + len(lab.state.racers)
    for presentation in (False, True):
        lab.presentation.value = presentation
        panels, renderer = lab.panels, lab.canvas.drawing.agg.get_renderer()
        words = [panels.band_title, panels.end_title, panels.return_title, *panels.row_titles]
        words += [panels.coverage_axes.title, panels.legend.words, panels.end_ruler.numbers]
        for ruler in panels.rulers:
            words += [ruler.numbers, ruler.name] if ruler.is_horizontal else [ruler.numbers]
        require_apart(lab.figure, renderer, [*words, panels.end_ruler.name])


def seeds_drawn(lab, monkeypatch, name, value) -> list[int]:
    """How many seeds each picture shows that follows a change of this control."""
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)
    seen = []
    draw = lab.panels.draw
    monkeypatch.setattr(
        lab.panels, "draw", lambda state: (seen.append(len(state.racers[0].outcomes)), draw(state))
    )

    async def run():
        lab.controls[name].value = value
        while lab._job is not None:
            await asyncio.sleep(0)

    asyncio.run(run())
    return seen


def test_a_first_look_at_few_seeds_then_all(lab, monkeypatch):
    lab.set(agents=("EUBRL", "RMAX"), seeds=1, steps=123)
    seen = seeds_drawn(lab, monkeypatch, "seeds", 100)
    assert seen[0] == FIRST_SEEDS and seen[-1] == 100
    assert len(lab.state.racers[0].outcomes) == 100


def test_what_is_remembered_is_drawn_once(lab, monkeypatch):
    lab.set(agents=("EUBRL", "RMAX"), seeds=20, steps=123)
    lab.set(steps=100)
    assert seeds_drawn(lab, monkeypatch, "steps", 123) == [20]


def test_a_stopped_race_shows_what_is_done_and_can_go_on(lab, monkeypatch):
    lab.set(agents=("EUBRL", "RMAX"))
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)

    async def run_and_stop():
        lab.controls["seeds"].value = 200
        while len(lab.state.racers[0].outcomes) < FIRST_SEEDS:
            await asyncio.sleep(0)
        lab.stop_button.click()
        await asyncio.sleep(0.01)

    asyncio.run(run_and_stop())
    assert "Stopped at" in lab.status.value and "what was done by then" in lab.status.value
    kept = len(lab.memory.lane("EUBRL", lab.params).outcomes)
    assert FIRST_SEEDS <= kept < 200
    assert len(lab.state.racers[0].outcomes) == kept
    lab.run_button.click()
    assert len(lab.state.racers[0].outcomes) == 200


def test_the_noise_of_a_page_runs_nothing_again(lab):
    outcomes = lab.state.racers[0].outcomes
    lab.controls["eta"].value = lab.controls["eta"].value * (1 - 1e-12)
    assert lab.state.racers[0].outcomes is outcomes
