"""Work in slices, with an event loop and without one."""

import asyncio
import time

import pytest

from eubrl_edu.labs import slices
from eubrl_edu.labs.slices import SlicedWork, finish


def count_to(end, seen=None):
    for number in range(end):
        if seen is not None:
            seen.append(number)
        yield (number + 1) / end
    return end


def endless():
    while True:
        yield 0.5


def test_finish_returns_the_result():
    assert finish(count_to(5)) == 5


def test_runs_to_the_end_where_there_is_no_loop():
    results = []
    SlicedWork(count_to(3), on_done=results.append, pause=100.0).start()
    assert results == [3]


def test_the_loop_gets_its_turn_and_stop_is_heard(monkeypatch):
    monkeypatch.setattr(slices, "SLICE_SECONDS", 0.0)
    fractions, results = [], []

    async def session():
        work = SlicedWork(endless(), on_progress=fractions.append, on_done=results.append)
        work.start()
        while len(fractions) < 3:
            await asyncio.sleep(0)
        work.stop()
        heard = len(fractions)
        await work._task
        return heard

    assert asyncio.run(session()) == len(fractions)
    assert results == []


def test_a_slice_holds_many_short_steps():
    fractions, results = [], []

    async def session():
        SlicedWork(count_to(1000), on_progress=fractions.append, on_done=results.append).start()
        while not results:
            await asyncio.sleep(0.001)

    asyncio.run(session())
    assert results == [1000]
    assert len(fractions) < 100


def test_what_takes_a_moment_is_done_at_once(monkeypatch):
    monkeypatch.setattr(slices, "SLICE_SECONDS", 60.0)
    results = []

    async def session():
        SlicedWork(count_to(3), on_done=results.append).start()
        return list(results)

    assert asyncio.run(session()) == [3]


def test_a_pause_makes_every_step_a_slice():
    fractions = []

    async def session():
        work = SlicedWork(count_to(4), on_progress=fractions.append, pause=0.001)
        work.start()
        await work._task

    asyncio.run(session())
    assert fractions == [0.25, 0.5, 0.75, 1.0]


def test_stopped_work_is_closed():
    closed = []

    def work():
        try:
            while True:
                time.sleep(0)
                yield 0.0
        finally:
            closed.append(True)

    job = SlicedWork(work())
    job.on_progress = lambda fraction: job.stop()
    job.start()
    assert closed == [True]


def test_a_value_error_is_handed_over_and_others_are_not():
    def failing(error):
        yield 0.1
        raise error

    failures = []
    SlicedWork(failing(ValueError("too big")), on_failure=failures.append).start()
    assert [str(error) for error in failures] == ["too big"]
    with pytest.raises(KeyError):
        SlicedWork(failing(KeyError("a bug")), on_failure=failures.append).start()
