"""Many runs in a few lines."""

import json

import numpy as np
import pandas as pd
import pytest

import eubrl_edu as eu
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


class Quitter(eu.Agent):
    """One that takes action 1, and gives up after five steps in about half of its runs."""

    def __init__(self, world):
        self.taken, self.gives_up = 0, None

    def act(self, state, rng):
        if self.gives_up is None:
            self.gives_up = rng.random() < 0.5
        self.taken += 1
        if self.gives_up and self.taken > 5:
            raise RuntimeError("enough")
        return 1

    def observe(self, *transition):
        pass


class Stays(Quitter):
    def act(self, state, rng):
        return 1


class Gone(Quitter):
    def act(self, state, rng):
        raise RuntimeError("no")


def kept(agents, sizes=(2,), seeds=10):
    """The runs of a study that goes on when one has failed."""
    with pytest.warns(RuntimeWarning, match="failed"):
        return run_study("loop", agents, sizes, seeds, progress=False, on_error="keep")


def test_runs_that_failed_are_counted_and_told():
    frame = kept({"quitter": Quitter})
    failed = len(frame.attrs["failures"])
    assert 0 < failed < 10 and summarise(frame).failed.tolist() == [failed]
    assert eu.plot(frame).get_suptitle() == f"without {failed} runs that raised an exception"
    head, line, *words = in_words(frame).splitlines()
    assert head.split()[:4] == ["agent", "size", "failed", "runs"]
    assert line.split()[:4] == ["quitter", "2", str(failed), str(10 - failed)]
    assert "failed: ended by an exception, and in no mean." in words
    of_a_rule = frame.assign(solved=True)
    of_a_rule.attrs = frame.attrs
    assert f"{10 - failed} of 10" in in_words(of_a_rule)


def test_of_runs_that_failed_those_count_that_are_asked_for():
    """What is chosen from a frame takes the frame's attributes with it."""
    frame = kept({"quitter": Quitter, "stays": Stays}, [2, 4])
    failures = frame.attrs["failures"]
    stays, few = frame[frame.agent == "stays"], frame[(frame.seed < 5) & (frame["size"] == 2)]
    assert "failed" not in summarise(stays) and not eu.plot(stays).get_suptitle()
    failed = sum(each.seed < 5 and each.size == 2 for each in failures)
    table = summarise(few).set_index("agent")
    assert 0 < failed and table.failed.to_dict() == {"quitter": failed, "stays": 0}
    assert (table.seeds + table.failed == 5).all()


def test_a_seed_at_which_all_have_failed_still_counts_among_those_around_it():
    frame = kept({"quitter": Quitter})
    finished = sorted(frame.seed)
    some = frame[frame.seed <= finished[-2]]
    between = [each for each in frame.attrs["failures"] if finished[0] < each.seed < finished[-2]]
    assert between and summarise(some).failed.tolist() == [len(between)]
    assert summarise(some.drop(columns="seed")).failed.tolist() == [len(frame.attrs["failures"])]


def test_failures_are_still_counted_when_pandas_has_written_them_as_json():
    frame = kept({"gone": Gone, "stays": Stays}, seeds=3)
    before = summarise(frame)
    frame.attrs = json.loads(json.dumps(frame.attrs))  # as Parquet's do
    pd.testing.assert_frame_equal(summarise(frame), before)


def test_an_agent_that_always_fails_is_in_the_table():
    frame = kept({"gone": Gone, "stays": Stays}, seeds=3)
    table = summarise(frame).set_index("agent")
    assert table.failed.tolist() == [0, 3] and table.seeds.tolist() == [3, 0]
    assert set(table.study) == {"loop"}
    line = in_words(frame).splitlines()[2]
    assert line.split() == ["gone", "2", "3", "0", "-"]


def test_a_study_of_which_all_runs_failed_has_columns_of_numbers():
    frame = kept({"gone": Gone}, seeds=2)
    whole = run_study("loop", ["RMAX"], seeds=2, progress=False)
    assert len(frame) == 0 and (frame.dtypes == whole.dtypes).all()
    assert pd.concat([whole, frame]).mean(numeric_only=True).total_return == 394


def test_all_returns_of_a_size_are_of_the_same_steps():
    frame = run_study("loop", ["RMAX", "PSRL"], seeds=2, progress=False)
    frame["return_1000"] = [np.nan if agent == "PSRL" else 1.0 for agent in frame.agent]
    whole = frame.groupby("agent", sort=False).total_return.mean()
    assert summarise(frame)["return"].tolist() == whole.tolist()


def test_runs_that_stop_when_they_have_solved_have_no_mean_return():
    """RMAX, which solves the world at once, would look worse than Q-learning, which never does."""
    frame = run_study("loop-scaling", ["RMAX", "Q-learning"], [4], 3, progress=False)
    table = summarise(frame)
    assert table["return"].isna().all() and table.steps.notna().all()
    assert summarise(frame.assign(steps=7))["return"].notna().all()


def test_runs_with_other_settings_are_not_averaged(tmp_path):
    """Even where no two have the same seed."""
    store = tmp_path / "runs.sqlite"
    for eta, seeds in {0.01: range(3), 1.0: range(3, 6)}.items():
        settings = {"eta": eta}
        run_study("loop", ["EUBRL"], seeds=seeds, settings=settings, store=store, progress=False)
    frame = eu.read_store(store)
    for use in (eu.summarise, eu.plot):
        with pytest.raises(
            ValueError, match="got 2 kinds of EUBRL in loop at size 2: .*'settings'"
        ):
            use(frame)
    one = frame[frame.settings == frame.settings.iloc[0]]
    assert eu.summarise(one).seeds.tolist() == [3]


def test_categories_that_a_filter_has_left_empty_are_no_runs():
    """Pandas 2 groups by them, too, unless it is told not to; under pandas 3 this cannot fail."""
    frame = run_study("deepsea-deterministic", ["EUBRL", "PSRL"], [2, 3, 4], 3, progress=False)
    as_categories = frame.astype(dict.fromkeys(("study", "agent", "size", "seed"), "category"))
    few = (frame["size"] < 4) & (frame.agent == "EUBRL")
    table = summarise(as_categories[few])
    pd.testing.assert_frame_equal(table, summarise(frame[few]), check_dtype=False)
    (panel,) = eu.plot(as_categories[few]).axes
    np.testing.assert_array_equal(panel.get_xticks(), [2, 3])


def test_words_are_about_one_study():
    loop = run_study("loop", ["RMAX"], seeds=1, progress=False)
    both = pd.concat([loop, run_study("chain", ["RMAX"], seeds=1, progress=False)])
    with pytest.raises(ValueError, match="must hold the runs of one study, got loop, chain"):
        in_words(both)
    with pytest.raises(ValueError, match="must hold the runs of one study, got none"):
        in_words(loop[:0])
    with pytest.raises(ValueError, match="must have the column 'steps'"):
        in_words(loop.drop(columns="steps"))
