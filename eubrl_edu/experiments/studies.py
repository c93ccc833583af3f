"""The paper's experiments as data: one description for each table or figure."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import gymnasium

from eubrl_edu.environments import WORLDS, make_env, world_from_gymnasium
from eubrl_edu.experiments.agents import noted, require_code, world_variant
from eubrl_edu.experiments.records import AGENT_NAMES
from eubrl_edu.experiments.settings import Settings, paper_settings
from eubrl_edu.experiments.success_rules import (
    collected_optimal_reward,
    found_treasure,
    nearly_only_right,
    only_right,
    only_right_on_diagonal,
    optimal_return,
)
from eubrl_edu.names import require_choice, require_name, require_text
from eubrl_edu.success import SuccessRule
from eubrl_edu.validation import (
    MOST_RUNS,
    MOST_STEPS,
    require_list,
    require_positive_int,
    require_steps,
    shown,
)

METRICS = ("return", "steps", "episodes")


@dataclass(frozen=True)
class Study:
    """One experiment: which agents, in which worlds, how long, and what counts as solved.

    Attributes
    ----------
    name : str
        Its name.
    environment : str or callable
        Name of a world of this package; or, for a world of your own, the name under which it is
        registered with Gymnasium, or what makes it, such as its class. It is called with the size,
        or without any where the study has no sizes.
    steps : int
        Most steps of a run, to be multiplied by ``size ** steps_exponent``.
    title : str
        What it is, in the paper for instance.
    sizes : tuple of int
        Problem sizes. None: the world has one size only, and in the table its own ``size`` stands
        for it or, if it has none that is a positive integer, its number of states.
    agents : tuple of str
        Names of the agents compared, where no others are named.
    n_seeds : int
        Seeds of each agent and size; in the paper's studies as many as the paper has.
    steps_exponent : int
        How the limit grows with the size.
    stochastic : bool
        Whether it is the stochastic variant of a world of this package.
    success : callable, or None
        Makes the rule by which a run in a given world is solved, a `success.SuccessRule`; it stops
        there. None: every run has all its steps.
    metric : {"return", "steps", "episodes"}, optional
        What is measured of a run: without a rule of success its return; with one, at which a run
        stops, how long it takes to get there, in steps if this is left out.

    Raises
    ------
    ValueError
        If a field is not what it should be.
    """

    name: str
    environment: str | Callable[..., gymnasium.Env]
    steps: int
    title: str = ""
    sizes: tuple[int, ...] = ()
    agents: tuple[str, ...] = ()
    n_seeds: int = 20
    steps_exponent: int = 0
    stochastic: bool = False
    success: Callable[[gymnasium.Env], SuccessRule] | None = None
    metric: str | None = None

    def __post_init__(self):
        require_name("name", self.name)
        require_text("title", self.title)
        if isinstance(self.environment, str):
            require_name("environment", self.environment)
        else:
            what = "a name, or a class or function that makes a new world"
            require_code("environment", self.environment, what)
        if self.success is not None:
            what = "a function that makes the rule of success for a world, or None"
            require_code("success", self.success, what)
        if not isinstance(self.stochastic, bool):
            raise ValueError(f"stochastic must be True or False, got {shown(self.stochastic)}")
        usual = "return" if self.success is None else "steps"
        metric = require_choice("metric", usual if self.metric is None else self.metric, METRICS)
        if (metric == "return") != (self.success is None):
            what = "'return' where runs have no rule of success, else 'steps' or 'episodes'"
            raise ValueError(f"metric must be {what}, got {metric!r} for {self.name!r}")
        sizes, agents = (require_list(name, getattr(self, name)) for name in ("sizes", "agents"))
        vars(self).update(
            metric=metric,
            steps=require_steps("steps", self.steps),
            steps_exponent=require_positive_int("steps_exponent", self.steps_exponent, 0, 9),
            n_seeds=require_positive_int("n_seeds", self.n_seeds, 1, MOST_RUNS),
            sizes=tuple(require_positive_int("sizes", size) for size in sizes),
            agents=tuple(require_choice("agents", agent, AGENT_NAMES) for agent in agents),
        )
        for size in self.sizes or (1,):
            self.step_limit(size)

    @property
    def has_own_world(self) -> bool:
        """Whether its world is none of this package's."""
        return self.environment not in WORLDS

    def step_limit(self, size: int) -> int:
        """Most steps of a run at this size.

        Raises
        ------
        ValueError
            If ``size`` is no positive integer, or the steps are more than `MOST_STEPS`.
        """
        size = require_positive_int("size", size)
        limit = self.steps * size**self.steps_exponent
        if limit > MOST_STEPS:
            raise ValueError(
                f"steps must be at most {MOST_STEPS:,} in a run, got {limit:,} for {self.name!r} "
                f"at size {size}"
            )
        return limit

    def settings(self, agent: str, size: int | None = None) -> Settings:
        """The settings of an agent in this study, η not yet multiplied by the size.

        Parameters
        ----------
        agent : str
            Name of the algorithm.
        size : int, optional
            See `make_world`.

        Returns
        -------
        Settings
        """
        return paper_settings(world_variant(self.make_world(size)), agent)

    def make_world(self, size: int | None = None, seed: int = 0) -> gymnasium.Env:
        """A new world.

        Parameters
        ----------
        size : int, optional
            One of ``sizes``, or another that the world can have.
        seed : int
            What it fixes in a world of this package, see `make_env`. In a world of your own the
            seed of a run reaches ``reset`` only.

        Returns
        -------
        TabularEnvironment or GymnasiumWorld

        Raises
        ------
        ValueError
            If there is no such world, or it has no such size or variant.
        """
        if not self.has_own_world:
            return make_env(self.environment, size, self.stochastic, seed)
        if self.stochastic:
            raise ValueError("stochastic must be left out for a world that is not this package's")
        if callable(self.environment):
            with noted(f"the world of {self.name!r}"):
                made = self.environment() if size is None else self.environment(size)
            return world_from_gymnasium(made)
        options = {} if size is None else {"size": size}
        try:
            return world_from_gymnasium(gymnasium.make(self.environment, **options))
        except gymnasium.error.Error as error:
            raise ValueError(
                f"unknown environment {self.environment!r}: it is none of {', '.join(WORLDS)}, and "
                f"Gymnasium does not know it ({error})"
            ) from error


