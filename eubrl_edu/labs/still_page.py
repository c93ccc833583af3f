"""A lab as one HTML file without a kernel: a frame for each place of one or two controls."""

import html
import io
import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from eubrl_edu.labs.frames import Frame, frame_at, params_over, values_over
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
<p><code>$code</code></p>
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
    shape = [len(each) for each in values.values()]
    n_frames = int(np.prod(shape))
    start = lab.params
    opening = [
        each.index(present) if (present := getattr(start, name)) in each else 0
        for name, each in values.items()
    ]
    with lab.figure_in_use():
        first = _encoded(frame_at(lab, start, RATIO))
        size = n_frames * len(json.dumps(first)) / 1e6
        if size > most_megabytes:
            most = max(values, key=lambda name: len(values[name]))
            raise ValueError(
                f"a page over {' and '.join(values)} would have {n_frames} frames and about "
                f"{size:.1f} MB, more than {most_megabytes:g}: leave out {most}, or say fewer of "
                f"its {len(values[most])} values, as in over={{{most!r}: [...]}}"
            )
        places = list(params_over(lab, values))
        opens_on = places[np.ravel_multi_index(opening, shape)]
        print(f"{path.name}: {n_frames} frames, about {size:.1f} MB")
        frames = [
            first if params == start else _encoded(frame_at(lab, params, RATIO))
            for params in places
        ]
    controls = [
        {
            "name": lab.controls[name].description,
            "tooltip": lab.controls[name].tooltip or "",
            "values": [_in_words(value) for value in each],
            "start": place,
        }
        for place, (name, each) in zip(opening, values.items(), strict=True)
    ]
    # A closing tag in the words would end the script.
    content = json.dumps({"controls": controls, "frames": frames})
    page = PAGE.replace("$title", html.escape(type(lab).__name__))
    page = page.replace("$code", html.escape(lab.code_of(opens_on)))
    page = page.replace("$page", content.replace("</", "<\\/"))
    if len(page.encode()) > 1.2e6 * most_megabytes:
        raise ValueError(f"the page would have {len(page) / 1e6:.1f} MB: give fewer values")
    with in_place_of(path) as part:
        part.write_text(page, encoding="utf-8")
    return path


def _encoded(frame: Frame) -> dict[str, str]:
    small = io.BytesIO()
    frame.picture.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(small, "png")
    return {"picture": b64encode(small.getvalue()).decode("ascii"), "words": frame.words}


def _in_words(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
