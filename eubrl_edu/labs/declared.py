"""What a lab writes and declares; what becomes of it is `Lab`'s."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar

import ipywidgets
from matplotlib.figure import Figure

from eubrl_edu.labs.settings import Settings, with_settings


class Declared:
    """The methods and attributes that a subclass of `Lab` may give itself.

    Its ``scene`` is the module with its ``Params`` and what is computed, unless it says otherwise.
    Its ``Picture`` is made of an empty figure and a state, and its `draw` moves to other states:
    it makes and removes no artist. As an `eubrl_edu.plotting.picture.Moving` it has ``moving``.

    Where its docstring says nothing of parameters, it takes the settings declared in ``Params``.
    """

    scene: ClassVar[ModuleType]
    Params: ClassVar[type]
    Picture: ClassVar[Callable[[Figure, Any], Any]]
    figure_inches: ClassVar[tuple[float, float]] = (9.0, 4.0)
    dots_per_inch: ClassVar[int] = 100
    situations: ClassVar[Mapping[str, tuple[str, Any]]] = {}
    rows: ClassVar[Sequence[tuple[str | None, Sequence[str]]]] = ()
    question: ClassVar[Sequence[str]] = ()
    leading: ClassVar[Sequence[str]] = ()
    plays: ClassVar[str | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "scene" in vars(cls):
            cls.Params = cls.scene.Params
        params = vars(cls).get("Params", object)
        if issubclass(params, Settings) and "Parameters\n" not in (cls.__doc__ or "Parameters\n"):
            cls.__doc__ = with_settings(cls.__doc__, params)

    # ---- what a lab writes ----------------------------------------------------------------

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return further widgets, such as buttons that move several controls at once."""
        return ()

    def status_row(self) -> Sequence[ipywidgets.Widget]:
        """Return what stands between controls and picture; nothing in a fast lab."""
        return ()

    def compute(self, params: Any) -> Any:
        """Return the state for these parameters: pure, without widget or Matplotlib.

        A ``ValueError`` is answered at the controls, in its words, and they go back.
        """
        return self.scene.compute(params)

    def made_with(self) -> Mapping[str, Any]:
        """Return what else the line must say that makes the lab again, such as a store."""
        return {}

    def structure(self, state: Any) -> Hashable:
        """Return what must stay the same for the artists to serve on, such as a world's size."""
        return None

    def draw(self, state: Any) -> None:
        """Move the picture's artists to where ``state`` wants them; never make or remove one."""
        self.canvas.drawing.panels.draw(state)

    def describe(self, state: Any) -> str:
        """Return the numbers of the picture in words."""
        raise NotImplementedError

    # ---- what a lab declares --------------------------------------------------------------

    def brings(self, moved: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values that other controls take when these were moved.

        ``values`` are those of all controls, the moved ones included. What is set together with
        ``moved`` is not overwritten.
        """
        return {}

    def at_rest(self, params: Any) -> Mapping[str, str]:
        """Return which controls (or switches) have no effect now, each with the reason."""
        return {}

    def ranges(self, values: Mapping[str, Any], state: Any) -> dict[str, dict[str, Any]]:
        """Return traits that controls take, such as ``{"time": {"max": 60}}``.

        ``state`` is what is shown, or None where ``values`` are not yet computed.
        """
        return {}
