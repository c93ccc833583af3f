import numpy as np
import pytest
from scipy import stats

import eubrl_edu as eu
from eubrl_edu.agents import PlanningAgent

RNG = np.random.default_rng(0)


class Scripted(PlanningAgent):
    """Plans what it is told to, and remembers when it planned and what it learned."""

    def __init__(self, q, **settings):
        super().__init__(**{"discount": 0.9} | settings)
        self.q = np.array(q, dtype=float)
        self.planned_after = []
        self.learned = []

    def learn(self, *transition):
        self.learned.append(transition)

    def plan(self, rng=None):
        self.planned_after.append(len(self.learned))
        self.current_plan = eu.Plan(None, None, self.q, None)
        return self.current_plan


def live(agent, terminated):
    """Act and observe once for each entry of ``terminated``."""
    for ends in terminated:
        agent.observe(0, agent.act(0, RNG), 0.0, 0, ends)


@pytest.mark.parametrize(("every", "expected"), [(1, range(8)), (2, [0, 2, 4, 6]), (3, [0, 3, 6])])
def test_plans_at_the_first_action_and_then_every_so_many_observations(every, expected):
    agent = Scripted([[1, 0]], plan_every=every)
    live(agent, [False, True, False, False, True, False, False])
    assert agent.planned_after == list(expected)


def test_plans_when_the_visits_of_a_pair_have_more_than_doubled():
    """One pair: at visit 1, then 2N + 1 after a plan with N."""
    agent = Scripted([[1, 0]], plan_every="doubling")
    live(agent, [False] * 40)
    assert agent.planned_after == [0, 1, 3, 7, 15, 31]


def test_plans_when_any_pair_has_doubled_since_the_last_plan_whichever_pair_that_was_for():
    agent, counts, planned_with = Scripted(np.zeros((3, 2)), plan_every="doubling"), {}, {}
    expected = [0]
    for number, place in enumerate(np.random.default_rng(1).integers(6, size=300), start=1):
        pair = divmod(int(place), 2)
        agent.act(0, RNG)
        agent.observe(*pair, 0.0, 0, False)
        counts[pair] = counts.get(pair, 0) + 1
        if any(visits > 2 * planned_with.get(one, 0) for one, visits in counts.items()):
            planned_with = counts.copy()
            expected.append(number)
    agent.act(0, RNG)
    assert agent.planned_after == expected


def test_plans_whenever_an_episode_ends():
    agent = Scripted([[1, 0]], plan_every="episode")
    live(agent, [False, True, False, False, True, False])
    assert agent.planned_after == [0, 2, 5]
    agent.start_episode()  # the world cut the episode short
    assert agent.planned_after == [0, 2, 5, 6]


def test_plans_per_episode_at_the_horizon_too():
    agent = Scripted(np.zeros((3, 1, 2)), plan_every="episode", horizon=3)
    live(agent, [False, False, False, False, True, False, False, False, False])
    assert agent.planned_after == [0, 3, 5, 8]


def test_learns_before_it_plans():
    agent = Scripted([[1, 0]])
    live(agent, [False])
    assert agent.learned == [(0, 0, 0.0, 0)]
    assert agent.planned_after == [0, 1]


@pytest.mark.parametrize(
    ("row", "best"),
    [
        ([1, 1, 0, 1], [0, 1, 3]),
        ([0, 0, 0, 0], [0, 1, 2, 3]),
        ([-5, -5 * (1 + 1e-14), -6, -5], [0, 1, 3]),
        ([1e6, 1e6 * (1 - 1e-14), 0, 1e6 - 1], [0, 1]),
        ([0, 1e-9, 0, 0], [1]),
    ],
)
def test_ties_are_broken_uniformly_at_random_and_rounding_never_decides(row, best):
    """Chi-square at 99.99%, with a fixed seed."""
    agent, rng = Scripted([row]), np.random.default_rng(1)
    chosen = np.bincount([agent.act(0, rng) for _ in range(3000)], minlength=4)
    assert set(np.flatnonzero(chosen)) == set(best)
    assert len(best) == 1 or stats.chisquare(chosen[best]).pvalue > 1e-4


