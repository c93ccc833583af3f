"""What the notebooks' labs ask before they show their pictures.

``SomeLab(prediction=predictions.SOME_QUESTION)`` covers the lab until the learner has said what to
expect. What is right is found in the lab's own state, never in a stored answer.
"""

import math
from dataclasses import replace

import numpy as np

from eubrl_edu.exercises.predictions_on_runs import (
    A_KNOWN_STEP,  # noqa: F401, for the pages
    BEHIND_A_MEAN,  # noqa: F401
    DOTS_AROUND_A_MEAN,  # noqa: F401
    STILL_IN_DOUBT,  # noqa: F401
    THE_FIRST_TREASURE,  # noqa: F401
    WHY_IT_RESTS,  # noqa: F401
)
from eubrl_edu.exercises.predictions_on_theory import (
    HOPEFUL_OR_GLOOMY,  # noqa: F401
    HOW_LOOSE,  # noqa: F401
    NEVER_THE_BETTER_ARM,  # noqa: F401
    SURE_TOO_SOON,  # noqa: F401
    WHAT_A_PRIOR_MOVES,  # noqa: F401
    nearest_factor,
)
from eubrl_edu.labs.patience.scene import break_even
from eubrl_edu.labs.prediction import Choice, Number
from eubrl_edu.labs.uncertainty import scene as dice


def _visitor_who_returns(state) -> str:
    returning = [place for place, verdict in enumerate(state.verdicts) if verdict.tries > 1]
    if len(returning) == 1:
        return list(WHO_GOES_AGAIN.answers)[returning[0]]
    return "several of them" if returning else "nobody"


WHO_GOES_AGAIN = Choice(
    "Who goes to the new café a second time?",
    {
        "the first (best guess)": "Her best guess is now below what the old café is worth.",
        "the second (bonus)": "The second does add a bonus. Compare it with how far her guess has "
        "fallen.",
        "the third (EUBRL)": "While she is very unsure, the awful coffee hardly counts for her.",
        "several of them": "One awful coffee is enough to send two of the three away for good.",
        "nobody": "One of them gives a single bad coffee very little weight.",
    },
    _visitor_who_returns,
)

CHANCE_OF_C = Number(
    "How probable is it that the next visit leads to C?",
    range(0, 101),
    lambda state: 100 * state.transition_means[2],
    right="Never seen, but still possible: some of the probability it had at first is left.",
    too_low="After only three visits the prior still has a say.",
    too_high="It was a third before the first visit. Three visits without C have lowered it.",
    common={
        0: "Three visits are too few to rule C out. The prior keeps a place for it.",
        33: "That was before the first visit. Three visits without C have lowered it.",
    },
    unit="percent",
    within=2,
)


def _more_to_learn(state) -> str:
    fair, unknown = (
        dice.compute(replace(state.params, die="fair", n=n)).split.doubt for n in (1000, 0)
    )
    return list(WHICH_DIE.answers)[0 if fair > unknown else 1]


WHICH_DIE = Choice(
    "Which die would you rather throw next, if you wanted to learn something?",
    {
        "the fair one": "Its next throw is as open as ever, but you know nearly all there is to "
        "know about this die.",
        "the unknown one": "The bets are the same, but only here is there something to find out.",
        "either: the bets are equal": "The bets are equal, but what you can learn is not.",
    },
    _more_to_learn,
)

SWEEPS_TO_THE_START = Number(
    "After how many sweeps will cell 0 hear of the reward?",
    range(0, 21),
    lambda state: int((state.swept[:, 0] > 0).argmax()),
    right="News travels one cell in each sweep, and cell 0 is that many steps away.",
    too_low="In one sweep news travels only one cell.",
    too_high="The cell beside the goal hears of it in the very first sweep. Count from there.",
    common={
        1: "One sweep visits every cell, but each cell looks only at its neighbours.",
        8: "There are eight cells, but the goal itself need not be told.",
    },
    unit="sweeps",
)


def _fate_of_the_new_arm(state) -> str:
    tried, *left = WILL_IT_TRY.answers
    if state.guided_here > state.params.known:
        return tried
    return left[0] if state.params.mean_reward > state.params.known else left[1]


WILL_IT_TRY = Choice(
    "Will an agent that follows the guided reward try the new arm?",
    {
        "yes": "Its belief, 1.0, would be enough. But guidance listens to only half of it.",
        "no, its doubt deters it": "Half of 1.0 plus half of 0.4 is 0.7, less than the known 0.8.",
        "no, and it would not even if it had no doubt": "Without any doubt it would hear its "
        "belief in full.",
    },
    _fate_of_the_new_arm,
)

PAIRS_TRIED = Number(
    "How many of the 18 pairs will the agent have tried after 1000 steps?",
    range(0, 19),
    lambda state: state.run.at(len(state.run)).visited_pairs[0],
    right="Nearly all, but not quite.",
    too_low="At first, doubt draws it nearly everywhere.",
    too_high="It leaves a pair alone when it reckons that finding out is not worth it.",
    unit="pairs",
)


