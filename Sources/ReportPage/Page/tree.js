// The state as a tree; what the commit changed is highlighted, and what it removed is still shown.

// A name that is empty would not be seen.
const nameOf = (name) => (name === "" ? '""' : name);

class TreeView {
  // More children are shown when they are asked for.
  static portion = 100;

  constructor(page) {
    this.page = page;
    this.holder = byId("tree");
    this.open = new Map();
    this.limits = new Map();
    this.selected = "";
    this.changes = new Map();
    this.removed = new Map();
    this.touched = new Set();
    this.holder.addEventListener("click", (event) => this.click(event));
    this.holder.addEventListener("keydown", (event) => this.press(event));
    // A pane that loses height, as when lanes come, still shows what changed; what was found stays in sight.
    new ResizeObserver(() => isNarrow() || this.reveal(this.changedNodes, true)).observe(this.holder);
    byId("fold").addEventListener("click", () => {
      this.open.clear();
      this.limits.clear();
      this.render();
    });
  }

  // Lights what a record changed.
  light(effect) {
    this.changes.clear();
    this.removed.clear();
    this.touched.clear();
    for (const did of effect ? effect.did : []) this.note(did);
  }

  note(did) {
    if (did.did === "move") {
      this.mark(did.placed.path, { kind: "moved", from: pointer(did.taken.path) });
      return;
    }
    const parent = pointer(did.path.slice(0, -1));
    if (did.did === "delete" || did.did === "unset") {
      if (!this.removed.has(parent)) this.removed.set(parent, []);
      this.removed.get(parent).push({ name: did.path[did.path.length - 1], old: did.old });
      this.touch(did.path.slice(0, -1));
    } else if (did.did === "insert" || did.old === undefined) {
      this.mark(did.path, { kind: "added" });
    } else {
      this.mark(did.path, { kind: "replaced", old: did.old });
    }
  }

  mark(path, change) {
    const known = this.changes.get(pointer(path));
    if (known && known.kind === "replaced" && change.kind === "replaced") change.old = known.old;
    this.changes.set(pointer(path), change);
    this.touch(path.slice(0, -1));
  }

  touch(path) {
    for (let count = 0; count <= path.length; count++) this.touched.add(pointer(path.slice(0, count)));
  }

  isOpen(path, value, depth) {
    const chosen = this.open.get(path);
    if (chosen !== undefined) return chosen;
    const { sides } = this.page;
    if (this.touched.has(path) || (sides && sides.above.has(path))) return true;
    return depth < 1 || (depth === 1 && sizeOf(value) <= 12);
  }

  render() {
    const rows = [];
    const stores = this.page.cursor.stores;
    this.children(stores, "", 0, rows);
    if (rows.length === 0) rows.push(element("p", { class: "dim" }, "No store is open here."));
    const scroll = this.holder.scrollTop;
    this.holder.replaceChildren(...rows);
    this.holder.scrollTop = scroll;
    this.mind();
  }

  children(value, path, depth, rows) {
    const isArray = Array.isArray(value);
    const names = isArray ? null : sortedKeys(value);
    const count = isArray ? value.length : names.length;
    const limit = this.limits.get(path) ?? TreeView.portion;
    const shown = this.shownOf(count, limit, path, names);
    let last = -1;
    for (const at of shown) {
      if (at > last + 1) rows.push(this.more(path, depth, at - last - 1));
      last = at;
      const name = isArray ? String(at) : names[at];
      this.row(name, isArray ? value[at] : value[name], path + pointer([name]), depth, rows, isArray);
    }
    if (count > last + 1) rows.push(this.more(path, depth, count - last - 1));
    for (const { name, old } of this.removed.get(path) ?? []) rows.push(this.ghost(name, old, depth, isArray));
    const { sides } = this.page;
    for (const { name, other } of (sides && sides.missing.get(path)) ?? []) rows.push(this.missing(name, other, depth, isArray));
  }

  // The first children, and those further on that changed or are chosen.
  shownOf(count, limit, path, names) {
    const places = [];
    for (let at = 0; at < Math.min(count, limit); at++) places.push(at);
    if (count <= limit) return places;
    const isWanted = (at) => {
      const own = path + pointer([names ? names[at] : String(at)]);
      const { sides } = this.page;
      return this.touched.has(own) || this.changes.has(own) || (sides && (sides.differences.has(own) || sides.above.has(own))) || this.selected === own || this.selected.startsWith(own + "/");
    };
    for (let at = limit; at < count && places.length < limit + 200; at++) if (isWanted(at)) places.push(at);
    return places;
  }

  row(name, value, path, depth, rows, isElement) {
    const change = this.changes.get(path);
    const { sides } = this.page;
    const differs = sides && sides.differences.has(path);
    const isBranch = isContainer(value) && sizeOf(value) > 0;
    const isOpen = isBranch && this.isOpen(path, value, depth);
    const made = element(
      "div",
      {
        class: "node" + (change ? " lit " + change.kind : this.touched.has(path) ? " touched" : "") + (differs ? " differs" : ""),
        role: "treeitem", "aria-level": depth + 1, "aria-selected": String(path === this.selected),
        "aria-expanded": isBranch ? String(isOpen) : undefined, "data-path": path,
      },
      span("twist"), span(isElement ? "index" : "name", nameOf(name)));
    made.style.setProperty("--depth", depth);
    made.append(...this.valueParts(value, change, isOpen));
    if (differs) made.append(this.otherValue(sides.differences.get(path)));
    rows.push(made);
    if (isOpen) this.children(value, path, depth + 1, rows);
  }

