"""Chromium for tests, driven over a pipe by its DevTools protocol: nothing else has to be installed."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
    "--remote-debugging-pipe",
)
PATIENCE = 30.0


class Browser:
    """One browser with an empty profile."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="graphveil-chromium-")
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        words = [self.program(), *_FLAGS, f"--user-data-dir={self._folder}"]
        line = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'  # where Chromium expects the pipe
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(
            ["bash", "-c", line, "chromium", *words], pass_fds=(theirs_in, theirs_out), **quiet
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._number, self._rest = 0, b""
        self.pages: list[str] = []
        self.said: list[dict] = []  # events: what pages logged, asked for and failed at

    @staticmethod
    def program() -> str | None:
        return next((path for path in map(shutil.which, _NAMES) if path), None)

    @staticmethod
    def missing() -> str:
        """What keeps the tests from running, or nothing."""
        return "" if Browser.program() else "Chromium is missing: apt-get install chromium"

    def call(self, method: str, session: str | None = None, **parameters) -> dict:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        os.write(self._out, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while (answer := self._next()).get("id") != self._number:
            self.said.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _next(self) -> dict:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], PATIENCE)
            more = os.read(self._in, 2**20) if ready else b""
            if not more:
                raise RuntimeError("Chromium has stopped answering")
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def open(
        self, url: str = "about:blank", *, width: int = 900, height: int = 1000, on_another_device: bool = False
    ) -> Tab:
        """A page; on another device nothing that the first stored is there."""
        place = self.call("Target.createBrowserContext") if on_another_device else {}
        target = self.call("Target.createTarget", url="about:blank", **place)["targetId"]
        self.pages.append(target)
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Network", "Log"):
            tab.call(f"{domain}.enable")
        tab.resize(width, height)
        tab.go(url)
        return tab

    def close_pages(self, kept: list[str]) -> None:
        """Close all pages but these."""
        for page in self.pages:
            if page not in kept:
                self.call("Target.closeTarget", targetId=page)
        self.pages = kept

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._folder, ignore_errors=True)


class Tab:
    """One page."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session

    def call(self, method: str, **parameters) -> dict:
        return self._browser.call(method, self._session, **parameters)

    def go(self, url: str) -> None:
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def run(self, script: str):
        """The value of an expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Until a condition holds; a page that is just changing has none."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.run(f"Boolean({condition})"):
                    return
            except RuntimeError as error:
                if "stopped answering" in str(error):
                    raise
            time.sleep(0.05)
        raise TimeoutError(f"{condition}; the page says: {self.text()}")

    def text(self) -> str:
        return self.run("document.body.innerText")

    def wait_for_text(self, words: str) -> None:
        self.wait(f"document.body.innerText.includes({json.dumps(words)})")

    def fill(self, selector: str, text: str) -> None:
        """Type into a field, as a keyboard would."""
        self.run(f"(field => (field.focus(), field.select()))(document.querySelector({json.dumps(selector)}))")
        self.call("Input.insertText", text=text)

    def press_enter(self) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=13, text="\r")

    def click(self, selector: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def upload(self, selector: str, path: Path) -> None:
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[str(path)], nodeId=node)

    def picture(self, path: Path) -> None:
        """What the page shows, without empty space below it, at three quarters of its size."""
        width, height = self.run("[innerWidth, Math.min(innerHeight, document.body.offsetHeight - scrollY)]")
        top = self.run("scrollY")
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 0.75}
        content = self.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(content))
