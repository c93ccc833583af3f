"""Agents by name."""

import inspect
import pickle
import re
from dataclasses import fields

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory
from eubrl_edu.experiments import Settings, make_agent, run_study
from eubrl_edu.experiments.cells import study_cells


def test_the_docstring_names_every_setting_and_settings_explains_it():
    names = {field.name for field in fields(Settings)} - {"eta_per_size"} | {"horizon"}
    listed = make_agent.__doc__.split("discrete spaces.")[1].split("See `Settings`")[0]
    assert {*re.findall(r"\w+", listed), "horizon"} == names
    explained = re.findall(r"^([a-z0-9_, ]+) : ", inspect.getdoc(Settings), flags=re.MULTILINE)
    assert names - {"horizon"} <= {name for line in explained for name in line.split(", ")}


# ---- the frequentist instance ------------------------------------------------------------

COUNTING = "EUBRL-frequentist"
CHAIN = {"n_states": 5, "n_actions": 2, "r_max": 10.0}


def test_the_frequentist_instance_is_made_by_name_with_the_eta_of_the_analysis():
    env = eu.make_env("chain")
    agent = make_agent(COUNTING, env, delta=0.2)
    assert isinstance(agent, eu.FrequentistEUBRL)
    assert (agent.r_max, agent.discount, agent.plan_every) == (10.0, 0.95, 1)
    # λ is 1 until T is in the millions here, so both a short and a long life are looked at.
    for step in (1, 1000, 10**7):
        theorem = theory.theoretical_eta(**CHAIN, delta=0.2, discount=0.95, steps=step)
        assert agent.eta(step) == theorem.eta
    assert agent.eta(10**7) > 2 * agent.eta(1)


def test_its_lambda_may_be_that_of_an_accuracy():
    problem = theory.Problem(**CHAIN, delta=0.1, discount=0.9)
    lambda_ = theory.sample_complexity_lambda(problem, 20.0)
    agent = make_agent(COUNTING, eu.make_env("chain"), discount=0.9, lambda_=lambda_)
    theorem = theory.theoretical_eta(**CHAIN, delta=0.1, discount=0.9, epsilon=20.0)
    assert agent.eta == theorem.eta


def test_with_a_horizon_its_eta_goes_by_episodes():
    agent = make_agent(COUNTING, eu.make_env("chain"), horizon=4, plan_every="episode")
    for episodes in (1, 2, 10**7):
        theorem = theory.theoretical_eta(**CHAIN, delta=0.1, horizon=4, episodes=episodes)
        first, last = 4 * (episodes - 1) + 1, 4 * episodes
        assert agent.eta(first) == agent.eta(last) == theorem.eta


def test_its_runs_are_decomposed_and_measured_like_any_other():
    env = eu.make_env("loop", size=2)
    run = eu.simulate(make_agent(COUNTING, env), env, 60, seed=0, record_plans=True)
    frame = theory.decompose(run, env, discount=0.95)
    assert (frame.complexity <= 2.0 + 1e-9).all()  # Φ = R_max λ, and λ is 1
    np.testing.assert_allclose(frame.regret, theory.regret(run, env, discount=0.95), atol=1e-9)
    # It is carried to other processes and kept in checkpoints.
    agent = make_agent(COUNTING, env)
    assert pickle.loads(pickle.dumps(agent)).eta(3) == agent.eta(3)


def test_it_runs_in_a_study_and_its_own_settings_are_part_of_its_rows_alone():
    frame = run_study("loop", [COUNTING, "RMAX"], [2], seeds=2, progress=False)
    assert list(frame.agent) == [COUNTING] * 2 + ["RMAX"] * 2
    assert (frame.steps == 1000).all() and (frame.total_return >= 0).all()

    def keys(agent, **settings):
        return study_cells("loop", [agent], [2], settings)[0].key()

    assert keys(COUNTING) != keys(COUNTING, delta=0.5) != keys(COUNTING, lambda_=0.5)
    both = study_cells("loop", [COUNTING, "RMAX"], [2], {"delta": 0.5, "lambda_": 0.5})
    assert both[1].key() == keys("RMAX")


@pytest.mark.parametrize(
    ("world", "settings", "words"),
    [
        ("lazychain", {"size": 3}, r"cannot live here: .*R_max.*pays from -1 to 5"),
        ("deepsea", {"size": 3}, r"cannot live here: .*R_max.*pays from -0.00333333 to"),
        ("deepsea", {"size": 3, "stochastic": True}, "EUBRL-frequentist cannot live here"),
    ],
)
def test_a_world_that_pays_outside_the_range_is_refused(world, settings, words):
    env = eu.make_env(world, **settings)
    with pytest.raises(ValueError, match=words) as error:
        make_agent(COUNTING, env)
    assert "rescale" not in str(error.value)  # which is not a setting of agents


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"r_max": 5.0}, r"\[0, R_max = 5\], but this world pays from 0 to 10"),
        ({"delta": 0.0}, r"delta must be in \(0, 1\], got 0.0"),
        ({"lambda_": 0.0}, r"lambda_ must be in \(0, 1\], got 0.0"),
        ({"lambda_": 1.5}, r"lambda_ must be in \(0, 1\], got 1.5"),
        ({"lamda_": 0.5}, "Did you mean 'lambda_'"),
    ],
)
def test_its_bad_settings_are_answered_in_words(settings, words):
    with pytest.raises(ValueError, match=words):
        make_agent(COUNTING, eu.make_env("chain"), **settings)
