"""The four value functions of a recorded run, solved, and the error values J that go with them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eubrl_edu.mdp import MDP
from eubrl_edu.theory.error_terms import bellman_like, bellman_like_horizon, error_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.world_rewards import RewardMap


@dataclass(frozen=True)
class SolvedValues:
    """V*, V^π, the agent's values and Ṽ of a run, and what they were computed from.

    Attributes
    ----------
    problem : Problem
        S, A, R_max, δ, and γ or H.
    reward_map : RewardMap
        How rewards were mapped; all values below are after it.
    model : MDP
        The true MDP.
    optimal, optimal_policy : arrays
        V* and π*.
    policies, policy : arrays
        The policies that were in force, and V^π of each.
    agent : array
        The agent's own values, as it planned with them.
    auxiliary : array
        Ṽ.
    plans : tuple
        The plans that these values are of.
    lambdas : array
        λ of each of them.
    visits : array
        N, the visits before each of them was first acted on.
    """

    problem: Problem
    reward_map: RewardMap
    model: MDP
    optimal: np.ndarray
    optimal_policy: np.ndarray
    policies: np.ndarray
    policy: np.ndarray
    agent: np.ndarray
    auxiliary: np.ndarray
    plans: tuple
    lambdas: np.ndarray
    visits: np.ndarray

    def error_terms(self, number: int) -> np.ndarray:
        """β of the plan with this number, (S, A)."""
        plan = self.plans[number]
        p_u = plan.probability_of_uncertainty
        mean = self.reward_map.rewards(plan.mean_reward)
        bonus = self.reward_map.rewards(plan.model.rewards) - (1 - p_u) * mean
        visits, lambda_ = self.visits[number], float(self.lambdas[number])
        return error_terms(self.problem, visits, bonus, p_u, lambda_)


@dataclass(frozen=True)
class RunValues(SolvedValues):
    """The values of a run by its moments: `SolvedValues`, and which of them each step has.

    A *moment* is a plan with the λ of the step; moments that repeat are kept once, and so are
    policies. With D moments and P policies, ``optimal`` and ``optimal_policy`` have shape (S,),
    ``policies`` and ``policy`` (P, S), ``agent`` and ``auxiliary`` (D, S), ``lambdas`` (D,) and
    ``visits`` (D, S, A).

    Attributes
    ----------
    policy_of_step, moment_of_step : (T,) integer arrays
        Which policy and which moment each step has.
    """

    policy_of_step: np.ndarray
    moment_of_step: np.ndarray

    @cached_property
    def error_values(self) -> np.ndarray:
        """J^t of every step and state, (T, S)."""
        discount, v_max = self.problem.discount, self.problem.v_max
        betas = list(map(self.error_terms, range(len(self.plans))))
        pairs = list(zip(self.moment_of_step.tolist(), self.policy_of_step.tolist(), strict=True))
        found = {
            (moment, policy): bellman_like(
                self.model, self.policies[policy], betas[moment], discount, v_max
            )
            for moment, policy in dict.fromkeys(pairs)
        }
        return _read_only(np.stack([found[pair] for pair in pairs]))


@dataclass(frozen=True)
class EpisodeValues(SolvedValues):
    """The values of a run by its K episodes, also if it stopped within the last one.

    Values have H + 1 rows: index h is the number of steps already taken, and the last row is 0. So
    ``optimal`` has shape (H + 1, S), ``optimal_policy`` (H, S), ``policies`` (K, H, S), ``policy``,
    ``agent`` and ``auxiliary`` (K, H + 1, S), ``lambdas`` (K,) and ``visits`` (K, S, A).

    Attributes
    ----------
    first_states : (K,) integer array
        s_1 of each episode.
    """

    first_states: np.ndarray

    @cached_property
    def error_values(self) -> np.ndarray:
        """J_h of every episode, step and state, (K, H + 1, S)."""
        v_max = self.problem.v_max
        values = [
            bellman_like_horizon(self.model, policy, self.error_terms(episode), v_max)
            for episode, policy in enumerate(self.policies)
        ]
        return _read_only(np.stack(values))


def _read_only(values: np.ndarray) -> np.ndarray:
    """The same array; it is kept, so that nobody may change it."""
    values.setflags(write=False)
    return values
