/**
 * A recorder of state journals for Node, without dependencies. The format is in state-journal(5).
 *     const journal = openJournal("run.jsonl", { app: "Shop", redact: ["/cart/card"] });
 *     const cart = journal.store("cart", { total: 0, card: "4111" });
 *     cart.commit({ total: 5, card: "4111" }, { name: "add" });
 *     createStore(reducer, compose(applyMiddleware(...), redux(journal, "cart"))); // Redux: each action is a commit
 *     createStore(zustand(journal, "cart", (set) => ({ ... })));                   // Zustand: each set is one
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import * as fs from "node:fs";

export type Details = { name?: string; action?: any; cause?: number; at?: object };
export type Journal = ReturnType<typeof openJournal>;
/** The commit that is being delivered. Promises and timers that a delivery starts inherit it. */
const delivery = new AsyncLocalStorage<any>();

/**
 * Creates the file of one run; one that an earlier run left there is kept, under the next free number. `redact` has
 * JSON Pointers into the whole state: `*` is any segment, `**` any number of them, and an index any index. Hashes
 * compare across runs that have the same `key`, which is random unless given.
 */
export function openJournal(path: string, { app = "", redact = [] as string[], key = "" } = {}) {
  if (!redact.every((pointer) => pointer.startsWith("/"))) throw new Error(`not all of ${redact} begin with '/'`);
  // A payload has no path of its own: a member is redacted by the last name of any pointer.
  const payloadSecrets = pattern(redact.map((pointer) => "/**" + pointer.slice(pointer.lastIndexOf("/"))));
  const [secrets, hashKey, file] = [pattern(redact), key || randomBytes(32), create(path)];
  const [open, commits] = [new Map<string, any>(), Object.create(null)];
  let [seq, marks, size, keyframeSize, keyframeEnd, lastTime, ended] = [0, 0, 0, 0, 0, "", false];
  /** Appends a line by one write, so that a kill leaves whole lines. One that does not fit is taken back. */
  const write = (kind: string, members: object, position = seq) => {
    if (ended) throw new Error("the journal has ended");
    const content = text({ seq: position, kind, ...members }).slice(0, -1);
    const line = Buffer.from(`${content},"sum":"${crc32c(Buffer.from(content))}"}\n`);
    try {
      for (let written = 0; written < line.length; ) written += fs.writeSync(file, line, written);
    } catch (error) {
      fs.ftruncateSync(file, size);
      throw error;
    }
    size += line.length;
  };
  const now = () => {
    const time = performance.timeOrigin + performance.now();
    const micros = String(Math.floor((time % 1) * 1000)).padStart(3, "0");
    const stamp = new Date(time).toISOString().slice(0, -1) + micros + "Z";
    return (lastTime = stamp > lastTime ? stamp : lastTime); // a clock that steps back repeats the last time
  };
  const totals = () => ({ commits, open: [...open.keys()], derived: [], marks, gaps: 0, aborts: 0 });
  const payloadTree = (value: any) => value && tree(value, "", payloadSecrets);
  /** A copy of a value as JSON has it, with hashes in the place of what is redacted. */
  const tree = (value: any, path: string, secret = secrets): any => {
    if (path.split("/", 514).length > 513) throw new Error("the state is nested more than 512 deep");
    if (secret.test(path)) {
      const hash = createHmac("sha256", hashKey).update(text(tree(value, "", /(?!)/), true));
      return { $redacted: hash.digest("hex").slice(0, 16) };
    }
    if (typeof value?.toJSON === "function") value = value.toJSON();
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    if (value instanceof Map || value instanceof Set) value = [...value];
    if (Array.isArray(value)) return value.map((element, index) => tree(element, `${path}/${index}`, secret));
    if (kind(value) !== "object") return isJSON(value) ? value : null;
    const members = Object.create(null); // an object with a prototype has a setter for '__proto__'
    for (const name of Object.keys(value))
      if (isJSON(value[name])) members[name] = tree(value[name], `${path}/${escape(name)}`, secret);
    return members;
  };
  /** Starts to record a store. While another one of that name is open, it is called `name_2`. */
  const store = (base: string, initial: any) => {
    let [name, version, last] = [base, 0, tree(initial, "/" + escape(base))];
    for (let number = 2; open.has(name); number++) name = `${base}_${number}`;
    const subscribers: Function[] = [];
    /** Writes a commit's line, and a keyframe where it is time for one. An equal state is recorded too. */
    const record = (state: unknown, { name: title, action, cause, at = caller() }: Details) => {
      if (open.get(name) !== self) throw new Error(`the store '${name}' is closed`);
      const next = tree(state, "/" + escape(base));
      action &&= { type: String(action.type), payload: payloadTree(action.payload) };
      cause ??= delivery.getStore()?.seq;
      const members = { store: name, version: version + 1, time: now(), at, name: title, action, cause };
      write("commit", { ...members, patch: [...differences(last, next)] }, seq + 1);
      [seq, version, last, commits[name]] = [seq + 1, version + 1, next, commits[name] + 1];
      if (size - keyframeEnd <= Math.max(1 << 16, 4 * keyframeSize)) return seq;
      const [before, states] = [size, [...open].map(([key, { tree }]) => [key, tree()])];
      try {
        write("keyframe", { states: Object.fromEntries(states), totals: totals() });
      } catch {} // the commit is written, whatever becomes of the keyframe
      [keyframeSize, keyframeEnd] = [size - before, size];
      return seq;
    };
    /** Records a new state, then delivers it to the subscribers: what they commit has this commit as its cause. */
    const commit = (state: unknown, details: Details = {}) => {
      const delivered = { seq: record(state, details) };
      delivery.run(delivered, () => subscribers.forEach((subscriber) => subscriber(state)));
    };
    const close = () => open.get(name) === self && (write("close", { store: name, time: now() }), open.delete(name));
    write("store", { store: name, type: initial?.constructor?.name ?? "", time: now(), at: caller(), state: last });
    const self = { record, commit, close, subscribe: (call: Function) => subscribers.push(call), tree: () => last };
    open.set(name, self);
    commits[name] ??= 0;
    return self;
  };
  /** Records something that the program has to say, such as a tapped button. */
  const mark = (message: string, { level, payload }: { level?: string; payload?: any } = {}) => {
    write("mark", { time: now(), at: caller(), text: message, level, payload: payloadTree(payload) });
    marks++;
  };
  /** Ends the run. A journal without this was cut short by a crash. */
  const end = () => {
    if (!ended) write("end", { time: now(), totals: totals() });
    ended ||= fs.closeSync(file) === undefined;
  };
  write("journal", { version: 1, id: randomUUID(), time: now(), app, recorder: "recorder.ts" });
  return { store, mark, end };
}

