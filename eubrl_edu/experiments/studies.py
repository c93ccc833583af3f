"""The paper's experiments as data: one description for each table or figure."""

from collections.abc import Callable
from dataclasses import dataclass

import gymnasium

from eubrl_edu.experiments.success_rules import (
    always_right,
    collected_optimal_reward,
    found_treasure,
    nearly_always_right,
    optimal_return,
    right_on_diagonal,
)
from eubrl_edu.success import SuccessRule


@dataclass(frozen=True)
class Study:
    """One experiment: which agents, in which worlds, how long, and what counts as solved.

    Attributes
    ----------
    name, title : str
        Its name, and what it is in the paper.
    environment : str
        Name of the world.
    stochastic : bool
        Whether it is the stochastic variant.
    sizes : tuple of int
        Problem sizes.
    agents : tuple of str
        Names of the agents compared.
    n_seeds : int
        Seeds of each agent and size in the paper.
    steps : int
        Most steps of a run, to be multiplied by ``size ** steps_exponent``.
    steps_exponent : int
        How the limit grows with the size.
    success : callable, or None
        Makes the rule by which a run in a given world is solved, and stops. None: every run has
        all its steps.
    """

    name: str
    title: str
    environment: str
    sizes: tuple[int, ...]
    agents: tuple[str, ...]
    n_seeds: int
    steps: int
    steps_exponent: int = 0
    stochastic: bool = False
    success: Callable[[gymnasium.Env], SuccessRule] | None = None

    def step_limit(self, size: int) -> int:
        """Most steps of a run at this size."""
        return self.steps * size**self.steps_exponent


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
        success=right_on_diagonal,
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
        success=always_right,
    ),
    Study(
        name="lazychain-stochastic-near",
        title="LazyChain, stochastic: steps to solve, nearly every state right",
        environment="lazychain",
        stochastic=True,
        sizes=(10, 20, 50, 100, 200),
        agents=("EUBRL", "EUBRL-MI", "EUBRL-tied", "PSRL", "RMAX", "BEB", "VBRB"),
        n_seeds=20,
        steps=1000,
        steps_exponent=1,
        success=nearly_always_right,
    ),
)

STUDIES = {study.name: study for study in _STUDIES}
