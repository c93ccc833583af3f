"""Every term of the regret bound, or of the bound of bad steps, over T or ε, beside a real run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from eubrl_edu.labs.bounds.run import (
    EPSILON_POWERS,
    REGRET,
    RUN_STEPS,
    STEPS_POWERS,
    BoundsParams,
    RealRun,
)
from eubrl_edu.theory import (
    prior_dependent_regret_bound,
    regret_bound,
    regret_lower_bound,
    sample_complexity_bound,
    sample_complexity_lower_bound,
    theoretical_eta,
)

PLACES_PER_DECADE = 8
REGRET_LIMITS = tuple(10.0**power for power in STEPS_POWERS), (1e-1, 1e19)
TERMS_OF_PRIOR = "transition_prior", "reward_prior"
BAD_STEPS_LIMITS = tuple(10.0**power for power in reversed(EPSILON_POWERS)), (1e0, 1e25)


@dataclass(frozen=True)
class Stretch:
    """From ``start`` to ``end`` the term ``name`` is the largest."""

    name: str
    start: float
    end: float


@dataclass(frozen=True, eq=False)
class BoundsState:
    """What a `BoundsLab` shows: arrays over the places, which are T, or ε from coarse to fine.

    Attributes
    ----------
    places : (N,) array
    terms : mapping of (N,) arrays
        The parts of the bound by name.
    total, trivial, lowest : (N,) arrays
        The bound; what one knows without it; what no algorithm can beat, but for constants.
    stretches : tuple of Stretch
        Which term is the largest where.
    speaks_from : float or None
        The place from which on (regret), or up to which (bad steps), the bound is below the
        trivial one; None if there is none in the picture.
    run_places, run_values : arrays
        The run's own curve.
    here : mapping of float
        At the place of the slider: the terms, and "bound", "trivial", "lowest".
    bound_of_run, lowest_of_run : float
        The bound, and the lowest, for as many steps as the run has, or for the ε of the slider.
    run : RealRun or None
        None while it is being computed.
    """

    params: BoundsParams
    places: np.ndarray
    terms: Mapping[str, np.ndarray]
    total: np.ndarray
    trivial: np.ndarray
    lowest: np.ndarray
    stretches: tuple[Stretch, ...]
    speaks_from: float | None
    run_places: np.ndarray
    run_values: np.ndarray
    here: Mapping[str, float]
    bound_of_run: float
    lowest_of_run: float
    run: RealRun | None

    @property
    def is_regret(self) -> bool:
        """Whether the picture is that of the regret."""
        return self.params.picture == REGRET

    @property
    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Ends of both axes: they stay, so that one sees what moves."""
        return REGRET_LIMITS if self.is_regret else BAD_STEPS_LIMITS

    @property
    def has_prior(self) -> bool:
        """Whether a prior adds its parts to the bound."""
        return set(TERMS_OF_PRIOR) <= set(self.terms)

    @property
    def eta_of_theorem(self) -> float:
        """The η that the theorem takes for T steps where visits are counted, in R_max."""
        return theoretical_eta(**self.params.sizes, steps=self.params.steps).eta

    @property
    def cursor(self) -> float:
        """The T or the ε to look at closely."""
        return self.params.steps if self.is_regret else self.params.epsilon

    @property
    def fits(self) -> bool:
        """Whether the run is of a world as large as the bound's."""
        params, run = self.params, self.run
        return run is not None and (run.n_states, run.n_actions) == (
            params.n_states,
            params.n_actions,
        )


def bounds_beside(params: BoundsParams, run: RealRun | None) -> BoundsState:
    """Return every term at all places, and what follows from them."""
    bound = _Regret(params) if params.picture == REGRET else _BadSteps(params)
    places, here = bound.places, bound.parts(bound.cursor)
    parts = [bound.parts(place) for place in places]
    terms = {name: np.array([each[name] for each in parts]) for name in here}
    total = sum(terms.values())
    trivial = np.array([bound.trivial(place) for place in places])
    run_places, run_values = (np.empty(0),) * 2 if run is None else bound.curve(run)
    return BoundsState(
        params=params,
        places=places,
        terms=terms,
        total=total,
        trivial=trivial,
        lowest=np.array([bound.lowest(place) for place in places]),
        stretches=_stretches(bound, terms),
        speaks_from=_first_change(bound, total < trivial),
        run_places=run_places,
        run_values=run_values,
        here=here
        | {
            "bound": sum(here.values()),
            "trivial": bound.trivial(bound.cursor),
            "lowest": bound.lowest(bound.cursor),
        },
        bound_of_run=sum(bound.parts(bound.place_of_run).values()),
        lowest_of_run=bound.lowest(bound.place_of_run),
        run=run,
    )


