"""Which tests `make check` chooses, and that it ends in time."""

import subprocess
import sys

import pytest

from tests.changed import ROOT, find_tests

TESTS = {
    "tests/agents/test_eubrl.py": "from eubrl_edu.agents import EUBRL",
    "tests/agents/test_psrl.py": "from eubrl_edu.agents import PSRL",
    "tests/engine/test_engine.py": "from eubrl_edu.agents.eubrl import EUBRL",
    "tests/labs/test_race_lab.py": "from eubrl_edu.labs.race.scene import Params",
    "tests/browser/test_real_notebooks.py": "",
}


def test_what_has_changed_comes_first_then_mirrors_then_importers():
    changed = ["eubrl_edu/agents/eubrl.py", "tests/agents/test_psrl.py"]
    assert find_tests(changed, TESTS) == [
        "tests/agents/test_psrl.py",
        "tests/agents/test_eubrl.py",
        "tests/engine/test_engine.py",
    ]


def test_a_labs_scene_leads_to_the_tests_that_import_it():
    assert find_tests(["eubrl_edu/labs/race/scene.py"], TESTS) == ["tests/labs/test_race_lab.py"]


def test_a_page_is_run_and_a_browser_is_not_opened():
    changed = ["notebooks/01_beliefs.ipynb", "tests/browser/test_real_notebooks.py"]
    assert find_tests(changed, TESTS) == ["notebooks/01_beliefs.ipynb"]


def test_files_around_the_package_have_their_tests():
    assert "tests/test_readme.py" in find_tests(["README.md"], TESTS)
    assert find_tests(["figures/REPORT.md"], TESTS) == []


@pytest.mark.long
def test_what_no_time_is_left_for_is_skipped_and_said_to_be():
    command = [sys.executable, "-m", "pytest", "--within=0", "-rs", "tests/test_mdp.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert "no time left" in done.stdout and "passed" not in done.stdout
