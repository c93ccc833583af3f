"""BoundsLab without a browser: its numbers against the paper's formulas, its run, its controls."""

import asyncio
import io
from dataclasses import fields, replace
from math import e, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.labs import BoundsLab
from eubrl_edu.labs.bounds.run import prepare
from eubrl_edu.labs.bounds.scene import (
    AGENTS,
    BAD_STEPS,
    DISCOUNTS,
    OWN,
    PICTURES,
    REGRET,
    RUN_STEPS,
    THEOREM,
    WORLDS,
    Params,
    view,
)
from eubrl_edu.labs.slices import finish
from eubrl_edu.labs.world_settings import small_world
from eubrl_edu.plotting.names import in_powers
from tests.labs.there_and_back import require_nothing_left_behind

ANY_PARAMS = st.builds(
    Params,
    picture=st.sampled_from(PICTURES),
    n_states=st.integers(1, 100),
    n_actions=st.integers(1, 20),
    discount=st.sampled_from(DISCOUNTS),
    delta=st.floats(-6, 0).map(lambda power: 10**power),
    resistance_share=st.floats(0, 46 / 63),
    steps=st.floats(0, 15).map(lambda power: 10**power),
    epsilon=st.floats(-3, 0).map(lambda power: 10**power),
    agent=st.sampled_from(AGENTS),
    alpha=st.floats(-3, 3).map(lambda power: 10**power),
    tau=st.floats(-3, 3).map(lambda power: 10**power),
)


@pytest.fixture(scope="module")
def run():
    return finish(prepare(Params()))


@pytest.fixture
def lab():
    return BoundsLab()


def pixels(lab) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(lab.picture.value)))


def regret_parts(p, t):
    """The proof's inequality, written out once more from the paper, for R_max = 1."""
    pairs, near = p.n_states * p.n_actions, 1 / (1 - p.discount)
    l1, l2 = log(24 * pairs / p.delta), log(1 + t / pairs)
    l1_prime = log(24 * pairs * (1 + log(t)) / p.delta)
    rate = near**1.5 * sqrt(pairs * t * l1 * l2)
    phi = min(1, 3 * sqrt(pairs * l1 * l2 * near / t))
    parts = {
        "guided": 14 * (1 - p.resistance_share) * rate,
        "learning": 16 * rate,
        "lower_order": 168 * p.n_states * pairs * near**2 * (1 + l1_prime) * (1 + l2),
        "remainder": t * phi * (1 + 3 * phi + phi / near),
    }
    if p.agent == OWN:  # Λ_T = α, and Λ_R = (τ0/τ)(0 + R_max)
        parts["transition_prior"] = 24 * p.alpha * p.n_states * pairs * near**2 * l2
        parts["reward_prior"] = 8 / p.tau * pairs * near * l2
    return parts


def bad_steps_parts(p, epsilon):
    pairs, near = p.n_states * p.n_actions, 1 / (1 - p.discount)
    l1, l6 = log(24 * pairs / p.delta), log(log(near**2 * e / epsilon))
    second = p.n_states * near**2 * (2 * l1 + l6) / epsilon
    l5 = log(1 + 140 * (near**3 * l1 / epsilon**2 + second))
    return {
        "leading": 3670 * pairs * l1 * l5 * near**3 / epsilon**2,
        "lower_order": 480 * pairs * second * l5,
    }


def parts_of(params, place):
    return (regret_parts if params.picture == REGRET else bad_steps_parts)(params, place)


