"""No settings, however large, end the process: ten thousand of them, hundreds in one process."""

import itertools
import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from eubrl_edu.environments import WORLDS
from eubrl_edu.experiments import AGENT_NAMES
from eubrl_edu.experiments.records import AGENTS
from tests.engine.random_settings import SLOW, has_twin, random_case

CASES = 10_000
IN_ONE_PROCESS = 500
HOUSE = Path(__file__).parents[2]


def live_through(first, count):
    """Cases and their ends; a crash of the process is an error that names the case it was in."""
    command = [sys.executable, "-W", "error", "-m", "tests.engine.random_settings"]
    child = subprocess.run(
        [*command, str(first), str(count)], capture_output=True, text=True, cwd=HOUSE, check=False
    )
    lines = child.stdout.splitlines()
    assert child.returncode == 0 and len(lines) == 2 * count, (
        f"exit code {child.returncode} in {lines[-1] if lines else first}\n{child.stderr[-3000:]}"
    )
    return [(json.loads(case), end) for case, end in zip(lines[::2], lines[1::2], strict=True)]


def check(results):
    for case, end in results:
        assert end.startswith(("ok", "ValueError: ")), (case, end)
        assert not end.startswith("ValueError: math domain"), (case, end)


def test_a_few_random_settings_end_in_a_trajectory_or_a_valueerror():
    check(live_through(0, 60))


def test_a_crash_is_traced_to_its_setting(monkeypatch):
    crashing = "import sys; print('the case'); sys.stdout.flush(); import os; os.abort()"
    run = subprocess.run
    monkeypatch.setattr(
        subprocess, "run", lambda command, **more: run([sys.executable, "-c", crashing], **more)
    )
    with pytest.raises(AssertionError, match="exit code -6 in the case"):
        live_through(0, 1)


@pytest.mark.long
def test_ten_thousand_random_settings():
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = pool.map(live_through, range(0, CASES, IN_ONE_PROCESS), [IN_ONE_PROCESS] * CASES)
        results = [result for part in parts for result in part]
    check(results)
    assert len(results) == CASES
    lived = Counter((case["agent"], case["env"]["name"]) for case, _ in results)
    pairs = set(itertools.product(AGENT_NAMES, WORLDS))
    slow = set(itertools.product(SLOW, WORLDS))
    assert min(lived[pair] for pair in pairs - slow) > 100
    assert min(lived[pair] for pair in slow) >= 4
    accepted = {(case["agent"], case["env"]["name"]) for case, end in results if end[:2] == "ok"}
    worlds = ("bandit", "chain", "deepsea", "lazychain")
    assert {*itertools.product(["BEETLE"], worlds), ("BEETLE-tied", "chain")} <= accepted
    drawn = Counter((case["agent"], name) for case, _ in results for name in case["settings"])
    for agent in set(AGENT_NAMES) - set(SLOW):
        assert min(drawn[agent, setting] for setting in AGENTS[agent].settings) >= 25
    twins = [end for case, end in results if end.startswith("ok") and has_twin(case)]
    assert set(twins) == {"ok, compiled"} and len(twins) > CASES / 3


def test_the_cases_do_not_change():
    assert random_case(7) == random_case(7)