/** An enhancer of Redux: a commit is written when the reducer is done, before any subscriber sees the new state. */
export const redux = (journal: Journal, name: string) => (createStore: any) => (reducer: any, preloaded: any) => {
  const recorded = (reduce: any) => (state: any, action: any) => {
    const [next, current] = [reduce(state, action), delivery.getStore()];
    if (current?.details) current.seq = store.record(next, { action, ...current.details });
    return next;
  };
  const api = createStore(recorded(reducer), preloaded);
  const store = journal.store(name, api.getState());
  const dispatch = (action: any) =>
    delivery.run({ details: { at: caller(), cause: delivery.getStore()?.seq } }, () => api.dispatch(action));
  return { ...api, dispatch, replaceReducer: (reduce: any) => api.replaceReducer(recorded(reduce)) };
};

/** A middleware of Zustand: a commit is written before any listener sees the new state. */
export const zustand = (journal: Journal, name: string, creator: any) => (set: any, get: any, api: any) => {
  api.setState = (partial: any, replace?: boolean, title?: string) => {
    const part = typeof partial === "function" ? partial(get()) : partial;
    const next = replace || kind(part) !== "object" ? part : Object.assign({}, get(), part);
    delivery.run({ seq: store.record(next, { name: title }) }, () => set(next, true));
  };
  const initial = creator(api.setState, get, api);
  const store = journal.store(name, initial);
  return initial;
};

