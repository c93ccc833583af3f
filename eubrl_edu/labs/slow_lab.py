"""Labs with long work: a progress bar, a Stop button, and the last good picture meanwhile."""

import asyncio
from collections import OrderedDict
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar

import ipywidgets

from eubrl_edu.labs.controls import button
from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.page import titled_row
from eubrl_edu.labs.slices import SlicedWork, SoFar, finish, first_look

# Seconds before the first slice of a lab that has still to be compiled.
UNTIL_THE_PAGE_SHOWS_IT = 0.5
STOPPED = "Stopped. The picture is still the previous one."
SHOWS_SO_FAR = "Computing; the picture shows what is known so far."


def is_compiled() -> bool:
    """Whether a lab's first run would not wait for the compiler: always so outside a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return True
    from eubrl_edu.compiling import is_ready  # loads numba, as the lab's first run does

    return is_ready()


@dataclass(eq=False)
class Job:
    """Long work under way: for which values, what there is to show by now, and what is shown."""

    values: dict[str, Any]
    work: SlicedWork = field(init=False)
    so_far: SoFar | None = None
    stage: int = 0


class SlowLab(Lab):
    """A lab whose state takes long to prepare and is then quick to view.

    Beside what `Lab` asks for, a subclass names in ``slow`` the controls that need the long work
    done again, and its scene has `prepare` and `view` in place of `compute`. A change of one of
    these controls starts the work in slices; the others go on showing what was prepared last.

    ``follows`` says that there is something to show before the work is done: `view` then gets
    None for what is prepared. ``waits`` says that the work begins when *Run* is pressed, and not
    with a change. ``remembers`` is for how many settings the product is remembered.
    """

    slow: ClassVar[Sequence[str]]
    follows: ClassVar[bool] = False
    waits: ClassVar[bool] = False
    remembers: ClassVar[int] = 1

    def prepare(self, params: Any) -> Generator[float | SoFar, None, Any]:
        """Do the long work; yield often how far it is, and return the product.

        It yields the fraction done, from 0 to 1, or a `SoFar` that can be looked at when the work
        is stopped.
        """
        return self.scene.prepare(params)

    def view(self, params: Any, prepared: Any) -> Any:
        """Return the state for these parameters from what was prepared: pure and quick."""
        return self.scene.view(params, prepared)

    def compute(self, params: Any) -> Any:
        """Return the state for these parameters, the long work included."""
        return self.view(params, finish(self.prepare(params)))

    def __init__(self, **settings: Any) -> None:
        self.progress = ipywidgets.FloatProgress(
            min=0.0, max=1.0, description="Progress", tooltip="How much of the work is done"
        )
        self.run_button = button("Run", "Compute with the values shown", self.start_work)
        self.stop_button = button(
            "Stop", "Stop computing; what is done stays", self.stop_work, disabled=True
        )
        self.status = ipywidgets.Label()
        self._job: Job | None = None
        self._last: tuple[dict[str, Any], Any] | None = None
        self._elsewhere: tuple[dict[str, Any], Any] = {}, None
        self._products: OrderedDict[tuple, Any] = OrderedDict()
        super().__init__(**settings)
        if self._product_of(self.params) is None:
            self.start_work()

    def status_row(self) -> Sequence[ipywidgets.Widget]:
        """Return the row with progress, Run and Stop."""
        row = [self.run_button, self.stop_button, self.progress, self.status]
        return (titled_row(None, row),)

    def answer(self, *names: str) -> None:
        """Start the work when a slow control changed, show at once what can be shown."""
        is_quick = set(names).isdisjoint(self.slow)
        if is_quick or self.follows:
            self.refresh()
        # Those who wait already go on with what they asked for last.
        if not is_quick and (not self.waits or self._job is not None):
            self.start_work()

    def load(self, **values: Any) -> None:
        """Set several controls at once, as hands would, and press *Run* where the work waits."""
        with self._or_back():
            super().load(**values)
            if self.waits:
                self.start_work()

    def refresh_now(self) -> None:
        """Do the long work to its end, where a slow control has changed, and show the result."""
        self._end_work("")
        try:
            params = self.params
            self._remember(self._slow_values(params), self._product_at(params))
        except ValueError as error:
            self._complain_of_work(error)
        else:
            self.refresh()

    def state_for(self, params: Any) -> Any:
        """Return the view of what was prepared last, with the slow controls as they were then."""
        if self._last is None:
            # Behind its cover a lab need not be ready when it appears, nor what it runs compiled.
            if self.is_covered and not is_compiled():
                return None
            work, values = self.prepare(params), self._slow_values(params)
            product, is_all = first_look(work) if self.is_covered else (finish(work), True)
            if is_all:
                self._remember(values, product)
            self._last = values, product
        if self.follows:
            return self.view(params, self._product_of(params))
        values, prepared = self._last
        return self.view(replace(params, **values), prepared)

    def is_quick(self, name: str) -> bool:
        """Whether a change of this control asks for no long work."""
        return name not in self.slow

    def state_at(self, params: Any) -> Any:
        """Return the state for these parameters, however long it takes; the lab stays as it is."""
        values = self._slow_values(params)
        if self._elsewhere[0] != values:
            # A film in slices asks again, and the lab may have forgotten it by then.
            self._elsewhere = values, self._product_at(params)
        return self.view(params, self._elsewhere[1])

    def finish_work(self) -> None:
        """Do long work that is under way to its end, and show the result."""
        if self._job is not None or self.state is None:
            self.refresh_now()

    def start_work(self) -> None:
        """Start the long work for the present values, in place of any that is under way."""
        with self._lock:
            self._end_work("")
            try:
                params = self.params
            except ValueError as error:
                self.complain(error, self._next_generation())
                return
            values = self._slow_values(params)
            self._good = self._good | values
            self.readout.take_back_warning()
            product = self._product_of(params)
            job = self._job = self._new_job(params, values) if product is None else None
        if job is not None:
            self.progress.value = 0.0
            try:
                job.work.start(UNTIL_THE_PAGE_SHOWS_IT if self.state is None else 0.0)
            except BaseException:  # Ctrl-C
                self.stop_work()
                raise
            self._announce(job)
            return
        self._remember(values, product)
        if not self.follows:
            self.refresh()

    def stop_work(self) -> None:
        """Stop the work that is under way; what can be looked at by then is shown."""
        with self._lock:
            job = self._job
            if job is None:
                return
            done = job.so_far is not None or self.follows
            picture = "shows what was done by then" if done else "is still the previous one"
            self._end_work(f"Stopped at {self.progress.value:.0%}. The picture {picture}.")
            if job.so_far is not None:
                self._last = job.values, job.so_far.product()
        self.refresh()

    @contextmanager
    def _or_back(self) -> Iterator[None]:
        last, job = self._last, self._job
        try:
            with super()._or_back():
                yield
        except BaseException:
            self._last = last
            if job is None or self._job is not job:
                self._end_work(STOPPED)
            raise

    def _new_job(self, params: Any, values: dict[str, Any]) -> Job:
        job = Job(values)
        job.work = SlicedWork(
            self.prepare(params),
            on_progress=partial(self._on_progress, job),
            on_done=partial(self._on_done, job),
            on_failure=partial(self._on_failure, job),
        )
        return job

    def _announce(self, job: Job) -> None:
        """Offer Stop, and say what the picture shows; what is done by now asks for neither."""
        with self._lock:
            if job is not self._job:
                return
            self.stop_button.disabled = False
            if self.follows:
                self.status.value = SHOWS_SO_FAR
            elif not job.stage:
                self.status.value = "Computing; the picture is still the previous one."

    def _end_work(self, status: str) -> None:
        with self._lock:
            if self._job is not None:
                self._job.work.stop()
            self._job = None
            self.stop_button.disabled = True
            self.status.value = status

    def _slow_values(self, params: Any) -> dict[str, Any]:
        return {name: getattr(params, name) for name in self.slow}

    def _product_of(self, params: Any) -> Any:
        """What was prepared for these parameters; None where it was not, or is forgotten."""
        return self._products.get(tuple(self._slow_values(params).values()))

    def _product_at(self, params: Any) -> Any:
        """What these parameters need, prepared now where it is not there."""
        product = self._product_of(params)
        return finish(self.prepare(params)) if product is None else product

    def _remember(self, values: dict[str, Any], product: Any) -> None:
        key = tuple(values.values())
        self._last = values, product
        self.progress.value = 1.0
        self._products[key] = product
        self._products.move_to_end(key)
        while len(self._products) > self.remembers:
            self._products.popitem(last=False)

    def _on_progress(self, job: Job, yielded: float | SoFar) -> None:
        so_far = yielded if isinstance(yielded, SoFar) else None
        with self._lock:
            if job is not self._job:
                return
            # In whole percent, for each new value is a message to the page.
            self.progress.value = round(so_far.fraction if so_far else yielded, 2)
            job.so_far = so_far
            if so_far is None or so_far.stage <= job.stage:
                return
            job.stage = so_far.stage
            self.status.value = SHOWS_SO_FAR
            self._last = job.values, so_far.product()
        self.refresh()

    def _on_done(self, job: Job, product: Any) -> None:
        # A page is told that there is nothing to stop any more when it has the picture.
        with self.stop_button.hold_sync():
            with self._lock:
                # It may have been stopped or replaced, on another thread, at this very moment.
                if job is not self._job:
                    return
                self._end_work("")
                self._remember(job.values, product)
            self.refresh()

    def _on_failure(self, job: Job, error: ValueError) -> None:
        with self._lock:
            if job is self._job:
                self._end_work("")
                self._complain_of_work(error)

    def _complain_of_work(self, error: ValueError) -> None:
        """Complain, and put the slow controls back to what the last good work was done for."""
        if self._last is not None:
            self._good = self._good | self._last[0]
        self.complain(error, self._next_generation())
