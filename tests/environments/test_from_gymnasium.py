"""Gymnasium's toy worlds; their optimal values against value iteration on the raw table."""

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.toy_text import FrozenLakeEnv
from gymnasium.utils.env_checker import check_env
from scipy import stats

from eubrl_edu import make_agent, simulate
from eubrl_edu.environments import WORLDS, make_env, world_from_gymnasium
from eubrl_edu.planning import solve

# Its number has grown from one Gymnasium to the next; the table is the same.
TAXI = max(name for name in gymnasium.registry if name.startswith("Taxi-v"))
TOYS = {
    "lake": ("FrozenLake-v1", {"is_slippery": False}),
    "slippery lake": ("FrozenLake-v1", {"is_slippery": True}),
    "large lake": ("FrozenLake-v1", {"map_name": "8x8"}),
    "cliff": ("CliffWalking-v1", {}),
    "slippery cliff": ("CliffWalking-v1", {"is_slippery": True}),
    "taxi": (TAXI, {}),
    "rainy taxi": (TAXI, {"is_rainy": True}),
}


@pytest.fixture(params=TOYS)
def toy(request):
    name, settings = TOYS[request.param]
    return gymnasium.make(name, **settings)


@pytest.mark.filterwarnings("error", "ignore:.*different from the unwrapped version")
def test_each_passes_gymnasiums_own_check(toy):
    check_env(make_env(toy), skip_render_check=True)


def values_of_raw_table(table, n_states, discount):
    """V(s) = max_a sum p (r + γ V(s') unless done), swept until nothing moves."""
    values = np.zeros(n_states)
    while True:
        swept = np.array(
            [
                max(
                    sum(p * (r + discount * values[s2] * (not done)) for p, s2, r, done in row)
                    for row in table[s].values()
                )
                for s in range(n_states)
            ]
        )
        if np.abs(swept - values).max() < 1e-11:
            return swept
        values = swept


def test_optimal_values_are_those_of_the_raw_table(toy, optimal_values):
    world = world_from_gymnasium(toy)
    n_listed = toy.observation_space.n
    _, values = optimal_values(world.model, 0.95)
    raw = values_of_raw_table(toy.unwrapped.P, n_listed, 0.95)
    ordinary = sorted(set(range(n_listed)) - set(world.terminal_states))
    np.testing.assert_allclose(values[ordinary], raw[ordinary], atol=1e-9)
    assert np.abs(values[ordinary]).max() > 0
    assert (values[list(world.terminal_states)] == 0).all()


def test_model_is_well_formed(toy):
    world = make_env(toy)
    dense = world.model.transition_matrix()
    np.testing.assert_allclose(dense.sum(axis=-1), 1, rtol=1e-12)
    for state in world.terminal_states:
        assert (dense[state, :, state] == 1).all()
        assert (world.model.rewards[state] == 0).all()
    assert world.state_positions.shape == (world.n_states, 2)
    assert len(world.state_names) == world.n_states
    assert world.action_names == tuple(map(str, range(world.n_actions)))
    assert world.initial_probabilities.sum() == pytest.approx(1)
    assert world.observation_space.n == world.n_states


def test_terminal_states():
    lake = make_env(gymnasium.make("FrozenLake-v1"))
    assert lake.terminal_states == (5, 7, 11, 12, 15)
    assert make_env(gymnasium.make("CliffWalking-v1")).terminal_states == (47,)
    # A passenger at her destination is also met on the way from another such state.
    taxi = make_env(gymnasium.make(TAXI))
    assert taxi.terminal_states == (500,) and taxi.n_states == 501
    assert taxi.state_names[-1] == "end"


def test_repeated_successors_are_summed():
    lake = make_env(gymnasium.make("FrozenLake-v1", is_slippery=True))
    # left in the corner: up and left bump into walls, down moves
    np.testing.assert_allclose(lake.model.transition_matrix()[0, 0, [0, 4]], [2 / 3, 1 / 3])
    assert np.count_nonzero(lake.model.weights[0, 0]) == 2


def test_step_follows_the_model():
    """Chi-square tests of the slippery lake's next states, all together at level 1e-6."""
    world = make_env(gymnasium.make("FrozenLake-v1", is_slippery=True))
    dense = world.model.transition_matrix()
    counts = np.zeros_like(dense)
    chooser = np.random.default_rng(0)
    state, _ = world.reset(seed=0)
    for _ in range(15_000):
        action = int(chooser.integers(4))
        next_state, reward, terminated, truncated, _ = world.step(action)
        counts[state, action, next_state] += 1
        assert terminated == (next_state in world.terminal_states)
        state = world.reset()[0] if terminated or truncated else next_state
    assert not counts[dense == 0].any()
    tested = np.argwhere(counts.sum(axis=-1) >= 60)
    assert len(tested) > 20
    for s, a in tested:
        possible = dense[s, a] > 0
        expected = dense[s, a, possible] * counts[s, a].sum()
        if len(expected) > 1:
            p_value = stats.chisquare(counts[s, a, possible], expected).pvalue
            assert p_value > 1e-6 / len(tested)


