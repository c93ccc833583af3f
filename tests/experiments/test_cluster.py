"""A Dask cluster on loopback: the same rows as here, also when a worker dies."""

import os
import threading
import time

import pandas as pd
import pytest

from eubrl_edu.experiments import cluster, run_study
from eubrl_edu.experiments.cluster import connected, run_on_cluster, work_through
from tests.experiments.processes import dask, read_until

pytest.importorskip("distributed")


@pytest.fixture
def patient(monkeypatch):
    """A machine with much else to do may keep the answer waiting."""
    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 120)


@pytest.fixture(scope="module")
def scheduler():
    process = dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    yield read_until(process, "Scheduler at:").split()[-1]
    process.kill()
    process.wait()


@pytest.fixture(scope="module")
def start_worker(scheduler, tmp_path_factory):
    started = []

    def start():
        folder = str(tmp_path_factory.mktemp("worker"))
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", folder)
        started.append(dask("worker", scheduler, *options))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def workers(start_worker):
    """Two worker processes."""
    pair = [start_worker(), start_worker()]
    for worker in pair:
        read_until(worker, "Starting established connection")
    return pair


def whoami(number):
    time.sleep(0.05)
    return number, os.getpid()


def fail(number):
    raise ValueError(f"no {number}")


@pytest.mark.long
@pytest.mark.usefixtures("patient")
def test_rows_are_those_of_this_machine(scheduler, workers, monkeypatch, tmp_path):
    arguments = {"agents": ["EUBRL", "PSRL", "RMAX"], "sizes": [2, 4], "seeds": range(6)}
    here = run_study("loop-scaling", **arguments, progress=False)
    store, connect, clients = tmp_path / "results.sqlite", cluster._connect, []
    monkeypatch.setattr(cluster, "_connect", lambda to: clients.append(connect(to)) or clients[-1])
    there = run_study("loop-scaling", **arguments, scheduler=scheduler, store=store, progress=False)
    assert [client.status for client in clients] == ["closed"]
    pd.testing.assert_frame_equal(
        there.drop(columns="seconds"), here.drop(columns="seconds"), check_exact=True
    )
    again = run_study("loop-scaling", **arguments, store=store, progress=False)
    pd.testing.assert_frame_equal(there, again, check_exact=True)


@pytest.mark.usefixtures("patient")
def test_an_error_of_a_job_arrives_as_it_is(scheduler, workers):
    with pytest.raises(ValueError, match="no 0"):
        with connected(scheduler) as client:
            list(run_on_cluster(fail, [(0,)], client))


@pytest.mark.long
@pytest.mark.usefixtures("patient")
def test_the_jobs_of_a_dead_worker_run_on_the_other(scheduler, workers):
    """Comes last of those that use both workers: one is killed after its first result."""
    jobs = [(number,) for number in range(80)]
    results, pids = {}, set()
    with connected(scheduler) as client:
        for position, (number, pid) in run_on_cluster(whoami, jobs, client):
            if not results:
                victim = next(worker for worker in workers if worker.pid == pid)
                victim.kill()
                victim.wait()
            assert position not in results and position == number
            results[position] = pid
            pids.add(pid)
    assert sorted(results) == list(range(80))
    assert len(pids) == 2 and sum(pid != victim.pid for pid in results.values()) > 40


@pytest.mark.long
@pytest.mark.usefixtures("patient")
def test_a_study_loses_no_seed_to_a_dead_worker(scheduler, workers, start_worker):
    alive = [worker for worker in workers if worker.poll() is None]
    victim = start_worker()
    read_until(victim, "Starting established connection")
    assert alive
    arguments = {"agents": ["PSRL"], "sizes": [2], "seeds": range(100), "progress": False}
    # About the time of the study's first parcels; whenever it is, no row may be missing.
    killing = threading.Timer(1.5, victim.kill)
    killing.start()
    there = run_study("loop", scheduler=scheduler, **arguments)
    killing.join()
    here = run_study("loop", **arguments)
    pd.testing.assert_frame_equal(
        there.drop(columns="seconds"), here.drop(columns="seconds"), check_exact=True
    )


def test_a_worker_hands_back_what_it_does_not_come_to(monkeypatch):
    monkeypatch.setattr(cluster, "PARCEL_SECONDS", 0.12)
    parcel = [(number, (number,)) for number in range(50)]
    results, left = work_through(cluster.VERSION, whoami, parcel)
    assert 1 <= len(results) < 50
    assert [position for position, _ in results] + [position for position, _ in left] == list(
        range(50)
    )


def test_the_answer_comes_within_fifteen_seconds():
    """Greeting and connecting may each take their time."""
    assert 2 * cluster.ANSWER_SECONDS < 15
