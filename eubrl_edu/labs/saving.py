"""What a lab shows can leave it: the picture, the numbers, the line of Python, the run, a page."""

import ast
import csv
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from matplotlib.figure import Figure

from eubrl_edu.labs.film import SECONDS, can_write_mp4, write_film
from eubrl_edu.labs.frames import MOST_MEGABYTES
from eubrl_edu.labs.slices import SlicedWork, finish
from eubrl_edu.labs.still_page import write_page
from eubrl_edu.names import require_choice, require_path
from eubrl_edu.writing import in_place_of, require_target, unused_stem

PICTURE_FORMATS = ("png", "svg", "pdf")


class Saving:
    """The part of a lab that writes files."""

    _filming: SlicedWork | None = None

    def finish_work(self) -> None:
        """Do long work that is under way to its end; in a fast lab there is none."""

    def state_at(self, params: Any) -> Any:
        """Return the state for these parameters, however long it takes; the lab stays as it is."""
        return self.compute(params)

    def is_quick(self, name: str) -> bool:
        """Whether a change of this control asks for no long work."""
        return True

    @property
    def figure(self) -> Figure:
        """The picture, as Matplotlib's figure; where it is built anew, there is another one."""
        return self.canvas.drawing.figure

    @property
    def panels(self) -> Any:
        """The lab's ``Picture`` in it."""
        return self.canvas.drawing.panels

    @property
    def shown_params(self) -> Any:
        """The settings of what is shown: not the controls' where long work goes on or was stopped.

        They are the controls' where a state does not say its ``params``.
        """
        return getattr(self.state, "params", self.params)

    @property
    def code(self) -> str:
        """The line of Python that makes a lab which shows just this; see `shown_params`.

        It cannot make what is one's own: that has a name in it, and a comment says which.
        """
        return self.code_of(self.shown_params)

    def code_of(self, params: Any) -> str:
        """The line of Python that makes a lab with these settings; see `code`."""
        values = vars(params)
        defaults = {field.name: field.default for field in fields(self.Params)}
        given = {name: values[name] for name in self.leading if values[name] != defaults[name]}
        # What a world brings with it need not be said, unless it was changed.
        brought = defaults | self.brings(given, defaults | given) | given
        given |= {name: value for name, value in values.items() if value != brought[name]}
        given |= self.made_with()
        settings = ", ".join(f"{name}={_in_python(value)}" for name, value in given.items())
        line = f"{type(self).__name__}({settings})"
        asked = {node.id for node in ast.walk(ast.parse(line)) if isinstance(node, ast.Name)}
        asked -= {type(self).__name__, "OwnAgent"}
        return f"{line}  # your own: {', '.join(sorted(asked))}" if asked else line

    def save_figure(self, path: str | Path) -> Path:
        """Write the picture; what the file's name ends in says how: .png, .svg or .pdf."""
        path = require_target("path", path)
        kind = require_choice("format of a picture", path.suffix.removeprefix("."), PICTURE_FORMATS)
        with self.figure_in_use(), in_place_of(path) as part:
            self.canvas.save(part, kind)
        return path

    def save_data(self, path: str | Path) -> Path:
        """Write the numbers behind the picture as CSV: one row for each, named as in the state."""
        path = require_target("path", path)
        require_choice("format of numbers", path.suffix.removeprefix("."), ("csv",))
        numbers = list(numbers_of(self.state))
        # Not where a control stood when the run was made, if it has moved on since.
        own = {quantity for quantity, *_ in numbers}
        numbers = [row for row in numbers if row[0].partition(".params.")[2] not in own]
        rows = [("quantity", "place", "value"), *numbers]
        with in_place_of(path) as part, part.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)
        return path

    def save(self, folder: str | Path = ".") -> list[Path]:
        """Write picture (PNG, SVG), numbers (CSV), the line of Python, and the run if there is one.

        The run is a GIF; an MP4 too, where ffmpeg is found. Nothing is overwritten.
        """
        files = self._save_moment(require_path("folder", folder, "folder"))
        return files + finish(self._save_films(files[0], print))

    def save_run(
        self,
        path: str | Path,
        over: str | Mapping[str, Sequence[Any]] | None = None,
        seconds: float = SECONDS,
        most_megabytes: float = MOST_MEGABYTES,
    ) -> Path:
        """Write the run as a film: what the lab shows while one of its controls moves.

        How many pictures it has, and how large it becomes, is said first.

        Parameters
        ----------
        path : str or path
            The file; what its name ends in says how: .gif, .webp, or .mp4 where ffmpeg is found.
        over : str or mapping of str to sequence, optional
            The control that moves; a mapping also says through which values. Left out, it is the
            one that *Play* moves.
        seconds : float
            How long each picture stays, from 0.02 to 30; the last stays twenty times as long.
        most_megabytes : float
            How large the file may become.

        Raises
        ------
        ValueError
            If the lab shows no run over time and ``over`` does not say what moves, there is no such
            control or format, a control cannot be at a value, the film would be too large, or
            pictures that are the same stand together for longer than a GIF can count, 655 s.
        OSError
            If the file cannot be written.
        """
        return finish(write_film(self, require_target("path", path), over, seconds, most_megabytes))

    def save_page(
        self,
        path: str | Path,
        over: str | Sequence[str] | Mapping[str, Sequence[Any]],
        most_megabytes: float = MOST_MEGABYTES,
    ) -> Path:
        """Write one HTML file in which one or two controls work without a kernel.

        Each of their places is a frame, computed now; how many, and how large, is said first.

        Parameters
        ----------
        path : str or path
            The file.
        over : str, sequence of str, or mapping of str to sequence
            The control, or both; a mapping also says which values of each.
        most_megabytes : float
            How large the file may become.

        Raises
        ------
        ValueError
            If there is no such control, there are more than two, a value of them or
            ``most_megabytes`` cannot be, or the page would be too large.
        """
        return write_page(self, require_target("path", path), over, most_megabytes)

    def _save_moment(self, folder: Path) -> list[Path]:
        """Write all but the run, of work that is done: a film would show what is yet to come."""
        self.finish_work()
        name = type(self).__name__
        stem = unused_stem(folder, name)
        line = stem.with_suffix(".py")
        imports, code = [f"from eubrl_edu.labs import {name}"], self.code
        if "OwnAgent(" in code:
            imports.append("from eubrl_edu.labs.own import OwnAgent")
        with in_place_of(line) as part:
            part.write_text("\n".join([*imports, "", code, ""]), encoding="utf-8")
        return [
            self.save_figure(stem.with_suffix(".png")),
            self.save_figure(stem.with_suffix(".svg")),
            self.save_data(stem.with_suffix(".csv")),
            line,
        ]

    def _save_films(
        self, beside: Path, say: Callable[[str], None]
    ) -> Generator[float, None, list[Path]]:
        """Write the run beside this file, in each format that can be written."""
        if self.plays is None:
            return []
        paths = []
        for kind in (".gif", ".mp4") if can_write_mp4() else (".gif",):
            path = beside.with_suffix(kind)
            paths.append((yield from write_film(self, path, say=say)))
        return paths

    def _on_save(self) -> None:
        if self._filming is not None:
            self._filming.stop()
            self._end_saving("Stopped: the run is not saved")
            return
        try:
            files = self._save_moment(Path())
        except OSError as error:
            self._say_saved(f"Not saved: {error}")
            return
        foretold = []
        self.save_button.description = "Stop"
        self._filming = SlicedWork(
            self._save_films(files[0], foretold.append),
            on_progress=lambda share: self._say_saved(f"{foretold[-1]}, {share:.0%} done"),
            on_done=lambda films: self._end_saving(_in_words(files + films)),
            on_failure=lambda error: self._end_saving(
                f"{_in_words(files)}, but not the run: {error}"
            ),
        )
        self._filming.start()

    def _say_saved(self, words: str) -> None:
        self.saved.value = words

    def _end_saving(self, words: str) -> None:
        self._filming = None
        self.save_button.description = "Save"
        self._say_saved(words)


