"""GuidanceLab: a new arm beside a known one, and three rules for how long to try it."""

from eubrl_edu.labs.guidance import scene
from eubrl_edu.labs.guidance.picture import GuidancePicture
from eubrl_edu.labs.guidance.scene import MOST_TRIES, Params, State
from eubrl_edu.labs.lab import Lab
from eubrl_edu.plotting.names import counted, in_two_digits


class GuidanceLab(Lab):
    """Whether to stay with the arm you know, or to try the new one again.

    There is one state and two arms. The known arm pays the same each time and is certain. The
    new arm pays noisy rewards; the belief over their mean is Normal-Gamma with α0 = 2. Nothing
    else is uncertain, so E_T = 0 and E_b = η√E_R. Three rules say what one more try is worth:
    r_b alone, with an additive bonus r_b + E_b, and EUBRL's (1 − P_U) r_b + P_U E_b (the paper,
    "Probabilistic Inference and Epistemic Guidance"). Each tries the new arm until its worth
    falls below what the known arm pays.
    """

    scene = scene
    Picture = GuidancePicture
    figure_inches = (10.0, 6.0)
    situations = {
        "Lucky start": ("The new arm is worse, but its first reward is high", Params()),
        "Costly start": (
            "The new arm is better, but its first reward is a loss",
            Params(known_reward=0.0, true_mean=0.5, first_reward=-2.0),
        ),
        "Hasty EUBRL": (
            "The new arm is better, and EUBRL drops it: partly unsure, it counts neither reward"
            " nor doubt in full",
            Params(known_reward=0.6, true_mean=0.8, first_reward=0.8),
        ),
        "η too small": (
            "The new arm is better, but its uncertainty is worth too little for the arm to be"
            " tried",
            Params(eta=0.3, known_reward=0.5, true_mean=0.8, first_reward=0.8, n=0),
        ),
        "Sure and wrong": (
            "A confident prior leaves little to find out; if it is wrong too, it stops all three",
            Params(mu0=-0.5, lambda0=50.0, true_mean=0.8, first_reward=0.8, n=0),
        ),
    }
    rows = (
        ("Belief", ("eta", "mu0", "lambda0", "beta0")),
        ("World", ("known_reward", "true_mean", "first_reward", "noise")),
        ("Look", ("n", "seed")),
    )
    question = ("eta", "known_reward", "first_reward", "n")

    def describe(self, state: State) -> str:
        n = state.params.n
        mean, epistemic = state.mean_reward[n], state.epistemic_uncertainty[n]
        probability = state.probability_of_uncertainty[n]
        additive, guided = state.values["r_b + E_b"][n], state.values["EUBRL"][n]
        verdicts = "\n".join(
            f"{'✓' if verdict.is_right else '✗'} {verdict.rule}: {verdict.words}."
            for verdict in reversed(state.verdicts)
        )
        return (
            f"After {counted(n, 'try')} of the new arm: r_b = {mean:z.3f},"
            f" E_b = {_small(epistemic)}, E_max = {_small(state.max_uncertainty[n])},"
            f" P_U = E_b / E_max = {_small(probability)}.\n"
            f"With the bonus: r_b + E_b = {additive:z.3f}. EUBRL: (1 − P_U) r_b + P_U E_b ="
            f" {1 - probability:z.3f} · {mean:z.3f} + {_small(probability)} · {_small(epistemic)}"
            f" = {guided:z.3f}. The known arm pays {state.params.known_reward:z.2f}.\n"
            f"{_later(state)}\n{verdicts}"
        )


def _small(number: float) -> str:
    """Three decimals; two digits of what is too small for them."""
    return in_two_digits(number) if 0.0 < number < 0.00995 else f"{number:.3f}"


def _later(state: State) -> str:
    """Where the curves go, for those who cannot see them."""
    worth = [
        f"n = {n}: r_b {state.mean_reward[n]:z.3f}, r_b + E_b {state.values['r_b + E_b'][n]:z.3f},"
        f" EUBRL {state.values['EUBRL'][n]:z.3f}"
        for n in (10, 100, MOST_TRIES)
    ]
    return f"Along the curves, if the tries went on: {'; '.join(worth)}."
