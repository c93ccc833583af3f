import copy

import gymnasium
import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import engine
from eubrl_edu.agents import Agent
from eubrl_edu.simulation import run

WORLDS = {
    "chain": {},
    "loop": {"size": 3},
    "deepsea": {"size": 4},
    "deepsea-stochastic": {"size": 4, "stochastic": True},
    "lazychain": {"size": 4},
    "lazychain-stochastic": {"size": 4, "stochastic": True},
    "bandit": {},
}
AGENTS = ["EUBRL", "EUBRL+", "EUBRL-MI", "PSRL", "RMAX", "Mean-MDP"]
COLUMNS = ("states", "actions", "rewards", "next_states", "terminated", "episode_ends")


def make(world):
    return eu.make_env(world.partition("-")[0], **WORLDS[world])


def assert_same(one, other):
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(one, column), getattr(other, column), column)


class Corridor(gymnasium.Env):
    """States 0 to 4 in a row, of which the last is terminal; action 1 moves on, 0 stays."""

    def __init__(self, limit=None):
        self.observation_space = gymnasium.spaces.Discrete(5)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.limit = limit
        self.seeds = []

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seeds.append(seed)
        self.state, self.steps = 0, 0
        return 0, {}

    def step(self, action):
        self.state += action
        self.steps += 1
        terminated = self.state == 4
        truncated = not terminated and self.steps == self.limit
        return self.state, 10.0 * self.state + action, terminated, truncated, {}


class Script(Agent):
    """Plays given actions over and over, wasting luck, and keeps a diary."""

    def __init__(self, actions=(1,), waste=0):
        self.actions, self.waste, self.diary = actions, waste, []

    def act(self, state, rng):
        rng.random(self.waste)
        taken = sum(entry != "start" for entry in self.diary)
        return self.actions[taken % len(self.actions)]

    def observe(self, *transition):
        self.diary.append(transition)

    def start_episode(self):
        self.diary.append("start")


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("name", AGENTS)
def test_the_same_seed_gives_the_same_run_bit_for_bit(world, name):
    runs = []
    for seed in (5, 5, 6):
        env = make(world)
        runs.append(eu.simulate(eu.make_agent(name, env), env, steps=60, seed=seed))
    assert_same(runs[0], runs[1])
    assert len(runs[0]) == 60
    if name == "PSRL" and world != "bandit":
        assert any(
            (getattr(runs[0], column) != getattr(runs[2], column)).any() for column in COLUMNS
        )


def test_no_run_touches_numpys_global_generator():
    np.random.seed(123)  # noqa: NPY002
    before = copy.deepcopy(np.random.get_state())  # noqa: NPY002
    for world, name in [("chain", "PSRL"), ("deepsea-stochastic", "EUBRL"), ("bandit", "RMAX")]:
        env = make(world)
        eu.simulate(eu.make_agent(name, env), env, steps=30, seed=0)
    after = np.random.get_state()  # noqa: NPY002
    np.testing.assert_array_equal(before[1], after[1])
    assert before[2:] == after[2:]


@pytest.mark.parametrize("world", ["chain", "deepsea-stochastic", "lazychain-stochastic", "bandit"])
def test_different_agents_face_the_same_luck(world):
    """What an agent draws for itself does not change what the world draws."""
    actions = (1, 0, 1, 1)
    thrifty = eu.simulate(Script(actions, waste=0), make(world), steps=200, seed=3)
    wasteful = eu.simulate(Script(actions, waste=7), make(world), steps=200, seed=3)
    assert_same(thrifty, wasteful)
    unlucky = eu.simulate(Script(actions), make(world), steps=200, seed=4)
    assert (thrifty.rewards != unlucky.rewards).any() or (thrifty.states != unlucky.states).any()


def test_the_world_is_seeded_once():
    env = Corridor()
    eu.simulate(Script(), env, steps=10, seed=0)
    assert isinstance(env.seeds[0], int)
    assert env.seeds[1:] == [None, None]


def test_a_trajectory_tells_what_happened():
    trajectory = eu.simulate(Script((1, 1, 0, 1)), Corridor(), steps=7, seed=0)
    assert trajectory.states.tolist() == [0, 1, 2, 2, 3, 0, 1]
    assert trajectory.actions.tolist() == [1, 1, 0, 1, 1, 1, 0]
    assert trajectory.next_states.tolist() == [1, 2, 2, 3, 4, 1, 1]
    assert trajectory.rewards.tolist() == [11, 21, 20, 31, 41, 11, 10]
    assert trajectory.terminated.tolist() == [False] * 4 + [True] + [False] * 2
    assert trajectory.episode_ends.tolist() == trajectory.terminated.tolist()
    assert len(trajectory) == 7


