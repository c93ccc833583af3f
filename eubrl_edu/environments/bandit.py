"""Bandit: two coins, one of them better; no states, so only rewards are to be learned."""

from collections.abc import Iterator, Sequence

import numpy as np

from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.validation import require_between, shown


class Bandit(TabularEnvironment):
    """The two-armed Bernoulli bandit; "Prior Misspecification" in the paper's appendix.

        P(r | a_i) = Bern(μ_i),  i = 1, 2

    - **States** one, which every action comes back to; it never ends.
    - **Actions** 0 and 1, the arms a_1 and a_2. Arm i pays 1 with probability μ_i, else 0.
    - **What it tests**: what a prior does. A prior that is confidently wrong keeps epistemic
      uncertainty low, and the agent on the worse arm (Theorem "Prior Misspecification").
    - **Best behaviour**: the arm with the larger μ, which earns μ a step.

    Parameters
    ----------
    success_probabilities : pair of float
        μ_1 and μ_2, each in [0, 1]. The paper has μ_1 > μ_2.

    Raises
    ------
    ValueError
        If they are not two probabilities.
    """

    def __init__(self, success_probabilities: Sequence[float] = (0.6, 0.4)):
        means = require_two_probabilities("success_probabilities", success_probabilities)
        self.success_probabilities = tuple(means.tolist())
        super().__init__(n_states=1, n_actions=2, action_names=("arm 0", "arm 1"))

    def outcomes(self, state: int, action: int) -> Iterator[Outcome]:
        """Success, then failure; both lead back to the only state."""
        success = self.success_probabilities[action]
        yield Outcome(success, 0, 1.0)
        yield Outcome(1 - success, 0, 0.0)


def require_two_probabilities(name: str, values) -> np.ndarray:
    """Return two probabilities, or raise ``ValueError``."""
    means = np.asarray(require_between(name, values, 0, 1))
    if means.shape != (2,):
        raise ValueError(f"{name} must be two numbers in [0, 1], got {shown(values)}")
    return means
