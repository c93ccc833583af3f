"""How each agent looks in a picture."""

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

# The colour says how an agent explores, marker and line say who it is.
AGENT_STYLES = {
    "EUBRL": {"color": BLUE, "marker": "o", "linestyle": "-"},
    "EUBRL+": {"color": SKY_BLUE, "marker": "P", "linestyle": "-"},
    "EUBRL-MI": {"color": SKY_BLUE, "marker": "X", "linestyle": "--"},
    "EUBRL-tied": {"color": BLUE, "marker": "h", "linestyle": ":"},
    "EUBRL-frequentist": {"color": BLUE, "marker": "*", "linestyle": "--"},
    "BEB": {"color": VERMILLION, "marker": "D", "linestyle": "--"},
    "MBIE-EB": {"color": VERMILLION, "marker": "<", "linestyle": "-."},
    "VBRB": {"color": VERMILLION, "marker": ">", "linestyle": ":"},
    "PSRL": {"color": GREEN, "marker": "^", "linestyle": "-."},
    "BOSS": {"color": GREEN, "marker": "v", "linestyle": "--"},
    "RMAX": {"color": ORANGE, "marker": "s", "linestyle": "-"},
    "BEETLE": {"color": BLACK, "marker": "H", "linestyle": "--"},
    "BEETLE-tied": {"color": BLACK, "marker": "8", "linestyle": ":"},
    "Mean-MDP": {"color": GREY, "marker": "p", "linestyle": "--"},
    "Q-learning": {"color": PURPLE, "marker": "d", "linestyle": ":"},
}
