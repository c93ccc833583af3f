"""The base of every lab: controls, a picture and its words, recomputed whenever a control moves."""

import threading
from base64 import b64encode
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from functools import partial
from typing import Any, ClassVar

import ipywidgets
import matplotlib
import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from eubrl_edu.labs.controls import button, is_same_place, start_at
from eubrl_edu.labs.page_style import STYLE
from eubrl_edu.labs.png import encode_png
from eubrl_edu.labs.readout import Readout
from eubrl_edu.labs.rows import wrapped_row
from eubrl_edu.plotting.style import rc_parameters
from eubrl_edu.validation import require_choice, require_finite


def _in_words(value: Any) -> str:
    if isinstance(value, tuple):
        return " and ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


class Lab(ipywidgets.VBox):
    """A picture that answers its controls.

    A lab is a subclass with a frozen dataclass ``Params`` (one field for each control, its default
    the value that the lab starts with) and five methods: `build_controls`, `compute`, `build`,
    `draw` and `describe`. Everything else happens here: a moved control leads to
    ``compute(params)``, then ``draw(state)``, then ``describe(state)`` under the picture.
    ``situations`` names parameters worth a look, each with a button's tooltip; ``rows`` says how
    the controls stand: the name of each row, or None, and the names of controls or of attributes.

    The picture is an object-oriented Matplotlib figure, sent as PNG bytes. What `build` returns is
    drawn anew each time; all the rest is kept as a background and drawn again only when
    Matplotlib calls it stale (other limits, another title), so leave alone in `draw` what has not
    changed, and let a `Ruler` and a `Legend` move what often does. Callbacks may arrive on any
    thread: a lock guards the figure, and a result that is older than the one shown is thrown away.

    Parameters
    ----------
    **settings
        Values to start with, by the names of the fields of ``Params`` (which checks, in its
        ``__post_init__``, what its controls cannot).

    Raises
    ------
    ValueError
        If a setting has an unknown name or a value that its control does not allow.
    """

    Params: ClassVar[type]
    figure_inches: ClassVar[tuple[float, float]] = (9.0, 4.0)
    dots_per_inch: ClassVar[int] = 100
    situations: ClassVar[Mapping[str, tuple[str, Any]]] = {}
    rows: ClassVar[Sequence[tuple[str | None, Sequence[str]]]] = ()

    # ---- what a lab writes ----------------------------------------------------------------

    def build_controls(self, start: Any) -> dict[str, ipywidgets.Widget]:
        """Return a widget for each field of ``Params``; the lab sets it to the value of ``start``.

        Each has a ``description`` that names it and a ``tooltip`` that says what it does.
        """
        raise NotImplementedError

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return further widgets; if not overridden, a button for each of the situations."""
        self.situation_buttons = [
            button(name, tooltip, partial(self.set, **vars(params)))
            for name, (tooltip, params) in self.situations.items()
        ]
        return self.situation_buttons

    def compute(self, params: Any) -> Any:
        """Return the state for these parameters: pure, without widget or Matplotlib.

        A ``ValueError`` is answered at the controls, in its words, and they go back.
        """
        raise NotImplementedError

    def structure(self, state: Any) -> Hashable:
        """Return what must stay the same for the artists to serve on, such as a world's size."""
        return None

    def build(self, figure: Figure, state: Any) -> Sequence[Artist]:
        """Draw the axes into the empty figure; return the artists that `draw` will move."""
        raise NotImplementedError

    def draw(self, state: Any) -> None:
        """Move the artists to where ``state`` wants them; never make or remove one."""
        raise NotImplementedError

    def describe(self, state: Any) -> str:
        """Return the numbers of the picture in words."""
        raise NotImplementedError

    # ---- what every lab does --------------------------------------------------------------

    def __init__(self, **settings: Any) -> None:
        super().__init__()
        self.add_class("eubrl-lab")
        self.state: Any = None
        self._lock = threading.RLock()
        self._asked = self._shown = 0
        self._held = False
        self._built_for: Hashable = object()
        self.figure = Figure(self.figure_inches, self.dots_per_inch, layout="constrained")
        self.canvas = FigureCanvasAgg(self.figure)

        self.controls = self._start_controls(settings)
        self._values = {name: control.value for name, control in self.controls.items()}
        self.presentation = ipywidgets.ToggleButton(
            description="Presentation", tooltip="Larger letters, for the back of a room"
        )
        self.picture = ipywidgets.Image(format="png", layout={"max_width": "100%"})
        self.picture.add_class("eubrl-figure")
        self.readout = Readout()
        # A widget of its own: a page works out all its styles anew whenever one of them is set.
        style = ipywidgets.HTML(STYLE, layout={"display": "none"})
        self.children = [style, *self._arranged(self.build_actions()), self.picture, self.readout]

        # A lab that cannot start has nothing to show: here a ValueError goes to the caller.
        self._show(self.state_for(self.params), self._next_generation())
        self._good = dict(self._values)
        for name, control in self.controls.items():
            control.observe(partial(self._on_change, name), names="value")
        self.presentation.observe(self._on_presentation, names="value")

    def status_row(self) -> Sequence[ipywidgets.Widget]:
        """Return what stands between controls and picture; nothing in a fast lab."""
        return ()

    @property
    def params(self) -> Any:
        """The values of the controls, as ``Params``."""
        return self.Params(**self._values)

    def set(self, **values: Any) -> None:
        """Set several controls at once, and return when the lab shows the result."""
        for name in values:
            require_choice("control", name, self.controls)
        self.put(values)
        self.refresh_now()

    def put(self, values: dict[str, Any]) -> None:
        """Move controls to these values, quietly: the picture stays."""
        with self._quietly():
            for name, value in values.items():
                self.controls[name].value = value

    def refresh(self) -> None:
        """Compute and show the state for the present values of the controls."""
        generation = self._next_generation()
        values = dict(self._values)
        try:
            state = self.state_for(self.Params(**values))
        except ValueError as error:
            self.complain(error, generation)
        else:
            self._good = values
            self._show(state, generation)

    def refresh_now(self) -> None:
        """Like `refresh`, but also waits for work that `refresh` would leave for later."""
        self.refresh()

    def state_for(self, params: Any) -> Any:
        """Return what `compute` returns; a lab that keeps long work overrides this."""
        return self.compute(params)

    def on_change(self, name: str) -> None:
        """Answer a change of the control ``name``."""
        self.refresh()

    def complain(self, error: ValueError, generation: int) -> None:
        """Say at the controls what was wrong, and put them back to what the picture shows."""
        with self._lock:
            if generation > self._shown:
                self._shown = generation
                back = {
                    name: value for name, value in self._good.items() if self._values[name] != value
                }
                self.put(back)
                values = ", ".join(
                    f"{self.controls[name].description} = {_in_words(value)}"
                    for name, value in back.items()
                )
                self.readout.warn(f"{error}. Back to {values or 'what the picture shows'}.")

    def _start_controls(self, settings: dict[str, Any]) -> dict[str, ipywidgets.Widget]:
        kinds = {field.name: field.type for field in fields(self.Params)}
        names = list(kinds)
        for name, value in settings.items():
            require_choice("setting", name, names)
            if kinds[name] in (int, float):
                require_finite(name, value)
        start = self.Params(**settings)
        controls = self.build_controls(start)
        if list(controls) != names:
            raise TypeError(
                f"build_controls must return the controls {names}, not {list(controls)}"
            )
        for name, control in controls.items():
            start_at(control, name, getattr(start, name))
            control.style.description_width = "initial"
        return controls

    def _arranged(self, actions: Sequence[ipywidgets.Widget]) -> list[ipywidgets.Widget]:
        if not self.rows:
            row = [*self.controls.values(), *actions, self.presentation]
            return [wrapped_row(None, row), *self.status_row()]
        return [
            wrapped_row(title, [widget for name in names for widget in self._named(name)])
            for title, names in self.rows
        ]

    def _named(self, name: str) -> Sequence[ipywidgets.Widget]:
        found = self.controls[name] if name in self.controls else getattr(self, name)
        return [found] if isinstance(found, ipywidgets.Widget) else found

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        """Set controls in here without an answer to each of them."""
        held, self._held = self._held, True
        try:
            yield
        finally:
            self._held = held

    def _on_change(self, name: str, change: Any) -> None:
        new = change["new"]
        if self._held:
            self._values[name] = new
        elif not is_same_place(self.controls[name], new, self._values[name]):
            self._values[name] = new
            self.on_change(name)

    def _on_presentation(self, change: Any) -> None:
        (self.add_class if change["new"] else self.remove_class)("eubrl-presentation")
        with self._lock:
            self.picture.value = self._render(self.state)

    def _next_generation(self) -> int:
        with self._lock:
            self._asked += 1
            return self._asked

    def _show(self, state: Any, generation: int) -> None:
        with self._lock:
            if generation > self._shown:
                self._shown = generation
                self.state = state
                self.picture.value = self._render(state)
                self.readout.say(self.describe(state))

    def _render(self, state: Any) -> bytes:
        """Return the picture of ``state`` as PNG bytes."""
        needed = (self.structure(state), self.presentation.value)
        if needed != self._built_for:
            with matplotlib.rc_context(rc_parameters(self.presentation.value)):
                self.figure.clear()
                moving = self.build(self.figure, state)
            self._moving = sorted(moving, key=Artist.get_zorder)
            for artist in self._moving:
                # Matplotlib leaves animated artists out when it draws the figure.
                artist.set_animated(True)
            self._built_for = needed
        self.draw(state)
        if self.figure.stale:
            # Ticks are made while drawing, so this too needs the settings.
            with matplotlib.rc_context(rc_parameters(self.presentation.value)):
                self.canvas.draw()
            self._background = self.canvas.copy_from_bbox(self.figure.bbox)
        else:
            self.canvas.restore_region(self._background)
        renderer = self.canvas.get_renderer()
        for artist in self._moving:
            artist.draw(renderer)
        # Not print_png, which would first draw the whole figure again.
        return encode_png(np.asarray(self.canvas.buffer_rgba())[..., :3])

    def __repr__(self) -> str:
        return super().__repr__() if self.state is None else self.describe(self.state)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        # ipywidgets would cut the text; the picture is for where no kernel runs, as on GitHub.
        return super()._repr_mimebundle_(**kwargs) | {
            "text/plain": repr(self),
            "image/png": b64encode(self.picture.value).decode("ascii"),
        }
