// The panes of the commit before the position, and of the selected member.

class CommitView {
  static mostChanges = 200;
  static lookBack = 4096;

  constructor(page) {
    this.page = page;
    this.holder = byId("change");
  }

  get run() { return this.page.run; }

  // Shows the record that made the position, or another that was chosen in the list.
  async show(record) {
    const shown = (this.shown = Symbol());
    const isShown = () => this.shown === shown;
    if (!record) {
      this.holder.replaceChildren(
        element("h2", {}, "Start"),
        element("p", { class: "dim" }, "The state before commit " + (this.run.start + 1) + "."));
      return;
    }
    const children = [this.heading(record), this.place(record), ...this.body(record), excerpt(record.at)].filter((part) => part);
    const later = element("div", { class: "later-parts" });
    this.holder.replaceChildren(...children, later, this.commands(record));
    if (record.kind !== "commit") return;
    const parts = [await this.causes(record), await this.derived(record), await this.effects(record)];
    if (isShown()) later.replaceChildren(...parts.flat().filter((part) => part));
  }

  heading(record) {
    const words = { store: "Store opened", close: "Store closed", mark: "Mark", abort: "Aborted", gap: "Gap", damage: "Damage" };
    const title = record.kind === "commit" ? labelOf(record) || "(no name)" : words[record.kind];
    const number = record.kind === "commit" ? "Commit " + record.seq : "after commit " + record.seq;
    return element("h2", {}, span("label", title), " ", span("seq", number));
  }

  place(record) {
    const { store, at, time, thread, action } = record;
    const parts = [
      store !== undefined && span("store lane-" + this.page.laneOf(store), store), placeLink(at),
      at && at.function && at.function !== labelOf(record) && span("function", at.function),
      time && element("time", { title: time }, clock(time)),
      thread !== undefined && span("dim", "thread " + (isContainer(thread) ? preview(thread) : thread)),
      action && span("action", "action " + preview(action, 160)), traceLink(record),
    ];
    return element("p", { class: "facts" }, ...parts.filter((part) => part));
  }

  body(record) {
    switch (record.kind) {
      case "commit": return [this.changes(record)];
      case "store": return [element("p", {}, "Begins with ", span("value", preview(record.state, 400)))];
      case "mark": return [element("p", { class: "text " + (record.level || "info") }, record.text)];
      case "abort": return [element("p", { class: "text error" }, typeof record.error === "string" ? record.error : preview(record.error, 400))];
      case "gap":
        return [element("p", {}, "Commits " + record.first + " to " + record.seq + " could not be kept: " + record.reason + ".")];
      case "damage":
        return [element("p", {}, "The journal is damaged after commit " + record.last + "; what is known goes on at " + record.seq + ".")];
      default: return [];
    }
  }

  changes(record) {
    // One that tests is no change.
    const patch = record.patch.filter(({ op }) => op !== "test");
    if (patch.length === 0) return element("p", { class: "dim" }, "It changed nothing.");
    const rows = patch.slice(0, CommitView.mostChanges).map((operation) => {
      const path = "/" + record.store.replaceAll("~", "~0").replaceAll("/", "~1") + operation.path;
      const text = (value) => (value === undefined ? undefined : preview(value, 300));
      return element("li", {},
        jumpLink(this.run, record.seq, path, path),
        effectOf({ op: operation.op, old: text(operation.old), value: text(operation.value), from: operation.from }));
    });
    const left = patch.length - rows.length;
    if (left > 0) rows.push(element("li", { class: "dim" }, "and " + counted(left, "change") + " more"));
    return element("ul", { class: "changes" }, ...rows);
  }

  // The chain of causes, the nearest first.
  async causes(record) {
    const chain = [];
    const seen = new Set([record.seq]);
    let { cause } = record;
    while (Number.isInteger(cause) && chain.length < 12 && !seen.has(cause)) {
      seen.add(cause);
      const found = await this.run.commit(cause);
      chain.push({ seq: cause, record: found });
      cause = found ? found.cause : undefined;
    }
    if (chain.length === 0) return null;
    return element("section", {}, element("h3", {}, "Caused by"),
      element("ol", { class: "chain" }, ...chain.map(({ seq, record }) =>
        element("li", {}, record ? jumpLink(this.run, seq, "#" + seq + " " + labelOf(record)) : span("dim", "#" + seq + ", which is not on this page"), " ",
          record && placeLink(record.at)))));
  }

