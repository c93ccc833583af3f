"""What does not hold as printed in the paper, what survives, and numbers that show it.

Each file of this folder covers some of the paper's sections, and `slips` has all slips of the pen;
here they are gathered, the gravest first. ``pictures`` draws three claims that fail or give way.
"""

from eubrl_edu.errata.analysis import ERRATA_OF_THE_ANALYSIS
from eubrl_edu.errata.bounds import ERRATA_OF_BOUNDS
from eubrl_edu.errata.erratum import Erratum, Kind
from eubrl_edu.errata.experiments import ERRATA_OF_THE_EXPERIMENTS
from eubrl_edu.errata.gaps import ERRATA_OF_GAPS
from eubrl_edu.errata.misspecification import ERRATA_OF_MISSPECIFICATION
from eubrl_edu.errata.model import ERRATA_OF_THE_MODEL
from eubrl_edu.errata.priors import ERRATA_OF_PRIORS
from eubrl_edu.errata.slips import SLIPS

__all__ = ["ERRATA", "Erratum", "Kind"]

_ALL = (
    *ERRATA_OF_GAPS,
    *ERRATA_OF_THE_ANALYSIS,
    *ERRATA_OF_BOUNDS,
    *ERRATA_OF_THE_MODEL,
    *ERRATA_OF_PRIORS,
    *ERRATA_OF_MISSPECIFICATION,
    *ERRATA_OF_THE_EXPERIMENTS,
    *SLIPS,
)
ERRATA: tuple[Erratum, ...] = tuple(
    sorted(_ALL, key=lambda erratum: list(Kind).index(erratum.kind))
)
