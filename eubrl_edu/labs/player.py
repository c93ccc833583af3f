"""Buttons that walk through the values of a slider, as a run is played."""

from collections.abc import Generator
from functools import partial

import ipywidgets

from eubrl_edu.labs.controls import button
from eubrl_edu.labs.slices import SlicedWork


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
