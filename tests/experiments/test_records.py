"""What a record says of its agent is what the agent does."""

import inspect
import itertools
import re
from dataclasses import fields, replace

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu.experiments import AGENT_NAMES, AGENTS, Settings, make_agent, run_study
from eubrl_edu.experiments.cells import study_cells, used_by
from eubrl_edu.experiments.records import BEFOREHAND, NEVER, SETTINGS, WHEN_KNOWN
from eubrl_edu.plotting import style
from eubrl_edu.plotting.legend import AGENT_STYLES, looks_of

# So that each of them can change what an agent that uses it does within a few steps.
BASE = Settings(eta=1.0, alpha=0.1, discount=0.9, reward_model="outcome", r_max=10.0)
OTHER = {
    "eta": 9.0,
    "alpha": 2.0,
    "beta0": 3.0,
    "lambda0": 3.0,
    "discount": 0.5,
    "plan_every": 7,
    "reward_model": "normal",
    "tau": 9.0,
    "uncertainty": "count",
    "known_after": 4,
    "r_max": 20.0,
    "n_models": 1,
    "learning_rate": 0.9,
    "epsilon": 0.9,
    "clip_visited": False,
    "delta": 0.9,
    "lambda_": 0.3,
    "horizon": 4,
}
NEEDS = {
    "tau": {"reward_model": "normal"},
    "clip_visited": {"alpha": 1e-5},
    "r_max": {"known_after": 9},
}
NAMES = [
    pytest.param(name, marks=pytest.mark.long) if name == "BEETLE" else name for name in AGENT_NAMES
]


def behaviour(name, settings, horizon=None):
    """What an agent does in a few steps, and the plan that it has in the end."""
    world = eu.make_env("lazychain", size=3) if name == "EUBRL-tied" else eu.make_env("chain")
    agent = AGENTS[name].make(world, settings, horizon)
    lived = eu.simulate(agent, world, steps=24, seed=5)
    plan = plan_of(agent, name)
    q = np.zeros(0) if plan is None else plan.q
    return lived.actions.tobytes(), q.shape, q.tobytes()


def plan_of(agent, name):
    """Its plan; one that never plans need not have any."""
    return (
        getattr(agent, "current_plan", None) if AGENTS[name].plans == NEVER else agent.current_plan
    )


def test_every_setting_is_tried():
    assert (
        set(OTHER)
        == set(SETTINGS)
        == {f.name for f in fields(Settings)} - {"eta_per_size"} | {"horizon"}
    )


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_uses_the_settings_that_its_record_names_and_no_others(name):
    for setting, value in OTHER.items():
        base = replace(BASE, **NEEDS.get(setting, {}))
        plain = behaviour(name, base)
        if setting == "horizon":
            changed = behaviour(name, base, value) if "horizon" in AGENTS[name].uses else plain
        else:
            changed = behaviour(name, replace(base, **{setting: value}))
        assert (changed != plain) == (setting in AGENTS[name].uses), setting


@pytest.mark.parametrize("name", [name for name in AGENT_NAMES if AGENTS[name].plans != BEFOREHAND])
def test_it_plans_when_its_record_says(name):
    """Whether the plan is a new one, after each of the last steps of a life."""
    world = eu.make_env("lazychain", size=3) if name == "EUBRL-tied" else eu.make_env("chain")
    agent = AGENTS[name].make(world, replace(BASE, plan_every=3))
    plans = []
    eu.simulate(agent, world, 320, seed=0, until=lambda _: plans.append(plan_of(agent, name)))
    new = [one is not other for one, other in itertools.pairwise(plans[300:])]
    plan = AGENTS[name].plans
    if plan == "":
        # PSRL notes that a draw is due, and draws when it acts next.
        assert sum(new) in (6, 7) and not any(a and b for a, b in itertools.pairwise(new))
    elif plan == WHEN_KNOWN:
        assert not any(new), "all pairs are known by then"
    else:
        assert plan == NEVER


