"""What the labs on theory ask: those of bounds, priors and failures; see `predictions`."""

from collections.abc import Mapping
from dataclasses import replace
from math import log

from eubrl_edu.labs.bounds.run import prepare
from eubrl_edu.labs.bounds.scene import view
from eubrl_edu.labs.prediction import Choice, Number
from eubrl_edu.labs.prior.scene import compute
from eubrl_edu.labs.slices import finish


def nearest_factor(factor: float, factors: Mapping[str, float]) -> str:
    """The words for the factor that is nearest, as factors go."""
    return min(factors, key=lambda words: abs(log(factor / factors[words])))


def _hope(state) -> str:
    gloomy, about_right, hopeful = HOPEFUL_OR_GLOOMY.answers
    believed, real = state.run.levels[:50, 2:].mean(axis=0)
    return about_right if abs(believed - real) < 0.05 else hopeful if believed > real else gloomy


HOPEFUL_OR_GLOOMY = Choice(
    "While it is still learning, what does the agent think its plan will earn?",
    {
        "less than it will": "Doubt takes the place of reward, and counts for a lot here.",
        "about as much": "That comes later, when it knows the world.",
        "more than it will": "Whatever it does not know looks good to it.",
    },
    _hope,
)


def _looseness(state) -> str:
    ratio = state.bound_of_run / state.run.regret.sum()
    return nearest_factor(ratio, dict(zip(HOW_LOOSE.answers, (10, 1000, 1e6), strict=True)))


HOW_LOOSE = Choice(
    "How large is the bound, compared with the agent's actual regret?",
    {
        "10 times as large": "A bound has to hold for the hardest world of this size, too.",
        "1000 times as large": "Even the limit that needs no theory is over 100 times as large.",
        "a million times as large": "At a thousand steps it says nothing at all about this run.",
    },
    _looseness,
)


def _moved_by_a_stubborn_prior(state) -> str:
    params = replace(state.params, alpha=1000 * state.params.alpha)
    stubborn = view(params, finish(prepare(params)))
    bound = stubborn.bound_of_run / state.bound_of_run
    regret = stubborn.run.regret.sum() / state.run.regret.sum()
    return list(WHAT_A_PRIOR_MOVES.answers)[0 if bound > regret else 1]


WHAT_A_PRIOR_MOVES = Choice(
    "The prior over next states claims a thousand times as many visits. Which grows by the larger "
    "factor, over 1000 steps?",
    {
        "the bound": "The prior's part does grow a thousandfold. But it starts far below the rest.",
        "the regret of the run": "The bound is so high already that it only doubles. The regret "
        "grows eightfold.",
    },
    _moved_by_a_stubborn_prior,
)


def _sure_and_guaranteed(state) -> str:
    normal, gamma = (
        compute(replace(state.params, reward_prior=name)) for name in ("Normal", "Normal-Gamma")
    )
    gamma_is_sooner = gamma.mean_epistemic[-1] < normal.mean_epistemic[-1]
    return list(SURE_TOO_SOON.answers)[2 * gamma_is_sooner + gamma.prior.in_class]


SURE_TOO_SOON = Choice(
    "Which agent is sure sooner, and which one has the guarantee?",
    {
        "Normal, and it has the guarantee": "It does have the guarantee. But it takes the "
        "rewards to be noisy, so it stays in doubt for longer.",
        "Normal, but Normal-Gamma has the guarantee": "It is the other way round on both counts.",
        "Normal-Gamma, but Normal has the guarantee": "Its error is still there when its doubt "
        "has gone.",
        "Normal-Gamma, and it has the guarantee": "It finds out that nothing varies, and is sure "
        "too soon.",
    },
    _sure_and_guaranteed,
)

NEVER_THE_BETTER_ARM = Number(
    "How many of the 400 agents will never once pull the better arm?",
    range(0, 401, 10),
    lambda state: state.params.n_agents * state.stuck.value,
    right="Their first pull decides, and it is a coin toss.",
    too_low="The prior is so sure that no bad luck can drive them from the worse arm.",
    too_high="Half of them pull the better arm first, by chance, and stay with that one.",
    common={0: "None of them ever looks at the other arm, and those on the worse one stay."},
    unit="agents",
    within=40,
)
