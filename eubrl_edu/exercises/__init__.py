"""The checks that the notebooks call, one module a notebook: what is right about an answer.

A check computes the truth with the package when it is called, never from a stored number. What
it returns prints as one or two sentences; its ``passed`` is true exactly when the answer is right.
A wrong answer that many people give is met with a hint of its own.
"""

from eubrl_edu.exercises.beliefs import (
    check_fall_of_uncertainty,
    check_posterior_mean,
    check_reward_uncertainty,
    check_visits_to_balance,
)
from eubrl_edu.exercises.critical_reading import (
    check_expected_variance,
    check_first_surprise,
    check_guaranteed_share,
    check_jensen_gap,
    check_where_m_breaks,
)
from eubrl_edu.exercises.deep_exploration import (
    check_far_unknown,
    check_means_with_failures,
    check_years_of_dithering,
)
from eubrl_edu.exercises.feedback import NOTHING_YET, Feedback
from eubrl_edu.exercises.lazy_chain import (
    check_last_worthwhile_chain,
    check_patience,
    check_states_that_may_be_wrong,
)
from eubrl_edu.exercises.priors import (
    check_constants,
    check_members,
    check_outcome_uncertainty,
    check_power,
)
from eubrl_edu.exercises.race import check_interval_of_mean, check_lucky_seed, check_runs_needed
from eubrl_edu.exercises.regret_and_bounds import (
    check_first_telling_step,
    check_regret_and_bad_steps,
    check_resistance,
    check_steps_for_a_tenth,
)
from eubrl_edu.exercises.start_here import check_best_return
from eubrl_edu.exercises.step_by_step import (
    check_guided_reward,
    check_guided_step,
    check_smallest_eta,
    check_visits_under_count,
)
from eubrl_edu.exercises.when_it_fails import (
    check_fall_of_bonus,
    check_first_failure,
    check_omission_bound,
    check_required_alpha,
)

__all__ = [
    "Feedback",
    "NOTHING_YET",
    "check_best_return",
    "check_constants",
    "check_expected_variance",
    "check_fall_of_bonus",
    "check_fall_of_uncertainty",
    "check_far_unknown",
    "check_first_failure",
    "check_first_surprise",
    "check_first_telling_step",
    "check_guaranteed_share",
    "check_guided_reward",
    "check_guided_step",
    "check_interval_of_mean",
    "check_jensen_gap",
    "check_last_worthwhile_chain",
    "check_lucky_seed",
    "check_means_with_failures",
    "check_members",
    "check_omission_bound",
    "check_outcome_uncertainty",
    "check_patience",
    "check_posterior_mean",
    "check_power",
    "check_regret_and_bad_steps",
    "check_required_alpha",
    "check_resistance",
    "check_reward_uncertainty",
    "check_runs_needed",
    "check_smallest_eta",
    "check_states_that_may_be_wrong",
    "check_steps_for_a_tenth",
    "check_visits_to_balance",
    "check_visits_under_count",
    "check_where_m_breaks",
    "check_years_of_dithering",
]
