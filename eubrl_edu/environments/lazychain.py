"""LazyChain: a long costly walk to the prize, and doing nothing costs nothing."""

from collections.abc import Iterator

from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.validation import require_bool, require_size

LEFT, RIGHT, DO_NOTHING = 0, 1, 2


class LazyChain(TabularEnvironment):
    """A balanced chain with a lazy action; "Environments" in the paper's Experimental Setup.

    ::

         +N-1                                                       +2N-1
        [ 0 ] <-- [ 1 ] <-- -1 -- ... [ N ] ... -- -1 --> [2N-1] --> [2N]
         end                          start                           end

    - **States** 0 to 2N; it starts in the middle, N. Both ends, 0 and 2N, are terminal. An
      episode also stops (is truncated) after 1000 steps.
    - **Actions** 0 ``left``, 1 ``right``, 2 ``do nothing``. Entering the right end pays 2N - 1,
      the left end N - 1, any other move -1; doing nothing pays 0.
    - **Stochastic variant**: a move flips with probability 0.2; doing nothing never does.
    - **What it tests**: exploration against myopia. A walk to the left end returns 0 in all,
      just as doing nothing does; only the right end is worth the walk to it.
    - **Best behaviour**: deterministic, ``right`` from the start on, which returns N. In the
      stochastic variant at γ = 0.999 that is best up to N = 216, towards the end only narrowly;
      beyond that, doing nothing is. (To the left of the start one may do better to rest, and
      farther to the left to go on to the left end.)

    Parameters
    ----------
    size : int
        Length N of each half, at least 1.
    stochastic : bool
        Whether moves flip.
    """

    flip_probability = 0.2

    def __init__(self, size: int = 10, stochastic: bool = False):
        self.size = require_size(size, lambda half: 3 * (2 * half + 1))
        self.stochastic = require_bool("stochastic", stochastic)
        super().__init__(
            n_states=2 * self.size + 1,
            n_actions=3,
            initial_states=(self.size,),
            terminal_states=(0, 2 * self.size),
            max_episode_steps=1000,
            action_names=("left", "right", "do nothing"),
            state_names=[
                "left end",
                *map(str, range(-self.size + 1, 0)),
                "start",
                *map(str, range(1, self.size)),
                "right end",
            ],
        )

    def outcomes(self, state: int, action: int) -> Iterator[Outcome]:
        """Doing nothing is certain; a move lists its own effect, then the flipped one."""
        if action == DO_NOTHING:
            yield Outcome(1.0, state, 0.0)
            return
        flip = self.flip_probability if self.stochastic else 0.0
        step = 1 if action == RIGHT else -1
        for next_state, probability in ((state + step, 1 - flip), (state - step, flip)):
            yield Outcome(probability, next_state, self._reward_of_entering(next_state))

    def _reward_of_entering(self, next_state: int) -> float:
        if next_state == 2 * self.size:
            return 2.0 * self.size - 1
        return self.size - 1.0 if next_state == 0 else -1.0
