"""A lab as one HTML file without a kernel: a frame for each place of one or two controls."""

import html
import io
import json
import math
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from eubrl_edu.labs.frames import frame_at, params_over, values_over
from eubrl_edu.names import require_choice
from eubrl_edu.validation import require_above
from eubrl_edu.writing import in_place_of

MOST_PLACES = {1: 51, 2: 13}  # of each control, where one or two of them work
COLOURS = 128
RATIO = 1.5

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 0 auto; padding: 12px; }
h1 { font-size: 1.2em; margin: 0 0 8px; }
label { display: flex; gap: 12px; align-items: center; margin: 6px 0; }
label span { min-width: 6em; } output { min-width: 6em; font-variant-numeric: tabular-nums; }
input { flex: 1; }
img { width: 100%; height: auto; background: white; display: block; }
#words { white-space: pre-wrap; }
code { font-size: 0.85em; }
</style>
</head>
<body>
<h1>$title</h1>
<form id="controls" onsubmit="return false"></form>
<img id="picture" alt="">
<div id="words" role="status" aria-live="polite"></div>
<p><code id="code"></code></p>
<script>
const page = $page;
const places = page.controls.map(control => control.start);
function show() {
  let frame = 0;
  page.controls.forEach((control, n) => { frame = frame * control.values.length + places[n]; });
  const picture = document.getElementById('picture');
  picture.src = 'data:image/png;base64,' + page.frames[frame].picture;
  picture.alt = page.frames[frame].words;
  document.getElementById('words').textContent = page.frames[frame].words;
  document.getElementById('code').textContent = page.frames[frame].code;
}
page.controls.forEach((control, n) => {
  const label = document.createElement('label');
  const name = document.createElement('span');
  const slider = document.createElement('input');
  const value = document.createElement('output');
  name.textContent = control.name;
  label.title = control.tooltip;
  Object.assign(slider, { type: 'range', min: 0, max: control.values.length - 1, step: 1 });
  slider.value = places[n];
  const say = () => {
    value.textContent = control.values[places[n]];
    slider.setAttribute('aria-valuetext', value.textContent);
  };
  slider.addEventListener('input', () => { places[n] = Number(slider.value); say(); show(); });
  label.append(name, slider, value);
  document.getElementById('controls').append(label);
  say();
});
show();
</script>
</body>
</html>
"""


def write_page(
    lab: Any, path: Path, over: str | Sequence[str] | Mapping[str, Sequence], most_megabytes: float
) -> Path:
    """Write the page; see `Saving.save_page`."""
    require_choice("format of a page", path.suffix.removeprefix("."), ("html", "htm"))
    require_above("most_megabytes", most_megabytes, 0)
    values = values_over(lab, over, MOST_PLACES)
    lab.finish_work()  # half of it would be done again, at the same time
    n_frames = math.prod(map(len, values.values()))
    start = lab.params
    controls = [
        _control(lab.controls[name], places, getattr(start, name))
        for name, places in values.items()
    ]
    with lab.figure_in_use():
        first = _encoded(lab, start)
        megabytes = n_frames * len(json.dumps(first)) / 1e6
        _require_fits(values, n_frames, megabytes, most_megabytes)
        all_params = list(params_over(lab, values))
        print(f"{path.name}: {n_frames} frames, about {megabytes:.1f} MB")
        frames = [first if params == start else _encoded(lab, params) for params in all_params]
    page = _as_html(type(lab).__name__, {"controls": controls, "frames": frames})
    if len(page.encode()) > 1.2e6 * most_megabytes:
        raise ValueError(f"the page would have {len(page) / 1e6:.1f} MB: give fewer values")
    with in_place_of(path) as part:
        part.write_text(page, encoding="utf-8")
    return path


def _require_fits(
    values: Mapping[str, Sequence], n_frames: int, megabytes: float, most_megabytes: float
) -> None:
    if megabytes > most_megabytes:
        longest = max(values, key=lambda name: len(values[name]))
        raise ValueError(
            f"a page over {' and '.join(values)} would have {n_frames} frames and about "
            f"{megabytes:.1f} MB, more than {most_megabytes:g}: leave out {longest}, or give fewer "
            f"of its {len(values[longest])} values, as in over={{{longest!r}: [...]}}"
        )


def _control(widget: Any, places: Sequence, present: Any) -> dict[str, Any]:
    """A control of the page; it starts where the lab's own stands, if that is among its places."""
    return {
        "name": widget.description,
        "tooltip": widget.tooltip or "",
        "values": _told_apart(places),
        "start": places.index(present) if present in places else 0,
    }


def _as_html(title: str, content: Mapping[str, Any]) -> str:
    page = PAGE.replace("$title", html.escape(title))
    # A tag in the words, or the beginning of a comment, would end the script or hide its end.
    return page.replace("$page", json.dumps(content).replace("<", "\\u003c"))


def _encoded(lab: Any, params: Any) -> dict[str, str]:
    frame, small = frame_at(lab, params, RATIO), io.BytesIO()
    frame.picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(small, "png")
    picture = b64encode(small.getvalue()).decode("ascii")
    return {"picture": picture, "words": frame.words, "code": lab.code_of(params)}


def _told_apart(values: Sequence) -> list[str]:
    """Values in words, short where that tells them apart."""
    short = [f"{value:.4g}" if isinstance(value, float) else str(value) for value in values]
    return short if len(set(short)) == len(short) else [str(value) for value in values]
