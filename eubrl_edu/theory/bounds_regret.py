"""Regret(T) with the paper's explicit constants: uniform λ, and λ by state and action."""

from dataclasses import dataclass, field
from math import log1p, sqrt

from eubrl_edu.theory.log_terms import LogTerms, problem_log_terms
from eubrl_edu.theory.problem import Problem
from eubrl_edu.theory.resistance import LARGEST_RESISTANCE, LEAST_SHARE
from eubrl_edu.theory.schedules import regret_lambda
from eubrl_edu.validation import require_finite

LARGEST_SHARE = 1 - LEAST_SHARE  # 46/63, Ψ where every P_U is 1


@dataclass(frozen=True)
class RegretBound:
    """A bound of the regret, part by part, in units of reward.

    Attributes
    ----------
    guided : float
        What the luck of the draws can hide, less what epistemic resistance takes off:
        14(1 − Ψ)X, or 18(1 − Ψ)X with a horizon, where X is the minimax rate with its logarithms.
    learning : float
        The leading part of what learning costs: 16X, or 24X.
    lower_order : float
        The part that is not multiplied by √T; it leads until T ≥ S³A / (1 − γ) and beyond.
    remainder : float
        Σ Φ(1 + 3λ + Φ/V↑), what the auxiliary value function costs.
    trivial : float
        T · V↑ (or K · V↑_H), which bounds the regret without any theory.
    lambda_ : float
        The λ behind it; the largest one where it depends on state and action.
    log_terms : LogTerms
    """

    guided: float
    learning: float
    lower_order: float
    remainder: float
    trivial: float
    lambda_: float
    log_terms: LogTerms = field(repr=False)

    @property
    def total(self) -> float:
        """The bound itself."""
        return self.guided + self.learning + self.lower_order + self.remainder

    @property
    def terms(self) -> dict[str, float]:
        """The parts by name; they add up to `total`."""
        names = ("guided", "learning", "lower_order", "remainder")
        return {name: getattr(self, name) for name in names}

    @property
    def dominant(self) -> str:
        """The name of the largest part."""
        return max(self.terms, key=self.terms.get)

    @property
    def says_something(self) -> bool:
        """Whether the bound is below the trivial one."""
        return self.total < self.trivial


