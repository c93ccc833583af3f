"""What there is to see of a run."""

from types import SimpleNamespace

import pytest

import eubrl_edu as eu
from eubrl_edu.labs.exploration import scene
from eubrl_edu.labs.exploration.scene import ExploredRun, Params, prepare
from eubrl_edu.replay import Recorder


def test_an_agent_that_has_learned_is_right_on_the_path():
    env = eu.make_env("deepsea", size=4)
    recorder = Recorder(eu.make_agent("EUBRL", env), env, seed=0)
    for _ in range(200):
        recorder.advance()
    run = ExploredRun.of(Params(), env, recorder.recording())
    right, path = run.at(0).right_on_path
    assert (right, path) == (0, 4)
    assert run.at(200).right_on_path == (4, 4)
    tried = {(step.state, step.action) for step in recorder._steps}
    assert run.at(200).visited_pairs == (len(tried), 20)
    assert run.at(0).visited_pairs == (0, 20)


def test_an_agent_without_a_plan_is_refused_in_words(monkeypatch):
    monkeypatch.setattr(scene, "make_agent", lambda *names, **settings: SimpleNamespace())
    with pytest.raises(ValueError, match="agent EUBRL makes no plan, so there is nothing to look"):
        next(prepare(Params()))
