"""The exploration lab, driven headless: every control, extreme values, Stop, and its numbers."""

import asyncio
import io
from dataclasses import replace

import gymnasium
import matplotlib.axis
import numpy as np
import pytest
from PIL import Image

import eubrl_edu as eu
from eubrl_edu.agents import GuidedPlan
from eubrl_edu.environments import WORLDS
from eubrl_edu.experiments import make_agent
from eubrl_edu.experiments.cells import used_by
from eubrl_edu.labs import slices
from eubrl_edu.labs.exploration.lab import ExplorationLab
from eubrl_edu.labs.exploration.scene import Params, prepare
from eubrl_edu.labs.slices import finish
from eubrl_edu.labs.world_settings import LAB_AGENTS, left_out
from eubrl_edu.uncertainty import MEASURES


@pytest.fixture(scope="module")
def shared():
    """A lab that the tests only look at."""
    return ExplorationLab(steps=60, time=12)


START = {"world": "loop", "size": 2, "agent": "EUBRL", "seed": 0, "steps": 60, "time": 12}


@pytest.fixture(scope="module")
def one_lab():
    return ExplorationLab(**START)


@pytest.fixture
def lab(one_lab):
    """A lab in its first state; one for all tests, since making its picture takes a while."""
    one_lab.presentation.value = False
    one_lab.stride.value = 1
    one_lab.set(**START)
    return one_lab


def pixels(lab):
    return np.asarray(Image.open(io.BytesIO(lab.picture.value)))


def params(**settings):
    return Params(**{"steps": 30, "time": 9} | settings)


# ---- every number is the agent's own plan ------------------------------------------------


@pytest.mark.parametrize("agent", ["EUBRL", "PSRL", "RMAX", "Mean-MDP"])
@pytest.mark.parametrize("world", WORLDS)
def test_the_plan_shown_is_that_of_the_same_agent_in_a_plain_simulation(shared, world, agent):
    size = {"loop": 2, "deepsea": 3, "lazychain": 3}.get(world, 1)
    asked = params(world=world, size=size, agent=agent, alpha=0.1, beta0=0.1, seed=5)
    state = shared.compute(asked)

    env = asked.make_env()
    settings = {"alpha": 0.1, "beta0": 0.1, "eta": asked.eta, "uncertainty": "variance"}
    twin = eu.make_agent(agent, env, **used_by(agent, settings))
    trajectory = eu.simulate(twin, env, steps=9, seed=5)
    recorded = state.run.recording.trajectory
    np.testing.assert_array_equal(trajectory.actions, recorded.actions[:9])
    np.testing.assert_array_equal(trajectory.rewards, recorded.rewards[:9])
    if agent != "PSRL":  # it draws its plan for time 9 only when it acts
        np.testing.assert_array_equal(state.plan.q, twin.current_plan.q)
        np.testing.assert_array_equal(state.plan.model.rewards, twin.current_plan.model.rewards)
    if agent == "EUBRL":
        assert isinstance(state.plan, GuidedPlan)
        assert state.plan.max_uncertainty == twin.max_uncertainty


def test_the_readout_names_the_numbers_of_the_plan(shared):
    state = shared.compute(params(time=7))
    here = state.state, state.action
    words = shared.describe(state)
    assert f"P_U of this action: {state.plan.probability_of_uncertainty[here]:.3g}" in words
    assert f"E_max is {state.plan.max_uncertainty:.3g}" in words
    assert f"guided {state.plan.guided_reward[here]:.3g}" in words
    assert f"Return so far: {state.total_return:.5g}" in words
    assert state.run.env.state_names[state.state] in words


def test_visits_and_return_are_counted_from_the_steps(shared):
    state = shared.compute(params(world="lazychain", size=3, time=20, steps=25))
    steps = state.run.recording.trajectory
    assert state.visits.sum() == 20
    for place, action in zip(steps.states[:20], steps.actions[:20], strict=True):
        assert state.visits[place, action] > 0
    assert state.total_return == pytest.approx(steps.rewards[:20].sum())
    assert state.episode == 1 + steps.episode_ends[:20].sum()
    end = shared.compute(params(world="deepsea", size=3, time=30))
    assert end.episode == 10


