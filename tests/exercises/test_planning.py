"""The checks of notebook 03: right answers by another way, and a hint for the usual mistakes."""

import re

import nbformat
import numpy as np
import pytest

import eubrl_edu as eu
from eubrl_edu import exercises
from eubrl_edu.planning import solve, value_iteration
from tests.notebooks.store import NOTEBOOKS
from tests.test_exercises import refused


def test_right_answers():
    assert exercises.check_return(9.29).passed
    assert exercises.check_backup(8.92).passed
    assert exercises.check_tolerance(0.01 / 19).passed
    assert exercises.check_tolerance(0.0005).passed
    assert exercises.check_tolerance(0.00053).passed
    assert exercises.check_steps_worth_a_try(11).passed


def test_the_hint_on_steps_worth_a_try_leads_there():
    cells = nbformat.read(NOTEBOOKS / "03_planning.ipynb", as_version=4).cells
    page: dict = {}
    exec(next(cell.source for cell in cells if cell.id == "tree"), page)
    hint = exercises.check_steps_worth_a_try(30).words
    call = re.search(r"best\(.*?\)", hint)[0]
    gains = (eval(call, page, {"left": left}) - 0.7 * left for left in range(1, 100))
    found = next(left for left, gain in enumerate(gains, start=1) if gain > 1e-9)
    assert exercises.check_steps_worth_a_try(found).passed


def test_the_tolerance_is_enough_and_no_smaller_than_it_must_be():
    chain = eu.make_env("chain").model
    exact = solve(chain, 0.95).v
    errors = [
        np.abs(value_iteration(chain, 0.95, tolerance).v - exact).max()
        for tolerance in (0.01 / 19, 0.02 / 19)
    ]
    assert errors[0] <= 0.01 < errors[1]


def test_q_of_an_untried_pair_is_its_reward_and_the_average_state():
    env = eu.make_env("loop", size=2)
    agent = eu.make_agent("EUBRL", env)
    eu.simulate(agent, env, steps=23, seed=0)
    q = agent.plan().q[8, 0]
    assert q == pytest.approx(6.203, abs=5e-4)
    now = agent.plan().guided_reward[8, 0]
    assert exercises.check_now_and_future([now, q - now]).passed


def test_a_random_search_over_ways_to_try_finds_no_gain_before_eleven_steps():
    """Try until the first 0, then keep to the known arm: for few steps nothing does better."""

    def try_until_zero(left):
        # After k ones in a row the next is a one with (k + 1)/(k + 2).
        worth, alive = 0.0, 1.0
        for k in range(left):
            chance = (k + 1) / (k + 2)
            worth += alive * (chance + (1 - chance) * 0.7 * (left - k - 1))
            alive *= chance
        return worth

    assert try_until_zero(10) <= 7.0 + 1e-9
    assert try_until_zero(12) > 12 * 0.7


@pytest.mark.parametrize(
    ("check", "answer", "hint"),
    [
        ("return", 12, "the sum"),
        ("return", 8.561, "three steps after"),
        ("return", 0.9 * 9.29, "counts in full"),
        ("return", 10.8, "a power of γ of its own"),
        ("return", 0, "Add up"),
        ("return", [9.29], "one number"),
        ("return", ..., "Nothing to check yet"),
        ("backup", 9.8, "without γ"),
        ("backup", 8.82, "paid now"),
        ("backup", 7.92, "pay now"),
        ("backup", 7.3, "not equally likely"),
        ("backup", 10, "better next state"),
        ("backup", -1, "Average"),
        ("tolerance", 0.01, "nearly 0.2"),
        ("tolerance", 0.19, "Upside down"),
        ("tolerance", 0.0095, "19 here"),
        ("tolerance", 0.00055, "Solve"),
        ("tolerance", 7, "Solve"),
        ("steps_worth_a_try", 4, "pays 0.6"),
        ("steps_worth_a_try", 10, "Not yet"),
        ("steps_worth_a_try", 0, "does pay in the end"),
        ("steps_worth_a_try", 30, "Call best"),
        ("now_and_future", [5.231, 0.971], "wrong order"),
        ("now_and_future", [0.971, 5.507], "times γ"),
        ("now_and_future", [0.971, 6.203], "all of Q"),
        ("now_and_future", [0, 1], "P_U is 1"),
        ("now_and_future", [3, 3], "Q minus that"),
        ("now_and_future", 6.2, "two numbers"),
        ("now_and_future", ..., "Nothing to check yet"),
    ],
)
def test_wrong_answers(check, answer, hint):
    refused(getattr(exercises, f"check_{check}")(answer), hint)
