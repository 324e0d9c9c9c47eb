// A run's lines, packed in elements of the page and read a chunk at a time; and the state at a position, moved on and back by patches.

// The reader of `SeptetText`: seven bits a character, and two septets in one from U+0100 on.
const reserved = [0x00, 0x07, 0x08, 0x0a, 0x0d, 0x0e, 0x1b, 0x3c];

function septets(text, length) {
  const bytes = new Uint8Array(length);
  let bits = 0, count = 0, at = 0;
  const push = (septet) => {
    bits = ((bits << 7) | septet) & 0x3fff;
    count += 7;
    if (count >= 8 && at < length) {
      count -= 8;
      bytes[at++] = bits >> count;
    }
  };
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code < 0x100) push(code);
    else {
      push(reserved[(code - 0x100) >> 7]);
      push((code - 0x100) & 0x7f);
    }
  }
  return bytes;
}

async function unpacked(bytes) {
  if (!about.packed) return new TextDecoder().decode(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

const listed = new Set(["commit", "store", "close", "mark", "abort", "gap", "damage"]);

// Some lines of a run, parsed.
class Chunk {
  constructor(index, start, text) {
    this.index = index;
    this.start = start;
    this.records = [];
    this.rows = [];
    this.commits = new Map();
    for (const line of text.split("\n")) {
      if (line === "") continue;
      const record = parseLine(line);
      const place = this.records.push(record) - 1;
      if (!listed.has(record.kind)) continue;
      if (record.kind === "commit" || record.kind === "gap") this.commits.set(record.seq, place);
      this.rows.push(place);
    }
  }

  // How many records lead to the state at a position.
  countUpTo(position) {
    let low = 0, high = this.records.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.records[middle].seq > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // The records after a commit that have its number: what it made happen, and marks.
  recordsAfter(seq) {
    const place = this.commits.get(seq);
    if (place === undefined) return [];
    let end = place + 1;
    while (end < this.records.length && this.records[end].seq === seq && this.records[end].kind !== "commit") end++;
    return this.records.slice(place + 1, end);
  }
}

// A run: what is known of it at once, and its chunks as they are asked for.
class Run {
  static kept = 10;
  static keptBeginnings = 3;

  constructor(about, index) {
    this.about = about;
    this.index = index;
    this.start = about.start;
    this.end = about.end;
    this.entries = about.chunks.map(([start, last, rows, commits, bytes, beginningBytes, source]) => (
      { start, last, rows, commits, bytes, beginningBytes, source: ["whole", "patch", "end"][source] }));
    this.rowStarts = [];
    let rows = 0;
    for (const entry of this.entries) {
      this.rowStarts.push(rows);
      rows += entry.rows;
    }
    this.rowCount = rows;
    this.commitCount = this.entries.reduce((sum, entry) => sum + entry.commits, 0);
    this.loaded = new Map();
    this.loading = new Map();
    this.beginnings = new Map();
  }

  get overview() { return (this.keptOverview ??= new Overview(this)); }

  // What it is called beside another one.
  get shortName() {
    const last = (run) => run.about.name.split("/").at(-1);
    return runs.every((run) => run === this || last(run) !== last(this)) ? last(this) : this.about.name;
  }

  // The chunk that has a position: the one with the commit of that number.
  chunkOf(position) {
    let low = 0, high = this.entries.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.entries[middle].start < position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  chunkOfRow(row) {
    let low = 0, high = this.entries.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.rowStarts[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // The chunk if it is at hand.
  peek(index) {
    const chunk = this.loaded.get(index);
    if (chunk) {
      this.loaded.delete(index);
      this.loaded.set(index, chunk);
    }
    return chunk;
  }

  // The chunk, kept for a while.
  async load(index) {
    const ready = this.peek(index);
    if (ready) return ready;
    if (!this.loading.has(index)) {
      this.loading.set(index, this.read(index).finally(() => this.loading.delete(index)));
    }
    const chunk = await this.loading.get(index);
    this.loaded.set(index, chunk);
    while (this.loaded.size > Run.kept) this.loaded.delete(this.loaded.keys().next().value);
    return chunk;
  }

  // The chunk, for a pass over all of them: it is not kept.
  async read(index) {
    const ready = this.loaded.get(index);
    if (ready) return ready;
    const { start, bytes } = this.entries[index];
    return new Chunk(index, start, await this.text("chunk", index, bytes));
  }

  async text(name, index, bytes) {
    await pageIsRead;
    const element = document.getElementById(name + "-" + this.index + "-" + index);
    if (!element) throw new Error("the page is not whole: a part of the run is missing");
    return unpacked(septets(element.textContent, bytes));
  }

  // The state that a chunk begins with, for a caller that changes it: the last whole one, or one that was kept, and the
  // patches since.
  async beginning(index) {
    let first = index;
    while (this.entries[first].source === "patch" && !this.beginnings.has(first)) first--;
    const kept = this.beginnings.get(first) ?? (this.entries[first].source === "end" && (await this.ending(first - 1)));
    const lines = [];
    for (let at = kept ? first + 1 : first; at <= index; at++) {
      lines.push(this.text("beginning", at, this.entries[at].beginningBytes));
    }
    const root = { "": kept && copyOf(kept.states) };
    let closing = kept && kept.closing;
    for (const line of await Promise.all(lines)) {
      const step = parseLine(line);
      if (step.states) root[""] = step.states;
      else for (const operation of step.patch) applyOperation(root, ["", ...segmentsOf(operation.path)], operation);
      closing = step.closing;
    }
    // A step to the next or previous chunk then starts near the last one that was read.
    if (!this.beginnings.has(index)) this.beginnings.set(index, { states: copyOf(root[""]), closing });
    while (this.beginnings.size > Run.keptBeginnings) this.beginnings.delete(this.beginnings.keys().next().value);
    return { states: root[""], closing: [...closing] };
  }

  // The state that a chunk ends with.
  async ending(index) {
    const chunk = await this.load(index);
    const cursor = new Cursor(this);
    await cursor.begin(chunk);
    while (cursor.count < chunk.records.length) cursor.forward();
    return { states: cursor.stores, closing: cursor.closing };
  }

  // The record of a row, if it is at hand.
  peekRow(row) {
    const index = this.chunkOfRow(row);
    const chunk = this.peek(index);
    return chunk && chunk.records[chunk.rows[row - this.rowStarts[index]]];
  }

  // The row of a commit.
  async rowOf(position) {
    const index = this.chunkOf(position);
    const chunk = await this.load(index);
    const place = chunk.commits.get(position);
    if (place === undefined) return position <= this.start ? 0 : null;
    return this.rowStarts[index] + chunk.rows.indexOf(place);
  }

  // The commit of a number; null where there is none.
  async commit(seq) {
    if (seq <= this.start || seq > this.end) return null;
    const chunk = await this.load(this.chunkOf(seq));
    const place = chunk.commits.get(seq);
    return place === undefined ? null : chunk.records[place];
  }
}

const about = JSON.parse(document.getElementById("about").textContent);
const pageIsRead = new Promise((resolve) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve, { once: true });
  else resolve();
});
const runs = about.runs.map((run, index) => new Run(run, index));

// A state that goes along the records of one chunk at a time, both ways.
class Cursor {
  constructor(run) {
    this.run = run;
    this.chunk = null;
    this.stores = {};
    this.closing = [];
    this.effects = [];
  }

  // How many records of the chunk are applied.
  get count() { return this.effects.length; }

  get last() { return { record: this.chunk.records[this.count - 1], effect: this.effects.at(-1) }; }

  async begin(chunk) {
    const { states, closing } = await this.run.beginning(chunk.index);
    this.chunk = chunk;
    this.stores = states;
    this.closing = closing;
    this.effects = [];
  }

  // Goes to a position. What was lost has no state: then it goes to the end of the gap.
  async moveTo(position) {
    const chunk = await this.run.load(this.run.chunkOf(position));
    if (this.chunk !== chunk) await this.begin(chunk);
    const count = chunk.countUpTo(position);
    // Going back costs what going forward does; from far after the position, the front is nearer.
    if (this.count - count > count) await this.begin(chunk);
    while (this.count < count) this.forward();
    while (this.count > count) this.back();
  }

  get position() {
    return this.count > 0 ? this.last.record.seq : this.chunk.start;
  }

  forward() {
    const record = this.chunk.records[this.count];
    const effect = { closing: this.closing, did: [] };
    switch (record.kind) {
      case "commit":
        for (const name of this.closing) effect.did.push(take(this.stores, [name]));
        this.closing = [];
        for (const operation of record.patch) {
          const path = [record.store, ...segmentsOf(operation.path)];
          const did = applyOperation(this.stores, path, operation);
          if (did) effect.did.push({ ...did, operation });
        }
        break;
      case "store":
        this.closing = this.closing.filter((name) => name !== record.store);
        effect.did.push(put(this.stores, [record.store], copyOf(record.state), true));
        break;
      case "close":
        this.closing = [...this.closing.filter((name) => name !== record.store), record.store];
        break;
      case "gap":
      case "damage":
        if (!record.states) break;
        effect.stores = this.stores;
        this.stores = copyOf(record.states);
        this.closing = [];
        break;
    }
    this.effects.push(effect);
  }

  back() {
    const effect = this.effects.pop();
    if (effect.stores) this.stores = effect.stores;
    for (let at = effect.did.length - 1; at >= 0; at--) undo(this.stores, effect.did[at]);
    this.closing = effect.closing;
  }
}
