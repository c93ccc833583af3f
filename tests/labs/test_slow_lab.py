"""A lab with long work: one that adds up numbers, one by one."""

import asyncio
from dataclasses import dataclass

import ipywidgets
import pytest

from eubrl_edu.labs import slices, slow_lab
from eubrl_edu.labs.player import Player
from eubrl_edu.labs.prediction import Choice
from eubrl_edu.labs.settings import Settings, int_slider
from eubrl_edu.labs.slices import SoFar
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.plotting.picture import Moving, new_line


@dataclass(frozen=True)
class SumParams(Settings):
    count: int = int_slider(3, 0, 1000, "count", "How many numbers")
    time: int = int_slider(0, 0, 1000, "time", "How many to look at")


@dataclass(frozen=True)
class SumState:
    count: int
    time: int
    total: int


class SumPicture(Moving):
    def __init__(self, figure, state):
        axes = figure.subplots()
        axes.set(xlim=(0, 1000), ylim=(0, 1000))
        self.dot = new_line(axes, "o")

    def draw(self, state):
        self.dot.set_data([state.time], [state.total])


class SumLab(SlowLab):
    Params = SumParams
    Picture = SumPicture
    slow = ("count",)

    def prepare(self, params):
        totals = [0]
        for number in range(params.count):
            if number == 500:
                raise ValueError(f"count must be at most 500, got {params.count}")
            totals.append(totals[-1] + number)
            yield (number + 1) / params.count
        return totals

    def view(self, params, prepared):
        if params.time == 666:
            raise ValueError("time must not be 666")
        time = min(params.time, params.count)
        return SumState(params.count, time, prepared[time])

    def describe(self, state):
        return f"{state.time} of {state.count}: {state.total}"


@pytest.fixture
def lab():
    return SumLab()


@pytest.fixture
def single_steps(monkeypatch):
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)


class StagedSumLab(SumLab):
    """Half of the sum can be looked at already."""

    def prepare(self, params):
        work, totals = super().prepare(params), []
        for fraction in work:
            totals.append(0)
            if fraction >= 0.5:
                yield SoFar(fraction, lambda: totals * 2, stage=1)
        return (yield from super().prepare(params))


def test_behind_its_cover_a_lab_need_not_be_ready_but_an_answer_is_judged_by_all(
    single_steps, monkeypatch
):
    monkeypatch.setattr(slow_lab, "is_compiled", lambda: True)
    question = Choice("Which?", {"0": "", "78": ""}, lambda state: str(state.total))

    async def session():
        lab = StagedSumLab(count=13, time=13, prediction=question)
        assert lab._job is not None and lab.state.total == 0 and "Covered" in repr(lab)
        lab.predict("78")
        assert "✓ You said: 78." in lab.front.verdict and lab._job is None
        assert lab.progress.value == 1.0
        assert lab.state == lab.compute(lab.params) == SumState(13, 13, 78)
        # Left alone it comes to its end, too; what is not covered is ready at once.
        lab = StagedSumLab(count=13, time=13, prediction=question)
        await lab._job.work._task
        assert lab.state.total == 78 and lab.is_covered
        assert StagedSumLab(count=13, time=13).state.total == 78

    asyncio.run(session())
    assert StagedSumLab(count=13, time=13, prediction=question).state.total == 78


def test_stop_goes_out_on_the_page_when_the_picture_is_there(lab, single_steps, monkeypatch):
    told = []

    def tell(key=None):
        told.append((lab.stop_button.disabled, lab.readout.value))

    async def run():
        lab.controls["count"].value = 9
        await lab._job.work._task

    lab.set(count=5, time=5)
    before = lab.readout.value
    monkeypatch.setattr(lab.stop_button, "send_state", tell)
    asyncio.run(run())
    assert told == [(False, before), (True, lab.readout.value)] and lab.readout.value != before


def test_what_is_still_to_be_compiled_is_said_on_the_page_before_the_work_begins(monkeypatch):
    monkeypatch.setattr(slow_lab, "is_compiled", lambda: False)
    monkeypatch.setattr(slow_lab, "UNTIL_THE_PAGE_SHOWS_IT", 0.01)
    question = Choice("Which?", {"0": "", "78": ""}, lambda state: str(state.total))

    async def session():
        lab = SumLab(count=13, time=13, prediction=question)
        assert lab.state is None and lab.is_covered and "Covered" in repr(lab)
        waiting = lab.picture.value
        assert lab._repr_mimebundle_()["text/plain"] == repr(lab)
        await lab._job.work._task
        assert lab.state == SumState(13, 13, 78) and lab.is_covered
        assert lab.picture.value != waiting  # which said what it waited for
        # Who does not wait is answered all the same.
        for answer in ("78", None):
            lab = SumLab(count=13, time=13, prediction=question)
            lab.uncover() if answer is None else lab.predict(answer)
            assert lab.state == SumState(13, 13, 78) and not lab.is_covered
        lab = SumLab(count=13, time=12, prediction=question)
        lab.set(time=13)
        assert lab.state == SumState(13, 13, 78) and lab.is_covered
        # What cannot start says why, and stays covered.
        lab = SumLab(count=600, prediction=question)
        lab.uncover()
        assert lab.is_covered and "count must be at most 500" in lab.readout.value

    asyncio.run(session())


