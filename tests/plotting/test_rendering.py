"""``env.render()``: a picture of the world, with the agent where it is."""

import io

import gymnasium
import matplotlib.pyplot as plt
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from PIL import Image

import eubrl_edu as eu


@pytest.mark.parametrize("name", ["chain", "loop", "deepsea", "lazychain", "bandit"])
def test_every_world_renders_as_gymnasium_wants_it(name):
    env = eu.make_env(name)
    with pytest.raises(ResetNeeded, match="reset"):
        env.render()
    before = env._repr_png_()
    env.reset(seed=0)
    pixels = env.render()
    assert pixels.dtype == np.uint8 and pixels.ndim == 3 and pixels.shape[2] == 3
    assert pixels.std() > 5 and env.render_mode in env.metadata["render_modes"]
    shown = np.asarray(Image.open(io.BytesIO(env._repr_png_())).convert("RGB"))
    np.testing.assert_array_equal(shown, pixels)
    assert len(before) > 1000 and plt.get_fignums() == []


def test_the_agent_is_seen_where_it_is_and_looking_draws_no_luck():
    env, twin = eu.make_env("chain"), eu.make_env("chain")
    env.reset(seed=0), twin.reset(seed=0)
    seen = {}
    for _ in range(60):
        seen.setdefault(env.state, []).append(env.render().tobytes())
        assert env.step(1)[:2] == twin.step(1)[:2]
    assert len(seen) == 5
    assert all(len(set(pictures)) == 1 for pictures in seen.values())
    assert len({pictures[0] for pictures in seen.values()}) == 5


class Corridor(gymnasium.Env):
    """Five states in a row, without a table: nothing here says how it looks."""

    observation_space = gymnasium.spaces.Discrete(5)
    action_space = gymnasium.spaces.Discrete(2)
    place = 0

    def reset(self, *, seed=None, options=None):
        self.place = 0
        return self.place, {}

    def step(self, action):
        self.place += action
        return self.place, 0.0, False, False, {}


@pytest.mark.parametrize("name", ["lake", "corridor"])
def test_a_gymnasium_world_without_a_render_mode_is_drawn(name):
    made = {
        "lake": lambda: gymnasium.make("FrozenLake-v1", is_slippery=False),
        "corridor": Corridor,
    }
    env = eu.make_env(made[name]())
    with pytest.raises(ResetNeeded, match="reset"):
        env.render()
    assert env.reset(seed=0)[0] == 0
    first = env.render()
    assert first.dtype == np.uint8 and first.ndim == 3 and first.shape[2] == 3 and first.std() > 5
    state = env.step(1)[0]
    assert state != 0 and (env.render() != first).any()
    assert env.reset(seed=0)[0] == 0
    np.testing.assert_array_equal(env.render(), first)


def test_what_an_environment_renders_itself_is_left_to_it():
    lake = gymnasium.make("FrozenLake-v1", render_mode="ansi")
    env = eu.make_env(lake)
    env.reset(seed=0)
    assert env.render() == lake.render() and "FFFH" in env.render()
