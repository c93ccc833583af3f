"""Two arms, a prior and a few tries: the best there is to do, and what each agent loses to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from scipy.special import betainc

from eubrl_edu.beliefs.conjugate_rewards import beta_mean, beta_update, beta_variance
from eubrl_edu.labs.settings import Settings, dropdown, int_slider, log_slider
from eubrl_edu.uncertainty import epistemically_guided_reward, probability_of_uncertainty
from eubrl_edu.validation import require_above

MOST_TRIES, MOST_LEVELS = 20, 5
PRIORS = {
    "uniform": (1.0, 1.0),
    "poor arms": (1.0, 9.0),
    "all or nothing": (0.3, 0.3),
    "sure of a half": (10.0, 10.0),
}
RULES = ("Mean-MDP", "PSRL", "EUBRL")
ETAS = np.geomspace(0.1, 10, 41)
# Finer towards both ends, where a belief can be steep.
CHANCES = np.sin(np.linspace(0, np.pi / 2, 401)) ** 2
EITHER = 0.5  # between 1, the first arm, and 0, the second


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `BayesOptimalLab` stand.

    ``prior`` is what all believe of both arms; the arms are drawn from ``worlds``, which only the
    best explorer knows.
    """

    tries: int = int_slider(20, 1, MOST_TRIES, "tries", "How many tries there are in all")
    levels: int = int_slider(2, 0, MOST_LEVELS, "unfold", "How many tries deep the tree is shown")
    eta: float = log_slider(1.0, -1, 1, "η", "How much a unit of uncertainty is worth to EUBRL")
    against: str = dropdown(
        "EUBRL", RULES, "compare", "The agent whose steps are compared with the best ones"
    )
    prior: str = dropdown("uniform", PRIORS, "agents believe", "The prior of both arms' chances")
    worlds: str = dropdown(
        "uniform",
        PRIORS,
        "arms are",
        "The distribution of both true chances; only the best explorer knows it",
    )

    def __post_init__(self):
        super().__post_init__()
        require_above("eta", self.eta, 0)


@dataclass(frozen=True)
class Node:
    """A belief in the tree of what the best explorer may meet.

    Attributes
    ----------
    counts : tuple of four int
        Ones and zeros of the first arm, then of the second.
    chances : (float, float)
        How likely either arm is to pay.
    share : float
        1 where the first arm is best, 0 where the second is, 1/2 where they tie.
    reached : float
        How likely the best explorer is to come here.
    disagrees : float
        How likely the other agent is to do something worse here.
    """

    counts: tuple[int, ...]
    chances: tuple[float, float]
    share: float
    reached: float
    disagrees: float


@dataclass(frozen=True)
class State:
    """What a `BayesOptimalLab` shows.

    Attributes
    ----------
    levels : tuple of tuples of Node
        The tree: after 0, 1, ... tries; each node has two children, after a one and after a zero.
    oracle, best : float
        What an agent that knew both arms would earn, and what the best explorer earns.
    earned : mapping of str to float
        What each of `RULES` earns.
    earned_by_eta : (len(ETAS),) array
        What EUBRL earns with each η.
    """

    params: Params
    levels: tuple[tuple[Node, ...], ...]
    oracle: float
    best: float
    earned: dict[str, float]
    earned_by_eta: np.ndarray

    @property
    def unavoidable(self) -> float:
        """What not knowing costs even the best."""
        return self.oracle - self.best

    def avoidable(self, rule: str) -> float:
        """What a rule loses beyond that."""
        return self.best - self.earned[rule]


def compute(params: Params) -> State:
    """Solve the tree of beliefs backwards, for the best explorer and for each rule."""
    prior, worlds, tries = PRIORS[params.prior], PRIORS[params.worlds], params.tries
    eubrl = _eubrl(prior, tries, np.array([params.eta]))
    shares = {name: _fixed(name, prior, tries) for name in RULES[:2]} | {"EUBRL": eubrl}
    earned = {name: float(np.ravel(earns(tries, worlds, shares[name])[0])[0]) for name in RULES}
    best, worths = earns(tries, worlds)
    return State(
        params,
        _tree(params, worths, shares[params.against]),
        tries * _better_of_two(worlds),
        float(best),
        earned,
        _earned_by_eta(prior, worlds, tries),
    )


def earns(
    tries: int, worlds: tuple[float, float], shares: Sequence[np.ndarray] | None = None
) -> tuple[np.ndarray, list[np.ndarray]]:
    r"""What a rule earns on average, where both arms are drawn from a Beta distribution.

    .. math:: V_t(b) = \sum_k w_k(b) \bigl[p_k (1 + V_{t+1}(b^{k,1})) + (1 - p_k) V_{t+1}(b^{k,0})
              \bigr]

    for beliefs b after t tries, with :math:`p_k` the believed chance of arm k and :math:`b^{k,x}`
    the belief once it has paid x. The best explorer takes the larger bracket.

    Parameters
    ----------
    tries : int
        How many tries there are.
    worlds : (float, float)
        Parameters of the Beta distribution.
    shares : sequence of (..., N) arrays, optional
        For each t, how likely the rule is to try the first arm in each of `beliefs`. Left out: the
        best rule.

    Returns
    -------
    earned : (...) array
        What is earned in all tries.
    worths : list of (N, 2) arrays
        For each t, what trying each arm leads to, in each of `beliefs`.
    """
    values, worths = np.zeros(len(beliefs(tries))), []
    for t in reversed(range(tries)):
        chances = _chances(beliefs(t), worlds)
        after = values[..., successors(t)]
        worth = chances * (1 + after[..., [0, 2]]) + (1 - chances) * after[..., [1, 3]]
        share = share_of_first(*np.moveaxis(worth, -1, 0)) if shares is None else shares[t]
        values = share * worth[..., 0] + (1 - share) * worth[..., 1]
        worths.append(worth)
    return values[..., 0], worths[::-1]


