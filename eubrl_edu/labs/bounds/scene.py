"""Every term of the regret bound, or of the bound of bad steps, over T or ε, beside a real run."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from eubrl_edu.labs.bounds.changes import Stretch, first_change, powers_of_ten, stretches
from eubrl_edu.labs.settings import (
    Settings,
    choice_slider,
    dropdown,
    int_slider,
    log_slider,
    seed_box,
    slider,
)
from eubrl_edu.theory import (
    PriorConstants,
    Problem,
    prior_constants,
    prior_dependent_regret_bound,
    regret_bound,
    regret_lower_bound,
    sample_complexity_bound,
    sample_complexity_lower_bound,
    theoretical_eta,
)

REGRET, BAD_STEPS = "regret over T", "bad steps over ε"
PICTURES = (REGRET, BAD_STEPS)
WORLDS = ("Chain", "2 loops", "4 loops")
PAPER, THEOREM, OWN = "EUBRL", "EUBRL of the theorem", "EUBRL with your prior"
AGENTS = (PAPER, THEOREM, OWN)
DISCOUNTS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
RUN_STEPS = 1000
RUN_DELTA = 0.1  # for which the theorem's agent has its η
STEPS_POWERS, EPSILON_POWERS = (0, 15), (-3, 2)
LARGEST_SHARE = 46 / 63
power = partial(log_slider, readout_format=".2g")
REGRET_LIMITS = tuple(10.0**power for power in STEPS_POWERS), (1e-1, 1e19)
TERMS_OF_PRIOR = "transition_prior", "reward_prior"
BAD_STEPS_LIMITS = tuple(10.0**power for power in reversed(EPSILON_POWERS)), (1e0, 1e25)


@dataclass(frozen=True)
class Params(Settings):
    """Where the controls of a `BoundsLab` stand.

    ``alpha``, ``tau`` and ``eta`` are those of the agent with the learner's own prior, in units of
    R_max: Dirichlet(α) for next states, and for rewards a Normal of mean 0 and precision 1, which
    is worth 1/τ rewards.
    """

    picture: str = dropdown(
        REGRET, PICTURES, "show", "Regret over time, or bad steps over accuracy", width="16em"
    )
    n_states: int = int_slider(5, 1, 100, "S", "Number of states")
    n_actions: int = int_slider(2, 1, 20, "A", "Number of actions")
    discount: float = choice_slider(
        0.95, DISCOUNTS, "γ", "Discount: about 1/(1 − γ) steps ahead count"
    )
    delta: float = power(0.1, -6, 0, "δ", "Probability with which the bound may fail", step=0.5)
    resistance_share: float = slider(
        0.0,
        0.0,
        LARGEST_SHARE,
        "Ψ",
        "What epistemic resistance takes off: 46/63 where every P_U is 1 for ever",
        step=LARGEST_SHARE / 20,
    )
    steps: float = power(1000.0, *STEPS_POWERS, "T", "The steps to look at closely", width="300px")
    epsilon: float = power(
        0.1, *EPSILON_POWERS, "ε", "The accuracy to look at, in R_max", width="300px"
    )
    world: str = dropdown(
        "Chain", WORLDS, "world", "Where the real run takes place; sets S and A", width="11em"
    )
    agent: str = dropdown(
        PAPER,
        AGENTS,
        "agent",
        "The agent: with the paper's settings for this world, with the η of the theorem, or "
        "with your own prior and η",
        width="18em",
    )
    alpha: float = log_slider(0.1, -3, 3, "α", "Visits to each next state that the prior claims")
    tau: float = log_slider(
        1.0, -3, 3, "τ", "Precision of a reward: the prior, of mean 0, is worth 1/τ rewards"
    )
    eta: float = log_slider(3.0, -2, 5, "η", "How much a unit of uncertainty is worth, in R_max")
    seed: int = seed_box("Seed of all chance in the run")

    @property
    def problem(self) -> Problem:
        """What the bounds are functions of, with R_max = 1."""
        return Problem(**self.sizes, r_max=1.0)

    @property
    def sizes(self) -> dict[str, float]:
        """S, A, γ and δ, as the bounds take them."""
        names = ("n_states", "n_actions", "discount", "delta")
        return {name: getattr(self, name) for name in names}

    @property
    def prior(self) -> PriorConstants | None:
        """Λ_T and Λ_R of the learner's own prior; None for an agent without one."""
        if self.agent != OWN:
            return None
        return prior_constants(self.alpha, 1 / self.tau, prior_mean=0.0, r_max=1.0)


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


@dataclass(frozen=True, eq=False)
class State:
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

    params: Params
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


def view(params: Params, run: RealRun | None) -> State:
    """Return every term at all places, and what follows from them."""
    bound = _Regret(params) if params.picture == REGRET else _BadSteps(params)
    places, here = bound.places, bound.parts(bound.cursor)
    parts = [bound.parts(place) for place in places]
    terms = {name: np.array([each[name] for each in parts]) for name in here}
    total = sum(terms.values())
    trivial = np.array([bound.trivial(place) for place in places])
    run_places, run_values = (np.empty(0),) * 2 if run is None else bound.curve(run)
    return State(
        params=params,
        places=places,
        terms=terms,
        total=total,
        trivial=trivial,
        lowest=np.array([bound.lowest(place) for place in places]),
        stretches=stretches(bound, terms),
        speaks_from=first_change(bound, total < trivial),
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


class _Regret:
    """The regret bound as functions of T."""

    place_of_run = RUN_STEPS

    def __init__(self, params: Params) -> None:
        self.problem, self.sizes = params.problem, params.sizes
        self.share, self.prior = params.resistance_share, params.prior
        self.cursor = params.steps
        self.places = powers_of_ten(*STEPS_POWERS)

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

    def __init__(self, params: Params) -> None:
        self.problem, self.sizes, self.steps = params.problem, params.sizes, params.steps
        self.cursor = self.place_of_run = params.epsilon
        self.places = powers_of_ten(*EPSILON_POWERS, top=self.problem.v_max)[::-1]

    def parts(self, epsilon: float) -> dict[str, float]:
        return sample_complexity_bound(**self.sizes, epsilon=epsilon).terms

    def trivial(self, epsilon: float) -> float:
        return self.steps

    def lowest(self, epsilon: float) -> float:
        return sample_complexity_lower_bound(self.problem, epsilon)

    def curve(self, run: RealRun) -> tuple[np.ndarray, np.ndarray]:
        return self.places, run.bad_steps(self.places)
