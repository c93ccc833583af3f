"""What an agent thinks when it plans: the model, the rewards it plans with, and their value."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.mdp import MDP
from eubrl_edu.tables import table_of_pairs


@dataclass(frozen=True, eq=False)
class Plan:
    """An agent's model of the world and the value of acting in it, at the time of planning.

    Attributes
    ----------
    model : MDP
        The MDP that was solved; its ``rewards`` are those planned with, bonuses included.
    mean_reward : (S, A) array
        The agent's estimate of the mean reward, r_b.
    q : (S, A) array, or (H, S, A) with a horizon
        Value of each action in ``model``.
    v : (S,) array, or (H + 1, S) with a horizon
        Value of each state in ``model``; ``v[H]`` is 0.
    """

    model: MDP
    mean_reward: np.ndarray
    q: np.ndarray
    v: np.ndarray

    def __repr__(self) -> str:
        steps = f"{len(self.q)} steps, " if self.q.ndim == 3 else ""
        n_states, n_actions = self.q.shape[-2:]
        return (
            f"{type(self).__name__}({steps}{n_states} states, {n_actions} actions, "
            f"V from {self.v.min():.4g} to {self.v.max():.4g})"
        )

    def _repr_html_(self) -> str:
        return table_of_pairs(repr(self), self.columns())

    def columns(self) -> dict[str, np.ndarray]:
        """What a notebook shows of each pair; with a horizon, at the first step."""
        q = self.q if self.q.ndim == 2 else self.q[0]
        return {"r_b": self.mean_reward, "planned with": self.model.rewards, "Q": q}


@dataclass(frozen=True, eq=False, repr=False)
class GuidedPlan(Plan):
    """The plan of EUBRL: every quantity of the paper's methodology, by name.

    Attributes
    ----------
    transition_uncertainty : (S, A) array
        E_T, in probability² (variance) or nats (mutual information).
    reward_uncertainty : (S, A) array
        E_R, in reward².
    epistemic_uncertainty : (S, A) array
        E_b = η(√E_T + √E_R).
    max_uncertainty : float
        E_max, the largest E_b of this plan and all before it.
    probability_of_uncertainty : (S, A) array
        P_U = E_b / E_max.
    """

    transition_uncertainty: np.ndarray
    reward_uncertainty: np.ndarray
    epistemic_uncertainty: np.ndarray
    max_uncertainty: float
    probability_of_uncertainty: np.ndarray

    @property
    def guided_reward(self) -> np.ndarray:
        """r^EUBRL = (1 − P_U) r_b + P_U E_b, (S, A): the rewards that were planned with."""
        return self.model.rewards

    def columns(self) -> dict[str, np.ndarray]:
        """What a notebook shows of each pair: how the guided reward comes about, and its Q."""
        columns = super().columns()
        return {
            "r_b": columns["r_b"],
            "E_b": self.epistemic_uncertainty,
            "P_U": self.probability_of_uncertainty,
            "guided reward": self.guided_reward,
            "Q": columns["Q"],
        }
