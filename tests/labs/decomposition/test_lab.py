"""DecompositionLab without a browser: its numbers against dense algebra, its slices, controls."""

import asyncio
import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.labs import DecompositionLab
from eubrl_edu.labs.decomposition.scene import (
    CRITICAL_VISITS,
    MOST_STEPS,
    TERMS,
    THEORY,
    WORLDS,
    Params,
    prepare,
    suggested,
)
from eubrl_edu.labs.slices import finish


@pytest.fixture(scope="module")
def one_lab():
    return DecompositionLab()


@pytest.fixture
def lab(one_lab):
    """A lab in its first state; one for all tests, since its run takes a while."""
    one_lab.set(**vars(Params()))
    return one_lab


def pixels(lab) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(lab.picture.value)))


def params_of(world, **settings):
    return Params(**{"world": world, "steps": 60} | suggested(world) | settings)


@pytest.mark.parametrize("m", [THEORY, 2])
@pytest.mark.parametrize("world", WORLDS)
def test_the_run_is_that_of_the_readable_classes_and_so_are_its_terms(world, m):
    params = params_of(world, m=m, lambda_=0.5, seed=1)
    run = finish(prepare(params))
    env = params.make_env()
    agent = eu.make_agent("EUBRL", env, **suggested(world), discount=0.95)
    trajectory = eu.simulate(agent, env, 60, seed=1, record_plans=True)
    np.testing.assert_array_equal(run.trajectory.states, trajectory.states)
    rewards = env.outcome_rewards[env.outcome_probabilities > 0]
    low, high = min(rewards.min(), 0), max(rewards.max(), 0)
    mapped = low < 0
    scale = high - low if mapped else 1.0
    own = {} if m == THEORY else {"m": m, "eta": params.eta / scale}
    frame = theory.decompose(trajectory, env, discount=0.95, lambda_t=0.5, rescale=mapped, **own)
    v_max = 20 * (1.0 if mapped else high)
    np.testing.assert_allclose(run.terms * v_max, frame[list(TERMS)], atol=1e-9)
    np.testing.assert_allclose(run.regret * v_max, frame.regret, atol=1e-9)
    np.testing.assert_allclose(run.bound * v_max, frame.bound)
    np.testing.assert_allclose(run.resistance, 2 * run.p_u_policy + 9 / 7 * run.p_u_optimal)
    holds = theory.events(
        trajectory, env, discount=0.95, lambda_t=0.5, rescale=mapped, epsilon=0.1 * v_max, **own
    )
    np.testing.assert_array_equal(run.events, holds[[f"A{n}" for n in range(1, 9)]])
    assert run.m == (m if m != THEORY else pytest.approx((20 / 0.5) ** 2))


@pytest.mark.parametrize("world", WORLDS)
def test_levels_are_the_values_of_dense_algebra_and_terms_their_differences(world):
    run = finish(prepare(params_of(world)))
    mapped, v_max = run.values.reward_map, run.values.problem.v_max
    model = mapped.mdp(run.env.model)
    matrix, n = model.transition_matrix(), run.env.n_states
    best = np.linalg.solve(
        np.eye(n) - 0.95 * matrix[np.arange(n), run.values.optimal_policy],
        model.rewards[np.arange(n), run.values.optimal_policy],
    )
    q = model.rewards + 0.95 * matrix @ best
    np.testing.assert_allclose(q.max(axis=1), best, atol=1e-9)
    states = run.trajectory.states
    np.testing.assert_allclose(run.levels[:, 0], best[states] / v_max, atol=1e-9)
    for step in (0, 7, 59):
        policy = run.trajectory.plans[step].q.argmax(axis=1)
        policy[states[step]] = run.trajectory.actions[step]
        real = np.linalg.solve(
            np.eye(n) - 0.95 * matrix[np.arange(n), policy], model.rewards[np.arange(n), policy]
        )
        assert run.levels[step, 3] == pytest.approx(real[states[step]] / v_max, abs=1e-9)
    np.testing.assert_allclose(run.levels[:, :3] - run.levels[:, 1:], run.terms, atol=1e-9)
    np.testing.assert_allclose(run.terms.sum(axis=1), run.regret, atol=1e-9)


def test_the_first_critical_step_is_where_the_complexity_begins():
    run = finish(prepare(Params(steps=60, m=5)))
    first = run.first_critical
    assert (run.terms[: first - 1, 1] == 0).all() and run.terms[first - 1 :, 1].any()
    pairs = run.trajectory.states * 2 + run.trajectory.actions
    visits = [np.bincount(pairs[:step], minlength=10).max() for step in range(60)]
    assert first == 1 + next(step for step, most in enumerate(visits) if most >= 5)
    assert finish(prepare(Params(steps=60, m=THEORY))).first_critical is None


def test_the_first_picture_has_all_terms(lab):
    quasi, complexity, accuracy = lab.state.run.terms[lab.state.at]
    assert quasi < 0 < complexity and accuracy > 0 and lab.state.run.regret[lab.state.at] > 0


