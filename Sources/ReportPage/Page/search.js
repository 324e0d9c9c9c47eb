// Passes over a whole run, in pieces that leave the page alive.

const rest = () => new Promise((resolve) => setTimeout(resolve, 0));

// Looks at each chunk of a run; `isWanted` ends it when the result is not needed any more.
async function passOver(run, isWanted, look, order = run.entries.keys()) {
  let pause = performance.now() + 12;
  for (const index of order) {
    if (!isWanted()) return false;
    look(run.entries.length <= Run.kept ? await run.load(index) : await run.read(index), index);
    if (performance.now() > pause) {
      await rest();
      pause = performance.now() + 12;
    }
  }
  return isWanted();
}

// What the timeline shows of a whole run: the store of each commit, and what else there was.
class Overview {
  static mostLanes = 8;

  constructor(run) {
    this.run = run;
    // Of a long run the page knows what is in the lanes before it has read the lines.
    this.sketch = run.about.sketch;
    this.stores = [];
    this.byName = new Map();
    for (const name of this.sketch ? this.sketch.stores : []) this.number(name);
    this.storeOf = new Uint16Array(Math.max(0, run.end - run.start) + 1);
    this.events = [];
    this.isDone = false;
  }

  // How many places of the timeline are known apart.
  get columnCount() { return this.sketch && !this.isDone ? this.sketch.columns.length : Math.max(1, this.storeOf.length); }

  // Each position that has commits, with the number of their store and how many they are.
  forEachCommit(look) {
    const { sketch, storeOf } = this;
    if (!sketch || this.isDone) {
      for (let at = 1; at < storeOf.length; at++) if (storeOf[at] > 0) look(this.run.start + at, storeOf[at] - 1, 1);
      return;
    }
    for (const [position, ...counts] of sketch.columns) counts.forEach((count, store) => count > 0 && look(position, store, count));
  }

  // The front, which has the stores in their order, then what is near to a position.
  read(position, changed) { return (this.reading ??= this.readAll(position, changed)); }

  async readAll(position, changed) {
    const near = this.run.chunkOf(position);
    const order = [...this.run.entries.keys()].sort((a, b) => (a && Math.abs(a - near) + 1) - (b && Math.abs(b - near) + 1));
    await passOver(this.run, () => true, (chunk) => {
      for (const record of chunk.records) this.note(record);
      changed();
    }, order);
    this.isDone = true;
    changed();
  }

  note(record) {
    switch (record.kind) {
      case "commit":
        this.storeOf[record.seq - this.run.start] = this.number(record.store) + 1;
        break;
      case "store": this.number(record.store); break;
      case "mark": case "abort": case "gap": case "damage":
        if (this.events.length < 20000) this.events.push(record);
        break;
    }
  }

  number(name) {
    let number = this.byName.get(name);
    if (number === undefined) {
      number = Math.min(this.stores.length, 65000);
      this.byName.set(name, number);
      if (this.stores.length <= 65000) this.stores.push(name);
    }
    return number;
  }
}

// What rows are asked for; empty parts ask for nothing.
class Filter {
  constructor({ text = "", path = "", label = "", stores = [], kind = "" } = {}) {
    this.text = text.trim().toLowerCase();
    // What reads as a path is one, however it is written.
    const isPath = /^[./]?[\p{L}_][^\s]*[./[]/u.test(this.text) || /^[./][\p{L}_]/u.test(this.text);
    this.pointer = isPath ? Filter.pointer(this.text) : this.text;
    this.path = path.trim() === "" ? null : segmentsOf(Filter.pointer(path.trim()));
    this.label = label.trim().toLowerCase();
    this.stores = new Set(stores);
    this.kind = kind;
  }

  // '.cart.items[0]' and 'cart/items/0' are '/cart/items/0'.
  static pointer(text) {
    if (text.startsWith("/")) return text;
    if (text.includes("/")) return "/" + text;
    const names = text.replace(/^\./, "").replaceAll(/\[(?:(\d+)|"([^"]*)")\]/g, ".$1$2");
    return "/" + names.replaceAll(/\.+/g, "/");
  }

  get isEmpty() {
    return !this.text && !this.path && !this.label && this.stores.size === 0 && !this.kind;
  }

  // `effects` are the records after it that it made happen.
  matches(record, effects = []) {
    if (this.kind && record.kind !== this.kind) return false;
    if (this.stores.size > 0 && !this.stores.has(record.store)) return false;
    if (this.label && !(labelOf(record) + " " + placeText(record.at)).toLowerCase().includes(this.label)) return false;
    if (this.path && !this.touches(record)) return false;
    return !this.text || this.says(record) || effects.some((effect) => this.isFiring(effect));
  }

  touches(record) {
    if (record.kind === "store" || record.kind === "close") return this.meets([record.store]);
    if (record.kind === "gap") return true;
    if (record.kind !== "commit") return false;
    return record.patch.some((operation) => {
      const path = [record.store, ...segmentsOf(operation.path)];
      if (this.meets(path)) return true;
      if (operation.op === "move" && this.meets([record.store, ...segmentsOf(operation.from)])) return true;
      // An element that is added or removed moves those after it.
      const shifts = operation.op !== "replace" && /^(-|\d+)$/.test(path[path.length - 1]);
      return shifts && this.meets(path.slice(0, -1));
    });
  }

  // Equal to it, above it or below it; '*' stands for one segment.
  meets(path) {
    const count = Math.min(path.length, this.path.length);
    for (let at = 0; at < count; at++) {
      if (this.path[at] !== "*" && this.path[at] !== path[at]) return false;
    }
    return true;
  }

  // Whether any text of the record, a name, a path or a value, has what was typed in it.
  says(record) {
    const found = (value) => this.found(value);
    const { store, name, at, action, text, error, reason, patch, state, seq } = record;
    if (String(seq) === this.text) return true;
    if (placeText(at).toLowerCase().includes(this.text)) return true;
    if ([store, name, at && at.function, text, reason].some(found)) return true;
    if (found(action) || found(error) || found(state)) return true;
    return (patch || []).some((operation) => {
      const path = ("/" + store + operation.path).toLowerCase();
      return path.includes(this.text) || path.includes(this.pointer) || found(operation.value) || found(operation.old);
    });
  }

  // Whether a derived value that fired has it, in its name or its value.
  isFiring({ kind, derived }) {
    if (kind !== "outcome") return false;
    return derived.some(({ name, outcome, value }) => outcome === "fired" && (this.found(name) || this.found(value)));
  }

  found(value) {
    if (typeof value === "string") return value.toLowerCase().includes(this.text);
    if (typeof value === "number") return String(value).includes(this.text);
    if (value instanceof NumberText) return value.text.toLowerCase().includes(this.text);
    if (!isContainer(value)) return false;
    if (Array.isArray(value)) return value.some((part) => this.found(part));
    return Object.keys(value).some((key) => key.toLowerCase().includes(this.text) || this.found(value[key]));
  }
}
