"""How the work to solve a world grows with its size, in numbers. No widget, no picture."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from eubrl_edu.experiments import AGENTS, STUDIES, Study
from eubrl_edu.experiments.intervals import Interval, cut_off_interval, wilson_interval
from eubrl_edu.labs.settings import Settings, accept, dropdown, setting, switches
from eubrl_edu.labs.world_settings import require_one_present, why_not_made
from eubrl_edu.names import require_choice
from eubrl_edu.validation import require_list, shown

SCALING_STUDIES = tuple(name for name, study in STUDIES.items() if study.success is not None)
_mean_cost = lru_cache(maxsize=2000)(cut_off_interval)
# The paper's sizes, and smaller ones in between, which cost next to nothing.
SIZES = {
    "loop": (2, 4, 8, 16, 32),
    "deepsea": (2, 4, 6, 8, 10, 14, 20, 30, 50),
    "lazychain": (5, 10, 20, 50, 100, 200),
}
FIRST_LARGEST = {"loop": 8, "deepsea": 8, "lazychain": 20}
# The others take too long, or go on exploring long after these studies end.
COMPARED = tuple(name for name, record in AGENTS.items() if record.quick_up_to is not None)
SEED_COUNTS = (5, 10, 20, 50, 100)
REFERENCES = ("none", "2^N", "S·A·m", "linear", "quadratic")


@dataclass(frozen=True)
class Params(Settings):
    """Which experiment, which agents, up to which size, how often, and what to compare with."""

    study: str = dropdown(
        "deepsea-deterministic",
        SCALING_STUDIES,
        "study",
        "The experiment: which world, and what counts as solved",
        width="19em",
    )
    agents: tuple[str, ...] = switches(
        ("EUBRL", "PSRL", "BEB", "Mean-MDP"),
        {name: AGENTS[name].about for name in COMPARED},
        "agents",
        "Who takes part: switch agents on and off",
    )
    largest: int = setting(
        8,
        "SelectionSlider",
        accept,
        "up to size",
        "The largest world: number of loops, or N of the sea or the lazy chain",
        width="20em",
        options=lambda start: sizes_of(start.study),
    )
    seeds: int = dropdown(
        10,
        SEED_COUNTS,
        "runs",
        "How many runs of each agent at each size: the seeds 0, 1, 2, ...",
        width="8em",
    )
    reference: str = dropdown(
        "2^N", REFERENCES, "compare with", "A line to compare with", width="13em"
    )

    def __post_init__(self):
        super().__post_init__()
        for name in require_list("agents", self.agents):
            require_choice("agent", name, COMPARED)
        in_order = tuple(name for name in COMPARED if name in self.agents)
        object.__setattr__(self, "agents", in_order)
        if not isinstance(self.largest, int | np.integer) or self.largest not in sizes_of(
            self.study
        ):
            raise ValueError(
                f"largest must be one of {sizes_of(self.study)}, got {shown(self.largest)}"
            )

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes compared."""
        return tuple(size for size in sizes_of(self.study) if size <= self.largest)


def sizes_of(study: str) -> tuple[int, ...]:
    """All sizes at which a study can be looked at."""
    return SIZES[STUDIES[study].environment]


def largest_here(study: str, agent: str) -> int:
    """The largest size at which the lab itself runs this agent; larger ones come from a store."""
    return AGENTS[agent].quick_up_to[STUDIES[study].environment]


@lru_cache
def why_not_in(study: str, agent: str) -> str | None:
    """Say why this agent cannot take part in a study; None if it can."""
    return why_not_made(agent, STUDIES[study].make_world(sizes_of(study)[0]))


@dataclass(frozen=True)
class Spot:
    """All runs of one agent at one size.

    Attributes
    ----------
    size : int
        Size of the world.
    costs : tuple of int
        Steps or episodes of each run: to the end, where it was not solved.
    solved : tuple of bool
        Whether each run solved the world.
    """

    size: int
    costs: tuple[int, ...]
    solved: tuple[bool, ...]

    @cached_property
    def cost(self) -> Interval:
        """Mean cost with its 95% interval; too low where a run was not solved."""
        return _mean_cost(self.costs, self.solved)

    @cached_property
    def success(self) -> Interval:
        """Share of the runs that solved the world, with its 95% interval."""
        return wilson_interval(sum(self.solved), len(self.solved))


@dataclass(frozen=True)
class Curve:
    """One agent at all sizes.

    Attributes
    ----------
    name : str
        Which agent.
    spots : tuple of Spot
        Where it has runs, from the smallest size on.
    missing : int
        Runs that the lab would do if asked to.
    too_large : tuple of int
        Sizes without a run, at which one takes too long here.
    """

    name: str
    spots: tuple[Spot, ...]
    missing: int
    too_large: tuple[int, ...]


