"""The base of labs that let agents live in a world of one's choice."""

from collections.abc import Sequence
from typing import Any, ClassVar

import ipywidgets

from eubrl_edu.labs.controls import button
from eubrl_edu.labs.exploration_settings import USUAL_STEPS
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.labs.world_controls import largest_size


class WorldLab(SlowLab):
    """A lab in which a new world, or a new agent, brings the paper's settings with it.

    Beside what `SlowLab` asks for, a subclass names in ``leading`` the controls that bring them
    (``world`` and ``size`` among them), and writes `suggested` and `left_out`.
    """

    leading: ClassVar[tuple[str, ...]]

    def suggested(self, **leading: Any) -> dict[str, Any]:
        """Return values for the controls that suit these of the leading ones, size included."""
        raise NotImplementedError

    def left_out(self) -> dict[str, str]:
        """Return which controls have no effect now, each with the reason in a few words."""
        raise NotImplementedError

    def __init__(self, **settings: Any) -> None:
        leading = {"world": self.Params.world}
        leading |= {name: settings[name] for name in self.leading if name in settings}
        suggested = self.suggested(**leading)
        suggested["steps"] = USUAL_STEPS.get(leading["world"], 1000)
        self.notes = ipywidgets.HTML()
        super().__init__(**suggested | settings)
        self.say_what_is_left_out()

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return the way back to the paper's settings."""
        self.paper_button = button(
            "Paper's settings",
            "Back to the paper's values for this world and this agent",
            self.restore_suggested,
            icon="undo",
        )
        return [self.paper_button]

    def set(self, **values: Any) -> None:
        """Set several controls at once; what is left out suits a new world or agent."""
        given = {name: values[name] for name in self.leading if name in values}
        if given:
            present = self._leading_values()
            if given.get("world", present["world"]) != present["world"]:
                del present["size"]
            values = self.suggested(**present | given) | values
        super().set(**values)

    def put(self, values: dict[str, Any]) -> None:
        """Move controls to these values, quietly, and grey out what has no effect there."""
        with self._quietly():
            self.make_room(values)
        super().put(values)
        self.say_what_is_left_out()

    def on_change(self, name: str) -> None:
        """Answer a change; a new world or agent brings the paper's settings with it."""
        if name in self.leading:
            self.restore_suggested(new_world=name == "world")
        else:
            super().on_change(name)

    def restore_suggested(self, new_world: bool = False) -> None:
        """Set what suits the present world and agent, and run."""
        leading = self._leading_values()
        if new_world:
            del leading["size"]
        values = self.suggested(**leading)
        if new_world:
            values["steps"] = USUAL_STEPS.get(leading["world"], 1000)
        self.put({"world": leading["world"]} | values)
        self.start_work()

    def make_room(self, values: dict[str, Any]) -> None:
        """Give the sliders the ranges that these values need."""
        if "world" in values:
            self.controls["size"].max = largest_size(values["world"])

    def say_what_is_left_out(self) -> None:
        """Grey out what has no effect, and say why."""
        try:
            reasons = self.left_out()
        except ValueError:  # the run answers this one with a warning
            reasons = {}
        self.grey_out(reasons)
        words = "; ".join(
            f"{self.controls[name].description if name in self.controls else name} ({why})"
            for name, why in reasons.items()
        )
        # Folded up: with many agents the reasons are longer than the controls.
        why = "<summary>Why some are greyed out</summary>"
        self.notes.value = f"<small><details>{why}{words}.</details></small>" if words else ""

    def grey_out(self, names: Sequence[str]) -> None:
        """Disable the controls of these names, and no others."""
        for name, control in self.controls.items():
            if control.has_trait("disabled"):
                control.disabled = name in names

    def _leading_values(self) -> dict[str, Any]:
        return {name: self.controls[name].value for name in self.leading}