  valueParts(value, change, isOpen) {
    const parts = [];
    if (change && change.kind === "replaced") parts.push(span("old", preview(change.old, 60)), span("arrow", "→"));
    if (isContainer(value)) {
      const size = sizeOf(value);
      const text = Array.isArray(value) ? counted(size, "element") : counted(size, "member");
      if (size === 0) parts.push(span("value", Array.isArray(value) ? "[]" : "{}"));
      else parts.push(span("size", isOpen ? text : preview(value, 90)));
      if (value.$redacted !== undefined && size === 1) return [span("redacted", "redacted " + preview(value.$redacted, 20))];
    } else {
      const kind = value === null ? "null" : value instanceof NumberText ? "number" : typeof value;
      parts.push(span("value " + kind, preview(value, 400)));
    }
    if (change && change.kind === "moved") parts.push(span("dim", "moved from " + change.from));
    return parts;
  }

  ghost(name, old, depth, isElement) {
    const made = element("div", { class: "node ghost", role: "treeitem", "aria-level": depth + 1, "aria-disabled": "true" },
      span("twist"), span(isElement ? "index" : "name", nameOf(name)), span("old", preview(old, 100)), span("dim", "removed"));
    made.style.setProperty("--depth", depth);
    return made;
  }

  // What the other of two runs has there.
  otherValue(value) {
    const { shortName } = this.page.sides.other;
    return span("other", shortName + (value === undefined ? " lacks it" : ": "), value !== undefined && element("span", {}, preview(value, 100)));
  }

  missing(name, other, depth, isElement) {
    const made = element("div", { class: "node differs", role: "treeitem", "aria-level": depth + 1, "aria-disabled": "true" },
      span("twist"), span(isElement ? "index" : "name", nameOf(name)), span("dim", "not here"), this.otherValue(other));
    made.style.setProperty("--depth", depth);
    return made;
  }

  more(path, depth, count) {
    const made = element("div", { class: "node more", "data-more": path }, grouped(count) + " more …");
    made.style.setProperty("--depth", depth);
    return made;
  }

  click(event) {
    const node = event.target.closest(".node");
    if (!node) return;
    if (node.dataset.more !== undefined) {
      this.limits.set(node.dataset.more, (this.limits.get(node.dataset.more) ?? TreeView.portion) * 4);
      this.render();
    } else if (node.dataset.path !== undefined) {
      if (event.target.closest(".twist")) this.toggle(node);
      else this.page.selectMember(node.dataset.path);
    }
  }

  toggle(node) {
    if (!node.hasAttribute("aria-expanded")) return;
    this.open.set(node.dataset.path, node.getAttribute("aria-expanded") !== "true");
    this.render();
  }

  get node() { return [...this.holder.children].find((node) => node.dataset.path === this.selected); }

  // Scrolls to these nodes: as many as there is room for, the first one first. What is seen stays where it is, and so
  // does the page where that is asked for.
  reveal(nodes, isStill = false) {
    const top = scrollY;
    for (const node of [nodes.at(-1), nodes[0]]) if (node) node.scrollIntoView({ block: "nearest" });
    if (isStill) scrollTo(0, top);
  }

  // What the commit changed and removed; where that is folded, what has it.
  get changedNodes() {
    const nodes = [...this.holder.querySelectorAll(".lit, .ghost")];
    return nodes.length > 0 ? nodes : [...this.holder.querySelectorAll(".touched")].slice(-1);
  }

  // Whether there is such a member, or the commit removed it.
  has(path) {
    const segments = segmentsOf(path);
    const removed = this.removed.get(pointer(segments.slice(0, -1))) ?? [];
    return valueAt(this.page.cursor.stores, segments) !== undefined || removed.some(({ name }) => name === segments.at(-1));
  }

  // Chooses a member, its parents open.
  select(path) {
    this.selected = path;
    const segments = segmentsOf(path);
    for (let count = 1; count < segments.length; count++) this.open.set(pointer(segments.slice(0, count)), true);
    this.render();
  }

  // Says to those who do not see it which node is chosen.
  mind() {
    const { node } = this;
    if (node) {
      node.id = "node-chosen";
      this.holder.setAttribute("aria-activedescendant", "node-chosen");
    } else {
      this.holder.removeAttribute("aria-activedescendant");
    }
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const nodes = [...this.holder.children].filter((node) => node.dataset.path !== undefined);
    const at = nodes.findIndex((node) => node.dataset.path === this.selected);
    const node = nodes[at];
    const isOpen = node && node.getAttribute("aria-expanded");
    let target;
    switch (event.key) {
      case "ArrowDown": target = nodes[at + 1]; break;
      case "ArrowUp": target = nodes[Math.max(0, at - 1)]; break;
      case "Enter": if (node) this.toggle(node); break;
      case "ArrowRight":
        if (isOpen === "false") this.toggle(node);
        else if (isOpen === "true") target = nodes[at + 1];
        break;
      case "ArrowLeft":
        if (isOpen === "true") this.toggle(node);
        else if (node) target = nodes.find((other) => other.dataset.path === pointer(segmentsOf(this.selected).slice(0, -1)));
        break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (target) this.page.selectMember(target.dataset.path);
  }
}
