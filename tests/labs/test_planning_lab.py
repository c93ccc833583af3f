"""PlanningLab without a browser: its sweeps and policies against the package's solvers."""

from dataclasses import replace

import numpy as np
import pytest

from eubrl_edu.agents import MeanMDP
from eubrl_edu.beliefs import Belief, DirichletTransitions, KnownRewards
from eubrl_edu.labs import PlanningLab
from eubrl_edu.labs.planning.scene import (
    MOST_SWEEPS,
    UNTRIED,
    WORLDS,
    Params,
    compute,
    corridor,
    with_untried,
)
from eubrl_edu.planning import policy_iteration, value_iteration

CASES = [(world, untried) for world in WORLDS for untried in UNTRIED]


@pytest.mark.parametrize(("world", "untried"), CASES)
def test_sweeps_are_value_iteration_and_policies_policy_iteration(world, untried):
    state = compute(Params(world, 7, 0.8, untried, 0.5))
    model = with_untried(WORLDS[world], untried, 0.5)
    for k in (1, 7, MOST_SWEEPS):
        if state.residuals[k - 1] > 1e-8:
            solution = value_iteration(model, 0.8, tolerance=state.residuals[k - 1] * (1 + 1e-9))
            np.testing.assert_allclose(state.swept[solution.iterations], solution.v)
    solution = policy_iteration(model, 0.8)
    assert state.n_policies == solution.iterations
    np.testing.assert_allclose(state.evaluated[-1], solution.v, atol=1e-12)
    np.testing.assert_allclose(state.optimal, solution.v, atol=1e-9)
    # The residual bounds the error, and sweeps from 0 never overshoot.
    assert (state.errors <= state.residuals / (1 - 0.8) + 1e-9).all()
    assert (np.diff(state.swept, axis=0) >= -1e-12).all()


def test_value_goes_back_one_cell_a_sweep():
    state = compute(Params(discount=0.9))
    goal = len(state.optimal) - 1
    for k in range(goal + 1):
        assert np.count_nonzero(state.swept[k]) == k
    np.testing.assert_allclose(state.optimal[:goal], 0.9 ** np.arange(goal)[::-1])


def test_an_untried_pair_is_what_a_belief_without_a_visit_says():
    belief = Belief(DirichletTransitions(8, 2, alpha=1e-9), KnownRewards(corridor().rewards), (7,))
    for state in range(7):
        for action in range(2):
            if (state, action) != WORLDS["corridor"].untried_pair:
                next_state = max(state - 1, 0) if action == 0 else state + 1
                belief.update(state, action, float(state == 6 and action == 1), next_state)
    believed = MeanMDP(belief).plan().model.transition_matrix()
    mine = with_untried(WORLDS["corridor"], "one", 0.0).transition_matrix()
    np.testing.assert_allclose(mine, believed, atol=1e-7)


def test_arrows_mark_what_was_never_tried():
    state = compute(Params(untried="one", worth=1.0, sweeps=60))
    assert state.arrows(state.greedy) == ["→", "→", "→", "→?", "←", "←", "←", ""]


def test_nothing_known_makes_all_states_alike():
    state = compute(Params("chain", 0, 0.9, "all", 1.0))
    np.testing.assert_allclose(state.optimal, 10.0)


def test_the_button_sweeps_once_and_stops_at_the_end():
    lab = PlanningLab(sweeps=MOST_SWEEPS - 1)
    lab.sweep_button.click()
    lab.sweep_button.click()
    assert lab.params.sweeps == MOST_SWEEPS


def test_worth_can_be_moved_only_where_a_pair_is_untried():
    lab = PlanningLab()
    assert lab.controls["worth"].disabled
    lab.set(untried="one")
    assert not lab.controls["worth"].disabled


def test_the_words_show_no_rounding():
    lab = PlanningLab(sweeps=60)
    assert "Residual 0, true error 0," in repr(lab)
    lab.set(**vars(replace(lab.params, sweeps=3)))
    assert "V(4) = 0.81" in repr(lab)


@pytest.mark.parametrize(
    "bad", [{"world": "moon"}, {"sweeps": -1}, {"discount": 1.0}, {"untried": "two"}]
)
def test_bad_settings_are_refused_by_name(bad):
    with pytest.raises(ValueError, match=next(iter(bad))):
        PlanningLab(**bad)
