"""The base of labs that let agents live in a world of one's choice."""

from collections.abc import Mapping, Sequence
from typing import Any

import ipywidgets

from eubrl_edu.labs.controls import button
from eubrl_edu.labs.slow_lab import SlowLab
from eubrl_edu.labs.world_settings import USUAL_STEPS


class WorldLab(SlowLab):
    """A lab in which a new world, or a new agent, brings the paper's settings with it.

    Beside what `SlowLab` asks for, a subclass names in ``leading`` the controls that bring them
    (``world`` and ``size`` among them), and writes `suggested`.
    """

    def suggested(self, **leading: Any) -> dict[str, Any]:
        """Return values for the controls that suit these of the leading ones, size included."""
        raise NotImplementedError

    def brings(self, moved: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the paper's settings for another world or another agent."""
        if set(moved).isdisjoint(self.leading):
            return {}
        leading = {name: values[name] for name in self.leading}
        if "world" not in moved:
            return self.suggested(**leading)
        if "size" not in moved:
            del leading["size"]
        return self.suggested(**leading) | {"steps": USUAL_STEPS.get(leading["world"], 1000)}

    def build_actions(self) -> Sequence[ipywidgets.Widget]:
        """Return the way back to the usual settings."""
        self.usual_button = button(
            "Usual settings",
            "Back to what suits this world and this agent: the paper's values, where it has any",
            lambda: self.load(**{name: self.controls[name].value for name in self.leading}),
            icon="undo",
        )
        return [self.usual_button]
