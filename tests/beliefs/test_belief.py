import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eubrl_edu as eu
from tests.beliefs.dense import cases

NAN, INF = float("nan"), float("inf")


def contents(belief):
    """Everything a belief holds that is an array, by name, and its settings."""
    found = {}

    def collect(prefix, thing):
        for name, value in vars(thing).items():
            if isinstance(value, np.ndarray):
                found[prefix + name] = value.copy()
            elif hasattr(value, "__dict__"):
                collect(f"{prefix}{name}.", value)
            else:
                found[prefix + name] = np.array(value)

    collect("", belief)
    return found


def assert_same(before, after):
    assert before.keys() == after.keys()
    for name, value in before.items():
        np.testing.assert_array_equal(after[name], value, err_msg=name, strict=True)


def some_belief(transitions="independent", rewards="normal-gamma"):
    """5 states, the last terminal, 2 actions; a few transitions seen."""
    kinds = {"independent": eu.DirichletTransitions, "tied": eu.TiedDirichletTransitions}
    reward_kinds = {
        "normal-gamma": eu.NormalGammaRewards,
        "normal": eu.NormalRewards,
        "bernoulli": eu.BetaBernoulliRewards,
        "known": lambda *sizes: eu.KnownRewards(np.ones(sizes)),
    }
    belief = eu.Belief(kinds[transitions](5, 2), reward_kinds[rewards](5, 2), terminal_states=[4])
    for transition in [(0, 0, 1.0, 1), (1, 0, 0.0, 2), (2, 1, 1.0, 1)]:
        belief.update(*transition)
    return belief


def test_contents_sees_every_array_of_a_belief():
    """The oracle of the tests below: an update shows in the counts, the rewards and the log."""
    belief = some_belief()
    before = contents(belief)
    belief.update(3, 1, 2.5, 0)
    changed = {
        name
        for name, value in contents(belief).items()
        if value.shape != before[name].shape or (value != before[name]).any()
    }
    assert {
        "transitions.counts",
        "transitions.visits",
        "transitions.table.listed",
        "rewards.n",
        "rewards.mean",
        "rewards.beta",
        "_observed_pairs",
    } <= changed


BAD_TRANSITIONS = [
    ((5, 0, 1.0, 1), "state must be an integer from 0 to 4, got 5"),
    ((-1, 0, 1.0, 1), "state must be an integer from 0 to 4, got -1"),
    ((1.0, 0, 1.0, 1), "state must be an integer from 0 to 4, got 1.0"),
    ((None, 0, 1.0, 1), "state must be an integer from 0 to 4, got None"),
    ((0, 2, 1.0, 1), "action must be an integer from 0 to 1, got 2"),
    ((0, -1, 1.0, 1), "action must be an integer from 0 to 1, got -1"),
    ((0, 0, 1.0, 5), "next_state must be an integer from 0 to 4, got 5"),
    ((0, 0, 1.0, -2), "next_state must be an integer from 0 to 4, got -2"),
    ((4, 0, 1.0, 4), r"state must not be one of the terminal states \(4,\), got 4"),
]
BAD_REWARDS = [(NAN, "nan"), (INF, "inf"), (-INF, "-inf"), (None, "None"), ("x", "'x'")]
REWARD_KINDS = ["normal-gamma", "normal", "bernoulli", "known"]


def assert_refused(belief, transition, message):
    """Alone, and as the last of a batch that is fine but for it."""
    before = contents(belief)
    with pytest.raises(ValueError, match=message):
        belief.update(*transition)
    assert_same(before, contents(belief))
    batch = [(0, 1, 1.0, 1), (3, 0, 0.0, 3), transition]
    with pytest.raises(ValueError, match=message):
        belief.update_batch(*zip(*batch, strict=True))
    assert_same(before, contents(belief))


