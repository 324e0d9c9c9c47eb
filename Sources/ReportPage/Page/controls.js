// Buttons, keys, the address, and what is said about the run.

const keys = /* swift: KeyMap.ofPage.text() */ [];
const givenTitle = about.title;

class Controls {
  constructor(page) { this.page = page; }

  start() {
    const { page } = this;
    const on = (id, event, action) => byId(id).addEventListener(event, action);
    on("to-start", "click", () => page.moveTo(page.run.start));
    on("to-end", "click", () => page.moveTo(page.run.end));
    on("step-back", "click", () => page.moveTo(page.position - 1));
    on("step", "click", () => page.moveTo(page.position + 1));
    on("play", "click", () => this.play());
    on("slider", "input", (event) => page.moveTo(event.target.value, { isQuick: true }));
    on("slider", "change", (event) => page.moveTo(event.target.value));
    on("position", "change", (event) => page.moveTo(event.target.value, { isCentred: true }));
    on("theme", "click", () => this.turnTheme());
    on("help", "click", () => byId("keys").showModal());
    on("next-difference", "click", () => page.sides.next());
    byId("sides").hidden = !page.sides;
    on("copy-state", "click", () => copy(textOf(page.cursor.stores)));
    on("run", "change", (event) => this.turnRun(runs[event.target.value]));
    on("filter", "submit", (event) => event.preventDefault());
    on("filter", "input", () => this.filterSoon());
    on("filter", "reset", () => {
      page.chosen.clear();
      setTimeout(() => { page.timeline.label(); this.filter(); });
    });
    for (const tab of ["commits", "state", "commit"]) on("tab-" + tab, "click", () => this.turnTab(tab));
    byId("key-list").replaceChildren(
      ...keys.flatMap(([key, does]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, does)]));
    byId("runs").hidden = runs.length < 2;
    byId("title").classList.toggle("offscreen", runs.length > 1 && !givenTitle);
    byId("run").replaceChildren(...runs.map((run, index) => element("option", { value: index }, run.about.name)));
    document.addEventListener("keydown", (event) => this.press(event));
    window.addEventListener("hashchange", () => this.follow());
    this.setTheme(this.storedTheme());
    // Paper is light; the lanes are drawn, and have to be drawn again for it.
    window.addEventListener("beforeprint", () => {
      document.documentElement.dataset.theme = "light";
      page.timeline.draw(true);
    });
    window.addEventListener("afterprint", () => this.setTheme(this.storedTheme()));
  }

  turnTab(chosen) {
    document.body.dataset.tab = chosen;
    for (const tab of ["commits", "state", "commit"]) byId("tab-" + tab).setAttribute("aria-selected", String(tab === chosen));
    if (isNarrow()) document.querySelector("main").scrollIntoView();
    this.page.list.render();
    if (chosen === "state") this.page.tree.reveal(this.page.tree.changedNodes);
  }

  async turnRun(run) {
    const { page } = this;
    const isInStep = page.sides && page.sides.isReady && run !== page.run;
    const target = isInStep ? { run, position: page.sides.inStep(page.run, page.position), path: page.member } : page.opening(run);
    page.enter(target.run);
    await page.moveTo(target.position, { path: target.path, isCentred: true });
  }

  // What is said of the run beside its name, and where the stores can be chosen.
  describe() {
    const { run, overview } = this.page;
    const { about } = run;
    const heading = visible(givenTitle ?? about.name);
    document.title = heading + " · state-inspect";
    byId("title").textContent = heading;
    byId("position").style.width = "calc(" + String(run.end).length + "ch + 4em)";
    const parts = [
      givenTitle && about.name, [about.app, about.build].filter((part) => typeof part === "string").join(" "), (about.time || "").slice(0, 10),
      counted(run.commitCount, "commit"), overview.stores.length > 0 && counted(overview.stores.length, "store"),
    ];
    byId("facts").textContent = visible(parts.filter((part) => part).join(" · "));
    byId("run").value = String(run.index);
    for (const id of ["slider", "position"]) {
      byId(id).min = run.start;
      byId(id).max = run.end;
    }
    const chosen = byId("store").value;
    if (byId("store").options.length !== overview.stores.length + 1) {
      byId("store").replaceChildren(element("option", { value: "" }, "all"),
        ...overview.stores.map((name) => element("option", { value: name }, name)));
      byId("store").value = chosen;
    }
  }

  report() {
    const { page } = this;
    const { author, position, run } = page;
    byId("slider").value = position;
    byId("slider").setAttribute("aria-valuetext", "commit " + position + " of " + run.end);
    if (document.activeElement !== byId("position")) byId("position").value = position;
    byId("moment").textContent = "of " + grouped(run.end) + (author ? " · " + visible(clock(author.record.time)) : "");
    byId("state-at").textContent = position === run.start && !author ? "at the start" : "after commit " + position;
    const { sides } = page;
    byId("other-at").textContent = sides && sides.position !== null
      ? counted(sides.differences.size, "difference") + (sides.differences.size >= Sides.most ? " and more" : "") + " from " + visible(sides.other.shortName) + " after " + sides.position : "";
    byId("step-back").disabled = byId("to-start").disabled = position <= run.start;
    byId("step").disabled = byId("to-end").disabled = position >= run.end;
  }

  // MARK: Playing

  // Plays so many commits a second, or as many as are chosen.
  play(pace) {
    if (this.player) return this.pause();
    const { page } = this;
    if (page.position >= page.run.end) page.moveTo(page.run.start, { isQuick: true });
    byId("play").setAttribute("aria-pressed", "true");
    byId("play-word").textContent = "Pause";
    const advance = async () => {
      await page.moveTo(page.position + 1, { isQuick: true });
      if (!this.player) return;
      if (page.position >= page.run.end) this.pause();
      else this.player = setTimeout(advance, 1000 / (pace ?? Number(byId("speed").value)));
    };
    this.player = setTimeout(advance, 0);
  }

  pause() {
    clearTimeout(this.player);
    this.player = null;
    byId("play").setAttribute("aria-pressed", "false");
    byId("play-word").textContent = "Play";
    this.page.moveTo(this.page.position);
  }

  // MARK: Filters

  filterSoon() {
    clearTimeout(this.filterTimer);
    this.filterTimer = setTimeout(() => this.filter(), 150);
  }

  filter() {
    const stores = new Set(this.page.chosen);
    if (byId("store").value) stores.add(byId("store").value);
    const value = (id) => byId(id).value;
    return this.page.list.filter(
      new Filter({ text: value("text"), path: value("path"), label: value("label"), kind: value("kind"), stores }));
  }

  // MARK: The address

  // '#118', '#118/cart/total'; where there are several runs, '#2:118/cart/total'. Null without one, and for a false one,
  // which is said.
  readAddress() {
    let text = location.hash.slice(1);
    try {
      text = decodeURIComponent(text);
    } catch { /* Then it is shown as it is. */ }
    if (text === "") return null;
    const [, number, digits, path = ""] = /^(?:(\d+):)?(\d+)(\/.*)?$/s.exec(text) ?? [];
    const run = number === undefined ? this.page.run : runs[Number(number) - 1];
    const position = Number(digits);
    if (digits === undefined) return this.refuse("#" + text + " is not an address of this page: write #118 or #118/cart/total");
    if (!run) return this.refuse("There is no run " + number + " on this page: it has " + runs.length);
    if (position < run.start || position > run.end) {
      return this.refuse("There is no commit " + digits + " on this page: it has " + run.start + " to " + run.end);
    }
    return { run, position, path };
  }

  refuse(text) {
    toast(text, 8000);
    return null;
  }

  async follow() {
    if (location.hash === this.written) return;
    const target = this.readAddress();
    if (!target) return this.writeAddress();
    await this.goTo(target);
    if (document.body.dataset.tab === "commits") this.turnTab("state");
  }

  // Goes to where an address leads.
  async goTo({ run, position, path }, options = {}) {
    const { page } = this;
    if (run !== page.run) page.enter(run);
    await page.moveTo(position, { path, isCentred: true, ...options });
    if (path && !page.tree.has(path)) this.refuse("There is nothing at " + path + " after commit " + page.position);
  }

  writeAddress(isQuick = false) {
    const write = () => {
      this.addressTimer = null;
      this.written = hashOf(this.page.run, this.page.position, this.page.member);
      try {
        if (location.hash !== this.written) history.replaceState(null, "", this.written);
      } catch { /* A page in a frame may have no address. */ }
    };
    // A browser refuses an address that changes with every step of a key that is held.
    clearTimeout(this.addressTimer);
    this.addressTimer = setTimeout(write, isQuick ? 300 : 100);
  }

  // MARK: Looks

  storedTheme() {
    try { return localStorage.getItem("state-inspect-theme") || ""; } catch { return ""; }
  }

  turnTheme() {
    const themes = ["", "light", "dark"];
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme || "") + 1) % themes.length];
    this.setTheme(next);
    try { localStorage.setItem("state-inspect-theme", next); } catch { /* Then it is not remembered. */ }
  }

  setTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    byId("theme").textContent = "Theme: " + { "": "auto", light: "light", dark: "dark" }[theme];
    this.page.drawSoon();
  }

  // MARK: Keys

  press(event) {
    const { page } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "range";
    if (event.key === "Escape") {
      if (isTyping) event.target.blur();
      else if (page.list.matches) byId("filter").reset();
      else if (page.member) page.selectMember("");
      return;
    }
    if (isTyping) {
      if (event.key === "Enter" && event.target.id === "text") {
        page.list.go(event.shiftKey ? -1 : 1);
        event.target.blur();
      }
      return;
    }
    // Digits count, up to the key that they stand before.
    if (/^\d$/.test(event.key)) {
      this.count = Math.min((this.count ?? 0) * 10 + Number(event.key), 99999999);
      return;
    }
    const { count } = this;
    this.count = undefined;
    const isButton = /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName);
    if (isButton && (event.key === " " || event.key === "Enter")) return;
    const action = this.action(event, count);
    if (!action) return;
    event.preventDefault();
    action();
  }

  // The next or previous hit of a search, difference of two runs, or change of the chosen member.
  goOn(direction) {
    const { page } = this;
    if (byId("text").value.trim() && page.list.matches) return page.list.go(direction);
    if (page.sides) return direction > 0 ? page.sides.next() : page.sides.previous();
    return page.goToWriter(direction, true);
  }

  action({ key, shiftKey }, count) {
    const { page } = this;
    const times = count ?? 1;
    const step = (shiftKey ? 10 : 1) * times;
    const on = (distance) => () => page.moveTo(page.position + distance);
    const row = (distance) => () => page.list.go(distance);
    const end = (position) => () => page.moveTo(count ?? position, { isCentred: true });
    const actions = {
      ArrowRight: on(step), l: on(times), L: on(10 * times), ArrowLeft: on(-step), h: on(-times), H: on(-10 * times),
      Home: on(-Infinity), End: on(Infinity), g: end(page.run.start), G: end(page.run.end),
      ArrowDown: row(times), j: row(times), ArrowUp: row(-times), k: row(-times),
      " ": () => this.play(count), "{": () => page.goToEvent(-1), "}": () => page.goToEvent(1),
      b: () => page.goToWriter(-1), n: () => this.goOn(1), N: () => this.goOn(-1),
      o: () => (byId("origin") ? byId("origin").click() : toast("Choose a value of the state first")),
      "/": () => { this.turnTab("commits"); byId("text").focus(); byId("text").select(); },
      f: () => { this.turnTab("commits"); byId("filter").querySelector("details").open = true; byId("path").focus(); },
      ":": () => { byId("position").focus(); byId("position").select(); },
      y: () => (page.member ? page.memberView.copyValue() : toast("Choose a value of the state first")),
      Y: () => copy(commandLine(page.run, ...(page.author && page.author.record.kind === "commit"
        ? ["show", [String(page.position)]] : ["state", [], ["--at", String(page.position)]]))),
      t: () => this.turnTheme(), "?": () => byId("keys").showModal(),
    };
    return actions[key];
  }
}
