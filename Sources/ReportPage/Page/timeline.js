// Elements, made of names and texts, never of markup; and the whole run at a glance.

const byId = (id) => document.getElementById(id);

// Whether it is a telephone, which shows one view at a time and scrolls as a whole.
const isNarrow = () => matchMedia("screen and (max-width: 900px)").matches;

// An element with properties and children; texts are shown as they are, made visible.
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child === undefined || child === null || child === false) continue;
    made.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return made;
}

const span = (name, ...children) => element("span", { class: name }, ...children);

const button = (label, action, properties = {}) =>
  element("button", { type: "button", onclick: action, ...properties }, label);

// A link into this page; a click moves there.
function jumpLink(run, position, text, path = "") {
  return element("a", { href: hashOf(run, position, path), class: "jump" }, text);
}

function hashOf(run, position, path = "") {
  return "#" + (runs.length > 1 ? run.index + 1 + ":" : "") + position + encodeURI(path).replaceAll("#", "%23");
}

// The trace that a commit was made in: a link, if the page has an address for it.
function traceLink({ trace, span: own }) {
  if (typeof trace !== "string") return null;
  const text = "trace " + preview(trace, 64).slice(1, -1);
  if (!about.traceURL) return span("dim", text);
  const part = (id) => () => encodeURIComponent(typeof id === "string" ? id : "");
  const href = about.traceURL.replaceAll("{trace}", part(trace)).replaceAll("{span}", part(own));
  return element("a", { class: "place", href, target: "_blank", rel: "noopener noreferrer" }, text);
}

// A place in the source: a link, if the page has an address for it.
function placeLink(at, text = placeText(at)) {
  if (!text) return null;
  if (!about.sourceURL || !at || typeof at.file !== "string") return span("place", text);
  const path = about.sources && Object.hasOwn(about.sources, at.file) ? about.sources[at.file] : at.file;
  const file = path.split("/").map(encodeURIComponent).join("/");
  const href = about.sourceURL.replaceAll("{file}", () => file).replaceAll("{line}", String(Number(at.line) || 1));
  return element("a", { class: "place", href, target: "_blank", rel: "noopener noreferrer" }, text);
}

// The source lines around a place, if the page has them.
function excerpt(at) {
  const parts = at && about.excerpts && Object.hasOwn(about.excerpts, at.file) ? about.excerpts[at.file] : [];
  for (const [first, text] of parts) {
    const lines = text.split("\n");
    const place = at.line - first;
    if (!(place >= 0 && place < lines.length)) continue;
    const from = Math.max(0, place - 5);
    return element("pre", { class: "source" }, ...lines.slice(from, place + 6).map((line, index) =>
      element("span", { class: from + index === place && "here" }, span("seq", String(first + from + index)), line)));
  }
  return null;
}

// 'Shop/Cart.swift:42' as the parts that it was made of.
function placeOf(location) {
  const found = /^(.*?)(?::(\d+))?$/s.exec(location);
  return { file: found[1], line: found[2] && Number(found[2]) };
}

function copyButton(label, text, title = "Copy") {
  return button(label, () => copy(typeof text === "function" ? text() : text), { class: "copy", title });
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  toast("Copied: " + (text.length > 90 ? text.slice(0, 90) + "…" : text));
}

let toastTimer = 0;
function toast(text, duration = 2200) {
  byId("toast").textContent = visible(text);
  byId("toast").classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => byId("toast").classList.remove("shown"), duration);
}

// What happened at a path: '12 → -6', '+ added', '- removed'. The values are texts.
function effectOf({ op, old, value, from }) {
  switch (op) {
    case "add": return span("effect", span("added", "+ ", element("span", {}, value)));
    case "remove": return span("effect", span("removed", "− ", element("span", {}, old === undefined ? "removed" : old)));
    case "move": case "copy": return span("effect", span("changed", op === "move" ? "moved from " : "copied from ", from));
    default:
      return old === undefined
        ? span("effect", span("added", "is now ", element("span", {}, value)))
        : span("effect", span("removed", old), span("arrow", " → "), span("added", value));
  }
}

class TimelineView {
  static head = 16;

