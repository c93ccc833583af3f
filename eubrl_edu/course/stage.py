"""The stage: the labs of the course, one after the other, for a room.

A step is a lab as its page shows it, or one of its named situations. *Next* goes through them all;
where a lab asks before it shows anything, it first uncovers the answer.
"""

import html
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import ipywidgets
from anywidget import AnyWidget

from eubrl_edu.course.scenes import Scene, find_scenes
from eubrl_edu.labs.controls import button
from eubrl_edu.labs.lab import Lab
from eubrl_edu.labs.page import titled_row
from eubrl_edu.validation import raised

# Presenters' remote controls send PageDown and PageUp, which are never left to a slider here. A
# letter is not taken from a box that somebody types into. The list is longer than most windows are
# high: it follows where we are.
_SCRIPT = """
const STEPS = { PageDown: 1, n: 1, PageUp: -1, b: -1 };

function render({ model, el }) {
  const press = event => {
    if (!(event.key in STEPS) || event.ctrlKey || event.altKey || event.metaKey) return;
    const typing = event.target.isContentEditable || event.target.matches?.('input, select');
    if (event.key.length === 1 && typing) return;
    event.preventDefault();
    event.stopPropagation();
    model.send(STEPS[event.key]);
  };
  const observer = new MutationObserver(
    () => list.querySelector('.eubrl-here')?.scrollIntoView({ block: 'nearest' }));
  let list;
  const follow = () => {
    list = el.closest('.eubrl-contents');
    if (!list) return requestAnimationFrame(follow);
    observer.observe(list, { childList: true, subtree: true, attributeFilter: ['class'] });
  };
  follow();
  window.addEventListener('keydown', press, true);
  return () => { window.removeEventListener('keydown', press, true); observer.disconnect(); };
}
export default { render };
"""

STYLE = """<style>
.eubrl-stage { align-items: flex-start; gap: 14px; padding: 6px 10px; overflow: visible; }
.eubrl-contents {
  flex: 0 0 14em; max-height: calc(100vh - 40px); overflow-y: auto; font-size: 16px;
  --jp-widgets-font-size: 16px;
}
.eubrl-contents > * { flex: none; }
.eubrl-contents .widget-button {
  width: auto; height: auto; padding: 5px 10px; line-height: 1.3; text-align: left;
  white-space: normal; background: none;
}
.eubrl-contents .eubrl-step { margin-left: 1.6em; }
.eubrl-contents .eubrl-here { font-weight: bold; background: #CCE3F2; color: black; }
.eubrl-contents .eubrl-row .widget-button { flex: 1; text-align: center; background: #E4E4E4; }
.eubrl-stage > .eubrl-lab { flex: 1 1 0; min-width: 0; }
.eubrl-stage > .eubrl-lab.eubrl-presentation { max-height: calc(100vh - 12px); }
/* In a narrow window a lab is higher than it: the lab is scrolled, and the list stays. */
@media (max-width: 999px) {
  .eubrl-stage > .eubrl-lab.eubrl-presentation {
    max-height: calc(100vh - 40px); overflow: hidden auto;
  }
}
.eubrl-stage .eubrl-situations { display: none; }
.eubrl-waiting > .eubrl-lab { opacity: 0.3; transition: opacity 0s 0.4s; }
.eubrl-waiting::after {
  content: "Computing …"; position: fixed; top: 40%; left: 50%; padding: 12px 24px;
  font-size: 24px; color: #16303F; background: #E8EEF2; border-left: 5px solid #0072B2;
  animation: eubrl-appear 0.4s step-end;
}
@keyframes eubrl-appear { from { visibility: hidden; } }
</style>"""


class Keys(AnyWidget):
    """The part of the stage that runs in the page: it hears its keys."""

    _esm = _SCRIPT


