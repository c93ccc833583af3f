"""Errata of the paper's sections on priors, their failures and control as inference."""

from eubrl_edu.theory.erratum import Erratum

ERRATA_OF_PRIORS: tuple[Erratum, ...] = ()
