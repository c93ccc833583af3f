"""Long work in short slices, so that a lab hears the Stop button while it computes.

The work is a generator: it yields the fraction done (0 to 1) as often as it likes and returns its
result. Between slices the event loop gets its turn, and with it every message from the browser.
"""

import asyncio
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from eubrl_edu.agents.base import PlanningAgent
from eubrl_edu.environments.tabular import TabularEnvironment
from eubrl_edu.simulation import run
from eubrl_edu.trajectory import Trajectory

# Long enough that switching costs little, short enough that a click is heard at once.
SLICE_SECONDS = 0.02


@dataclass(frozen=True)
class SoFar:
    """How far long work is, and what can be looked at by then.

    Attributes
    ----------
    fraction : float
        How much is done, from 0 to 1.
    product : callable
        Returns what there is by now, of the same kind as what the work will return.
    stage : int
        A higher stage than before is worth a picture at once; stage 0 is looked at only when the
        work is stopped.
    """

    fraction: float
    product: Callable[[], Any]
    stage: int = 0


def finish(work: Generator[Any, None, Any]) -> Any:
    """Run ``work`` to its end, without a pause, and return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def first_look(work: Generator[Any, None, Any]) -> tuple[Any, bool]:
    """Run ``work`` until there is something to look at; return that, and whether it is all."""
    while True:
        try:
            yielded = next(work)
        except StopIteration as end:
            return end.value, True
        if isinstance(yielded, SoFar) and yielded.stage:
            return yielded.product(), False


def elsewhere(so_far: Any, function: Callable[..., Any], *arguments: Any) -> Generator:
    """Call a function on another thread, return what it returns, and yield ``so_far`` till then.

    Compiled code does not listen: there it can be waited for in short steps.
    """
    other_thread = ThreadPoolExecutor(1)
    running = other_thread.submit(function, *arguments)
    other_thread.shutdown(wait=False)  # after Stop, it ends unheard
    while not wait([running], timeout=SLICE_SECONDS).done:
        yield so_far
    return running.result()


def _ignore(value: Any) -> None:
    """Do nothing with ``value``."""


class SlicedWork:
    """One piece of long work under way.

    Parameters
    ----------
    work : generator
        Yields the fraction done or a `SoFar`, returns the result.
    on_progress : callable
        Called after each slice with what the work yielded last.
    on_done : callable
        Called with the result.
    on_failure : callable
        Called with the ``ValueError`` or ``OSError`` that ended the work.
    pause : float
        Seconds to wait after every single step of the work; 0 fills each slice with steps.
    """

    def __init__(
        self,
        work: Generator[Any, None, Any],
        on_progress: Callable[[Any], None] = _ignore,
        on_done: Callable[[Any], None] = _ignore,
        on_failure: Callable[[Exception], None] = _ignore,
        pause: float = 0.0,
    ) -> None:
        self.work = work
        self.on_progress = on_progress
        self.on_done = on_done
        self.on_failure = on_failure
        self.pause = pause
        self.stopped = False

    def start(self, in_seconds: float = 0.0) -> None:
        """Take a short slice at once; the others on the running event loop, if there is one.

        ``in_seconds`` is for work that would stop the loop, as compiling does: none of it is done
        before the page has had so long to show what is there.
        """
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            while self._run_slice(SLICE_SECONDS):
                pass
        else:
            # Time enough to find that all is remembered, and hardly a delay for a first look.
            if in_seconds or self._run_slice(SLICE_SECONDS / 2):
                # The loop keeps only a weak reference to a task.
                self._task = loop.create_task(self._run_on_loop(in_seconds))

    def stop(self) -> None:
        """End the work after the present slice; safe to call from another thread."""
        self.stopped = True

    async def _run_on_loop(self, in_seconds: float) -> None:
        await asyncio.sleep(in_seconds)
        more = True
        while more:
            # Not sleep(0): the thread that receives the browser's messages needs a moment too.
            await asyncio.sleep(max(self.pause, 0.001))
            more = self._run_slice(SLICE_SECONDS)

    def _run_slice(self, seconds: float) -> bool:
        """Take steps for so long; return whether there is more to do."""
        until = time.perf_counter() + seconds
        try:
            while not self.stopped:
                fraction = next(self.work)
                if self.pause or time.perf_counter() > until:
                    self.on_progress(fraction)
                    return True
        except StopIteration as end:
            self.on_done(end.value)
        except (ValueError, OSError) as error:
            self.on_failure(error)
        self.work.close()
        return False


def record(
    agent: PlanningAgent, env: TabularEnvironment, steps: int, seed: int, share: float = 1.0
) -> Generator[float, None, Trajectory]:
    """Do what ``simulate(..., record_plans=True)`` does, and yield the fraction done on the way.

    Parameters
    ----------
    agent : PlanningAgent
        One that plans without drawing, as EUBRL does.
    env, steps, seed
        As of `simulate`.
    share : float
        How much of the whole work the run is.

    Yields
    ------
    float
        0 to ``share``. The trajectory is what the generator returns.
    """
    taken, plans = [], []
    for step in run(agent, env, seed, plans):
        taken.append(step)
        yield share * len(taken) / steps
        if len(taken) == steps:
            return Trajectory.from_steps(taken, plans)