  // What this commit caused, as far as it is near.
  async effects(record) {
    const chunk = await this.run.load(this.run.chunkOf(record.seq));
    const found = chunk.records.filter((other) => other.kind === "commit" && other.cause === record.seq).slice(0, 12);
    if (found.length === 0) return null;
    return element("section", {}, element("h3", {}, "It caused"),
      element("ol", { class: "chain" }, ...found.map((other) =>
        element("li", {}, jumpLink(this.run, other.seq, "#" + other.seq + " " + labelOf(other)), " ", placeLink(other.at)))));
  }

  // What the derived values did, and what the fired ones were before.
  async derived(record) {
    const chunk = await this.run.load(this.run.chunkOf(record.seq));
    const all = chunk.recordsAfter(record.seq)
      .filter((other) => other.kind === "outcome" && other.commit === record.seq).flatMap((other) => other.derived);
    if (all.length === 0) return null;
    // A value that was defined when the page was made follows a recorded one of its name, and replaces it.
    const outcomes = [...new Map(all.map((outcome) => [outcome.name, outcome])).values()];
    const fired = outcomes.filter((outcome) => outcome.outcome === "fired");
    const before = await this.valuesBefore(record.seq, fired.map((outcome) => outcome.name));
    const quiet = (word, why) => {
      const names = outcomes.filter((outcome) => outcome.outcome === word).map((outcome) => outcome.name);
      return names.length > 0 && element("p", { class: "dim" }, names.join(", ") + ": " + why);
    };
    const list = fired.map((outcome) => element("li", {}, span("name", outcome.name), this.firing(outcome, before)));
    return element("section", {}, element("h3", {}, "Derived values"),
      fired.length > 0 && element("ul", { class: "fired" }, ...list),
      quiet("unchanged", "did not run, the input is equal"), quiet("same", "ran, the output is equal"));
  }

  firing(outcome, before) {
    if (outcome.value === undefined) return span("effect", "fired");
    const old = "old" in outcome ? outcome.old : before.get(outcome.name);
    return effectOf({ op: "replace", old: old === undefined ? undefined : preview(old, 120), value: preview(outcome.value, 120) });
  }

  // What derived values were before a commit, where that was recorded nearby.
  async valuesBefore(seq, names) {
    const found = new Map();
    let looked = 0;
    for (let index = this.run.chunkOf(seq); index >= 0 && found.size < names.length; index--) {
      const { records } = await this.run.load(index);
      for (let at = records.length - 1; at >= 0 && looked < CommitView.lookBack; at--) {
        const record = records[at];
        if (record.seq >= seq) continue;
        looked++;
        if (record.kind !== "outcome") continue;
        for (const { name, value } of record.derived) {
          if (value !== undefined && names.includes(name) && !found.has(name)) found.set(name, value);
        }
      }
      if (looked >= CommitView.lookBack) break;
    }
    return found;
  }

  commands(record) {
    const position = String(record.seq);
    const commands = record.kind === "commit"
      ? [commandLine(this.run, "show", [position]), commandLine(this.run, "state", [], ["--at", position])]
      : [commandLine(this.run, "state", [], ["--at", position])];
    if (record.cause !== undefined) commands.push(commandLine(this.run, "why", [position]));
    return commandList(commands);
  }
}

function commandList(commands) {
  return element("section", { class: "commands" }, element("h3", {}, "Look further"),
    element("ul", {}, ...commands.map((command) =>
      element("li", {}, element("code", {}, command), copyButton("Copy", command, "Copy the command")))));
}

// The pane of a member: its value, the commit that wrote it, and the ones before.
class MemberView {
  static portion = 12;

  constructor(page) {
    this.page = page;
    this.holder = byId("member");
    this.writers = null;
    this.found = [];
  }