def test_compute_is_the_whole_truth(lab):
    assert lab.compute(SumParams(count=10, time=10)) == SumState(10, 10, 45)


def test_a_lab_that_is_made_in_full_has_all_of_its_work_behind_it(lab):
    assert lab.progress.value == 1.0 and not lab.status.value


def test_without_a_loop_a_change_is_worked_off_at_once(lab):
    lab.controls["count"].value = 10
    lab.controls["time"].value = 10
    assert lab.state == lab.compute(lab.params) == SumState(10, 10, 45)
    assert lab.progress.value == 1.0 and lab.stop_button.disabled and lab.status.value == ""


def test_quick_controls_do_not_prepare_again(lab):
    lab.prepare = None
    lab.controls["time"].value = 2
    assert lab.state == SumState(3, 2, 1)


def test_stop_keeps_the_last_picture_and_run_starts_again(lab, single_steps):
    async def session():
        lab.controls["count"].value = 400
        work = lab._job.work
        while lab.progress.value < 0.02:
            await asyncio.sleep(0)
        assert not lab.stop_button.disabled and "Computing" in lab.status.value
        before = lab.picture.value
        lab.stop_button.click()
        await work._task
        assert "Stopped at" in lab.status.value and lab.stop_button.disabled
        assert lab.state == SumState(3, 0, 0) and lab.picture.value == before

        # The quick control goes on showing the run before, as what it is.
        lab.controls["time"].value = 2
        assert lab.state == SumState(3, 2, 1)

        lab.run_button.click()
        await lab._job.work._task
        assert lab.state == SumState(400, 2, 1) and lab.status.value == ""

    asyncio.run(session())


def test_work_that_is_done_at_once_is_not_announced(lab, monkeypatch):
    monkeypatch.setattr(slices, "SLICE_SECONDS", 60.0)
    changes = []
    for widget in (lab.stop_button, lab.status):
        widget.observe(changes.append)

    async def session():
        lab.controls["count"].value = 10
        return lab.state

    assert asyncio.run(session()) == SumState(10, 0, 0)
    assert changes == [] and lab.progress.value == 1.0


def test_newer_work_replaces_older(lab, single_steps):
    async def session():
        lab.controls["count"].value = 400
        older = lab._job.work
        await asyncio.sleep(0)
        lab.controls["count"].value = 20
        newer = lab._job.work
        await asyncio.gather(older._task, newer._task)
        assert lab.state.count == 20 and lab.progress.value == 1.0

    asyncio.run(session())


def test_a_result_that_comes_after_its_stop_is_thrown_away(lab, single_steps):
    async def session():
        lab.controls["count"].value = 400
        work = lab._job.work
        lab.stop_work()
        work.on_done([0] * 1000)
        await work._task

    asyncio.run(session())
    assert lab.state.count == 3


def test_a_failure_of_the_work_is_answered_in_words(lab):
    lab.controls["count"].value = 600
    assert "count must be at most 500, got 600. Back to count = 3." in lab.readout.value
    assert lab.state == SumState(3, 0, 0) and lab.stop_button.disabled
    assert lab.controls["count"].value == lab.params.count == 3
    lab.controls["count"].value = 4
    assert lab.state.count == 4 and "⚠" not in lab.readout.value


def test_a_bad_quick_value_takes_back_nothing_of_the_work_under_way(lab, single_steps):
    async def session():
        lab.controls["count"].value = 400
        work = lab._job.work
        await asyncio.sleep(0)
        lab.controls["time"].value = 666
        assert "time must not be 666. Back to time = 0." in lab.readout.value
        assert lab.params == SumParams(count=400, time=0)
        await work._task
        assert lab.state.count == 400

    asyncio.run(session())


def test_new_work_takes_the_warning_away(lab, single_steps):
    async def session():
        lab.controls["time"].value = 666
        assert "⚠" in lab.readout.value
        lab.controls["count"].value = 20
        assert "⚠" not in lab.readout.value and "0 of 3" in lab.readout.value
        await lab._job.work._task

    asyncio.run(session())


def test_set_waits_for_the_work_even_inside_a_loop(lab):
    async def cell():
        lab.set(count=10, time=10)
        return lab.state

    assert asyncio.run(cell()) == SumState(10, 10, 45)


def test_set_answers_a_failure_in_words(lab):
    lab.set(count=600)
    assert "count must be at most 500, got 600" in lab.readout.value
    assert lab.controls["count"].value == 3


def test_player_walks_steps_and_pauses():
    slider = ipywidgets.IntSlider(value=0, min=0, max=5, description="time")
    player = Player(slider, seconds=0.001)
    player.step_button.click()
    assert slider.value == 1
    player.back_button.click()
    player.back_button.click()
    assert slider.value == 0

    async def session():
        player.play_button.click()
        work = player._work
        while slider.value < 2:
            await asyncio.sleep(0)
        player.pause_button.click()
        await work._task
        return slider.value

    assert asyncio.run(session()) < 5
    player.play_button.click()
    assert slider.value == 5
    player.play_button.click()
    assert slider.value == 5


def test_player_starts_over_from_the_end():
    slider = ipywidgets.IntSlider(value=5, min=0, max=5)
    seen = []
    slider.observe(lambda change: seen.append(change["new"]), names="value")
    Player(slider).play()
    assert seen == [0, 1, 2, 3, 4, 5]
