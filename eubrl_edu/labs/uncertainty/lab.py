"""UncertaintyLab: two kinds of not knowing, told apart for a die."""

from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.uncertainty import scene
from eubrl_edu.labs.uncertainty.picture import UNITS, UncertaintyPicture, sizes_in_words
from eubrl_edu.labs.uncertainty.scene import FACES, Params, State
from eubrl_edu.plotting.names import counted


class UncertaintyLab(Lab):
    """A die with three faces, and how much of what is uncertain about it can be learned.

    The belief over the die is a Dirichlet. Each dot is one die drawn from it, in the triangle of
    all dice. The bar is what is uncertain about the next throw: the part that would be gone if
    the die were known is *doubt* (epistemic, the paper's E_T), the part that would stay is the
    *dice's* own chance (aleatoric).
    """

    scene = scene
    Picture = UncertaintyPicture
    figure_inches = (9.6, 3.9)
    situations = {
        "Unknown die": ("A die that was never thrown", Params()),
        "Fair, 1000 throws": ("A fair die that was thrown a thousand times", Params(n=1000)),
        "Hardly a die": (
            "A prior that expects hardly any chance, before the first throw",
            Params(die="certain", alpha=0.01),
        ),
        "Stubborn prior": (
            "A prior worth 300 throws, and 20 throws of a loaded die",
            Params(die="loaded", n=20, alpha=100.0),
        ),
    }
    rows = (("Die", ("die", "n", "seed")), ("Belief", ("alpha", "measure")))
    question = ("die", "n", "alpha")

    def structure(self, state: State) -> str:
        return state.params.measure

    def describe(self, state: State) -> str:
        params, split = state.params, state.split
        seen = ", ".join(f"{face} {n}" for face, n in zip(FACES, state.counts, strict=True))
        mean = ", ".join(f"{face} {p:.3f}" for face, p in zip(FACES, state.mean, strict=True))
        spread = ", ".join(
            f"{face} {deviation:.3f}"
            for face, deviation in zip(FACES, state.worlds.std(axis=0), strict=True)
        )
        total, dice, doubt = sizes_in_words(split)
        return (
            f"Total {total} = dice {dice} + doubt {doubt} ({UNITS[params.measure]}):"
            f" {split.doubt / split.total:.1%} of the total is doubt, which learning can remove."
            f" P_U = {state.probability_of_uncertainty:.3f}.\n"
            f"Thrown {counted(params.n, 'time')}: {seen}. P_b: {mean}."
            f" Standard deviation over the 200 dice: {spread}."
        )
