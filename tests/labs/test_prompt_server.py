"""The extension of the Jupyter server, without a server; tests/browser has a real one."""

import json
import subprocess
import sys
from importlib.metadata import files
from types import SimpleNamespace

from eubrl_edu.labs import prompt_server

PLACE = "etc/jupyter/jupyter_server_config.d/eubrl_edu.json"


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


def test_the_installed_settings_name_the_extension():
    (point,) = prompt_server._jupyter_server_extension_points()
    (installed,) = (file for file in files("eubrl_edu") if file.as_posix().endswith(PLACE))
    settings = json.loads(installed.read_text(encoding="utf-8"))
    assert settings == {"ServerApp": {"jpserver_extensions": {point["module"]: True}}}


def test_a_server_loads_it_quickly():
    code = "import sys, eubrl_edu.labs.prompt_server; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
