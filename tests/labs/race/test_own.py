"""RaceLab with a world and agents of one's own: their numbers, and what becomes of their errors."""

from copy import deepcopy

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.toy_text import FrozenLakeEnv

import eubrl_edu as eu
from eubrl_edu.agents.additive import AdditiveBonusAgent
from eubrl_edu.environments import make_env
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.exercises import predictions
from eubrl_edu.labs import RaceLab
from eubrl_edu.labs.race.scene import Params, shown_times


class Ladder(TabularEnvironment):
    def __init__(self):
        super().__init__(n_states=4, n_actions=2)

    def outcomes(self, state, action):
        if action == 0:
            yield Outcome(1.0, state, 0.1 if state == 0 else 0.0)
        else:
            yield Outcome(0.8, min(state + 1, 3), 1.0 if state == 3 else 0.0)
            yield Outcome(0.2, 0, 0.0)


class RootBonus(AdditiveBonusAgent):
    def bonus(self):
        return self.eta / np.sqrt(1 + self.belief.visits)


class Stubborn(eu.Agent):
    def __init__(self, world):
        self.n_actions, self.choice = world.n_actions, None

    def act(self, state, rng):
        if self.choice is None:
            self.choice = int(rng.integers(self.n_actions))
        return self.choice

    def observe(self, state, action, reward, next_state, terminated):
        pass


class Looks(Stubborn):
    """Looks one step ahead, in a copy of the world that it lives in."""

    def __init__(self, world):
        super().__init__(world)
        self.world = world

    def act(self, state, rng):
        pays = [deepcopy(self.world).step(action)[1] for action in range(self.n_actions)]
        return int(np.argmax(pays))


class Breaks(Stubborn):
    """Not at once: only where chance has chosen the second action, and in its seventh step."""

    lived = 0

    def observe(self, state, action, reward, next_state, terminated):
        self.lived += 1
        if self.choice == 1 and self.lived == 7:
            raise KeyError("nothing known of here")


def root_bonus(world):
    belief = eu.Belief(
        eu.DirichletTransitions(world.n_states, world.n_actions, alpha=0.1),
        eu.NormalGammaRewards(world.n_states, world.n_actions, 0.0, 0.1, 2.0, 0.1),
    )
    return RootBonus(belief, eta=1.0, discount=0.95)


def test_an_agent_that_holds_the_world_holds_the_one_it_lives_in():
    world = Ladder()
    lab = RaceLab(world=world, agents={"looks": Looks}, steps=20, seeds=1)
    (looks,) = (racer for racer in lab.state.racers if racer.name == "looks")
    assert looks.outcomes[0].returns[-1] == plain_returns(Looks, world, 20, 0)[-1]


def plain_returns(make, world, steps, seed):
    rewards = eu.simulate(make(world), world, steps=steps, seed=seed).rewards
    return np.concatenate([[0.0], np.cumsum(rewards)])


@pytest.fixture(scope="module")
def one_lab():
    own = {"root": root_bonus, "stubborn": Stubborn}
    return RaceLab(world=Ladder(), agents=own, steps=60, seeds=50, seed=3)


def test_its_runs_are_those_of_the_plain_simulation_with_the_same_luck(one_lab):
    racers = {racer.name: racer for racer in one_lab.state.racers}
    assert list(racers) == [*Params.agents, "root", "stubborn"]
    world = Ladder()
    settings = one_lab.params.settings_of("EUBRL")
    makers = {
        "EUBRL": lambda world: eu.make_agent("EUBRL", world, **settings),
        "root": root_bonus,
        "stubborn": Stubborn,
    }
    for name, make in makers.items():
        assert len(racers[name].outcomes) == 20
        for seed in (0, 19):
            returns = plain_returns(make, world, 60, seed)
            shown = racers[name].outcomes[seed].returns
            np.testing.assert_array_equal(shown, returns[shown_times(60)])
        np.testing.assert_array_equal(
            racers[name].watched.returns, plain_returns(make, world, 60, 3)
        )


def test_the_words_say_what_is_ones_own(one_lab):
    words = repr(one_lab)
    assert words.startswith("Ladder, 60 steps, 20 runs of each agent (of 50). An agent that")
    assert "the others have general settings, but root and stubborn are as you made them" in words


def test_the_words_and_titles_count_no_runs_that_were_not_run():
    lab = RaceLab(world="loop", agents={"stubborn": Stubborn}, steps=20, seeds=50)
    words = repr(lab)
    assert words.startswith("Loop 2, 20 steps, up to 50 runs of each agent. An agent that")
    assert "stubborn: only 20 of the 50 runs." in words and words.count("the 50 runs") == 1
    assert lab.panels.row_titles[0].texts[0].startswith("Up to 50 runs of each agent:")


