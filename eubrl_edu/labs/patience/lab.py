"""PatienceLab: when a long walk is worth its cost, and when to do nothing."""

from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.patience import scene
from eubrl_edu.labs.patience.picture import PatiencePicture
from eubrl_edu.labs.patience.scene import Params, State


class PatienceLab(Lab):
    """What walking right is worth in the lazy chain, to an agent that knows the chain.

    Each step costs 1, the right end pays 2N − 1. The walker goes right until she reaches an end
    and never turns back. No agent and nothing unknown: only γ, the length, and chance on the way.
    """

    scene = scene
    Picture = PatiencePicture
    figure_inches = (9.6, 4.6)
    situations = {
        "The paper's longest": ("N = 200 and γ = 0.999, with chance", Params()),
        "Without chance": ("The same chain, where every step succeeds", Params(flip=0.0)),
        "Impatient": ("A short chain, and γ = 0.9", Params(size=10, patience=10.0)),
        "Just too far": (
            "N = 215, one too long: now the walk costs more than it brings in",
            Params(size=215),
        ),
    }
    rows = (("Walk", ("size", "patience", "flip")),)

    def describe(self, state: State) -> str:
        params = state.params
        better = "walking" if state.start > 0 else "doing nothing"
        return (
            f"N = {params.size}, γ = {params.discount:.6g}, flip {params.flip:g}: walking right is "
            f"worth {state.start:.4g} at the start, doing nothing 0. Of these two, {better} is "
            f"better.\nWith this patience the walk pays up to N = {int(state.longest):,}."
        )
