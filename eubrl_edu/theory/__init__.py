"""The paper's theory as functions: bounds, priors, failures, and what does not hold as printed.

The README beside this file has a row for every equation, definition, lemma, theorem and figure of
the paper: where it is implemented, what tests it, and which notebook shows it.
"""

from eubrl_edu.theory.errata import ERRATA, Erratum

__all__ = ["ERRATA", "Erratum"]