def test_the_words_are_of_those_who_race():
    lab = RaceLab(world="chain", agents={"mine": Stubborn, "broken": lambda _: 7}, steps=5, seeds=1)
    words = repr(lab)
    assert "the others have their usual settings, but mine is as you made it." in words
    mine = next(own for own in lab.controls["agents"].switches if str(own) == "mine")
    lab.set(agents=(mine,))
    words = repr(lab)
    assert "EUBRL, which the sliders set, does not race; mine is as you made it." in words


class KnowsTheWay(Stubborn):
    def act(self, state, rng):
        return 1


def test_where_ones_own_agent_wins_nobody_elses_story_is_told():
    asked = predictions.FIRST_IN_THE_LOOPS
    for answer, remark in asked.answers.items():
        lab = RaceLab(agents={"mine": KnowsTheWay}, steps=200, seeds=20, prediction=asked)
        lab.predict(answer)
        winner = max(lab.state.racers, key=lambda racer: racer.mean.value).name
        assert winner == "mine" and lab.front.verdict == f"✗ You said: {answer}. It is: mine."
        assert remark not in lab.asked.children[0].value


def test_ones_own_agents_have_switches_and_looks(one_lab):
    switches = {str(agent): each for agent, each in one_lab.controls["agents"].switches.items()}
    with_all, words = one_lab.picture.value, repr(one_lab)
    switches["root"].value = False
    assert "root" not in repr(one_lab) and one_lab.picture.value != with_all
    switches["root"].value = True
    assert (one_lab.picture.value, repr(one_lab)) == (with_all, words)
    lines = one_lab.panels.many.medians
    looks = {(lines[name].get_color(), lines[name].get_marker()) for name in ("root", "stubborn")}
    assert len(looks) == 2 and lines["root"].get_visible()


def test_a_named_world_and_the_way_back(one_lab):
    before = one_lab.picture.value
    own_world = one_lab.controls["world"].value
    assert one_lab.notes.value.count("this world is used as given") == 2
    one_lab.set(world="chain", steps=60)
    assert repr(one_lab).startswith("Chain, 60 steps") and "stubborn" in repr(one_lab)
    one_lab.set(world=own_world, steps=60)
    assert one_lab.picture.value == before


def test_an_agent_that_raises_leaves_the_race_and_the_lab_lives_on():
    lab = RaceLab(world=Ladder(), agents={"mine": Breaks}, steps=30, seeds=20, eta=1.0)
    first = next(s for s in range(20) if plain_fails(s))
    said = (
        f"mine does not race here: at seed {first}, step 7 it raised "
        "KeyError: 'nothing known of here' (in observe: raise KeyError("
    )
    assert said in repr(lab)
    assert [racer.name for racer in lab.state.racers] == list(Params.agents)
    lab.controls["eta"].value = 0.1
    assert lab.state.params.eta == 0.1 and said in repr(lab)


def test_what_makes_the_same_agent_for_every_run_does_not_race():
    one = root_bonus(Ladder())
    lab = RaceLab(world=Ladder(), agents={"mine": lambda world: one}, steps=30, seeds=20)
    assert "mine does not race here: when it was made it raised ValueError" in repr(lab)
    assert "must return a new agent at each call" in repr(lab)


def plain_fails(seed):
    try:
        eu.simulate(Breaks(Ladder()), Ladder(), steps=30, seed=seed)
    except KeyError:
        return True
    return False


def of_another_size(world):
    return root_bonus(eu.make_env("chain"))


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def fails_without_words(world):
    raise Mute


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda world: 7,
            "when it was made it raised ValueError: what makes the agent 'mine' must",
        ),
        ("EUBRL", "when it was made it raised ValueError: what makes the agent 'mine' must be a"),
        (lambda world: 1 / 0, "when it was made it raised ZeroDivisionError: division by zero (in"),
        (of_another_size, "at seed 0, step 1 it raised ValueError: the agent must be made for its"),
        (lambda world: quit(), "when it was made it raised SystemExit"),
        (fails_without_words, "when it was made it raised Mute (in fails_without_words: raise"),
    ],
)
def test_what_is_no_agent_leaves_the_race_before_it_begins(make, words):
    lab = RaceLab(world=Ladder(), agents={"mine": make}, steps=10, seeds=1)
    assert f"mine does not race here: {words}" in repr(lab)
    alone = next(own for own in lab.controls["agents"].switches if str(own) == "mine")
    before = lab.picture.value
    lab.controls["agents"].value = (alone,)
    assert f"⚠ agents must hold at least one that can live in this world (mine: {words[:20]}" in (
        lab.readout.value
    )
    assert lab.picture.value == before and len(lab.params.agents) == 5


