"""An edited formula is what class, agent and engine compute, at the next start, by itself."""

import ast
import itertools
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from eubrl_edu.sources import PACKAGE
from tests.engine.formula_check import check

CHECK = Path(__file__).with_name("formula_check.py")
# Where a formula stands, and an agent that uses it (its measure of uncertainty, for EUBRL).
FORMULAS = {
    "transition_variance": ("uncertainty/formulas.py", "variance", "normal-gamma"),
    "transition_mutual_information": (
        "uncertainty/formulas.py",
        "mutual-information",
        "normal-gamma",
    ),
    "outcome_expectation": ("beliefs/belief.py", "variance", "normal-gamma"),
    "predictive_probability": ("beliefs/belief.py", "variance", "normal-gamma"),
    "epistemic_uncertainty": ("uncertainty/formulas.py", "VBRB", "normal-gamma"),
    "count_uncertainty": ("uncertainty/formulas.py", "count", "normal-gamma"),
    "count_uncertainty as a bonus": ("uncertainty/formulas.py", "MBIE-EB", ""),
    "probability_of_uncertainty": ("uncertainty/formulas.py", "variance", "normal-gamma"),
    "epistemically_guided_reward": ("uncertainty/formulas.py", "variance", "normal-gamma"),
    "reward_with_uncertainty_added": (
        "uncertainty/formulas.py",
        "without shrinkage",
        "normal-gamma",
    ),
    "outcome_parameters": ("beliefs/transitions.py", "variance", "normal-gamma"),
    "total_parameter": ("beliefs/transitions.py", "variance", "normal-gamma"),
    "at_borders": ("beliefs/transitions.py", "variance", "tied"),
    "displacement": ("beliefs/transitions.py", "variance", "tied"),
    "normal_gamma_parameters": ("beliefs/conjugate_rewards.py", "variance", "normal-gamma"),
    "normal_gamma_update": ("beliefs/conjugate_rewards.py", "variance", "normal-gamma"),
    "normal_gamma_variance": ("beliefs/conjugate_rewards.py", "variance", "normal-gamma"),
    "normal_update": ("beliefs/conjugate_rewards.py", "variance", "normal"),
    "normal_mean": ("beliefs/conjugate_rewards.py", "variance", "normal"),
    "normal_variance": ("beliefs/conjugate_rewards.py", "variance", "normal"),
    "beta_update": ("beliefs/conjugate_rewards.py", "variance", "bernoulli"),
    "beta_mean": ("beliefs/conjugate_rewards.py", "variance", "bernoulli"),
    "beta_variance": ("beliefs/conjugate_rewards.py", "variance", "bernoulli"),
    "count_bonus": ("agents/beb.py", "BEB", "normal-gamma"),
    "average": ("agents/empirical.py", "EQO", ""),
    "visit_bonus": ("agents/eqo.py", "EQO", ""),
    "interval_bonus": ("agents/mbie_eb.py", "MBIE-EB", ""),
    "deviation_bonus": ("agents/vbrb.py", "VBRB", "normal-gamma"),
    "guided_by_count": ("agents/frequentist.py", "frequentist", ""),
    "bernstein_bonus": ("agents/ucbvi.py", "UCBVI-gamma", ""),
    "unknown_share": ("agents/ucbvi.py", "UCBVI-gamma", ""),
    "backed_up": ("agents/ucbvi.py", "UCBVI-gamma", ""),
}
# One of a belief, one of uncertainty, one of an agent; each agent uses only one of the three.
TOGETHER = {
    "normal_gamma_variance": ("variance", "normal-gamma"),
    "transition_mutual_information": ("mutual-information", "bernoulli"),
    "count_bonus": ("BEB", "normal-gamma"),
}


def edited(source: str, name: str) -> str:
    """The source with what a function returns (first) a quarter larger."""
    tree = ast.parse(source)
    (function,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name
    )
    last = function.body[-1]
    results = last.value.elts if isinstance(last.value, ast.Tuple) else [last.value]
    results[0] = ast.BinOp(ast.Constant(1.25), ast.Mult(), results[0])
    if isinstance(last.value, ast.Tuple):
        last.value.elts = results
    else:
        (last.value,) = results
    return ast.unparse(ast.fix_missing_locations(tree))


def copied(folder):
    """A copy of the package, in a folder that also takes what is compiled of it."""
    shutil.copytree(
        PACKAGE, folder / "eubrl_edu", ignore=shutil.ignore_patterns("__pycache__", "*.nb?")
    )
    return folder


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return copied(tmp_path_factory.mktemp("house"))


def checked(house, *agents_with_rewards) -> list[float]:
    """What a new process says, in which class, agent and engine agree."""
    done = subprocess.run(
        [sys.executable, CHECK, *agents_with_rewards],
        cwd=house,
        env=os.environ | {"PYTHONPATH": str(house), "NUMBA_CACHE_DIR": str(house / "caches")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return list(map(float, done.stdout.split()))


@cache
def at_first(house, agent, rewards) -> list[float]:
    """What the copy says unedited, as every test leaves it."""
    return checked(house, agent, rewards)


def test_three_edited_formulas_act_everywhere(tmp_path):
    """All at once, as most of the time goes into compiling the copy."""
    house = copied(tmp_path)
    for name in TOGETHER:
        file = house / "eubrl_edu" / FORMULAS[name][0]
        file.write_text(edited(file.read_text(encoding="utf-8"), name), encoding="utf-8")
    after = checked(house, *itertools.chain(*TOGETHER.values()))
    before = [check(*arguments) for arguments in TOGETHER.values()]
    assert all(np.not_equal(before, after))


@pytest.mark.long
@pytest.mark.parametrize("name", FORMULAS)
def test_an_edited_formula_acts_everywhere(house, name):
    place, agent, rewards = FORMULAS[name]
    file = house / "eubrl_edu" / place
    before = at_first(house, agent, rewards)
    source = file.read_text(encoding="utf-8")
    try:
        file.write_text(edited(source, name.split()[0]), encoding="utf-8")
        assert checked(house, agent, rewards) != before
    finally:
        file.write_text(source, encoding="utf-8")


@pytest.mark.long
def test_an_edit_taken_back_leaves_no_trace(house):
    """What was compiled before it is found again, and what was compiled of it is not."""
    place, agent, rewards = FORMULAS["epistemically_guided_reward"]
    file = house / "eubrl_edu" / place
    before = at_first(house, agent, rewards)
    source = file.read_text(encoding="utf-8")
    try:
        file.write_text(edited(source, "epistemically_guided_reward"), encoding="utf-8")
        checked(house, agent, rewards)
    finally:
        file.write_text(source, encoding="utf-8")
    assert checked(house, agent, rewards) == before
