"""Questions of labs that show runs the page has already discussed: where they went, and why."""

import numpy as np

from eubrl_edu.environments.reach import reachable_states
from eubrl_edu.labs.exploration import scene as exploration
from eubrl_edu.labs.prediction import Choice
from eubrl_edu.labs.race import scene as race


def _when_it_finds_the_treasure(state: exploration.State) -> str:
    early, halfway, late = THE_FIRST_TREASURE.answers
    found = np.flatnonzero(state.run.recording.trajectory.rewards > 0.5)
    if len(found) == 0:
        return "not within this run"
    tried, reachable = state.run.at(int(found[0])).visited_pairs
    share = tried / reachable
    return early if share < 0.4 else halfway if share < 0.75 else late


THE_FIRST_TREASURE = Choice(
    "When will EUBRL reach the treasure for the first time?",
    {
        "early, with most pairs untried": "EUBRL does not look for treasure. It looks for what it "
        "does not know, and at first that is everywhere.",
        "with about half of them tried": "What is unknown elsewhere attracts it just as much, and "
        "is easier to reach.",
        "late, with hardly any pair untried": "Nothing tells it where the treasure is. The step "
        "that leads there is one unknown pair among many, and there is only one way to it.",
    },
    _when_it_finds_the_treasure,
)


def _planned_with_here(state: exploration.State) -> str:
    if state.modelled is None or state.action is None:
        return "nothing, as no reward enters a plan here"
    reward = state.modelled.model.rewards[state.state, state.action]
    if abs(reward) > 0.1 or reward == 0.0:
        return f"{reward:.3g}"
    *_, above, below = A_KNOWN_STEP.answers
    return above if reward > 0.0 else below


A_KNOWN_STEP = Choice(
    "At the start of this episode, going right has a Q of 3.91. What is the guided reward of that "
    "step?",
    {
        "3.91": "Q counts all that may follow. The guided reward is for one step.",
        "1.99": "That is the unknown step's guided reward, in the corner. This one is known.",
        "a little more than 0": "Next to no doubt is left here, and a step to the right costs "
        "something.",
        "a little less than 0": "It is the cost of the step. The agent pays it for what lies nine "
        "steps ahead.",
    },
    _planned_with_here,
)


def _how_dots_lie(state: race.State) -> str:
    returns = {racer.name: racer.final_returns for racer in state.racers}
    if "Mean-MDP" not in returns:
        return "nowhere, as Mean-MDP is not in this race"
    close, evenly, apart = DOTS_AROUND_A_MEAN.answers
    dots = returns["Mean-MDP"]
    # Of a normal distribution 38% lie that close to the mean, of an even one 29%.
    near = np.mean(np.abs(dots - dots.mean()) < dots.std() / 2)
    return close if near > 0.33 else evenly if near > 0.2 else apart


DOTS_AROUND_A_MEAN = Choice(
    "Mean-MDP earned 2400 on average. Where will the dots of its runs lie?",
    {
        "most of them near that mean": "Its spread was 866, and hardly a run ends near the mean.",
        "evenly, from worst to best": "Many lie close together, but far below the mean.",
        "in two groups, one on each side": "Luck decides which runs learn to go all the way. The "
        "mean lies between the two.",
    },
    _how_dots_lie,
)


def _still_in_doubt(state: exploration.State) -> str:
    if state.guided is None:
        return "unknown, as this agent keeps no account of its doubt"
    untried, few, most = STILL_IN_DOUBT.answers
    reachable = reachable_states(state.run.env)
    share = np.mean(state.guided.probability_of_uncertainty[reachable] > 1 / 3)
    return untried if share < 0.05 else few if share < 0.5 else most


STILL_IN_DOUBT = Choice(
    "After 75 steps the agent has tried 43 of the 44 pairs. For how many of the 44 is its P_U "
    "above a third?",
    {
        "only for the one it has not tried": "That would be so if one visit were enough. Under "
        "this prior it is not.",
        "for ten or so": "Few pairs have had several visits. Most have had one.",
        "for most of them": "Most pairs have had a single visit, and under this prior one visit "
        "leaves a P_U of 0.37.",
    },
    _still_in_doubt,
)


def _behind_a_mean(state: race.State) -> str:
    returns = {racer.name: racer.final_returns for racer in state.racers}
    pairs = zip(returns.get("EUBRL", ()), returns.get("FiveVisits", ()), strict=False)
    lost = np.array([known - own for known, own in pairs])
    if lost.sum() <= 0:
        return "from nowhere, as FiveVisits is not behind EUBRL here"
    every, few, one = BEHIND_A_MEAN.answers
    shares = np.sort(lost)[::-1].cumsum() / lost.sum()
    return one if shares[0] > 0.5 else few if shares[:5][-1] > 0.6 else every


BEHIND_A_MEAN = Choice(
    "In this lab FiveVisits earns 17 less than EUBRL on average. Where does most of that come "
    "from?",
    {
        "from nearly every run alike": "Then the interval would have been narrow. In most runs the "
        "two are less than 10 apart.",
        "from a handful of bad runs": "A single one is enough, if it is bad enough.",
        "from a single run": "In that run FiveVisits earned 196 less than EUBRL; in the "
        "others, 7 less on average.",
    },
    _behind_a_mean,
)


def _worth_of_climbing(state: exploration.State) -> str:
    rest, climb = state.plan.q[0, :2]
    if climb >= rest:
        return "no less than resting, at this moment"
    nothing, less, _ = WHY_IT_RESTS.answers
    return nothing if climb < rest / 4 else less


WHY_IT_RESTS = Choice(
    "Climbing from the ground is really worth 8.22. What does FiveVisits think it is worth?",
    {
        "next to nothing": "It has seen the top pay. But half of its climbs there have failed.",
        "less than resting": "2.055 against 2.189. So small a gap keeps it on the ground: it is "
        "sure, and no longer looks.",
        "about 8, and it rests all the same": "It does what has the larger Q. Nothing else could "
        "keep it on the ground.",
    },
    _worth_of_climbing,
)
