"""Every check knows the right answer, by another way, and has a hint for the usual mistakes."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import eubrl_edu as eu
from eubrl_edu import exercises


def loop_return(action, steps):
    """What always taking one action earns in the world with two loops, counted by hand."""
    return steps // 5 * {0: 1, 1: 2}[action]


def test_best_return():
    best = max(loop_return(action, 1000) for action in (0, 1))
    assert exercises.check_best_return(best).passed
    assert exercises.check_best_return(np.float64(best)).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (2000, "2 in every step"),
        (500, "a round of 4 steps"),
        (200, "what loop 0 earns"),
        (123, "How many rounds"),
        ("many", "should be one number"),
        (math.nan, "should be one number"),
        (10**400, "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_best_returns(answer, hint):
    refused(exercises.check_best_return(answer), hint)


def test_posterior_mean():
    right = stats.dirichlet([3, 2, 1, 1]).mean()
    for answer in (right, list(right), tuple(right.round(3)), pd.Series(right)):
        assert exercises.check_posterior_mean(answer).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([2 / 3, 1 / 3, 0, 0], "observed frequencies"),
        ([1 / 4, 1 / 4, 1 / 4, 1 / 4], "the prior alone"),
        ([3 / 4, 2 / 4, 1 / 4, 1 / 4], "In the denominator"),
        ([3, 2, 1, 1], "Divide them by their sum"),
        ([0.5, 0.5, 0.5, 0.5], "sum to 1"),
        ([0.0, 0.0, 0.0, 0.0], "these sum to 0"),
        ([0.004, 0.0, 0.0, 0.0], "these sum to 0.004"),
        ([0.2, 0.2, 0.3, 0.3], "Add α to each count"),
        ([1 / 2, 1 / 2], "four numbers"),
        (0.5, "four numbers"),
        ("abc", "four numbers"),
        (pd.DataFrame([[3 / 7, 2 / 7, 1 / 7, 1 / 7]]), "four numbers"),
        (..., "Nothing to check yet"),
        ([3 / 7, ..., ..., ...], "Nothing to check yet"),
    ],
)
def test_wrong_posterior_means(answer, hint):
    refused(exercises.check_posterior_mean(answer), hint)


def test_visits_to_balance():
    states, alpha = 20, 0.5
    n = next(n for n in range(100) if n / (n + states * alpha) == 0.5)
    assert exercises.check_visits_to_balance(n).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (0.5, "the weight of one next state"),
        (20, "the number of states"),
        (40, "Multiply"),
        (7, "When are they equal"),
        (None, "should be one number"),
        ("10", "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_visits_to_balance(answer, hint):
    refused(exercises.check_visits_to_balance(answer), hint)


def test_reward_uncertainty():
    def variance_of_the_mean(n, beta, lambda0, alpha0):
        shape, precision = alpha0 + n / 2, lambda0 + n
        return stats.t(2 * shape, scale=math.sqrt(beta / (shape * precision))).var()

    assert exercises.check_reward_uncertainty(variance_of_the_mean).passed


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda n, b, k, a: b / ((k + n) * (a + n / 2)), "α − 1, not α"),
        (lambda n, b, k, a: b / ((k + n) * (a + n - 1)), "a half to α"),
        (lambda n, b, k, a: b / (k * (a + n / 2 - 1)), "λ grows too"),
        (lambda n, b, k, a: b / (k * (a - 1)), "before the first reward"),
        (lambda n, b, k, a: (b / ((k + n) * (a + n / 2 - 1))) ** 0.5, "√E_R"),
        # Right in some trials, and so shown another.
        (lambda n, b, k, a: b, "your function returns 2.5, the package 0.285714"),
        (lambda n, b, k, a: b / ((k + n) * (1 + n / 2)), "0.00793651, the package 0.00740741"),
        (lambda n, b, k, a: n and b / ((k + n) * (a + n / 2 - 1)), "returns 0, the package 1"),
        (lambda n, b, k, a: "b", "should return one number"),
        (lambda n, b, k, a: ..., "Nothing to check yet"),
        (lambda n, b, k, a: None, "Nothing to check yet"),
        (lambda: 0, "Calling your function failed"),
        (lambda n, b, k, a: b / n, r"division by zero (it was called with 0, "),
        (lambda n, b, k, a: b if n == 0 else None, "one number, not None"),
        (..., "Calling your function failed"),
    ],
)
def test_wrong_reward_uncertainties(function, hint):
    refused(exercises.check_reward_uncertainty(function), hint)


def sure_pair(visits):
    return stats.dirichlet([1 + visits, 1, 1]).var().sum()


def test_fall_of_uncertainty():
    assert exercises.check_fall_of_uncertainty(sure_pair(100) / sure_pair(1000)).passed
    assert exercises.check_fall_of_uncertainty(100).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (10, "E_T ~ 1/n"),
        (0.01, "other way round"),
        (1000, "1/n³"),
        (50, "numerator and denominator"),
        (-100, "numerator and denominator"),
        ([], "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_falls_of_uncertainty(answer, hint):
    refused(exercises.check_fall_of_uncertainty(answer), hint)


def refused(feedback, hint):
    assert not feedback.passed
    assert hint in feedback.words
    mark = "○" if feedback.words.startswith("Nothing to check yet") else "✗"
    assert repr(feedback) == f"{mark} {feedback.words}"


def test_a_right_answer_prints_as_one_sentence_with_a_tick():
    assert repr(exercises.check_visits_to_balance(10)).startswith("✓ Right")


# ---- 05_eubrl_step_by_step ----------------------------------------------------------------


def test_guided_step():
    # E_b = 0.5 (0.2 + 0.1), by hand.
    assert exercises.check_guided_step([0.3, 0.7 * 1 + 0.3 * 0.15]).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([0.3, 1.15], "the bonus rule"),
        ([0.3, 0.405], "weights are swapped"),
        ([0.3, 2.0], "P_U is right"),
        ([0.15, 0.745], "That is E_b"),
        ([0.05, 0.951], "square roots"),
        ([0.2236, 0.8], "a root of its own"),
        ([0.9, 0.9], "Begin with"),
        (0.3, "should be two numbers"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_guided_steps(answer, hint):
    refused(exercises.check_guided_step(answer), hint)


def test_guided_reward():
    def right(mean, epistemic, largest):
        return mean + epistemic / largest * (epistemic - mean)

    assert exercises.check_guided_reward(right).passed


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda mean, epistemic, largest: mean + epistemic, "adds a bonus"),
        (
            lambda mean, epistemic, largest: (
                epistemic / largest * mean + (1 - epistemic / largest) * epistemic
            ),
            "weights are swapped",
        ),
        (lambda mean, epistemic, largest: mean + epistemic**2 / largest, "has a weight too"),
        (
            lambda mean, epistemic, largest: (
                mean + epistemic / epistemic.max() * (epistemic - mean)
            ),
            "largest so far",
        ),
        (lambda mean, epistemic, largest: mean, "First P_U"),
        (lambda mean, epistemic, largest: 1.0, "array came out"),
        (lambda mean, epistemic, largest: "much", "array of numbers"),
        (lambda mean, epistemic, largest: ..., "Nothing to check yet"),
        (lambda mean: mean, "TypeError"),
    ],
)
def test_wrong_guided_rewards(function, hint):
    refused(exercises.check_guided_reward(function), hint)


def test_smallest_eta():
    assert exercises.check_smallest_eta(0.2).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (0.5, "it still would"),
        (0.1, "Try a larger η."),
        (0, "above 0"),
        ("little", "above 0"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_smallest_etas(answer, hint):
    refused(exercises.check_smallest_eta(answer), hint)


def test_visits_under_count():
    assert exercises.check_visits_under_count(0.1**-2).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (10, "1/√n"),
        (1, "small α"),
        (50, "When is that 0.1"),
        ([100], "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_visits_under_count(answer, hint):
    refused(exercises.check_visits_under_count(answer), hint)


# ---- 06_race ------------------------------------------------------------------------------


def test_lucky_seed():
    env = eu.make_env("loop", size=2)
    lucky = {
        seed
        for seed in range(40)
        if eu.simulate(eu.make_agent("Q-learning", env), env, 1000, seed).rewards.sum() > 250
    }
    assert lucky and len(lucky) < 10
    for seed in (*lucky, 0, 1):
        assert exercises.check_lucky_seed(seed).passed is (seed in lucky)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (0, "with fewer than 11 rounds of loop 1"),
        (-1, "a whole number, 0 or above"),
        (1.5, "a whole number, 0 or above"),
        ("lucky", "a whole number, 0 or above"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_lucky_seeds(answer, hint):
    refused(exercises.check_lucky_seed(answer), hint)


def test_runs_needed():
    n = next(n for n in range(1, 5000) if 60 * math.sqrt(100 / n) <= 15)
    assert exercises.check_runs_needed(n).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (400, "not like 1/n"),
        (1500, "How many is that in all"),
        (200, "the square of 4"),
        (77, "What n makes it four times smaller"),
        ("many", "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_runs_needed(answer, hint):
    refused(exercises.check_runs_needed(answer), hint)


def doubt_in_place(dice):
    mean = dice.mean(axis=0)
    dice *= -np.log(dice)
    return -(mean * np.log(mean)).sum() - dice.sum(axis=1).mean()


def bonus_in_place(visits, eta):
    visits += 1
    return eta / np.sqrt(visits)


def guided_in_place(mean_reward, epistemic, largest):
    doubt = epistemic / largest
    mean_reward *= 1 - doubt
    mean_reward += doubt * epistemic
    return mean_reward


def interval_in_place(returns):
    mean = returns.mean()
    returns -= mean
    half = 1.96 * np.sqrt((returns**2).sum() / (len(returns) - 1) / len(returns))
    return mean - half, mean + half


@pytest.mark.parametrize(
    ("check", "function"),
    [
        (exercises.check_doubt_of_a_cloud, doubt_in_place),
        (exercises.check_root_bonus, bonus_in_place),
        (exercises.check_guided_reward, guided_in_place),
        (exercises.check_interval_of_mean, interval_in_place),
    ],
)
def test_a_function_may_work_in_place(check, function):
    assert check(function).passed
    assert check(function).passed  # and leaves the check as it was


def test_interval_of_mean():
    def by_scipy(returns):
        return stats.norm.interval(0.95, returns.mean(), stats.sem(returns))

    def by_student(returns):
        return stats.t.interval(0.95, len(returns) - 1, returns.mean(), stats.sem(returns))

    assert exercises.check_interval_of_mean(by_scipy).passed
    assert exercises.check_interval_of_mean(by_student).passed
    assert exercises.check_interval_of_mean(lambda x: np.round(by_scipy(x), 1)).passed


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (lambda x: stats.norm.interval(0.95, x.mean(), x.std(ddof=1)), "divide by √n"),
        (lambda x: stats.norm.interval(0.95, x.mean(), x.std() / len(x)), "the square root of n"),
        (lambda x: (x.mean() - stats.sem(x), x.mean() + stats.sem(x)), "one standard error"),
        (lambda x: (x.min(), x.max()), "Begin with the mean"),
        (lambda x: np.percentile(x, [2.5, 97.5]), "The mean is known more precisely"),
        (lambda x: (x.mean() - 2 * x.std(), x.mean() + 2 * x.std()), "holds most runs"),
        (lambda x: (x.mean() + 2 * stats.sem(x), x.mean() - 2 * stats.sem(x)), "lower end comes"),
        (lambda x: (x.mean(), 1.96 * stats.sem(x)), "the two ends, not the mean"),
        (lambda x: np.round(stats.norm.interval(0.95, x.mean(), stats.sem(x))), "one decimal"),
        (lambda x: x.mean(), "two numbers"),
        (lambda x: ..., "Nothing to check yet"),
        (lambda x: x.nothing, "failed: AttributeError"),
        (lambda x: (..., ...), "Nothing to check yet"),
        (lambda x: [..., ...], "Nothing to check yet"),
        (lambda x: stats.norm.interval(0.95, x.mean(), x.std() / np.sqrt(len(x) - 2)), "Begin"),
    ],
)
def test_wrong_intervals_of_mean(function, hint):
    refused(exercises.check_interval_of_mean(function), hint)


def test_years_of_dithering():
    for years in (2**40 / 1000 / 86400 / 365, 34.8):
        assert exercises.check_years_of_dithering(years).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (2**40 / 1000, "in seconds"),
        (34843, "one episode a second"),
        (40, "2^40"),
        ("long", "should be one number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_years_of_dithering(answer, hint):
    refused(exercises.check_years_of_dithering(answer), hint)


def test_far_unknown():
    worth = [1.0, 1.0]
    for _ in range(19):
        worth = [0.99 * worth[0], 0.5 * worth[1]]
    assert exercises.check_far_unknown(worth).passed
    assert exercises.check_far_unknown([0.826, 1.91e-6]).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([0.99**20, 0.5**20], "Almost"),
        ([0.99**20, 0.5**19], "There are 19"),
        ([0.99**18, 0.5**19], "There are 19"),
        ([0.821, 0.5**19], "There are 19"),
        ([0.99**18, 0.5**18], "one step too few"),
        ([0.99 * 19, 0.5 * 19], "a power"),
        ([0.826, 0], "more digits"),
        ([0.826, 2e-6], "more digits"),
        ([0.826, 9.5], "The second is 0.5 to the same power"),
        ([1, 1], "There are 19"),
        (0.826, "two numbers"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_far_unknown(answer, hint):
    refused(exercises.check_far_unknown(answer), hint)


def test_means_with_failures():
    assert exercises.check_means_with_failures([(17 * 60 + 3 * 500) / 20, 110]).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([60, 110], "forgets the failures"),
        ([51, 110], "took no time"),
        ([280, 110], "count every run"),
        ([126, 60], "divide by 20"),
        (126, "two numbers"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_means_with_failures(answer, hint):
    refused(exercises.check_means_with_failures(answer), hint)


def test_patience():
    def walk(discount, size=20):
        return sum(-(discount**step) for step in range(size - 1)) + discount ** (size - 1) * (
            2 * size - 1
        )

    enough = [percent / 100 for percent in range(100) if walk(percent / 100) > 0]
    assert exercises.check_patience(enough[0]).passed
    refused(exercises.check_patience(enough[0] - 0.01), "Try a larger γ")
    refused(exercises.check_patience(enough[2]), "still would")
    refused(exercises.check_patience(1.0), "just below 1")
    refused(exercises.check_patience(...), "Nothing to check yet")


def test_last_worthwhile_chain():
    assert exercises.check_last_worthwhile_chain(216).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (200, "for 201 it is, too"),
        (217, "doing nothing is better"),
        (216.5, "whole number"),
        (0, "whole number"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_last_worthwhile_chains(answer, hint):
    refused(exercises.check_last_worthwhile_chain(answer), hint)


def test_states_that_may_be_wrong():
    assert exercises.check_states_that_may_be_wrong([0, 2]).passed


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([0.5, 2.5], "only whole ones"),
        ([1, 3], "One too many"),
        ([0, 3], "At least 95%"),
        (2, "two numbers"),
        (..., "Nothing to check yet"),
    ],
)
def test_wrong_states_that_may_be_wrong(answer, hint):
    refused(exercises.check_states_that_may_be_wrong(answer), hint)
