"""How the lines of the picture of a bound look, and what they are called."""

from eubrl_edu.plotting.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY_BLUE,
    VERMILLION,
)

LABELS = {
    "bound": "the bound",
    "run": "a real run",
    "lowest": "lower bound's order",
    "guided": "luck",
    "learning": "learning",
    "lower_order": "lower order",
    "remainder": "remainder",
    "leading": "1/ε² part",
}
TERMS_OF_REGRET = "guided", "learning", "lower_order", "remainder"
TERMS_OF_BAD_STEPS = "leading", "lower_order"
TRIVIAL_OF_REGRET, TRIVIAL_OF_BAD_STEPS = "T·V↑, without theory", "all T steps"
LINE_STYLES = {
    "trivial": {"color": GREY},
    "lowest": {"color": SKY_BLUE, "linestyle": (0, (1, 1))},
    "guided": {"color": ORANGE, "linestyle": "--", "marker": "v"},
    "learning": {"color": BLUE, "linestyle": "-.", "marker": "s"},
    "lower_order": {"color": VERMILLION, "linestyle": ":", "marker": "^"},
    "remainder": {"color": PURPLE, "linestyle": (0, (5, 1)), "marker": "D"},
    "leading": {"color": BLUE, "linestyle": "-.", "marker": "s"},
    "bound": {"color": BLACK, "alpha": 0.75},
    "run": {"color": GREEN},
}
LINE_WIDTHS = {"trivial": 1.3, "bound": 2.0, "run": 2.5}  # times the usual
HATCHES = {"guided": "//", "learning": "", "lower_order": "..", "remainder": "xx", "leading": ""}


def legend_names(is_regret: bool) -> list[str]:
    """What the legend names, in its order."""
    trivial = TRIVIAL_OF_REGRET if is_regret else TRIVIAL_OF_BAD_STEPS
    terms = TERMS_OF_REGRET if is_regret else TERMS_OF_BAD_STEPS
    return [
        *(LABELS["bound"], LABELS["run"], trivial, LABELS["lowest"]),
        *(LABELS[name] for name in terms),
    ]