@pytest.mark.parametrize("time", [0, 1, 30])
def test_both_ends_of_the_run_can_be_seen(shared, time):
    state = shared.compute(params(time=time))
    assert state.time == time
    assert (state.action is None) == (time == 30)
    words = shared.describe(state)
    assert ("here the run ends" in words) == (time == 30)


# ---- every control acts, and no value breaks the lab -------------------------------------

OTHER = {
    "world": "chain",
    "size": 3,
    "agent": "Mean-MDP",
    "alpha": 1.0,
    "beta0": 1.0,
    "eta": 100.0,
    "uncertainty": "count",
    "plan_every": 20,
    "seed": 1,
    "steps": 40,
    "time": 30,
}


@pytest.mark.parametrize("name", OTHER)
def test_every_control_changes_picture_and_words(lab, name):
    words, picture = repr(lab), lab.picture.value
    lab.controls[name].value = OTHER[name]
    if name == "seed":  # in the loop, chance only breaks ties
        lab.controls["time"].value = 40
    assert repr(lab) != words
    assert lab.picture.value != picture
    assert repr(lab) in lab.readout.value.replace("&#x27;", "'")


def test_the_stochastic_switch_acts_where_there_is_one(lab):
    lab.set(world="lazychain", size=3, steps=60, time=50)
    words = repr(lab)
    assert not lab.controls["stochastic"].disabled
    lab.controls["stochastic"].value = True
    assert repr(lab) != words
    assert lab.state.run.env.stochastic


REFUSED = {
    "EUBRL-tied": (("chain", "loop", "bandit", "deepsea"), "its tied prior|n_states must be"),
    "EUBRL-frequentist": (("lazychain", "deepsea"), "cannot live here: the theory assumes rewards"),
}


@pytest.mark.parametrize("agent", LAB_AGENTS)
def test_every_agent_in_every_world_has_numbers_or_says_why_not(shared, agent):
    for world in WORLDS:
        size = {"chain": 5, "bandit": 1}.get(world, 3)
        asked = params(world=world, size=size, agent=agent, alpha=0.1, beta0=0.1)
        worlds, words = REFUSED.get(agent, ((), ""))
        if world in worlds:
            with pytest.raises(ValueError, match=words):
                shared.compute(asked)
        else:
            words = shared.describe(shared.compute(asked))
            assert words.startswith("Time 9 of 30")
            assert f"{agent} is in state" in words
            assert "nan" not in words


@pytest.mark.long
@pytest.mark.parametrize("agent", ["EUBRL", "Q-learning"])
@pytest.mark.parametrize("world", WORLDS)
def test_every_world_has_a_picture(one_lab, world, agent):
    smallest = {} if world in ("chain", "bandit") else {"size": 3}
    one_lab.set(world=world, agent=agent, steps=12, time=6, **smallest)
    assert one_lab.state.run.agent_name == agent
    assert one_lab.state.time == 6
    assert pixels(one_lab).std() > 1


@pytest.mark.usefixtures("undrawn")
def test_an_agent_that_cannot_live_in_a_world_leaves_the_lab_alive(lab):
    settings = lab.params
    lab.controls["agent"].value = "EUBRL-tied"
    assert "its tied prior" in lab.readout.value
    assert lab.params == settings
    lab.set(world="lazychain", agent="EUBRL-tied", size=40, steps=30)
    assert "⚠" not in lab.readout.value
    before = lab.params
    lab.controls["world"].value = "chain"
    assert "Back to world = lazychain, size = 40" in lab.readout.value
    assert lab.params == before and lab.controls["stochastic"].disabled is False
    lab.controls["agent"].value = "RMAX"
    assert "⚠" not in lab.readout.value
    assert lab.state.run.agent_name == "RMAX"


