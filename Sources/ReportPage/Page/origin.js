// Who wrote a member, and who before; and where a value comes from.
//
// The page goes back itself, since all answers are too many to write ahead: one insertion gives each element after it another
// path, and where a value stood is a search of a whole state. 'PageAnswerTests' holds it to 'ValueWrite' and 'Origin'.

// Walks back from a position to the records that wrote a member, the last one first. An element keeps its history
// when its array shifts or it is moved.
class Writers {
  constructor(run, position, path) {
    this.position = position;
    this.path = path;
    this.cursor = new Cursor(run);
    this.isDone = false;
    // What shifted or moved the member since it was asked about: the newest record, the place after it, and whether each
    // of them took the member itself from one place to the other.
    this.move = null;
  }

  // The next record that wrote it, where, and the value before and after; null where there is none. The path becomes the
  // one before it.
  async next() {
    const { cursor } = this;
    if (!cursor.chunk) await cursor.moveTo(this.position);
    while (!this.isDone) {
      while (cursor.count > 0) {
        const { path } = this, { record, effect } = cursor.last;
        const after = valueAt(cursor.stores, path);
        const written = effect.stores ? { path } : this.undo(record, effect.did);
        cursor.back();
        if (!written) continue;
        const before = written.isInserted ? undefined : valueAt(cursor.stores, this.path);
        this.isDone = before === undefined;
        return { record, path, written, after: copyOf(after), before: copyOf(before) };
      }
      if (cursor.chunk.index === 0) this.isDone = true;
      else await cursor.moveTo(cursor.chunk.start);
    }
    return null;
  }

  // What of a record wrote the member last, and where.
  undo(record, effects) {
    let written = null;
    for (const effect of effects.toReversed()) {
      const { path } = this;
      if (!written && writes(effect, path)) {
        written = { path, operation: effect.operation, isInserted: effect.did === "insert" && isWithin(path, effect.path) };
      }
      this.path = pathBefore(effect, path);
      if (!written && path !== this.path && pointer(path) !== pointer(this.path)) this.noteMove(record, effect, path);
    }
    return written;
  }

  noteMove(record, { did, taken }, path) {
    const newest = this.move ?? { record, path, isRecorded: true };
    this.move = { ...newest, isRecorded: newest.isRecorded && did === "move" && isWithin(this.path, taken.path) };
  }

  // Goes on from there elsewhere.
  goOn(path) {
    this.path = path;
    this.isDone = false;
  }
}

// The way of a value back through the run, hop by hop.
class Origins {
  static mostHops = 32;
  static mostPlaces = 20;

  constructor(run, position, path) {
    this.run = run;
    this.position = position;
    this.path = path;
    this.cursor = new Cursor(run);
  }

  // Undefined where it was lost.
  async stateAt(position) {
    await this.cursor.moveTo(position);
    return this.cursor.position === position ? this.cursor.stores : undefined;
  }

  // The hops, the newest first, and why the way goes no further, where the last one does not say it.
  async follow() {
    const hops = [];
    const add = (hop) => hops.length < Origins.mostHops && hops.push(hop) > 0;
    const further = { hops, end: "The value goes further back." };
    let writers = new Writers(this.run, this.position, this.path);
    this.value = valueAt(await this.stateAt(this.position), this.path);
    while (true) {
      const found = await writers.next();
      if (found && (await this.isWrittenAgain(found))) {
        writers.goOn(found.written.path);
        continue;
      }
      const { move } = writers;
      if (move && !add({ path: move.path, record: move.record, how: "moved", basis: move.isRecorded ? "recorded" : "inferred" })) return further;
      if (!found) return { hops, end: "It was there when this page begins, at " + this.run.start + "." };
      const { record, written } = found;
      const { next, ...source } = await this.source(record, written);
      if (!add({ path: written.path, record, ...source })) return further;
      if (!next) return { hops, end: record.kind === "gap" ? "It was written by a commit that was lost." : "" };
      writers = new Writers(this.run, next.position, next.path);
    }
  }

  // Whether the value stood there already: an element that is inserted is another one.
  async isWrittenAgain({ record, written: { path, operation } }) {
    if (record.kind !== "commit") return false;
    const before = await this.stateAt(record.seq - 1);
    if (!isSame(valueAt(before, path), this.value)) return false;
    const place = operation && [record.store, ...segmentsOf(operation.path)];
    if (place && ["add", "copy"].includes(operation.op) && Array.isArray(valueAt(before, place.slice(0, -1)))) return false;
    return isSame(valueAt(await this.stateAt(record.seq), path), this.value);
  }