@cache
def beliefs(t: int) -> np.ndarray:
    """All that may have been seen after t tries: (N, 4) ones and zeros of either arm."""
    counts = np.indices((t + 1,) * 3).reshape(3, -1).T
    counts = counts[counts.sum(axis=1) <= t]
    return np.column_stack([counts, t - counts.sum(axis=1)])


@cache
def successors(t: int) -> np.ndarray:
    """(N, 4) positions in ``beliefs(t + 1)`` once either arm has paid one or zero."""
    places = np.zeros((t + 2,) * 3, dtype=int)
    places[tuple(beliefs(t + 1)[:, :3].T)] = np.arange(len(beliefs(t + 1)))
    grown = beliefs(t)[:, None, :] + np.eye(4, dtype=int)
    return places[tuple(np.moveaxis(grown, -1, 0)[:3])]


def share_of_first(first, second):
    """1 where the first is larger, 0 where the second is, and 1/2 where they tie."""
    return np.where(np.isclose(first, second), EITHER, first > second)


def _posteriors(counts: np.ndarray, prior: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Parameters of the Beta posteriors of either arm, (..., 2) each."""
    ones, zeros = counts[..., [0, 2]], counts[..., [1, 3]]
    return beta_update(*prior, ones + zeros, ones)


def _chances(counts: np.ndarray, prior: tuple[float, float]) -> np.ndarray:
    """(..., 2) believed chances of a one."""
    return beta_mean(*_posteriors(counts, prior))


@lru_cache(maxsize=32)
def _fixed(rule: str, prior: tuple[float, float], tries: int) -> list[np.ndarray]:
    """The shares of a rule that has no η."""
    if rule == "Mean-MDP":
        return [share_of_first(*_chances(beliefs(t), prior).T) for t in range(tries)]
    better = chance_to_be_better(prior, tries)
    return [better[tuple(beliefs(t).T)] for t in range(tries)]


def chance_to_be_better(prior: tuple[float, float], tries: int) -> np.ndarray:
    """How likely one arm is to be better than another: what PSRL draws.

    Returns
    -------
    (T, T, T, T) array
        By the ones and zeros of the one, then of the other, T = ``tries``.
    """
    ones, zeros = np.indices((tries, tries)).reshape(2, -1, 1) + np.reshape(prior, (2, 1, 1))
    below = betainc(ones, zeros, CHANCES)
    middle = (below[:, 1:] + below[:, :-1]) / 2
    # Both arms may lie in the same cell; then each is as likely to be the better one.
    return (np.diff(below) @ middle.T).reshape((tries,) * 4)


def _eubrl(prior: tuple[float, float], tries: int, etas: np.ndarray) -> list[np.ndarray]:
    """EUBRL's shares: E_b is η times the deviation of an arm's chance, E_max the largest of them.

    The largest is that of both arms and of an untried one. An `EUBRL` also remembers larger ones
    from before, which the counts do not tell; there are some only where `doubt_can_grow`.
    """
    untried = np.sqrt(beta_variance(*prior))
    shares = []
    for t in range(tries):
        deviation = np.sqrt(beta_variance(*_posteriors(beliefs(t), prior)))
        largest = np.maximum(untried, deviation.max(axis=-1, keepdims=True))
        probability = np.vectorize(probability_of_uncertainty)(deviation, largest)
        epistemic = etas[:, None, None] * deviation
        guided = epistemically_guided_reward(_chances(beliefs(t), prior), epistemic, probability)
        shares.append(share_of_first(guided[..., 0], guided[..., 1]))
    return shares


@lru_cache(maxsize=32)
def _earned_by_eta(
    prior: tuple[float, float], worlds: tuple[float, float], tries: int
) -> np.ndarray:
    return earns(tries, worlds, _eubrl(prior, tries, ETAS))[0]


def doubt_can_grow(prior: tuple[float, float]) -> bool:
    """Whether a one or a zero can leave an arm's chance more uncertain than it was untried."""
    alpha, beta = prior
    ones, zeros = np.indices((MOST_TRIES,) * 2)
    return bool((beta_variance(alpha + ones, beta + zeros) > beta_variance(alpha, beta)).any())


def _better_of_two(worlds: tuple[float, float]) -> float:
    """The mean of the larger of two draws: the integral of 1 − F²."""
    return float(np.trapezoid(1 - betainc(*worlds, CHANCES) ** 2, CHANCES))


def _tree(
    params: Params, worths: list[np.ndarray], shares: list[np.ndarray]
) -> tuple[tuple[Node, ...], ...]:
    """The best explorer's tree; where both arms are equally good, it goes on with the first."""
    places, reached, levels = [0], [1.0], []
    chance_of: Callable = lambda counts: _chances(counts, PRIORS[params.worlds])  # noqa: E731
    for t in range(min(params.levels + 1, params.tries)):
        nodes, after, likely = [], [], []
        for place, reach in zip(places, reached, strict=True):
            counts, share = beliefs(t)[place], float(share_of_first(*worths[t][place]))
            others = float(np.ravel(shares[t][..., place])[0])
            chances = tuple(map(float, chance_of(counts)))
            wrong = 0.0 if share == EITHER else abs(share - others)
            nodes.append(Node(tuple(counts.tolist()), chances, share, reach, wrong))
            arm = 0 if share >= EITHER else 1
            after += successors(t)[place, [2 * arm, 2 * arm + 1]].tolist()
            likely += [reach * chances[arm], reach * (1 - chances[arm])]
        levels.append(tuple(nodes))
        places, reached = after, likely
    return tuple(levels)
