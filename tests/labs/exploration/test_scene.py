"""What there is to see of a run."""

from types import SimpleNamespace

import pytest

import eubrl_edu as eu
from eubrl_edu.environments import Outcome, TabularEnvironment
from eubrl_edu.labs.exploration import scene
from eubrl_edu.labs.exploration.scene import ExploredRun, Params, prepare
from eubrl_edu.labs.slices import finish
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


class Fork(TabularEnvironment):
    """Two corridors of three states lead to the same prize; the wrong action goes back."""

    def __init__(self):
        super().__init__(8, 2, terminal_states=[7])

    def outcomes(self, state, action):
        if state == 0:
            return [Outcome(1.0, 4 if action else 1, 0.0)]
        ahead = 7 if state in (3, 6) else state + 1
        return [Outcome(1.0, 0 if action else ahead, float(ahead == 7 and not action))]


@pytest.mark.parametrize("seed", range(4))
def test_of_several_best_ways_it_is_that_of_the_agent_that_counts(seed):
    params = Params(world=Fork(), agent="Mean-MDP", steps=1000, seed=seed, time=1000)
    state = scene.view(params, finish(prepare(params)))
    assert state.total_return > 200 and state.right_on_path == (4, 4)
