"""Recordings of runs, and agents that cannot be recorded."""

import sys
import threading

from eubrl_edu.replay import Recorder, Recording
from tests.bad_inputs.row import Row, systematic
from tests.bad_inputs.running import LOOP, NOT_SEEDS, Anyone, agent
from tests.bad_inputs.values import NOT_POSITIVE_INTEGERS, not_indices


def rows():
    yield from systematic(
        "Recorder", Recorder, {"agent": agent(), "env": LOOP},
        {"agent": [None, LOOP], "env": {"world": [None, "loop"]}, "seed": NOT_SEEDS,
         "most_checkpoints": NOT_POSITIVE_INTEGERS},
    )  # fmt: skip
    recorder = Recorder(agent(), LOOP, seed=0)
    recorder.advance()
    recording = recorder.recording()
    yield from systematic("Recording.at", recording.at, {}, {"time": not_indices(2)})
    ((mind, luck),) = recording.checkpoints
    yield from systematic(
        "Recording", Recording, vars(recording),
        {"trajectory": [None, [], LOOP], "spacing": NOT_POSITIVE_INTEGERS,
         "checkpoints": [None, (), [], 3, (mind,), (None,), ((mind, None),), ((None, luck),)],
         "restarts": [None, 3, "0", [0]]},
    )  # fmt: skip
    yield from uncopied()


def uncopied():
    """Agents that hold what `copy.deepcopy` cannot copy."""
    no_copy = "agent must be one that copy.deepcopy can copy, got Anyone.*: cannot"
    for held in (threading.Lock(), (step for step in "012"), sys.stdout.buffer):
        holder = Anyone()
        holder.held = held
        yield Row(f"Recorder(an agent with {held!r})", lambda a=holder: Recorder(a, LOOP), no_copy)
    late = Anyone()
    recorder = Recorder(late, LOOP, seed=0)
    late.held = threading.Lock()
    yield Row("Recorder.advance(an agent with a lock by now)", recorder.advance, no_copy,
              keeps=lambda: late.seen)  # fmt: skip
