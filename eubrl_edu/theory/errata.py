"""What does not hold as printed in the paper, each with a counterexample that runs.

Each file of errata covers some of the paper's sections; this one gathers them.
"""

from eubrl_edu.theory.errata_of_constants import ERRATA_OF_CONSTANTS
from eubrl_edu.theory.errata_of_lemmas import ERRATA_OF_LEMMAS
from eubrl_edu.theory.errata_of_misspecification import ERRATA_OF_MISSPECIFICATION
from eubrl_edu.theory.errata_of_priors import ERRATA_OF_PRIORS
from eubrl_edu.theory.errata_of_proofs import ERRATA_OF_PROOFS
from eubrl_edu.theory.errata_of_remarks import ERRATA_OF_REMARKS
from eubrl_edu.theory.errata_of_the_experiments import ERRATA_OF_THE_EXPERIMENTS
from eubrl_edu.theory.errata_of_the_model import ERRATA_OF_THE_MODEL
from eubrl_edu.theory.erratum import Erratum, Kind

__all__ = ["ERRATA", "Erratum", "Kind"]

ERRATA: tuple[Erratum, ...] = (
    *ERRATA_OF_LEMMAS,
    *ERRATA_OF_CONSTANTS,
    *ERRATA_OF_PROOFS,
    *ERRATA_OF_REMARKS,
    *ERRATA_OF_THE_MODEL,
    *ERRATA_OF_PRIORS,
    *ERRATA_OF_MISSPECIFICATION,
    *ERRATA_OF_THE_EXPERIMENTS,
)