_STUDIES = (
    Study(
        name="chain",
        title="Table 1, Chain: return of 1000 steps",
        environment="chain",
        stochastic=True,
        sizes=(5,),
        agents=(
            "EUBRL",
            "PSRL",
            "RMAX",
            "MBIE-EB",
            "BEB",
            "VBRB",
            "Mean-MDP",
            "BOSS",
            "BEETLE",
            "BEETLE-tied",
            "Q-learning",
        ),
        n_seeds=500,
        steps=1000,
    ),
    Study(
        name="loop",
        title="Loop with two loops: return of 1000 steps",
        environment="loop",
        sizes=(2,),
        agents=("EUBRL", "PSRL", "RMAX", "BEB", "Mean-MDP"),
        n_seeds=500,
        steps=1000,
    ),
    Study(
        name="loop-scaling",
        title="Loop scaling: steps to the 11th optimal reward",
        environment="loop",
        sizes=(2, 4, 8, 16, 32),
        agents=("EUBRL", "RMAX"),
        n_seeds=500,
        steps=7000,
        success=collected_optimal_reward,
    ),
    Study(
        name="deepsea-deterministic",
        title="DeepSea, deterministic: episodes to solve",
        environment="deepsea",
        sizes=(10, 20, 50),
        agents=("EUBRL", "PSRL", "RMAX", "BEB", "VBRB"),
        n_seeds=20,
        steps=50,
        steps_exponent=2,
        success=found_treasure,
        metric="episodes",
    ),
    Study(
        name="deepsea-stochastic",
        title="DeepSea, stochastic: episodes to solve",
        environment="deepsea",
        stochastic=True,
        sizes=(10, 20, 50),
        agents=("EUBRL", "EUBRL+", "PSRL", "RMAX", "BEB", "VBRB"),
        n_seeds=20,
        steps=50,
        steps_exponent=2,
        success=only_right_on_diagonal,
        metric="episodes",
    ),
    Study(
        name="lazychain-deterministic",
        title="LazyChain, deterministic: steps to solve",
        environment="lazychain",
        sizes=(10, 20, 50, 100, 200),
        agents=("EUBRL", "EUBRL-tied", "PSRL", "RMAX", "BEB", "VBRB"),
        n_seeds=20,
        steps=1000,
        steps_exponent=1,
        success=optimal_return,
    ),
    Study(
        name="lazychain-stochastic",
        title="LazyChain, stochastic: steps to solve, every state right",
        environment="lazychain",
        stochastic=True,
        sizes=(10, 20, 50, 100, 200),
        agents=("EUBRL", "EUBRL-MI", "EUBRL-tied", "PSRL", "RMAX", "BEB", "VBRB"),
        n_seeds=20,
        steps=1000,
        steps_exponent=1,
        success=only_right,
    ),
)
_NEARLY_SOLVED = replace(
    _STUDIES[-1],
    name="lazychain-stochastic-near",
    title="LazyChain, stochastic: steps to solve, nearly every state right",
    success=nearly_only_right,
)

STUDIES = {study.name: study for study in (*_STUDIES, _NEARLY_SOLVED)}


def study_named(study: str | Study) -> Study:
    """Return the study of this name, or the study itself."""
    return study if isinstance(study, Study) else STUDIES[require_choice("study", study, STUDIES)]