@pytest.mark.usefixtures("undrawn")
def test_the_frequentist_instance_shows_its_uncertainty_and_has_no_slider_of_eta(lab):
    lab.controls["agent"].value = "EUBRL-frequentist"
    assert "P_U of this action: " in lab.readout.value
    assert "guided" in lab.readout.value
    assert lab.controls["eta"].disabled and "its η is that of the proofs" in lab.notes.value
    lab.controls["world"].value = "deepsea"
    assert "cannot live here: the theory assumes rewards in [0, R_max" in lab.readout.value
    assert "Back to world = loop" in lab.readout.value


EXTREMES = [
    {"eta": 0.0},
    {"eta": 1000.0},
    {"alpha": 1e-8},
    {"alpha": 10.0},
    {"beta0": 1e-4},
    {"beta0": 10.0},
    {"plan_every": 20},
    {"steps": 1, "time": 0},
    {"steps": 1, "time": 1},
    {"time": 10_000},
    *({"uncertainty": measure} for measure in MEASURES),
    {"world": "loop", "size": 1},
    {"world": "loop", "size": 8},
    {"world": "deepsea", "size": 1, "stochastic": True},
    {"world": "deepsea", "size": 20},
    {"world": "lazychain", "size": 1, "stochastic": True},
    {"world": "lazychain", "size": 50},
]


@pytest.mark.long
@pytest.mark.parametrize("extreme", EXTREMES, ids=str)
def test_extreme_values_have_finite_numbers_and_a_picture(one_lab, extreme):
    state = one_lab.compute(params(**extreme))
    assert np.isfinite(state.plan.q).all()
    probability = state.plan.probability_of_uncertainty
    assert ((probability >= 0) & (probability <= 1)).all()
    one_lab._show(state, one_lab._next_generation())
    assert pixels(one_lab).std() > 1
    assert "nan" not in repr(one_lab)


BAD = [
    ({"steps": 0}, "steps must be an integer of at least 1, got 0"),
    ({"steps": 5001}, "steps must be from 1 to 5000, got 5001"),
    ({"seed": -1}, "seed must be an integer of at least 0, got -1"),
]


@pytest.mark.parametrize(("values", "words"), BAD)
def test_a_bad_value_is_answered_in_words_and_the_picture_stays(lab, values, words):
    picture = lab.picture.value
    (name, value) = next(iter(values.items()))
    lab.controls[name].value = value
    assert words in lab.readout.value
    assert lab.picture.value == picture
    lab.controls[name].value = 25
    assert "⚠" not in lab.readout.value
    assert lab.picture.value != picture


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"alpha": 0.0}, "alpha must be .*greater than 0"),
        ({"eta": -1.0}, "eta must be .*at least 0"),
        ({"beta0": -1.0}, "must be .*greater than 0"),
        ({"agent": "RMIX"}, "Did you mean 'RMAX'"),
        ({"world": "deepsee"}, "Did you mean 'deepsea'"),
        ({"size": 0}, "size must be an integer of at least 1"),
        ({"uncertainty": "varience"}, "Did you mean 'variance'"),
    ],
)
def test_compute_refuses_what_the_controls_cannot_say(shared, values, words):
    with pytest.raises(ValueError, match=words):
        shared.compute(params(**values))


def test_a_lab_that_cannot_start_says_so():
    with pytest.raises(ValueError, match="eta must be from 0.001 to 1000, got 0"):
        ExplorationLab(eta=0.0)
    with pytest.raises(ValueError, match="unknown setting 'etta'"):
        ExplorationLab(etta=1.0)
    with pytest.raises(ValueError, match="Did you mean 'deepsea'"):
        ExplorationLab(world="deepsee")
    with pytest.raises(ValueError, match="unknown agent 'BEETLE'"):
        ExplorationLab(agent="BEETLE")


# ---- what suits a world, and what an agent leaves out ------------------------------------


@pytest.mark.usefixtures("undrawn")
def test_a_new_world_brings_the_settings_that_suit_it(lab):
    lab.controls["world"].value = "lazychain"
    now = lab.params
    assert (now.size, now.eta, now.alpha, now.steps) == (10, 60.0, 1e-8, 1000)
    lab.controls["size"].value = 20
    assert lab.params.eta == 120.0
    lab.controls["eta"].value = 10.0
    assert lab.state.run.recording.checkpoints[0][0].eta == 10.0
    lab.usual_button.click()
    assert lab.params.eta == 120.0


