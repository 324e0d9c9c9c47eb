"""Draws the README's picture of the page, .github/pictures/page.png, in a headless Chromium.

usage: picture.py STATE-INSPECT

It is run by hand, at the root of the checkout, after the page looks different; fonts differ between machines, so no test holds its bytes.
'pngquant' makes it small.
"""

import os
import subprocess
import sys
import tempfile

from devtools import Browser

PICTURE = ".github/pictures/page.png"

with tempfile.TemporaryDirectory() as folder, Browser() as browser:
    file = os.path.join(folder, "run.html")
    subprocess.run([
        sys.argv[1], "report", "samples/checkout.jsonl", "--bad", ".cart.total < 0", "--invariants",
        "samples/invariants.jq", "--source-root", "samples", "-o", file], check=True)
    browser.size(1280, 860)
    browser.scheme("light")
    browser.open(file)
    browser.wait("!page.moving && page.position === 118 && page.overview.isDone && !page.drawing")
    browser.screenshot(os.path.join(folder, "page.png"))
    subprocess.run(["pngquant", "--force", "--speed", "1", "--strip", "--output", PICTURE, "32", folder + "/page.png"], check=True)
print(PICTURE, os.path.getsize(PICTURE), "bytes")
