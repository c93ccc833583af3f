"""Success is judged on what an agent takes: the only best action, never one of several."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from eubrl_edu import engine
from eubrl_edu.experiments.success_rules import nearly_only_right, only_right_on_diagonal
from eubrl_edu.success import EPISODES_IN_A_ROW, OPTIMAL_REWARDS, SuccessRule, SuccessWatch

RUNS = 150


class Agent(eu.Agent):
    def __init__(self, q):
        self.current_plan = type("Plan", (), {"q": np.array(q, dtype=float)})

    def act(self, state, rng):
        raise AssertionError("nothing is to be done")

    observe = act


def is_solved(q, right_actions, nearly_at=None):
    """Whether ten episodes under these action values solve a world."""
    rule = SuccessRule(
        states=np.arange(len(q)), right_actions=np.array(right_actions), nearly_at=nearly_at
    )
    step = type("Step", (), {"reward": 0.0, "episode_end": True, "next_state": 7})
    watch = SuccessWatch(rule, Agent(q))
    return [watch(step) for _ in range(EPISODES_IN_A_ROW)][-1]


@pytest.mark.parametrize("right", [0, 1])
def test_a_tie_is_not_the_optimal_policy(right):
    """Whichever number the right action has, and whatever rounding adds to it."""
    others = [[1.0, 1.0], [1.0, 1.0 + 1e-13], [1.0 + 1e-13, 1.0]]
    for tied in others:
        assert not is_solved([tied], [right])
    strictly = [0.0, 0.0]
    strictly[right] = 1e-6
    assert is_solved([strictly], [right])
    assert not is_solved([strictly], [1 - right])


@given(
    st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), min_size=6, max_size=6),
    st.lists(st.integers(0, 2), min_size=2, max_size=2),
)
def test_it_is_what_a_brute_force_finds(values, right):
    q = np.reshape(values, (2, 3))
    strictly = all((q[s, a] > np.delete(q[s], a)).all() for s, a in enumerate(right))
    assert is_solved(q, right) == strictly


def test_a_tie_does_not_count_among_nearly_all_either():
    q = [[0.0, 1.0]] * 19
    assert is_solved([*q, [1.0, 0.0]], [1] * 20, nearly_at=7)
    assert is_solved([*q, [1.0, 1.0]], [1] * 20, nearly_at=7)
    assert not is_solved([*q[1:], [1.0, 1.0], [1.0, 1.0]], [1] * 20, nearly_at=7)


@pytest.mark.long
def test_which_number_an_action_has_does_not_matter():
    """RMAX in the noisy sea of 4: every diagonal alike, within 4 standard errors of a rate.

    Counting a tie as its lowest action, the diagonal of zeros is solved 18% more often, six
    standard errors.
    """
    found = {0: [], 1: []}
    for seed in itertools.count():
        env = eu.make_env("deepsea", size=4, stochastic=True, seed=seed)
        diagonal = env.right_action.diagonal()
        if (diagonal == diagonal[0]).all() and len(found[diagonal[0]]) < RUNS:
            agent = eu.make_agent("RMAX", env)
            watch = SuccessWatch(only_right_on_diagonal(env), agent)
            engine.simulate(agent, env, 50 * 16, seed, until=watch)
            found[diagonal[0]].append(watch.solved)
        if min(map(len, found.values())) == RUNS:
            break
    rates = np.mean([found[0], found[1]], axis=1)
    error = np.sqrt((rates * (1 - rates)).sum() / RUNS)
    assert abs(rates[0] - rates[1]) < 4 * error


def test_the_return_of_an_episode_is_its_own():
    """Episodes of two steps that pay 1 each are good where 2 is asked for, also the tenth."""
    watch = SuccessWatch(SuccessRule(episode_return=2.0), Agent([[0.0]]))
    steps = [
        type("Step", (), {"reward": 1.0, "episode_end": ends, "next_state": 0})
        for ends in (False, True)
    ]
    solved = [watch(step) for _ in range(EPISODES_IN_A_ROW) for step in steps]
    assert solved == [False] * (2 * EPISODES_IN_A_ROW - 1) + [True]


def test_nearly_all_is_enough_only_at_the_right_end():
    env = eu.make_env("lazychain", size=4, stochastic=True)
    assert nearly_only_right(env).nearly_at == max(env.terminal_states) == env.n_states - 1


def test_a_watch_begins_anew_with_every_run():
    env = eu.make_env("loop")
    agent = eu.make_agent("EUBRL", env)
    watch = SuccessWatch(SuccessRule(optimal_reward=2.0), agent)
    for _ in range(2):
        run = eu.simulate(agent, env, 1000, seed=0, until=watch)
        assert watch.solved and (run.rewards == 2.0).sum() == OPTIMAL_REWARDS


def test_a_plan_for_each_step_of_a_horizon_cannot_be_judged():
    """It is refused before anything runs, not at the end of the first episode."""
    env = eu.make_env("deepsea", size=4, stochastic=True)
    agent = eu.make_agent("EUBRL", env, horizon=4)
    with pytest.raises(ValueError, match="without a horizon.*horizon=4"):
        SuccessWatch(only_right_on_diagonal(env), agent)
    SuccessWatch(SuccessRule(optimal_reward=1.0), agent)
