"""How a lab stands on the page.

Where there is width, the controls of the page's question stand beside the picture and its words,
so that a laptop's screen shows what a slider changes; where there is not, above them. *More*
unfolds the others. In Presentation all letters are larger, and the picture takes the height that
controls and words leave of a screen, but for what JupyterLab has around a notebook; on a small
screen these two scroll.
"""

from collections.abc import Sequence
from typing import Any

import ipywidgets

# The words and the warning are both parts of the readout (`Readout`); "display: contents" lets the
# lab place them apart, the warning above the picture, right at the controls.
STYLE = """<style>
.eubrl-lab {
  display: grid; grid-template: repeat(4, auto) 1fr / minmax(min-content, 19em) minmax(0, 1fr);
  column-gap: 14px; align-items: start; container-type: inline-size; width: 100%;
  overflow: visible;
}
.eubrl-lab > .eubrl-prediction { grid-area: 1 / 1 / auto / -1; overflow: visible; }
.eubrl-lab > .eubrl-controls { grid-area: 2 / 1 / auto / -1; overflow: visible; }
.eubrl-lab .eubrl-warning { grid-area: 3 / 1 / auto / -1; }
.eubrl-lab > .eubrl-figure {
  grid-area: 4 / 1 / auto / -1; width: 100%; height: auto; max-height: calc(100vh - 236px);
  object-fit: contain; object-position: left top; background: white;
}
.eubrl-lab .eubrl-words { grid-area: 5 / 1 / auto / -1; }
@container (min-width: 62em) {
  .eubrl-lab > .eubrl-controls { grid-area: 2 / 1 / -1 / auto; }
  .eubrl-lab:not(.eubrl-covered) > .eubrl-figure { grid-column-start: 2; }
  .eubrl-lab :is(.eubrl-warning, .eubrl-words) { grid-column-start: 2; }
}
.eubrl-lab > .eubrl-readout, .eubrl-lab > .eubrl-readout > div { display: contents; }
.eubrl-covered > .eubrl-controls, .eubrl-covered .eubrl-words { display: none; }
.eubrl-prediction .eubrl-row { flex-flow: row wrap; overflow: visible; }
.eubrl-prediction .widget-hslider { flex: 0 1 24em; width: auto; }
.eubrl-verdict {
  padding: 4px 10px; border-left: 5px solid #0072B2; background: #E8EEF2; color: #16303F;
}
.eubrl-lab .widget-html-content { line-height: 1.4; }
.eubrl-lab .eubrl-words { white-space: pre-line; line-height: 1.5; }
.eubrl-lab .eubrl-words table { margin: 4px 0; border-collapse: collapse; line-height: 1.35; }
.eubrl-lab .eubrl-words :is(th, td) {
  padding: 1px 16px 1px 0; text-align: left; font-variant-numeric: tabular-nums;
}
.eubrl-lab .eubrl-words td { white-space: nowrap; }
.eubrl-lab .eubrl-words tr:first-child th { border-bottom: 1px solid #999999; }
.eubrl-lab .eubrl-warning {
  margin: 4px 2px; padding: 4px 10px; border-left: 5px solid #D55E00;
  background: #FFF1E0; color: #4A2500; font-weight: bold; line-height: 1.4;
}
.eubrl-controls .eubrl-row { flex-flow: row wrap; overflow: visible; }
.eubrl-controls .eubrl-title { font-weight: bold; flex: 1 1 100%; height: auto; line-height: 1.5; }
.eubrl-controls .eubrl-row .widget-hslider { width: auto !important; flex: 1 1 17em; }
.eubrl-controls .widget-hprogress { width: auto !important; flex: 1 1 8em; }
.eubrl-controls .widget-hprogress > .widget-label { width: auto; }
:is(.eubrl-controls, .eubrl-prediction) :is(.widget-button, .widget-toggle-button) {
  width: auto !important; min-width: max-content; padding: 0 6px;
}
/* Room for "Stop" in place of "Save", and for what it has to say: nothing moves when it is said. */
.eubrl-controls .eubrl-save { min-width: 3.6em; }
.eubrl-controls .eubrl-saved {
  flex: 1 1 16em; height: 2.5em; line-height: 1.25; white-space: normal; overflow: hidden auto;
}
.eubrl-controls .eubrl-player { flex-flow: row wrap; }
.eubrl-lab :is(button, input, select, .noUi-handle):focus-visible {
  outline: 2px solid #0072B2; outline-offset: 1px;
}
.eubrl-controls .jupyter-widgets { max-width: calc(100% - 4px); }
/* The words name colours, black and yellow among them: a picture is dimmed, not inverted. */
[data-jp-theme-light="false"] .eubrl-lab > .eubrl-figure { filter: brightness(0.72); }
[data-jp-theme-light="false"] .eubrl-verdict { background: #16303F; color: #E8EEF2; }
[data-jp-theme-light="false"] .eubrl-lab .eubrl-warning { background: #4A2500; color: #FFF1E0; }
.eubrl-presentation {
  font-size: 18px; --jp-widgets-font-size: 18px; --jp-widgets-inline-height: 34px;
}
/* Of rules that weigh the same the last counts: these have to come after those for a wide page. */
@media (min-width: 1000px) {
  .eubrl-lab.eubrl-presentation {
    grid-template: auto auto 1fr minmax(3em, auto) / 19em minmax(0, 1fr);
    max-height: calc(100vh - 190px);
  }
  .eubrl-presentation .eubrl-warning { grid-area: 2 / 1 / auto / -1; }
  .eubrl-presentation > .eubrl-controls {
    grid-area: 3 / 1; align-self: stretch; max-height: calc(100vh - 300px); overflow: hidden auto;
  }
  .eubrl-presentation > .eubrl-controls > * { flex: none; }
  .eubrl-lab.eubrl-presentation > .eubrl-figure {
    grid-area: 3 / 2; height: 100%; min-height: 0; max-height: none; margin: 0;
  }
  .eubrl-presentation .eubrl-words { grid-area: 4 / 1 / auto / -1; overflow: auto; }
}
/* Of large letters a small screen has no room for the titles of rows that explain themselves. */
@media (min-width: 1000px) and (max-height: 800px) {
  .eubrl-presentation .eubrl-controls .eubrl-title { display: none; }
}
.eubrl-presentation .eubrl-words, .eubrl-presentation .eubrl-words table { line-height: 1.2; }
.eubrl-presentation .widget-html-content { line-height: 1.25; }
</style>"""


