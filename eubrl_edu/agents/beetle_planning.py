"""BEETLE's planning, done once before the first step: point-based value iteration.

The state of a learner is a pair: where it is, s, and what it believes, b. The optimal value of
such a pair is an upper envelope,

    V(s, b) = max_{α ∈ Γ_s} E_b[α(θ)],

over *α-functions*: α(θ) is the value of some way to act in the world θ, a polynomial in θ. One
step of value iteration at a point (s, b) makes a new one,

    α_new(θ) = Σ_s' θ_{s,a,s'} [ r(s,a,s') + γ α_{s'}(θ) ],

where each α_{s'} is the best for the belief after seeing s', and a is the action for which the
result is the best at b. Multiplying by θ raises the degree, so α_new is *projected*: replaced by
the combination of a fixed set of monomials that comes closest to it, by least squares of E_b[α]
over the sampled beliefs. If these are just the posteriors after the histories of the monomials,
then it is the projection of the 2006 paper, by least squares of α(θ) over all θ under the prior;
here beliefs after longer histories count as well.

A posterior b^{s,a,s'} never has to be formed: E_{b^{s,a,s'}}[α] = E_b[θ α] / E_b[θ].
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eubrl_edu.agents.beetle_polynomials import Monomials, UnknownDynamics
from eubrl_edu.planning import solve

# Times at which a sampled history is looked at.
TIMES = (0, 1, 2, 4, 8, 16, 32, 64, 128)
RANDOM_ACTIONS = 0.3
# Directions in which the monomials hardly differ at any belief are left out of the projection.
RELATIVE_CUTOFF = 1e-6
# No more sweeps when values change by less than this part of the range that they can have.
RELATIVE_CHANGE = 1e-4
# Values of plans count as equal when they differ by less than this part of the largest: more than a
# processor's rounding, which the projection enlarges, and far less than the above.
RELATIVE_TIE = 1e-6


@dataclass(frozen=True, eq=False)
class AlphaFunctions:
    """A value function over states and beliefs: for each state, a set of α-functions.

    Attributes
    ----------
    monomials : Monomials
        The basis φ.
    coefficients : list of (G_s, I) arrays
        For each state s its α-functions; each row c is α(θ) = Σ_i c_i φ_i(θ).
    discount : float
        γ.
    """

    monomials: Monomials
    coefficients: list[np.ndarray]
    discount: float

    def action_values(self, dirichlet: np.ndarray) -> np.ndarray:
        """Q(s, a, b) of all pairs, (S, A), under the belief with parameters n, (J,)."""
        dynamics = self.monomials.dynamics
        mean = dynamics.mean(dirichlet)[None]
        products = self.monomials.products(dirichlet)[None]
        return look_ahead(dynamics, self.coefficients, mean, products, self.discount)[0][0]

    def __deepcopy__(self, memo) -> "AlphaFunctions":
        """Itself: it never changes, and agents are copied often."""
        return self


def look_ahead(
    dynamics: UnknownDynamics,
    coefficients: Sequence[np.ndarray],
    mean: np.ndarray,
    products: np.ndarray,
    discount: float,
) -> tuple[np.ndarray, np.ndarray]:
    r"""Value of each action at several beliefs, and the α-functions that it rests on.

    .. math:: Q(s,a,b) = \sum_{s'} \Bigl( E_b[\theta_{s,a,s'}] \, r(s,a,s')
              + \gamma \max_{\alpha \in \Gamma_{s'}} E_b[\theta_{s,a,s'} \alpha] \Bigr)

    Parameters
    ----------
    dynamics : UnknownDynamics
    coefficients : sequence of (G_s, I) arrays
        The α-functions of each state.
    mean : (B, J) array
        E_b[θ_j] for each of B beliefs.
    products : (B, J, I) array
        E_b[θ_j φ_i].
    discount : float
        γ.

    Returns
    -------
    q : (B, S, A) array
    chosen : (B, S, A, K) integer array
        For each outcome, the number of the best α-function of the state that it leads to.
    """
    shape = (len(mean), len(coefficients), dynamics.n_unknown)
    future, best = np.zeros(shape), np.zeros(shape, dtype=np.int64)
    for state, alphas in enumerate(coefficients):
        leading_here = np.unique(dynamics.unknown[dynamics.next_states == state])
        worth = products[:, leading_here] @ alphas.T
        future[:, state, leading_here] = worth.max(axis=-1)
        best[:, state, leading_here] = first_of_the_best(worth)
    outcome = slice(None), dynamics.next_states, dynamics.unknown
    earned = mean[:, dynamics.unknown] * dynamics.rewards
    q = (earned + discount * future[outcome]).sum(axis=-1)
    q[:, list(dynamics.terminal_states)] = 0.0
    return q, best[outcome]


def first_of_the_best(values: np.ndarray) -> np.ndarray:
    """Along the last axis, the first entry that is as good as the best, up to rounding.

    Many plans are worth the same at a belief; which one is taken must not hang on the order in
    which a processor adds up, or on how many of them do.
    """
    best, largest = (each.max(axis=-1, keepdims=True) for each in (values, np.abs(values)))
    return (best - values <= RELATIVE_TIE * largest).argmax(axis=-1)


def iterate_values(
    monomials: Monomials, beliefs: np.ndarray, discount: float, iterations: int
) -> AlphaFunctions:
    """Point-based value iteration at every state together with every belief.

    It starts from the value of earning the smallest reward for ever, and its values rise from
    there.

    Parameters
    ----------
    monomials : Monomials
        The basis; its first function must be the constant.
    beliefs : (B, J) array
        Dirichlet parameters of the beliefs.
    discount : float
        γ in [0, 1).
    iterations : int
        Sweeps over all points, at most.

    Returns
    -------
    AlphaFunctions
    """
    dynamics = monomials.dynamics
    bounds = [
        reward / (1 - discount) for reward in (dynamics.rewards.min(), dynamics.rewards.max())
    ]
    if dynamics.terminal_states:
        bounds = [min(bounds[0], 0.0), max(bounds[1], 0.0)]
    mean = dynamics.mean(beliefs)
    values_at = np.array([monomials.expectations(belief) for belief in beliefs])
    products = np.array([monomials.products(belief) for belief in beliefs])
    # Monomials differ in size by orders of magnitude: the cutoff must not see that.
    size = values_at.max(axis=0)
    fit = np.linalg.pinv(values_at / size, rcond=RELATIVE_CUTOFF) / size[:, None]

    constant = np.zeros((1, len(size)))
    constant[0, 0] = 1.0
    coefficients = [bounds[0] * constant for _ in dynamics.rewards]
    for state in dynamics.terminal_states:
        coefficients[state] = 0.0 * constant
    before = np.full((len(beliefs), len(coefficients)), bounds[0])
    for _ in range(iterations):
        q, chosen = look_ahead(dynamics, coefficients, mean, products, discount)
        renewed = list(coefficients)
        for state in range(len(coefficients)):
            if state in dynamics.terminal_states:
                continue
            action = first_of_the_best(q[:, state])
            plans = np.column_stack([action, chosen[np.arange(len(q)), state, action]])
            targets = _back_up(
                dynamics, coefficients, mean, products, discount, state, np.unique(plans, axis=0)
            )
            # No value is outside these bounds; without them errors of the fit could feed on
            # themselves, as a projection may stretch what it projects.
            alphas = (fit @ np.clip(targets, *bounds)).T
            # An α-function that is the best at no belief is not needed.
            renewed[state] = alphas[np.unique(first_of_the_best(values_at @ alphas.T))]
        coefficients = renewed
        values = np.stack([(values_at @ alphas.T).max(axis=-1) for alphas in coefficients], axis=-1)
        if np.abs(values - before).max() <= RELATIVE_CHANGE * (bounds[1] - bounds[0]):
            break
        before = values
    return AlphaFunctions(monomials, coefficients, discount)


def _back_up(dynamics, coefficients, mean, products, discount, state, plans):
    """E_b[α_new] at every belief, (B, plans); a plan is an action and an α for each outcome."""
    targets = np.zeros((len(mean), len(plans)))
    for action in range(dynamics.rewards.shape[1]):
        with_action = np.flatnonzero(plans[:, 0] == action)
        for k, reward in enumerate(dynamics.rewards[state, action]):
            j = dynamics.unknown[state, action, k]
            alphas = coefficients[dynamics.next_states[state, action, k]][plans[with_action, 1 + k]]
            earned = mean[:, j, None] * reward
            targets[:, with_action] += earned + discount * products[:, j] @ alphas.T
    return targets


def sample_histories(
    dynamics: UnknownDynamics,
    prior: np.ndarray,
    discount: float,
    n_histories: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Histories that a learner may live through: what it has counted, at several times.

    Next states are drawn from the belief as it stands. The default policy is greedy in the mean
    MDP, with some actions at random.

    Parameters
    ----------
    dynamics : UnknownDynamics
    prior : (J,) array
        Parameters of the prior.
    discount : float
        γ of the default policy.
    n_histories : int
        How many histories to live through; each is looked at at the times `TIMES`.
    rng : numpy.random.Generator
        Source of randomness.

    Returns
    -------
    (M, J) array
        Distinct counts, the shortest histories first; the first is empty.
    """
    n_states, n_actions, n_outcomes = dynamics.rewards.shape
    going = [state for state in range(n_states) if state not in dynamics.terminal_states]
    found = []
    for _ in range(n_histories):
        dirichlet, state, solution = prior.copy(), int(rng.choice(going)), None
        for time in range(TIMES[-1] + 1):
            if time in TIMES:
                found.append(dirichlet - prior)
                solution = solve(dynamics.mean_mdp(dirichlet), discount, start=solution)
            action = int(solution.policy[state])
            if rng.random() < RANDOM_ACTIONS:
                action = int(rng.integers(n_actions))
            likely = dynamics.mean(dirichlet)[dynamics.unknown[state, action]]
            k = int(rng.choice(n_outcomes, p=likely / likely.sum()))
            dirichlet[dynamics.unknown[state, action, k]] += 1.0
            state = int(dynamics.next_states[state, action, k])
            if state in dynamics.terminal_states:
                state = int(rng.choice(going))
    distinct = np.unique(np.round(found), axis=0)
    return distinct[np.argsort(distinct.sum(axis=1), kind="stable")]
