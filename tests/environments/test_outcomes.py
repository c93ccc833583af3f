import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eubrl_edu.environments.outcomes import Outcome, OutcomeTable


@st.composite
def rows_of_outcomes(draw):
    """Random rows over three states and two actions, with repeats and impossible outcomes."""

    def row():
        weights = draw(st.lists(st.integers(0, 3), min_size=1, max_size=6).filter(any))
        return [
            Outcome(
                weight / sum(weights),
                draw(st.integers(0, 2)),
                draw(st.sampled_from([-1.0, 0.0, 2.5])),
                draw(st.sampled_from([0.0, 1.0])),
            )
            for weight in weights
        ]

    return [[row() for _ in range(2)] for _ in range(3)]


@given(rows_of_outcomes())
def test_table_model_and_successor_rewards_agree_with_sums_over_the_rows(rows):
    table = OutcomeTable.from_rows(rows)
    model = table.model()
    successor_rewards = table.successor_rewards(model)
    dense = model.transition_matrix()
    for s, by_action in enumerate(rows):
        for a, row in enumerate(by_action):
            assert model.rewards[s, a] == pytest.approx(sum(o.probability * o.reward for o in row))
            listed = model.successors[s, a][model.weights[s, a] > 0]
            assert len(set(listed.tolist())) == len(listed)
            for s2 in range(3):
                there = [o for o in row if o.next_state == s2]
                probability = sum(o.probability for o in there)
                assert dense[s, a, s2] == pytest.approx(probability)
                if probability > 0:
                    k = listed.tolist().index(s2)
                    mean = sum(o.probability * o.reward for o in there) / probability
                    assert successor_rewards[s, a, k] == pytest.approx(mean)
            assert np.all(successor_rewards[s, a][model.weights[s, a] == 0] == 0)
            kept = table.probabilities[s, a] > 0
            distinct = {(o.next_state, o.reward, o.deviation) for o in row if o.probability > 0}
            assert kept.sum() == len(distinct)
            assert not kept[kept.sum() :].any()


def test_order_of_outcomes_is_kept_and_equal_ones_become_one():
    rows = [[[Outcome(0.25, 0, 1.0), Outcome(0.5, 0, 0.0), Outcome(0.25, 0, 1.0)]]]
    table = OutcomeTable.from_rows(rows)
    assert table.rewards[0, 0].tolist() == [1.0, 0.0]
    assert table.probabilities[0, 0].tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([Outcome(0.5, 0, 0.0)], "sum to 1, got 0.5"),
        ([Outcome(1.0, 1, 0.0)], "a next state in state 0, action 0 must be .* 0 to 0, got 1"),
        ([Outcome(1.5, 0, 0.0), Outcome(-0.5, 0, 1.0)], "at least 0"),
    ],
)
def test_a_row_that_is_no_distribution_over_states_is_refused(row, message):
    with pytest.raises(ValueError, match=message):
        OutcomeTable.from_rows([[row]])
