// The findings, at the top of the page.

const toneWords = { bad: "bad", good: "holds", unknown: "no answer" };

class StoryView {
  constructor(page) {
    this.page = page;
    this.holder = byId("story");
  }

  render() {
    const { run } = this.page;
    const order = { bad: 0, unknown: 1, good: 2 };
    const findings = [...run.about.findings].sort((left, right) => order[left.tone] - order[right.tone]);
    const held = findings.filter((finding) => finding.tone === "good");
    const others = findings.filter((finding) => finding.tone !== "good");
    const parts = others.map((finding, at) => this.finding(finding, at === 0));
    if (held.length > 0) parts.push(this.held(held));
    const divergence = this.divergence();
    if (divergence) parts.push(divergence);
    const places = this.places();
    if (places) parts.push(places);
    parts.push(...this.warnings().map((text) => element("p", { class: "note" }, text)));
    if (about.note) parts.unshift(element("div", { class: "said" }, ...about.note.split("\n").map((line) => element("p", {}, line))));
    this.holder.replaceChildren(...parts);
    this.holder.hidden = parts.length === 0;
  }

  warnings() {
    const { about: run } = this.page.run;
    const warnings = [];
    if (run.torn) warnings.push("The last record is incomplete and was left out: the program stopped while writing it.");
    else if (!run.ended) warnings.push("This run has no end: the program stopped, or was still running.");
    warnings.push(...run.leftOut);
    if (run.moreDamages > 0) warnings.push("Lines are left out at " + counted(run.moreDamages, "more place") + ".");
    if (run.start > run.first || run.end < run.last) {
      warnings.push("This page holds the commits after " + run.start + " up to " + run.end + "; the run has " + run.first + " to " + run.last + ".");
    }
    if (about.unread.length > 0) warnings.push("These journals could not be read: " + about.unread.join(", "));
    if (about.redacted.length > 0) warnings.push("Redacted: " + about.redacted.join(", "));
    return warnings;
  }

  finding(finding, isOpen) {
    const { run } = this.page;
    const { record, tone, title, question, sentences } = finding;
    const head = element("summary", {},
      span("tone " + tone, tone === "bad" && finding.invariant ? "violated" : toneWords[tone]), span("title", tone === "bad" && finding.invariant ? finding.invariant : title),
      record && span("where",
        finding.position !== undefined && jumpLink(run, finding.position, record.isCommit ? "#" + record.seq : record.title, this.pathOf(finding)),
        " ", span("label", record.label), " ", record.location && placeLink(placeOf(record.location), record.location)),
      !record && finding.position !== undefined && jumpLink(run, finding.position, "#" + finding.position));
    const made = element("details", { class: "finding " + tone, open: isOpen }, head,
      element("div", { class: "columns" },
        element("div", {},
          element("p", { class: "question" }, element("code", {}, question)),
          ...sentences.map((sentence) => element("p", {}, withGroups(sentence))),
          finding.cause && this.cause(finding.cause), this.fired(finding.fired)),
        record && this.changes(record), finding.commands.length > 0 && commandList(finding.commands)));
    return made;
  }

  // The first change, so that a jump shows it.
  pathOf({ record }) {
    return record.isCommit && record.changes.length > 0 ? record.changes[record.changes.length - 1].path : "";
  }

  cause(record) {
    return element("p", {}, "Caused by ", jumpLink(this.page.run, record.seq, "#" + record.seq + " " + record.label), " ",
      record.location && placeLink(placeOf(record.location), record.location));
  }

  fired(fired) {
    if (fired.length === 0) return null;
    const item = ({ name, change }) => element("span", { class: "firing" }, span("name", name), " ", change && this.effect(change));
    return element("p", {}, "Fired: ", ...fired.flatMap((firing, at) => [at > 0 ? ", " : "", item(firing)]));
  }

