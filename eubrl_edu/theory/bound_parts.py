"""What the bounds return, part by part, so that one sees which part leads."""

from dataclasses import dataclass, field
from math import floor

from eubrl_edu.theory.log_terms import LogTerms


@dataclass(frozen=True)
class RegretBound:
    """A bound of the regret, part by part, in units of reward.

    Attributes
    ----------
    guided : float
        What the luck of the draws can hide, less what epistemic resistance takes off:
        14(1 − Ψ)X, or 18(1 − Ψ)X with a horizon, where X is the minimax rate with its logarithms.
    learning : float
        The leading part of what learning costs: 16X, or 24X.
    lower_order : float
        The part that is not multiplied by √T; it leads until T ≥ S³A / (1 − γ) and beyond.
    remainder : float
        Σ Φ(1 + 3λ + Φ/V↑), what the auxiliary value function costs.
    trivial : float
        T · V↑ (or K · V↑_H), which bounds the regret without any theory.
    lambda_ : float
        The λ behind it; the largest one where it depends on state and action.
    log_terms : LogTerms
    """

    guided: float
    learning: float
    lower_order: float
    remainder: float
    trivial: float
    lambda_: float
    log_terms: LogTerms = field(repr=False)

    @property
    def total(self) -> float:
        """The bound itself."""
        return self.guided + self.learning + self.lower_order + self.remainder

    @property
    def terms(self) -> dict[str, float]:
        """The parts by name; they add up to `total`."""
        names = ("guided", "learning", "lower_order", "remainder")
        return {name: getattr(self, name) for name in names}

    @property
    def dominant(self) -> str:
        """The name of the largest part."""
        return max(self.terms, key=self.terms.get)

    @property
    def says_something(self) -> bool:
        """Whether the bound is below the trivial one."""
        return self.total < self.trivial


@dataclass(frozen=True)
class SampleComplexityBound:
    """T0 (steps) or K0 (episodes), part by part.

    Attributes
    ----------
    leading : float
        The part with 1/ε².
    lower_order : float
        The part with S²A/ε.
    lambda_ : float
        The λ behind it, ε / (18 V↑).
    log_terms : LogTerms
    plans : float
        The part that grows with the number of plans; 0 in the paper's own bound.
    """

    leading: float
    lower_order: float
    lambda_: float
    log_terms: LogTerms = field(repr=False)
    plans: float = 0.0

    @property
    def total(self) -> int:
        """The bound itself: the parts added up, rounded down."""
        return floor(self.leading + self.lower_order + self.plans)

    @property
    def terms(self) -> dict[str, float]:
        """The parts by name; they add up to `total`, but for the rounding."""
        parts = {"leading": self.leading, "lower_order": self.lower_order}
        return parts | ({"plans": self.plans} if self.plans else {})

    @property
    def dominant(self) -> str:
        """The name of the larger part."""
        return max(self.terms, key=self.terms.get)


@dataclass(frozen=True)
class BadStepsBound:
    """W(T) or W(K), part by part.

    Attributes
    ----------
    leading : float
        The part with 1/ε².
    lower_order : float
        The part with S²A/ε.
    overshoot : float
        The part with SA/ε, from stopping times and martingales.
    """

    leading: float
    lower_order: float
    overshoot: float

    @property
    def total(self) -> float:
        """W itself."""
        return self.leading + self.lower_order + self.overshoot
