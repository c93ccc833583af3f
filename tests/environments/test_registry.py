import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from eubrl_edu.environments import WORLDS, DeepSea, GymnasiumWorld, TabularEnvironment, make_env


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("chain", {}),
        ("loop", {"size": 3}),
        ("deepsea", {"size": 4}),
        ("deepsea", {"size": 4, "stochastic": True}),
        ("lazychain", {"size": 4}),
        ("lazychain", {"size": 4, "stochastic": True}),
        ("bandit", {}),
    ],
)
def test_worlds_pass_gymnasiums_own_check(name, settings):
    identifier = f"eubrl_edu/{WORLDS[name].__name__}-v0"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make(identifier, **settings)
        check_env(made.unwrapped)
        made.reset(seed=0)
        made.step(0)
    bare = make_env(name, **settings)
    assert isinstance(bare, TabularEnvironment) and bare.unwrapped is bare
    np.testing.assert_array_equal(bare.model.weights, made.unwrapped.model.weights)
    np.testing.assert_array_equal(bare.model.rewards, made.unwrapped.model.rewards)


def test_gymnasium_collects_pictures_and_warns_of_what_cannot_be_rendered():
    made = gymnasium.make("eubrl_edu/Chain-v0", render_mode="rgb_array_list")
    made.reset(seed=0)
    made.step(0)
    assert [picture.shape[-1] for picture in made.render()] == [3, 3]
    with pytest.warns(UserWarning, match="'ansi' that is not in the possible render_modes"):
        gymnasium.make("eubrl_edu/Chain-v0", render_mode="ansi")


def test_sizes_left_out_and_given():
    assert make_env("loop").n_states == 9
    assert make_env("deepsea").n_states == 101
    assert make_env("lazychain").n_states == 21
    assert make_env("chain", size=5).n_states == 5
    assert make_env("loop", size=4).n_states == 17
    assert make_env("chain", stochastic=True).n_states == 5
    assert make_env("bandit", stochastic=True).n_states == 1


def test_seed_fixes_the_mapping_of_the_sea():
    sea = make_env("deepsea", size=6, seed=3)
    np.testing.assert_array_equal(sea.right_action, DeepSea(6, seed=3).right_action)
    before = sea.right_action.copy()
    sea.reset(seed=12)
    np.testing.assert_array_equal(sea.right_action, before)


def test_an_environment_that_exists_is_passed_through():
    sea = DeepSea(3)
    assert make_env(sea) is sea
    lake = make_env(gymnasium.make("FrozenLake-v1"))
    assert isinstance(lake, GymnasiumWorld)
    assert make_env(lake) is lake
    with pytest.raises(ValueError, match="size=4"):
        make_env(gymnasium.make("FrozenLake-v1"), size=4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "deepsee"}, "Did you mean 'deepsea'"),
        ({"name": "loops"}, "Did you mean 'loop'"),
        ({"name": "chain", "size": 6}, "size must be 5 for chain, got 6"),
        ({"name": "bandit", "size": 2}, "size must be 1 for bandit, got 2"),
        ({"name": "loop", "size": 0}, "size must be an integer of at least 1, got 0"),
        ({"name": "deepsea", "size": 10**6}, "size must be at most 707, got 1000000: .* 1.5 GB"),
        ({"name": "lazychain", "size": 10**9}, "size must be at most 166666, got 1000000000"),
        ({"name": "loop", "size": 10**30}, "size must be at most 499, got 1000000000000000000000"),
        ({"name": "loop", "stochastic": True}, "deepsea and lazychain have a stochastic variant"),
        ({"name": "chain", "seed": -1}, "seed must be an integer of at least 0, got -1"),
        ({"name": "deepsea", "seed": None}, "seed must be an integer of at least 0, got None"),
        ({"name": "deepsea", "stochastic": "no"}, "stochastic must be True or False, got 'no'"),
        ({"name": 3}, "unknown environment 3"),
        ({"name": "FrozenLake-v1"}, r"make_env\(gymnasium.make\('FrozenLake-v1'\)\)"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        make_env(**arguments)