def _in_python(value: Any) -> str:
    return "my_world" if isinstance(value, gymnasium.Env) else repr(value)


def _in_words(files: Sequence[Path]) -> str:
    kinds = ", ".join(file.suffix for file in files)
    return f"Saved: {files[0].stem} ({kinds})"


def numbers_of(state: Any, name: str = "") -> Iterator[tuple[str, str, float]]:
    """Every number of a state: its name, its place in an array or list, and its value.

    True is 1 and False is 0: a column of a table holds numbers, or it holds words.
    """
    parts = _parts_of(state)
    if parts is not None:
        for part_name, part in parts:
            yield from numbers_of(part, f"{name}.{part_name}".lstrip("."))
    elif isinstance(state, np.ndarray | tuple | list | int | float | np.number):
        values = np.asarray(state)
        if values.dtype == bool:
            values = values.astype(int)
        if values.dtype.kind in "iuf":
            for place in np.ndindex(values.shape):
                yield name, " ".join(map(str, place)), values[place].item()


def _parts_of(state: Any) -> Iterable[tuple[Any, Any]] | None:
    """The parts of a state, each with its name; None for what has none, such as an array."""
    if is_dataclass(state):
        return [(field.name, getattr(state, field.name)) for field in fields(state)]
    if isinstance(state, Mapping):
        return state.items()
    if not isinstance(state, tuple | list):
        return None
    if any(map(is_dataclass, state)):
        return [(getattr(part, "name", place), part) for place, part in enumerate(state)]
    try:
        np.asarray(state)
    except ValueError:  # its parts have different shapes
        return enumerate(state)
    return None
