"""What both rows of the picture of a race share: artists of each agent, seen while it races."""

from collections.abc import Sequence

from eubrl_edu.plotting.picture import Moving


class ByAgent(Moving):
    """A part of the picture that keeps artists of each agent in dictionaries, by its name."""

    def show(self, names: Sequence[str]) -> None:
        """Show what belongs to these agents, and nothing of the others."""
        for kept in vars(self).values():
            for name, artist in kept.items() if isinstance(kept, dict) else ():
                artist.set_visible(name in names)