def regret_bound(
    *,
    n_states: int,
    n_actions: int,
    delta: float,
    discount: float | None = None,
    horizon: int | None = None,
    r_max: float = 1.0,
    steps: float | None = None,
    episodes: float | None = None,
    resistance_share: float = 0.0,
) -> RegretBound:
    r"""Bound of the regret with probability at least 1 − δ, for uniform λ.

    .. math::
        \text{Regret}(T) \le (30-14\Psi(T))R_{\max}
        \frac{\sqrt{SAT\ell_1\ell_{2,T}}}{(1-\gamma)^{1.5}}
        + 168R_{\max}\frac{S^2A}{(1-\gamma)^2}(1+\ell'_{1,T})(1+\ell_{2,T})
        + \sum_{t=1}^T\Phi_t\left(1+3\lambda_t+\frac{\Phi_t}{V^\uparrow}\right)

        \text{Regret}(K) \le (42-18\Psi(K))R_{\max}H\sqrt{SAK\ell_1\ell_{2,K}}
        + 336R_{\max}HS^2A\,\ell'_{1,K}(1+\ell_{2,K})
        + \sum_{k=1}^K\Phi_k\left(1+3\lambda_k+\frac{\Phi_k}{V^\uparrow_H}\right)

    (the paper, "Regret Analysis", the proofs of the regret theorems; the constants of the last sum
    are those of "Sample Complexity").

    Parameters
    ----------
    n_states, n_actions, delta, discount, horizon, r_max
        See `Problem`.
    steps, episodes : float, optional
        T (discounted), K (with a horizon); at least 1.
    resistance_share : float
        Ψ, what epistemic resistance takes off: 0 (nothing) to 46/63 (every P_U is 1).
        `resistance_share` computes it for a run.

    Returns
    -------
    RegretBound

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    problem = Problem(n_states, n_actions, r_max, delta, discount, horizon)
    duration = problem.require_duration(steps, episodes)
    share = _require_share(resistance_share)
    terms = problem_log_terms(problem, duration)
    rate = _minimax_rate(problem, duration, terms)
    if horizon is None:
        guided, learning = 14 * (1 - share) * rate, 16 * rate
    else:
        guided, learning = 18 * (1 - share) * rate, 24 * rate
    return _bound(problem, duration, terms, guided, learning, regret_lambda(problem, duration))


def state_action_regret_bound(
    *,
    n_states: int,
    n_actions: int,
    delta: float,
    discount: float | None = None,
    horizon: int | None = None,
    r_max: float = 1.0,
    steps: float | None = None,
    episodes: float | None = None,
    resistance_share: float = 0.0,
    guidance_factor: float | None = None,
) -> RegretBound:
    r"""Bound of the regret where λ may depend on state and action (discounted problems).

    .. math::
        \text{Regret}(T) \le \left(14\sqrt{1-\Psi(T)}
        + 16\,\frac{\mathcal G\,\ell'_{2,T}}{SA\,\ell_{2,T}}\right)
        \frac{R_{\max}}{(1-\gamma)^{1.5}}\sqrt{SAT\ell_1\ell_{2,T}}
        + \frac{168R_{\max}}{(1-\gamma)^2}S^2A(1+\ell'_{1,T})(1+\ell_{2,T})
        + \sum_t \mathcal O(\Phi_t),
        \qquad \ell'_{2,T} = \log(1+T/\mathcal G)

    (the paper, "State-action Dependent λ": 𝒥1 and 𝒥2 with C = 3√(9/2)). 𝒢 = SA disregards 𝒢; only
    then does the proof stand (`eubrl_edu.theory.ERRATA`). The paper prints the second part with
    ℓ1(1 + ℓ2), which is too small once log T is large; this is the uniform case's.

    Parameters
    ----------
    n_states, n_actions, delta, discount, horizon, r_max, steps, episodes
        As of `regret_bound`; the paper has no such bound for episodes, so a horizon is refused.
    resistance_share : float
        Ψ(T), 0 to 46/63.
    guidance_factor : float, optional
        𝒢, from √(17/63) SA to SA, which is the default.

    Returns
    -------
    RegretBound

    Raises
    ------
    ValueError
        If an argument is outside its range, or there is a horizon.
    """
    problem = Problem(n_states, n_actions, r_max, delta, discount, horizon)
    problem.require_discounted("a state-action dependent λ")
    duration = problem.require_duration(steps, episodes)
    share, pairs = _require_share(resistance_share), problem.n_pairs
    factor = pairs if guidance_factor is None else guidance_factor
    factor = require_finite("guidance_factor", factor)
    least = sqrt(LEAST_SHARE) * pairs
    if not least * (1 - 1e-12) <= factor <= pairs * (1 + 1e-12):
        raise ValueError(
            f"guidance_factor must be from √(17/63) SA = {least:g} to SA = {pairs}, got {factor!r}"
        )
    terms = problem_log_terms(problem, duration)
    rate = _minimax_rate(problem, duration, terms)
    guided = 14 * sqrt(1 - share) * rate
    learning = 16 * rate * factor * log1p(duration / factor) / (pairs * terms.l2)
    largest_lambda = regret_lambda(problem, duration, resistance=LARGEST_RESISTANCE)
    return _bound(problem, duration, terms, guided, learning, largest_lambda)


def best_case_regret_bound(
    *,
    n_states: int,
    n_actions: int,
    delta: float,
    discount: float | None = None,
    horizon: int | None = None,
    r_max: float = 1.0,
    steps: float | None = None,
    episodes: float | None = None,
) -> RegretBound:
    r"""The least that the state-action dependent bound can become: every P_U is 1.

    .. math:: \text{Regret}^\star(T) \le \sqrt{\tfrac{17}{63}}\left(
        16\,\frac{\ell'^\star_{2,T}}{\sqrt{\ell_{2,T}}} + 14\sqrt{\ell_{2,T}}\right)
        \frac{R_{\max}}{(1-\gamma)^{1.5}}\sqrt{SAT\ell_1} + \dots, \qquad
        \ell'^\star_{2,T} = \log\left(1+\frac{T}{\sqrt{17/63}\,SA}\right)

    (the paper, "Considering Both"). √(17/63) ≈ 0.519 of the leading term is left; an agent whose
    uncertainty falls with its visits never gets there, and the proof has a gap besides
    (`eubrl_edu.theory.ERRATA`).

    Parameters
    ----------
    n_states, n_actions, delta, discount, horizon, r_max, steps, episodes
        As of `state_action_regret_bound`.

    Returns
    -------
    RegretBound

    Raises
    ------
    ValueError
        If an argument is outside its range, or there is a horizon.
    """
    problem = Problem(n_states, n_actions, r_max, delta, discount, horizon)
    return state_action_regret_bound(
        n_states=n_states,
        n_actions=n_actions,
        delta=delta,
        discount=discount,
        horizon=horizon,
        r_max=r_max,
        steps=steps,
        episodes=episodes,
        resistance_share=LARGEST_SHARE,
        guidance_factor=sqrt(LEAST_SHARE) * problem.n_pairs,
    )


def _minimax_rate(problem: Problem, duration: float, terms: LogTerms) -> float:
    """R_max √(SAT ℓ1 ℓ2) / (1 − γ)^1.5, or R_max H √(SAK ℓ1 ℓ2)."""
    power = 1.5 if problem.horizon is None else 1.0
    root = sqrt(problem.n_pairs * duration * terms.l1 * terms.l2)
    return problem.r_max * problem.effective_horizon**power * root


def _bound(
    problem: Problem,
    duration: float,
    terms: LogTerms,
    guided: float,
    learning: float,
    lambda_: float,
) -> RegretBound:
    """Add what both bounds have in common."""
    sizes = problem.r_max * problem.n_states * problem.n_pairs
    if problem.horizon is None:
        logs = (1 + terms.l1_prime) * (1 + terms.l2)
        lower_order = 168 * sizes * problem.effective_horizon**2 * logs
    else:
        lower_order = 336 * sizes * problem.horizon * terms.l1_prime * (1 + terms.l2)
    phi = problem.r_max * lambda_
    return RegretBound(
        guided=guided,
        learning=learning,
        lower_order=lower_order,
        remainder=duration * phi * (1 + 3 * lambda_ + phi / problem.v_max),
        trivial=duration * problem.v_max,
        lambda_=lambda_,
        log_terms=terms,
    )


def _require_share(share: float) -> float:
    share = require_finite("resistance_share", share)
    if not 0 <= share <= LARGEST_SHARE + 1e-12:
        raise ValueError(f"resistance_share must be in [0, 46/63], got {share!r}")
    return share