def titled_row(title: str | None, widgets: Sequence[ipywidgets.Widget]) -> ipywidgets.HBox:
    """Return a row of ``widgets`` that wraps where the page is narrow, below its title if any."""
    row = ipywidgets.HBox(list(widgets))
    if title:
        label = ipywidgets.Label(title)
        label.add_class("eubrl-title")
        row.children = [label, *widgets]
    row.add_class("eubrl-row")
    return row


def controls_on_page(
    lab: Any, actions: Sequence[ipywidgets.Widget]
) -> tuple[ipywidgets.ToggleButton, ipywidgets.VBox]:
    """Return the *More* button, and all controls of a lab: the question's, and the rest folded."""
    front, rest = [], []
    for title, names in lab.rows or [(None, list(lab.controls))]:
        asked = [name for name in names if name in (lab.question or names)]
        others = [name for name in names if name not in asked]
        for part, rows in ((asked, front), (others, rest)):
            widgets = [widget for name in part for widget in _named(lab, name)]
            if widgets:
                rows.append(titled_row(title, widgets))
    if not lab.rows and actions:
        front.append(titled_row(None, actions))
    if lab.situation_buttons:
        front.insert(0, titled_row("Try this", lab.situation_buttons))
        front[0].add_class("eubrl-situations")
    more = ipywidgets.VBox([*rest, lab.notes], layout={"display": "none"})
    more_button = ipywidgets.ToggleButton(description="More", tooltip="Show the other controls")

    def unfold(change: Any) -> None:
        more.layout.display = None if change["new"] else "none"

    more_button.observe(unfold, names="value")
    tools = [lab.keep_button, lab.save_button, lab.presentation, lab.saved]
    if rest:
        tools.insert(0, more_button)
    else:
        more.layout.display = None
    box = ipywidgets.VBox([*front, *lab.status_row(), titled_row(None, tools), more])
    box.add_class("eubrl-controls")
    return more_button, box


def _named(lab: Any, name: str) -> Sequence[ipywidgets.Widget]:
    found = lab.controls[name] if name in lab.controls else getattr(lab, name)
    return [found] if isinstance(found, ipywidgets.Widget) else found
