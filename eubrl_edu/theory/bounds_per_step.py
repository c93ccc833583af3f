"""The bound of the per-step regret, in the three parts that the proofs give it."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.theory.resistance import epistemic_resistance


@dataclass(frozen=True)
class PerStepBound:
    """The bound of V*(s) − V^π(s), part by part; floats, or arrays of one shape.

    Attributes
    ----------
    guided : float or array
        (9/2 − 𝕽)λV↑: what the luck of the draws can hide, less what resistance takes off.
    learning : float or array
        2J: what has not been learned yet.
    remainder : float or array
        Φ(1 + (3 − 2P_U*)λ + Φ/V↑): what the auxiliary value function costs.
    """

    guided: np.ndarray
    learning: np.ndarray
    remainder: np.ndarray

    @property
    def total(self) -> np.ndarray:
        """The bound itself."""
        return self.guided + self.learning + self.remainder


def per_step_bound(*, p_u_policy, p_u_optimal, lambda_, j, r_max: float, v_max: float):
    r"""Bound of the per-step regret.

    .. math::
        V^\star(s) - V^{\pi_t}(s) \le \left(\tfrac92 - \mathfrak R^t(s)\right)\lambda_t V^\uparrow
        + 2J^t(s) + \Phi_t\left(1 + (3 - 2P_U^{t,\star}(s))\lambda_t
        + \frac{\Phi_t}{V^\uparrow}\right), \qquad \Phi_t = R_{\max}\lambda_t

    (the paper, theorem "Bound of Per-step Regret"; the constants of O(Φ) are those of "Sample
    Complexity"). The same holds for episodes, with V↑_H and J_1^k. `eubrl_edu.theory.ERRATA` says
    in which form the proofs give it: with the least P_U over the states in place of the state's.

    Parameters
    ----------
    p_u_policy, p_u_optimal : float or array
        P_U of the action chosen and of the optimal one.
    lambda_ : float or array
        λ_t in (0, 1].
    j : float or array
        J^t(s), from `bellman_like`, in units of reward.
    r_max, v_max : float
        R_max and V↑.

    Returns
    -------
    PerStepBound

    Raises
    ------
    ValueError
        If a probability is outside [0, 1].
    """
    resistance = epistemic_resistance(p_u_policy, p_u_optimal)
    phi = r_max * lambda_
    return PerStepBound(
        guided=(4.5 - resistance) * lambda_ * v_max,
        learning=2 * j,
        remainder=phi * (1 + (3 - 2 * p_u_optimal) * lambda_ + phi / v_max),
    )