def test_an_episode_ends_where_the_world_cuts_it_and_the_agent_is_told():
    agent = Script((0,))
    trajectory = eu.simulate(agent, Corridor(limit=3), steps=7, seed=0)
    assert np.flatnonzero(trajectory.episode_ends).tolist() == [2, 5]
    assert not trajectory.terminated.any()
    told = [place for place, entry in enumerate(agent.diary) if entry == "start"]
    assert told == [0, 4, 8]  # as the run starts, and after the third and the sixth step


def test_an_agent_is_told_of_a_terminal_state_by_its_observation_only():
    agent = Script((1,))
    eu.simulate(agent, Corridor(), steps=8, seed=0)
    assert agent.diary.count("start") == 1
    assert [entry[-1] for entry in agent.diary if entry != "start"] == [
        False,
        False,
        False,
        True,
    ] * 2


def planner(**settings):
    belief = eu.Belief(eu.DirichletTransitions(5, 2), eu.NormalRewards(5, 2), terminal_states=[4])
    return eu.EUBRL(belief, **settings)


@pytest.mark.parametrize("limit", [None, 3, 2])
def test_an_episode_ends_after_the_agents_horizon(limit):
    env, agent = Corridor(limit), planner(discount=1.0, horizon=3, plan_every="episode")
    plans, plan = [], agent.plan
    agent.plan = lambda rng=None: plans.append(plan(rng)) or plans[-1]
    episodes = 0
    for _, now in zip(range(12), run(agent, env, seed=0), strict=False):
        episodes += now.episode_end
        assert now.episode_end == (env.steps == (limit or 3) or now.terminated)
        assert agent._step_in_episode == (0 if now.episode_end else env.steps)
        assert len(plans) == 1 + episodes  # once for each, whoever ended it


@pytest.mark.parametrize("horizon", [None, 5])
def test_a_second_run_starts_at_the_first_step_of_an_episode(horizon):
    """The first run stops in the middle of one."""
    agent = planner(discount=0.9, horizon=horizon)
    eu.simulate(agent, Corridor(), steps=2, seed=0)
    trajectory = eu.simulate(agent, Corridor(limit=None), steps=5, seed=1)
    assert trajectory.states[0] == 0
    if horizon:
        ends = np.flatnonzero(trajectory.episode_ends)
        assert ends[0] == 4 or trajectory.terminated[ends[0]]
        assert agent._step_in_episode == 4 - ends[-1]


def test_until_stops_after_the_first_step_for_which_it_holds():
    seen = []

    def third_state(step):
        seen.append(step)
        return step.next_state == 3

    trajectory = eu.simulate(Script(), Corridor(), steps=100, seed=0, until=third_state)
    assert trajectory.next_states.tolist() == [1, 2, 3]
    assert len(seen) == 3
    assert seen[-1] == (2, 1, 31.0, 3, False, False)


def test_steps_is_a_limit_where_until_never_holds():
    trajectory = eu.simulate(Script(), Corridor(), steps=6, seed=0, until=lambda step: False)
    assert len(trajectory) == 6


def test_stopping_earlier_does_not_change_what_came_before():
    env = make("chain")
    long = eu.simulate(eu.make_agent("EUBRL", env), env, steps=50, seed=2)
    short = eu.simulate(eu.make_agent("EUBRL", env), env, steps=20, seed=2)
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(long, column)[:20], getattr(short, column))


def test_the_agent_has_learned_every_step_of_the_trajectory():
    env = make("lazychain")
    agent = eu.make_agent("EUBRL", env)
    trajectory = eu.simulate(agent, env, steps=80, seed=1)
    visits = np.zeros((env.n_states, env.n_actions))
    np.add.at(visits, (trajectory.states, trajectory.actions), 1)
    np.testing.assert_array_equal(agent.belief.visits, visits)


@pytest.mark.parametrize("steps", [0, -1, 2.0, None, True])
def test_steps_must_be_a_positive_integer(steps):
    message = f"steps must be an integer of at least 1, got {steps}"
    with pytest.raises(ValueError, match=message):
        eu.simulate(Script(), Corridor(), steps=steps)


