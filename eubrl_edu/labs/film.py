"""A lab as a film: the pictures that it shows while one of its controls moves, in one file."""

import io
import shutil
import subprocess
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import IO, Any

from PIL import Image

from eubrl_edu.labs.frames import MOST_MEGABYTES, frame_at, params_over, values_over
from eubrl_edu.names import require_choice
from eubrl_edu.validation import require_above, require_at_least, require_between
from eubrl_edu.writing import in_place_of

FORMATS = ("gif", "webp", "mp4")
MOST_PICTURES = 51
SECONDS = 0.15  # a picture
LAST_STAYS = 20  # times as long
# Browsers slow down what is faster; a GIF counts hundredths of a second in 16 bits, and the last
# picture stays so much longer.
SHORTEST, LONGEST = 0.02, 30.0


def write_film(
    lab: Any,
    path: Path,
    over: Any = None,
    seconds: float = SECONDS,
    most_megabytes: float = MOST_MEGABYTES,
    say: Callable[[str], None] = print,
) -> Generator[float, None, Path]:
    """Write the film and yield the share that is done; see `Saving.save_run`."""
    kind = require_choice("format of a film", path.suffix.removeprefix("."), FORMATS)
    require_between("seconds", require_at_least("seconds", seconds, 0), SHORTEST, LONGEST)
    require_above("most_megabytes", most_megabytes, 0)
    if kind == "mp4" and not can_write_mp4():
        raise ValueError("an .mp4 needs the program ffmpeg, and there is none: write a .gif")
    if over is None and lab.plays is None:
        raise ValueError(
            f"{type(lab).__name__} shows no run over time: say what is to move, as in "
            f"over={next(iter(lab.controls))!r}"
        )
    values = values_over(lab, lab.plays if over is None else over, {1: MOST_PICTURES})
    lab.finish_work()  # half of it would be done again, at the same time
    moments = list(params_over(lab, values))
    places = sorted({len(moments) * part // 4 for part in (1, 2, 3)})
    samples = [_picture(lab, moments[place]) for place in places]
    say(_foretold(path, samples, len(moments), most_megabytes))
    pictures = []
    for params in moments:
        pictures.append(_picture(lab, params))
        yield len(pictures) / len(moments)
    with in_place_of(path) as part:
        if kind == "mp4":
            _encode_mp4(pictures, part, seconds)
        else:
            _encode(pictures, samples, part, kind, seconds)
    return path


def can_write_mp4() -> bool:
    """Whether there is the program that writes such films."""
    return shutil.which("ffmpeg") is not None


def _picture(lab: Any, params: Any) -> Image.Image:
    with lab.figure_in_use():
        return frame_at(lab, params, ratio=1).picture


def _foretold(path: Path, samples: Sequence[Image.Image], n_pictures: int, most: float) -> str:
    """Return in words how large the film will be, and refuse one that is too large."""
    kind = path.suffix.removeprefix(".")
    part = io.BytesIO()
    _encode(samples, samples, part, "gif" if kind == "mp4" else kind, SECONDS)
    size = len(part.getvalue()) / len(samples) * n_pictures / 1e6
    if size > most:
        raise ValueError(
            f"{path.name} would have {n_pictures} pictures and up to {size:.2g} MB, more than "
            f"{most:g}: give fewer values, as in over={{...: [...]}}, or a larger most_megabytes"
        )
    return f"{path.name}: {n_pictures} pictures, up to {size:.2g} MB"


def _encode(
    pictures: Sequence[Image.Image],
    samples: Sequence[Image.Image],
    file: Path | IO[bytes],
    kind: str,
    seconds: float,
) -> None:
    """Write an animation that starts over; a GIF with one palette, taken from the samples."""
    if kind == "gif":
        width, height = samples[0].size
        together = Image.new("RGB", (width, height * len(samples)))
        for place, sample in enumerate(samples):
            together.paste(sample, (0, height * place))
        palette = together.quantize(255, method=Image.Quantize.MAXCOVERAGE)
        no_dots = Image.Dither.NONE
        pictures = [each.quantize(palette=palette, dither=no_dots) for each in pictures]
    first, *others = pictures
    milliseconds = [round(1000 * seconds)] * len(pictures)
    milliseconds[-1] *= LAST_STAYS  # so that the end can be looked at
    try:
        first.save(
            file,
            format=kind,
            save_all=True,
            append_images=others,
            duration=milliseconds,
            loop=0,
            **({"quality": 70} if kind == "webp" else {}),
        )
    except OverflowError:  # Pillow makes one picture of those that are the same
        raise ValueError(
            f"seconds must be fewer for a GIF of these values, got {seconds:g}: identical "
            "pictures in a row would last longer than the 655 s that it can count; or write a .webp"
        ) from None


def _encode_mp4(pictures: Sequence[Image.Image], path: Path, seconds: float) -> None:
    """Hand the pictures to ffmpeg; H.264 wants even sides."""
    command = [
        *("ffmpeg", "-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png"),
        *("-framerate", f"{1 / seconds:g}", "-i", "-", "-pix_fmt", "yuv420p"),
        *("-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", str(path)),
    ]
    film = io.BytesIO()
    for picture in [*pictures, *pictures[-1:] * (LAST_STAYS - 1)]:
        picture.save(film, "png")
    done = subprocess.run(command, input=film.getvalue(), capture_output=True, check=False)
    if done.returncode:
        raise OSError(f"ffmpeg could not write {path}: {done.stderr.decode(errors='replace')}")
