"""What only the page knows and only the page can do: its sharpness, and being read aloud."""

from collections.abc import Callable
from typing import Any

import traitlets
from anywidget import AnyWidget

# The page tells its device pixel ratio. A screen reader finds alt text at the picture, hears new
# words once they rest, and a name at every slider, which ipywidgets leaves nameless.
_SCRIPT = """
const HIDDEN = 'position: absolute; width: 1px; height: 1px; overflow: hidden; ' +
  'clip-path: inset(50%); white-space: nowrap;';

function render({ model, el }) {
  const live = document.createElement('div');
  live.setAttribute('role', 'status');
  live.setAttribute('aria-live', 'polite');
  live.style = HIDDEN;
  el.append(live);

  let lab, timer;
  const nameControls = () => {
    for (const row of lab.querySelectorAll('.widget-slider, .widget-hprogress')) {
      const label = row.querySelector('.widget-label')?.textContent;
      const field = row.querySelector('.noUi-handle, .progress');
      if (field?.matches('.progress')) field.setAttribute('role', 'progressbar');
      if (label && field) field.setAttribute('aria-label', label);
      const value = row.querySelector('.widget-readout');
      if (label && value) value.setAttribute('aria-label', label + ', value');
    }
    for (const button of lab.querySelectorAll('.widget-toggle-button'))
      button.setAttribute('aria-pressed', button.classList.contains('mod-active'));
  };
  const tellRatio = () => {
    model.set('ratio', Math.min(3, Math.max(1, window.devicePixelRatio || 1)));
    model.set('is_on_page', true);
    model.save_changes();
  };
  const describe = () => {
    const words = model.get('words');
    const picture = lab.querySelector('.eubrl-figure');
    if (picture) picture.alt = words;
    clearTimeout(timer);
    timer = setTimeout(() => { live.textContent = words; }, 700);
  };
  const find = () => {
    lab = el.closest('.eubrl-lab');
    if (!lab) return requestAnimationFrame(find);
    // Views of the children arrive one by one.
    const observer = new MutationObserver(() => { nameControls(); describe(); });
    for (const box of lab.querySelectorAll('.eubrl-controls, .eubrl-prediction')) {
      observer.observe(box, { childList: true, subtree: true });
      box.addEventListener('click', () => setTimeout(nameControls, 50));
    }
    nameControls();
    describe();
    tellRatio();
    model.on('change:words', describe);
    model.on('msg:custom', question => model.send(question));
    // What was pressed is gone: the keyboard goes on at the first control.
    model.on('change:verdict', () => setTimeout(() => {
      live.textContent = model.get('verdict');
      lab.querySelector('.eubrl-controls :is(button, select, input, .noUi-handle)')?.focus();
    }, 100));
  };
  find();
  const watch = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  watch.addEventListener('change', tellRatio);
  return () => { watch.removeEventListener('change', tellRatio); clearTimeout(timer); };
}
export default { render };
"""


class Front(AnyWidget):
    """The part of a lab that runs in the page.

    Attributes
    ----------
    ratio : float
        How many dots of the screen a pixel of the page has; 1 until a page tells, 2 where none can.
    words : str
        The picture in words, for its alt text and for screen readers.
    verdict : str
        What a prediction was met with; empty until there is one.
    is_on_page : bool
        Whether a page has shown the lab.
    """

    _esm = _SCRIPT
    ratio = traitlets.Float(1.0).tag(sync=True)  # until the page tells its own
    words = traitlets.Unicode("").tag(sync=True)
    verdict = traitlets.Unicode("").tag(sync=True)
    is_on_page = traitlets.Bool(False).tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[Callable[[], None]] = []
        self.on_msg(self._on_answer)

    def when_all_has_come(self, action: Callable[[], None]) -> None:
        """Do this once all has come that was done on the page before it; without a page, at once.

        While the kernel answers a slider, the page keeps the slider's next changes to itself, but
        it sends a click. It hears that the kernel is done, and sends what it kept, before it hears
        the question that is asked here: the changes come first, the answer after them.
        """
        if not self.is_on_page:
            action()
            return
        self._waiting.append(action)
        self.send("Is that all?")

    def _on_answer(self, front: Any, answer: Any, buffers: Any) -> None:
        waiting, self._waiting = self._waiting, []
        for action in waiting:
            action()
