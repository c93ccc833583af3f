"""The paper's explicit bounds once more, typed from its pages, at 50 digits.

Nothing here calls the package. Symbols are the paper's; g stands for 1 − γ.
"""

from mpmath import e, floor, log, mp, mpf, sqrt

mp.dps = 50


def numbers(*values):
    return [mpf(value) for value in values]  # of a float, exactly the number that it holds


def discounted_terms(S, A, delta, gamma, R=1.0, T=None, eps=None):
    S, A, delta, gamma, R = numbers(S, A, delta, gamma, R)
    g = 1 - gamma
    out = {"l1": log(24 * S * A / delta)}
    if T is not None:
        T = mpf(T)
        out["l2"] = log(1 + T / (S * A))
        out["l3"] = log(12 * S * A * (1 + log(T)) / delta)
        out["l4"] = log(12 * T / delta)
        out["l1_prime"] = log(24 * S * A * (1 + log(T)) / delta)
    if eps is not None:
        (eps,) = numbers(eps)
        out["l6"] = log(log(R / g * e / (eps * g)))
        out["b"] = R**2 * out["l1"] / (eps**2 * g**3) + R * S * (2 * out["l1"] + out["l6"]) / (
            eps * g**2
        )
        out["l5"] = log(1 + 140 * out["b"])
    return out


def episodic_terms(S, A, delta, H, R=1.0, K=None, eps=None):
    S, A, delta, H, R = numbers(S, A, delta, H, R)
    out = {"l1": log(24 * H * S * A / delta)}
    if K is not None:
        K = mpf(K)
        out["l2"] = log(1 + K * H / (S * A))
        out["l3"] = log(12 * S * A * (1 + log(K * H)) / delta)
        out["l4"] = log(12 * H / delta)
        out["l1_prime"] = log(24 * H * S * A * (1 + log(K * H)) / delta)
    if eps is not None:
        (eps,) = numbers(eps)
        out["l6"] = log(log(H * R * e / eps))
        out["b"] = R**2 * H**2 * out["l1"] / eps**2 + R * H * S * (2 * out["l1"] + out["l6"]) / eps
        out["l5"] = log(1 + 280 * out["b"] * H)
    return out


def discounted_regret(S, A, delta, gamma, R, T, psi=0.0):
    t = discounted_terms(S, A, delta, gamma, R, T)
    S, A, gamma, R, T, psi = numbers(S, A, gamma, R, T, psi)
    g = 1 - gamma
    lam = min(mpf(1), 3 * sqrt(S * A * t["l1"] * t["l2"] / (T * g)))
    leading = (30 - 14 * psi) * R * sqrt(S * A * T * t["l1"] * t["l2"]) / g ** mpf("1.5")
    lower = 168 * R * S**2 * A / g**2 * (1 + t["l1_prime"]) * (1 + t["l2"])
    phi = R * lam
    return leading + lower + T * phi * (1 + 3 * lam + phi / (R / g)), lam


def episodic_regret(S, A, delta, H, R, K, psi=0.0):
    t = episodic_terms(S, A, delta, H, R, K)
    S, A, H, R, K, psi = numbers(S, A, H, R, K, psi)
    lam = min(mpf(1), 4 * sqrt(S * A * t["l1"] * t["l2"] / K))
    leading = (42 - 18 * psi) * R * H * sqrt(S * A * K * t["l1"] * t["l2"])
    lower = 336 * R * H * S**2 * A * t["l1_prime"] * (1 + t["l2"])
    phi = R * lam
    return leading + lower + K * phi * (1 + 3 * lam + phi / (H * R)), lam


def state_action_leading(S, A, delta, gamma, R, T, psi, G):
    """𝒥1 (its C√(9/2) = 13.5 rounded up to the 14 that the paper goes on with) plus 𝒥2."""
    t = discounted_terms(S, A, delta, gamma, R, T)
    S, A, gamma, R, T, psi, G = numbers(S, A, gamma, R, T, psi, G)
    g, C = 1 - gamma, 3 * sqrt(mpf(9) / 2)
    one = 14 * R / g ** mpf("1.5") * sqrt((1 - psi) * T * S * A * t["l1"] * t["l2"])
    two = (
        72
        * sqrt(mpf(2))
        * (R / g)
        * t["l1"]
        / (C * g)
        * sqrt(T * g / (S * A * t["l1"] * t["l2"]))
        * (G * log(1 + T / G))
    )
    return one, two


def t0(S, A, delta, gamma, R, eps):
    t = discounted_terms(S, A, delta, gamma, R, eps=eps)
    S, A, gamma, R, eps = numbers(S, A, gamma, R, eps)
    g = 1 - gamma
    return floor(
        3670 * R**2 * S * A * t["l1"] * t["l5"] / (eps**2 * g**3)
        + 480 * R * S**2 * A * (2 * t["l1"] + t["l6"]) * t["l5"] / (eps * g**2)
    )


def k0(S, A, delta, H, R, eps, second=960):
    t = episodic_terms(S, A, delta, H, R, eps=eps)
    S, A, H, R, eps = numbers(S, A, H, R, eps)
    return floor(
        6920 * R**2 * H**2 * S * A * t["l1"] * t["l5"] / eps**2
        + second * R * H * S**2 * A * (2 * t["l1"] + t["l6"]) * t["l5"] / eps
    )


