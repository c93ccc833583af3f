"""Agents: belief + uncertainty + planning = behaviour."""

from eubrl_edu.agents.base import Agent, PlanningAgent
from eubrl_edu.agents.beb import BEB
from eubrl_edu.agents.beetle import BEETLE, plan_offline
from eubrl_edu.agents.beetle_polynomials import UnknownDynamics
from eubrl_edu.agents.boss import BOSS
from eubrl_edu.agents.eqo import EQO
from eubrl_edu.agents.eubrl import EUBRL
from eubrl_edu.agents.frequentist import FrequentistEUBRL
from eubrl_edu.agents.mbie_eb import MBIEEB
from eubrl_edu.agents.mean_mdp import MeanMDP
from eubrl_edu.agents.plan import GuidedPlan, Plan
from eubrl_edu.agents.psrl import PSRL
from eubrl_edu.agents.q_learning import ActionValues, QLearning
from eubrl_edu.agents.rmax import RMAX
from eubrl_edu.agents.ucbvi import UCBVIGamma
from eubrl_edu.agents.vbrb import VBRB

__all__ = [
    "BEB",
    "BEETLE",
    "BOSS",
    "EQO",
    "EUBRL",
    "MBIEEB",
    "PSRL",
    "RMAX",
    "VBRB",
    "ActionValues",
    "Agent",
    "FrequentistEUBRL",
    "GuidedPlan",
    "MeanMDP",
    "Plan",
    "PlanningAgent",
    "QLearning",
    "UCBVIGamma",
    "UnknownDynamics",
    "plan_offline",
]
