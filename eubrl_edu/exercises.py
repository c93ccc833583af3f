"""The checks that the notebooks call: each takes an answer and says what is right about it.

A check computes the truth with the package when it is called, never from a stored number. What
it returns prints as one or two sentences; its ``passed`` is true exactly when the answer is right.
A wrong answer that many people give is met with a hint of its own.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eubrl_edu.beliefs import DirichletTransitions, NormalGammaRewards
from eubrl_edu.environments import make_env
from eubrl_edu.experiments import make_agent
from eubrl_edu.planning import backward_induction, solve
from eubrl_edu.simulation import simulate
from eubrl_edu.success import NEARLY_ALL
from eubrl_edu.uncertainty import (
    count_uncertainty,
    epistemic_uncertainty,
    epistemically_guided_reward,
    probability_of_uncertainty,
    transition_variance,
)


@dataclass(frozen=True)
class Feedback:
    """What a check says about an answer."""

    passed: bool
    words: str

    def __repr__(self) -> str:
        return f"{'✓' if self.passed else '✗'} {self.words}"


NOTHING_YET = Feedback(False, "Nothing to check yet: put your answer in place of the three dots.")


# ---- 00_start_here ------------------------------------------------------------------------


def check_best_return(answer: Any) -> Feedback:
    """Check the largest return of 1000 steps in the Loop world with two loops."""
    if answer is ...:
        return NOTHING_YET
    number = _number(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    steps = 1000
    plan = backward_induction(make_env("loop", size=2).model, horizon=steps, discount=1.0)
    best = float(plan.v[0, 0])
    if math.isclose(number, best):
        return Feedback(True, f"Right: {steps // 5} rounds of 5 steps, and each pays 2.")
    if math.isclose(number, 2 * steps):
        return Feedback(False, "That would be 2 in every step. How many steps does a round take?")
    if math.isclose(number, 2 * steps / 4):
        return Feedback(
            False,
            "That is a round of 4 steps. One step leads into the loop, three move on inside it, "
            "and one leads back: how many is that?",
        )
    if math.isclose(number, best / 2):
        return Feedback(False, "That is what the easy loop earns. The other one pays 2 a round.")
    return Feedback(
        False, "Count the steps of one round from start to start. How many rounds fit into 1000?"
    )


# ---- 01_beliefs ---------------------------------------------------------------------------


def check_posterior_mean(answer: Any) -> Feedback:
    """Check P_b of A, B, C and D after A, A, B under a Dirichlet prior with α = 1."""
    if answer is ...:
        return NOTHING_YET
    numbers = _numbers(answer, 4)
    if numbers is None:
        return Feedback(False, f"The answer should be four numbers, not {answer!r}.")
    belief = DirichletTransitions(n_states=4, n_actions=1, alpha=1.0)
    for next_state in (0, 0, 1):
        belief.update(0, 0, next_state)
    right = _posterior_means(belief)
    counts = np.array([2.0, 1.0, 0.0, 0.0])
    if np.allclose(numbers, right, atol=5e-3):
        return Feedback(True, "Right: three real visits, and four that the prior imagines.")
    if np.allclose(numbers, counts / 3, atol=5e-3):
        return Feedback(
            False,
            "Those are the observed frequencies. The prior adds α = 1 to each of the four counts.",
        )
    if np.allclose(numbers, np.ones(4) / 4, atol=5e-3):
        return Feedback(False, "That is the prior alone. Three observations have come in.")
    if not math.isclose(numbers.sum(), 1, abs_tol=0.02):
        if np.allclose(numbers, right * numbers.sum(), atol=5e-3) and numbers.any():
            return Feedback(
                False,
                "In the right proportions, but probabilities sum to 1. Below the line, α counts "
                "once for each of the four next states.",
            )
        return Feedback(False, f"Probabilities sum to 1; these sum to {numbers.sum():.3g}.")
    return Feedback(False, "Add α to each count, then divide by the sum of all four.")


def check_visits_to_balance(answer: Any) -> Feedback:
    """Check when data and prior weigh the same, for 20 states and α = 0.5."""
    if answer is ...:
        return NOTHING_YET
    number = _number(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    n_states, alpha = 20, 0.5
    belief = DirichletTransitions(n_states, n_actions=1, alpha=alpha)
    prior_weight = belief.parameters(0, 0).total
    if math.isclose(number, prior_weight):
        return Feedback(True, "Right: α₀ = 20 · 0.5 = 10, so 10 visits weigh as much as the prior.")
    if math.isclose(number, alpha):
        return Feedback(
            False, "That is α, the weight of one next state. The prior has one α for each state."
        )
    if math.isclose(number, n_states):
        return Feedback(False, "That is the number of states. How much does each of them count?")
    return Feedback(False, "The weights are n / (n + α₀) and α₀ / (n + α₀). When are they equal?")


def check_reward_uncertainty(function: Callable[[int, float, float, float], float]) -> Feedback:
    """Check a function (n, beta, lambda0, alpha0) that returns the E_R of Normal-Gamma."""
    trials = [(0, 1.0, 1.0, 2.0), (3, 2.5, 0.5, 2.0), (40, 7.0, 2.0, 3.5)]
    try:
        answers = [function(*trial) for trial in trials]
    except Exception as error:
        return Feedback(False, f"Calling your function failed: {type(error).__name__}: {error}.")
    if answers[0] is ... or answers[0] is None:
        return Feedback(False, "Nothing to check yet: your function does not return a number.")
    numbers = _numbers(answers, len(trials))
    if numbers is None:
        return Feedback(False, f"Your function should return one number, not {answers[0]!r}.")
    if np.allclose(numbers, [_package_reward_uncertainty(*trial) for trial in trials]):
        return Feedback(True, "Right: your function agrees with the package in all trials.")
    mistakes: list[tuple[Callable, str]] = [
        (
            lambda n, beta, lambda0, alpha0: beta / ((lambda0 + n) * (alpha0 + n / 2)),
            "Almost: below stands α − 1, not α. That is why α₀ must be above 1.",
        ),
        (
            lambda n, beta, lambda0, alpha0: beta / ((lambda0 + n) * (alpha0 + n - 1)),
            "Almost: a reward adds a half to α, not one.",
        ),
        (
            lambda n, beta, lambda0, alpha0: beta / (lambda0 * (alpha0 + n / 2 - 1)),
            "Almost: λ grows too, by one for each reward.",
        ),
        (
            lambda n, beta, lambda0, alpha0: beta / (lambda0 * (alpha0 - 1)),
            "That is right before the first reward. How do λ and α grow with n?",
        ),
        (
            lambda *trial: math.sqrt(_package_reward_uncertainty(*trial)),
            "That is √E_R. E_R itself is a variance; the root comes later, in E_b.",
        ),
    ]
    for mistake, hint in mistakes:
        if np.allclose(numbers, [mistake(*trial) for trial in trials]):
            return Feedback(False, hint)
    n, beta, lambda0, alpha0 = trials[1]
    return Feedback(
        False,
        f"For n = {n}, beta = {beta:g}, lambda0 = {lambda0:g}, alpha0 = {alpha0:g} your function "
        f"returns {numbers[1]:.4g}, the package {_package_reward_uncertainty(*trials[1]):.4g}.",
    )


def check_fall_of_uncertainty(answer: Any) -> Feedback:
    """Check by what factor E_T falls from 100 to 1000 visits that all lead to one state."""
    if answer is ...:
        return NOTHING_YET
    number = _number(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    few, many = (_transition_uncertainty_of_a_sure_pair(visits) for visits in (100, 1000))
    factor = few / many
    if abs(number / factor - 1) < 0.15:
        return Feedback(
            True, f"Right: the package says {factor:.3g}. Without surprise, E_T ~ 1/n²."
        )
    if math.isclose(number, 10, rel_tol=0.15):
        return Feedback(
            False,
            "So it would be for a pair that leads here and there, where E_T ~ 1/n. This one "
            "never surprises: compare BeliefLab(seen_a=100) with BeliefLab(seen_a=1000).",
        )
    if 0 < number and math.isclose(number, 1 / factor, rel_tol=0.15):
        return Feedback(False, "The other way round: by what factor does it fall?")
    if math.isclose(number, 1000, rel_tol=0.15):
        return Feedback(False, "Too much: that would be 1/n³.")
    return Feedback(
        False, "Put the counts (n, 0, 0) into the formula. Which power of n is above, which below?"
    )


# ---- 05_eubrl_step_by_step ----------------------------------------------------------------


def check_guided_step(answer: Any) -> Feedback:
    """Check P_U and r^EUBRL for E_T = 0.04, E_R = 0.01, η = 0.5, E_max = 0.5 and r_b = 1."""
    if answer is ...:
        return NOTHING_YET
    numbers = _numbers(answer, 2)
    if numbers is None:
        return Feedback(False, f"The answer should be two numbers, not {answer!r}.")
    transition, reward, eta, largest, mean = 0.04, 0.01, 0.5, 0.5, 1.0
    epistemic = epistemic_uncertainty(transition, reward, eta)
    probability = probability_of_uncertainty(epistemic, largest)
    guided = epistemically_guided_reward(mean, epistemic, probability)
    if np.allclose(numbers, [probability, guided], atol=5e-4):
        return Feedback(True, "Right: mostly sure, so mostly the reward, and a little doubt.")
    if math.isclose(numbers[0], probability, abs_tol=5e-4):
        if math.isclose(numbers[1], mean + epistemic, abs_tol=5e-4):
            return Feedback(False, "P_U is right. r_b + E_b is the bonus rule: here they share.")
        swapped = epistemically_guided_reward(mean, epistemic, 1 - probability)
        if math.isclose(numbers[1], swapped, abs_tol=5e-4):
            return Feedback(False, "P_U is right, but the weights are swapped: r_b has 1 − P_U.")
        return Feedback(False, "P_U is right. The rest is (1 − P_U) r_b + P_U E_b.")
    if math.isclose(numbers[0], epistemic, abs_tol=5e-4):
        return Feedback(False, "That is E_b. P_U is its share of E_max.")
    without_roots = eta * (transition + reward) / largest
    one_root = eta * math.sqrt(transition + reward) / largest
    if math.isclose(numbers[0], without_roots, abs_tol=5e-4):
        return Feedback(False, "E_b takes the square roots of E_T and of E_R.")
    if math.isclose(numbers[0], one_root, abs_tol=5e-4):
        return Feedback(False, "Almost: each has a root of its own, √E_T + √E_R.")
    return Feedback(False, "Begin with E_b = η(√E_T + √E_R), then divide by E_max for P_U.")


def check_guided_reward(function: Callable[[Any, Any, float], Any]) -> Feedback:
    """Check a function (mean_reward, epistemic, max_uncertainty) that returns r^EUBRL."""
    rng = np.random.default_rng(0)
    mean, epistemic = rng.normal(size=(4, 2)), rng.random((4, 2))
    largest = 1.5
    probability = probability_of_uncertainty(epistemic, largest)
    right = epistemically_guided_reward(mean, epistemic, probability)
    try:
        answer = function(mean, epistemic, largest)
    except Exception as error:
        return Feedback(False, f"Calling your function failed: {type(error).__name__}: {error}.")
    if answer is ... or answer is None:
        return Feedback(False, "Nothing to check yet: your function does not return anything.")
    try:
        numbers = np.asarray(answer, dtype=float)
    except (TypeError, ValueError):
        return Feedback(False, "Your function should return an array of numbers.")
    if numbers.shape != mean.shape:
        return Feedback(False, f"A {mean.shape} array went in, a {numbers.shape} array came out.")
    if np.allclose(numbers, right):
        return Feedback(True, "Right: on random arrays your function agrees with the package.")
    if np.allclose(numbers, mean + epistemic):
        return Feedback(False, "That adds a bonus. Guidance shares: what r_b gains, E_b loses.")
    if np.allclose(numbers, epistemically_guided_reward(mean, epistemic, 1 - probability)):
        return Feedback(False, "The weights are swapped: where all is unsure, E_b has to speak.")
    if np.allclose(numbers, mean + probability * epistemic):
        return Feedback(False, "Almost: r_b has a weight too, 1 − P_U.")
    if np.allclose(
        numbers, epistemically_guided_reward(mean, epistemic, epistemic / epistemic.max())
    ):
        return Feedback(False, "E_max is not the largest E_b now, but the one given: of all times.")
    return Feedback(False, "First P_U = E_b / E_max, then (1 − P_U) r_b + P_U E_b.")


def check_smallest_eta(answer: Any) -> Feedback:
    """Check that EUBRL finds the better loop with this η, and no longer with 1.3 times less."""
    if answer is ...:
        return NOTHING_YET
    eta = _number(answer)
    if eta is None or eta <= 0:
        return Feedback(False, f"The answer should be one number above 0, not {answer!r}.")
    if not _finds_the_better_loop(eta):
        return Feedback(False, f"With η = {eta:g} it stays in the loop that pays 1. More!")
    if _finds_the_better_loop(eta / 1.3):
        return Feedback(False, f"It does find it, but with η = {eta / 1.3:.3g} it still would.")
    return Feedback(True, f"Right: with η = {eta:g} it finds the loop, with a little less not.")


def check_visits_under_count(answer: Any) -> Feedback:
    """Check after how many visits P_U is down to 0.1 under the count measure."""
    if answer is ...:
        return NOTHING_YET
    number = _number(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    visits = np.arange(2000)
    epistemic = count_uncertainty(visits, eta=1.0)
    probability = probability_of_uncertainty(epistemic, float(epistemic.max()))
    first = int(visits[probability <= 0.1 + 1e-12][0])
    if math.isclose(number, first):
        return Feedback(True, f"Right: {first} visits, although nothing there is random.")
    if math.isclose(number, 10):
        return Feedback(False, "That would be 1/n. The measure is 1/√n.")
    if number in (1, 2):
        return Feedback(
            False, "So it is for the variance with a small α. This measure only counts."
        )
    return Feedback(False, "P_U = E_b / E_max = 1/√n here. When is that 0.1?")


# ---- 06_race ------------------------------------------------------------------------------


def check_lucky_seed(answer: Any) -> Feedback:
    """Check that ε-greedy Q-learning finds the better of two loops with this seed."""
    if answer is ...:
        return NOTHING_YET
    number = _number(answer)
    if number is None or number < 0 or number != int(number):
        return Feedback(False, f"A seed is a whole number from 0 on, not {answer!r}.")
    env = make_env("loop", size=2)
    rewards = simulate(make_agent("Q-learning", env), env, steps=1000, seed=int(number)).rewards
    words = f"With seed {int(number)} it earns {rewards.sum():g}"
    if (rewards == 2).sum() >= 11:
        return Feedback(True, f"Right: {words[0].lower()}{words[1:]}. One lucky run, and many not.")
    return Feedback(False, f"{words}: it goes round in the loop that pays 1. Try other seeds.")


def check_runs_needed(answer: Any) -> Feedback:
    """Check how many runs make the interval of a mean four times narrower than 100 runs do."""
    if answer is ...:
        return NOTHING_YET
    number = _number(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    runs, half_width, wanted = 100, 60.0, 15.0
    spread = half_width * math.sqrt(runs)
    needed = (spread / wanted) ** 2
    if math.isclose(number, needed):
        return Feedback(True, "Right: four times as narrow takes sixteen times the runs.")
    if math.isclose(number, needed - runs):
        return Feedback(False, "So many more, yes. How many in all?")
    if math.isclose(number, runs * half_width / wanted):
        return Feedback(False, "With n runs the width goes like 1/√n, not like 1/n.")
    if math.isclose(number, runs * math.sqrt(half_width / wanted)):
        return Feedback(False, "The other way round: the square of 4, not its root.")
    return Feedback(False, "The width is 2 · 1.96 · s / √n. What n makes it four times smaller?")


def check_interval_of_mean(function: Callable[[Any], Any]) -> Feedback:
    """Check a function (returns) that gives both ends of the 95 % interval of the mean."""
    trials = [
        np.random.default_rng(seed).normal(300.0, 40.0, size=n) for seed, n in ((0, 25), (1, 100))
    ]
    try:
        answers = [function(trial) for trial in trials]
    except Exception as error:
        return Feedback(False, f"Calling your function failed: {type(error).__name__}: {error}.")
    first = answers[0]
    if first is ... or first is None or (isinstance(first, tuple) and ... in first):
        return Feedback(False, "Nothing to check yet: put the two ends in place of the dots.")
    numbers = [_numbers(answer, 2) for answer in answers]
    if any(ends is None for ends in numbers):
        return Feedback(False, f"Your function should return two numbers, not {first!r}.")

    def agrees(half_width: Callable[[np.ndarray], float]) -> bool:
        right = [trial.mean() + half_width(trial) * np.array([-1, 1]) for trial in trials]
        return np.allclose(numbers, right, rtol=1e-3)

    # With 1.96 or 2, and n or n − 1 below the line: all are in use, and here they agree.
    for factor in (1.96, 2.0):
        for lost in (0, 1):
            if agrees(lambda x, f=factor, d=lost: f * x.std(ddof=d) / math.sqrt(len(x))):
                return Feedback(True, "Right: the mean, give or take two standard errors.")
    if agrees(lambda x: 1.96 * x.std(ddof=1)) or agrees(lambda x: 1.96 * x.std()):
        return Feedback(False, "That holds most of the runs. The mean is surer: divide by √n.")
    if agrees(lambda x: x.std(ddof=1) / math.sqrt(len(x))) or agrees(
        lambda x: x.std() / math.sqrt(len(x))
    ):
        return Feedback(False, "That is one standard error each way. 95 % takes 1.96 of them.")
    if agrees(lambda x: 1.96 * x.std(ddof=1) / len(x)) or agrees(lambda x: 1.96 * x.std() / len(x)):
        return Feedback(False, "Almost: divide by the square root of n.")
    return Feedback(False, "Begin with the mean; then take away, and add, 1.96 · s / √n.")


# ---- 07_deep_exploration -----------------------------------------------------------------


def check_years_of_dithering(answer: Any) -> Feedback:
    """Check how many years a random walker needs in the DeepSea of 40 rows, at 1 ms an episode."""
    if answer is ...:
        return NOTHING_YET
    number = _number(answer)
    if number is None:
        return Feedback(False, f"The answer should be one number, not {answer!r}.")
    seconds = 2.0**40 / 1000
    year = 365.25 * 24 * 3600
    if math.isclose(number, seconds / year, rel_tol=0.02):
        return Feedback(True, "Right: a working life, for one treasure. And ten rows more?")
    if math.isclose(number, seconds, rel_tol=0.02):
        return Feedback(False, "That is in seconds. How many seconds has a year?")
    if math.isclose(number, 1000 * seconds / year, rel_tol=0.02):
        return Feedback(False, "That would be at one episode a second. It is a thousand.")
    return Feedback(False, "One episode in 2^40 succeeds, and a thousand of them last a second.")


def check_far_unknown(answer: Any) -> Feedback:
    """Check what an unknown pair 19 steps ahead is worth now, for γ = 0.99 and for γ = 0.5."""
    if answer is ...:
        return NOTHING_YET
    numbers = _numbers(answer, 2)
    if numbers is None:
        return Feedback(False, f"The answer should be two numbers, not {answer!r}.")
    steps, discounts = 19, np.array([0.99, 0.5])
    right = discounts**steps
    if np.allclose(numbers, right, rtol=0.02, atol=0):
        return Feedback(True, "Right: one of them still speaks at the start, the other is silent.")
    if np.allclose(numbers, discounts ** (steps + 1), rtol=0.02, atol=0):
        return Feedback(False, "Almost: the first step is not discounted. After 1 step it is γ.")
    if np.allclose(numbers, discounts * steps, rtol=0.02, atol=0):
        return Feedback(False, "Each step multiplies by γ once more: it is a power.")
    if math.isclose(numbers[0], right[0], rel_tol=0.02):
        return Feedback(False, "The first is right. 0.5 to the same power needs more digits.")
    return Feedback(False, "Each step between now and then multiplies by γ. There are 19.")


def check_means_with_failures(answer: Any) -> Feedback:
    """Check the mean episodes of two agents when runs without success count with their limit."""
    if answer is ...:
        return NOTHING_YET
    numbers = _numbers(answer, 2)
    if numbers is None:
        return Feedback(False, f"The answer should be two numbers, not {answer!r}.")
    fast = np.mean([60.0] * 17 + [500.0] * 3)
    sure = 110.0
    if np.allclose(numbers, [fast, sure], atol=0.5):
        return Feedback(True, "Right: the slower one is ahead, and even 126 is too low a mean.")
    if np.allclose(numbers, [60, sure], atol=0.5):
        return Feedback(False, "So one forgets the failures. Each of them took 500 episodes.")
    if np.allclose(numbers, [0.85 * 60, sure], atol=0.5):
        return Feedback(False, "The three failures took no time in your mean. They took 500 each.")
    if np.allclose(numbers, [280, sure], atol=0.5):
        return Feedback(False, "Seventeen runs took 60 and three took 500: weigh them so.")
    return Feedback(False, "Add the episodes of all 20 runs, then divide by 20; for each agent.")


# ---- 08_lazy_chain -----------------------------------------------------------------------


def check_patience(answer: Any) -> Feedback:
    """Check a γ that is just large enough to set out in the deterministic LazyChain 20."""
    if answer is ...:
        return NOTHING_YET
    discount = _number(answer)
    if discount is None or not 0 <= discount < 1:
        return Feedback(False, f"γ is a number from 0 to just below 1, not {answer!r}.")
    if not _sets_out(20, False, discount):
        return Feedback(False, f"With γ = {discount:g} it does not go right. More patience!")
    if _sets_out(20, False, max(discount - 0.01, 0.0)):
        return Feedback(False, f"It goes, but with γ = {discount - 0.01:.3g} it still would.")
    return Feedback(True, f"Right: with γ = {discount:g} it sets out, with 0.01 less it does not.")


def check_last_worthwhile_chain(answer: Any) -> Feedback:
    """Check the largest N whose stochastic LazyChain is worth the walk right at γ = 0.999."""
    if answer is ...:
        return NOTHING_YET
    number = _number(answer)
    if number is None or number != int(number) or not 1 <= number <= 1000:
        return Feedback(False, f"N is a whole number from 1 to 1000, not {answer!r}.")
    size = int(number)
    if not _sets_out(size, True, 0.999):
        return Feedback(False, f"For N = {size} doing nothing is better at the start. Go lower.")
    if _sets_out(size + 1, True, 0.999):
        return Feedback(False, f"For N = {size} it is worth it, but for {size + 1} it is, too.")
    return Feedback(True, f"Right: {size}. One more, and the best thing is to do nothing at all.")


def check_states_that_may_be_wrong(answer: Any) -> Feedback:
    """Check how many states the near rule lets be wrong in LazyChain, for N = 10 and N = 50."""
    if answer is ...:
        return NOTHING_YET
    numbers = _numbers(answer, 2)
    if numbers is None:
        return Feedback(False, f"The answer should be two numbers, not {answer!r}.")
    allowed = [
        max(wrong for wrong in range(size) if size - wrong >= NEARLY_ALL * size)
        for size in (10, 50)
    ]
    if np.array_equal(numbers, allowed):
        return Feedback(True, "Right: for 10 the two rules ask for the same policy.")
    if np.allclose(numbers, [0.5, 2.5]):
        return Feedback(False, "Those are 5 %. A state is right or wrong: only whole ones count.")
    if np.array_equal(numbers, [1, 3]):
        return Feedback(False, "One too many each: 9 of 10 are 90 %, and 47 of 50 are 94 %.")
    return Feedback(False, "At least 95 % of the N states must be right. How many may be wrong?")


# ---- what the checks share ----------------------------------------------------------------


def _number(answer: Any) -> float | None:
    """``answer`` as a finite float, or None."""
    try:
        number = float(answer)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def _numbers(answer: Any, length: int) -> np.ndarray | None:
    """``answer`` as that many finite floats, or None."""
    if isinstance(answer, str) or not isinstance(answer, Sequence | np.ndarray):
        return None
    numbers = [_number(entry) for entry in answer]
    if len(numbers) != length or None in numbers:
        return None
    return np.array(numbers)


def _posterior_means(belief: DirichletTransitions) -> np.ndarray:
    """P_b of every next state of the pair (0, 0)."""
    outcomes = [belief.prepare(0, 0, next_state) for next_state in range(belief.n_states)]
    row = belief.parameters(0, 0)
    return np.array([row.listed[outcome] / row.total for outcome in outcomes])


def _package_reward_uncertainty(n: int, beta: float, lambda0: float, alpha0: float) -> float:
    """E_R of a Normal-Gamma belief that has seen n rewards, all of them as expected."""
    belief = NormalGammaRewards(1, 1, 0.0, lambda0, alpha0, beta, on="action")
    if n:
        belief.update_batch(0, 0, 0, [0.0] * n)
    return belief.posterior((0, 0, 0))[1].item()


def _transition_uncertainty_of_a_sure_pair(visits: int) -> float:
    """E_T of a pair with three possible next states that led to the same one each time."""
    belief = DirichletTransitions(n_states=3, n_actions=1, alpha=1.0)
    belief.update(0, 0, 0, times=visits)
    return float(transition_variance(belief.parameters(0, 0)))


def _finds_the_better_loop(eta: float) -> bool:
    """Whether EUBRL with this η, seed 0, is paid 2 within 300 steps of the Loop with two loops."""
    env = make_env("loop", size=2)
    trajectory = simulate(make_agent("EUBRL", env, eta=eta), env, steps=300, seed=0)
    return bool((trajectory.rewards == 2).any())


def _sets_out(size: int, stochastic: bool, discount: float) -> bool:
    """Whether going right is the best action at the start of a LazyChain, better than nothing."""
    env = make_env("lazychain", size=size, stochastic=stochastic)
    right, nothing = solve(env.model, discount).q[size, [1, 2]]
    return bool(right > nothing)
