"""How each agent looks in a picture, from its record, for ``Axes.plot``."""

from eubrl_edu.experiments.records import RECORDS
from eubrl_edu.plotting import style

AGENT_STYLES = {
    record.name: {
        "color": getattr(style, record.look.colour),
        "marker": record.look.marker,
        "linestyle": record.look.line,
    }
    for record in RECORDS
}