  constructor(page) {
    this.page = page;
    this.canvas = byId("canvas");
    this.context = this.canvas.getContext("2d");
    const scrub = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const part = (event.clientX - box.left) / box.width;
      page.moveTo(Math.round(this.run.start + part * (this.run.end - this.run.start)), { isQuick: true });
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) scrub(event);
    });
    new ResizeObserver(() => this.draw(true)).observe(this.canvas);
  }

  get run() { return this.page.run; }

  // A telephone has little room.
  get laneHeight() { return isNarrow() ? 12 : 14; }

  // The lanes: stores in the order of the run; what is too much shares the last one.
  get laneCount() { return Math.max(1, Math.min(isNarrow() ? 5 : Overview.mostLanes, this.page.overview.stores.length)); }

  laneOf(store) { return Math.min(store, this.laneCount - 1); }

  colorOf(lane) { return getComputedStyle(document.documentElement).getPropertyValue("--lane-" + lane).trim(); }

  // The labels beside the lanes: buttons that choose whose commits are listed.
  label() {
    const { stores } = this.page.overview;
    const names = stores.slice(0, this.laneCount);
    const key = names.join("\n") + stores.length + [...this.page.chosen].join("\n");
    byId("lanes").style.setProperty("--lane-height", this.laneHeight + "px");
    if (key === this.labelled) return;
    this.labelled = key;
    byId("lanes").replaceChildren(
      ...names.map((name, lane) => {
        const isLast = lane === this.laneCount - 1 && stores.length > this.laneCount;
        const label = isLast ? stores.length - lane + " stores" : name;
        const made = button(label, () => this.page.choose(name), {
          class: "lane lane-" + lane,
          "aria-pressed": String(this.page.chosen.has(name)),
          disabled: isLast,
          title: isLast ? "These stores share a lane" : "List the commits of this store only",
        });
        return made;
      }));
  }

  x(position) {
    const length = Math.max(1, this.run.end - this.run.start);
    return ((position - this.run.start) / length) * this.width;
  }

  draw(isNew) {
    const lanes = this.laneCount;
    const height = TimelineView.head + lanes * this.laneHeight + 2;
    const box = this.canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.canvas.style.height = height + "px";
    if (box.width === 0) return;
    this.width = box.width;
    this.height = height;
    if (isNew || !this.isDrawn) {
      this.isDrawn = true;
      this.label();
      this.canvas.width = Math.round(box.width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.drawRun();
    }
    // A part of the width, so that it is right on paper, too.
    byId("cursor").style.left = (this.x(this.page.position) / this.width) * 100 + "%";
  }

  drawRun() {
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue("--" + name).trim();
    this.drawFindings(color);
    this.drawLanes(color);
    for (const record of this.page.overview.events) this.drawEvent(record, color);
  }

  // What is bad, however many say so: from the first position to the last, as one background of the lanes.
  drawFindings(color) {
    const bad = this.run.about.findings.filter((finding) => finding.tone === "bad" && finding.position !== undefined);
    const ground = new Path2D();
    this.context.fillStyle = color("bad");
    for (const { position, last } of bad) {
      const [from, to] = [this.x(position), this.x(last ?? position)];
      ground.rect(from, 0, Math.max(2, to - from), this.height);
      this.context.fillRect(from, 0, 1.5, this.height);
    }
    this.context.globalAlpha = 0.1;
    this.context.fill(ground);
    this.context.globalAlpha = 1;
  }

  // Few commits are a tick each; of many, a column is as strong as there are commits in it.
  drawLanes(color) {
    const { overview } = this.page;
    const columns = Math.max(1, Math.floor(this.width));
    const lanes = this.laneCount;
    const counts = new Uint32Array(columns * lanes);
    let most = 1;
    overview.forEachCommit((position, store, count) => {
      const place = Math.min(columns - 1, Math.floor(this.x(position))) * lanes + this.laneOf(store);
      counts[place] += count;
      if (counts[place] > most) most = counts[place];
    });
    const tick = Math.max(1, Math.min(6, this.width / overview.columnCount - 1));
    for (let lane = 0; lane < lanes; lane++) {
      const top = TimelineView.head + lane * this.laneHeight;
      this.context.fillStyle = color("line");
      this.context.fillRect(0, top + this.laneHeight - 2, this.width, 0.5);
      this.context.fillStyle = this.colorOf(lane);
      for (let column = 0; column < columns; column++) {
        const count = counts[column * lanes + lane];
        if (count === 0) continue;
        this.context.globalAlpha = most === 1 ? 0.9 : 0.35 + 0.65 * (Math.log(count + 1) / Math.log(most + 1));
        this.context.fillRect(column - tick / 2, top + 1, tick, this.laneHeight - 4);
      }
      this.context.globalAlpha = 1;
    }
  }

  drawEvent(record, color) {
    const at = this.x(record.seq);
    const context = this.context;
    if (record.kind === "gap" || record.kind === "damage") {
      const from = this.x(record.kind === "gap" ? record.first - 1 : record.last);
      context.fillStyle = color("unknown");
      context.globalAlpha = 0.4;
      context.fillRect(from, TimelineView.head, Math.max(3, at - from), this.height);
      context.globalAlpha = 1;
    } else if (record.kind === "abort") {
      context.fillStyle = color("bad");
      context.fillRect(at - 2, 9, 4, 4);
    } else {
      context.fillStyle = record.level === "error" ? color("bad") : record.level === "warning" ? color("warn") : color("mark");
      context.beginPath();
      context.moveTo(at - 3.5, 2);
      context.lineTo(at + 3.5, 2);
      context.lineTo(at, 9);
      context.fill();
    }
  }
}
