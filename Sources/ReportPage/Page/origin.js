// Who wrote a member, and who before; and where a value comes from, as the command `origin` says it.

// Walks back from a position to the records that wrote a member, the last one first. An element keeps its history
// when its array shifts or it is moved.
class Writers {
  constructor(run, position, segments) {
    this.run = run;
    this.path = [...segments];
    this.chunkIndex = run.chunkOf(position);
    this.position = position;
    this.cursor = null;
    this.isDone = false;
    // Of the last writer: the operation that wrote the member, and where.
    this.written = null;
    // What shifted or moved the member since it was asked about: the newest record, the place after it, and whether each
    // of them took the member itself from one place to the other.
    this.move = null;
  }

  // The next record that wrote it, with the value before and after; null where there is none.
  async next() {
    this.written = null;
    while (!this.isDone) {
      if (!this.cursor) await this.enter();
      while (this.cursor.count > 0) {
        const record = this.cursor.chunk.records[this.cursor.count - 1];
        const effect = this.cursor.effects[this.cursor.count - 1];
        const after = valueAt(this.cursor.stores, this.path);
        const isWriter = this.look(record, effect);
        this.cursor.back();
        if (!isWriter) continue;
        const before = this.isDone ? undefined : valueAt(this.cursor.stores, this.path);
        if (before === undefined) this.isDone = true;
        return { record, path: this.path, after: copyOf(after), before: copyOf(before) };
      }
      if (this.chunkIndex === 0) this.isDone = true;
      else this.position = this.run.entries[this.chunkIndex].start;
      this.cursor = null;
      this.chunkIndex--;
    }
    return null;
  }

  async enter() {
    const chunk = await this.run.load(this.chunkIndex);
    const cursor = new Cursor(this.run);
    await cursor.begin(chunk);
    const count = chunk.countUpTo(this.position);
    while (cursor.count < count) cursor.forward();
    this.cursor = cursor;
  }

  // Whether a record wrote the member; otherwise the path is where the member was before the record.
  look(record, effect) {
    if (effect.stores) {
      this.written = { path: this.path };
      return true;
    }
    for (let at = effect.did.length - 1; at >= 0 && !this.isDone; at--) {
      const [did, path] = [effect.did[at], this.path];
      if (this.undoes(did)) this.written ??= { operation: did.operation, path: this.path, isInserted: did.did === "insert" };
      else if (!this.written && this.path.some((name, depth) => name !== path[depth])) this.noteMove(record, did, path);
    }
    return this.written !== null;
  }

  noteMove(record, did, path) {
    const isRecorded = did.did === "move" && did.taken.path.every((name, at) => name === this.path[at]);
    const newest = this.move ?? { record, path, isRecorded: true };
    this.move = { ...newest, isRecorded: newest.isRecorded && isRecorded };
  }

  undoes(did) {
    if (did.did === "move") {
      if (this.isAtOrBelow(did.placed.path)) {
        this.path = [...did.taken.path, ...this.path.slice(did.placed.path.length)];
        return false;
      }
      const isWriter = this.undoes(did.placed);
      return this.undoes(did.taken) || isWriter;
    }
    const depth = did.path.length - 1;
    const isElsewhere = did.path.some((name, at) => at < depth && at < this.path.length && name !== this.path[at]);
    if (isElsewhere) return false;
    // A change inside of the member.
    if (this.path.length <= depth) return true;
    const [place, own] = [did.path[depth], this.path[depth]];
    switch (did.did) {
      case "insert":
        if (place === own) {
          this.isDone = true;
          return true;
        }
        if (Number(own) > Number(place)) this.path = this.path.with(depth, String(Number(own) - 1));
        return false;
      case "delete":
        if (Number(own) >= Number(place)) this.path = this.path.with(depth, String(Number(own) + 1));
        return false;
      default: return place === own;
    }
  }

  isAtOrBelow(path) {
    return path.length <= this.path.length && path.every((name, at) => name === this.path[at]);
  }
}

// The way of a value back through the run, hop by hop: see the type 'Origin', which this repeats.
class Origins {
  static mostHops = 32;
  static mostPlaces = 20;

  constructor(run, position, path) {
    this.run = run;
    this.stood = { path, position };
    this.cursor = new Cursor(run);
  }

  async stateAt(position) {
    await this.cursor.moveTo(position);
    return this.cursor.stores;
  }

  // The hops, the newest first, and why the way goes no further, where the last one does not say it.
  async follow() {
    const hops = [];
    let { stood } = this;
    let move = null;
    this.value = valueAt(await this.stateAt(stood.position), stood.path);
    while (true) {
      const writers = new Writers(this.run, stood.position, stood.path);
      const found = await writers.next();
      if (writers.move) move = move ? { ...move, isRecorded: move.isRecorded && writers.move.isRecorded } : writers.move;
      const { path, operation, isInserted } = writers.written ?? { path: writers.path };
      if (found && found.record.kind === "commit" && !isInserted && (await this.isWrittenAgain(found.record, path))) {
        stood = { path, position: found.record.seq - 1 };
        continue;
      }
      if (hops.length >= Origins.mostHops) return { hops, end: "The value goes further back." };
      if (move) hops.push({ path: move.path, record: move.record, how: "moved", basis: move.isRecorded ? "recorded" : "inferred" });
      move = null;
      if (!found) return { hops, end: "It was there when this page begins, at " + this.run.start + "." };
      const { record } = found;
      const source = await this.source(record, operation, path);
      hops.push({ path, record, ...source });
      if (!source.next) return { hops, end: record.kind === "gap" ? "It was written by a commit that was lost." : "" };
      stood = source.next;
    }
  }

  // Whether the value stood there already: an element that is inserted is another one.
  async isWrittenAgain(record, path) {
    if (!isSame(valueAt(await this.stateAt(record.seq), path), this.value)) return false;
    return isSame(valueAt(await this.stateAt(record.seq - 1), path), this.value);
  }

  // What the journal records comes first; then the state before the commit is searched.
  async source(record, operation, path) {
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
    if (!causing) return null;
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
  return value === null || typeof value === "boolean" || [-1, 0, 1].includes(Number(textOf(value)));
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
