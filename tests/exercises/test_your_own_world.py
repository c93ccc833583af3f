"""The checks of notebook 14, and the numbers that its folds state."""

import gymnasium
import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import engine, exercises
from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.reach import reachable_states
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.experiments.intervals import paired_difference
from tests.test_exercises import refused


class Television(TabularEnvironment):
    def __init__(self, noise=20.0, n_states=6):
        self.noise, self.last = noise, n_states - 1
        super().__init__(n_states=n_states, n_actions=2)

    def outcomes(self, state, action):
        if action == 0:
            yield Outcome(1.0, 0, 0.1, self.noise if state == 0 else 0.0)
        elif state == self.last:
            yield Outcome(1.0, state, 1.0)
        else:
            yield Outcome(1.0, state + 1, 0.0)


class Ladder(TabularEnvironment):
    def __init__(self):
        super().__init__(n_states=6, n_actions=2)

    def outcomes(self, state, action):
        if action == 0:
            yield Outcome(1.0, state, 0.1 if state == 0 else 0.0)
        else:
            yield Outcome(0.9, min(state + 1, 5), 1.0 if state == 5 else 0.0)
            yield Outcome(0.1, 0, 0.0)


def root_bonus(visits, eta):
    return eta / np.sqrt(1 + visits)


def test_right_answers():
    alpha = 1 / 54
    assert 1 / (1 + 6 * alpha) == pytest.approx(0.9)
    assert exercises.check_alpha_for_quick_learning(alpha).passed
    assert exercises.check_root_bonus(root_bonus).passed
    assert not exercises.check_root_bonus(lambda visits, eta: 2 / np.sqrt(1 + visits)).passed


@pytest.mark.parametrize(("rival", "lead"), [("BEB", 2.9), ("PSRL", 1.9)])
def test_untuned_eubrl_is_behind_on_the_ladder(rival, lead):
    def sums(name, **settings):
        for seed in range(20):
            agent = eu.make_agent(name, Ladder(), **settings)
            yield engine.simulate(agent, Ladder(), steps=500, seed=seed).rewards.sum()

    ours = list(sums("EUBRL", alpha=0.1, beta0=0.1))
    found = paired_difference(list(sums(rival)), ours)
    assert found.value == pytest.approx(lead, abs=0.05) and found.low > 0


def test_tuned_eubrl_wins_on_the_ladder():
    refused(exercises.check_eubrl_loses(Ladder(), ["BEB", "MBIE-EB"]), "EUBRL wins")


def test_the_television_beats_eubrl_and_without_its_noise_it_does_not():
    assert exercises.check_eubrl_loses(Television(), ["BEB", "MBIE-EB"]).passed
    refused(exercises.check_eubrl_loses(Television(noise=0.0), ["BEB", "RMAX"]), "EUBRL wins")


def test_the_television_makes_untried_doors_look_known():
    found = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        agent = eu.make_agent("EUBRL", Television(), eta=1.0)
        for _ in range(3):
            agent.plan()
            agent.observe(0, 0, 0.1 + 20 * rng.normal(), 0, False)
        found.append(agent.plan().probability_of_uncertainty[3, 1].round(2))
    assert found == [0.64, 0.75, 0.52, 0.08]


def test_a_prior_that_expects_noise_protects_eubrl():
    def mean(name, **settings):
        world, sums = Television(), []
        for seed in range(1000, 1030):
            run = engine.simulate(eu.make_agent(name, world, **settings), world, 500, seed)
            sums.append(world.model.rewards[run.states, run.actions].sum())
        return np.mean(sums)

    assert mean("EUBRL", eta=0.1, lambda0=0.01, beta0=400.0) > 0.98 * mean("BEB")
    assert mean("EUBRL", eta=1.0) < 0.95 * mean("BEB")


@pytest.mark.parametrize(
    ("eta", "goals", "early", "second"),
    [(1.0, 88, 21, 478), (0.2, 146, 79, 134), (0.1, 155, 89, 77)],
)
def test_what_is_said_of_the_lake(eta, goals, early, second):
    lake = eu.make_env(gymnasium.make("FrozenLake-v1", is_slippery=False))
    agent = eu.make_agent("EUBRL", lake, eta=eta)
    steps = np.flatnonzero(eu.simulate(agent, lake, steps=1000, seed=0).rewards)
    assert (len(steps), steps[0], steps[1]) == (goals, 71, second)
    assert (steps < 600).sum() == early


def test_only_pairs_that_end_the_episode_are_left_after_one_visit():
    lake = eu.make_env(gymnasium.make("FrozenLake-v1", is_slippery=False))
    agent = eu.make_agent("EUBRL", lake)
    eu.simulate(agent, lake, steps=478, seed=0)
    visits, leads_to = agent.belief.visits, lake.model.successors[..., 0]
    acting = reachable_states(lake)
    ends = np.isin(leads_to, lake.terminal_states)
    assert (visits[acting][~ends[acting]] >= 10).all()
    assert (visits[acting][ends[acting]] <= 2).all()


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        ("alpha_for_quick_learning", 1 / 9, "αS"),
        ("alpha_for_quick_learning", 0.1, "0.62"),
        ("alpha_for_quick_learning", 1.5, "nine times as heavy"),
        ("alpha_for_quick_learning", 7, "n / (n + αS)"),
        ("root_bonus", lambda n, eta: eta / (1 + n), "without the root"),
        ("root_bonus", lambda n, eta: 1 / np.sqrt(1 + n), "where is η"),
        ("root_bonus", lambda n, eta: eta / np.sqrt(np.where(n > 0, n, np.nan)), "infinite"),
        ("root_bonus", lambda n, eta: n, "at once"),
        ("root_bonus", lambda n, eta: 3, "array came out"),
        ("root_bonus", lambda n, eta: "much", "array of numbers"),
        ("root_bonus", lambda n, eta: 1 / 0, "ZeroDivisionError"),
        ("root_bonus", lambda n, eta: ..., "Nothing to check yet"),
    ],
)
def test_wrong_answers(check, answer, hint):
    refused(getattr(exercises, f"check_{check}")(answer), hint)


@pytest.mark.parametrize(
    ("world", "rivals", "hint"),
    [
        (..., ["BEB", "RMAX"], "Nothing to check yet"),
        (Television, ["BEB", "RMAX"], "Television()"),
        ("a bad one", ["BEB", "RMAX"], "not str"),
        (Television(n_states=4), ["BEB", "RMAX"], "4 states"),
        (Television(), "BEB", "list of two"),
        (Television(), ["BEB", "BEB"], "two different rivals"),
        (Television(), ["BEB", "EUBRL"], "two different rivals"),
        (Television(), [["BEB"], "RMAX"], "two different rivals"),
    ],
)
def test_what_cannot_be_checked_is_said_in_words(world, rivals, hint):
    refused(exercises.check_eubrl_loses(world, rivals), hint)
