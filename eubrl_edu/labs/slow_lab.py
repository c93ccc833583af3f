"""Labs with long work: a progress bar, a Stop button, and the last good picture meanwhile."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import ipywidgets

from eubrl_edu.labs.controls import button
from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.rows import wrapped_row
from eubrl_edu.labs.slices import SlicedWork, finish


class SlowLab(Lab):
    """A lab whose state takes long to prepare and is then quick to view.

    Beside what `Lab` asks for, a subclass names in ``slow`` the controls that need the long work
    done again, and writes `prepare` and `view` in place of `compute`. A change of one of these
    controls starts the work in slices; the other controls go on showing what was prepared last.
    """

    slow: ClassVar[tuple[str, ...]]

    def prepare(self, params: Any) -> Generator[float, None, Any]:
        """Do the long work: yield the fraction done (0 to 1) often, return the product."""
        raise NotImplementedError

    def view(self, params: Any, prepared: Any) -> Any:
        """Return the state for these parameters from what was prepared: pure and quick."""
        raise NotImplementedError

    def compute(self, params: Any) -> Any:
        """Return the state for these parameters, the long work included."""
        return self.view(params, finish(self.prepare(params)))

    def __init__(self, **settings: Any) -> None:
        self.progress = ipywidgets.FloatProgress(
            min=0.0, max=1.0, description="Progress", tooltip="How much of the work is done"
        )
        self.run_button = button("Run", "Compute again with the values shown", self.start_work)
        self.stop_button = button(
            "Stop", "Stop computing; the last picture stays", self.stop_work, disabled=True
        )
        self.status = ipywidgets.Label()
        self._work: SlicedWork | None = None
        self._work_number: int | None = None
        self._prepared: tuple[dict[str, Any], Any] | None = None
        super().__init__(**settings)

    def status_row(self) -> Sequence[ipywidgets.Widget]:
        """Return the row with progress, Run and Stop."""
        row = [self.progress, self.run_button, self.stop_button, self.status]
        return (wrapped_row(None, row),)

    def on_change(self, name: str) -> None:
        """Start the work when a slow control changed, show at once when another did."""
        if name in self.slow:
            self.start_work()
        else:
            self.refresh()

    def refresh_now(self) -> None:
        """Do the long work to its end, where a slow control has changed, and show the result."""
        self._end_work("")
        try:
            params = self.params
            if self._slow_values(params) != self._prepared[0]:
                self._prepared = self._slow_values(params), finish(self.prepare(params))
        except ValueError as error:
            self._complain_of_work(error)
        else:
            self.refresh()

    def state_for(self, params: Any) -> Any:
        """Return the view of what was prepared last, with the slow controls as they were then."""
        if self._prepared is None:
            self._prepared = self._slow_values(params), finish(self.prepare(params))
        values, prepared = self._prepared
        return self.view(replace(params, **values), prepared)

    def start_work(self) -> None:
        """Start the long work for the present values, in place of any that is under way."""
        with self._lock:
            self._end_work("")
            try:
                params = self.params
            except ValueError as error:
                self.complain(error, self._next_generation())
                return
            number = self._next_generation()
            work = SlicedWork(
                self.prepare(params),
                on_progress=self._on_progress,
                on_done=partial(self._on_done, number, self._slow_values(params)),
                on_failure=partial(self._on_failure, number),
            )
            self._work, self._work_number = work, number
            self._good = self._good | self._slow_values(params)
            self.readout.take_back_warning()
        work.start()
        with self._lock:
            # What was remembered is there by now, and asks for no Stop.
            if self._work is work:
                self.stop_button.disabled = False
                self.status.value = "Computing; the picture is still the one before."

    def stop_work(self) -> None:
        """Stop the work that is under way; the last good picture stays."""
        with self._lock:
            if self._work is not None:
                done = f"{self.progress.value:.0%}"
                self._end_work(f"Stopped at {done}. The picture is still the one before.")

    def _end_work(self, status: str) -> None:
        with self._lock:
            if self._work is not None:
                self._work.stop()
            self._work = self._work_number = None
            self.stop_button.disabled = True
            self.status.value = status

    def _slow_values(self, params: Any) -> dict[str, Any]:
        return {name: getattr(params, name) for name in self.slow}

    def _on_progress(self, fraction: float) -> None:
        # In whole percent, for each new value is a message to the page.
        self.progress.value = round(fraction, 2)

    def _on_done(self, number: int, slow_values: dict[str, Any], product: Any) -> None:
        with self._lock:
            # It may have been stopped or replaced, on another thread, at this very moment.
            if number != self._work_number:
                return
            self._end_work("")
            self._prepared = slow_values, product
            self.progress.value = 1.0
        self.refresh()

    def _on_failure(self, number: int, error: ValueError) -> None:
        with self._lock:
            if number == self._work_number:
                self._end_work("")
                self._complain_of_work(error)

    def _complain_of_work(self, error: ValueError) -> None:
        """Complain, and put the slow controls back to what the last good work was done for."""
        if self._prepared is not None:
            self._good = self._good | self._prepared[0]
        self.complain(error, self._next_generation())


class Player(ipywidgets.HBox):
    """Buttons that walk through the values of a slider: one step back, play, pause, one step on.

    Parameters
    ----------
    slider : ipywidgets.IntSlider
        The slider to move; the lab answers it as if a hand had moved it.
    seconds : float
        The time from one step to the next.
    """

    def __init__(self, slider: ipywidgets.IntSlider, seconds: float = 0.15) -> None:
        self.slider = slider
        self.seconds = seconds
        self._work: SlicedWork | None = None
        name = slider.description
        self.back_button = button("Back", f"One step back in {name}", partial(self._step, -1))
        self.play_button = button("Play", f"Go on through {name}, step by step", self.play)
        self.pause_button = button("Pause", "Stay at the present step", self.pause)
        self.step_button = button("Step", f"One step on in {name}", partial(self._step, +1))
        super().__init__([self.back_button, self.play_button, self.pause_button, self.step_button])
        self.add_class("eubrl-player")

    def play(self) -> None:
        """Walk to the end; from the start, where the slider stands at the end already."""
        self.pause()
        if self.slider.value >= self.slider.max:
            self.slider.value = self.slider.min
        self._work = SlicedWork(self._steps(), pause=self.seconds)
        self._work.start()

    def pause(self) -> None:
        """Stay at the present step."""
        if self._work is not None:
            self._work.stop()
            self._work = None

    def _step(self, direction: int) -> None:
        self.pause()
        # A slider keeps its value inside its range.
        self.slider.value += direction * self.slider.step

    def _steps(self) -> Generator[float, None, None]:
        while self.slider.value < self.slider.max:
            self.slider.value += self.slider.step
            yield self.slider.value / self.slider.max
