"""What the bounds return, part by part, so that one sees which part leads."""

from dataclasses import dataclass, field
from math import floor
from typing import ClassVar

from eubrl_edu.theory.log_terms import LogTerms


class SumOfParts:
    """A bound that is the sum of some of its attributes: floats, or arrays of one shape."""

    parts: ClassVar[tuple[str, ...]]

    @property
    def terms(self) -> dict[str, float]:
        """The parts by name."""
        return {name: getattr(self, name) for name in self.parts}

    @property
    def total(self) -> float:
        """The bound itself: the parts added up."""
        return sum(self.terms.values())

    @property
    def dominant(self) -> str:
        """The name of the largest part, where parts are floats."""
        return max(self.terms, key=self.terms.get)


@dataclass(frozen=True)
class RegretBound(SumOfParts):
    """A bound of the regret, part by part, in units of reward.

    Attributes
    ----------
    guided : float
        What the luck of the draws can hide, less what epistemic resistance takes off:
        14(1 − Ψ)X, or 18(1 − Ψ)X with a horizon, where X is the minimax rate with its logarithms.
        (15/4) λV↑T for an agent that keeps its plans (``DOUBLING.md``).
    learning : float
        The leading part of what learning costs: 16X, or 24X; 55 SAℓ₁ℓ₂V↑ / ((1 − γ)λ) where plans
        are kept.
    lower_order : float
        The part that is not multiplied by √T, what the ends of plans cost included; it leads until
        T ≥ S³A / (1 − γ) and beyond.
    remainder : float
        Σ Φ(1 + 3λ + Φ/V↑), what the auxiliary value function costs.
    trivial : float
        T · V↑ (or K · V↑_H), which bounds the regret without any theory.
    lambda_ : float
        The λ behind it; the largest one where it depends on state and action.
    log_terms : LogTerms
    """

    parts = ("guided", "learning", "lower_order", "remainder")

    guided: float
    learning: float
    lower_order: float
    remainder: float
    trivial: float
    lambda_: float
    log_terms: LogTerms = field(repr=False)

    @property
    def says_something(self) -> bool:
        """Whether the bound is below the trivial one."""
        return self.total < self.trivial


@dataclass(frozen=True)
class SampleComplexityBound(SumOfParts):
    """A bound of the number of bad steps or episodes, part by part: the paper's T0 or K0.

    Or that of ``DOUBLING.md``, for an agent that keeps its plans.

    Attributes
    ----------
    leading : float
        The part with 1/ε².
    lower_order : float
        The part with S²A/ε.
    lambda_ : float
        The λ behind it: ε / (18 V↑), or 2ε / (15 V↑) where plans are kept.
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
    def parts(self) -> tuple[str, ...]:
        """The names of the parts that there are."""
        return ("leading", "lower_order", "plans") if self.plans else ("leading", "lower_order")

    @property
    def total(self) -> int:
        """The bound itself: the parts added up, rounded down."""
        return floor(super().total)


@dataclass(frozen=True)
class BadStepsBound(SumOfParts):
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

    parts = ("leading", "lower_order", "overshoot")

    leading: float
    lower_order: float
    overshoot: float