def test_taxi_driven_optimally_ends_in_the_extra_state(optimal_values):
    world = make_env(gymnasium.make(TAXI))
    q, values = optimal_values(world.model, 1.0)
    for seed in range(5):
        state, _ = world.reset(seed=seed)
        promised, total, terminated = values[state], 0.0, False
        while not terminated:
            state, reward, terminated, truncated, _ = world.step(int(q[state].argmax()))
            assert not truncated
            total += reward
        assert state == 500
        assert total == pytest.approx(promised)


def test_time_limit_is_known_and_passes_through():
    world = make_env(gymnasium.make("FrozenLake-v1", max_episode_steps=3, is_slippery=False))
    assert world.max_episode_steps == 3
    world.reset(seed=0)
    assert [world.step(0)[3] for _ in range(3)] == [False, False, True]
    assert make_env(gymnasium.make("CliffWalking-v1").unwrapped).max_episode_steps is None


class Corridor(gymnasium.Env):
    """No published table; states 3, 4, 5 and actions 1, 2; the right end is state 5."""

    observation_space = gymnasium.spaces.Discrete(3, start=3)
    action_space = gymnasium.spaces.Discrete(2, start=1)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 3
        return self.place, {}

    def step(self, action):
        assert action in (1, 2)
        self.place = max(3, self.place + (1 if action == 2 else -1))
        return self.place, 1, self.place == 5, False, {}


def test_without_a_table_every_end_is_the_extra_state():
    world = make_env(Corridor())
    assert world.model is None and world.successor_rewards is None
    assert world.initial_states is None
    assert (world.n_states, world.n_actions, world.terminal_states) == (4, 2, (3,))
    assert world.reset(seed=0) == (0, {})
    assert world.step(1) == (1, 1.0, False, False, {})
    assert world.step(1) == (3, 1.0, True, False, {})


class CorridorWithTable(Corridor):
    """The same, published, and counting its states and actions from 3 and 1."""

    P = {
        s: {a: [(1.0, s2, 1, s2 == 5)] for a, s2 in ((1, max(3, s - 1)), (2, min(5, s + 1)))}
        for s in (3, 4, 5)
    }


def test_states_and_actions_may_count_from_elsewhere(optimal_values):
    world = make_env(CorridorWithTable())
    # Nothing says that no episode begins at the right end, whose rows lead elsewhere.
    assert (world.n_states, world.terminal_states) == (4, (3,))
    assert world.model.transition_matrix()[1, 1, 3] == 1
    world.reset(seed=0)
    assert world.step(1)[0] == 1
    assert world.step(1)[:3] == (3, 1.0, True)


class Home(gymnasium.Env):
    """A round of so many states that ends, and pays 1, where it began."""

    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, length):
        self.observation_space = gymnasium.spaces.Discrete(length)
        self.P = {
            state: {
                0: [(1.0, state, 0.0, False)],
                1: [(1.0, (state + 1) % length, float(state + 1 == length), state + 1 == length)],
            }
            for state in range(length)
        }

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = 0
        return 0, {}

    def step(self, action):
        ((_, self.state, reward, done),) = self.P[self.state][action]
        return self.state, reward, done, False, {}


@pytest.mark.parametrize("length", [1, 3])
def test_a_world_may_end_where_it_began_without_saying_that_it_begins_there(length):
    world = make_env(Home(length))
    assert (world.n_states, world.terminal_states) == (length + 1, (length,))
    assert solve(world.model, 0.9).v[0] == pytest.approx(0.9 ** (length - 1))
    run = simulate(make_agent("RMAX", world, known_after=1), world, steps=40, seed=0)
    assert run.rewards.sum() > 30 / length


class Published(gymnasium.Env):
    """Two states, one action: a table and a start distribution, nothing to play."""

    observation_space = gymnasium.spaces.Discrete(2)
    action_space = gymnasium.spaces.Discrete(1)

    def __init__(self, rows, starts):
        self.P = {state: {0: row} for state, row in enumerate(rows)}
        self.initial_state_distrib = np.array(starts)


