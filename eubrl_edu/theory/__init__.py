"""The paper's theory as functions: its bounds, what a run says of them, priors, failures.

The README beside this file has a row for every equation, definition, lemma, theorem and figure of
the paper: where it is implemented, what tests it, and which notebook shows it.
"""

from eubrl_edu.theory.bound_parts import BadStepsBound, RegretBound, SampleComplexityBound
from eubrl_edu.theory.bounds_doubling import (
    doubling_error_sum,
    doubling_lambda,
    most_plans,
    plan_starts,
)
from eubrl_edu.theory.bounds_lower import (
    first_informative_order,
    first_informative_step,
    regret_lower_bound,
    regret_threshold,
    sample_complexity_lower_bound,
    sample_complexity_threshold,
)
from eubrl_edu.theory.bounds_per_step import PerStepBound, TermBounds, per_step_bound, term_bounds
from eubrl_edu.theory.bounds_prior_dependent import (
    PriorDependentRegretBound,
    prior_dependent_regret_bound,
    prior_dependent_sample_complexity,
)
from eubrl_edu.theory.bounds_regret import (
    best_case_regret_bound,
    regret_bound,
    state_action_regret_bound,
)
from eubrl_edu.theory.bounds_sample_complexity import (
    bad_steps_bound,
    largest_consistent,
    sample_complexity_bound,
)
from eubrl_edu.theory.counterexample import (
    QuasiOptimism,
    check_quasi_optimism,
    failing_prior,
    holding_prior,
)
from eubrl_edu.theory.decompose import decompose, step_bounds
from eubrl_edu.theory.episode_values import episode_values
from eubrl_edu.theory.error_terms import (
    bellman_like,
    bellman_like_horizon,
    error_scale,
    error_sum_bound,
    error_terms,
)
from eubrl_edu.theory.events import event_margins, events
from eubrl_edu.theory.hard_worlds import HardWorld, hardest_gap
from eubrl_edu.theory.inference import jensen_gap, log_optimality, widest_probability
from eubrl_edu.theory.log_terms import LogTerms, log_terms
from eubrl_edu.theory.measured import regret, sample_complexity
from eubrl_edu.theory.misspecification import (
    OmissionBound,
    RequiredPrior,
    guaranteed_sticking,
    omission_bound,
    required_prior,
    sharper_sufficient_estimate,
    sticking_bound,
    sufficient_average,
    sufficient_estimate,
    union_bound,
)
from eubrl_edu.theory.priors import (
    PredictiveError,
    beta_error,
    dirichlet_error,
    normal_error,
    normal_gamma_error,
)
from eubrl_edu.theory.priors_class import PriorClass, Property, classify_prior
from eubrl_edu.theory.priors_constants import PriorConstants, class_constants, prior_constants
from eubrl_edu.theory.priors_rate import (
    RateBounds,
    RateEstimate,
    dirichlet_rate,
    estimate_rate,
    normal_gamma_rate,
    normal_rate,
    uncertainty_along_visits,
)
from eubrl_edu.theory.problem import Problem, maximum_value
from eubrl_edu.theory.resistance import (
    epistemic_resistance,
    guidance_factor,
    resistance_lower_bound,
    resistance_share,
    resistance_upper_bound,
)
from eubrl_edu.theory.run_values import run_values
from eubrl_edu.theory.schedules import (
    Schedule,
    regret_lambda,
    sample_complexity_lambda,
    schedule,
    theoretical_eta,
)
from eubrl_edu.theory.solved_values import EpisodeValues, RunValues
from eubrl_edu.theory.sticking import (
    BanditRuns,
    simulate_bandit,
    sticking_forever,
    sticking_probability,
)
from eubrl_edu.theory.stopping import (
    StoppingTimes,
    episode_stopping_times,
    overshoot_bound,
    printed_overshoot_bound,
    stopping_times,
)

# All of the above.
__all__ = sorted(
    name
    for name, value in globals().items()
    if getattr(value, "__module__", "").startswith(__name__)
)
