"""What a lab says: the picture in words, and a warning where a value was no good."""

import html

import ipywidgets

from eubrl_edu.labs.page_style import STYLE


class Readout(ipywidgets.HTML):
    """The picture in words, below it; a warning, while there is one, right at the controls."""

    def __init__(self) -> None:
        super().__init__()
        self.add_class("eubrl-readout")
        self._words = ""

    def say(self, words: str) -> None:
        """Show these words, and no warning."""
        self._words = words
        self._show("")

    def warn(self, warning: str) -> None:
        """Show this warning; the words stay."""
        self._show(f'<div class="eubrl-warning" role="alert">⚠ {html.escape(warning)}</div>')

    def take_back_warning(self) -> None:
        """Show no warning any more; the words stay."""
        self._show("")

    def _show(self, warning: str) -> None:
        words = html.escape(self._words)
        self.value = (
            f'{STYLE}{warning}<div class="eubrl-words" role="status" aria-live="polite">'
            f"{words}</div>"
        )
