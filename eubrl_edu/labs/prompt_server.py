"""An extension of the Jupyter server that passes every message on at once.

The course's own server loads it (`eubrl_edu.course.jupyter`); another server does after ``jupyter
server extension enable eubrl_edu.labs.prompt_server``, and then for the kernels of all its pages.

A lab answers a slider in a few small messages. TCP holds a small message back until the one before
is acknowledged, which a page does up to 40 ms later, on Windows up to 200. The last of them says
that the kernel is done, and only then does the page send the next place of the slider.
"""

from typing import Any


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(server: Any) -> None:
    """Have pages connect to their kernels without the gathering of small messages."""

    class PromptConnection(server.kernel_websocket_connection_class):
        def connect(self) -> Any:
            self.websocket_handler.set_nodelay(True)  # no Nagle's algorithm
            return super().connect()

    server.web_app.settings["kernel_websocket_connection_class"] = PromptConnection
