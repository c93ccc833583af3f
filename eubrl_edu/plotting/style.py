"""How every picture looks: colours that all eyes tell apart, and a second cue beside each colour.

The palette is Okabe and Ito's (2008), made to be told apart with every common form of colour
blindness and in print. Colour never stands alone: what differs in colour also differs in marker,
line or hatch, and carries its name. Pictures have a white ground of their own, so that they read
the same in a light and in a dark theme.
"""

from cycler import cycler
from matplotlib import rcParamsDefault

BLACK = "#000000"
ORANGE = "#E69F00"
SKY_BLUE = "#56B4E9"
GREEN = "#009E73"
YELLOW = "#F0E442"
BLUE = "#0072B2"
VERMILLION = "#D55E00"
PURPLE = "#CC79A7"
GREY = "#7F7F7F"

# One colour for each concept, in every lab; agents have theirs in their records.
BELIEVED = GREY  # r_b
DOUBT = PURPLE  # E_b, and whatever could be learned
GUIDED = BLUE  # as EUBRL, whose reward it is
WITH_BONUS = VERMILLION
PRIOR = ORANGE
PRIOR_WORDS = "#8F6200"  # darker, since words need more contrast than lines
DATA = SKY_BLUE
TRUTH = GREEN
CHANCE = "#BDBDBD"  # what would stay uncertain even to one who knew the world

# Yellow comes last: on white it serves as a filling, not as a line.
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY_BLUE, BLACK, YELLOW)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))

# Perceptually even, so that equal steps in value look like equal steps, and safe for all eyes.
SEQUENTIAL_MAP = "viridis"

# What a style of the user's own might write white on white, or with LaTeX.
NOT_THE_USERS = (
    *("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.color", "ytick.color"),
    *("grid.color", "hatch.color", "patch.edgecolor", "text.usetex"),
)
FONT_SIZE = 10.0
PRESENTATION_FONT_SIZE = 16.0


def cues(position: int) -> dict:
    """Colour, marker and line of the ``position``-th thing in a picture, for ``Axes.plot``."""
    return {
        "color": COLOURS[position % len(COLOURS)],
        "marker": MARKERS[position % len(MARKERS)],
        "linestyle": LINES[position % len(LINES)],
    }


def rc_parameters(presentation: bool = False) -> dict:
    """Matplotlib's settings for a picture, for ``matplotlib.rc_context``.

    Parameters
    ----------
    presentation : bool
        Letters and lines for the back of a room instead of for one's own screen.

    Returns
    -------
    dict
        A setting for each name in ``matplotlib.rcParams`` that differs from its default.
    """
    size = PRESENTATION_FONT_SIZE if presentation else FONT_SIZE
    return {
        "font.size": size,
        "axes.titlesize": size,
        "axes.labelsize": size,
        "xtick.labelsize": 0.9 * size,
        "ytick.labelsize": 0.9 * size,
        "legend.fontsize": 0.9 * size,
        "axes.prop_cycle": cycler(color=COLOURS[:-1]),
        "lines.linewidth": 3.0 if presentation else 2.0,
        "lines.markersize": 9.0 if presentation else 6.0,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": "#333333",
        "figure.facecolor": "white",
        "axes.facecolor": "white",
        "legend.frameon": False,
        **{name: rcParamsDefault[name] for name in NOT_THE_USERS},
        "image.cmap": SEQUENTIAL_MAP,
    }
