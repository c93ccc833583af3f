"""A real JupyterLab in a real Chromium, handled as a person would: keys, clicks and looking."""

import json
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Playwright

from tests.browser.lab_on_page import PATIENCE, LabOnPage

ROOT = Path(__file__).parents[2]

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
)
CHROMIUM_OPTIONS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
)


def find_chromium() -> str | None:
    """The path of an installed Chromium or Chrome, if there is one."""
    found = (shutil.which(name) for name in CHROMIUM_NAMES)
    return next(filter(None, found), None) or next(
        (place for place in CHROMIUM_PLACES if Path(place).exists()), None
    )


def launch_chromium(playwright: Playwright, path: str) -> Browser:
    return playwright.chromium.launch(
        executable_path=path, args=list(CHROMIUM_OPTIONS), timeout=PATIENCE
    )


# How each application calls itself in its settings, and where it opens a notebook.
APPLICATIONS = {
    "jupyterlab": ("LabApp", "lab/workspaces/{workspace}/tree"),
    "notebook": ("JupyterNotebookApp", "notebooks"),
}


def free_port() -> int:
    """A port that nobody has at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class JupyterServer:
    """A JupyterLab, or a Notebook 7, on a free port, with settings and files of its own."""

    def __init__(
        self, folder: Path, python: str | Path = sys.executable, application: str = "jupyterlab"
    ) -> None:
        self.folder = folder
        self.python = str(python)
        self.application = application
        self.notebooks = folder / "notebooks"
        self.notebooks.mkdir()
        self.token = secrets.token_hex(16)

    def __enter__(self) -> "JupyterServer":
        self._write_settings()
        self._log = (self.folder / "server.log").open("wb")
        # Somebody else may have the port before the server does.
        if not any(self._starts_on(free_port()) for _ in range(3)):
            raise RuntimeError(f"Jupyter did not start:\n{self._log_so_far()}")
        return self

    def _starts_on(self, port: int) -> bool:
        """Start the server, and wait until it answers, or has ended."""
        self.port = port
        command = [self.python, "-m", *self._module(), "--no-browser"]
        command += ["--ip=127.0.0.1", f"--port={self.port}", "--ServerApp.port_retries=0"]
        command += [
            f"--IdentityProvider.token={self.token}",
            # For `NotebookPage`, which asks it whether a kernel is idle.
            f"--{APPLICATIONS[self.application][0]}.expose_app_in_browser=True",
        ]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=self._environment(),
            cwd=self.folder,
        )
        # Which is for those only who know its token, and so not for another server on this port.
        status = f"http://127.0.0.1:{port}/api/status?token={self.token}"
        give_up = time.monotonic() + PATIENCE / 1000
        while self._process.poll() is None:
            try:
                urllib.request.urlopen(status, timeout=60).close()
                return True
            except OSError:
                if time.monotonic() > give_up:
                    self._process.kill()
                    raise RuntimeError(f"no answer from Jupyter:\n{self._log_so_far()}") from None
                time.sleep(0.1)
        return False

    def _log_so_far(self) -> str:
        return (self.folder / "server.log").read_text(encoding="utf-8")

    def __exit__(self, *exception) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._log.close()

    def _module(self) -> list[str]:
        """The module to run, and what only it is told."""
        return [
            *("eubrl_edu.course.server", self.application, "--allow-root"),
            f"--ServerApp.root_dir={self.notebooks}",
            "--ServerApp.jpserver_extensions=eubrl_edu.labs.prompt_server=True",
        ]

    def url(self, notebook: str) -> str:
        # A workspace of its own, so that no page opens what another had open.
        folder = APPLICATIONS[self.application][1].format(workspace=secrets.token_hex(4))
        return f"http://127.0.0.1:{self.port}/{folder}/{notebook}?token={self.token}"

    def _write_settings(self) -> None:
        announcements = "@jupyterlab/apputils-extension:announcements"
        self._write(
            "config/labconfig/page_config.json", {"disabledExtensions": {announcements: True}}
        )
        # Every cell stays in the page, also those that are scrolled out of sight.
        self._write(
            "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings",
            {"windowingMode": "none"},
        )

    def _write(self, path: str, content: dict) -> None:
        target = self.folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(content), encoding="utf-8")

    def _environment(self) -> dict[str, str]:
        folders = {
            "JUPYTER_CONFIG_DIR": "config",
            "JUPYTER_DATA_DIR": "data",
            "JUPYTER_RUNTIME_DIR": "runtime",
            "JUPYTERLAB_SETTINGS_DIR": "settings",
            "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
            "IPYTHONDIR": "ipython",
        }
        own = {name: str(self.folder / folder) for name, folder in folders.items()}
        paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
        return os.environ | own | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


# Of a page that was open before: until it is run, it shows labs of a kernel that is gone.
STALE = "widget model not found"


# Which messages to the kernel it has not done with: a page says so of none of them by itself.
COUNT_UNANSWERED = """() => {
    const unanswered = window.unanswered = new Set();
    const [context] = [...jupyterapp.shell.widgets('main')].flatMap(
        panel => panel.sessionContext ?? []);
    context.session.anyMessage.connect((_, { msg, direction }) => {
        if (direction === 'send' && msg.channel !== 'stdin') unanswered.add(msg.header.msg_id);
    });
    // Heard after all that the message has led to is on the page.
    context.session.iopubMessage.connect((_, { header, content, parent_header }) => {
        if (header.msg_type === 'status' && content.execution_state === 'idle')
            unanswered.delete(parent_header.msg_id);
    });
}"""


class NotebookPage:
    """One notebook, open in the browser: in the JupyterLab of this page, or in a new one."""

    def __init__(self, page: Page, server: JupyterServer, notebook: str) -> None:
        self.page = page
        page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        page.on("console", self._on_console)
        page.on("pageerror", self._on_page_error)
        if page.url == "about:blank":
            page.goto(server.url(notebook))
        else:
            open_it = "path => { jupyterapp.commands.execute('docmanager:open', { path }); }"
            page.evaluate(open_it, notebook)
        self.notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        self.notebook.locator(".jp-Toolbar-kernelName", has_text="Python").wait_for()
        self._wait_until_idle()
        self.page.evaluate(COUNT_UNANSWERED)
        # The menus are for the notebook as soon as it is the one that is worked on.
        self.page.wait_for_function("() => jupyterapp.commands.isEnabled('runmenu:run-all')")

    def close(self) -> None:
        """Close the notebook and end its kernel; JupyterLab, which takes long to load, stays."""
        self.page.evaluate(
            """async () => {
                for (const panel of [...jupyterapp.shell.widgets('main')]) panel.dispose();
                await jupyterapp.serviceManager.sessions.shutdownAll();
            }"""
        )
        self.page.remove_listener("console", self._on_console)
        self.page.remove_listener("pageerror", self._on_page_error)

    def choose(self, menu: str, *entries: str) -> None:
        """Choose an entry of the menu bar, or of a submenu."""
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        for entry in entries:
            label = re.compile(f"^{re.escape(entry)}$")
            self.page.locator(".lm-Menu-itemLabel").filter(has_text=label).click()

    def run_all(self) -> None:
        """Run every cell, again if they have been run, and wait until all are done."""
        self.choose("Edit", "Clear Outputs of All Cells")
        self.choose("Run", "Run All Cells")
        self.page.wait_for_function(
            """() => [...document.querySelectorAll('.jp-CodeCell')].every(cell =>
                cell.querySelector('.cm-content')?.textContent.trim() === '' ||
                /\\[\\d+\\]/.test(cell.querySelector('.jp-InputArea-prompt')?.textContent))"""
        )
        self._wait_until_idle()
        # A widget's view arrives a moment after its cell is done; until then it is "Loading".
        self.page.wait_for_function(
            """kind => [...document.querySelectorAll(`[data-mime-type="${kind}"]`)].every(
                output => output.querySelector('.jupyter-widgets') ||
                    !['', 'Loading widget...'].includes(output.textContent.trim()))""",
            arg="application/vnd.jupyter.widget-view+json",
        )
        # What the page has told the kernel of itself, and asked of it for its widgets.
        self.page.wait_for_function("() => unanswered.size === 0")

    def change_theme(self, is_dark: bool) -> None:
        """Put JupyterLab, all of it, into its dark theme, or back into its light one."""
        change = "theme => jupyterapp.commands.execute('apputils:change-theme', { theme })"
        self.page.evaluate(change, f"JupyterLab {'Dark' if is_dark else 'Light'}")
        is_light = json.dumps(not is_dark)
        self.page.locator(f"body[data-jp-theme-light='{is_light}']").wait_for(state="attached")
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def errors(self) -> list[str]:
        """The text of every error on the page and in its console; none in a good one."""
        kinds = "application/vnd.jupyter.error", "application/vnd.jupyter.stderr"
        outputs = [f'.jp-OutputArea-output [data-mime-type="{kind}"]' for kind in kinds]
        outputs += [f'.jp-OutputArea-output[data-mime-type="{kind}"]' for kind in kinds]
        texts = self.notebook.locator(", ".join(outputs)).all_inner_texts()
        texts += self.notebook.get_by_text("Error displaying widget").all_inner_texts()
        return texts + self.complaints

    def labs(self) -> list[LabOnPage]:
        found = self.notebook.locator(".eubrl-lab")
        return [LabOnPage(found.nth(number)) for number in range(found.count())]

    def _wait_until_idle(self) -> None:
        self.page.wait_for_function(
            """() => [...jupyterapp.shell.widgets('main')]
                .flatMap(panel => panel.sessionContext ?? [])
                .every(context => context.session?.kernel?.status === 'idle')"""
        )

    def _on_console(self, said: ConsoleMessage) -> None:
        if said.type == "error" and STALE not in said.text:
            self.complaints.append(said.text)

    def _on_page_error(self, error: Error) -> None:
        self.complaints.append(str(error))
