"""Planning: an MDP in, Q and V out.

`value_iteration`, `policy_iteration` and `backward_induction` are the ones to read; `solve` and
`solve_horizon` give the same answers, compiled, to agents that plan at every step. They run
``kernels``, which builds on ``graph_kernels`` and ``linear_kernels``.
"""

from eubrl_edu.planning.bellman import (
    NotFinite,
    Solution,
    bellman_residual,
    greedy_actions,
    greedy_policy,
    q_values,
)
from eubrl_edu.planning.exact import solve, solve_horizon
from eubrl_edu.planning.finite_horizon import backward_induction, evaluate_horizon_policy
from eubrl_edu.planning.policy_evaluation import evaluate_policy
from eubrl_edu.planning.policy_iteration import policy_iteration
from eubrl_edu.planning.value_iteration import value_iteration

__all__ = [
    "NotFinite",
    "Solution",
    "backward_induction",
    "bellman_residual",
    "evaluate_horizon_policy",
    "evaluate_policy",
    "greedy_actions",
    "greedy_policy",
    "policy_iteration",
    "q_values",
    "solve",
    "solve_horizon",
    "value_iteration",
]