@pytest.mark.parametrize("seed", [-1, 0.5, "x"])
@pytest.mark.parametrize("simulate", [eu.simulate, engine.simulate])
def test_a_seed_must_be_a_natural_number(simulate, seed):
    env = eu.make_env("chain")
    with pytest.raises(ValueError, match=f"seed must be an integer of at least 0, got {seed!r}"):
        simulate(eu.make_agent("EUBRL", env), env, steps=5, seed=seed)


@pytest.mark.parametrize("record_plans", [False, True])
@pytest.mark.parametrize(
    "swap", [lambda agent, env: (env, agent), lambda agent, env: (agent, "loop")]
)
def test_agent_and_world_in_each_others_place_are_refused(swap, record_plans):
    with pytest.raises(ValueError, match="agent .* comes first, then the world .* got"):
        eu.simulate(*swap(Script(), Corridor()), steps=5, record_plans=record_plans)


def test_a_world_of_continuous_states_is_refused():
    with pytest.raises(ValueError, match="observation_space must be Discrete, got Box"):
        eu.simulate(planner(), gymnasium.make("CartPole-v1"), steps=5, seed=0)


SIZE = {"loop": {"size": 2}, "deepsea": {"size": 4}, "lazychain": {"size": 4}}


@pytest.mark.parametrize(
    ("made_for", "world", "reason"),
    [
        ("chain", "loop", "it knows 5 states, and the world has 9"),
        ("loop", "chain", "it knows 9 states, and the world has 5"),
        ("deepsea", "lazychain", "it knows 17 states, and the world has 9"),
    ],
)
@pytest.mark.parametrize("name", ["EUBRL", "RMAX", "Q-learning"])
def test_an_agent_made_for_another_world_is_refused(name, made_for, world, reason):
    agent = eu.make_agent(name, eu.make_env(made_for, **SIZE.get(made_for, {})))
    with pytest.raises(ValueError, match=f"the agent must be made for its world: {reason}"):
        eu.simulate(agent, eu.make_env(world, **SIZE.get(world, {})), steps=50, seed=0)


def test_an_agent_of_other_actions_is_refused():
    agent = eu.QLearning(n_states=5, n_actions=3)
    with pytest.raises(ValueError, match="it knows 3 actions, and the world has 2"):
        eu.simulate(agent, Corridor(), steps=5, seed=0)


class Hallway(gymnasium.Env):
    """Four states in a row; the last one ends the episode. It publishes no table."""

    observation_space = gymnasium.spaces.Discrete(4)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return 0, {}

    def step(self, action):
        self.place = max(self.place + (1 if action else -1), 0)
        return self.place, float(self.place == 3), self.place == 3, False, {}


def test_an_environment_and_the_world_made_of_it_live_the_same_run():
    raw, world = Hallway(), eu.make_env(Hallway())
    assert world.n_states == 5
    runs = [
        eu.simulate(eu.make_agent("EUBRL", made_for, eta=1.0), played, 100, seed=0)
        for made_for in (raw, world)
        for played in (raw, world)
    ]
    for other in runs[1:]:
        np.testing.assert_array_equal(other.next_states, runs[0].next_states)
    assert set(runs[0].next_states[runs[0].terminated]) == {4}


def test_an_agent_made_for_the_environment_itself_meets_its_states():
    belief = eu.Belief(eu.DirichletTransitions(4, 2), eu.NormalGammaRewards(4, 2), (3,))
    lived = eu.simulate(eu.EUBRL(belief), Hallway(), 50, seed=0)
    assert set(lived.next_states[lived.terminated]) == {3}


def test_a_world_is_moved_by_one_run_at_a_time():
    env = eu.make_env("chain")
    runs = [run(eu.make_agent(name, env), env, seed=0) for name in ("EUBRL", "RMAX")]
    with pytest.raises(ValueError, match="the world must be moved by one run at a time"):
        for _ in range(30):
            for each in runs:
                next(each)


class FromOne(gymnasium.Env):
    """Two states, 1 and 2, and two actions, 1 and 2, each of which leads to its own."""

    observation_space = action_space = gymnasium.spaces.Discrete(2, start=1)

    def reset(self, *, seed=None, options=None):
        return 1, {}

    def step(self, action):
        return action, float(action), False, False, {}


def test_a_world_that_counts_from_1_is_seen_as_one_that_counts_from_0():
    world = eu.make_env(FromOne())
    one, other = (
        eu.simulate(eu.make_agent("EUBRL", world), env, 40, seed=0) for env in (FromOne(), world)
    )
    assert_same(one, other)
    assert one.states.max() == 1