def test_a_single_best_action_needs_no_luck():
    agent, rng = Scripted([[0, 1]]), np.random.default_rng(1)
    assert agent.act(0, rng) == 1
    assert rng.random() == np.random.default_rng(1).random()


def horizon_agent():
    """At step h of an episode of 3 its best action is h."""
    return Scripted(np.eye(3)[:, None, :], horizon=3, plan_every=100)


def test_the_step_of_the_episode_advances_and_wraps_at_the_horizon():
    agent = horizon_agent()
    actions = []
    for _ in range(7):
        actions.append(agent.act(0, RNG))
        agent.observe(0, actions[-1], 0.0, 0, False)
    assert actions == [0, 1, 2, 0, 1, 2, 0]


def test_acting_alone_does_not_advance_the_step():
    agent = horizon_agent()
    assert [agent.act(0, RNG) for _ in range(3)] == [0, 0, 0]


@pytest.mark.parametrize("how", ["terminated", "reset"])
def test_the_step_starts_over_with_an_episode(how):
    agent = horizon_agent()
    live(agent, [False, how == "terminated"])
    if how == "reset":
        assert agent.act(0, RNG) == 2
        agent.start_episode()
    assert agent.act(0, RNG) == 0


@pytest.mark.parametrize("state", [2, -1, 1.0, None, np.array([0.1, 0.2])])
def test_acting_in_a_state_that_does_not_exist(state):
    with pytest.raises(ValueError, match="state must be an integer from 0 to 1, got"):
        Scripted([[1, 0], [0, 1]]).act(state, RNG)


@pytest.mark.parametrize("horizon", [None, 4])
def test_solving_is_exact_warm_or_cold(horizon):
    """A second, different model is solved from the first's solution: checked by Bellman."""
    agent = Scripted([[0]], discount=0.97, horizon=horizon)
    rng = np.random.default_rng(2)
    for _ in range(3):
        dense = rng.dirichlet(np.full(6, 0.3), size=(6, 2))
        model = eu.MDP.from_dense(dense, rng.normal(size=(6, 2)))
        solution = agent.solve(model)
        following = solution.v if horizon is None else solution.v[1:, None, None]
        if horizon is None:
            q = model.rewards + 0.97 * dense @ following
            np.testing.assert_allclose(solution.q, q, atol=1e-10)
            np.testing.assert_allclose(solution.v, q.max(axis=1), atol=1e-10)
        else:
            assert solution.q.shape == (4, 6, 2)
            v = np.zeros(6)
            for step in (3, 2, 1, 0):
                q = model.rewards + 0.97 * dense @ v
                v = q.max(axis=1)
                np.testing.assert_allclose(solution.q[step], q, atol=1e-12)
                np.testing.assert_allclose(solution.v[step], v, atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"discount": 1.0}, r"discount must be in \[0, 1\) when there is no horizon, got 1.0"),
        ({"discount": -0.1}, r"discount must be in \[0, 1\) .* got -0.1"),
        ({"discount": float("nan")}, r"discount must be in \[0, 1\) .* got nan"),
        ({"discount": 1.1, "horizon": 5}, r"discount must be in \[0, 1\], got 1.1"),
        ({"horizon": 0}, "horizon must be an integer of at least 1, got 0"),
        ({"horizon": 2.5}, "horizon must be an integer of at least 1, got 2.5"),
        (
            {"plan_every": 0},
            'plan_every, unless "episode" or "doubling", must be an integer .* got 0',
        ),
        ({"plan_every": 1.5}, "plan_every, .* must be an integer of at least 1, got 1.5"),
        ({"plan_every": "epsiode"}, 'plan_every, unless "episode" or "doubling", .* got .epsiode'),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(ValueError, match=message):
        Scripted([[0]], **settings)
    assert Scripted([[0]], discount=1.0, horizon=5).discount == 1.0
