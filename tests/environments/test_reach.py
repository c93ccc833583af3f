"""Which states an episode can reach, against the powers of a table's own matrix."""

import gymnasium
import numpy as np
import pytest

from eubrl_edu.environments import Chain, DeepSea, LazyChain, Loop, make_env
from eubrl_edu.environments.reach import moves_further_than_one_step, reachable_states


def test_states_that_can_be_reached():
    sea = DeepSea(4)
    rows, columns = np.divmod(np.arange(16), 4)
    np.testing.assert_array_equal(reachable_states(sea), [*(columns <= rows), False])
    assert reachable_states(Loop(3)).all()


def test_reachable_states_are_those_of_the_model_or_all_that_do_not_end():
    lake = make_env(gymnasium.make("FrozenLake-v1", is_slippery=False))
    ends = set(lake.terminal_states)
    assert set(np.flatnonzero(reachable_states(lake))) == set(range(16)) - ends
    lake.model = None
    assert set(np.flatnonzero(reachable_states(lake))) == set(range(16)) - ends


def test_what_an_episode_is_too_short_for_is_not_reachable():
    cliff = gymnasium.make("CliffWalking-v1").unwrapped
    for limit, expected in ((1, {36}), (2, {36, 24}), (3, {36, 24, 25, 12})):
        world = make_env(gymnasium.wrappers.TimeLimit(cliff, limit))
        assert set(np.flatnonzero(reachable_states(world))) == expected


@pytest.mark.parametrize("limit", [1, 2, 3, 10**9])
@pytest.mark.parametrize("name", ["FrozenLake-v1", "CliffWalking-v1", "Taxi-v4"])
def test_an_episode_reaches_what_its_table_says(name, limit):
    plain = gymnasium.make(name).unwrapped
    leads = np.zeros((len(plain.P), len(plain.P)), dtype=bool)
    for state, actions in plain.P.items():
        for probability, following, _, ended in sum(actions.values(), []):
            leads[state, following] |= probability > 0 and not ended
    now = plain.initial_state_distrib > 0
    reached = now.copy()
    for _ in range(min(limit, len(leads)) - 1):
        now = now @ leads
        reached |= now
    world = make_env(gymnasium.wrappers.TimeLimit(plain, limit))
    an_end = [False] * (world.n_states - len(reached))  # one more, where need be
    np.testing.assert_array_equal(reachable_states(world), [*reached, *an_end])


def test_how_far_a_step_goes():
    assert not moves_further_than_one_step(LazyChain(5)) and moves_further_than_one_step(Chain())
