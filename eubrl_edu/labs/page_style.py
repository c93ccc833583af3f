"""How a lab stands on the page.

Usually one below the other: controls, warning, picture, words. In Presentation all letters are
larger, and on a wide screen the controls stand beside the picture, so that a projector shows all
of it at once.
"""

# The words and the warning are both parts of the readout (`Readout`); "display: contents" lets the
# lab place them apart, the warning right below the controls.
STYLE = """<style>
.eubrl-lab > .eubrl-readout, .eubrl-lab > .eubrl-readout > div { display: contents; }
.eubrl-lab .widget-html-content { line-height: 1.4; }
.eubrl-lab > .eubrl-figure { order: 1; align-self: flex-start; flex-shrink: 0; }
.eubrl-lab .eubrl-words { order: 1; white-space: pre-line; line-height: 1.5; }
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
.eubrl-presentation {
  font-size: 18px; --jp-widgets-font-size: 18px; --jp-widgets-inline-height: 34px;
}
.eubrl-presentation .eubrl-words { line-height: 1.25; }
.eubrl-presentation .widget-html-content { line-height: 1.25; }
@media (min-width: 1500px) {
  .eubrl-lab.eubrl-presentation {
    display: grid; column-gap: 14px; align-items: start;
    grid-template-columns: minmax(0, 23em) minmax(0, 1fr);
    grid-template-rows: repeat(16, min-content) 1fr;
  }
  .eubrl-presentation > *, .eubrl-presentation .eubrl-warning { grid-column: 1; }
  .eubrl-presentation > .eubrl-figure {
    grid-column: 2; grid-row: 1 / 18; width: 100%; max-height: calc(100vh - 350px);
    object-fit: contain; object-position: left top;
  }
  .eubrl-presentation .eubrl-words { grid-column: 1 / 3; grid-row: 18; }
  .eubrl-presentation .widget-hslider { width: auto !important; flex: 1 1 14em; }
  .eubrl-presentation .widget-hprogress { width: 6em !important; }
  .eubrl-presentation .widget-hprogress .widget-label { display: none; }
  .eubrl-presentation .widget-button { width: auto !important; }
  .eubrl-presentation .jupyter-widgets { max-width: calc(100% - 4px); }
}
</style>"""
