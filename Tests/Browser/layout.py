"""Holds properties of a page's layout, in a headless Chromium: what is in reach, in sight and legible, on three screens.

usage: layout.py STATE-INSPECT JOURNAL FOLDER

The journal is the sample 'checkout.jsonl'. Each check prints a line; the status is 1 where one failed, 77 where there is no
browser.
"""

import json
import os
import sys

import page
from devtools import Browser, find_browser
from page import FOLDER, JOURNAL, LongRun, check, inspect, quiet, report

SCREENS = [("a telephone", 390, 844, True), ("a laptop", 1280, 800, False), ("a monitor", 1920, 1080, False)]
SAMPLES = os.path.dirname(JOURNAL)


def settled(browser):
    page.settled(browser)
    browser.wait("!page.sides || page.sides.isReady && !page.moving")


# The positions, of two hundred, after which the first changed node is not wholly in the visible part of its pane.
OUT_OF_SIGHT = """(async () => {
  const out = [];
  for (let position = 90; position < 290; position++) {
    await page.moveTo(position);
    const pane = byId("tree").getBoundingClientRect();
    const top = Math.max(0, pane.top);
    const bottom = Math.min(pane.bottom, innerWidth < 900 ? byId("steer").getBoundingClientRect().top : innerHeight);
    const node = byId("tree").querySelector(".lit, .ghost");
    const box = node ? node.getBoundingClientRect() : null;
    if (page.author.effect.did.length > 0 && !(box && box.top >= top - 1 && box.bottom <= bottom + 1)) out.push(position);
  }
  return out;
})()"""