def _first_in_race(state) -> str:
    return max(state.racers, key=lambda racer: racer.mean.value).name


FIRST_IN_THE_LOOPS = Choice(
    "Who will have earned most after 1000 steps, on average over the runs?",
    {
        "EUBRL": "It stops looking as soon as there is little left to learn.",
        "PSRL": "PSRL keeps drawing worlds from its belief, and some of them lead it astray.",
        "BEB": "A bonus for each pair keeps it exploring a little longer.",
        "Q-learning": "Q-learning stays with the easy loop: the hard one takes too many right "
        "steps in a row.",
    },
    _first_in_race,
)

FIRST_IN_THE_SEA = Choice(
    "Who will have earned most in the sea?",
    {
        "EUBRL": "It makes straight for one unknown pair after another.",
        "PSRL": "It draws whole worlds, and in many of them the way to the treasure is lost again.",
        "BEB": "BEB gets there too, but its bonus sends it back to what it has already seen.",
        "Q-learning": "Ten steps to the right in a row hardly ever happen by chance.",
    },
    _first_in_race,
)


def _growth_with_depth(state) -> str:
    cost = {spot.size: spot.cost.value for spot in state.curves[0].spots}
    return nearest_factor(
        cost[8] / cost[4], dict(zip(TWICE_AS_DEEP.answers, (1, 2, 4, 16), strict=True))
    )


TWICE_AS_DEEP = Choice(
    "EUBRL took about 23 episodes for 4 rows. How many will it need for 8?",
    {
        "about as many": "In the small sea it plans too rarely, so some episodes teach nothing.",
        "twice as many": "With a new plan in every episode, finding out would take twice as long.",
        "four times as many": "There are four times as many cells, but each episode visits twice "
        "as many.",
        "sixteen times as many": "That is for those who have to find the way by chance.",
    },
    _growth_with_depth,
)


def _faster_and_safer(state) -> str:
    plain, plus = (curve.spots[-1] for curve in state.curves)
    fast = [
        np.mean([cost for cost, solved in zip(spot.costs, spot.solved, strict=True) if solved])
        for spot in (plain, plus)
    ]
    slower, fails_less = fast[1] > fast[0], plus.success.value > plain.success.value
    return list(EUBRL_PLUS.answers)[2 * slower + fails_less]


EUBRL_PLUS = Choice(
    "How will EUBRL+ compare with EUBRL, in a sea of 10 rows?",
    {
        "faster, but it fails more often": "A prior that expects noisy rewards keeps it in doubt.",
        "faster, and it fails less often": "It does fail less often. But it stays in doubt for "
        "longer.",
        "slower, and it fails more often": "It is slower because it looks again, and that pays "
        "off.",
        "slower, but it fails less often": "It stays in doubt for longer, so bad luck alone "
        "settles nothing.",
    },
    _faster_and_safer,
)


def _worth_the_walk(state) -> str:
    never, little, much = WORTH_THE_WALK.answers
    patience = state.params.patience
    if state.longest > 10_000:
        return never
    return much if break_even(patience, 0.0) > 2 * state.longest else little


WORTH_THE_WALK = Choice(
    "Is there a length beyond which it is better to do nothing? How far would it move if every "
    "step succeeded?",
    {
        "no": "The prize grows with the length. But it also moves away, and is discounted.",
        "yes, and it would grow a little": "Every failed step is paid for twice: once to take it, "
        "and once to make up for it.",
        "yes, and it would grow a lot": "Chance makes the walk longer, and the prize comes later.",
    },
    _worth_the_walk,
)

WHO_GIVES_UP = Choice(
    "Which of these four agents leaves the most runs unsolved?",
    {
        "EUBRL": "Finding out is worth far more to it than a step costs.",
        "EUBRL-tied": "It pools what it sees in all states, so it knows the odds sooner.",
        "RMAX": "Now and then bad luck fools it. Another agent fails far more often.",
        "BEB": "Doing nothing earns a bonus, too, and the walk is better by very little.",
    },
    lambda state: min(state.curves, key=lambda curve: sum(sum(s.solved) for s in curve.spots)).name,
)


def _gain_without_purpose(state) -> str:
    coin = state.params.tries / 2
    if math.isclose(state.best, coin):
        return "none, as with so few tries the best explorer does no better than a coin"
    gain = (state.earned["Mean-MDP"] - coin) / (state.best - coin)
    return list(WITHOUT_PURPOSE.answers)[round(2 * gain)]


WITHOUT_PURPOSE = Choice(
    "The best explorer earns more than a coin toss. How much of that lead does the mean MDP have?",
    {
        "hardly any": "It learns from every try, whatever its reason for trying.",
        "about half": "With two arms, not exploring costs little. In a deep sea the mean "
        "MDP would have hardly any.",
        "nearly all": "After a few 0s the other arm looks better to it.",
    },
    _gain_without_purpose,
)
