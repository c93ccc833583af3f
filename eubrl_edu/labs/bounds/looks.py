"""How the lines of the picture of a bound look, and what they are called."""

from collections.abc import Sequence

from eubrl_edu.plotting.style import BLACK, BLUE, DATA, DOUBT, GREY, PRIOR, TRUTH, VERMILLION

LABELS = {
    "bound": "the bound",
    "run": "a real run",
    "lowest": "lower bound's order",
    "guided": "luck",
    "learning": "learning",
    "lower_order": "lower order",
    "remainder": "remainder",
    "leading": "1/ε² part",
    "transition_prior": "prior, Λ_T",
    "reward_prior": "prior, Λ_R",
}
TERMS_OF_REGRET = "guided", "learning", "lower_order", "remainder"
TRIVIAL_OF_REGRET, TRIVIAL_OF_BAD_STEPS = "T·V↑, without theory", "all T steps"
LINE_STYLES = {
    "trivial": {"color": GREY},
    "lowest": {"color": BLACK, "linestyle": (0, (1, 1))},
    "guided": {"color": DATA, "linestyle": "--", "marker": "v"},
    "learning": {"color": DOUBT, "linestyle": "-.", "marker": "s"},
    "lower_order": {"color": VERMILLION, "linestyle": ":", "marker": "^"},
    "remainder": {"color": BLUE, "linestyle": (0, (5, 1)), "marker": "D"},
    "leading": {"color": DOUBT, "linestyle": "-.", "marker": "s"},
    "transition_prior": {"color": PRIOR, "marker": "P"},
    "reward_prior": {"color": PRIOR, "linestyle": "--", "marker": "X"},
    "bound": {"color": BLACK, "alpha": 0.75},
    "run": {"color": TRUTH},
}
LINE_WIDTHS = {"trivial": 1.3, "bound": 2.0, "run": 2.5}  # times the usual
HATCHES = {
    "guided": "//",
    "lower_order": "..",
    "remainder": "xx",
    "transition_prior": "++",
    "reward_prior": "\\\\",
}


def legend_names(is_regret: bool, terms: Sequence[str]) -> list[str]:
    """What the legend names, in its order."""
    trivial = TRIVIAL_OF_REGRET if is_regret else TRIVIAL_OF_BAD_STEPS
    return [
        *(LABELS["bound"], LABELS["run"], trivial, LABELS["lowest"]),
        *(LABELS[name] for name in terms),
    ]
