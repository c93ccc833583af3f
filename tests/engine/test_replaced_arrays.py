"""No array that is replaced after it was checked ends the process, and the engine refuses it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.replaced_arrays import cases

HOUSE = Path(__file__).parents[2]
# What is taken for what it says. More places than are needed, where no other array has to have as
# many: they stay empty. A rule's states and actions as objects that are integers: it takes these
# from whoever makes it, too.
HARMLESS = (
    "agent.predictive.weights run misshapen 8",
    "EUBRL-tied lazychain agent.belief.transitions.table.successors run misshapen 8",
    "rule.states run strange 1",
    "rule.right_actions run strange 1",
)


@pytest.mark.long
def test_no_replaced_array_ends_the_process():
    child = subprocess.run(
        [sys.executable, "-m", "tests.engine.replaced_arrays"],
        capture_output=True, text=True, cwd=HOUSE, check=False,
    )  # fmt: skip
    lines = child.stdout.splitlines()
    assert child.returncode == 0 and len(lines) % 2 == 0, (
        f"exit code {child.returncode} in {lines[-1:]}\n{child.stderr[-3000:]}"
    )
    assert len(lines) > 1000
    names = "|".join({path.rpartition(".")[2] for _, _, path, _ in cases()})
    for case, end in zip(lines[::2], lines[1::2], strict=True):
        if " step " in case:
            continue
        assert end.startswith(("ok", "ValueError: ", "NotFinite: ")), (case, end)
        if case.endswith(HARMLESS):
            assert end == "ok", (case, end)
        elif " misshapen " in case or " run strange " in case:
            # It is that array, or another that no longer fits to it.
            assert re.match(rf"ValueError: .*\b({names})\b.* must", end), (case, end)
