"""An edited formula is what class, agent and engine compute, at the next start, by itself."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from eubrl_edu.compiling import COMPILED
from eubrl_edu.sources import PACKAGE, source_hash
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
    "digamma_excess": ("uncertainty/formulas.py", "mutual-information", "normal-gamma"),
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
AGENTS = list(dict.fromkeys((agent, rewards) for _, agent, rewards in FORMULAS.values()))
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


def edit(house, *names: str) -> None:
    """Edit these formulas in a copy of the package."""
    for name in names:
        file = house / "eubrl_edu" / FORMULAS[name][0]
        text = edited(file.read_text(encoding="utf-8"), name.split()[0])
        file.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy in which all that is checked is compiled, unedited."""
    folder = copied(tmp_path_factory.mktemp("house"))
    checked(folder, *AGENTS)
    return folder


def checked(house, *agents, taken_back=()) -> list[list[float]]:
    """What a new process says in which class, agent and engine agree; what the class alone says
    where each of some formulas is taken back; and what it says by itself.
    """
    formulas = [(FORMULAS[name][0], name.split()[0], *FORMULAS[name][1:]) for name in taken_back]
    asked = {"checks": agents, "formulas": formulas, "unedited": str(PACKAGE)}
    done = subprocess.run(
        [sys.executable, CHECK, json.dumps(asked)],
        cwd=house,
        env=os.environ | {"PYTHONPATH": str(house), "NUMBA_CACHE_DIR": str(house / "caches")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_three_edited_formulas_act_everywhere(tmp_path):
    """All at once, as most of the time goes into compiling the copy."""
    house = copied(tmp_path)
    edit(house, *TOGETHER)
    after, _, _ = checked(house, *TOGETHER.values())
    before = [check(*agent) for agent in TOGETHER.values()]
    assert all(np.not_equal(before, after))


@pytest.mark.long
def test_every_edited_formula_acts_everywhere(house):
    """All are edited, and class, agent and engine agree to the bit; then each in its turn is taken
    back in the class alone, which says something else: so would anything that had missed the edit.
    """
    try:
        edit(house, *{name.split()[0]: name for name in FORMULAS}.values())
        after, without, alone = checked(house, *AGENTS, taken_back=FORMULAS)
    finally:
        for place, *_ in FORMULAS.values():
            shutil.copy(PACKAGE / place, house / "eubrl_edu" / place)
    assert alone == after and np.isfinite(without).all()
    said = dict(zip(AGENTS, after, strict=True))
    missed = [
        name
        for name, number in zip(FORMULAS, without, strict=True)
        if number == said[FORMULAS[name][1:]]
    ]
    assert missed == []


@pytest.mark.parametrize("place", sorted({place for place, *_ in FORMULAS.values()}))
def test_an_edit_of_one_file_is_enough_to_compile_anew(tmp_path, place):
    house = copied(tmp_path)
    before = source_hash(*COMPILED, package=house / "eubrl_edu")
    with (house / "eubrl_edu" / place).open("a", encoding="utf-8") as file:
        file.write("#")
    assert source_hash(*COMPILED, package=house / "eubrl_edu") != before


@pytest.mark.long
def test_an_edit_taken_back_leaves_no_trace(house):
    """What was compiled before it is found again, and what was compiled of it is not."""
    name = "epistemically_guided_reward"
    place, *agent = FORMULAS[name]
    before = checked(house, agent)
    try:
        edit(house, name)
        assert checked(house, agent) != before
    finally:
        shutil.copy(PACKAGE / place, house / "eubrl_edu" / place)
    assert checked(house, agent) == before
