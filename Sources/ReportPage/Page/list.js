// The commits, and what stands between them: as many elements as are seen, however long the run is.

class ListView {
  static rowHeight = 44;
  // Browsers have no taller elements; a longer run is scrolled in larger steps.
  static mostHeight = 6_000_000;

  constructor(page) {
    this.page = page;
    this.scroller = byId("list");
    this.holder = byId("rows");
    this.matches = null;
    this.selected = -1;
    this.scroller.addEventListener("scroll", () => this.render());
    this.scroller.addEventListener("keydown", (event) => this.press(event));
    let wasHidden = true;
    new ResizeObserver(() => {
      const isHidden = this.scroller.clientHeight === 0;
      // A list that comes into sight, or was left as it was scrolled, shows where we are.
      const isLeft = this.scroller.scrollTop === this.shownAt;
      if (!isHidden && this.selected >= 0 && (wasHidden || isLeft)) this.show(this.indexOf(this.selected), wasHidden);
      wasHidden = isHidden;
      this.render();
    }).observe(this.scroller);
  }

  get run() { return this.page.run; }

  get count() { return this.matches ? this.matches.length : this.run.rowCount; }

  rowAt(index) { return this.matches ? this.matches[index] : index; }

  // The place of a row in the list, or of the first row after it.
  indexOf(row) {
    if (!this.matches) return row;
    let low = 0, high = this.matches.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.matches[middle] < row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  get visibleCount() { return Math.max(1, Math.floor(this.scroller.clientHeight / ListView.rowHeight)); }

  get height() { return Math.min(ListView.mostHeight, this.count * ListView.rowHeight); }

  // The index at the top, whole rows and a part of one.
  get top() {
    const room = this.height - this.scroller.clientHeight;
    if (room <= 0) return 0;
    const last = this.count - this.scroller.clientHeight / ListView.rowHeight;
    return (this.scroller.scrollTop / room) * last;
  }

  // The element that is scrolled is as tall as all rows.
  setHeight() {
    const height = this.height + "px";
    if (this.holder.style.height !== height) this.holder.style.height = height;
  }

  show(index, isCentred) {
    this.setHeight();
    const visible = this.scroller.clientHeight / ListView.rowHeight;
    if (isCentred || index < this.top || index + 1 > this.top + visible) {
      const first = Math.max(0, isCentred || index < this.top ? index - visible / 3 : index - visible * 0.66);
      const last = Math.max(1, this.count - visible);
      this.scroller.scrollTop = (Math.min(first, last) / last) * Math.max(0, this.height - this.scroller.clientHeight);
    }
    this.shownAt = this.scroller.scrollTop;
  }

  async select(row, isCentred) {
    this.selected = row;
    if (row !== null && row >= 0) this.show(this.indexOf(row), isCentred);
    this.render();
  }

  render() {
    this.setHeight();
    const { count, top } = this;
    const { scrollTop } = this.scroller;
    const first = Math.max(0, Math.floor(top) - 2);
    const last = Math.min(count, Math.ceil(top + this.scroller.clientHeight / ListView.rowHeight) + 2);
    const rows = [];
    const missing = new Set();
    for (let index = first; index < last; index++) {
      const row = this.rowAt(index);
      const record = this.run.peekRow(row);
      if (!record) missing.add(this.run.chunkOfRow(row));
      const made = this.row(record, row, index);
      made.style.transform = "translateY(" + (scrollTop + (index - top) * ListView.rowHeight) + "px)";
      rows.push(made);
    }
    this.holder.replaceChildren(...rows);
    const active = this.holder.querySelector("[aria-selected=true]");
    if (active) this.scroller.setAttribute("aria-activedescendant", active.id);
    else this.scroller.removeAttribute("aria-activedescendant");
    for (const chunk of missing) this.run.load(chunk).then(() => this.renderSoon());
  }

  renderSoon() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.render());
  }

  row(record, row, index) {
    const isSelected = row === this.selected;
    const made = element(
      "div",
      {
        class: "row", id: "row-" + row, role: "option",
        "aria-selected": String(isSelected), "aria-posinset": index + 1, "aria-setsize": this.count,
        onclick: () => this.page.chooseRow(row),
      },
      ...(record ? this.parts(record) : [span("dim", "…")]));
    if (record && record.seq > this.page.position) made.classList.add("later");
    return made;
  }

  parts(record) {
    switch (record.kind) {
      case "commit":
        return [
          element("div", { class: "line" },
            span("seq", String(record.seq)), span("label", labelOf(record) || "(no name)"),
            record.cause !== undefined && span("cause", "← " + record.cause), span("clock", clock(record.time))),
          element("div", { class: "line" },
            span("store lane-" + this.page.laneOf(record.store), record.store), this.summary(record)),
        ];
      case "mark":
        return this.event(record, "mark", record.text, record.level);
      case "abort":
        return this.event(record, "aborted", labelOf(record) + " · " + preview(record.error), "error");
      case "gap":
        return this.event(record, "gap", counted(record.lost, "commit") + " lost: " + record.reason, "unknown");
      case "damage":
        return this.event(record, "damage", "what followed commit " + record.last + " could not be read", "unknown");
      default:
        return this.event(record, record.kind === "store" ? "opened" : "closed", record.store, "quiet");
    }
  }

  event(record, word, text, level = "info") {
    return [
      element("div", { class: "line" }, span("seq", String(record.seq)), span("word " + level, word), span("label", text)),
      element("div", { class: "line" }, span("dim", placeText(record.at)), span("clock", clock(record.time))),
    ];
  }

  // What a commit changed, in a line: one change with its values, of several the paths.
  summary(record) {
    const { store } = record;
    const patch = record.patch.filter(({ op }) => op !== "test");
    if (patch.length === 0) return span("dim", "changed nothing");
    const path = (operation) => "/" + store + operation.path;
    if (patch.length > 1) return span("paths", ...patch.slice(0, 6).map((operation) => element("span", {}, path(operation))), patch.length > 6 && " …");
    const [{ op, old, value, from }] = patch;
    const text = (value) => (value === undefined ? undefined : preview(value, 40));
    return span("paths", element("span", {}, path(patch[0])), " ", effectOf({ op, old: text(old), value: text(value), from }));
  }

  press(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.visibleCount, PageUp: -this.visibleCount };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(step);
  }

  // Chooses the row so many on in the list.
  go(step) {
    if (this.count === 0) return;
    let index = this.indexOf(Math.max(0, this.selected ?? 0));
    const isListed = this.rowAt(Math.min(index, this.count - 1)) === this.selected;
    if (!isListed && step > 0) index -= 1;
    index = Math.max(0, Math.min(this.count - 1, index + step));
    this.page.chooseRow(this.rowAt(index));
  }

  // Leaves what a filter lets through.
  async filter(filter) {
    const pass = (this.pass = Symbol());
    if (filter.isEmpty) {
      this.matches = null;
      this.page.reportCount(null);
      this.render();
      return;
    }
    this.matches = [];
    let reported = 0;
    const isDone = await passOver(this.run, () => this.pass === pass, (chunk, index) => {
      chunk.rows.forEach((place, at) => {
        const record = chunk.records[place];
        if (filter.matches(record, filter.text && record.kind === "commit" ? chunk.recordsAfter(record.seq) : [])) this.matches.push(this.run.rowStarts[index] + at);
      });
      if (performance.now() - reported > 100) {
        reported = performance.now();
        this.page.reportCount(this.matches.length, true);
        this.render();
      }
    });
    if (!isDone) return;
    this.page.reportCount(this.matches.length);
    this.render();
  }
}
