"""A map shows each pair's number in the pair's own place."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import eubrl_edu as eu
from eubrl_edu.plotting.pair_maps import SeaMap, StripMap, draw_pair_map


def drawn_map(world, size=None):
    env = eu.make_env(world, size=size, seed=3) if size else eu.make_env(world)
    return env, draw_pair_map(Figure().subplots(), env, "viridis")


def colour_at(picture, x, y):
    """The level that the cells show at a place in data coordinates; NaN where it is grey."""
    corners = picture.cells.get_coordinates()
    (left, top), (right, bottom) = corners[0, 0], corners[-1, -1]
    levels = picture.cells.get_array()
    row = int((y - top) / (bottom - top) * levels.shape[0])
    column = int((x - left) / (right - left) * levels.shape[1])
    return float(levels.filled(np.nan)[row, column])


@pytest.mark.parametrize(("world", "size"), [("loop", 3), ("chain", None), ("lazychain", 4)])
def test_a_strip_has_states_across_and_actions_down(world, size):
    env, picture = drawn_map(world, size)
    assert isinstance(picture, StripMap)
    values = np.random.default_rng(0).random((env.n_states, env.n_actions))
    picture.paint(values, 0.0, 1.0)
    for state, action in np.ndindex(values.shape):
        level = colour_at(picture, state, action)
        if state in env.terminal_states:
            assert np.isnan(level)
        else:
            assert level == values[state, action]


def test_the_halves_of_a_cell_are_the_actions_that_go_left_and_right():
    env, picture = drawn_map("deepsea", 5)
    assert isinstance(picture, SeaMap)
    values = np.random.default_rng(0).random((env.n_states, env.n_actions))
    picture.paint(values, 0.0, 1.0)
    for row, column in np.ndindex(5, 5):
        state = row * 5 + column
        for action in range(2):
            successor = env.model.successors[state, action, 0]
            goes_right = successor % 5 > column or action == env.right_action[row, column]
            level = colour_at(picture, column + (0.25 if goes_right else -0.25), row)
            if column > row:  # no way leads there
                assert np.isnan(level)
            else:
                assert level == values[state, action]


def test_the_scale_runs_from_low_to_high_and_a_flat_one_is_low():
    _, picture = drawn_map("chain")
    values = np.arange(10.0).reshape(5, 2)
    assert picture.range_of(values) == (0.0, 9.0)
    np.testing.assert_allclose(picture.paint(values, 0.0, 9.0), values / 9)
    assert not picture.paint(np.ones((5, 2)), 1.0, 1.0).any()


def test_marks_stand_on_the_chosen_pairs():
    env, picture = drawn_map("lazychain", 12)
    chosen = np.zeros((env.n_states, env.n_actions), dtype=bool)
    chosen[[3, 7], [1, 2]] = True
    picture.mark(chosen)
    states, actions = picture.marks.get_data()
    assert list(zip(states, actions, strict=True)) == [(3, 1), (7, 2)]

    env, sea = drawn_map("deepsea", 4)
    chosen = np.zeros((env.n_states, env.n_actions), dtype=bool)
    chosen[5, env.right_action[1, 1]] = True
    sea.mark(chosen)
    assert [list(data) for data in sea.right_marks.get_data()] == [[1.25], [1]]
    assert len(sea.left_marks.get_xdata()) == 0


def test_one_outlier_does_not_flatten_the_scale():
    _, picture = drawn_map("chain")
    values = np.arange(10.0).reshape(5, 2)
    values[0, 0] = -1e6
    low, high = picture.range_of(values)
    assert -20 < low < 1 and high == 9.0