  copyValue() { return this.value === undefined ? toast("It is not there at this position") : copy(textOf(this.value)); }

  async show(path) {
    const shown = (this.shown = Symbol());
    this.path = path;
    this.found = [];
    this.writers = null;
    if (!path) return this.holder.replaceChildren();
    const { run, position, cursor } = this.page;
    const value = (this.value = valueAt(cursor.stores, segmentsOf(path)));
    const list = element("ol", { class: "writers" });
    const more = button("Earlier", () => this.read(list, more, shown, MemberView.portion));
    const hops = element("ol", { class: "writers" });
    const isFollowed = value !== undefined && !isContainer(value);
    const origin = isFollowed && button("Where from?", () => this.follow(hops, origin, shown), { id: "origin", title: "Where its value comes from (o)" });
    const { sides, tree } = this.page;
    this.holder.replaceChildren(
      element("h2", {}, span("path", path),
        button("×", () => this.page.selectMember(""), { title: "Leave the member (Escape)", "aria-label": "Leave the member", class: "plain" })),
      value === undefined
        ? element("p", { class: "dim" }, "It is not there at " + position + ".")
        : element("p", {}, span("value", preview(value, 600)), " ", copyButton("Copy", () => textOf(value), "Copy the value as JSON")),
      ...(sides && sides.differences.has(path) ? [element("p", {}, tree.otherValue(sides.differences.get(path)))] : []),
      element("h3", {}, "Written by"), list, more, origin, hops,
      commandList([
        commandLine(run, "blame", [path], ["--at", String(position)]), commandLine(run, "history", [path]),
        ...(isFollowed ? [commandLine(run, "origin", [path], ["--at", String(position)])] : []),
      ]));
    if (value === undefined) {
      more.remove();
      list.append(element("li", { class: "dim" }, "No commit up to this position."));
      return;
    }
    this.writers = new Writers(run, position, segmentsOf(path));
    await this.read(list, more, shown, 4);
  }

  async read(list, more, shown, count) {
    more.disabled = true;
    for (let left = count; left > 0; left--) {
      const found = await this.writers.next();
      if (this.shown !== shown) return;
      if (!found) break;
      this.found.push(found);
      list.append(this.item(found));
    }
    more.disabled = false;
    if (!this.writers.isDone) return;
    more.remove();
    if (this.found.length === 0) list.append(element("li", { class: "dim" }, "It was there when this page begins, at " + this.page.run.start + "."));
  }

  // Shows where the value comes from.
  async follow(list, origin, shown) {
    origin.disabled = true;
    const { run, position } = this.page;
    const { hops, end } = await new Origins(run, position, segmentsOf(this.path)).follow();
    if (this.shown !== shown) return;
    origin.replaceWith(element("h3", {}, "Comes from"));
    list.append(...hops.map((hop) => this.hop(hop)));
    if (end) list.append(element("li", { class: "dim" }, end));
  }

  hop({ record, path, how, basis, candidates = [], before }) {
    const { run } = this.page;
    const places = candidates.flatMap((place) => [" ", jumpLink(run, before, pointer(place), pointer(place))]);
    return element("li", {},
      element("div", {}, span(basis === "inferred" ? "dim" : "", how + (basis === "inferred" ? ", inferred " : " ")), this.link(record, path)),
      candidates.length > 0 && element("div", { class: "dim" }, "an equal value stood at", places));
  }

  // A record that wrote the member, as a link, and its place in the source.
  link(record, path) {
    const title = record.kind === "commit" ? "#" + record.seq + " " + labelOf(record)
      : "#" + record.seq + " (" + (record.kind === "store" ? "store opened" : record.kind) + ")";
    return [jumpLink(this.page.run, record.seq, title, pointer(path)), " ", placeLink(record.at)];
  }

  item({ record, path, after, before }) {
    const text = (value) => (value === undefined ? undefined : preview(value, 120));
    return element("li", {},
      element("div", {}, this.link(record, path)),
      before === undefined ? effectOf({ op: "add", value: text(after) })
        : effectOf({ op: "replace", old: text(before), value: text(after) }));
  }
}