def largest_term(parts: Mapping[str, float]) -> str:
    """The name of the largest part."""
    return max(parts, key=parts.get)


class _Regret:
    """The regret bound as functions of T."""

    place_of_run = RUN_STEPS

    def __init__(self, params: BoundsParams) -> None:
        self.problem, self.sizes = params.problem, params.sizes
        self.share, self.prior = params.resistance_share, params.prior
        self.cursor = params.steps
        self.places = _powers_of_ten(*STEPS_POWERS)

    def parts(self, steps: float) -> dict[str, float]:
        terms = regret_bound(**self.sizes, steps=steps, resistance_share=self.share).terms
        if self.prior is None:
            return terms
        bound = prior_dependent_regret_bound(**self.sizes, steps=steps, prior=self.prior)
        return terms | {name: getattr(bound, name) for name in TERMS_OF_PRIOR}

    def trivial(self, steps: float) -> float:
        return steps * self.problem.v_max

    def lowest(self, steps: float) -> float:
        # Before T = SA/(1 − γ) the order without its constants is above T · V↑: no bound at all.
        lowest = regret_lower_bound(self.problem, steps)
        return lowest if lowest <= self.trivial(steps) else np.nan

    def curve(self, run: RealRun) -> tuple[np.ndarray, np.ndarray]:
        return np.arange(1, RUN_STEPS + 1), np.cumsum(run.regret)


class _BadSteps:
    """The bound of the number of bad steps as functions of ε, from coarse to fine."""

    def __init__(self, params: BoundsParams) -> None:
        self.problem, self.sizes, self.steps = params.problem, params.sizes, params.steps
        self.cursor = self.place_of_run = params.epsilon
        self.places = _powers_of_ten(*EPSILON_POWERS, top=self.problem.v_max)[::-1]

    def parts(self, epsilon: float) -> dict[str, float]:
        return sample_complexity_bound(**self.sizes, epsilon=epsilon).terms

    def trivial(self, epsilon: float) -> float:
        return self.steps

    def lowest(self, epsilon: float) -> float:
        return sample_complexity_lower_bound(self.problem, epsilon)

    def curve(self, run: RealRun) -> tuple[np.ndarray, np.ndarray]:
        return self.places, run.bad_steps(self.places)


# ---- where something changes --------------------------------------------------------------


def _powers_of_ten(low: int, high: int, top: float = np.inf) -> np.ndarray:
    """Places evenly apart on a logarithmic axis, up to ``top``, which is one of them."""
    places = np.logspace(low, high, PLACES_PER_DECADE * (high - low) + 1)
    return np.append(places[places < top], top) if top < places[-1] else places


def _stretches(bound: _Regret | _BadSteps, terms: Mapping[str, np.ndarray]) -> tuple[Stretch, ...]:
    names, places = list(terms), bound.places
    largest = np.array([terms[name] for name in names]).argmax(axis=0)
    changes = np.flatnonzero(np.diff(largest))
    owners = [names[largest[at]] for at in [*changes, len(places) - 1]]
    ends = [
        _bisect(
            places[at],
            places[at + 1],
            lambda place, owner=owner: largest_term(bound.parts(place)) != owner,
        )
        for at, owner in zip(changes, owners, strict=False)
    ]
    starts, ends = [float(places[0]), *ends], [*ends, float(places[-1])]
    return tuple(map(Stretch, owners, starts, ends))


def _first_change(bound: _Regret | _BadSteps, speaks: np.ndarray) -> float | None:
    """Where the bound begins to speak, or falls silent where it speaks at first."""
    changes = np.flatnonzero(np.diff(speaks))
    if not len(changes):
        return None
    at = changes[0]

    def is_past(place: float) -> bool:
        return (sum(bound.parts(place).values()) < bound.trivial(place)) != speaks[at]

    return _bisect(bound.places[at], bound.places[at + 1], is_past)


def _bisect(low: float, high: float, is_past: Callable[[float], bool]) -> float:
    """The place between ``low``, where it is not past, and ``high``, where it is."""
    low, high = np.log(low), np.log(high)
    while abs(high - low) > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if is_past(np.exp(middle)) else (middle, high)
    return float(np.exp(high))
