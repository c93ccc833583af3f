"""Chain: a small prize now or a larger one further on, with slippery actions."""

from collections.abc import Iterator

from eubrl_edu.environments.outcomes import Outcome
from eubrl_edu.environments.tabular import TabularEnvironment

LEFT, RIGHT = 0, 1
LAST = 4


class Chain(TabularEnvironment):
    """The five-state chain of Strens (2000); Experimental Setup, "Environments", in the paper.

    ::

         left, from anywhere: back to state 0, pays 2
        [0] --right--> [1] --right--> [2] --right--> [3] --right--> [4] right: stays, pays 10
              pays 0         pays 0         pays 0         pays 0

    - **States** 0 to 4; it starts in 0 and never ends (studies run it for 1000 steps).
    - **Actions** 0 ``left``: to state 0, pays 2. 1 ``right``: one state up, pays 0; in state 4
      it stays there and pays 10. With probability 0.2 the action flips and has the effect of
      the other one.
    - **What it tests**: whether an agent gives up a certain 2 for an unseen 10, four slippery
      steps away, without going on to explore for ever.
    - **Best behaviour**: always ``right``, which earns 3.677 a step in the long run: about 3677
      in 1000 steps (3664 in the first 1000, the climb from state 0 included).
    """

    flip_probability = 0.2

    def __init__(self):
        super().__init__(n_states=5, n_actions=2, action_names=("left", "right"))

    def outcomes(self, state: int, action: int) -> Iterator[Outcome]:
        """The action's own effect, then the flipped one."""
        other = RIGHT if action == LEFT else LEFT
        for effect, probability in (
            (action, 1 - self.flip_probability),
            (other, self.flip_probability),
        ):
            if effect == LEFT:
                yield Outcome(probability, 0, 2.0)
            elif state == LAST:
                yield Outcome(probability, LAST, 10.0)
            else:
                yield Outcome(probability, state + 1, 0.0)