class Trapdoor(FrozenLakeEnv):
    def step(self, action):
        if self.s == 1:
            raise RuntimeError("nobody has come this far")
        return super().step(action)


def test_a_world_that_raises_says_so_for_each_who_has_met_it():
    with pytest.raises(ValueError, match=r"EUBRL: at seed 0, step \d+ it raised RuntimeError: nob"):
        RaceLab(world=Trapdoor(), steps=200, seeds=20)


class Toll(FrozenLakeEnv):
    def step(self, action):
        state, reward, *rest = super().step(action)
        return state, reward - 0.1, *rest


class GenerousLadder(Ladder):
    def step(self, action):
        state, reward, *rest = super().step(action)
        return state, reward + 1.0, *rest


@pytest.mark.parametrize("world", [Toll, GenerousLadder])
def test_nobody_knows_a_world_whose_steps_are_not_those_of_its_table(world):
    with pytest.raises(ValueError, match=r"must do what its table"):
        RaceLab(world=world(), steps=20, seeds=1)


@pytest.mark.parametrize("name", ["chain", "loop", "lazychain"])
def test_a_world_given_as_it_is_has_the_settings_of_its_name(name):
    named, given = (RaceLab(world=world, steps=5, seeds=1) for world in (name, make_env(name)))
    for agent in ("EUBRL", "PSRL", "BEB"):
        assert given.params.settings_of(agent) == named.params.settings_of(agent)
    assert "all others have their usual settings" in repr(given)


def test_a_world_given_as_it_is_is_solved_by_the_rule_of_its_name():
    lab = RaceLab(world=make_env("loop", size=2), steps=200, seeds=1)
    assert "No rule says" not in repr(lab) and "1 of 1" in repr(lab)


@pytest.mark.long
def test_a_world_as_gymnasium_makes_it_has_the_settings_of_its_name():
    made = gymnasium.make("eubrl_edu/LazyChain-v0")
    lab, named = (RaceLab(world=world, steps=20, seeds=1) for world in (made, "lazychain"))
    assert lab.params.settings_of("PSRL") == named.params.settings_of("PSRL")
    assert repr(lab).startswith("LazyChain 10: ends pay")
    chain = RaceLab(world=make_env("chain"), agents=("EUBRL", "BEETLE"), steps=5, seeds=1)
    assert not chain.state.absent


class Grid(TabularEnvironment):
    """A world's ``size`` may be anything: it is a learner's own word."""

    def __init__(self):
        self.size = (3, 4)
        super().__init__(n_states=12, n_actions=2)

    def outcomes(self, state, action):
        yield Outcome(1.0, (state + 1 + action) % 12, float(state == 11))


def test_a_world_whose_size_is_no_number_races():
    assert "Grid, 20 steps" in repr(RaceLab(world=Grid(), steps=20, seeds=1))


class Investment(TabularEnvironment):
    """What is paid for once pays for ever, but later than one with a discount waits."""

    def __init__(self):
        super().__init__(n_states=2, n_actions=2)

    def outcomes(self, state, action):
        if state == 1:
            yield Outcome(1.0, 1, 1.1)
        else:
            yield Outcome(1.0, action, -20.0 if action else 1.0)


class Investor(Stubborn):
    def act(self, state, rng):
        return 1


def test_where_there_is_no_episode_nobody_plans_to_its_end():
    lab = RaceLab(world=Investment(), agents={"mine": Investor}, steps=300, seeds=20)
    assert (
        "mine earned more than the agent that knew the world, as the latter plans with a disc"
        in (repr(lab))
    )


def test_where_plans_are_judged_an_agent_without_one_does_not_race():
    lab = RaceLab(
        **{"world": "deepsea", "size": 3, "stochastic": True, "steps": 20, "seeds": 1},
        agents={"stubborn": Stubborn, "root": root_bonus},
    )
    words = repr(lab)
    assert "stubborn does not race here: when it was made it raised ValueError: agent must" in words
    assert [racer.name for racer in lab.state.racers][-1] == "root"


class NoTable(gymnasium.Env):
    observation_space = action_space = gymnasium.spaces.Discrete(2)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"world": NoTable()}, "world must publish its transitions P"),
        ({"world": "lader"}, "unknown world 'lader'"),
        ({"agents": {"EUBRL": root_bonus}}, "needs a name that no other agent has, got 'EUBRL'"),
        ({"agents": {3: root_bonus}}, "the name of an agent must be some text, .* got 3"),
        ({"agents": {}}, "agents must hold at least one agent, got {}"),
        ({"agents": ["mine"]}, "unknown agent 'mine'"),
    ],
)
def test_bad_input_is_named(settings, words):
    with pytest.raises(ValueError, match=words):
        RaceLab(**settings)
