"""The bound of the per-step regret, in the three parts that the proofs give it."""

from dataclasses import dataclass

import numpy as np

from eubrl_edu.theory.bound_parts import SumOfParts
from eubrl_edu.theory.problem import require_lambda, require_one_shape
from eubrl_edu.theory.resistance import epistemic_resistance
from eubrl_edu.validation import require_above, require_between


@dataclass(frozen=True)
class PerStepBound(SumOfParts):
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

    parts = ("guided", "learning", "remainder")

    guided: np.ndarray
    learning: np.ndarray
    remainder: np.ndarray


@dataclass(frozen=True)
class TermBounds(SumOfParts):
    """The bound of the per-step regret, shared among the three terms of its decomposition.

    They add up to the total of `per_step_bound`.

    Attributes
    ----------
    quasi_optimism : float or array
        λ(3/2 − P_U*)V↑ bounds V* − Ṽ.
    complexity : float or array
        Φ bounds Ṽ − V^t.
    accuracy : float or array
        (3 − 2P_U − 2/7 P_U*)λV↑ + 2J + (3 − 2P_U*)λΦ + Φ²/V↑ bounds V^t − V^π.
    """

    parts = ("quasi_optimism", "complexity", "accuracy")

    quasi_optimism: np.ndarray
    complexity: np.ndarray
    accuracy: np.ndarray


def per_step_bound(*, p_u_policy, p_u_optimal, lambda_, j, r_max: float, v_max: float):
    r"""Bound of the per-step regret.

    .. math::
        V^\star(s) - V^{\pi_t}(s) \le \left(\tfrac92 - \mathfrak R^t(s)\right)\lambda_t V^\uparrow
        + 2J^t(s) + \Phi_t\left(1 + (3 - 2P_U^{t,\star}(s))\lambda_t
        + \frac{\Phi_t}{V^\uparrow}\right), \qquad \Phi_t = R_{\max}\lambda_t

    (the paper, theorem "Bound of Per-step Regret"; the constants of O(Φ) are those of "Sample
    Complexity"). The same holds for episodes, with V↑_H and J_1^k. `eubrl_edu.errata.ERRATA` says
    in which form the proofs give it: with the least P_U over the states in place of the state's.

    Parameters
    ----------
    p_u_policy, p_u_optimal : float or array
        P_U of the action chosen and of the optimal one.
    lambda_ : float or array
        λ_t in (0, 1].
    j : float or array
        J^t(s), from `bellman_like`, 0 to V↑, in units of reward.
    r_max, v_max : float
        R_max and V↑.

    Returns
    -------
    PerStepBound

    Raises
    ------
    ValueError
        If an argument is outside its range, or the shapes differ.
    """
    p_u_policy, p_u_optimal, lambda_, j, r_max, v_max = _checked(
        p_u_policy, p_u_optimal, lambda_, j, r_max, v_max
    )
    resistance = epistemic_resistance(p_u_policy, p_u_optimal)
    phi = r_max * lambda_
    return PerStepBound(
        guided=(4.5 - resistance) * lambda_ * v_max,
        learning=2 * j,
        remainder=phi * (1 + (3 - 2 * p_u_optimal) * lambda_ + phi / v_max),
    )


def term_bounds(*, p_u_policy, p_u_optimal, lambda_, j, r_max: float, v_max: float):
    r"""Bounds of quasi-optimism, complexity and accuracy.

    .. math::
        V^\star - \widetilde V^t \le \lambda_t\left(\tfrac32 - P_U^{t,\star}\right)V^\uparrow,
        \qquad
        \widetilde V^t - V^t \le R_{\max}\lambda_t = \Phi_t,

        V^t - V^{\pi_t} \le \left(3 - 2P_U^t - \tfrac27P_U^{t,\star}\right)\lambda_tV^\uparrow
        + 2J^t + \mathcal O\left(\frac{\Phi_t^2}{V^\uparrow} + \lambda_t\Phi_t\right)

    (the paper, "Quasi-Optimism with Epistemic Resistance", "Boundedness of Complexity" and
    "Boundedness of Accuracy", discounted and finite-horizon; the constants are those that make
    the three add up to the bound of "Sample Complexity").

    Parameters
    ----------
    p_u_policy, p_u_optimal, lambda_, j, r_max, v_max
        As of `per_step_bound`.

    Returns
    -------
    TermBounds

    Raises
    ------
    ValueError
        If an argument is outside its range, or the shapes differ.
    """
    p_u_policy, p_u_optimal, lambda_, j, r_max, v_max = _checked(
        p_u_policy, p_u_optimal, lambda_, j, r_max, v_max
    )
    phi = r_max * lambda_
    return TermBounds(
        quasi_optimism=lambda_ * (1.5 - p_u_optimal) * v_max,
        complexity=phi + 0 * p_u_optimal,
        accuracy=(3 - 2 * p_u_policy - 2 / 7 * p_u_optimal) * lambda_ * v_max
        + 2 * j
        + (3 - 2 * p_u_optimal) * lambda_ * phi
        + phi**2 / v_max,
    )


def _checked(p_u_policy, p_u_optimal, lambda_, j, r_max, v_max):
    """The arguments as floats or arrays, once all are in range."""
    r_max = require_above("r_max", r_max, 0)
    v_max = require_above("v_max", v_max, 0)
    of_states = {
        "p_u_policy": require_between("p_u_policy", p_u_policy, 0, 1),
        "p_u_optimal": require_between("p_u_optimal", p_u_optimal, 0, 1),
        "lambda_": require_lambda(lambda_),
        # J is cut off at V↑; what is above it by rounding only is no error.
        "j": require_between("j", j, 0, v_max * (1 + 1e-9), f"[0, V↑ = {v_max:g}]"),
    }
    require_one_shape(**of_states)
    return *of_states.values(), r_max, v_max
