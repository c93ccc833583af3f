"""ExplorationLab with an agent of one's own: its plans, and what becomes of its errors."""

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu.agents.additive import AdditiveBonusAgent
from eubrl_edu.labs import ExplorationLab
from eubrl_edu.labs.world_settings import TUNED


class RootBonus(AdditiveBonusAgent):
    def bonus(self):
        return self.eta / np.sqrt(1 + self.belief.visits)


class TwoVisits(eu.EUBRL):
    def epistemic_uncertainty(self):
        return self.eta * (self.belief.visits < 2)


def belief(world):
    return eu.Belief(
        eu.DirichletTransitions(world.n_states, world.n_actions, alpha=0.1),
        eu.NormalGammaRewards(world.n_states, world.n_actions, 0.0, 0.1, 2.0, 0.1),
    )


def two_visits(world):
    return TwoVisits(belief(world), eta=1.0, discount=0.95)


def root_bonus(world):
    return RootBonus(belief(world), eta=1.0, discount=0.95)


SETTINGS = {"world": "loop", "steps": 60, "time": 40, "seed": 3}


def after(make, steps):
    """The agent after so many steps of a plain simulation."""
    world = eu.make_env("loop", size=2)
    agent = make(world)
    eu.simulate(agent, world, steps=steps, seed=3)
    return agent


def test_what_is_seen_is_its_own_uncertainty():
    lab = ExplorationLab(agent={"two visits": two_visits}, **SETTINGS)
    visits = after(two_visits, 40).belief.visits
    np.testing.assert_array_equal(lab.state.visits, visits)
    seen = lab.state.guided.probability_of_uncertainty
    np.testing.assert_array_equal(seen, visits < 2)
    assert 0 < seen.sum() < seen.size
    assert "two visits is in state" in repr(lab) and "P_U of this action: " in repr(lab)


def test_what_is_seen_is_its_own_bonus():
    lab = ExplorationLab(agent={"root": root_bonus}, **SETTINGS)
    agent = after(root_bonus, 40)
    plan = lab.state.plan
    bonus = plan.model.rewards - plan.mean_reward
    np.testing.assert_allclose(bonus, 1 / np.sqrt(1 + agent.belief.visits))
    assert "P_U: root has none." in repr(lab)


def test_it_is_one_more_choice_with_nothing_to_tune():
    lab = ExplorationLab(agent={"two visits": two_visits}, **SETTINGS)
    picture, words, mine = lab.picture.value, repr(lab), lab.controls["agent"].value
    assert str(mine) == lab.controls["agent"]._options_labels[-1]
    assert {name for name in TUNED if lab.controls[name].disabled} == set(TUNED)
    assert "your agent is as you made it" in lab.notes.value
    assert "agent=OwnAgent('two visits', two_visits)" in lab.code
    assert lab.code.endswith("# your own: two_visits")
    lab.controls["agent"].value = "EUBRL"
    assert not lab.controls["eta"].disabled and repr(lab) != words
    lab.controls["agent"].value = mine
    assert (lab.picture.value, repr(lab)) == (picture, words)


class Breaks(RootBonus):
    def learn(self, state, action, reward, next_state):
        super().learn(state, action, reward, next_state)
        if self.belief.visits.sum() == 7:
            raise KeyError("nothing known of here")


class NoPlan(eu.Agent):
    def act(self, state, rng):
        return 0

    def observe(self, state, action, reward, next_state, terminated):
        pass


CHANCE = np.random.default_rng(0)


class OfItsOwnLuck(RootBonus):
    def act(self, state, rng):
        return int(CHANCE.integers(2))


def in_the_chain(world):
    return root_bonus(eu.make_env("chain"))


@pytest.mark.parametrize(
    ("agents", "words"),
    [
        (
            {"mine": lambda world: Breaks(belief(world), eta=1.0, discount=0.95)},
            r"^mine: at step 7 it raised KeyError: 'nothing known of here' \(in learn: raise Key",
        ),
        ({"mine": lambda world: 1 / 0}, "^mine: when it was made it raised ZeroDivisionError"),
        ({"mine": lambda world: 7}, "when it was made it raised ValueError: what makes the agent"),
        ({"mine": in_the_chain}, "the agent must be made for its world: it knows 5 states"),
        ({"mine": lambda world: NoPlan()}, "agent mine makes no plan"),
        (
            {"mine": lambda world: RootBonus(belief(world), eta=1.0, discount=1.0, horizon=5)},
            "agent mine must have no horizon",
        ),
        (
            {"mine": lambda world: OfItsOwnLuck(belief(world), eta=1.0, discount=0.95)},
            r"the agent chose action \d at time \d+, \d when it was recorded",
        ),
        ({"EUBRL": root_bonus}, "needs a name that no other agent has, got 'EUBRL'"),
        ({}, "agents must hold at least one agent"),
        ({"one": root_bonus, "two": two_visits}, "agent must hold one agent, got one, two"),
        (root_bonus, "unknown agent"),
    ],
)
def test_what_cannot_be_watched_is_named(agents, words):
    with pytest.raises(ValueError, match=words):
        ExplorationLab(agent=agents, **SETTINGS)


def test_in_a_world_that_it_is_not_made_for_the_lab_goes_back():
    lab = ExplorationLab(
        agent={"mine": lambda world: in_the_chain(world)}, world="chain", steps=20, time=10
    )
    picture = lab.picture.value
    lab.controls["world"].value = "loop"
    assert "the agent must be made for its world: it knows 5 states" in lab.readout.value
    assert lab.controls["world"].value == "chain" and lab.picture.value == picture


class Shapeless(eu.Agent):
    """It has a plan, which is none."""

    current_plan = None
    discount = 0.9

    def act(self, state, rng):
        return 0

    def observe(self, *transition):
        pass


def test_a_plan_that_cannot_be_looked_into_is_said():
    with pytest.raises(ValueError, match="mine: when its plan was looked into it raised"):
        ExplorationLab(steps=5, agent={"mine": lambda world: Shapeless()})


def test_no_run_of_others_moves_the_world_of_a_lab():
    env = eu.make_env("chain")
    lab = ExplorationLab(world=env, steps=100, time=100)
    assert lab.state.run.env is not env
    assert repr(lab) == repr(ExplorationLab(world=eu.make_env("chain"), steps=100, time=100))