/** The JSON Patch (RFC 6902) from one tree to another, as deep as possible, with what each operation replaces. */
function* differences(old: any, value: any, path = ""): any {
  if (kind(old) === "object" && kind(value) === "object" && !("$redacted" in old) && !("$redacted" in value)) {
    for (const name of Object.keys({ ...old, ...value })) {
      const place = `${path}/${escape(name)}`;
      if (!(name in value)) yield { op: "remove", path: place, old: old[name] };
      else if (!(name in old)) yield { op: "add", path: place, value: value[name] };
      else yield* differences(old[name], value[name], place);
    }
  } else if (Array.isArray(old) && Array.isArray(value)) {
    const [a, b] = [old, value].map((elements) => elements.map((element) => text(element, true)));
    let [start, end, shorter] = [0, 0, Math.min(a.length, b.length)];
    while (start < shorter && a[start] === b[start]) start++;
    while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
    const [middle, at] = [shorter - end, (i: number) => `${path}/${i}`];
    for (let i = start; i < middle; i++) yield* differences(old[i], value[i], at(i));
    for (let i = old.length - end - 1; i >= middle; i--) yield { op: "remove", path: at(i), old: old[i] };
    for (let i = middle; i < value.length - end; i++) yield { op: "add", path: at(i), value: value[i] };
  } else if (text(old, true) !== text(value, true)) yield { op: "replace", path, value, old };
}

function create(path: string): number {
  const numbered = (number: number): string => path.replace(/(\.[^./]*)?$/, `.${number}$1`);
  for (let number = 1; fs.existsSync(path); number++) // a link fails, and replaces nothing, where the name is taken
    try { fs.linkSync(path, numbered(number)); fs.unlinkSync(path); }
    catch (error: any) { if (error.code !== "EEXIST" && error.code !== "ENOENT") throw error; }
  return fs.openSync(path, "ax", 0o600);
}

function pattern(pointers: string[]): RegExp {
  const known: any = { "**": "(/[^/]*)*", "*": "/[^/]*" };
  const literal = (name: string): string => "/" + name.replace(/\W/g, "\\$&").replace(/^\d+$/, "\\d+");
  const patterns = pointers.map((text) => text.split("/").slice(1).map((name) => known[name] ?? literal(name)).join(""));
  return new RegExp(`^(${patterns.join("|") || "(?!)"})$`);
}

/** The nearest place outside of this file and of packages. */
function caller(): object {
  const frames = new Error().stack!.split("\n").map((line) => /at (?:(.*) \()?(.*):(\d+):(\d+)\)?$/.exec(line) ?? []);
  const isOutside = (file?: string) => file && file !== frames[1][2] && !/node_modules|^node:/.test(file);
  const [, name, file, line, column] = frames.find((frame) => isOutside(frame[2])) ?? ["", "", "", "1", "1"];
  return { file: file.replace("file://", ""), line: +line, column: +column, function: name ?? "" };
}

function text(value: any, sorted = false): string {
  if (Array.isArray(value)) return `[${value.map((element) => text(element, sorted)).join()}]`;
  if (kind(value) !== "object") return typeof value === "bigint" ? String(value) : JSON.stringify(value);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  if (sorted) names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${names.map((name) => `${JSON.stringify(name)}:${text(value[name], sorted)}`).join()}}`;
}

const kind = (value: any): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
const isJSON = (value: any): boolean => !["undefined", "function", "symbol"].includes(typeof value);
const escape = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
const crcStep = (crc: number): number => (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
const crcTable = Array.from({ length: 256 }, (_, byte) => [..."12345678"].reduce(crcStep, byte));
const crcNext = (crc: number, byte: number): number => (crc >>> 8) ^ crcTable[(crc ^ byte) & 0xff];
const crc32c = (data: Buffer): string => (~data.reduce(crcNext, ~0) >>> 0).toString(16).padStart(8, "0");
