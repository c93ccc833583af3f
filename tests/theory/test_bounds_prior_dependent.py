"""What a prior adds to the bounds, against formulas typed anew at 50 digits."""

import mpmath
from hypothesis import given, settings
from hypothesis import strategies as st

from eubrl_edu import theory
from tests.theory import mp_paper as paper
from tests.theory.test_bounds import SIZES, STEPS, close

DISCOUNTS = st.floats(0, 0.999)
# Constants of 0, or of a size that floats can add to others.
CONSTANTS = st.one_of(st.just(0.0), st.floats(1e-6, 100))


def prior_of(c_g, c_s, R):
    prior = theory.prior_constants([[c_g, 0.0]], c_s, [[-2.0, 1.0]], R)
    assert prior == theory.PriorConstants(c_g, c_s * (2.0 + R))
    return prior


def close_or_zero(found, expected):
    if expected == 0:
        assert found == 0
    else:
        close(found, expected)


@given(**SIZES, discount=DISCOUNTS, steps=STEPS, c_g=CONSTANTS, c_s=CONSTANTS)
def test_a_prior_adds_what_it_adds_to_y(S, A, delta, R, discount, steps, c_g, c_s):
    prior = prior_of(c_g, c_s, R)
    bound = theory.prior_dependent_regret_bound(
        n_states=S, n_actions=A, delta=delta, discount=discount, r_max=R, steps=steps, prior=prior
    )
    transitions, rewards = paper.prior_added_to_regret(
        S, A, discount, R, steps, prior.transitions, prior.rewards
    )
    close_or_zero(bound.transition_prior, transitions)
    close_or_zero(bound.reward_prior, rewards)
    without, _ = paper.discounted_regret(S, A, delta, discount, R, steps)
    close(bound.frequentist.total, without)
    close(bound.total, without + transitions + rewards)


@settings(max_examples=30)
@given(**SIZES, discount=DISCOUNTS, share=st.floats(1e-6, 1), c_g=CONSTANTS, c_s=CONSTANTS)
def test_the_bound_of_bad_steps_solves_its_inequality(S, A, delta, R, discount, share, c_g, c_s):
    prior = prior_of(c_g, c_s, R)
    epsilon = share * R / (1 - discount) * (1 - 1e-12)
    found = theory.prior_dependent_sample_complexity(
        n_states=S, n_actions=A, delta=delta, discount=discount, r_max=R, epsilon=epsilon,
        prior=prior,
    )  # fmt: skip

    def excess(n):
        added = paper.prior_added_to_w(
            S, A, discount, R, epsilon, n, prior.transitions, prior.rewards
        )
        return paper.w_discounted(S, A, delta, discount, R, epsilon, n) + added - n

    solved = mpmath.findroot(excess, (found * (1 - 1e-6), found * (1 + 1e-6)), solver="secant")
    close(found, solved)
