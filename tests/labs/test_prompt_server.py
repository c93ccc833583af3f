"""The extension of the Jupyter server, without a server; tests/browser has a real one."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from eubrl_edu.course import jupyter
from eubrl_edu.labs import prompt_server


def test_a_connection_sends_at_once_and_connects_as_it_did():
    class Connection:
        """What the server would use: it holds small messages back."""

        def __init__(self, handler):
            self.websocket_handler = handler

        def connect(self):
            calls.append("connect")
            return "connected"

    calls = []
    settings = {"kernel_websocket_connection_class": Connection, "token": "secret"}
    server = SimpleNamespace(
        kernel_websocket_connection_class=Connection, web_app=SimpleNamespace(settings=settings)
    )
    prompt_server._load_jupyter_server_extension(server)
    handler = SimpleNamespace(set_nodelay=lambda value: calls.append(("set_nodelay", value)))
    connection = settings["kernel_websocket_connection_class"](handler)
    assert isinstance(connection, Connection)
    assert connection.connect() == "connected"
    assert calls == [("set_nodelay", True), "connect"]
    assert settings["token"] == "secret"


def test_the_courses_own_server_loads_it_and_no_other(monkeypatch):
    (point,) = prompt_server._jupyter_server_extension_points()
    command = jupyter._command(Path("notebooks/00.ipynb"))
    assert f"--ServerApp.jpserver_extensions={point['module']}=True" in command
    # No wheel puts anything into a server's own settings.
    assert "shared-data" not in (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")


def test_a_server_loads_it_quickly():
    code = "import sys, eubrl_edu.labs.prompt_server; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