@pytest.mark.usefixtures("undrawn")
def test_settings_that_are_given_are_kept():
    lab = ExplorationLab(world="deepsea", size=4, eta=0.25, steps=20)
    assert (lab.params.size, lab.params.eta, lab.params.alpha) == (4, 0.25, 1e-6)
    lab.set(world="loop", size=3, alpha=0.5, steps=20)
    assert (lab.params.size, lab.params.eta, lab.params.alpha) == (3, 0.5, 0.5)


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("settings", "greyed"),
    [
        ({"world": "deepsea", "size": 3}, set()),
        ({"agent": "RMAX"}, {"stochastic", "alpha", "beta0", "eta", "uncertainty", "plan_every"}),
        ({"agent": "PSRL"}, {"stochastic", "eta", "uncertainty"}),
        ({"agent": "Mean-MDP"}, {"stochastic", "eta", "uncertainty"}),
        ({"agent": "EUBRL-MI"}, {"stochastic", "uncertainty"}),
        ({"world": "chain"}, {"size", "stochastic", "beta0"}),
        ({"world": "bandit"}, {"size", "stochastic", "alpha", "beta0"}),
    ],
)
def test_what_has_no_effect_is_greyed_out_with_a_word_why(lab, settings, greyed):
    lab.set(**{"steps": 5} | settings)
    assert {name for name, control in lab.controls.items() if control.disabled} == greyed
    for name in greyed:
        assert f"{lab.controls[name].description} (" in lab.notes.value


def values_during(asked):
    """Q at some moments of the run, two of them after a plan that was made every seventh step."""
    run = finish(prepare(asked))
    return [run.at(time).plan.q for time in (5, 59, 60)]


@pytest.mark.long
@pytest.mark.parametrize("agent", LAB_AGENTS)
def test_a_setting_is_greyed_out_exactly_when_it_has_no_effect(agent):
    world = "loop" if "lazychain" in REFUSED.get(agent, ((), ""))[0] else "lazychain"
    start = params(
        world=world,
        size=3,
        stochastic=world == "lazychain",
        agent=agent,
        alpha=0.1,
        beta0=0.1,
        steps=60,
    )
    greyed = left_out(world, agent, make_agent(agent, start.make_env()))
    other = {"alpha": 5.0, "beta0": 5.0, "eta": 9.0, "uncertainty": "count", "plan_every": 7}
    plain = values_during(start)
    for name, value in other.items():
        changed = values_during(replace(start, **{name: value}))
        assert np.array_equal(plain, changed) == (name in greyed), name


def test_an_agent_without_uncertainty_says_so_in_words(shared):
    words = shared.describe(shared.compute(params(agent="RMAX")))
    assert (
        "P_U: RMAX has none. A pair is known after enough visits; until then it seems as good"
        in words
    )


# ---- time -------------------------------------------------------------------------------


@pytest.mark.usefixtures("undrawn")
def test_time_reaches_to_the_end_of_the_run_and_no_further(lab):
    assert lab.controls["time"].max == 60
    lab.controls["steps"].value = 20
    assert lab.controls["time"].max == 20
    lab.controls["time"].value = 20
    assert lab.state.time == 20
    lab.set(steps=80, time=75)
    assert (lab.controls["time"].max, lab.state.time) == (80, 75)
    lab.controls["steps"].value = 30
    assert lab.state.time == lab.controls["time"].value == 30


def test_scrubbing_there_and_back_gives_the_same_picture(lab):
    picture = lab.picture.value
    run = lab.state.run
    for time in (0, 60, 33, 12):
        lab.controls["time"].value = time
    assert lab.picture.value == picture
    assert lab.state.run is run


@pytest.mark.usefixtures("undrawn")
def test_the_player_takes_strides(lab):
    lab.stride.value = 25
    lab.player.step_button.click()
    assert lab.state.time == 37
    lab.player.back_button.click()
    assert lab.state.time == 12


# ---- stopping ----------------------------------------------------------------------------


