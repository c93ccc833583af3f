import numpy as np
import pytest

from eubrl_edu.environments import LazyChain

LEFT, RIGHT, DO_NOTHING = 0, 1, 2


def play(env, action, steps):
    """Return of one action repeated, and the last step."""
    env.reset(seed=0)
    total = 0.0
    for _ in range(steps):
        last = env.step(action)
        total += last[1]
    return total, last


@pytest.mark.parametrize("size", [1, 2, 10])
def test_what_each_way_returns(size):
    env = LazyChain(size)
    assert env.reset(seed=0) == (size, {})
    assert play(env, RIGHT, size) == (size, (2 * size, 2.0 * size - 1, True, False, {}))
    assert play(env, LEFT, size) == (0.0, (0, size - 1.0, True, False, {}))
    assert play(env, DO_NOTHING, 1000) == (0.0, (size, 0.0, False, True, {}))


def test_reaching_an_end_with_the_last_step_is_an_end():
    env = LazyChain(1)
    env.reset(seed=0)
    for _ in range(999):
        env.step(DO_NOTHING)
    assert env.step(RIGHT)[2:4] == (True, False)


def test_stochastic_moves_flip_with_probability_one_fifth():
    n = 4
    model = LazyChain(n, stochastic=True).model
    dense = model.transition_matrix()
    for s in range(1, 2 * n):
        assert dense[s, RIGHT, [s - 1, s, s + 1]] == pytest.approx([0.2, 0, 0.8])
        assert dense[s, LEFT, [s - 1, s, s + 1]] == pytest.approx([0.8, 0, 0.2])
        assert dense[s, DO_NOTHING, s] == 1
    assert model.rewards[2 * n - 1] == pytest.approx([0.2 * 7 - 0.8, 0.8 * 7 - 0.2, 0])
    assert model.rewards[1] == pytest.approx([0.8 * 3 - 0.2, 0.2 * 3 - 0.8, 0])
    assert model.rewards[2:-2] == pytest.approx(np.tile([-1.0, -1.0, 0.0], (2 * n - 3, 1)))


@pytest.mark.parametrize("size", [1, 3, 10])
def test_optimal_return_is_n(size, optimal_values):
    q, values = optimal_values(LazyChain(size).model, 1.0)
    assert values[size] == pytest.approx(size)
    assert (q[size : 2 * size].argmax(axis=1) == RIGHT).all()


def policy_iteration(model, discount):
    """Q by dense policy iteration from doing nothing: exact, and quick at γ = 0.999."""
    transitions, everyone = model.transition_matrix(), np.arange(model.n_states)
    policy = np.full(model.n_states, DO_NOTHING)
    while True:
        values = np.linalg.solve(
            np.eye(model.n_states) - discount * transitions[everyone, policy],
            model.rewards[everyone, policy],
        )
        q = model.rewards + discount * transitions @ values
        better = q.max(axis=1) > q[everyone, policy] + 1e-12
        if not better.any():
            return q
        policy = np.where(better, q.argmax(axis=1), policy)


@pytest.mark.parametrize(
    ("size", "worth_it", "advantage"),
    [(20, True, 0.006), (200, True, 0.004), (216, True, None), (217, False, None)],
)
def test_going_right_is_worth_its_way_up_to_216(size, worth_it, advantage):
    """Stochastic, γ = 0.999; ``advantage`` is what it is worth over waiting at the start."""
    q = policy_iteration(LazyChain(size, stochastic=True).model, 0.999)
    best = RIGHT if worth_it else DO_NOTHING
    assert (q[size : 2 * size].argmax(axis=1) == RIGHT).all() == worth_it
    assert q[size].argmax() == best
    if advantage is not None:
        assert q[size, RIGHT] - q[size, DO_NOTHING] == pytest.approx(advantage, abs=5e-4)


@pytest.mark.parametrize("size", [0, 2.0, "10"])
def test_bad_size(size):
    with pytest.raises(ValueError, match="size must be an integer of at least 1"):
        LazyChain(size)