  // What the journal records comes first; then the state before the commit is searched.
  async source(record, { operation, path }) {
    if (record.kind !== "commit") return record.kind === "store" ? { how: "initial", basis: "recorded" } : { how: "written", basis: "inferred" };
    if (isTrivial(this.value)) return { how: "written", basis: "recorded" };
    const payload = record.action && record.action.payload;
    if (payload !== undefined && placesOf(this.value, payload, 1).length > 0) return { how: "payload", basis: "recorded" };
    for (const next of Origins.recordedPlaces(record, operation, path)) {
      if (next.position < this.run.start) continue;
      if (isSame(valueAt(await this.stateAt(next.position), next.path), this.value)) return { how: "copied", basis: "recorded", next };
    }
    const wholes = this.wholes(record, operation, path);
    const caused = await this.fromCause(record, wholes);
    if (caused) return caused;
    const stores = await this.stateAt(record.seq - 1);
    return Origins.taken(wholes, "inferred", record.seq - 1, (value, most) => placesOf(value, stores, most))
      ?? { how: "computed", basis: "inferred" };
  }

  static recordedPlaces(record, operation, path) {
    const places = [];
    if (record.undoes > 0 && record.undoes < record.seq) places.push({ path, position: record.undoes - 1 });
    if (operation && operation.op === "copy") {
      const to = segmentsOf(operation.path).length + 1;
      places.push({ path: [record.store, ...segmentsOf(operation.from), ...path.slice(to)], position: record.seq - 1 });
    }
    return places;
  }

  // What was written with the value, the largest first: all of a copied element says more than one number in it.
  wholes(record, operation, path) {
    let rest = operation ? path.slice(segmentsOf(operation.path).length + 1) : [];
    if (!operation || !["add", "replace"].includes(operation.op) || rest.length === 0) return [{ value: this.value, rest: [] }];
    const wholes = [{ value: operation.value, rest }];
    for (let value = operation.value; rest.length > 0; rest = rest.slice(1)) {
      value = memberOf(value, rest[0]);
      if (value === undefined) break;
      wholes.push({ value, rest: rest.slice(1) });
    }
    return wholes;
  }

  // What the commit that caused this one wrote, where it stands after that.
  async fromCause(record, wholes) {
    const { cause } = record;
    if (!Number.isInteger(cause) || cause >= record.seq) return null;
    const causing = await this.run.commit(cause);
    if (!causing || causing.kind !== "commit") return null;
    const stores = await this.stateAt(cause);
    const written = causing.patch.map(({ path }) => [causing.store, ...segmentsOf(path)])
      .map((path) => ({ path, value: valueAt(stores, path) })).filter(({ value }) => value !== undefined);
    return Origins.taken(wholes, "recorded", cause, (value, most) =>
      written.flatMap((part) => placesOf(value, part.value, most).map((path) => [...part.path, ...path])).slice(0, most));
  }

  // Where the first whole stands that stands anywhere; null where none does.
  static taken(wholes, basis, position, places) {
    for (const { value, rest } of wholes) {
      if (isTrivial(value)) continue;
      const found = places(value, Origins.mostPlaces).map((path) => [...path, ...rest]);
      if (found.length === 1) return { how: "copied", basis, next: { path: found[0], position } };
      if (found.length > 1) return { how: "written", basis, candidates: found, before: position };
    }
    return null;
  }
}

// Values that stand anywhere, so that equal ones say nothing.
function isTrivial(value) {
  if (isContainer(value)) return sizeOf(value) === 0;
  if (typeof value === "string") return value.length <= 4 && new TextEncoder().encode(value).length <= 4;
  return value === null || typeof value === "boolean" || [-1, 0, 1].some((number) => isSame(value, number));
}

function isSame(left, right) {
  if (left === right) return true;
  if (!isContainer(left) || !isContainer(right)) {
    const isNumber = (value) => typeof value === "number" || value instanceof NumberText;
    return isNumber(left) && isNumber(right) && Sides.isEqual(left, right);
  }
  if (Array.isArray(left) !== Array.isArray(right) || sizeOf(left) !== sizeOf(right)) return false;
  return Object.keys(left).every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]));
}

// The places in a value where another stands.
function placesOf(value, whole, most) {
  const found = [];
  const look = (part, path) => {
    if (found.length >= most) return;
    if (isSame(part, value)) found.push(path);
    else if (Array.isArray(part)) part.forEach((element, index) => look(element, [...path, String(index)]));
    else if (isContainer(part)) for (const name of sortedKeys(part)) look(part[name], [...path, name]);
  };
  look(whole, []);
  return found;
}