def move(lab, size):
    lab.controls["size"].value = size


@pytest.mark.parametrize("change", [ExplorationLab.set, ExplorationLab.load, move])
@pytest.mark.parametrize(
    ("owner", "name"), [(ExplorationLab, "prepare"), (matplotlib.axis.Axis, "draw")]
)
def test_an_interrupted_run_leaves_the_lab_as_it_was(interrupt_once, owner, name, change):
    lab = ExplorationLab(world="loop", size=1, steps=20, time=15)
    params, picture, words = lab.params, lab.picture.value, repr(lab)
    interrupt_once(owner, name)
    with pytest.raises(KeyboardInterrupt):
        change(lab, size=2)
    assert (lab.params, lab.picture.value, repr(lab)) == (params, picture, words)
    assert {name: control.value for name, control in lab.controls.items()} == vars(params)
    change(lab, size=2)
    lab.finish_work()
    assert repr(lab) == repr(ExplorationLab(world="loop", size=2, steps=20, time=15))


def test_a_stopped_run_can_be_looked_through(lab, monkeypatch):
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)
    picture = lab.picture.value

    async def run_and_stop():
        lab.controls["steps"].value = 5000
        while lab.progress.value < 0.005:
            await asyncio.sleep(0)
        assert lab.picture.value == picture  # the last good one stays up meanwhile
        assert not lab.stop_button.disabled
        lab.stop_button.click()
        await asyncio.sleep(0.01)

    asyncio.run(run_and_stop())
    done = len(lab.state.run)
    assert 25 <= done < 5000
    assert "Stopped at" in lab.status.value and "what was done by then" in lab.status.value
    assert lab.stop_button.disabled
    assert lab.controls["time"].max == done
    lab.controls["time"].value = done
    assert lab.state.time == done
    assert f"Time {done} of {done}" in repr(lab)
    lab.controls["seed"].value = 0
    lab.controls["steps"].value = 30
    assert len(lab.state.run) == 30


def test_a_run_under_way_can_be_looked_at():
    work = prepare(params())
    assert next(work).fraction == pytest.approx(1 / 30)
    assert len(next(work).product()) == 2
    work.close()


# ---- the optimum, against known values ---------------------------------------------------


@pytest.mark.parametrize(
    ("world", "size", "steps", "expected"),
    [
        ("loop", 2, 1000, 400.0),
        ("deepsea", 10, 1000, 99.0),
        ("lazychain", 10, 1000, 1000.0),
        ("chain", 5, 1000, 3677.0),
        ("bandit", 1, 1000, 600.0),
    ],
)
def test_the_optimum_earns_what_the_worlds_are_known_for(shared, world, size, steps, expected):
    state = shared.compute(params(world=world, size=size, steps=steps, time=steps, agent="RMAX"))
    assert state.optimal_return == pytest.approx(expected, rel=5e-3)


def test_a_world_of_ones_own_is_one_more_choice():
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    lab = ExplorationLab(world=env, steps=40, time=40)
    assert lab.state.run.env.n_states == 16
    assert lab.state.visits.sum() == 40
    # Without slips the goal is six steps away, and pays 1.
    assert lab.state.run.optimum.returns[36] == pytest.approx(6)
    assert lab.controls["size"].disabled and "used as given" in lab.notes.value
    assert pixels(lab).std() > 1
    before = lab.picture.value
    lab.presentation.value = True
    assert lab.picture.value != before
    lab.presentation.value = False
    lab.set(world="chain", steps=10)
    assert "Back to" not in lab.readout.value and lab.state.run.env.n_states == 5
    lab.set(world=env, steps=40, time=40)
    assert lab.picture.value == before


def test_a_world_that_keeps_its_table_to_itself_is_named():
    changed = gymnasium.wrappers.TransformReward(gymnasium.make("FrozenLake-v1"), lambda r: 2 * r)
    with pytest.raises(ValueError, match="world must publish its transitions P"):
        ExplorationLab(world=changed)
    with pytest.raises(ValueError, match="must be Discrete"):
        ExplorationLab(world=gymnasium.make("Blackjack-v1"))
