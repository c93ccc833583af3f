"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RECIPES = re.findall(
    r"```python\n# ([^\n]+)\n(.*?)```",
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
    flags=re.DOTALL,
)
# Recipes of a line in a list: the file, how the list begins, and what is imported for it.
LISTS = {
    "in RECORDS": (
        "eubrl_edu/experiments/records.py",
        "\nRECORDS = (\n",
        "from eubrl_edu.agents.coin import Coin",
    ),
    "in WORLDS": (
        "eubrl_edu/environments/registry.py",
        "\nWORLDS = {\n",
        "from eubrl_edu.environments.ladder import Ladder",
    ),
}


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the package with what the recipes add."""
    house = tmp_path_factory.mktemp("house")
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "eubrl_edu", house / "eubrl_edu", ignore=without)
    for place, code in RECIPES:
        if place in LISTS:
            file, beginning, line = LISTS[place]
            text = (house / file).read_text(encoding="utf-8")
            assert text.count(beginning) == 1
            text = text.replace(beginning, f"{beginning}{code.strip().rstrip(',')},\n")
            code = text.replace("\nfrom ", f"\n{line}\nfrom ", 1)
            place = file
        (house / place).parent.mkdir(exist_ok=True)
        (house / place).write_text(code, encoding="utf-8")
    return house


def run(house, code):
    # What is compiled here runs for a moment: it need not be quick.
    here = os.environ | {"PYTHONPATH": str(house), "NUMBA_OPT": "0"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=house, env=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_agent_is_its_class_and_one_record(house):
    code = """
import eubrl_edu as eu
from eubrl_edu.cli import main
from eubrl_edu.experiments.records import AGENTS
from eubrl_edu.reproduction import hard_worlds

env = eu.make_env("loop", size=2)
run = eu.simulate(eu.make_agent("Coin", env), env, steps=200, seed=0)
assert set(run.actions) == {0, 1}
assert AGENTS["Coin"].look.marker == "x"
assert "Coin" in hard_worlds.AGENTS
main(["studies"])
"""
    assert "Coin" in run(house, code)


@pytest.mark.long
def test_a_world_is_its_class_and_one_line(house):
    code = """
import eubrl_edu as eu
from eubrl_edu.labs import ExplorationLab

env = eu.make_env("ladder", size=3)
assert env.n_states == 4 and abs(eu.solve(env.model, 0.9).v[3] - 10) < 1e-9
study = eu.Study(name="climb", environment="ladder", sizes=(2, 3), steps=50)
frame = eu.run_study(study, ["EUBRL"], seeds=2, progress=False)
assert len(frame) == 4 and frame.total_return.between(0, 50).all()
lab = ExplorationLab(world="ladder", size=3, steps=20)
assert "never random" in lab.notes.value
of_its_own = ExplorationLab(world=env, steps=20)
assert of_its_own.params.eta == lab.params.eta == 1.0
assert (of_its_own.state.run.returns == lab.state.run.returns).all()
"""
    run(house, code)


def test_a_lab_is_one_folder(house):
    code = """
from eubrl_edu.labs import DoublingLab

lab = DoublingLab(n=5)
before = lab.picture.value
lab.set(n=6)
assert lab.picture.value != before
print(lab)
"""
    assert "Doubled 6 times, 1 becomes 64." in run(house, code)


@pytest.mark.long
def test_the_tests_of_all_agents_and_worlds_take_what_the_recipes_add(house):
    shutil.copytree(ROOT / "tests", house / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", house)
    files = [
        f"tests/experiments/test_{subject}.py" for subject in ("records", "settings", "tuning")
    ]
    options = ["-q", "-p", "no:cacheprovider", "-k", "Coin or every"]
    run(house, f"import pytest; assert pytest.main({options + files}) == 0")


def test_the_recipes_pass_the_lint(house):
    """What belongs in a list stands alone here, so only whole files are looked at."""
    places = [house / place for place, _ in RECIPES if place not in LISTS]
    config = ["--config", str(ROOT / "pyproject.toml")]
    ruff = [sys.executable, "-m", "ruff"]
    subprocess.run([*ruff, "check", "--ignore", "D102,I001", *config, *places], check=True)
    subprocess.run([*ruff, "format", "--check", *config, *places], check=True)
