"""GuidedRewardLab: the guided reward against the bonus, at any doubt and for any arm."""

from eubrl_edu.labs.guided_reward import scene
from eubrl_edu.labs.guided_reward.picture import GuidedRewardPicture
from eubrl_edu.labs.guided_reward.scene import VERDICTS, Params, State
from eubrl_edu.labs.lab import Lab


class GuidedRewardLab(Lab):
    """What one arm is worth to a bonus and to guidance, as doubt about it grows.

    With E_b = P_U E_max a bonus makes it r_b + P_U E_max, a line in P_U; guidance makes it
    (1 − P_U) r_b + P_U² E_max, a parabola whose lowest point is at P_U = r_b / (2 E_max). A rule
    tries the arm where that is more than what the known arm pays, and is right to if the arm is
    truly better.
    """

    scene = scene
    Picture = GuidedRewardPicture
    figure_inches = (9.6, 3.8)
    situations = {
        "The sag": ("Half unsure of an arm, EUBRL values it less than when sure", Params()),
        "Hasty, η = 1": (
            "Notebook 00's Hasty EUBRL after its first try",
            Params(probability=0.62, mean_reward=0.4, max_uncertainty=1.0, known=0.6),
        ),
        "Hasty, η = 2": (
            "The same with η = 2, after 15 tries",
            Params(probability=0.14, mean_reward=0.64, max_uncertainty=2.0, known=0.6),
        ),
        "Bad luck first": (
            "A better arm whose first reward was a heavy loss",
            Params(probability=0.82, mean_reward=-1.0, max_uncertainty=1.0, known=0.0),
        ),
        "Good luck first": (
            "A worse arm whose first reward was high",
            Params(0.4, 0.7, max_uncertainty=1.0, known=0.6, truth="worse"),
        ),
    }
    rows = (
        ("New arm", ("probability", "mean_reward", "max_uncertainty", "truth")),
        ("Known arm", ("known",)),
    )
    question = ("probability", "mean_reward", "max_uncertainty")

    def describe(self, state: State) -> str:
        params, p = state.params, state.params.probability
        mean, epistemic = params.mean_reward, p * params.max_uncertainty
        return (
            f"At P_U = {p:z.2f}, E_b = {epistemic:z.3f}. Bonus: r_b + E_b ="
            f" {mean:z.3f} + {epistemic:z.3f} = {state.bonus_here:z.3f}. EUBRL: (1 − P_U) r_b +"
            f" P_U E_b = {(1 - p) * mean:z.3f} + {p * epistemic:z.3f} = {state.guided_here:z.3f}."
            f" The known arm pays {params.known:z.2f}.\n"
            f"The arm is truly {params.truth}: {VERDICTS[state.verdict]}."
            f" Guidance values it least at P_U = {state.lowest:z.2f},"
            f" where it is worth {state.lowest_worth:z.2f}."
        )
