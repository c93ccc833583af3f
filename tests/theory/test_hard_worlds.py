"""The worlds of the lower bound, by hand, and that they are as hard as they should be."""

import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import theory


def test_the_model_by_hand():
    world = theory.HardWorld(2, 3, discount=0.75, gap=0.125, seed=4)
    expected = np.zeros((4, 3, 4))
    for state in range(4):
        expected[state, :, state], expected[state, :, (state + 1) % 4] = 0.75, 0.25
    for ring, best in enumerate(world.better_actions):
        expected[2 * ring, best, 2 * ring] = 0.625
        expected[2 * ring, best, 2 * ring + 1] = 0.375
    np.testing.assert_allclose(world.model.transition_matrix(), expected)
    np.testing.assert_array_equal(world.model.rewards, np.array([[0.0], [1], [0], [1]]) + [0] * 3)


def test_the_better_action_is_the_best_and_differs_between_seeds():
    drawn = set()
    for seed in range(10):
        world = theory.HardWorld(3, 4, discount=0.9, gap=0.05, seed=seed)
        policy = eu.solve(world.model, 0.9).policy
        np.testing.assert_array_equal(policy[::2], world.better_actions)
        drawn.add(tuple(world.better_actions.tolist()))
    assert len(drawn) > 5


def test_without_a_gap_nobody_has_a_regret():
    world = theory.HardWorld(2, 2, discount=0.9, gap=0.0)
    agent = eu.make_agent("EUBRL", world, discount=0.9)
    run = eu.simulate(agent, world, 50, seed=0, record_plans=True)
    assert theory.regret(run, world, discount=0.9).max() < 1e-12


@pytest.mark.parametrize("discount", [0.5, 0.9, 0.99])
def test_the_hardest_gap_is_hidden_in_chance_until_then(discount):
    """If all of the T steps went into one poor state, its best action would be off by ξ only."""
    steps, rings, actions = 10**5, 3, 4
    gap = theory.hardest_gap(rings, actions, discount, steps)
    share = steps / rings / actions
    assert gap < np.sqrt(discount * (1 - discount) / share)  # one standard error of 1 − γ
    assert theory.hardest_gap(10**9, actions, discount, 1) == discount


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"n_rings": 0}, "n_rings"),
        ({"n_actions": 0}, "n_actions"),
        ({"discount": 1.0}, "discount"),
        ({"discount": 0.0}, "discount"),
        ({"gap": 0.95}, "gap"),
        ({"gap": -0.1}, "gap"),
    ],
)
def test_bad_arguments(wrong, words):
    with pytest.raises(ValueError, match=words):
        theory.HardWorld(**{"n_rings": 2, "n_actions": 2, "discount": 0.9, "gap": 0.1} | wrong)
