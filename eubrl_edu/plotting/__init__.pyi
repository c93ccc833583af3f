from .legend import AGENT_STYLES as AGENT_STYLES
from .results import plot as plot
from .tuning import draw_tuning as draw_tuning
