"""Regret(T) with the paper's explicit constants: uniform λ, and λ by state and action."""

from math import log1p, sqrt

from eubrl_edu.theory.bound_parts import RegretBound
from eubrl_edu.theory.bounds_doubling import LUCK, doubling_error_sum, require_replanning
from eubrl_edu.theory.log_terms import LogTerms, problem_log_terms
from eubrl_edu.theory.problem import Problem, of_a_problem
from eubrl_edu.theory.resistance import LARGEST_RESISTANCE, LEAST_SHARE
from eubrl_edu.theory.schedules import regret_lambda
from eubrl_edu.validation import require_at_least, require_finite

LARGEST_SHARE = 1 - LEAST_SHARE  # 46/63, Ψ where every P_U is 1


@of_a_problem
def regret_bound(
    problem: Problem,
    *,
    steps: float | None = None,
    episodes: float | None = None,
    resistance_share: float = 0.0,
    replanning: str = "every step",
) -> RegretBound:
    r"""Bound of the regret with probability at least 1 − δ, for uniform λ.

    This is what the paper states. For episodes it stands without ``resistance_share``, with one
    step of the proof put right (the least P_U over the states in place of the state's), and is open
    with it. For a discounted agent that plans at every step, as the paper has it, some steps of the
    proof are open: nobody has refuted the bound, and nobody has proved it
    (`eubrl_edu.errata.ERRATA`, the gaps). For an agent that plans anew only when a count has more
    than doubled it is proved, by ``replanning="doubling"``.

    .. math::
        \text{Regret}(T) \le (30-14\Psi(T))R_{\max}
        \frac{\sqrt{SAT\ell_1\ell_{2,T}}}{(1-\gamma)^{1.5}}
        + 168R_{\max}\frac{S^2A}{(1-\gamma)^2}(1+\ell'_{1,T})(1+\ell_{2,T})
        + \sum_{t=1}^T\Phi_t\left(1+3\lambda_t+\frac{\Phi_t}{V^\uparrow}\right)

        \text{Regret}(K) \le (42-18\Psi(K))R_{\max}H\sqrt{SAK\ell_1\ell_{2,K}}
        + 336R_{\max}HS^2A\,\ell'_{1,K}(1+\ell_{2,K})
        + \sum_{k=1}^K\Phi_k\left(1+3\lambda_k+\frac{\Phi_k}{V^\uparrow_H}\right)

    (the paper, "Regret Analysis", the proofs of the regret theorems; the constants of the last sum
    are those of "Sample Complexity"). With ``replanning="doubling"``

    .. math::
        \text{Regret}(T) \le \frac{15}4\lambda V^\uparrow T + \frac{V^\uparrow}{1-\gamma}\left[
        SA\,\ell_{2,T}\left(\frac{55\ell_1}{\lambda} + \frac{496}3 S\ell_3\right)
        + \frac95\left(1 + SA\log_2\left(1+\frac T{SA}\right)\right)
        + \frac{36}5\log\frac6\delta\right]

    with λ of `regret_lambda` and ℓ3 at T + 1 (``DOUBLING.md``, beside this file, the theorem).
    Where λ < 1, what is of order √T is at most 30 R_max √(SATℓ1ℓ2)/(1 − γ)^1.5, and the rest is
    below the paper's part with S²A.

    Parameters
    ----------
    problem : Problem, or its fields as keywords
    steps, episodes : float, optional
        T (discounted), K (with a horizon); at least 1.
    resistance_share : float
        Ψ, what epistemic resistance takes off: 0 (nothing) to 46/63 (every P_U is 1).
        `resistance_share` computes it for a run, with the P_U of the state at hand: see above.
    replanning : {"every step", "doubling"}
        When a discounted agent plans anew. ``"doubling"`` is ``plan_every="doubling"`` of agents;
        its theorem takes nothing off for resistance, and is not about episodes.

    Returns
    -------
    RegretBound

    Raises
    ------
    ValueError
        If an argument is outside its range, or ``replanning`` is "doubling" with a horizon or a
        share of resistance.
    """
    duration = problem.require_duration(steps, episodes)
    share = _require_share(resistance_share)
    if require_replanning(replanning, problem):
        if share:
            raise ValueError(
                "the theorem for replanning='doubling' takes nothing off for epistemic "
                f"resistance: resistance_share must be 0, got {resistance_share!r}"
            )
        return _doubling_bound(problem, duration)
    terms = problem_log_terms(problem, duration)
    rate = _minimax_rate(problem, duration, terms)
    if problem.horizon is None:
        guided, learning = 14 * (1 - share) * rate, 16 * rate
    else:
        guided, learning = 18 * (1 - share) * rate, 24 * rate
    return _bound(problem, duration, terms, guided, learning, regret_lambda(problem, duration))


@of_a_problem
def state_action_regret_bound(
    problem: Problem,
    *,
    steps: float,
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
    then is the lemma behind it true, and no agent can compute this λ_t
    (`eubrl_edu.errata.ERRATA`). The paper prints the second part with ℓ1(1 + ℓ2), which is too
    small once log T is large; this is the uniform case's.

    Parameters
    ----------
    problem, steps
        As of `regret_bound`. The paper has no such bound for episodes: a horizon is refused.
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
    problem.require_discounted("a state-action dependent λ")
    duration = require_at_least("steps", steps, 1)
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


@of_a_problem
def best_case_regret_bound(problem: Problem, *, steps: float) -> RegretBound:
    r"""The least that the state-action dependent bound can become: every P_U is 1.

    .. math:: \text{Regret}^\star(T) \le \sqrt{\tfrac{17}{63}}\left(
        16\,\frac{\ell'^\star_{2,T}}{\sqrt{\ell_{2,T}}} + 14\sqrt{\ell_{2,T}}\right)
        \frac{R_{\max}}{(1-\gamma)^{1.5}}\sqrt{SAT\ell_1} + \dots, \qquad
        \ell'^\star_{2,T} = \log\left(1+\frac{T}{\sqrt{17/63}\,SA}\right)

    (the paper, "Considering Both"). √(17/63) ≈ 0.519 of the leading term is left; an agent whose
    uncertainty falls with its visits never gets there, and the proof has a gap besides
    (`eubrl_edu.errata.ERRATA`).

    Parameters
    ----------
    problem, steps
        As of `state_action_regret_bound`.

    Returns
    -------
    RegretBound

    Raises
    ------
    ValueError
        If an argument is outside its range, or there is a horizon.
    """
    return state_action_regret_bound(
        problem,
        steps=steps,
        resistance_share=LARGEST_SHARE,
        guidance_factor=sqrt(LEAST_SHARE) * problem.n_pairs,
    )


def _doubling_bound(problem: Problem, duration: float) -> RegretBound:
    """The theorem of ``DOUBLING.md``, with the λ of the paper."""
    lambda_ = regret_lambda(problem, duration)
    parts = doubling_error_sum(problem, duration, duration, lambda_)
    return RegretBound(
        guided=LUCK * lambda_ * problem.v_max * duration,
        learning=parts["learning"],
        lower_order=parts["states"] + parts["plans"],
        remainder=0.0,
        trivial=duration * problem.v_max,
        lambda_=lambda_,
        log_terms=problem_log_terms(problem, duration),
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