def following(browser, path):
    for name, width, height, is_phone in SCREENS:
        browser.size(width, height, is_phone)
        for fragment in ["", "#89/cart/total"]:
            browser.open(path, fragment)
            settled(browser)
            lost = browser.value(OUT_OF_SIGHT)
            check(f"on {name}, from '{fragment}', what changed is in sight at each of 200 steps", lost == [], lost)
        browser.open(path)
        settled(browser)
        check(f"on {name} a page opens at its top", browser.value("scrollY") == 0, browser.value("scrollY"))
        for tab in ["commits", "state", "commit"]:
            browser.value(f"page.controls.turnTab('{tab}')")
            widths = browser.value("[document.documentElement.scrollWidth, innerWidth]")
            check(f"on {name} nothing of '{tab}' is wider than the screen", widths[0] <= widths[1], widths)
        browser.open(path, "#412")
        settled(browser)
        browser.value("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
        seen = browser.value(
            "[['list', '.row[aria-selected=true]'], ['tree', '.lit']].map(([pane, found]) => [byId(pane).getBoundingClientRect(),"
            " document.querySelector(found)?.getBoundingClientRect()]).map(([pane, box]) => Boolean(box) && box.top >= pane.top - 1 && box.bottom <= pane.bottom + 1)")
        check(f"on {name} a page that opens at its end shows its last row and change", is_phone or seen == [True, True], seen)
        story = browser.value("[getComputedStyle(byId('story')).overflowY, byId('story').scrollHeight <= byId('story').clientHeight + 1]")
        check(f"on {name} what was found has no scroller of its own", story == ["visible", True], story)


def telephone(browser, path):
    browser.size(390, 844, True)
    browser.open(path)
    settled(browser)
    tops = []
    for scroll in [0, 1500, 3000, 100000]:
        browser.value(f"scrollTo(0, {scroll})")
        tops.append(browser.value("[byId('tab-commits').getBoundingClientRect().top, byId('tabs').getBoundingClientRect().bottom]"))
    check("the tabs stay in reach", all(0 <= top and bottom <= 844 for top, bottom in tops), tops)
    browser.value("scrollTo(0, 0)")
    for tab, view in [("commits", "list"), ("commit", "change"), ("state", "tree")]:
        browser.click("#tab-" + tab)
        seen = browser.value(f"[document.querySelector('main').getBoundingClientRect().top, byId('{view}').clientHeight]")
        check(f"the tab '{tab}' brings its view to the top", -1 <= seen[0] <= 40 and seen[1] > 0 or tab == "state", seen)
    browser.value("page.controls.turnTab('commit')")
    lines = browser.value(
        "(() => { const base = (e) => { const mark = document.createElement('span'); mark.style.display = 'inline-block'; e.append(mark);"
        " const y = mark.getBoundingClientRect().bottom; mark.remove(); return y; };"
        " return [...document.querySelectorAll('#change .changes li')].filter((li) => li.children.length > 1"
        " && li.children[1].offsetLeft > li.children[0].offsetLeft).map((li) => [base(li.children[0]), base(li.children[1])]); })()")
    check("a path and its value stand on one line", lines and all(abs(a - b) < 1 for a, b in lines), lines)


def legible(browser, path):
    contrasts = """(() => {
      const luminance = (rgb) => { const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
      const ground = (e) => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
      const opacity = (e) => (e ? Number(getComputedStyle(e).opacity) * opacity(e.parentElement) : 1);
      return [...document.querySelectorAll(".lane, .row .store, .row .label, .row .seq, .node.lit > span, .source span, #other-at")].filter((e) => e.textContent).map((e) => {
        const under = ground(e), part = opacity(e);
        const over = numbers(getComputedStyle(e).color).slice(0, 3).map((c, i) => c * part + under[i] * (1 - part));
        const [a, b] = [luminance(over), luminance(under)].sort((x, y) => y - x);
        return [e.className + " " + e.textContent, Math.round((a + 0.05) / (b + 0.05) * 100) / 100];
      }).filter(([, ratio]) => ratio < 4.5);
    })()"""
    browser.size(1280, 800)
    for scheme in ["light", "dark"]:
        browser.scheme(scheme)
        browser.open(path)
        settled(browser)
        poor = []
        for position in [20, 85, 90, 117, 118]:
            page.move(browser, position)
            poor += browser.value(contrasts)
        check(f"every label has a contrast of 4.5 in {scheme}", poor == [], poor)
    browser.scheme("light")
    browser.value("(() => { page.run.end = 1234567; page.controls.describe(); byId('position').value = 1234567; })()")
    room = browser.value(
        "(() => { const box = byId('position'), style = getComputedStyle(box), context = document.createElement('canvas').getContext('2d');"
        " context.font = style.font; return [box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 16, context.measureText('1234567').width]; })()")
    check("the box of the commit has room for its number beside its arrows", room[0] >= room[1], room)
    said = browser.value("withGroups('never bad in 100000 commits, positions 0 to 100000')")
    check("counts are grouped, numbers of commits are not", said == "never bad in 100,000 commits, positions 0 to 100000", said)


def false_addresses(browser, path):
    for fragment, words in [
        ("#9999", "no commit 9999"), ("#abc", "#abc is not an address"), ("#-1", "#-1 is not an address"), ("#2:5", "no run 2"),
        ("#118/nosuch", "nothing at /nosuch"), ("#%zz", "#%zz is not an address"),
    ]:
        browser.open(path, fragment)
        settled(browser)
        said = browser.value("[byId('toast').classList.contains('shown') && byId('toast').textContent, page.position]")
        check(f"'{fragment}' is said to be false", words in str(said[0]) and said[1] == 118, said)
    browser.value("location.hash = '#77'")
    browser.wait("page.position === 77 && !page.moving && !page.controls.addressTimer")
    browser.value("location.hash = '#1000'")
    browser.wait("byId('toast').textContent.includes('no commit 1000') && location.hash === '#77'")
    check("a false one that is typed changes nothing, and is taken back", browser.value("page.position") == 77)
    browser.open(path, "#118/cart/discounts/1")
    settled(browser)
    check("a true one is followed without a word", not browser.value("byId('toast').classList.contains('shown')"))


def writings(browser):
    """Text of any direction, pictures of several parts, a name that is empty."""
    journal = os.path.join(FOLDER, "writings.jsonl")
    old, new = "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "\u0645\u0631\u062d\u0628\u0627 \u0628\u0627\u0644\u0639\u0627\u0644\u0645"
    pictures = ["\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f469\U0001f3fd\u200d\U0001f9b1", "\u2764\ufe0f\u200d\U0001f525", "1\ufe0f\u20e3"]
    with open(journal, "w") as file:
        def line(**members):
            at = {"file": "A/B.swift", "line": 1, "column": 1, "function": "f()"}
            file.write(json.dumps({**members, "time": "2026-01-01T00:00:00.000000Z", "at": at}) + "\n")
        line(seq=0, kind="journal", version=1, id="writings", recorder="test")
        line(seq=0, kind="store", store="uni", type="T", state={"hello": old, "": 4, "pictures": pictures, "a": 1})
        line(seq=1, kind="commit", store="uni", version=1, patch=[{"op": "replace", "path": "/hello", "value": new, "old": old}])
        line(seq=2, kind="commit", store="uni", version=2, patch=[
            {"op": "replace", "path": "/hello", "value": old, "old": new}, {"op": "remove", "path": "/", "old": 4}])
    path = report("writings.html", journal, "--bad", "$seq >= 1")
    browser.size(1280, 800)
    browser.open(path, "#1")
    settled(browser)
    for place in [".row .effect", "#change .effect", "#story .effect"]:
        order = browser.value(
            f"[...document.querySelector('{place}').children].map((part) => [part.className, part.getBoundingClientRect().left,"
            " part.getBoundingClientRect().right, getComputedStyle(part).unicodeBidi])")
        isRight = [part[0] for part in order] == ["removed", "arrow", "added"] and all(
            left[2] <= right[1] + 1 for left, right in zip(order, order[1:])) and all(part[3] == "isolate" for part in order)
        check(f"'{place}' has the old value, the arrow and the new one from left to right", isRight, order)
    browser.value("page.selectMember('/uni/pictures/0')")
    text = browser.value("byId('tree').innerText")
    check("pictures of several parts are shown whole", all(picture in text for picture in pictures), text)
    names = browser.value("[...document.querySelectorAll('.node .name')].map((name) => name.textContent)")
    check("an empty name is shown", '""' in names, names)
    page.move(browser, 2)
    check("also of a member that is removed", browser.value("document.querySelector('.node.ghost .name').textContent") == '""')
    quiet(browser, "the page of any writing")


def sources(browser):
    path = report("sources.html", JOURNAL, "--source-root", SAMPLES, "--bad", ".cart.total < 0")
    browser.size(1280, 800)
    browser.open(path)
    settled(browser)
    with open(os.path.join(SAMPLES, "shop", "Cart.swift")) as file:
        lines = file.read().split("\n")
    shown = browser.value("[...document.querySelectorAll('#change .source > span')].map((line) => [line.className, line.textContent])")
    said = [["here" if number == 37 else "", f"{number}{lines[number - 1]}"] for number in range(32, 43)]
    check("the line that made the commit stands on the page among five others each way", shown == said, shown)
    browser.open(report("bare.html", JOURNAL))
    settled(browser)
    check("without a folder there are none", browser.value("document.querySelector('.source')") is None)
    quiet(browser, "the page with sources")


def near_first(browser):
    journal = os.path.join(FOLDER, "near.jsonl")
    with open(journal, "w") as file:
        file.write("\n".join(LongRun(3).lines) + "\n")
    browser.open(report("near.html", journal), "#2500")
    settled(browser)
    order = browser.value(
        "(async () => { const seen = [], overview = new Overview(page.run), note = overview.note.bind(overview);"
        " overview.note = (record) => { const index = page.run.chunkOf(record.seq); if (!seen.includes(index)) seen.push(index); note(record); };"
        " await overview.read(page.run.end, () => {}); return seen; })()")
    count = browser.value("page.run.entries.length")
    check("the timeline reads the front, then what is near to the position", order == [0, *range(count - 1, 0, -1)], order)


def differences(own, other, path=""):
    """The pointers at which two values differ, as the page lists them."""
    if type(own) is type(other) and isinstance(own, dict) and "$redacted" not in own:
        names = [*own, *(name for name in other if name not in own)]
        return [found for name in names for found in differences(own.get(name, ...), other.get(name, ...), f"{path}/{name}")]
    if type(own) is type(other) and isinstance(own, list):
        pad = lambda values: values + [...] * (max(len(own), len(other)) - len(values))
        return [found for at, pair in enumerate(zip(pad(own), pad(other))) for found in differences(*pair, f"{path}/{at}")]
    return [] if own == other else [path]


def two_runs(browser):
    journals = [os.path.join(SAMPLES, "checkout-good.jsonl"), JOURNAL]
    path = report("sides.html", *journals)
    runs = [[json.loads(line) for line in open(journal)] for journal in journals]
    commits = [{} for _ in runs]
    for run, found in zip(runs, commits):
        for record in run:
            if record["kind"] == "commit":
                found.setdefault(record["store"], []).append(record)

    def partner(index, record):
        """The other run's commit in the place of one of a run's."""
        others = commits[1 - index].get(record["store"], [])
        at = commits[index][record["store"]].index(record)
        return others[at] if at < len(others) else None

    def is_other(index, record):
        found = partner(index, record)
        facts = lambda record: [record["at"]["file"], record["at"]["line"], record["at"]["function"],
                                [[step.get(name) for name in ["op", "path", "from", "value"]] for step in record["patch"]]]
        return found is None or facts(found) != facts(record)

    for name, width, height, is_phone in SCREENS:
        browser.size(width, height, is_phone)
        browser.open(path)
        settled(browser)
        at = browser.value("[page.run.index, page.position, page.sides.position]")
        check(f"on {name} two runs open where they part", at == [1, 117, 116], at)
        lit = browser.value("[...document.querySelectorAll('.node.differs')].map((node) => [node.dataset.path, node.querySelector('.other').textContent])")
        check(f"on {name} what differs is lit, with the other run's value", [path for path, _ in lit] == ["/session/refreshes", "/session/token"]
              and lit[0][1] == "checkout-good.jsonl: 0", lit)
        widths = browser.value("[document.documentElement.scrollWidth, innerWidth]")
        check(f"on {name} the page of two runs is not wider than the screen", widths[0] <= widths[1], widths)
        lost = browser.value(OUT_OF_SIGHT)
        check(f"on {name} what changed is in sight at each of 200 steps of two runs", lost == [], lost)
    browser.size(1280, 800)
    browser.open(path)
    settled(browser)
    wrong = []
    index, position, visited = 1, 117, {0: [], 1: []}
    for _ in range(12):
        browser.press("n")
        browser.wait(f"(page.position !== {position} || page.run.index !== {index}) && !page.moving")
        before, was = position, index
        index, position = browser.value("[page.run.index, page.position]")
        visited[index].append(position)
        record = next(r for r in runs[index] if r["kind"] == "commit" and r["seq"] == position)
        passed = [r["seq"] for r in runs[index] if r["kind"] == "commit" and index == was and before < r["seq"] < position and is_other(index, r)]
        if not is_other(index, record) or passed:
            wrong.append((was, before, index, position, passed))
    check("'n' leads to each next commit that the other run does not have so", wrong == [], wrong)
    check("and to what only the other run has", visited[0] != [] and visited[1] != [], visited)
    for position in [117, 118, 130, 200, 412]:
        browser.value("(async () => { page.enter(runs[1]); await page.moveTo(" + str(position) + "); })()")
        other = browser.value("page.sides.position")
        states = [json.loads(inspect("state", journal, "--at", str(at), "--json")) for journal, at in zip(journals, [other, position])]
        said = []
        for store in {**states[1], **states[0]}:
            counts = [sum(r["seq"] <= at for r in commits[i].get(store, [])) for i, at in [(0, other), (1, position)]]
            totals = [len(commits[i].get(store, [])) for i in (0, 1)]
            if counts[0] == counts[1] or min(counts) == min(totals):
                said += differences(states[1].get(store, ...), states[0].get(store, ...), "/" + store)
        shown = browser.value("[...page.sides.differences.keys()]")
        check(f"at {position} the differences are those of both states", sorted(shown) == sorted(said), (shown, said))
    browser.value("(() => { byId('run').value = '0'; byId('run').dispatchEvent(new Event('change')); })()")
    browser.wait("page.run === runs[0] && !page.moving")
    check("the switch leads to the place in step", browser.value("page.position") == other, browser.value("page.position"))
    browser.open(report("part.html", *journals, "--range", "50..300"))
    settled(browser)
    check("parts of two runs are not paired", browser.value("page.sides === null && page.position === 300"))
    same = report("same.html", JOURNAL, JOURNAL)
    browser.open(same)
    settled(browser)
    check("two runs that are equal have no differences to go to", browser.value("page.sides === null && byId('sides').hidden"))
    quiet(browser, "the page of two runs")


def found_on_top(browser):
    """What is said of what was found, in the sender's words and in full."""
    path = report("said.html", JOURNAL, "--bad", ".cart.total < 0", "--invariants", os.path.join(SAMPLES, "invariants.jq"),
                  "--title", "Ticket <4711>", "--note", "customer 4711, voucher taken twice\nsee <b>ticket</b>")
    browser.size(1280, 800)
    browser.open(path)
    settled(browser)
    lines = browser.value("[...document.querySelectorAll('.finding')].filter((f) => f.querySelector('table')).map((f) => "
                          "[f.querySelector('.title').textContent, new Set([...f.querySelectorAll('td:first-child')].map((cell) => cell.textContent)).size])")
    check("the source lines are as many as the table has, however many invariants they broke",
          lines == [["1 source line began violations", 1]], lines)
    said = browser.value("[byId('title').textContent, document.title, [...document.querySelectorAll('#story .said p')].map((line) => line.textContent)]")
    check("the title and the note are the sender's, as text", said == [
        "Ticket <4711>", "Ticket <4711> \u00b7 state-inspect", ["customer 4711, voucher taken twice", "see <b>ticket</b>"]], said)
    check("the journal is named all the same", "checkout.jsonl" in browser.value("byId('facts').textContent"))
    asked = browser.value("page.run.about.findings.map((finding) => [finding.invariant, finding.question])")
    full = "[.cart.discounts[].code] | length == (unique | length)"
    check("a condition of a file is there in full", any(
        name == "eachCodeOnce" and full in question and "invariants.jq" in question for name, question in asked), asked)
    shown = browser.value("document.querySelector('#story').textContent")
    check("also of what holds", "all($c.order[], $c.shelves[][]; $c.products[.] != null)" in shown, shown)


def near(browser, path):
    """On a telephone the lanes have names, and the state is in sight."""
    browser.size(390, 844, True)
    browser.open(path)
    settled(browser)
    lanes = browser.value("[...document.querySelectorAll('.lane')].map((lane) => [lane.textContent, lane.getBoundingClientRect().width > 20, lane.getBoundingClientRect().height])")
    check("every lane has a name, also on a telephone", len(lanes) == 5 and all(text and wide for text, wide, _ in lanes)
          and lanes[-1][0] == "4 stores", lanes)
    places = browser.value("[byId('tree').getBoundingClientRect().top, byId('steer').getBoundingClientRect().top, byId('steer').getBoundingClientRect().height]")
    check("the state begins in sight, above the player", places[0] + 60 < places[1], places)
    check("the player leaves three quarters of the screen", places[2] <= 211, places)
    cut = browser.value("[...byId('transport').children].filter((e) => e.offsetWidth && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.id)")
    check("nothing of the player is cut", cut == [], cut)


def paper(browser, path):
    """Printed, the page is light, has no buttons, and its marker is where the commit is."""
    browser.size(1280, 800)
    browser.scheme("dark")
    browser.open(path)
    settled(browser)
    browser.size(718, 1000)
    browser.send("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.value("dispatchEvent(new Event('beforeprint'))")
    colors = browser.value("[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]")
    check("paper is light", colors == ["rgb(246, 246, 244)", "rgb(28, 30, 33)"], colors)
    buttons = browser.value("[...document.querySelectorAll('button, select, input')].filter((e) => e.offsetWidth && !e.matches('.lane')).map((e) => e.id || e.textContent)")
    check("nothing on paper is to be pressed", buttons == [], buttons)
    lanes = browser.value("[...document.querySelectorAll('.lane')].filter((lane) => lane.offsetWidth > 20).map((lane) => lane.textContent)")
    check("every lane has a name on paper", len(lanes) == 8, lanes)
    ends = browser.value("['commit', 'state'].map((id) => byId(id)).map((part) => [part.getBoundingClientRect(), part.scrollHeight - part.clientHeight])"
                         ".map(([box, rest]) => [box.top, box.bottom + rest])")
    check("what the commit did ends on paper where the state begins", ends[0][1] <= ends[1][0] + 1, ends)
    # Laid out for paper, without having been drawn anew.
    place = browser.value("(() => { const track = byId('track').getBoundingClientRect(), cursor = byId('cursor').getBoundingClientRect();"
                          " return [(cursor.left + cursor.width / 2 - track.left) / track.width, getComputedStyle(byId('cursor')).borderLeftWidth]; })()")
    check("the marker on paper is where the commit is", abs(place[0] - 118 / 412) < 0.01 and place[1] == "2px", place)
    browser.value("dispatchEvent(new Event('afterprint'))")
    browser.send("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "light"}])
    check("then the theme is as it was", browser.value("document.documentElement.dataset.theme ?? ''") == "")


def keys(browser, path):
    """The keys are those of the full screen."""
    browser.size(1280, 800)
    browser.open(path)
    settled(browser)

    def at(position):
        browser.wait(f"page.position === {position} && !page.moving")

    for key, position in [("g", 0), ("G", 412)]:
        browser.press(key)
        at(position)
    for key in "77g":
        browser.press(key)
    at(77)
    for key in "3l":
        browser.press(key)
    at(80)
    browser.press(":")
    check("':' goes to the box of the number", browser.value("document.activeElement.id") == "position")
    browser.write("118")
    browser.press("Enter")
    browser.value("document.activeElement.blur()")
    at(118)
    browser.value("page.selectMember('/cart/total')")
    for key, position in [("N", 71), ("N", 68), ("n", 71), ("b", 71)]:
        browser.press(key)
        at(position)
    browser.press("/")
    browser.write("cart.total")
    browser.wait("page.list.matches && byId('count').textContent === '7 rows'")
    browser.press("Enter")
    at(118)
    browser.press("N")
    at(71)
    browser.press("n")
    at(118)
    browser.press("Escape")
    browser.wait("page.list.matches === null")
    check("after a search 'n' and 'N' are its hits, until Escape", True)
    browser.value("(() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; })()")
    for key, text in [("y", "-6"), ("Y", "state-inspect show " + JOURNAL + " 118")]:
        browser.press(key)
        browser.wait(f"window.copied === {json.dumps(text)}")
    check("'y' copies the member's value, 'Y' the command that shows it", True)


def whole_at_once(browser):
    """Of a long run the lanes are whole before its lines are read."""
    journal = os.path.join(FOLDER, "whole.jsonl")
    at = {"file": "A/B.swift", "line": 1, "column": 1, "function": "f()"}
    with open(journal, "w") as file:
        def line(**members):
            file.write(json.dumps({**members, "time": "2026-01-01T00:00:00.000000Z", "at": at}) + "\n")
        line(seq=0, kind="journal", version=1, id="whole", recorder="test")
        for store in ["a", "b", "c"]:
            line(seq=0, kind="store", store=store, type="T", state=0)
        for seq in range(1, 20001):
            store = "abc"[seq * 3 // 20001]
            line(seq=seq, kind="commit", store=store, version=seq, patch=[{"op": "replace", "path": "", "value": seq}])
    file = report("whole.html", journal)
    browser.size(1280, 800)
    browser.open(file)
    settled(browser)
    exact = "(() => { const columns = new Set(); page.overview.forEachCommit((position) => columns.add(Math.floor(page.timeline.x(position) / 20))); return [columns.size, Math.floor(page.timeline.width / 20)]; })()"
    browser.value("(() => { const { run } = page; run.keptOverview = new Overview(run); })()")
    early = browser.value(exact)
    check("no part of the timeline is empty before the lines are read", early[0] >= early[1], early)
    early = browser.value("(() => { let sum = 0; page.overview.forEachCommit((position, store, count) => sum += count); return [sum, page.run.commitCount]; })()")
    check("and every commit counts", early[0] == early[1], early)


def main():
    if not find_browser():
        print("there is no Chromium")
        return 77
    path = report("layout.html", JOURNAL, "--bad", ".cart.total < 0", "--invariants", os.path.join(SAMPLES, "invariants.jq"))
    with Browser() as browser:
        following(browser, path)
        telephone(browser, path)
        legible(browser, path)
        false_addresses(browser, path)
        writings(browser)
        sources(browser)
        near_first(browser)
        two_runs(browser)
        found_on_top(browser)
        near(browser, path)
        paper(browser, path)
        keys(browser, path)
        whole_at_once(browser)
    return 1 if page.failures else 0


if __name__ == "__main__":
    sys.exit(main())