@dataclass(frozen=True)
class State:
    """What a `ScalingLab` shows.

    Attributes
    ----------
    params : Params
        Its settings.
    curves : tuple of Curve
        The agents that take part.
    absent : mapping of str to str
        Agents that were asked for and cannot take part, each with the reason.
    limits : (n,) array
        Where a run ends, unsolved, at each of the sizes (in the study's measure, see `limit`).
    reference : (n,) array
        The line to compare with, at each of the sizes; NaN where there is none.
    trouble : str
        What is wrong with the store; empty if nothing is.
    """

    params: Params
    curves: tuple[Curve, ...]
    absent: Mapping[str, str]
    limits: np.ndarray
    reference: np.ndarray
    trouble: str = ""

    @property
    def study(self) -> Study:
        """The experiment."""
        return STUDIES[self.params.study]

    @property
    def missing(self) -> int:
        """Runs that the lab would do if asked to."""
        return sum(curve.missing for curve in self.curves)


def view(
    params: Params, rows: Mapping[tuple[str, int], Mapping[int, Mapping]], trouble: str = ""
) -> State:
    """Return what is known, from the rows of the runs that are done.

    Parameters
    ----------
    params : Params
        What to show.
    rows : mapping
        For each agent and size, the row of each seed, as `run_once` returns it.
    trouble : str
        What is wrong with the store.

    Raises
    ------
    ValueError
        If no agent is left that can take part.
    """
    reasons = {name: why_not_in(params.study, name) for name in params.agents}
    absent = {name: reason for name, reason in reasons.items() if reason}
    names = [name for name in params.agents if name not in absent]
    require_one_present("take part in this study", names, absent)
    curves = tuple(_curve(name, params, rows) for name in names)
    anchors = [spot for curve in curves for spot in curve.spots[:1]]
    anchor = (anchors[0].size, float(np.mean(anchors[0].costs))) if anchors else (np.nan, np.nan)
    return State(
        params,
        curves,
        absent,
        np.array([limit(STUDIES[params.study], size) for size in params.sizes]),
        reference_line(params.reference, STUDIES[params.study], params.sizes, anchor),
        trouble,
    )


def _curve(name: str, params: Params, rows: Mapping) -> Curve:
    measure = STUDIES[params.study].metric
    spots, missing, too_large = [], 0, []
    for size in params.sizes:
        known = rows.get((name, size), {})
        found = [known[seed] for seed in range(params.seeds) if seed in known]
        if size <= largest_here(params.study, name):
            missing += params.seeds - len(found)
        elif not found:
            too_large.append(size)
        if found:
            costs = tuple(int(row[measure]) for row in found)
            spots.append(Spot(size, costs, tuple(bool(row["solved"]) for row in found)))
    return Curve(name, tuple(spots), missing, tuple(too_large))


def limit(study: Study, size: int) -> float:
    """Where a run ends that solves nothing, in the study's measure."""
    steps = study.step_limit(size)
    return steps / size if study.metric == "episodes" else steps


def reference_line(
    name: str, study: Study, sizes: Sequence[int], anchor: tuple[float, float]
) -> np.ndarray:
    """A line to compare with, in the study's measure.

    Parameters
    ----------
    name : str
        One of `REFERENCES`. ``"2^N"``: in the sea without chance, the episodes that an agent
        acting at random needs, on average, to find the treasure once. ``"S·A·m"``: m visits of
        every pair of state and action, with the m that RMAX has in the paper. ``"linear"``,
        ``"quadratic"``: proportional to the size, or to its square, through the anchor.
    study : Study
        The experiment.
    sizes : sequence of int
        Sizes of the world.
    anchor : (size, cost)
        A point that the last two lines go through.

    Returns
    -------
    (n,) array
        NaN for ``"none"``.
    """
    sizes = np.asarray(sizes, dtype=float)
    if name == "2^N":
        return 2.0**sizes
    if name == "S·A·m":
        steps = np.array([_steps_to_know_all(study, int(size)) for size in sizes])
        return steps / sizes if study.metric == "episodes" else steps
    if name in ("linear", "quadratic"):
        power = 1 if name == "linear" else 2
        return anchor[1] * (sizes / anchor[0]) ** power
    return np.full(len(sizes), np.nan)


@lru_cache(maxsize=100)
def _steps_to_know_all(study: Study, size: int) -> float:
    env = study.make_world(size)
    known_after = study.settings("RMAX").known_after
    # Nothing is to be learned of the states in which an episode ends.
    learnable = env.n_states - len(env.terminal_states)
    return float(learnable * env.n_actions * known_after)
