"""Agents: belief + uncertainty + planning = behaviour."""

from eubrl_edu.agents.base import Agent, PlanningAgent
from eubrl_edu.agents.eubrl import EUBRL
from eubrl_edu.agents.mean_mdp import MeanMDP
from eubrl_edu.agents.plan import GuidedPlan, Plan
from eubrl_edu.agents.psrl import PSRL
from eubrl_edu.agents.rmax import RMAX

__all__ = ["EUBRL", "PSRL", "RMAX", "Agent", "GuidedPlan", "MeanMDP", "Plan", "PlanningAgent"]