@pytest.mark.parametrize("name", [name for name in AGENT_NAMES if name != "BEETLE"])
def test_it_has_a_p_u_if_its_record_says_so(name):
    world = eu.make_env("lazychain", size=3) if name == "EUBRL-tied" else eu.make_env("chain")
    agent = AGENTS[name].make(world, BASE)
    agent.act(0, np.random.default_rng(0))
    has_p_u = hasattr(plan_of(agent, name), "probability_of_uncertainty")
    assert has_p_u == (AGENTS[name].instead_of_p_u == "")


def test_the_signature_of_make_agent_shows_every_setting():
    parameters = inspect.signature(make_agent).parameters
    assert [*parameters][2:-1] == list(SETTINGS)


@pytest.mark.parametrize("name", AGENT_NAMES)
def test_a_setting_that_is_not_used_is_refused_by_name(name):
    world = eu.make_env("chain")
    for setting in set(SETTINGS) - AGENTS[name].uses:
        with pytest.raises(
            ValueError, match=f"^{setting} must be left out, got .*{re.escape(name)} uses"
        ):
            make_agent(name, world, **{setting: OTHER[setting]})


def test_a_study_checks_ranges_and_then_filters():
    def settings_of(agent, agents, **settings):
        cells = study_cells("loop", agents, [2], settings)
        return next(cell.settings for cell in cells if cell.agent == agent)

    both = ["EUBRL", "RMAX"]
    assert settings_of("EUBRL", both, eta=7.0).eta == 7.0
    assert settings_of("RMAX", both, eta=7.0) == settings_of("RMAX", both)
    with pytest.raises(ValueError, match="known_after must be an integer of at least 1, got 0"):
        run_study("loop", ["EUBRL"], [2], 1, settings={"known_after": 0}, progress=False)
    with pytest.raises(ValueError, match="eta must be left out, got 1: RMAX has no bonus"):
        run_study("loop", ["RMAX"], [2], 1, settings={"eta": 1}, progress=False)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("eta", -1),
        ("eta", float("nan")),
        ("alpha", 0),
        ("beta0", "x"),
        ("lambda0", 0),
        ("discount", 1.5),
        ("plan_every", 0),
        ("plan_every", "often"),
        ("reward_model", "none"),
        ("tau", -1),
        ("uncertainty", "much"),
        ("known_after", 1.5),
        ("r_max", float("inf")),
        ("n_models", 0),
        ("learning_rate", 0),
        ("epsilon", 1.1),
        ("clip_visited", "no"),
        ("delta", 0),
        ("lambda_", 2),
        ("eta_per_size", "yes"),
    ],
)
def test_settings_check_their_ranges(setting, value):
    with pytest.raises(ValueError, match=setting):
        replace(Settings(), **{setting: value})


def test_used_by_leaves_out_the_rest():
    settings = {"eta": 1.0, "known_after": 3, "epsilon": 0.1}
    assert used_by("RMAX", settings) == {"known_after": 3}


def test_one_look_for_each_agent_and_no_two_alike():
    assert list(AGENT_STYLES) == list(AGENT_NAMES)
    assert len({tuple(look.values()) for look in AGENT_STYLES.values()}) == len(AGENT_NAMES)
    assert AGENT_STYLES["RMAX"]["color"] == style.ORANGE


def test_agents_of_ones_own_look_like_nobody_else():
    own = [f"mine {number}" for number in range(10)]
    looks = looks_of([own[0], *AGENT_NAMES, *own[1:]])
    assert list(looks) == [own[0], *AGENT_NAMES, *own[1:]]
    without_colour = [(look["marker"], look["linestyle"]) for look in looks.values()]
    assert len({*without_colour}) == len(looks)
    assert {looks[name]["color"] for name in own} == {style.BLACK}
    assert {name: looks[name] for name in AGENT_NAMES} == AGENT_STYLES
