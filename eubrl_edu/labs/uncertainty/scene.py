"""A die with three faces, a belief over it, and its uncertainty in two parts: dice and doubt."""

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv, gammaln, logsumexp, xlogy

from eubrl_edu.beliefs import DirichletTransitions
from eubrl_edu.beliefs.transitions import DirichletParameters
from eubrl_edu.labs.settings import Settings, dropdown, int_slider, log_slider, seed_box
from eubrl_edu.uncertainty import transition_mutual_information, transition_variance
from eubrl_edu.validation import require_above

FACES = ("A", "B", "C")
DICE = {"fair": (1 / 3, 1 / 3, 1 / 3), "loaded": (0.7, 0.2, 0.1), "certain": (1.0, 0.0, 0.0)}
MEASURES = ("entropy", "variance")
N_WORLDS = 200
MOST_THROWS = 1000


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of an `UncertaintyLab` stand."""

    die: str = dropdown(
        "fair",
        DICE,
        "die",
        "Chances of A, B and C; "
        + "; ".join(f"{name}: {', '.join(f'{p:.2g}' for p in die)}" for name, die in DICE.items()),
    )
    n: int = int_slider(
        0, 0, MOST_THROWS, "throws n", "How many times the die was thrown", width="300px"
    )
    alpha: float = log_slider(
        1.0, -2, 2, "α", "Dirichlet prior: how often it claims to have seen each face"
    )
    measure: str = dropdown(
        "entropy",
        MEASURES,
        "measure",
        "entropy: in nats, and doubt is the mutual information; "
        "variance: of the face written as 0s and a 1, and doubt is the paper's variance",
    )
    seed: int = seed_box("Another seed, other throws and other dots")

    def __post_init__(self):
        super().__post_init__()
        require_above("alpha", self.alpha, 0)


@dataclass(frozen=True)
class Split:
    """Uncertainty about the next throw, in two parts that add up to it.

    Attributes
    ----------
    total : float
        What is uncertain about the next throw, the die itself being uncertain.
    doubt : float
        What of that would be gone if the die were known: E_T, the epistemic part.
    """

    total: float
    doubt: float

    @property
    def dice(self) -> float:
        """What would be left even then: the aleatoric part, on average over the belief."""
        return self.total - self.doubt


@dataclass(frozen=True)
class State:
    """What an `UncertaintyLab` shows."""

    params: Params
    counts: np.ndarray
    worlds: np.ndarray
    mean: np.ndarray
    truth: np.ndarray
    split: Split
    probability_of_uncertainty: float


def compute(params: Params) -> State:
    """Throw the die n times, update the belief, and split what is uncertain about the next throw.

    P_U compares the doubt with what it was before the first throw: √E_T / √E_T(n = 0), as for an
    agent that is unsure of nothing else.
    """
    truth = np.array(DICE[params.die])
    rng = np.random.default_rng(params.seed)
    throws = rng.choice(len(FACES), size=MOST_THROWS, p=truth)[: params.n]
    counts = np.bincount(throws, minlength=len(FACES))

    belief = DirichletTransitions(len(FACES), 1, params.alpha)
    before = split_uncertainty(belief.parameters(0, 0), params.measure)
    for face, times in enumerate(counts.tolist()):
        if times:
            belief.update(0, 0, face, times)
    split = split_uncertainty(belief.parameters(0, 0), params.measure)
    parameters = params.alpha + counts
    return State(
        params,
        counts,
        draw_worlds(parameters, rng),
        parameters / parameters.sum(),
        truth,
        split,
        float(np.sqrt(split.doubt / before.doubt)),
    )


def split_uncertainty(row: DirichletParameters, measure: str) -> Split:
    r"""The uncertainty of the next state, split into the die's own chance and doubt about the die.

    .. math:: f(P_b) = \mathbb E_{w \sim b}[f(P_w)] + \mathcal E_T

    (the paper, "Methodology: Epistemic Uncertainty", solved for the total), where f is the
    entropy, in nats, or Σ p(1 − p), the variance of the one-hot next state.

    Parameters
    ----------
    row : DirichletParameters
        The belief over the next states of one pair.
    measure : {"entropy", "variance"}
        What f is. E_T is then the mutual information or the variance.
    """
    mean = np.array([*row.listed, *[row.alpha] * row.n_unlisted]) / row.total
    if measure == "entropy":
        return Split(float(-xlogy(mean, mean).sum()), float(transition_mutual_information(row)))
    return Split(float(1 - (mean**2).sum()), float(transition_variance(row)))


def draw_worlds(parameters: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw dice from a Dirichlet, so that the same luck moves smoothly when the belief does.

    A Gamma(a) variable is a Gamma(a + 1) variable times U^(1/a), and the logarithms of these never
    underflow, however small a is; divided by their sum they are a Dirichlet draw.

    Parameters
    ----------
    parameters : (K,) array
        Parameters of the Dirichlet.
    rng : numpy.random.Generator

    Returns
    -------
    (N_WORLDS, K) array
        One die a row.
    """
    quantiles, shares = rng.random((2, N_WORLDS, len(parameters)))
    logarithms = np.log(gammaincinv(parameters + 1, quantiles)) + np.log(shares) / parameters
    return np.exp(logarithms - logsumexp(logarithms, axis=1, keepdims=True))


def log_density(parameters: np.ndarray, dice: np.ndarray) -> np.ndarray:
    """The logarithm of a Dirichlet's density at each of these dice, in the triangle's inside."""
    constant = gammaln(parameters.sum()) - gammaln(parameters).sum()
    return constant + ((parameters - 1) * np.log(dice)).sum(axis=-1)
