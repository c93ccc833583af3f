"""The base of every lab: controls, a picture and its words, recomputed whenever a control moves."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import ipywidgets

from eubrl_edu.labs.canvas import Canvas
from eubrl_edu.labs.controls import (
    allow,
    button,
    controls_for,
    is_same_place,
    stand_at,
    told_last,
    why_at_rest,
)
from eubrl_edu.labs.covering import Covering
from eubrl_edu.labs.declared import Declared
from eubrl_edu.labs.front import Front
from eubrl_edu.labs.page import STYLE, controls_on_page
from eubrl_edu.labs.player import Player
from eubrl_edu.labs.prediction import Prediction
from eubrl_edu.labs.readout import Readout, sent_back
from eubrl_edu.labs.saving import Saving
from eubrl_edu.labs.settings import require_setting
from eubrl_edu.names import require_choice

# What completion offers of a lab; a widget has a hundred names more.
OFFERED = (
    *("Params", "params", "controls", "situations", "set", "load", "state", "compute", "code"),
    *("figure", "picture", "readout", "predict", "uncover", "player", "presentation"),
    *("save", "save_figure", "save_data", "save_run", "save_page", "layout"),
)


class Lab(Declared, Covering, Saving, ipywidgets.VBox):
    """A picture that answers its controls.

    A lab is a subclass with a ``scene``, which is a module with a frozen dataclass ``Params`` (one
    field for each control, declared as in `eubrl_edu.labs.settings`) and the function ``compute``,
    with a ``Picture``, and with the method `describe`. Everything else happens here: a moved
    control leads to ``compute(params)``, then to ``draw(state)`` of the picture, then to
    ``describe(state)`` under it.

    What is special about a lab is declared. ``rows`` names the rows of controls: a title, and the
    names of controls or of attributes with widgets. ``question`` names those that the page's
    question is about; all others wait behind *More*. ``situations`` names parameters worth a look,
    each with its button's tooltip. ``plays`` names the control that ``player`` walks through. Those
    in ``leading`` decide which others they bring (`brings`), which rest, and how far others go.

    What moves in the picture is drawn anew each time; all the rest is drawn again only when
    Matplotlib calls it stale, so leave alone in `draw` what has not changed, and let a `Ruler` and
    a `Legend` move what often does. Callbacks may arrive on any thread: a lock guards the figure,
    and a result that is older than the one shown is thrown away.

    Parameters
    ----------
    prediction : Prediction, optional
        What is asked first; picture and words are covered until it is answered.
    **settings
        Values to start with, by the names of the fields of ``Params``.

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that its control does not allow.
    """

    def __init__(self, *, prediction: Prediction | None = None, **settings: Any) -> None:
        super().__init__()
        self.add_class("eubrl-lab")
        self.state: Any = None
        self._lock = threading.RLock()
        self._asked = self._shown = 0
        self._held = False
        self.canvas = Canvas(self)
        self.controls = controls_for(self.Params, settings, self.brings)
        self._values = {name: control.value for name, control in self.controls.items()}
        if self.plays is not None:
            self.player = Player(self.controls[self.plays])
        self.situation_buttons = [
            button(name, tooltip, partial(self.load, **vars(params)))
            for name, (tooltip, params) in self.situations.items()
        ]
        self.presentation = ipywidgets.ToggleButton(
            description="Presentation", tooltip="Larger text, for the back of a room"
        )
        self.keep_button = ipywidgets.ToggleButton(
            description="Keep", tooltip="Leave the present curves in the picture, as pale lines"
        )
        what = "Write the picture, numbers, settings and run beside the notebook"
        self.save_button = button("Save", what, self._on_save)
        self.save_button.add_class("eubrl-save")
        self.saved = ipywidgets.Label()
        self.saved.add_class("eubrl-saved")
        self.notes = ipywidgets.HTML()
        self.picture = ipywidgets.Image(format="png", layout={"max_width": "100%"})
        self.picture.add_class("eubrl-figure")
        self.readout = Readout()
        self.front = Front()
        # A widget of its own: a page works out all its styles anew whenever one of them is set.
        style = ipywidgets.HTML(STYLE, layout={"display": "none"})
        self.more_button, shown = controls_on_page(self, self.build_actions())
        asked = self.ask(prediction)
        self.children = [style, *asked, shown, self.picture, self.readout, self.front]

        # A lab that cannot start has nothing to show: here a ValueError goes to the caller.
        self._show(self.state_for(self.params), self._next_generation())
        self._good = dict(self._values)
        self._let_rest()
        for name, control in self.controls.items():
            control.observe(partial(self._on_change, name), names="value")
        self.presentation.observe(self._on_presentation, names="value")
        self.keep_button.observe(self._on_keep, names="value")
        self.front.observe(lambda change: self._draw_again(), names="ratio")

    def __dir__(self) -> list[str]:
        return [name for name in OFFERED if hasattr(self, name)]

    @property
    def params(self) -> Any:
        """The values of the controls, as ``Params``."""
        return self.Params(**self._values)

    def set(self, **values: Any) -> None:
        """Set several controls at once, and return when the lab shows the result."""
        with self._or_back():
            if self._take(values):
                self.refresh_now()

    def load(self, **values: Any) -> None:
        """Set several controls at once, as hands would: long work goes on afterwards."""
        with self._or_back():
            if self._take(values):
                self.answer(*values)
                self.show_verdict()

    def put(self, values: Mapping[str, Any]) -> None:
        """Move controls to these values, or none of them; quietly: the picture stays."""
        for name, value in values.items():
            require_setting(self.Params, name, value)
        before = dict(self._values)
        with self._quietly():
            self._allow(before | values)
            try:
                for name, value in values.items():
                    stand_at(self.controls[name], name, value)
            except ValueError:
                self._allow(before)
                for name in values:
                    self.controls[name].value = before[name]
                raise
        self._let_rest()

    def refresh(self) -> None:
        """Compute and show the state for the present values of the controls."""
        generation = self._next_generation()
        values = dict(self._values)
        try:
            state = self.state_for(self.Params(**values))
        except ValueError as error:
            self.complain(error, generation)
        else:
            self._show(state, generation)
            self._good = values

    def refresh_now(self) -> None:
        """Like `refresh`, but also waits for work that `refresh` would leave for later."""
        self.refresh()

    def state_for(self, params: Any) -> Any:
        """Return what `compute` returns; a lab that keeps long work overrides this."""
        return self.compute(params)

    @contextmanager
    def figure_in_use(self) -> Iterator[None]:
        """Draw other states in here; afterwards the lab shows its own again."""
        with self._lock:
            try:
                yield
            finally:
                self._draw_again()

    def answer(self, *names: str) -> None:
        """Answer a change of these controls."""
        self.refresh()

    def complain(self, error: ValueError, generation: int) -> None:
        """Say at the controls what was wrong, and put them back to what the picture shows."""
        with self._lock:
            if generation > self._shown:
                self._shown = generation
                blamed = str(error).partition(" ")[0]
                back = {
                    name: value
                    for name, value in self._good.items()
                    if name == blamed or self._values[name] != value
                }
                self.put(back)
                self.readout.warn(sent_back(error, self.controls, back))

    def _take(self, values: Mapping[str, Any]) -> bool:
        """Move controls, and those that they bring; what is not allowed is answered in words."""
        for name in values:
            require_choice("control", name, self.controls)
        try:
            moved = self.brings(values, self._values | values) | values
            self.Params(**self._values | moved)
            self.put(moved)
        except ValueError as error:
            self.complain(error, self._next_generation())
            return False
        return True

    @contextmanager
    def _or_back(self) -> Iterator[None]:
        """Go back to what was shown before if work in here is interrupted, as by Ctrl-C."""
        before = self.state, self._good, self.picture.value, self.readout.words
        try:
            yield
        except BaseException:
            with self._lock, suppress(ValueError):  # the interrupt is what goes to the caller
                self.state, self._good, self.picture.value, self.front.words = before
                self.readout.say(self.front.words)
                with self._quietly():
                    self._allow(self._good, self.state)
                    for name, value in self._good.items():
                        stand_at(self.controls[name], name, value)
                self._let_rest()
            raise

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        """Set controls in here without an answer to each of them."""
        held, self._held = self._held, True
        try:
            yield
        finally:
            self._held = held

    def _allow(self, values: Mapping[str, Any], state: Any = None) -> None:
        """Give the controls the ranges that these values need."""
        for name, traits in self.ranges(values, state).items():
            allow(self.controls[name], traits)

    def _let_rest(self) -> None:
        """Grey out what has no effect, and say why."""
        try:
            reasons = self.at_rest(self.params)
        except ValueError:  # the computation answers this one with a warning
            reasons = {}
        self.notes.value = why_at_rest(self.controls, reasons)

    def _on_change(self, name: str, change: Any) -> None:
        new = change["new"]
        if self._held:
            self._values[name] = new
        elif not is_same_place(self.controls[name], new, self._values[name]):
            self._values[name] = new
            with told_last(self.controls.values()), self._or_back():
                if name in self.leading:
                    self.put(self.brings({name: new}, self._values))
                self.answer(name)

    def _on_presentation(self, change: Any) -> None:
        (self.add_class if change["new"] else self.remove_class)("eubrl-presentation")
        self._draw_again()

    def _on_keep(self, change: Any) -> None:
        with self._lock:
            (self.canvas.keep if change["new"] else self.canvas.let_go)()
        self._draw_again()

    def _draw_again(self) -> None:
        with self._lock:
            self.picture.value = self.seen()

    def _next_generation(self) -> int:
        with self._lock:
            self._asked += 1
            return self._asked

    def _show(self, state: Any, generation: int) -> None:
        with self._lock:
            if generation > self._shown:
                self._shown = generation
                self.state = state
                with self._quietly():
                    self._allow(self._values, state)
                self.show_as_covered()

    def render(self, state: Any, ratio: float | None = None) -> bytes:
        """Return the picture of ``state`` as PNG bytes, as sharp as the page can show it."""
        ratio = self.front.ratio if ratio is None else ratio
        return self.canvas.png(state, self.structure(state), self.presentation.value, ratio)
