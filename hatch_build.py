"""What hatchling runs when it builds a wheel: the course goes in as it came, without one's own."""

import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Course(BuildHookInterface):
    """Puts notebooks and figures into the wheel, out of which `eubrl-edu course` copies them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Lay the files out in a temporary folder, and name them to hatchling."""
        self._place = tempfile.TemporaryDirectory()
        if version == "editable":  # which works on the clone itself
            return
        root = Path(self.root)
        found = runpy.run_path(str(root / "eubrl_edu" / "course" / "course_files.py"))
        for name, content in found["course_files"](root).items():
            file = Path(self._place.name, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            build_data["force_include"][str(file)] = f"eubrl_edu/course/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        self._place.cleanup()
