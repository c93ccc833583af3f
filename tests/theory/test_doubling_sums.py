"""Steps 8 to 10 of ``theory/DOUBLING.md`` on random plans, whose J differs much between states.

In the runs of `test_doubling_runs` J is nearly the same in all states, so that the variances of
step 9 are small there. Here a plan has any b and any policy, and ends at the worst moment; Γ is
any set of steps.
"""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from eubrl_edu import theory
from tests.theory.doubling_runs import error_terms, fixed_point_of_j, weights_within_plans

SEEDS = st.integers(0, 2**32 - 1)


def shares_of_steps_8_and_9(seed):
    """The share of its bound that each inequality needs, in units of V↑."""
    rng = np.random.default_rng(seed)
    discount, n_states = float(rng.uniform(0, 0.95)), int(rng.integers(2, 5))
    cap, widest = 1.2, 1 / (1 - discount)
    state, ends, steps = 0, [], []
    for _ in range(int(rng.integers(1, 4))):
        rows = rng.dirichlet(np.full(n_states, 0.3), size=n_states)
        errors = 10 ** rng.uniform(-3, 1, n_states)
        j = fixed_point_of_j(errors, rows, discount, cap)
        for length in range(1, 60):
            now, state = state, rng.choice(n_states, p=rows[state])
            steps.append((j[now], errors[now], rows[now] @ j, rows[now] @ j**2, j[state]))
            if length > 1 and j[now] == j.max():  # the worst end that there can be
                break
        ends.append(len(steps))
    j, b, expected, of_squares, following = np.array(steps).T
    starts, last = np.array([1, *(end + 1 for end in ends[:-1])]), np.zeros(len(j), dtype=bool)
    last[np.array(ends) - 1] = True
    chosen = rng.choice([j > np.median(j), j <= np.median(j), j > 0, rng.random(len(j)) < 0.2])
    w = weights_within_plans(chosen, starts, discount)

    def summed(values):
        return (w * values)[~last].sum()

    learned, of_ends = summed(b), len(ends) * widest * cap
    luck = discount * summed(expected - following)
    squares = discount * summed(of_squares - following**2)
    spread = of_squares - expected**2
    telescoped = summed(discount * following**2 - j**2)
    return {
        "8": (j[chosen].sum() - luck - learned) / of_ends,
        "8, one step": ((j - discount * expected) / b).max(),
        "9, one step": ((discount * (spread - of_squares) + j**2) / (2 * cap * b)).max(),
        "9, ends": telescoped / (of_ends * cap),
        "9": (discount * summed(spread) - squares) / (of_ends * cap + 2 * cap * learned),
    }


def test_steps_8_and_9_hold_and_would_not_if_they_were_much_smaller():
    found = [shares_of_steps_8_and_9(seed) for seed in range(400)]
    most = {step: max(of[step] for of in found) for step in found[0]}
    assert all(0.6 < share <= 1 + 1e-9 for share in most.values()), most


def test_the_constants_of_step_9():
    """The lemma of step 1 as B1 and B2 use it; in units of W U, W U² and log(6/δ)."""
    b1, b2 = Fraction(1, 3), Fraction(1, 6)  # θ
    assert Fraction(3, 4) * b1 == Fraction(1, 4)
    assert Fraction(3, 4) * b2 * 4 == Fraction(1, 2)  # Var(J²) ≤ 4U² Var(J)
    of_spread = 1 / (1 - Fraction(1, 2))  # 𝓛 ≤ 𝓛/2 + …
    assert [of_spread * part for part in (1 / b2, 1, 2)] == [12, 2, 4]  # luck, ends, learning
    assert [of_spread * part / 4 for part in (1, 2)] == [Fraction(1, 2), 1]
    assert of_spread / b2 / 4 + 1 / b1 == 6


def learned_beside_its_bound(pairs, seed):
    """Step 10: Σ' w b over its bound; Γ is a random part of the steps."""
    rng, pairs = np.random.default_rng(seed), np.array(pairs)
    discount, lambda_ = float(rng.choice([0, 0.5, 0.9])), float(rng.uniform(0.01, 1 / 3))
    problem = theory.Problem(5, 1, 1.0, float(rng.uniform(0.01, 1)), discount=discount)
    chosen = rng.random(len(pairs)) < rng.choice([0.2, 1])
    chosen[0] = True
    steps, starts, taken = np.arange(len(pairs)), theory.plan_starts(pairs) - 1, np.eye(5)[pairs]
    inner, starts = ~np.isin(steps + 1, starts), starts[starts < len(pairs)]
    w = weights_within_plans(chosen, starts + 1, discount)
    start = starts[np.searchsorted(starts, steps, side="right") - 1]
    planned_with = (np.cumsum(taken, axis=0) - taken)[start, pairs]
    b = error_terms(problem, planned_with, lambda_)
    learned = (w[inner] * b[inner]).sum()
    bound = theory.doubling_error_sum(problem, chosen.sum(), len(pairs), lambda_)
    return 2 * learned / (bound["learning"] + bound["states"])


@settings(deadline=None)
@given(st.lists(st.integers(0, 4), min_size=1, max_size=300), SEEDS)
def test_step_10_what_is_learned(pairs, seed):
    assert learned_beside_its_bound(pairs, seed) <= 1


def test_step_10_is_not_far_from_its_bound():
    rng = np.random.default_rng(0)
    most = max(learned_beside_its_bound(rng.integers(0, 5, 300), seed) for seed in range(30))
    assert 0.5 < most <= 1