@pytest.mark.long
@pytest.mark.parametrize("world", WORLDS)
def test_everything_stays_inside_the_picture_at_the_extremes(world):
    for extreme in (
        {"eta": 1000.0, "alpha": 10.0, "lambda_": 0.01, "m": 1, "discount": 0.98},
        {"eta": 0.01, "alpha": 1e-8, "lambda_": 1.0, "m": 100, "discount": 0.5},
    ):
        lab = DecompositionLab(world=world, steps=40, **extreme)
        run, picture = lab.state.run, lab.panels
        for axes, values in (
            (picture.term_axes, run.terms),
            (picture.stair_axes, run.levels),
            (picture.bound_axes, run.bound),
            (picture.resistance_axes, run.resistance),
        ):
            low, high = axes.get_ylim()
            assert low <= values.min() + 1e-9 and values.max() <= high + 1e-9
        assert np.isfinite(run.bound).all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"world": "Chian"}, "Did you mean 'Chain'"),
        ({"world": ["Chain"]}, "unknown world"),
        ({"discount": 0.42}, "discount must be one of"),
        ({"m": 3}, "m must be one of"),
        ({"steps": MOST_STEPS + 1}, f"steps must be from 1 to {MOST_STEPS}"),
        ({"time": 0}, "time must be an integer of at least 1"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
        ({"lambda_": 2.0}, "lambda_ must be from 0.01 to 1"),
        ({"eta": -1.0}, "eta must be from 0.01 to 1000"),
        ({"beta": 1.0}, "Did you mean 'beta0'"),
    ],
)
def test_bad_settings_are_named(settings, words):
    with pytest.raises(ValueError, match=words):
        DecompositionLab(**settings)


def test_a_bad_value_is_answered_in_the_readout_and_the_picture_stays(lab):
    lab.controls["m"].options = [*CRITICAL_VISITS, 7]
    before = pixels(lab)
    lab.controls["m"].value = 7
    assert "⚠ m must be one of" in lab.readout.value
    assert (pixels(lab) == before).all()
    lab.controls["m"].value = 20
    assert "⚠" not in lab.readout.value


def test_a_world_brings_the_papers_prior_and_greys_out_what_has_no_effect(lab):
    assert lab.controls["beta0"].disabled
    lab.controls["world"].value = "2 loops"
    assert (lab.params.alpha, lab.params.eta) == (1e-8, 0.5)
    assert not lab.controls["beta0"].disabled
    assert lab.state.run.params.eta == 0.5
    lab.set(world="Chain", eta=5.0)
    assert (lab.params.alpha, lab.params.eta) == (0.1, 5.0)
    assert lab.controls["beta0"].disabled


def test_time_ends_where_the_run_does(lab):
    lab.controls["time"].value = 300
    lab.controls["steps"].value = 50
    assert lab.controls["time"].max == lab.state.time == len(lab.state.run) == 50
    lab.set(steps=200, time=200)
    assert lab.state.time == 200
    assert DecompositionLab(steps=50, time=90).state.time == 50


def test_the_picture_stays_while_a_run_is_under_way_and_stop_keeps_it(lab):
    before = pixels(lab)

    async def move():
        lab.controls["steps"].value = MOST_STEPS
        await asyncio.sleep(0.05)
        assert not lab.stop_button.disabled and lab.progress.value < 1
        assert len(lab.state.run) == 300
        lab.stop_button.click()
        await asyncio.sleep(0.1)

    asyncio.run(move())
    assert "Stopped" in lab.status.value
    assert (pixels(lab) == before).all()
    lab.run_button.click()
    assert len(lab.state.run) == MOST_STEPS


def test_scrubbing_moves_the_step_and_nothing_is_computed_again(lab):
    run = lab.state.run
    lab.player.step_button.click()
    assert lab.state.run is run and lab.state.time == 29
    assert [list(cursor.get_xdata()) for cursor in lab.panels.cursors] == [[29, 29]] * 3
    tops = [bar.get_y() + bar.get_height() for bar in lab.panels.bars]
    np.testing.assert_allclose(tops[:3], run.levels[28, :3])
    bottoms = [bar.get_y() for bar in lab.panels.bars]
    np.testing.assert_allclose(bottoms[:3], run.levels[28, 1:])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "too hopeful"),
        ({"world": "2 loops", "time": 24, "steps": 60}, "too gloomy"),
        ({"world": "2 loops", "time": 60, "steps": 60}, "about right"),
    ],
)
def test_above_one_step_stands_whether_the_agent_is_too_hopeful(settings, words):
    lab = DecompositionLab(**settings)
    *_, accuracy = lab.state.run.terms[lab.state.at]  # what is believed, less what is real
    assert (
        words == ("too gloomy", "about right", "too hopeful")[np.digitize(accuracy, [-0.05, 0.05])]
    )
    (shown,) = lab.panels.verdict.texts
    assert shown.endswith(words)


def test_the_readout_says_what_the_picture_shows(lab):
    lab.controls["time"].value = 34
    run, words = lab.state.run, repr(lab)
    assert words.startswith("Step 34 of 300, Chain")
    quasi, complexity, accuracy = run.terms[33]
    assert f"quasi-optimism −{-quasi:.3g} + complexity {complexity:.3g}" in words
    assert f"accuracy {accuracy:.3g}" in words and f"Regret {run.regret[33]:.3g} =" in words
    assert f"Bound {run.bound[33]:.3g} =" in words and "it says nothing" in words
    assert "A1 to A8 hold at this step and at all others" in words
    optimistic = sum(quasi <= 1e-12 for quasi in run.terms[:, 0])
    assert f"Ṽ is at least V* in {optimistic} of the {len(run.terms)} steps" in words


def test_failed_events_are_named():
    run = finish(prepare(Params(steps=20)))
    events = run.events.copy()
    events[2, 4] = False
    run = replace(run, events=events)

    class FailingLab(DecompositionLab):
        def prepare(self, params):
            yield 1.0
            return run

    lab = FailingLab(steps=20, time=3)
    assert "A5 fails at this step; in the whole run A5 fails somewhere" in repr(lab)
    lab.controls["time"].value = 4
    assert "A1 to A8 hold at this step; in the whole run A5 fails somewhere" in repr(lab)
