"""Drives the page of a run in a headless Chromium, and holds what it shows against what the command says.

usage: page.py STATE-INSPECT JOURNAL FOLDER

The journal is the sample 'checkout.jsonl'. Each check prints a line; the status is 1 where one failed, 77 where there is no
browser.
"""

import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from devtools import Browser, find_browser

COMMAND, JOURNAL, FOLDER = sys.argv[1:4] if len(sys.argv) > 3 else ("", "", "")
failures = []


def check(name, isRight, found=None):
    print(("ok      " if isRight else "FAILED  ") + name + ("" if isRight else f": {found!r}"), flush=True)
    if not isRight:
        failures.append(name)


def inspect(*arguments, status=0):
    run = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=60)
    if run.returncode != status:
        raise RuntimeError(f"{arguments}: status {run.returncode}\n{run.stderr}")
    return run.stdout


def inspect_all(runs):
    """The outputs of several commands, which run side by side."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda arguments: inspect(*arguments), runs))


def report(name, *arguments):
    path = os.path.join(FOLDER, name)
    inspect("report", *arguments, "-o", path)
    return path


def settled(browser):
    browser.wait("!page.moving && page.overview.isDone && !page.controls.addressTimer")


def move(browser, position):
    browser.value(f"page.moveTo({position})")


def shown_at(browser, positions):
    """The position and the state that the page shows, once it was moved to each of these."""
    return browser.value(
        f"(async () => {{ const shown = []; for (const position of {json.dumps(positions)}) {{ await page.moveTo(position);"
        " shown.push([page.position, textOf(page.cursor.stores)]); } return shown; })()")


def opening(browser, path):
    browser.open(path)
    settled(browser)
    check("the page begins with what was found", browser.value("page.position") == 118, browser.value("page.position"))
    story = browser.value("document.getElementById('story').innerText")
    check("the story names the commit, its line and its change", all(
        part in story for part in ["#118", "applyDiscount(_:)", "shop/Cart.swift:37", "/cart/total", "-6"]), story)
    lit = browser.value("[...document.querySelectorAll('.node.lit')].map((n) => n.dataset.path)")
    check("what the commit changed is lit", lit == ["/cart/discounts/1", "/cart/total"], lit)
    change = browser.value("document.getElementById('change').innerText")
    check("the commit tells its cause and what fired", "#117" in change and "canCheckOut" in change, change)
    total = json.loads(inspect("state", JOURNAL, "--at", "117", "--select", ".cart.total"))
    check("and what was defined when the page was made", f"double{2 * total}-12" in "".join(change.split()).replace("→", ""), change)


def states(browser, seed):
    draw = random.Random(seed)
    said = {json.loads(line)["seq"]: line.partition(',"value":')[2][:-1] for line in inspect("replay", JOURNAL, "--json").splitlines()}
    positions = draw.sample(sorted(said), 60)
    shown = shown_at(browser, positions)
    wrong = [position for position, found in zip(positions, shown) if found != [position, said[position]]]
    check("sixty states are those of 'replay'", wrong == [], wrong)
    shown = shown_at(browser, [0, positions[0]])
    texts = [inspect("state", JOURNAL, "--at", str(position), "--json")[:-1] for position in [0, positions[0]]]
    check("and those of 'state --at'", [text for _, text in shown] == texts, shown)
    back = browser.value(
        "(async () => { const run = page.run, cursor = new Cursor(run), texts = [];"
        " for (let n = run.start; n <= run.end; n++) { await cursor.moveTo(n); texts.push(textOf(cursor.stores)); }"
        " for (let n = run.end; n >= run.start; n--) {"
        "   while (cursor.position > n) cursor.back(); const c = cursor.chunk.countUpTo(n);"
        "   while (cursor.count < c) cursor.forward(); if (textOf(cursor.stores) !== texts[n - run.start]) return n; }"
        " return null; })()")
    check("stepped back, every state is what it was on the way there", back is None, back)


def moving(browser):
    move(browser, 100)
    browser.value("document.activeElement.blur()")
    browser.press("ArrowRight")
    browser.wait("page.position === 101 && !page.moving")
    browser.press("h")
    browser.wait("page.position === 100 && !page.moving")
    browser.press("ArrowRight", shift=True)
    browser.wait("page.position === 110 && !page.moving")
    browser.click("#step")
    browser.wait("page.position === 111 && !page.moving")
    check("keys and buttons step", True)
    browser.value("(() => { const s = byId('slider'); s.value = 300; s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change')); })()")
    browser.wait("page.position === 300 && !page.moving")
    check("the slider moves", browser.value("byId('state-at').textContent") == "after commit 300")
    browser.press("End")
    browser.wait("page.position === page.run.end && !page.moving")
    browser.press("Home")
    browser.wait("page.position === 0 && !page.moving")
    browser.press(" ")
    browser.wait("page.position >= 3")
    browser.press(" ")
    browser.wait("!page.controls.player && !page.moving")
    check("it plays and pauses", browser.value("byId('play').getAttribute('aria-pressed')") == "false")
    browser.press("}")
    browser.wait("page.position > 3 && !page.moving")
    check("the next mark is found", True)


def finding(browser):
    browser.value("document.activeElement.blur()")
    browser.press("/")
    check("the search has the focus", browser.value("document.activeElement.id") == "text")
    browser.write("SPRING")
    browser.wait("page.list.matches && !page.list.isGoingOn && byId('count').textContent.endsWith('rows')")
    rows = browser.value(
        "page.list.matches.map((row) => page.run.peekRow(row)).filter((r) => r.kind === 'commit').map((r) => r.seq)")
    lines = inspect("log", JOURNAL, "--json").splitlines()
    named = [json.loads(line)["seq"] for line in lines if "spring" in line.lower()]
    check("the search finds the commits that say it", rows == named, rows)
    browser.press("Enter")
    browser.wait(f"page.position === {named[0]} && !page.moving")
    browser.press("Escape")
    browser.value("byId('filter').reset()")
    browser.wait("page.list.matches === null")
    for path in ["/cart/total", "/likes/hearts", "/cart/items/0"]:
        browser.value(f"(() => {{ byId('path').value = {json.dumps(path)}; return page.controls.filter(); }})()")
        rows = browser.value(
            "page.list.matches.map((row) => page.run.peekRow(row)).filter((r) => r.kind === 'commit').map((r) => r.seq)")
        found = [json.loads(line)["seq"] for line in inspect("log", JOURNAL, "--json", "--path", path).splitlines()]
        check(f"the filter for {path} lists what 'log --path' lists", rows == found, (rows[:8], found[:8]))
    for texts, seqs in [
        (["/cart/total", "cart.total", ".cart.total", "cart/total", ".CART.total"], [58, 60, 62, 64, 68, 71, 118]),
        (["/cart/items/0", ".cart.items[0]", "cart.items[0]", "cart.items.0"], None), (["\u20ac -6"], [118]), (["\u20ac 12"], [71]),
    ]:
        for text in texts:
            browser.value(f"(() => {{ byId('filter').reset(); byId('text').value = {json.dumps(text)}; return page.controls.filter(); }})()")
            rows = browser.value(
                "page.list.matches.map((row) => page.run.peekRow(row)).filter((r) => r.kind === 'commit').map((r) => r.seq)")
            seqs = seqs or rows
            check(f"the search for '{text}' finds what its path and the derived values say", rows == seqs and rows, (rows, seqs))
    browser.value("(() => { byId('filter').reset(); page.choose('cart'); })()")
    browser.wait("page.list.matches && byId('count').textContent.endsWith('rows')")
    kinds = browser.value("[...new Set(page.list.matches.map((row) => page.run.peekRow(row).store))]")
    check("a store that is chosen is listed alone", kinds == ["cart"], kinds)
    browser.value("byId('filter').reset()")
    browser.wait("page.list.matches === null")


def addresses(browser, path):
    browser.open(path, "#77/cart/total")
    settled(browser)
    browser.wait("page.position === 77 && page.member === '/cart/total'")
    check("an address leads to a position and a member", browser.value(
        "document.querySelector('.node[aria-selected=true]').dataset.path") == "/cart/total")
    browser.value("location.hash = '#5'")
    browser.wait("page.position === 5 && !page.moving")
    move(browser, 9)
    browser.wait("location.hash === '#9'")
    check("the page keeps its address", True)


FOLLOWED = (
    "((position, path) => new Origins(page.run, position, segmentsOf(path)).follow().then(({ hops }) => hops.map((hop) => ["
    "hop.how, hop.basis, hop.record.seq, pointer(hop.path), (hop.candidates ?? []).map(pointer)])))")


def following(browser, journal, draw, positions):
    """The ways of values that the page has and 'origin' has not so, at positions with the paths of some values there."""
    asked = [(position, path) for position in positions for path in leaves_at(browser, draw, position)]
    answers = inspect_all([("origin", journal, path, "--at", str(position), "--json") for position, path in asked])
    wrong = []
    for (position, path), answer in zip(asked, answers):
        lines = [json.loads(line) for line in answer.splitlines()]
        said = [[line["how"], line["basis"], line["seq"], line["path"], line.get("candidates", [])] for line in lines]
        shown = browser.value(f"{FOLLOWED}({position}, {json.dumps(path)})")
        if shown != said:
            wrong.append((position, path, shown, said))
    return wrong


def leaves_at(browser, draw, position):
    move(browser, position)
    leaves = browser.value(
        "((value) => { const paths = []; const walk = (v, p) => { if (isContainer(v)) {"
        " for (const k of Object.keys(v)) walk(v[k], [...p, k]); } else paths.push(pointer(p)); }; walk(value, []);"
        " return paths; })(page.cursor.stores)")
    return draw.sample(leaves, min(8, len(leaves)))


def blaming(browser, seed):
    draw = random.Random(seed)
    leaves = (
        "((value) => { const paths = []; const walk = (v, p) => { if (isContainer(v) && sizeOf(v) > 0) {"
        " for (const k of Array.isArray(v) ? v.keys() : Object.keys(v)) walk(v[k], [...p, String(k)]); }"
        " else paths.push(pointer(p)); }; walk(value, []); return paths; })(page.cursor.stores)")
    wrong = []
    for _ in range(6):
        position = draw.randint(20, 412)
        move(browser, position)
        lines = [json.loads(line) for line in inspect("blame", JOURNAL, "--at", str(position), "--json").splitlines()]
        authors = {line["path"]: line["seq"] for line in lines}
        for path in draw.sample(browser.value(leaves), 12):
            found = browser.value(
                f"new Writers(page.run, {position}, segmentsOf({json.dumps(path)})).next().then((f) => f && f.record.seq)")
            if found != authors.get(path):
                wrong.append((position, path, found, authors.get(path)))
    check("who wrote a member is who 'blame' says", wrong == [], wrong)
    move(browser, 200)
    browser.value("page.selectMember('/cart/total')")
    browser.wait("document.querySelector('#member .writers li')")
    text = browser.value("document.getElementById('member').innerText")
    check("the member is told with who wrote it", "#118 applyDiscount(_:)" in text and "state-inspect blame" in text, text)
    browser.value("document.activeElement.blur()")
    browser.press("b")
    browser.wait("page.position === 118 && !page.moving")
    check("'b' leads to who wrote it", True)
    wrong = following(browser, JOURNAL, draw, [draw.randint(20, 412) for _ in range(6)])
    check("where a value comes from is what 'origin' says", wrong == [], wrong)
    move(browser, 200)
    browser.value("page.selectMember('/cart/total')")
    browser.wait("document.getElementById('origin')")
    browser.press("o")
    browser.wait("[...document.querySelectorAll('#member h3')].some((title) => title.textContent === 'Comes from')")
    text = browser.value("document.getElementById('member').innerText")
    check("'o' shows where it comes from", "computed" in text and "state-inspect origin" in text, text)
    browser.press("Escape")
    browser.wait("page.member === ''")


def keyboard(browser):
    browser.press("?")
    check("'?' shows the keys", browser.value("byId('keys').open"))
    browser.value("byId('keys').close()")
    roles = browser.value("['list', 'tree'].map((id) => [byId(id).getAttribute('role'), byId(id).tabIndex])")
    check("list and tree can be reached by keys", roles == [["listbox", 0], ["tree", 0]], roles)
    unnamed = browser.value(
        "[...document.querySelectorAll('button, input, select, canvas')].filter((e) => !e.closest('[aria-hidden]')"
        " && !e.textContent.trim() && !e.getAttribute('aria-label') && !e.labels?.length).map((e) => e.id)")
    check("every control has a name", unnamed == [], unnamed)
    browser.value("byId('tree').focus()")
    browser.press("ArrowDown")
    browser.wait("page.member !== ''")
    check("arrows choose a member in the tree", True)


def quiet(browser, name):
    check(f"{name} asks for nothing", [u for u in browser.requests() if not u.startswith(("file://", "blob:"))] == [], browser.requests())
    check(f"{name} has nothing to complain of", browser.complaints() == [], browser.complaints())


HOSTILE = [
    "<script>window.hit = 1</script>", "</script><script>window.hit = 2</script>", "<img src=x onerror='window.hit=3'>",
    "<!--<script>", "\u202eevil\u2066", "\u001b[31mred\u001b]0;title\u0007", "http://127.0.0.1:9/x", "&lt;b&gt;&#0;",
    "a\u2028b\u0000c", "__proto__", "constructor", "javascript:alert(1)", "\ud83d\ude00 ☃", "%3Cscript%3E",
]


def hostile(browser):
    journal = os.path.join(FOLDER, "hostile.jsonl")
    with open(journal, "w") as file:
        def line(**members):
            file.write(json.dumps(members, separators=(",", ":")) + "\n")
        text = "".join(HOSTILE)
        at = {"file": text, "line": 3, "column": 1, "function": text}
        time = "2026-01-01T00:00:00.000000Z"
        line(seq=0, kind="journal", version=1, id=text, time=time, app=text, build=text, recorder="test")
        line(seq=0, kind="store", store=text, type=text, time=time, at=at, state={name: name for name in HOSTILE})
        for number, name in enumerate(HOSTILE, 1):
            step = name.replace("~", "~0").replace("/", "~1")
            line(seq=number, kind="commit", store=text, version=number, time=time, at=at, name=text, trace=text, span=text, patch=[
                {"op": "replace", "path": "/" + step, "value": {name: [name, number]}, "old": name}])
            line(seq=number, kind="mark", time=time, at=at, text=text, level=text)
            line(seq=number, kind="abort", store=text, time=time, at=at, error=text)
    path = report("hostile.html", journal, "--bad", "$seq >= 3", "--source-url", "https://127.0.0.1:9/{file}#L{line}",
                  "--trace-url", "https://127.0.0.1:9/trace/{trace}?span={span}")
    with open(path, "rb") as file:
        page = file.read()
    raw = [name for name in ["\u202e", "\u2066", "\u2028", "\u001b", "<img", "<!--"] if name.encode() in page]
    check("nothing that acts stands in the file", raw == [] and page.count(b"</script>") == page.count(b"<script"), raw)
    browser.open(path, "#%3Cimg%20src=x%3E")
    settled(browser)
    positions = range(0, len(HOSTILE) + 1)
    said = inspect_all([("state", journal, "--at", str(position), "--json") for position in positions])
    for position, (_, shown), text in zip(positions, shown_at(browser, list(positions)), said):
        if shown + "\n" != text:
            check(f"the hostile state at {position}", False, shown)
    browser.value("page.list.go(1)")
    settled(browser)
    check("nothing of it ran", browser.value("window.hit") is None)
    markup = browser.value("document.querySelectorAll('body img, body script:not([type]) ~ script:not([type])').length")
    check("nothing of it became an element", markup == 0, markup)
    text = browser.value("document.body.innerText")
    check("it is shown as text", "<script>window.hit = 1</script>" in text and "\\u202e" in text and "\u202e" not in text)
    link = browser.value("page.run.commit(1).then((record) => traceLink(record).href)")
    isRight = link.startswith("https://127.0.0.1:9/trace/%3Cscript%3E") and "?span=%3Cscript%3E" in link and "<" not in link
    check("a trace is a link to where it is kept", isRight, link)
    quiet(browser, "the hostile page")


def damaged(browser):
    """Lines that are not JSON, or lack what the script reads: a page that recovers lacks them and says so."""
    with open(JOURNAL) as file:
        lines = file.read().splitlines()
    first = next(at for at, line in enumerate(lines) if line.startswith('{"seq":40,"kind":"commit"')) + 1
    bad = {
        "an unknown kind": '{"seq":40,"kind":"zzz","x":hunter2}',
        "a mark": '{"seq":40,"kind":"mark","time":"2026-01-01T00:00:00.000000Z","text":"a" hunter2}',
        "an abort without an error": '{"seq":40,"kind":"abort","store":"cart","time":"2026-01-01T00:00:00.000000Z"}',
        "outcomes that are null": '{"seq":40,"kind":"outcome","commit":40,"derived":[null]}',
        "a commit": '{"seq":41,"kind":"commit","store":"cart","patch":[hunter2]}',
    }
    for name, text in bad.items():
        journal = os.path.join(FOLDER, "damaged.jsonl")
        with open(journal, "w") as file:
            file.write("\n".join(lines[:first] + [text] + lines[first:]) + "\n")
        path = os.path.join(FOLDER, "damaged.html")
        inspect("report", journal, "-o", path, status=3)
        check(f"{name} that is damaged makes no page", not os.path.exists(path))
        inspect("report", journal, "--recover", "-o", path, status=3)
        browser.open(path)
        settled(browser)
        story = browser.value("document.getElementById('story').innerText")
        check(f"the page says that it lacks {name}", f"Lines {first + 1} " in story or f"Line {first + 1} " in story, story)
        move(browser, browser.value("page.run.end"))
        check("and shows what comes after", browser.value("page.position") > 41 and browser.value("textOf(page.cursor.stores)") + "\n"
              == inspect("state", journal, "--at", "end", "--json", "--recover"), browser.value("page.position"))
        browser.value(
            "(async () => { for (let row = 0; row < page.run.rowCount; row++)"
            " if (row % 60 === 0 || page.run.peekRow(row)?.kind === 'damage') await page.chooseRow(row); })()")
        quiet(browser, f"the page without {name}")
        os.remove(path)
    with open(journal, "w") as file:
        file.write("\n".join(lines[:first] + ['{"seq":40,"kind":"damage","last":"x","states":5}'] + lines[first:]) + "\n")
    browser.open(report("own-kind.html", journal))
    settled(browser)
    move(browser, 40)
    check("a kind that is not known passes for none of the page's own", browser.value("textOf(page.cursor.stores)") + "\n"
          == inspect("state", journal, "--at", "40", "--json"))
    quiet(browser, "the page of a kind that is not known")


def redacted(browser):
    path = report("redacted.html", JOURNAL, "--redact", "/cart/discounts/*/code", "--bad", ".cart.total < 0", "--invariant", "c=all(.cart.discounts[].code; . != \"SPRING\")")
    browser.open(path)
    settled(browser)
    # The query is what its author typed.
    everything = browser.value(
        "(async () => { const texts = [document.getElementById('about').textContent.replaceAll('!= \\\\\"SPRING\\\\\"', '')]; for (const run of runs) for (let i = 0; i < run.entries.length; i++)"
        " texts.push(await run.text('chunk', i, run.entries[i].bytes), await run.text('beginning', i, run.entries[i].beginningBytes));"
        " return texts.join('').includes('SPRING'); })()")
    check("what is redacted is nowhere on the page", everything is False)
    check("and the answers are those of the values", browser.value(
        "about.runs[0].findings.map((f) => [f.tone, f.position])") == [["bad", 118], ["bad", browser.value("about.runs[0].findings[1].position")]])


def two(browser):
    good = JOURNAL.replace("checkout.jsonl", "checkout-good.jsonl")
    path = report("two.html", good, JOURNAL, "--invariant", "total=.cart.total >= 0")
    browser.open(path, "#2:118/cart/total")
    settled(browser)
    browser.wait("page.run === runs[1] && page.position === 118")
    found = json.loads(inspect("diff", good, JOURNAL, "--json", status=1))
    shown = browser.value("[about.divergence.common, about.divergence.left?.seq, about.divergence.right?.seq]")
    said = [found["common"], *[found[side] and found[side]["seq"] for side in ["left", "right"]]]
    check("two runs part where 'diff' says", shown == said, (shown, said))
    browser.value("(() => { byId('run').value = '0'; byId('run').dispatchEvent(new Event('change')); })()")
    browser.wait("page.run === runs[0] && !page.moving && page.overview.isDone")
    check("the switch turns to the other run", "checkout-good" in browser.value("document.title"))
    quiet(browser, "the page of two runs")


class LongRun:
    """A journal of several parts: every kind of change, numbers of any text, stores that come and go, commits lost."""

    numbers = ["1.0", "1e3", "-0", "9007199254740993", "0.1", "12345678901.12345678", "1E-7", "0.0000001", "3.50", "7"]

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.seq = 0
        self.isSideOpen = False
        self.list = 0
        self.lines = [self.line("journal", version=1, id="long", recorder="test")]
        self.lines.append(self.line("store", store="main", type="T", at=self.at(), state={
            "list": [], "count": 0, "texts": {}, "large": f"{self.draw.getrandbits(280_000):x}"}))
        while self.seq < 5000:
            self.step()

    def line(self, kind, **members):
        return json.dumps({"seq": self.seq, "kind": kind, "time": "2026-01-01T00:00:00.000000Z", **members})

    def at(self):
        return {"file": "A/B.swift", "line": self.draw.randint(1, 9), "column": 1, "function": "f()"}

    def raw(self, patch, store="main"):
        self.seq += 1
        text = self.line("commit", store=store, version=self.seq, at=self.at(), patch="@")
        self.lines.append(text.replace('"@"', patch))

    def change(self):
        draw = self.draw
        number = draw.choice(self.numbers)
        member = draw.choice(["__proto__", "constructor", "5", "a/b", "m~n", "\u00e9", "\ud83d\ude00", "\uff5e"])
        key = member.replace("~", "~0").replace("/", "~1")
        kind = draw.randint(0, 6)
        if kind == 0 or self.list == 0:
            place = draw.randint(0, self.list)
            self.list += 1
            return {"op": "add", "path": f"/list/{place}", "value": {"id": self.seq, "text": "x" * 150, "n": "@"}}, number
        place = draw.randrange(self.list)
        if kind == 1 and self.list > 40:
            self.list -= 1
            return {"op": "remove", "path": f"/list/{place}"}, number
        if kind == 2:
            return {"op": "move", "from": f"/list/{place}", "path": f"/list/{draw.randrange(self.list)}"}, number
        if kind == 3:
            return {"op": "replace", "path": f"/list/{place}/n", "value": "@"}, number
        if kind == 4:
            return {"op": "add", "path": "/texts/" + key, "value": {"at": "@", "pad": "y" * 100}}, number
        return {"op": "replace", "path": "/count", "value": "@"}, number

    def step(self):
        chance = self.draw.random()
        if chance < 0.01:
            if self.isSideOpen:
                self.lines.append(self.line("close", store="side"))
            else:
                self.lines.append(self.line("store", store="side", type="T", at=self.at(), state=self.seq))
            self.isSideOpen = not self.isSideOpen
        elif chance < 0.011:
            first = self.seq + 1
            self.seq += 5
            self.list, self.isSideOpen = 1, False
            self.lines.append(self.line(
                "gap", first=first, lost=5, reason="full", states={"main": {"list": [{"n": 1}], "count": self.seq, "texts": {}}}))
        else:
            operations = [self.change() for _ in range(self.draw.randint(1, 2))]
            self.raw("[" + ",".join(json.dumps(o).replace('"@"', n) for o, n in operations) + "]")


def several_parts(browser, seed):
    run = LongRun(seed)
    journal = os.path.join(FOLDER, "long.jsonl")
    with open(journal, "w") as file:
        file.write("\n".join(run.lines) + "\n")
    path = report("long.html", journal)
    browser.open(path)
    settled(browser)
    check("a long run has several parts", browser.value("page.run.entries.length") > 2)
    check("of which later ones begin with what changed", browser.value("page.run.entries.map((entry) => entry.source)")[:3]
          == ["whole", "end", "patch"], browser.value("page.run.entries.map((entry) => entry.source)"))
    check("its rows are all there", browser.value("page.run.rowCount") == len(run.lines) - 1, browser.value("page.run.rowCount"))
    lost = set()
    for line in map(json.loads, run.lines):
        if line["kind"] == "gap":
            lost |= set(range(line["first"], line["seq"]))
    draw = random.Random(seed)
    starts = browser.value("page.run.entries.map((entry) => entry.start)")
    near = [start + step for start in starts for step in [-1, 0, 1] if 0 <= start + step <= run.seq]
    positions = [at for at in near + [draw.randint(0, run.seq) for _ in range(8)] if at not in lost]
    said = inspect_all([("state", journal, "--at", str(position), "--json") for position in positions])
    wrong = [
        position for position, shown, text in zip(positions, shown_at(browser, positions), said)
        if shown != [position, text.rstrip("\n")]
    ]
    check("every part has the states of 'state --at'", wrong == [], wrong)
    wrong = []
    for position in [draw.randint(100, run.seq) for _ in range(2)]:
        if position in lost:
            continue
        move(browser, position)
        lines = [json.loads(line) for line in inspect("blame", journal, "--at", str(position), "--json").splitlines()]
        for line in draw.sample(lines, min(12, len(lines))):
            found = browser.value(
                f"new Writers(page.run, {position}, segmentsOf({json.dumps(line['path'])})).next().then((f) => f && f.record.seq)")
            if found != line["seq"]:
                wrong.append((position, line["path"], found, line["seq"]))
    check("who wrote a member there is who 'blame' says", wrong == [], wrong)
    wrong = following(browser, journal, draw, [at for at in [draw.randint(100, run.seq) for _ in range(2)] if at not in lost])
    check("where a value there comes from is what 'origin' says", wrong == [], wrong)
    if lost:
        inside = min(lost)
        move(browser, inside - 1)
        browser.value(f"page.moveTo({inside})")
        check("a gap is stepped over", browser.value("page.position") not in lost, browser.value("page.position"))
    quiet(browser, "the long run")


def main():
    if not find_browser():
        print("there is no Chromium")
        return 77
    seed = int(os.environ.get("STATE_INSPECT_PAGE_SEED", "1"))
    path = report("run.html", JOURNAL, "--bad", ".cart.total < 0", "--invariant", "total=.cart.total >= 0",
                  "--define", "double=.cart.total * 2")
    with Browser() as browser:
        browser.size(1280, 800)
        opening(browser, path)
        states(browser, seed)
        moving(browser)
        finding(browser)
        addresses(browser, path)
        blaming(browser, seed)
        keyboard(browser)
        quiet(browser, "the page")
        hostile(browser)
        damaged(browser)
        redacted(browser)
        two(browser)
        several_parts(browser, seed)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
