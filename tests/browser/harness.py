"""A real JupyterLab in a real browser, and the few moves that its tests are made of.

The server is the one that learners get: `run.py lab` starts it, on copies of the lessons in a
folder of its own.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = ROOT / "screenshots"  # ignored by git: for looking, not for comparing
TOKEN = "a-token-for-tests"
START_SECONDS = 60
RUN_MILLISECONDS = 120_000

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
INSTALLED_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
# No sandbox, because tests may run as root; and nothing that reaches out to the network.
BROWSER_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_browser() -> str | None:
    """Return the program of an installed Chromium or Chrome."""
    by_name = (shutil.which(name) for name in BROWSERS)
    by_path = (path for path in INSTALLED_ELSEWHERE if Path(path).exists())
    return next((found for found in by_name if found), None) or next(by_path, None)


@dataclass
class Lab:
    """A running JupyterLab and the folder that it shows."""

    address: str
    folder: Path

    def url(self, notebook: str) -> str:
        """Return the address that opens `notebook` alone, in a workspace without a past."""
        return f"{self.address}/lab/tree/{quote(notebook)}?token={TOKEN}&reset"

    def write_notebook(self, name: str, *cells: str) -> str:
        """Put a notebook with these code cells into the folder and return its name."""
        content = {
            "cells": [
                {
                    "cell_type": "code",
                    "execution_count": None,
                    "id": f"cell-{number}",
                    "metadata": {},
                    "outputs": [],
                    "source": source,
                }
                for number, source in enumerate(cells)
            ],
            "metadata": {
                "kernelspec": {
                    "display_name": "Python 3 (ipykernel)",
                    "language": "python",
                    "name": "python3",
                }
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (self.folder / name).write_text(json.dumps(content), encoding="utf-8")
        return name


def start_lab(folder: Path, settings: Path) -> tuple[Lab, subprocess.Popen]:
    """Start JupyterLab on `folder`, with no settings but its own, and wait until it answers."""
    port = free_port()
    command = [sys.executable, "run.py", "lab", "--here", "--no-browser"]
    server = subprocess.Popen(
        [*command, "--port", str(port), "--lessons", str(folder)],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),  # the kernels start in `folder`
            "JUPYTER_TOKEN": TOKEN,
            "JUPYTER_CONFIG_DIR": str(settings / "config"),
            "JUPYTER_DATA_DIR": str(settings / "data"),
            "JUPYTER_RUNTIME_DIR": str(settings / "runtime"),
            "IPYTHONDIR": str(settings / "ipython"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    address = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + START_SECONDS
    while not answers(f"{address}/api/status?token={TOKEN}"):
        if server.poll() is not None or time.monotonic() > deadline:
            server.kill()
            raise RuntimeError("JupyterLab did not start:\n" + server.stdout.read().decode())
        time.sleep(0.2)
    return Lab(address, folder), server


def stop(server: subprocess.Popen) -> None:
    """End the server and its kernels."""
    server.terminate()
    try:
        server.wait(timeout=20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    server.stdout.close()


def answers(url: str) -> bool:
    """Tell whether a server answers at `url`, without any proxy in between."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=2) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


# --- Moves ---------------------------------------------------------------------------------------


def open_notebook(page, lab: Lab, name: str) -> None:
    """Open a notebook of the lab's folder and wait for its kernel."""
    page.goto(lab.url(name))
    page.locator(".jp-NotebookPanel .jp-Cell").first.wait_for()
    wait_idle(page)


def run_all(page) -> None:
    """Clear all outputs, run all cells by the menu, and wait until none of them is waiting.

    Without the clearing, the numbers of an earlier run would look like those of this one.
    """
    choose(page, "Edit", "Clear Outputs of All Cells")
    choose(page, "Run", "Run All Cells")
    page.wait_for_function(
        """() => {
            const prompts = [...document.querySelectorAll(
                ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell .jp-InputPrompt")]
                .map(prompt => prompt.textContent);
            return prompts.some(text => /\\d/.test(text))
                && !prompts.some(text => text.includes("*"));
        }""",
        timeout=RUN_MILLISECONDS,
    )
    wait_idle(page)


def choose(page, menu: str, entry: str) -> None:
    """Choose an entry of the main menu."""
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_role("menuitem", name=entry, exact=True).click()


def wait_idle(page) -> None:
    """Wait until the status bar says that the kernel has nothing to do."""
    page.get_by_text("Python 3 (ipykernel) | Idle").first.wait_for(timeout=RUN_MILLISECONDS)


def choose_theme(page, name: str, light: str) -> None:
    """Choose a theme of JupyterLab; `light` is "true" or "false"."""
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.locator(".lm-Menu-item").filter(has_text="Theme").first.hover()
    page.locator(".lm-Menu-item").get_by_text(name, exact=True).click()
    page.wait_for_function(f"document.body.dataset.jpThemeLight === '{light}'")


# How well the text of an element is told from what is behind it.
CONTRAST = """element => {
    const numbers = color => color.match(/[\\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255)
        .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = e => {  // what shines through counts by its share
        const [r, g, b, share = 1] = numbers(getComputedStyle(e).backgroundColor);
        if (share === 1 || !e.parentElement) return [r, g, b];
        const behind = ground(e.parentElement);
        return [r, g, b].map((c, i) => c * share + behind[i] * (1 - share));
    };
    const pair = [numbers(getComputedStyle(element).color), ground(element)]
        .map(luminance).sort((a, b) => b - a);
    return (pair[0] + 0.05) / (pair[1] + 0.05);
}"""


def resize(page, width: int, height: int) -> None:
    """Give the window of a lab another size and wait until JupyterLab fills it anew."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        """() => {
            const panel = document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden)");
            return Math.abs(window.innerWidth - panel.getBoundingClientRect().right) < 60;
        }"""
    )


def screenshot(page, name: str) -> Path:
    """Save what the page shows under `screenshots/`, to be looked at."""
    SCREENSHOTS.mkdir(exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path)
    return path