def test_a_state_that_only_loops_to_itself_is_terminal_when_entered_at_the_end():
    world = make_env(Published([[(1.0, 1, 4, True)], [(1.0, 1, 9, False)]], [1.0, 0.0]))
    assert (world.n_states, world.terminal_states) == (2, (1,))
    np.testing.assert_array_equal(world.model.rewards, [[4], [0]])
    np.testing.assert_array_equal(world.initial_states, [0])


def test_an_end_that_is_also_a_start_state_becomes_an_extra_state():
    world = make_env(Published([[(1.0, 1, 4, True)], [(1.0, 0, 9, False)]], [0.5, 0.5]))
    assert (world.n_states, world.terminal_states) == (3, (2,))
    np.testing.assert_array_equal(world.model.transition_matrix()[:, 0].argmax(axis=1), [2, 0, 2])
    np.testing.assert_array_equal(world.model.rewards, [[4], [9], [0]])


def test_the_same_successor_with_and_without_the_flag_is_told_apart():
    row = [(0.25, 1, 4, True), (0.75, 1, 0, False)]
    world = make_env(Published([row, row], [1.0, 0.0]))
    np.testing.assert_allclose(world.model.transition_matrix()[0, 0], [0, 0.75, 0.25])


def test_a_table_that_does_not_tell_the_truth_is_not_read():
    lake = gymnasium.make("FrozenLake-v1")
    doubled = gymnasium.wrappers.TransformReward(lake, lambda reward: 2 * reward)
    assert make_env(doubled).model is None
    fickle = gymnasium.make(TAXI, fickle_passenger=True)
    assert make_env(fickle).model is None
    assert make_env(gymnasium.make(TAXI)).model is not None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("CartPole-v1", "observation_space must be Discrete, got Box"),
        ("Blackjack-v1", "observation_space must be Discrete, got Tuple"),
    ],
)
def test_other_spaces_are_refused_by_name(name, message):
    with pytest.raises(ValueError, match=message):
        make_env(gymnasium.make(name))


def test_continuous_actions_are_refused_by_name():
    env = Corridor()
    env.action_space = gymnasium.spaces.Box(0, 1)
    with pytest.raises(ValueError, match="action_space must be Discrete, got Box"):
        world_from_gymnasium(env)


def test_what_is_no_environment_is_refused():
    with pytest.raises(ValueError, match="env must be a gymnasium.Env"):
        world_from_gymnasium("FrozenLake-v1")


def test_an_action_out_of_range_is_refused():
    world = make_env(gymnasium.make("CliffWalking-v1"))
    world.reset(seed=0)
    with pytest.raises(ValueError, match="action must be an integer from 0 to 3, got 4"):
        world.step(4)


class TenTimes(gymnasium.Wrapper):
    def step(self, action):
        state, reward, *rest = self.env.step(action)
        return state, 10 * reward, *rest


class Named(gymnasium.Wrapper):
    """It passes every step on as it is."""


@pytest.mark.parametrize("wrapper", [gymnasium.wrappers.NormalizeReward, TenTimes])
def test_a_wrapper_with_steps_of_its_own_makes_the_published_table_untrue(wrapper):
    assert make_env(wrapper(gymnasium.make("FrozenLake-v1"))).model is None


@pytest.mark.parametrize("wrapper", [gymnasium.wrappers.RecordEpisodeStatistics, Named])
def test_a_wrapper_that_only_watches_leaves_it_true(wrapper):
    assert make_env(wrapper(gymnasium.make("FrozenLake-v1"))).model is not None


def test_the_least_limit_counts():
    lake = gymnasium.make("FrozenLake-v1", max_episode_steps=3)
    assert make_env(gymnasium.wrappers.TimeLimit(lake, 10)).max_episode_steps == 3


class NeverEnding(gymnasium.Env):
    """Its table has no end, and its third step ends."""

    observation_space = action_space = gymnasium.spaces.Discrete(2)
    P = {s: {a: [(1.0, a, 0.0, False)] for a in range(2)} for s in range(2)}

    def reset(self, *, seed=None, options=None):
        self.steps = 0
        return 0, {}

    def step(self, action):
        self.steps += 1
        return int(action), 0.0, self.steps == 3, False, {}


class Toll(FrozenLakeEnv):
    """Each step costs something that its table does not know."""

    def step(self, action):
        state, reward, *rest = super().step(action)
        return state, reward - 0.1, *rest


class FarOff(FrozenLakeEnv):
    """It begins where its table does not."""

    def reset(self, **how):
        super().reset(**how)
        self.s = 14
        return 14, {}


