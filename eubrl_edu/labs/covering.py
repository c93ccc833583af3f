"""A lab that asks first: its answer is covered until a prediction, or a click, uncovers it."""

import html
from base64 import b64encode
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import ipywidgets
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from eubrl_edu.labs.canvas import encode_png
from eubrl_edu.labs.controls import button, widget_of
from eubrl_edu.labs.page import titled_row
from eubrl_edu.labs.prediction import Number, Prediction
from eubrl_edu.labs.settings import int_slider
from eubrl_edu.plotting.turns import IN_TURN
from eubrl_edu.validation import raised, shown

ANSWER = "What do you expect? Answer above, and the picture is uncovered."
ANSWER_IN_A_NOTEBOOK = (
    "What do you expect? Answer in a running notebook, and the picture is uncovered."
)
COVERED = "○ Covered until you have said what you expect: "
STILL_COMPILING = "This lab is being compiled, which happens once and takes up to a minute.\n"
COVER = "#E8EEF2"
INK = "#2F4A5C"


class Covering:
    """The part of a lab that asks before it answers.

    Attributes
    ----------
    prediction : Prediction or None
        What is asked.
    is_covered : bool
        Whether picture and words still wait for an answer.
    """

    prediction: Prediction | None = None
    is_covered = False
    _judged: tuple[str, dict[str, Any]] | None = None

    def predict(self, answer: Any) -> None:
        """Say what you expect; the lab says what is right, and shows it.

        What is no answer is met with a hint, and nothing is uncovered.
        """
        if self.prediction is None:
            raise ValueError(f"this {type(self).__name__} asks nothing")
        hint = self.prediction.hint(answer)
        if hint:
            self.readout.warn(f"{hint}.")
        else:
            self.finish_work()
            self._uncover(partial(self.prediction.judge, answer))

    def uncover(self) -> None:
        """Show the answer without a prediction; nothing happens where nothing is covered."""
        if self.is_covered:
            self.finish_work()
            self._uncover(lambda state: f"○ {self.prediction.reveal(state)}")

    def ask(self, prediction: Prediction | None) -> list[ipywidgets.Widget]:
        """Cover the lab until this is answered; return what asks on the page."""
        if prediction is None:
            return []
        if not isinstance(prediction, Prediction):
            raise ValueError(f"prediction must be a Choice or a Number, got {shown(prediction)}")
        self.prediction, self.is_covered = prediction, True
        self.add_class("eubrl-covered")
        words = f"<b>Before you look.</b> {html.escape(prediction.question)}"
        show = button("Show me", "Uncover the picture without a prediction", self.uncover)
        row = titled_row(None, [*self._answers(prediction), show])
        self.asked = ipywidgets.VBox([ipywidgets.HTML(words), row])
        self.asked.add_class("eubrl-prediction")
        return [self.asked]

    def _answers(self, prediction: Prediction) -> list[ipywidgets.Widget]:
        if isinstance(prediction, Number):
            numbers, name = prediction.numbers, prediction.unit or "my guess"
            declared = int_slider(
                numbers[0], numbers[0], numbers[-1], name, prediction.question, step=numbers.step
            )
            slider = widget_of(declared.metadata["control"], None)
            judge = lambda: self.predict(slider.value)  # noqa: E731
            # Not before the slider's last value has come: the page may send the click first.
            commit = lambda: self.front.when_all_has_come(judge)  # noqa: E731
            return [slider, button("That is my prediction", "Commit to it", commit)]
        return [
            button(answer, f"Predict: {answer}", partial(self.predict, answer))
            for answer in prediction.answers
        ]

    def seen(self) -> bytes:
        """The picture as the page may show it, as PNG bytes."""
        if not self.is_covered:
            return self.render(self.state)
        dots = self.dots_per_inch * self.front.ratio
        what_to_do = ANSWER if self.state is not None else STILL_COMPILING + ANSWER
        return _cover(tuple(self.figure_inches), dots, what_to_do)

    def stored(self) -> bytes:
        """The picture for where no kernel runs, as on GitHub, as PNG bytes."""
        if self.is_covered:
            return _cover(tuple(self.figure_inches), self.dots_per_inch, ANSWER_IN_A_NOTEBOOK)
        # It need not be four times as large as it is looked at.
        return self.picture.value if self.front.ratio == 1 else self.render(self.state, 1)

    def said(self) -> str:
        """The words as the page may show them."""
        if not self.is_covered:
            return self.describe(self.state)
        return f"{COVERED}{self.prediction}"

    def __repr__(self) -> str:
        return self.said() if self.is_covered or self.state is not None else super().__repr__()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        with self._lock:
            stored = self.stored()
        # ipywidgets would cut the text; the picture is for where no kernel runs, as on GitHub.
        return super()._repr_mimebundle_(**kwargs) | {
            "text/plain": repr(self),
            "image/png": b64encode(stored).decode("ascii"),
        }

    def show_as_covered(self) -> None:
        """Put picture and words on the page, as far as they may be seen."""
        self.picture.value = self.seen()
        self.front.words = words = self.said()
        self.readout.say(words)

    def _uncover(self, judge: Callable[[Any], str]) -> None:
        if self.state is None:
            return  # it could not start, and has said why
        with self._lock:
            try:
                verdict = judge(self.state)
            except Exception as error:  # of a page's own question, or one that is another lab's
                verdict = f"The right answer cannot be given here: {raised(error)}"
            self.is_covered = False
            self.remove_class("eubrl-covered")
            self.show_as_covered()
            self._judged = verdict, dict(self._values)
            self.asked.children = [ipywidgets.HTML()]
            self.show_verdict()
            self.front.verdict = verdict

    def show_verdict(self) -> None:
        """Show what a prediction was met with; in another situation, that it was asked before."""
        if self._judged is not None:
            verdict, values = self._judged
            if self._values != values:
                verdict = f"Asked before, with other settings: {verdict}"
            (box,) = self.asked.children
            box.value = f'<div class="eubrl-verdict">{html.escape(verdict)}</div>'


@lru_cache(maxsize=8)
def _cover(inches: tuple[float, float], dots_per_inch: float, what_to_do: str) -> bytes:
    """A picture of this size that shows nothing yet, and says what uncovers it."""
    figure = Figure(inches, dots_per_inch, facecolor=COVER)
    canvas = FigureCanvasAgg(figure)
    figure.text(0.5, 0.56, "?", size=28 * inches[1], color=INK, ha="center", va="center")
    figure.text(0.5, 0.1, what_to_do, size=12, color=INK, ha="center", va="center")
    with IN_TURN:
        canvas.draw()
    return encode_png(np.asarray(canvas.buffer_rgba())[..., :3])
