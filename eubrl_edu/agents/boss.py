"""BOSS: act as if the best of several models drawn from the belief were the truth."""

import numpy as np

from eubrl_edu.agents.plan import Plan
from eubrl_edu.agents.psrl import SamplingAgent
from eubrl_edu.beliefs.belief import Belief
from eubrl_edu.beliefs.sampling import require_drawable, sample_mdp
from eubrl_edu.beliefs.successors import widen
from eubrl_edu.mdp import MDP
from eubrl_edu.validation import require_generator, require_positive_int


class BOSS(SamplingAgent):
    r"""Best of sampled set: optimism from K models drawn from the belief.

    The K models are *merged*: an action of the merged MDP is a pair (a, k), take action a and let
    model k say what happens. Its optimal values are optimistic, as in every state it may choose
    the model that suits it:

    .. math:: V(s) = \max_{a, k} \Bigl[ r_k(s,a) + \gamma \sum_{s'} P_k(s'|s,a) V(s') \Bigr]

    New models are drawn when a pair has been visited B times: only then has enough been learned
    to change one's mind. Asmuth, Li, Littman, Nouri and Wingate, "A Bayesian sampling approach to
    exploration in reinforcement learning" (2009).

    Parameters
    ----------
    belief, discount, horizon
        See `SamplingAgent`. It plans anew whenever new models are drawn.
    n_models : int
        K, how many models are drawn.
    known_after : int
        B, the visits of a pair at which new models are drawn.

    Raises
    ------
    ValueError
        If an argument is outside its range, the belief has parameters of its own, or the drawn
        models would be too large to hold.
    """

    def __init__(
        self,
        belief: Belief,
        n_models: int = 5,
        known_after: int = 10,
        discount: float = 0.99,
        horizon: int | None = None,
    ):
        super().__init__(belief, discount, horizon)
        self.n_models = require_positive_int("n_models", n_models, at_most=1000)
        self.known_after = require_positive_int("known_after", known_after)
        require_drawable(belief, n_models=self.n_models)

    def learn(self, state: int, action: int, reward: float, next_state: int) -> None:
        """Update the belief, and note whether the pair has just reached its threshold."""
        super().learn(state, action, reward, next_state)
        if self.belief.visits[state, action] == self.known_after:
            self._draw_due = True

    def renew(self) -> None:
        """Do nothing: whether to draw anew is decided by the pair's visits, in `learn`."""

    def plan(self, rng: np.random.Generator | None = None) -> Plan:
        """Draw K models from the belief, merge them and solve the merged MDP.

        The plan's ``model`` takes for each pair the row of the model that makes the most of it
        (with a horizon, at the first step): without a horizon, ``q`` and ``v`` are its solution.

        Raises
        ------
        ValueError
            If no random generator is given.
        """
        require_generator(rng)
        models = [sample_mdp(self.belief, rng) for _ in range(self.n_models)]
        solution = self.solve(merge(models))
        # Action (a, k) of the merged MDP has the number a K + k.
        q = solution.q.reshape(*solution.q.shape[:-1], -1, self.n_models)
        first = q if self.horizon is None else q[0]
        model = choose_rows(models, first.argmax(axis=-1))
        self.current_plan = Plan(model, model.rewards, q.max(axis=-1), solution.v)
        self._draw_due = False
        return self.current_plan


def merge(models: list[MDP]) -> MDP:
    """The merged MDP of K models: its action a K + k is action a in model k.

    Parameters
    ----------
    models : list of MDP
        K models of one shape (S, A).

    Returns
    -------
    MDP
        Of shape (S, A K).
    """
    n_states = models[0].n_states
    merged = [table.reshape(n_states, -1, *table.shape[3:]) for table in _stacked(models)]
    return MDP.unchecked(*merged, models[0].terminal_states)


def choose_rows(models: list[MDP], chosen: np.ndarray) -> MDP:
    """The MDP that takes, for each pair, the row of one of K models.

    Parameters
    ----------
    models : list of MDP
        K models of one shape (S, A).
    chosen : (S, A) integer array
        Which model to take.

    Returns
    -------
    MDP
        Of shape (S, A).
    """
    states, actions = np.ogrid[: chosen.shape[0], : chosen.shape[1]]
    rows = [table[states, actions, chosen] for table in _stacked(models)]
    return MDP.unchecked(*rows, models[0].terminal_states)


def _stacked(models: list[MDP]) -> tuple[np.ndarray, ...]:
    """The models' tables, with the model as third axis: (S, A, K) or (S, A, K, successors)."""
    width = max(model.successors.shape[-1] for model in models)
    return (
        np.stack([widen(model.successors, width, 0) for model in models], axis=2),
        np.stack([widen(model.weights, width, 0.0) for model in models], axis=2),
        np.stack([model.background for model in models], axis=2),
        np.stack([model.rewards for model in models], axis=2),
    )