def w_discounted(S, A, delta, gamma, R, eps, T):
    t = discounted_terms(S, A, delta, gamma, R, T)
    S, A, gamma, R, eps = numbers(S, A, gamma, R, eps)
    g = 1 - gamma
    return (
        1780 * R**2 * S * A * t["l1"] * t["l2"] / (eps**2 * g**3)
        + 240 * R * S**2 * A * t["l2"] * t["l3"] / (eps * g**2)
        + 52 * R * S * A * t["l1"] / (eps * g**2)
    )


def w_episodic(S, A, delta, H, R, eps, K):
    t = episodic_terms(S, A, delta, H, R, K)
    S, A, H, R, eps = numbers(S, A, H, R, eps)
    return (
        3456 * R**2 * H**2 * S * A * t["l1"] * t["l2"] / eps**2
        + 480 * R * H * S**2 * A * t["l2"] * t["l3"] / eps
        + 24 * R * H * S * A * t["l1"] / eps
    )


def best_case(S, A, delta, gamma, R, T):
    """Regret*: the leading part, what is left of it, and the λ behind the rest."""
    t = discounted_terms(S, A, delta, gamma, R, T)
    S, A, gamma, R, T = numbers(S, A, gamma, R, T)
    g, share = 1 - gamma, sqrt(mpf(17) / 63)
    star = log(1 + T / (share * S * A))
    rate = R / g ** mpf("1.5") * sqrt(S * A * T * t["l1"])
    leading = share * (16 * star / sqrt(t["l2"]) + 14 * sqrt(t["l2"])) * rate
    lower = 168 * R * S**2 * A / g**2 * (1 + t["l1_prime"]) * (1 + t["l2"])
    lam = state_action_lambda(S, A, delta, gamma, T, mpf(23) / 7)
    phi = R * lam
    return leading, leading + lower + T * phi * (1 + 3 * lam + phi / (R / g))


def state_action_lambda(S, A, delta, gamma, T, resistance):
    t = discounted_terms(S, A, delta, gamma, T=T)
    S, A, gamma, T, resistance = numbers(S, A, gamma, T, resistance)
    C = 3 * sqrt(mpf(9) / 2)
    root = sqrt(S * A * t["l1"] * t["l2"] / (T * (1 - gamma)))
    return min(mpf(1), C / sqrt(mpf(9) / 2 - resistance) * root)


def settings(v_max, l1, R, lam, E_max):
    """m, Υ and η."""
    v_max, R, lam, E_max = numbers(v_max, R, lam, E_max)
    m = (v_max / (R * lam)) ** 2
    upsilon = 7 * v_max * l1 / lam
    return m, upsilon, E_max * upsilon + R * sqrt(m)


def y_discounted(S, A, delta, gamma, R, T, lam):
    t = discounted_terms(S, A, delta, gamma, R, T)
    S, A, gamma, R, lam = numbers(S, A, gamma, R, lam)
    v_max = R / (1 - gamma)
    y = 12 * v_max * t["l1"] / lam + 30 * v_max * S * t["l3"]
    sum_of_j = (2 * y * S * A * t["l2"] + 13 * v_max * S * A * t["l4"]) / (1 - gamma)
    return y, sum_of_j


def y_episodic(S, A, delta, H, R, K, lam):
    t = episodic_terms(S, A, delta, H, R, K)
    S, A, H, R, lam = numbers(S, A, H, R, lam)
    v_max = R * H
    y = 12 * v_max * t["l1"] / lam + 30 * v_max * S * t["l3"]
    return y, 4 * y * S * A * t["l2"] + 6 * v_max * S * A * t["l4"]


def per_step(p, best, lam, j, R, v_max):
    """(9/2 − 𝕽)λV↑ + 2J + Φ(1 + (3 − 2P_U*)λ + Φ/V↑)."""
    p, best, lam, j, R, v_max = numbers(p, best, lam, j, R, v_max)
    phi = R * lam
    resistance = 2 * p + mpf(9) / 7 * best
    rest = phi * (1 + (3 - 2 * best) * lam + phi / v_max)
    return (mpf(9) / 2 - resistance) * lam * v_max + 2 * j + rest


def resistance_saved(gamma, R, T, lam, E_max):
    gamma, R, T, lam, E_max = numbers(gamma, R, T, lam, E_max)
    return 23 * R / (7 * (1 - gamma)) * (2 / E_max * (sqrt(T) - 1) + 1) * lam


def resistance_saved_in_episodes(H, R, K, lam, E_max):
    H, R, K, lam, E_max = numbers(H, R, K, lam, E_max)
    return 23 * R / 7 * (2 / E_max * (sqrt(H * K) - sqrt(H)) + H) * lam


def prior_added_to_regret(S, A, gamma, R, T, lambda_T, lambda_R):
    """2ΣJ ≤ 4𝒴SAℓ2/(1 − γ) + …, where the prior adds 3·2Λ_T V↑S and 2Λ_R to 𝒴."""
    S, A, gamma, R, T, lambda_T, lambda_R = numbers(S, A, gamma, R, T, lambda_T, lambda_R)
    scale = 4 * S * A * log(1 + T / (S * A)) / (1 - gamma)
    return scale * 6 * lambda_T * R / (1 - gamma) * S, scale * 2 * lambda_R


def prior_added_to_w(S, A, gamma, R, eps, T, lambda_T, lambda_R):
    """8𝒴SAℓ2/(ε(1 − γ)), with the same 𝒴."""
    return 2 / mpf(eps) * sum(prior_added_to_regret(S, A, gamma, R, T, lambda_T, lambda_R))
