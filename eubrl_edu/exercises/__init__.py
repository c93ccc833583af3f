"""The checks that the notebooks call, one module a notebook: what is right about an answer.

A check computes the truth with the package when it is called, never from a stored number. What
it returns prints as one or two sentences; its ``passed`` is true exactly when the answer is right.
A wrong answer that many people give is met with a hint of its own. In a notebook, what is passed is
noted in a file of the learner's (`eubrl_edu.exercises.progress`).
"""

from eubrl_edu.exercises.beliefs import (
    check_fall_of_uncertainty,
    check_posterior_mean,
    check_reward_uncertainty,
    check_visits_to_balance,
)
from eubrl_edu.exercises.beyond_the_tables import (
    check_better_of_two,
    check_loss_of_a_rough_plan,
    check_two_tries,
)
from eubrl_edu.exercises.critical_reading import (
    check_expected_variance,
    check_first_surprise,
    check_guaranteed_share,
    check_jensen_gap,
    check_open_step,
)
from eubrl_edu.exercises.deep_exploration import (
    check_far_unknown,
    check_means_with_failures,
    check_years_of_dithering,
)
from eubrl_edu.exercises.feedback import NOTHING_YET, Feedback
from eubrl_edu.exercises.guidance import (
    check_bonus_and_guidance,
    check_eta_to_stay,
    check_lowest_point,
    check_where_doubt_deters,
)
from eubrl_edu.exercises.lazy_chain import (
    check_last_worthwhile_chain,
    check_patience,
    check_states_that_may_be_wrong,
)
from eubrl_edu.exercises.planning import (
    check_backup,
    check_now_and_future,
    check_return,
    check_steps_worth_a_try,
    check_tolerance,
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
from eubrl_edu.exercises.start_here import (
    check_best_guess_alone,
    check_best_return,
    check_guided_cup,
)
from eubrl_edu.exercises.step_by_step import (
    check_guided_reward,
    check_guided_step,
    check_smallest_eta,
    check_visits_under_count,
)
from eubrl_edu.exercises.uncertainty import (
    check_doubt_about_reward,
    check_doubt_of_a_cloud,
    check_doubt_of_a_coin,
    check_throws_to_halve,
)
from eubrl_edu.exercises.when_it_fails import (
    check_fall_of_bonus,
    check_first_failure,
    check_omission_bound,
    check_required_alpha,
)
from eubrl_edu.exercises.your_own_world import (
    check_alpha_for_quick_learning,
    check_eubrl_loses,
    check_root_bonus,
)

__all__ = [
    "Feedback",
    "NOTHING_YET",
    "check_alpha_for_quick_learning",
    "check_backup",
    "check_best_guess_alone",
    "check_best_return",
    "check_better_of_two",
    "check_bonus_and_guidance",
    "check_constants",
    "check_doubt_about_reward",
    "check_doubt_of_a_cloud",
    "check_doubt_of_a_coin",
    "check_eta_to_stay",
    "check_eubrl_loses",
    "check_expected_variance",
    "check_fall_of_bonus",
    "check_fall_of_uncertainty",
    "check_far_unknown",
    "check_first_failure",
    "check_first_surprise",
    "check_first_telling_step",
    "check_guaranteed_share",
    "check_guided_cup",
    "check_guided_reward",
    "check_guided_step",
    "check_interval_of_mean",
    "check_jensen_gap",
    "check_last_worthwhile_chain",
    "check_loss_of_a_rough_plan",
    "check_lowest_point",
    "check_lucky_seed",
    "check_means_with_failures",
    "check_members",
    "check_now_and_future",
    "check_omission_bound",
    "check_open_step",
    "check_outcome_uncertainty",
    "check_patience",
    "check_posterior_mean",
    "check_power",
    "check_regret_and_bad_steps",
    "check_required_alpha",
    "check_resistance",
    "check_return",
    "check_reward_uncertainty",
    "check_root_bonus",
    "check_runs_needed",
    "check_smallest_eta",
    "check_states_that_may_be_wrong",
    "check_steps_for_a_tenth",
    "check_steps_worth_a_try",
    "check_throws_to_halve",
    "check_tolerance",
    "check_two_tries",
    "check_visits_to_balance",
    "check_visits_under_count",
    "check_where_doubt_deters",
    "check_years_of_dithering",
]

# Last, as it asks for the names above.
from eubrl_edu.exercises.progress import note_in_notebooks  # noqa: E402

note_in_notebooks()
