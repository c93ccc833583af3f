"""Many runs in a few lines."""

import pytest

from eubrl_edu.experiments import run_study, summarise
from eubrl_edu.experiments.summary import in_words


def test_summary_of_a_small_table():
    frame = run_study("loop", ["EUBRL", "RMAX"], seeds=4, progress=False)
    table = summarise(frame).set_index("agent")
    returns = frame[frame.agent == "EUBRL"].return_1000
    assert table.loc["EUBRL", "return"] == returns.mean()
    assert table.loc["EUBRL", "return_se"] == pytest.approx(returns.std() / 2)
    assert (table.seeds == 4).all()


def test_a_study_without_a_rule_shows_returns_only():
    frame = run_study("loop", ["RMAX", "PSRL"], seeds=3, progress=False)
    head, *lines = in_words(frame).splitlines()
    assert head.split() == ["agent", "size", "runs", "mean", "return"]
    returns = frame[frame.agent == "PSRL"].total_return
    assert lines[0].split() == ["RMAX", "2", "3", "394.00", "±", "0.00"]
    assert lines[1].split() == (
        ["PSRL", "2", "3", f"{returns.mean():.2f}", "±", f"{returns.sem():.2f}"]
    )
    assert "1,000 steps." in lines[-2]


def test_a_study_with_a_rule_shows_how_often_and_how_fast():
    # Of these three seeds the last is not solved.
    frame = run_study("deepsea-stochastic", ["EUBRL"], [4], [0, 1, 7], progress=False)
    solved = int(frame.solved.sum())
    assert 0 < solved < 3
    head, line, *words = in_words(frame).splitlines()
    assert head.split() == ["agent", "size", "solved", "mean", "steps", "mean", "episodes"]
    assert line.split()[:5] == ["EUBRL", "4", str(solved), "of", "3"]
    assert f"{frame.episodes.mean():.2f} ± {frame.episodes.sem():.2f}" in line
    assert any("hold the others too" in sentence for sentence in words)
    of_solved = in_words(frame[frame.solved])
    assert "hold the others too" not in of_solved


def test_what_never_ends_has_no_episodes_and_one_run_no_error():
    frame = run_study("loop-scaling", ["RMAX"], [2], [0], progress=False)
    head, line, *_ = in_words(frame).splitlines()
    assert head.split() == ["agent", "size", "solved", "mean", "steps"]
    assert line.split() == ["RMAX", "2", "1", "of", "1", f"{frame.steps[0]:.2f}"]
