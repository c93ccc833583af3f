"""The wait for the compiler is announced, and only where there is one."""

import numba
import pytest
from numba.core import event

from eubrl_edu import engine
from eubrl_edu.experiments import run_study
from eubrl_edu.experiments.cells import run_once, study_cells
from eubrl_edu.experiments.interruptible import NOTICE, compile_engine


def test_what_compiles_is_announced_once_and_what_is_compiled_is_not(monkeypatch, capsys):
    first, second = numba.njit(lambda x: x + 1), numba.njit(lambda x: x * 2)
    monkeypatch.setattr(engine, "simulate", lambda *_, **__: first(1) + second(2))
    compile_engine()
    assert capsys.readouterr().err == NOTICE + "\n"
    compile_engine()
    first(2.0)  # compiles anew, after the call
    captured = capsys.readouterr()
    assert captured.err == captured.out == ""


class Compilations(event.Listener):
    def __init__(self):
        self.names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass


def test_one_step_of_one_agent_compiles_what_all_need_that_draw_no_model():
    compile_engine()
    cells = [
        *study_cells("chain", ["RMAX", "MBIE-EB", "BEB", "VBRB", "Mean-MDP"]),
        *study_cells("deepsea-stochastic", ["EUBRL+"], [3]),
        *study_cells("lazychain-stochastic", ["EUBRL-MI", "EUBRL-tied"], [3]),
    ]
    heard = Compilations()
    with event.install_listener("numba:compile", heard):
        for cell in cells:
            run_once(cell, 0)
    assert heard.names == []


@pytest.mark.parametrize("progress", [True, False])
def test_a_study_waits_for_it_where_it_shows_its_progress(progress, monkeypatch):
    calls = []
    monkeypatch.setattr("eubrl_edu.experiments.run.compile_engine", lambda: calls.append(1))
    run_study("loop", ["RMAX"], seeds=2, progress=progress)
    assert len(calls) == progress
