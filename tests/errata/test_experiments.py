"""Every erratum on experiments: its numbers show what it says, and what survives does."""

from dataclasses import replace

import pytest
from scipy import stats

from eubrl_edu.environments import make_env
from eubrl_edu.errata import experiments
from eubrl_edu.planning import solve


def test_lead_within_the_error():
    lead, least, most = experiments.lead_within_the_error().values()
    assert most / 10 < lead < least / 3


def test_never_failing_in_twenty():
    found = experiments.never_failing_in_twenty()
    # The rate at which twenty successes in twenty still come in one case of twenty.
    assert found["success rate, at least"] ** 20 == pytest.approx(0.05)
    assert found["success rate, at least"] == pytest.approx(0.86, abs=0.005)
    by_chance = found["probability of it where one run in ten fails"]
    assert by_chance == pytest.approx(stats.binom(20, 0.9).pmf(20))
    assert by_chance == pytest.approx(1 / 8, abs=0.01)  # "one time in eight"


def test_mean_cut_off():
    solved, limited, true = experiments.mean_cut_off().values()
    assert solved < limited < true


def test_sampling_beside_guidance():
    ours, theirs = experiments.sampling_beside_guidance().values()
    assert ours < 0.9 * theirs < 0.9 * 300
    # Half of the agents meet the worse arm first and stay: (0.9 + 0.6)/2 a pull, about.
    assert ours == pytest.approx(300 * 0.75, rel=0.05)


def test_solver_without_error():
    """At every step a planned arm that pays nothing, and the regret of an arm that pays nothing."""
    error, regret = experiments.solver_without_error().values()
    assert error == 0 and regret == pytest.approx(1000 / (1 - 0.9))


def test_isomorphic_in_one_sense():
    found = experiments.isomorphic_in_one_sense()
    assert found["DeepSea"] == 0 and found["LazyChain"] > 5


def test_rewards_outside_the_range():
    lazy, sea, deviation = experiments.rewards_outside_the_range().values()
    assert lazy == -1 < sea == pytest.approx(-0.001)
    assert deviation == 1


def test_reward_of_chain():
    chain = experiments.reward_of_chain()
    assert chain["left in state 0"] == pytest.approx(1.6)
    assert chain["right in state 3"] == pytest.approx(0.4)
    assert chain["right in state 3, as Table 2 has it"] == 8


def test_what_always_right_earns_in_the_chain_of_the_table():
    """10 for entering the last state, by whichever action, and nothing for going left."""
    model, discount = make_env("chain").model, 0.99999
    by_table = replace(model, rewards=10 * model.transition_matrix()[:, :, 4])
    best = [solve(world, discount).v[0] * (1 - discount) for world in (by_table, model)]
    assert best == pytest.approx([4.10, 3.68], abs=0.01)


def test_paid_for_falling_back():
    """Under Table 2's reward the best policy falls back at once: 2 in every two steps."""
    found = experiments.paid_for_falling_back()
    assert found["falling back to the start"] == 0 < found["as Table 2 has it"]
    model, discount = make_env("loop", size=2).model, 0.999
    value = solve(model, discount).v[0] * (1 - discount)
    assert value == pytest.approx(found["best reward a step"], abs=2e-3)
    rewards = model.rewards.copy()
    rewards[5:9][model.successors[5:9, :, 0] == 0] = 2.0
    value = solve(replace(model, rewards=rewards), discount).v[0] * (1 - discount)
    assert value == pytest.approx(found["best reward a step, as Table 2 has it"], abs=2e-3)