@settings(max_examples=40, deadline=None)
@given(ANY_PARAMS)
def test_every_number_is_the_papers(run, params):
    state = view(params, run)
    for at in (0, len(state.places) // 2, -1):
        parts = parts_of(params, state.places[at])
        assert list(parts) == list(state.terms)
        for name, value in parts.items():
            assert state.terms[name][at] == pytest.approx(value)
        assert state.total[at] == pytest.approx(sum(parts.values()))
    parts = parts_of(params, state.cursor)
    assert state.here["bound"] == pytest.approx(sum(parts.values()))
    near = 1 / (1 - params.discount)
    trivial = params.steps * near if state.is_regret else params.steps
    assert state.here["trivial"] == pytest.approx(trivial)


@settings(max_examples=40, deadline=None)
@given(ANY_PARAMS, st.floats(0.01, 0.99))
def test_a_stretch_is_where_its_term_is_the_largest(run, params, share):
    state = view(params, run)
    assert state.stretches[0].start == state.places[0]
    assert state.stretches[-1].end == state.places[-1]
    for stretch, after in zip(state.stretches, state.stretches[1:], strict=False):
        assert stretch.end == after.start and stretch.name != after.name
    for stretch in state.stretches:
        inside = stretch.start * (stretch.end / stretch.start) ** share
        parts = parts_of(params, inside)
        assert parts[stretch.name] == pytest.approx(max(parts.values()), rel=1e-3)


@settings(max_examples=40, deadline=None)
@given(ANY_PARAMS)
def test_the_bound_speaks_from_where_it_crosses_the_trivial_one(run, params):
    state = view(params, run)

    def ratio(place):
        trivial = place / (1 - params.discount) if state.is_regret else params.steps
        return sum(parts_of(params, place).values()) / trivial

    if state.is_regret:
        assert ratio(state.speaks_from / 1.01) > 1 > ratio(state.speaks_from * 1.01)
    elif state.speaks_from is None:
        assert (ratio(state.places[0]) < 1) == (ratio(state.places[-1]) < 1)
    else:
        assert ratio(state.speaks_from) == pytest.approx(1, rel=1e-2)


@given(ANY_PARAMS)
def test_the_lower_line_begins_where_it_meets_the_trivial_one(run, params):
    """√(SAT)/(1 − γ)^1.5 is at most T/(1 − γ) from T = SA/(1 − γ) on."""
    state = view(replace(params, picture=REGRET), run)
    near, pairs = 1 / (1 - params.discount), params.n_states * params.n_actions
    begins = pairs * near
    order = near**1.5 * np.sqrt(pairs * state.places)
    shown = np.isfinite(state.lowest)
    np.testing.assert_allclose(state.lowest[shown], order[shown])
    assert shown[state.places > begins * (1 + 1e-9)].all()
    assert not shown[state.places < begins * (1 - 1e-9)].any()


def test_the_lower_line_is_drawn_from_there_on(lab):
    lab.set(n_states=30)
    line = lab.panels.lines["lowest"]
    drawn = np.isfinite(line.get_ydata())
    begins = 30 * lab.params.n_actions / (1 - lab.params.discount)
    assert begins <= line.get_xdata()[drawn].min() < begins * 10 ** (1 / 8)
    # Before, all agents could lose more than there is to lose.
    assert not drawn[line.get_xdata() < begins].any() and drawn.any()


@pytest.mark.parametrize("picture", PICTURES)
def test_a_bound_is_said_to_be_the_papers_and_open_where_it_is(lab, picture):
    lab.set(picture=picture)
    for words in (repr(lab), lab.readout.value):
        assert "the paper states" in words or "The paper states" in words
        assert "For an agent that plans at every step, parts of the proof are still open." in words


def test_less_than_the_trivial_bound_is_found_for_bad_steps_too(run):
    state = view(Params(picture=BAD_STEPS, steps=1e12), run)
    assert 1e-3 < state.speaks_from < 20
    assert sum(bad_steps_parts(state.params, state.speaks_from).values()) == pytest.approx(
        1e12, rel=1e-3
    )


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("world", WORLDS)
def test_the_run_is_a_run_of_the_readable_classes(world, agent):
    params = Params(world=world, agent=agent, discount=0.9, seed=2, alpha=0.4, tau=2.0, eta=0.5)
    found = finish(prepare(params))
    env = small_world(world)
    r_max = 10 if world == "Chain" else 2
    if agent == THEOREM:
        pairs = env.n_states * env.n_actions
        v_max, l1 = r_max / 0.1, log(24 * pairs / 0.1)
        lambda_ = min(1, 3 * sqrt(pairs * l1 * log(1 + 1000 / pairs) / 1000 / 0.1))
        eta = 7 * v_max * l1 / lambda_ + 10 * r_max / lambda_
        player = eu.agents.frequentist.FrequentistEUBRL(
            env.n_states, env.n_actions, lambda t: eta, r_max=r_max, discount=0.9
        )
    elif agent == OWN:
        eta = 0.5 * r_max
        rewards = eu.NormalRewards(env.n_states, env.n_actions, tau=2.0, on="action")
        transitions = eu.DirichletTransitions(env.n_states, env.n_actions, 0.4)
        player = eu.EUBRL(eu.Belief(transitions, rewards), eta=eta, discount=0.9)
    else:
        player = eu.make_agent("EUBRL", env, discount=0.9)
        eta = player.eta
    trajectory = eu.simulate(player, env, RUN_STEPS, seed=2, record_plans=True)
    expected = theory.regret(trajectory, env, discount=0.9) / r_max
    np.testing.assert_allclose(found.regret, expected)
    assert found.eta == pytest.approx(eta / r_max)
    assert (found.n_states, found.n_actions) == (env.n_states, env.n_actions)
    for epsilon in (0.0, 0.1, 1.0):
        assert found.bad_steps(epsilon) == (found.regret > epsilon).sum()


def test_a_prior_only_adds_to_the_bound_and_a_stubborn_one_costs_the_run_more(lab):
    without = lab.state
    lab.set(agent=OWN)
    mild = lab.state
    assert (mild.total > without.total).all()
    lab.set(alpha=100.0)
    stubborn = lab.state
    assert (stubborn.total > mild.total).all()
    grown = stubborn.bound_of_run / mild.bound_of_run
    assert 1 < grown < 3 < stubborn.run.regret.sum() / mild.run.regret.sum()


def test_the_promise_is_for_the_etas_of_the_theorem(lab):
    lab.set(agent=OWN)
    eta = theory.theoretical_eta(n_states=5, n_actions=2, delta=0.1, discount=0.95, steps=1000).eta
    assert f"the theorem takes η = {in_powers(eta)} R_max where visits are counted" in repr(lab)
    assert "It promises nothing to an agent with a smaller η" in repr(lab)
    lab.set(eta=1.01 * eta)
    assert "promises nothing" not in repr(lab)


def test_the_priors_part_is_said_to_be_left_out_of_bad_steps(lab):
    lab.set(agent=OWN, picture=BAD_STEPS, discount=0.5)
    assert set(lab.state.terms) == {"leading", "lower_order"}
    assert "is drawn for the regret only" in repr(lab)


def test_a_page_about_a_prior_begins_with_the_prior():
    assert BoundsLab().question == ("discount", "delta", "picture", "steps")
    assert BoundsLab(agent=OWN).question == ("alpha", "tau", "eta", "steps")


def test_the_theorems_agent_explores_all_the_time_and_the_papers_settles():
    regret = {agent: finish(prepare(Params(agent=agent))).regret for agent in AGENTS}
    late = {agent: values[-200:].mean() for agent, values in regret.items()}
    assert late["EUBRL"] < 1e-9 < 1 < late[THEOREM]


def is_shown(control):
    return not control.disabled


def test_what_has_no_say_is_not_shown(lab):
    lab.set(picture=BAD_STEPS)
    hidden = [name for name, control in lab.controls.items() if not is_shown(control)]
    assert hidden == ["resistance_share", "alpha", "tau", "eta"]
    lab.set(picture=REGRET, agent=OWN)
    hidden = [name for name, control in lab.controls.items() if not is_shown(control)]
    assert hidden == ["epsilon"]


def test_curves_stay_inside_the_picture_at_the_extremes(run):
    for size, discount, delta in ((1, 0.5, 1.0), (100, 0.999, 1e-6)):
        for picture in PICTURES:
            params = Params(
                picture=picture, n_states=size, n_actions=min(size, 20), discount=discount,
                delta=delta, agent=OWN, alpha=1e3, tau=1e-3,
            )  # fmt: skip
            lab = BoundsLab(**{f.name: getattr(params, f.name) for f in fields(params)})
            low, high = lab.panels.axes.get_ylim()
            values = lab.state.total
            assert low <= values.min() and values.max() <= high
            assert len(lab.state.stretches) <= 6


def test_an_accuracy_above_the_largest_value_is_answered_in_words(lab):
    lab.set(picture=BAD_STEPS, discount=0.5)
    before = pixels(lab)
    lab.controls["epsilon"].value = 10.0
    assert "⚠ epsilon must be at most the largest value there can be, V↑ = 2" in lab.readout.value
    assert (pixels(lab) == before).all()
    lab.controls["epsilon"].value = 1.0
    assert "⚠" not in lab.readout.value


@pytest.mark.parametrize(
    ("settings_", "words"),
    [
        ({"delta": 2.0}, "delta must be"),
        ({"n_states": 101}, "n_states must be from 1 to 100"),
        ({"discount": 0.42}, r"discount must be one of"),
        ({"world": "chian"}, "world"),
        ({"world": ["chain"]}, "unknown world"),
        ({"agent": "PSRL"}, "agent"),
        ({"picture": "regret"}, "picture"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
        ({"steps": 0.5}, "steps must be from 1 to"),
        ({"gamma": 0.9}, "setting"),
    ],
)
def test_bad_settings_are_named(settings_, words):
    with pytest.raises(ValueError, match=words):
        BoundsLab(**settings_)


def test_a_world_brings_its_size_and_another_size_is_said_to_be_another(lab):
    lab.controls["world"].value = "4 loops"
    assert (lab.params.n_states, lab.params.n_actions) == (17, 4)
    assert lab.state.run.world == "4 loops" and lab.state.fits
    lab.controls["n_states"].value = 50
    assert not lab.state.fits
    assert "That world has S = 17 and A = 4" in repr(lab)
    lab.set(world="Chain")
    assert (lab.params.n_states, lab.params.n_actions) == (5, 2)
    assert (BoundsLab(world="2 loops").params.n_states, lab.state.run.world) == (9, "Chain")


def test_bounds_follow_at_once_and_the_run_later(lab):
    async def move():
        lab.controls["discount"].value = 0.99
        assert lab.state.params.discount == 0.99
        assert lab.state.run is None and "is being computed" in repr(lab)
        assert lab.state.here["trivial"] == pytest.approx(1000 * 100)
        assert not lab.panels.lines["run"].get_xdata().size
        while lab.state.run is None:
            await asyncio.sleep(0.01)

    asyncio.run(move())
    assert lab.state.run.discount == 0.99
    assert repr(lab) == repr(BoundsLab(discount=0.99))


def test_a_run_that_was_done_before_is_shown_at_once(lab):
    lab.set(discount=0.99)

    async def move_back():
        lab.controls["discount"].value = 0.95
        assert lab.state.run.discount == 0.95 and not lab.status.value

    asyncio.run(move_back())
    assert repr(lab) == repr(BoundsLab()) and lab.picture.value == BoundsLab().picture.value
    lab.controls["seed"].value = 1
    assert not np.array_equal(lab.state.run.regret, BoundsLab().state.run.regret)


@pytest.mark.parametrize(
    "change",
    [
        {"picture": BAD_STEPS},
        {"n_states": 90},
        {"discount": 0.5},
        {"delta": 1e-6},
        {"resistance_share": 0.7},
        {"steps": 1e15},
        {"world": "4 loops"},
    ],
    ids=str,
)
def test_there_and_back_nothing_is_left_behind(lab, change):
    start = {name: getattr(lab.params, name) for name in change}
    require_nothing_left_behind(lab, change, start)


@pytest.mark.parametrize("change", [{"alpha": 1e3}, {"tau": 1e-3}, {"eta": 30.0}], ids=str)
def test_there_and_back_a_prior_leaves_nothing_behind(change):
    lab = BoundsLab(agent=OWN)
    require_nothing_left_behind(lab, change, {name: getattr(lab.params, name) for name in change})


def test_stop_leaves_the_bounds(lab):
    async def move():
        lab.controls["agent"].value = THEOREM
        lab.stop_button.click()
        await asyncio.sleep(0.05)

    asyncio.run(move())
    assert lab.state.run is None and "Stopped" in lab.status.value
    lab.run_button.click()
    assert lab.state.run.agent == THEOREM


def test_the_theorems_agent_has_the_eta_of_one_delta_and_the_bound_of_another_is_not_its_own():
    lab = BoundsLab(agent=THEOREM)
    assert "R_max, for δ = 0.1) in" in repr(lab) and "The bound for it is" in repr(lab)
    lab.set(delta=1e-6)
    assert "The bound shown is for an agent with another η" in repr(lab)
    assert "The bound for it is" not in repr(lab)
    bad_steps = BoundsLab(agent=THEOREM, picture="bad steps over ε")
    assert "The bound shown is for an agent with another η" in repr(bad_steps)


def test_the_readout_says_what_the_picture_shows(lab):
    lab.set(steps=1e9, n_states=30)
    state, words = lab.state, repr(lab)
    picture = lab.panels
    assert f"at most {in_powers(state.here['bound'])} R_max" in words
    assert picture.dots["bound"].get_ydata() == [state.here["bound"]]
    assert f"Below T = {in_powers(state.speaks_from)} the bound says less" in words
    edge = 10 ** (15 * picture.silence.get_width())
    assert edge == pytest.approx(state.speaks_from, rel=1e-3)
    shown = [block for block in picture.blocks if block.get_visible()]
    assert [block.get_x() for block in shown] == [each.start for each in state.stretches]


def test_params_are_checked_without_a_lab():
    with pytest.raises(ValueError, match="discount must be one of"):
        replace(Params(), discount=1.0)


def test_an_agent_chosen_by_hand_wakes_the_settings_of_its_prior():
    lab = BoundsLab()
    assert lab.controls["eta"].disabled
    lab.controls["agent"].value = OWN
    assert not any(lab.controls[name].disabled for name in ("alpha", "tau", "eta"))
