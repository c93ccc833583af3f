import numpy as np
import pytest

from eubrl_edu.environments import Loop


@pytest.mark.parametrize("size", [1, 2, 4, 7])
def test_every_way_round(size):
    """Enter each loop, try every action in each place."""
    env = Loop(size)
    assert (env.n_states, env.n_actions) == (4 * size + 1, size)
    optimal = size - 1
    for loop in range(size):
        inside = [4 * loop + place for place in (1, 2, 3, 4)]
        env.reset(seed=0)
        assert env.step(loop) == (inside[0], 0.0, False, False, {})
        for here, there in zip(inside, [*inside[1:], 0], strict=True):
            for action in range(size):
                env.reset()
                env.state = here
                next_state, reward, *_ = env.step(action)
                if here == inside[-1]:
                    assert (next_state, reward) == (0, 2.0 if loop == optimal else 1.0)
                elif loop == optimal and action != optimal:
                    assert (next_state, reward) == (0, 0.0)
                else:
                    assert (next_state, reward) == (there, 0.0)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_best_is_2_every_5_steps(size, optimal_values):
    env = Loop(size)
    _, values = optimal_values(env.model, 0.95)
    assert values[0] == pytest.approx(2 * 0.95**4 / (1 - 0.95**5), rel=1e-10)
    env.reset(seed=0)
    assert sum(env.step(size - 1)[1] for _ in range(1000)) == 400


@pytest.mark.parametrize("size", [1, 2, 3, 10, 40])
def test_the_picture_keeps_the_states_apart(size):
    positions = Loop(size).state_positions
    apart = np.linalg.norm(positions[:, None] - positions, axis=-1)
    np.fill_diagonal(apart, np.inf)
    assert apart.min() > 0.9


@pytest.mark.parametrize("size", [0, -1, 2.5, "two", True])
def test_bad_size(size):
    with pytest.raises(ValueError, match="size must be an integer of at least 1"):
        Loop(size)
