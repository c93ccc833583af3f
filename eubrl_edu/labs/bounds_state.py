"""Every term of the regret bound, or of the bound of bad steps, over T or ε, beside a real run."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass

import numpy as np

from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.environments import make_env
from eubrl_edu.experiments import make_agent
from eubrl_edu.labs.recorded_run import record
from eubrl_edu.theory import (
    Problem,
    regret,
    regret_bound,
    regret_lower_bound,
    sample_complexity_bound,
    sample_complexity_lower_bound,
    theoretical_eta,
)
from eubrl_edu.validation import require_choice, require_positive_int

REGRET, BAD_STEPS = "regret over T", "bad steps over ε"
PICTURES = (REGRET, BAD_STEPS)
WORLDS = {
    "Chain": ("chain", None),
    "2 loops": ("loop", 2),
    "4 loops": ("loop", 4),
}
PAPER, THEOREM = "EUBRL", "EUBRL of the theorem"
AGENTS = (PAPER, THEOREM)
DISCOUNTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
RUN_STEPS = 1000
RUN_DELTA = 0.1  # of the theorem's η
MOST_STATES, MOST_ACTIONS = 100, 20
STEPS_POWERS, EPSILON_POWERS = (0, 15), (-3, 2)
PLACES_PER_DECADE = 8
LARGEST_SHARE = 46 / 63


@dataclass(frozen=True)
class BoundsParams:
    """Where the controls of a `BoundsLab` stand."""

    picture: str = REGRET
    n_states: int = 5
    n_actions: int = 2
    discount: float = 0.95
    delta: float = 0.1
    resistance_share: float = 0.0
    steps: float = 1000.0
    epsilon: float = 0.1
    world: str = "Chain"
    agent: str = PAPER
    seed: int = 0

    def __post_init__(self):
        require_choice("picture", self.picture, PICTURES)
        require_choice("world", self.world, WORLDS)
        require_choice("agent", self.agent, AGENTS)
        require_positive_int("seed", self.seed, at_least=0)
        if self.discount not in DISCOUNTS:
            raise ValueError(f"discount must be one of {DISCOUNTS}, got {self.discount!r}")

    @property
    def problem(self) -> Problem:
        """What the bounds are functions of, with R_max = 1."""
        return Problem(self.n_states, self.n_actions, 1.0, self.delta, self.discount)


@dataclass(frozen=True, eq=False)
class RealRun:
    """A run of `RUN_STEPS` steps, its regret in units of R_max.

    ``world``, ``agent`` and ``discount`` say what it is a run of; ``eta`` is the agent's η, in
    units of R_max too.
    """

    world: str
    agent: str
    discount: float
    n_states: int
    n_actions: int
    eta: float
    regret: np.ndarray

    def bad_steps(self, epsilon: np.ndarray) -> np.ndarray:
        """How many steps were not ε-optimal, for each ε."""
        return len(self.regret) - np.searchsorted(np.sort(self.regret), epsilon, side="right")


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


def real_run(params: BoundsParams) -> Generator[float, None, RealRun]:
    """Run the agent in the world, and take its regret; a generator that yields the fraction done.

    The theorem's agent counts visits and has the η of `theoretical_eta` for `RUN_STEPS` steps.
    """
    name, size = WORLDS[params.world]
    env = make_env(name, size=size)
    r_max = float(env.outcome_rewards.max())
    if params.agent == THEOREM:
        eta = theoretical_eta(
            n_states=env.n_states,
            n_actions=env.n_actions,
            delta=RUN_DELTA,
            r_max=r_max,
            discount=params.discount,
            steps=RUN_STEPS,
        ).eta
        agent = FrequentistEUBRL(
            env.n_states, env.n_actions, lambda t: eta, r_max=r_max, discount=params.discount
        )
    else:
        agent = make_agent("EUBRL", env, discount=params.discount)
        eta = agent.eta
    trajectory = yield from record(agent, env, RUN_STEPS, params.seed)
    return RealRun(
        world=params.world,
        agent=params.agent,
        discount=params.discount,
        n_states=env.n_states,
        n_actions=env.n_actions,
        eta=eta / r_max,
        regret=regret(trajectory, env, discount=params.discount) / r_max,
    )


def bounds_beside(params: BoundsParams, run: RealRun | None) -> BoundsState:
    """Return every term at all places, and what follows from them."""
    problem = params.problem
    if params.picture == REGRET:
        parts_at = _regret_parts(params)
        places = _powers_of_ten(*STEPS_POWERS)
        trivial_at, lowest_at = _trivial_regret(problem), _lowest_regret(problem)
    else:
        problem.require_epsilon(params.epsilon)
        parts_at = _bad_steps_parts(params)
        places = _powers_of_ten(*EPSILON_POWERS, top=problem.v_max)[::-1]
        trivial_at, lowest_at = _all_steps(params), _lowest_bad_steps(problem)

    def speaks(place: float) -> bool:
        return sum(parts_at(place).values()) < trivial_at(place)

    parts = [parts_at(place) for place in places]
    terms = {name: np.array([each[name] for each in parts]) for name in parts[0]}
    total = sum(terms.values())
    trivial = np.array([trivial_at(place) for place in places])
    is_regret = params.picture == REGRET
    cursor = params.steps if is_regret else params.epsilon
    place_of_run = RUN_STEPS if is_regret else cursor
    here = parts_at(cursor)
    run_places, run_values = _curve(params, run)
    return BoundsState(
        params=params,
        places=places,
        terms=terms,
        total=total,
        trivial=trivial,
        lowest=np.array([lowest_at(place) for place in places]),
        stretches=_stretches(places, terms, parts_at),
        speaks_from=_first_change(places, total < trivial, speaks),
        run_places=run_places,
        run_values=run_values,
        here=here
        | {
            "bound": sum(here.values()),
            "trivial": trivial_at(cursor),
            "lowest": lowest_at(cursor),
        },
        bound_of_run=sum(parts_at(place_of_run).values()),
        lowest_of_run=lowest_at(place_of_run),
        run=run,
    )


def largest_term(parts: Mapping[str, float]) -> str:
    """The name of the largest part."""
    return max(parts, key=parts.get)


# ---- the functions of the place -----------------------------------------------------------


def _regret_parts(params: BoundsParams) -> Callable[[float], dict[str, float]]:
    sizes = _sizes(params)

    def parts(steps: float) -> dict[str, float]:
        return regret_bound(**sizes, steps=steps, resistance_share=params.resistance_share).terms

    return parts


def _bad_steps_parts(params: BoundsParams) -> Callable[[float], dict[str, float]]:
    sizes = _sizes(params)
    return lambda epsilon: sample_complexity_bound(**sizes, epsilon=epsilon).terms


def _sizes(params: BoundsParams) -> dict[str, float]:
    names = ("n_states", "n_actions", "discount", "delta")
    return {name: getattr(params, name) for name in names}


def _trivial_regret(problem: Problem) -> Callable[[float], float]:
    return lambda steps: steps * problem.v_max


def _all_steps(params: BoundsParams) -> Callable[[float], float]:
    return lambda epsilon: params.steps


def _lowest_regret(problem: Problem) -> Callable[[float], float]:
    return lambda steps: regret_lower_bound(problem, steps)


def _lowest_bad_steps(problem: Problem) -> Callable[[float], float]:
    return lambda epsilon: sample_complexity_lower_bound(problem, epsilon)


def _curve(params: BoundsParams, run: RealRun | None) -> tuple[np.ndarray, np.ndarray]:
    if run is None:
        return np.empty(0), np.empty(0)
    if params.picture == REGRET:
        return np.arange(1, RUN_STEPS + 1), np.cumsum(run.regret)
    places = _powers_of_ten(*EPSILON_POWERS, top=params.problem.v_max)[::-1]
    return places, run.bad_steps(places)


# ---- where something changes --------------------------------------------------------------


def _powers_of_ten(low: int, high: int, top: float = np.inf) -> np.ndarray:
    """Places evenly apart on a logarithmic axis, up to ``top``, which is one of them."""
    places = np.logspace(low, high, PLACES_PER_DECADE * (high - low) + 1)
    return np.append(places[places < top], top) if top < places[-1] else places


def _stretches(places, terms, parts_at) -> tuple[Stretch, ...]:
    names = list(terms)
    largest = np.array([terms[name] for name in names]).argmax(axis=0)
    changes = np.flatnonzero(np.diff(largest))
    ends = [
        _bisect(
            places[at],
            places[at + 1],
            lambda place, name=names[largest[at]]: largest_term(parts_at(place)) != name,
        )
        for at in changes
    ]
    owners = [names[largest[at]] for at in [*changes, len(places) - 1]]
    starts = [places[0], *ends]
    return tuple(
        Stretch(name, float(start), float(end))
        for name, start, end in zip(owners, starts, [*ends, places[-1]], strict=True)
    )


def _first_change(places, speaks_at, speaks) -> float | None:
    """Where the bound begins to speak, or falls silent where it speaks at first."""
    changes = np.flatnonzero(np.diff(speaks_at))
    if not len(changes):
        return None
    at = changes[0]
    before = speaks_at[at]
    return _bisect(places[at], places[at + 1], lambda place: speaks(place) != before)


def _bisect(low: float, high: float, is_past: Callable[[float], bool]) -> float:
    """The place between ``low``, where it is not past, and ``high``, where it is."""
    low, high = np.log(low), np.log(high)
    while abs(high - low) > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if is_past(np.exp(middle)) else (middle, high)
    return float(np.exp(high))