class Stage(ipywidgets.HBox):
    """The labs of a folder of notebooks, with large letters, a list of them, and keys.

    A lab is made when it is first asked for.

    Parameters
    ----------
    folder : str or path
        Where the notebooks are.

    Raises
    ------
    ValueError
        If no notebook there shows a lab.
    """

    def __init__(self, folder: str | Path) -> None:
        super().__init__()
        self.add_class("eubrl-stage")
        self.scenes = find_scenes(folder)
        self._made: dict[int, tuple[Lab, Any]] = {}
        self._keys = Keys()
        self._keys.on_msg(lambda widget, step, buffers: self.go(step))
        style = ipywidgets.HTML(STYLE, layout={"display": "none"})
        self.contents = ipywidgets.VBox()
        self.contents.add_class("eubrl-contents")
        self._entries = [
            button(_heading(self.scenes, number), scene.line, partial(self.show, number))
            for number, scene in enumerate(self.scenes)
        ]
        moves = [
            button("Back (b)", "To the step before: b or PageUp", partial(self.go, -1)),
            button("Next (n)", "To the next step: n or PageDown", partial(self.go, 1)),
        ]
        self._head = [titled_row(None, moves), style, self._keys]
        self.show(0)

    def show(self, number: int, situation: str | None = None) -> None:
        """Show the lab with this number as its page does, or in one of its situations."""
        self.number, self.situation = number, situation
        self._list_steps()
        if number not in self._made:
            try:
                with self._computing():
                    lab = self.scenes[number].make()
            except Exception as error:  # whatever a page may hold, the others are to be shown
                words = html.escape(raised(error))
                self.children = [self.contents, ipywidgets.HTML(f"It cannot be shown. {words}")]
                return
            lab.presentation.value = True
            self._made[number] = lab, lab.params
            self._list_steps()
        lab, start = self._made[number]
        self.children = [self.contents, lab]
        with self._computing():
            if situation is not None:
                lab.uncover()
            lab.load(**vars(lab.situations[situation][1] if situation else start))

    def go(self, by: int) -> None:
        """Go one step on (1) or back (-1); before the first and after the last there is none."""
        lab, _ = self._made.get(self.number, (None, None))
        names = self._situations()
        place = names.index(self.situation) + by
        if by > 0 and lab is not None and lab.is_covered:
            with self._computing():
                lab.uncover()
        elif place in range(len(names)):
            self.show(self.number, names[place])
        elif self.number + by in range(len(self.scenes)):
            self.show(self.number + by)
            if by < 0 and len(self._situations()) > 1:
                self.show(self.number, self._situations()[-1])

    @contextmanager
    def _computing(self) -> Iterator[None]:
        """Have the page say that something is computed, while it is done in here."""
        self.add_class("eubrl-waiting")
        try:
            yield
        finally:
            self.remove_class("eubrl-waiting")

    def _situations(self) -> list[str | None]:
        """The steps of the lab that is shown; None is the lab as its page shows it."""
        lab, _ = self._made.get(self.number, (None, None))
        return [None, *(lab.situations if lab else ())]

    def _list_steps(self) -> None:
        """List the labs, under the one that is shown its situations, and mark where we are."""
        _, *names = self._situations()
        steps = [button(name, "", partial(self.show, self.number, name)) for name in names]
        for step in steps:
            step.add_class("eubrl-step")
        for place, entry in enumerate(self._entries):
            is_here = place == self.number and self.situation is None
            (entry.add_class if is_here else entry.remove_class)("eubrl-here")
        if self.situation is not None:
            steps[names.index(self.situation)].add_class("eubrl-here")
        before, after = self._entries[: self.number + 1], self._entries[self.number + 1 :]
        self.contents.children = [*self._head, *before, *steps, *after]


def _heading(scenes: Sequence[Scene], number: int) -> str:
    """Page and title; where a page has several labs, which of them."""
    scene = scenes[number]
    of_page = [place for place, other in enumerate(scenes) if other.page == scene.page]
    which = f" · {of_page.index(number) + 1}" if len(of_page) > 1 else ""
    return f"{scene.page.partition('_')[0]} {scene.title}{which}"
