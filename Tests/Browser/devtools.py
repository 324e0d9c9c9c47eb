"""A headless Chromium, driven over the DevTools protocol through a pipe; nothing but Python's own library."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time


def find_browser():
    """The browser's path, or None where there is none."""
    names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return os.environ.get("STATE_INSPECT_BROWSER") or next((path for path in map(shutil.which, names) if path), None)


class ScriptError(Exception):
    """An expression that threw in the page."""


class Browser:
    """A browser with one page, and what it said and asked for since that was opened.

    Nothing here waits without a limit, and the browser's processes are one group, which is killed as a whole.
    """

    # How many seconds an answer may take.
    PATIENCE = 30

    def __init__(self, path=None):
        self.folder = tempfile.mkdtemp(prefix="state-inspect-browser-")
        ours_read, theirs_write = os.pipe()
        theirs_read, ours_write = os.pipe()

        def place():
            # The protocol is spoken on descriptors 3 and 4; both are moved out of the way first.
            reading, writing = os.dup(theirs_read), os.dup(theirs_write)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        self.process = subprocess.Popen(
            [
                path or find_browser(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run",
                "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                "--disable-component-update", "--enable-precise-memory-info",
                "--user-data-dir=" + self.folder, "about:blank",
            ],
            # It gets nothing else of ours: whoever waits for the end of a descriptor would wait for its last process.
            preexec_fn=place, pass_fds=(3, 4), start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_read)
        os.close(theirs_write)
        self.input = os.fdopen(ours_read, "rb", 0)
        self.output = os.fdopen(ours_write, "wb", 0)
        self.number = 0
        self.rest = b""
        self.events = []
        self.session = None
        try:
            target = self.send("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ["Page", "Runtime", "Network", "Log"]:
                self.send(domain + ".enable")
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends the browser with all of its processes."""
        self.output.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(10)
        self.input.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    # The protocol: messages of JSON with a NUL behind each.

    def receive(self, end):
        while b"\0" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            read = os.read(self.input.fileno(), 1 << 20)
            if not read:
                raise EOFError("the browser is gone")
            self.rest += read
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def write_message(self, bytes, end):
        while bytes:
            left = end - time.monotonic()
            if left <= 0 or not select.select([], [self.output], [], left)[1]:
                raise TimeoutError("the browser does not listen")
            # A pipe that can be written to takes this much at once.
            bytes = bytes[os.write(self.output.fileno(), bytes[:select.PIPE_BUF]):]

    def send(self, method, seconds=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        end = time.monotonic() + (seconds or self.PATIENCE)
        self.write_message(json.dumps(message).encode() + b"\0", end)
        while True:
            answer = self.receive(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    # What a test does.

    def open(self, path, fragment=""):
        """Opens a file, and waits until it is read."""
        self.send("Page.navigate", url="about:blank")
        self.events.clear()
        self.send("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        self.wait("document.readyState === 'complete' && typeof page !== 'undefined'")

    def value(self, expression):
        """The value of an expression in the page; a promise is waited for."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise ScriptError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer)))
        return answer["result"].get("value")

    def wait(self, condition, seconds=20):
        """Waits until a condition holds in the page."""
        end = time.monotonic() + seconds
        while True:
            try:
                if self.value(f"Boolean({condition})"):
                    return
            except ScriptError:
                pass
            if time.monotonic() > end:
                raise TimeoutError(f"this never held: {condition}")
            time.sleep(0.02)

    def press(self, key, shift=False):
        """Presses a key as a person does."""
        text = key if len(key) == 1 else ""
        for kind in ["keyDown", "keyUp"]:
            self.send(
                "Input.dispatchKeyEvent", type=kind, key=key, modifiers=8 if shift else 0,
                **({"text": text} if text and kind == "keyDown" else {}))

    def write(self, text):
        """Types a text into what has the focus."""
        self.send("Input.insertText", text=text)

    def click(self, selector):
        """Clicks in the middle of an element."""
        box = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'nearest'}});"
            " const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()")
        for kind in ["mousePressed", "mouseReleased"]:
            self.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def size(self, width, height, is_phone=False):
        """Gives the page so many pixels."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=is_phone)

    def scheme(self, name):
        """Says whether the system is light or dark."""
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path):
        """Writes what is seen to a file."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))

    def requests(self):
        """Every address that was asked for since the page was opened."""
        return [
            event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"
        ]

    def complaints(self):
        """What the browser or the page said that should not have to be said."""
        texts = []
        for event in self.events:
            params = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                texts.append(params["exceptionDetails"].get("exception", {}).get("description", str(params)))
            elif event["method"] == "Log.entryAdded" and params["entry"]["level"] in ["error", "warning"]:
                texts.append(params["entry"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled":
                texts.append(str(params["args"]))
        return texts