@pytest.mark.parametrize(("transition", "message"), BAD_TRANSITIONS)
@pytest.mark.parametrize("transitions", ["independent", "tied"])
@pytest.mark.parametrize("rewards", REWARD_KINDS)
def test_a_bad_transition_changes_nothing(transitions, rewards, transition, message):
    assert_refused(some_belief(transitions, rewards), transition, message)


@pytest.mark.parametrize(("reward", "shown"), BAD_REWARDS)
@pytest.mark.parametrize("transitions", ["independent", "tied"])
@pytest.mark.parametrize("rewards", REWARD_KINDS)
def test_a_bad_reward_changes_nothing(transitions, rewards, reward, shown):
    """The next state is a new one, so that a half-done update would show in the table."""
    assert_refused(
        some_belief(transitions, rewards), (2, 0, reward, 3), f"reward must be .*, got {shown}"
    )


@pytest.mark.parametrize("reward", [0.5, 2, -1])
def test_a_reward_that_no_coin_pays_changes_nothing(reward):
    message = f"reward must be 0 or 1 for Beta-Bernoulli rewards, got {reward}"
    assert_refused(some_belief(rewards="bernoulli"), (2, 0, reward, 3), message)


@pytest.mark.parametrize("jump", [(0, 0, 1.0, 2), (3, 1, 1.0, 1), (2, 0, 1.0, 4)])
@pytest.mark.parametrize("rewards", REWARD_KINDS)
def test_a_jump_under_a_tied_prior_changes_nothing(rewards, jump):
    assert_refused(
        some_belief("tied", rewards), jump, "next_state must be within one step of state"
    )


def test_columns_of_a_batch_must_be_equally_long():
    belief = some_belief()
    before = contents(belief)
    with pytest.raises(ValueError, match=r"equally long, got \[2, 2, 1, 2\]"):
        belief.update_batch([0, 1], [0, 0], [1.0], [1, 2])
    assert_same(before, contents(belief))


def test_an_empty_batch_is_no_news():
    belief = some_belief()
    before = contents(belief)
    belief.update_batch([], [], [], [])
    assert_same(before, contents(belief))


@given(cases(max_steps=40), st.integers(1, 10))
def test_one_by_one_and_in_batches_agree(case, size):
    one_by_one, batched = case.belief(), case.prior()
    for start in range(0, len(case.history), size):
        columns = zip(*case.history[start : start + size], strict=True)
        batched.update_batch(*map(np.array, columns))
    assert batched.n_observations == one_by_one.n_observations == len(case.history)
    np.testing.assert_array_equal(batched.visits, one_by_one.visits)
    np.testing.assert_array_equal(batched.visits, case.counts().sum(axis=-1))
    np.testing.assert_array_equal(batched.transitions.counts, one_by_one.transitions.counts)
    np.testing.assert_array_equal(
        batched.transitions.table.successors, one_by_one.transitions.table.successors
    )
    posteriors = batched.rewards.posterior(), one_by_one.rewards.posterior()
    for got, expected in zip(*posteriors, strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-12)


@given(cases(max_steps=20), st.randoms(use_true_random=False))
def test_the_order_of_observations_does_not_matter(case, random):
    straight = case.belief()
    shuffled_history = list(case.history)
    random.shuffle(shuffled_history)
    shuffled = case.prior()
    for transition in shuffled_history:
        shuffled.update(*transition)

    def by_next_state(belief):
        """Counts, means and variances keyed by (s, a, s'), whatever place they are kept at."""
        mean, variance = belief.rewards.posterior()
        table, found = belief.transitions.table, {}
        for state, action in np.ndindex(table.listed.shape):
            for k in range(table.listed[state, action]):
                reward_place = k if case.on == "outcome" else 0
                at = (state, action, reward_place)
                if reward_place < mean.shape[-1]:
                    key = (state, action, int(table.successors[state, action, k]))
                    count = belief.transitions.counts[state, action, k]
                    found[key] = (count, mean[at], variance[at])
        return found

    one, other = by_next_state(straight), by_next_state(shuffled)
    assert {key for key, (count, *_) in one.items() if count} == {
        key for key, (count, *_) in other.items() if count
    }
    for key in one.keys() & other.keys():
        assert other[key] == pytest.approx(one[key], rel=1e-9, abs=1e-9)