def test_steps_and_starts_that_the_table_does_not_list_are_refused():
    toll, far_off = make_env(Toll(is_slippery=False)), make_env(FarOff())
    toll.reset(seed=0)
    with pytest.raises(
        ValueError, match=r"step must do what its table .* to state 1, no end, for -0.1"
    ):
        toll.step(2)
    with pytest.raises(ValueError, match="must begin where .* says, got state 14"):
        far_off.reset(seed=0)
    assert far_off.reset(options={})[0] == 14  # asked for by who steps it


def test_from_a_state_that_is_set_by_hand_a_step_is_believed():
    taxi = make_env(gymnasium.make(TAXI))
    taxi.reset(seed=0)
    taxi.unwrapped.s = 328
    assert taxi.step(0)[:2] == (428, -1.0)


def test_before_its_first_reset_a_world_may_be_somewhere_already():
    cliff = gymnasium.make("CliffWalking-v1")
    cliff.reset(seed=0)
    assert make_env(cliff).step(0)[0] == 24


def test_a_world_of_this_package_keeps_its_table_in_a_wrapper_that_only_watches():
    limited = make_env(gymnasium.wrappers.TimeLimit(make_env("chain"), 50))
    assert limited.max_episode_steps == 50
    np.testing.assert_array_equal(limited.model.rewards, make_env("chain").model.rewards)
    assert limited.terminal_states == () and list(limited.initial_states) == [0]
    noisy = make_env("deepsea", size=4, stochastic=True)
    watched = make_env(gymnasium.wrappers.RecordEpisodeStatistics(noisy))
    np.testing.assert_array_equal(watched.reward_deviations, noisy.reward_deviations)
    run = simulate(make_agent("EUBRL", watched), watched, steps=50, seed=0)
    assert len(run) == 50 and watched.terminal_states == noisy.terminal_states
    assert make_env(TenTimes(make_env("chain"))).model is None


class Ring(gymnasium.Env):
    """It publishes a table, and keeps its place under another name than toy environments do."""

    observation_space, action_space = gymnasium.spaces.Discrete(3), gymnasium.spaces.Discrete(1)
    P = {s: {0: [(1.0, (s + 1) % 3, 0.0, False)]} for s in range(3)}

    def reset(self, *, seed=None, options=None):
        self.state = 0
        return 0, {}

    def step(self, action):
        self.state = (self.state + 1) % 3
        return self.state, 0.0, False, False, {}


def test_a_place_may_be_kept_as_state_and_set_by_hand():
    ring = make_env(Ring())
    ring.reset(seed=0)
    ring.unwrapped.state = 2
    assert ring.step(0)[0] == 0 and ring.step(0)[0] == 1


def test_a_step_that_does_not_end_where_the_table_does_is_refused():
    ring = Ring()
    ring.P = {**Ring.P, 2: {0: [(1.0, 0, 0.0, True)]}}
    world = make_env(ring)
    world.reset(seed=0), world.step(0), world.step(0)
    with pytest.raises(ValueError, match="to state 0, no end, for 0.0"):
        world.step(0)


def test_in_a_wrapper_a_world_of_this_package_keeps_its_own_limit():
    short = make_env("lazychain", size=3)
    short.max_episode_steps = 6
    watched = gymnasium.wrappers.RecordEpisodeStatistics(short)
    assert make_env(watched).max_episode_steps == 6
    assert make_env(gymnasium.wrappers.TimeLimit(short, 50)).max_episode_steps == 6
    assert make_env(gymnasium.wrappers.TimeLimit(short, 5)).max_episode_steps == 5
    assert make_env(TenTimes(short)).max_episode_steps == 6  # which no longer has a table


def test_a_wrapper_around_a_finished_world_is_refused():
    taxi = make_env(gymnasium.make(TAXI))
    with pytest.raises(ValueError, match="put it around the environment"):
        make_env(gymnasium.wrappers.TimeLimit(taxi, 50))


@pytest.mark.parametrize("place", [(0, 0), "here", np.zeros(2), 4])
def test_where_an_environment_takes_itself_to_be_may_be_anything(place):
    class Elsewhere(NeverEnding):
        def step(self, action):
            self.s = place
            return super().step(action)

    world = make_env(Elsewhere())
    world.reset(seed=0)
    assert [world.step(1)[0], world.step(0)[0]] == [1, 0]


def test_a_world_as_gymnasium_makes_it_is_the_world_itself():
    assert type(make_env(gymnasium.make("eubrl_edu/Chain-v0"))) is WORLDS["chain"]


def test_an_end_that_the_table_does_not_have_is_refused():
    world = make_env(NeverEnding())
    world.reset(seed=0)
    world.step(1), world.step(0)
    with pytest.raises(ValueError, match="the environment ended in state 1, where its table env"):
        world.step(1)
