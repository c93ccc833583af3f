"""Bayesian reinforcement learning directed by epistemic uncertainty, in classes one can read."""

__version__ = "0.1.0"