@given(cases(min_steps=1))
def test_a_copy_is_independent_in_both_directions(case):
    belief = case.belief()
    before = contents(belief)
    twin = belief.copy()
    assert_same(before, contents(twin))
    for transition in case.history:
        twin.update(*transition)
    assert_same(before, contents(belief))
    assert twin.n_observations == 2 * belief.n_observations
    grown = contents(twin)
    for transition in case.history:
        belief.update(*transition)
    assert_same(grown, contents(twin))
    assert_same(grown, contents(belief))


def test_observed_pairs_lists_each_pair_once_since_a_time():
    belief = some_belief()
    assert belief.observed_pairs(0) == {(0, 0), (1, 0), (2, 1)}
    belief.update(1, 0, 0.0, 0)
    belief.update_batch([1, 0], [0, 1], [0.0, 0.0], [0, 0])
    assert belief.observed_pairs(3) == {(0, 1), (1, 0)}
    assert belief.observed_pairs(6) == set()


def test_sizes_must_agree():
    with pytest.raises(ValueError, match=r"same sizes, got \(5, 2\) and \(5, 3\)"):
        eu.Belief(eu.DirichletTransitions(5, 2), eu.NormalRewards(5, 3))


@pytest.mark.parametrize("state", [5, -1, 1.5])
def test_terminal_states_must_be_states(state):
    message = f"terminal_states must be an integer from 0 to 4, got {state}"
    with pytest.raises(ValueError, match=message):
        eu.Belief(eu.DirichletTransitions(5, 2), eu.NormalRewards(5, 2), terminal_states=[state])


def test_many_transitions_of_two_states_under_a_tied_prior():
    one, many = (
        eu.Belief(eu.TiedDirichletTransitions(2, 1), eu.NormalGammaRewards(2, 1)) for _ in range(2)
    )
    one.update(0, 0, 1.0, 1)
    many.update_batch([0], [0], [1.0], [1])
    np.testing.assert_allclose(one.mean_mdp().rewards, many.mean_mdp().rewards)
    assert (one.visits == many.visits).all() and one.rewards.n.sum() == many.rewards.n.sum() == 1


def test_under_a_tied_prior_each_of_many_equal_transitions_counts():
    transitions = [(2, 1, 3), (2, 1, 3), (2, 1, 3), (1, 1, 0), (3, 0, 3), (3, 0, 3), (0, 1, 1)]
    one, many = (
        eu.Belief(eu.TiedDirichletTransitions(5, 2), eu.NormalGammaRewards(5, 2)) for _ in range(2)
    )
    for state, action, next_state in transitions:
        one.update(state, action, 0.0, next_state)
    states, actions, next_states = zip(*transitions, strict=True)
    many.update_batch(states, actions, np.zeros(len(transitions)), next_states)
    matrices = [belief.mean_mdp().transition_matrix() for belief in (one, many)]
    np.testing.assert_allclose(*matrices, atol=1e-12)
    # Three of the four inner steps of action 1 went right, with α = 1 for each of three.
    assert matrices[1][2, 1, 3] == pytest.approx((1 + 3) / (3 + 4))


def test_mean_transition_is_the_row_of_the_mean_mdp():
    """States that a pair has never led to still have their share of the prior."""
    belief = eu.Belief(eu.DirichletTransitions(4, 2), eu.NormalGammaRewards(4, 2))
    for next_state in (1, 1, 3):
        belief.update(0, 1, 0.0, next_state)
    dense = belief.mean_mdp().transition_matrix()
    for state, action in np.ndindex(4, 2):
        np.testing.assert_allclose(belief.mean_transition(state, action), dense[state, action])
    np.testing.assert_allclose(belief.mean_transition(0, 1), np.array([1, 3, 1, 2]) / 7)