  changes(record) {
    if (record.changes.length === 0) return element("p", { class: "dim" }, "It changed nothing.");
    const rows = record.changes.map((change) =>
      element("li", {}, jumpLink(this.page.run, record.seq, change.path || "(all)", change.path), this.effect(change)));
    if (record.more) rows.push(element("li", { class: "dim" }, "and " + counted(record.more, "change") + " more"));
    return element("ul", { class: "changes" }, ...rows);
  }

  effect({ op, old, new: value, from }) { return effectOf({ op, old, value, from }); }

  held(findings) {
    const items = findings.map((finding) =>
      element("li", {}, span("title", finding.title), " ", span("dim", withGroups(finding.sentences.join("; "))), " ", element("code", {}, finding.question)));
    const title = findings.length === 1 ? findings[0].title : findings.length + " hold";
    return element("details", { class: "finding good" },
      element("summary", {}, span("tone good", "holds"), span("title", title)), element("ul", { class: "held" }, ...items));
  }

  // Where two runs part, side by side.
  divergence() {
    const found = about.divergence;
    if (!found) return null;
    if (!found.store) {
      const text = found.gap
        ? "The runs are equal as far as they can be compared: up to commit " + (found.gap.first - 1) + " of " + runs[found.gap.run].about.name + "."
        : "The runs are equal: " + counted(found.common, "commit") + ".";
      return element("p", { class: "note" }, text);
    }
    const side = (run, record) => element("div", { class: "side" },
      element("h3", {}, run.about.name),
      record ? element("p", {}, jumpLink(run, record.seq, "#" + record.seq + " " + record.label), " ",
        record.location && placeLink(placeOf(record.location), record.location), " ", span("clock", clock(record.time)))
        : element("p", { class: "dim" }, "no further commit of this store"),
      record && element("ul", { class: "changes" }, ...record.changes.map((change) =>
        element("li", {}, jumpLink(run, record.seq, change.path || "(all)", change.path), this.effect(change)))));
    const rows = found.changes.map((change) => element("tr", {},
      element("th", { scope: "row" }, change.path), element("td", {}, change.old ?? "—"), element("td", {}, change.new ?? (change.from ? "moved from " + change.from : "—"))));
    if (found.more) rows.push(element("tr", {}, element("td", { colspan: 3, class: "dim" }, "and " + counted(found.more, "difference") + " more")));
    return element("details", { class: "finding bad divergence", open: !this.page.run.about.findings.some((finding) => finding.tone === "bad") },
      element("summary", {}, span("tone bad", "diverge"), span("title", "The runs part after " + counted(found.common, "commit")),
        span("where", "in the store ", span("label", found.store))),
      element("div", { class: "sides" }, side(runs[0], found.left), side(runs[1], found.right)),
      rows.length > 0 && element("table", {},
        element("thead", {}, element("tr", {}, element("th", {}, "After it"), element("th", {}, runs[0].about.name), element("th", {}, runs[1].about.name))),
        element("tbody", {}, ...rows)));
  }

  // The source lines that began violations, over all runs.
  places() {
    const lines = new Set(about.places.filter((place) => place.location).map((place) => place.location)).size;
    if (about.places.length === 0 || (about.places.length < 2 && runs.length < 2)) return null;
    const rows = about.places.slice(0, 200).map((place) => element("tr", {},
      element("td", {}, place.location ? placeLink(placeOf(place.location), place.location) : span("dim", "from the start")),
      element("td", {}, place.function || ""), element("td", {}, place.invariant),
      element("td", { class: "number" }, counted(place.journals, "run")),
      element("td", {}, place.run === undefined ? "" : jumpLink(runs[place.run], place.seq, "#" + place.seq + (runs.length > 1 ? " of " + runs[place.run].about.name : "")))));
    return element("details", { class: "finding bad" },
      element("summary", {}, span("tone bad", "lines"), span("title", counted(lines, "source line") + " began violations")),
      element("table", {}, element("tbody", {}, ...rows)));
  }
}
