// The kit's driver of recorder.ts: `node driver.mjs [core|redux|zustand] JOURNAL < operations`. Where Node runs no TypeScript
// (before 22.18), it takes the types out itself; the file has only types that can be erased word by word.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const source = new URL("../../recorder.ts", import.meta.url);

async function load() {
  if (process.features.typescript) return import(source);
  const types = String.raw`(?:string|number|boolean|unknown|any|object|void|RegExp|Buffer|Function|Journal|Details|\{ [^{}]* \})(?:\[\])?`;
  const plain = fs.readFileSync(source, "utf8")
    .replace(/^(export )?type .*;$/gm, "")
    .replace(/(?<=new \w+)<[^()]*>(?=\()/g, "")
    .replace(/ as \w+\[\]/g, "")
    .replace(new RegExp(String.raw`(?<=[\w)}\]])\??: ${types}(?=[,)=;]| =| \{|$)`, "gm"), "")
    .replace(/\)!|(?<=stack)!/g, (end) => end.slice(0, -1));
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "recorder.")), "recorder.mjs");
  fs.writeFileSync(file, plain);
  try {
    return await import(pathToFileURL(file));
  } finally {
    fs.rmSync(path.dirname(file), { recursive: true });
  }
}

const { openJournal, redux, zustand } = await load();
const [mode, journalPath] = process.argv.length > 3 ? process.argv.slice(2) : ["core", process.argv[2]];
const [stores, states] = [new Map(), new Map()];
let [journal, count] = [undefined, 0];

/** What a value of a script stands for. */
function value(json) {
  if (Array.isArray(json)) return json.map(value);
  if (typeof json !== "object" || json === null) return json;
  if (Object.hasOwn(json, "$number")) {
    const number = Number(json.$number);
    return /^-?\d+$/.test(json.$number) && !Number.isSafeInteger(number) ? BigInt(json.$number) : number;
  }
  if (Object.hasOwn(json, "$units")) return String.fromCharCode(...json.$units);
  if (Object.hasOwn(json, "$text")) return json.$text.repeat(json.times);
  if (Object.hasOwn(json, "$count")) return count;
  if (Object.hasOwn(json, "$nest")) {
    let nested = 0;
    for (let depth = 0; depth < json.$nest; depth++) nested = [nested];
    return nested;
  }
  return Object.fromEntries(Object.entries(json).map(([key, member]) => [key, value(member)]));
}

// What Redux and Zustand do, as far as an enhancer and a middleware see it. What they call themselves is theirs.
function createReduxStore(reducer, state) {
  const listeners = [];
  const dispatch = (action) => {
    state = reducer(state, action);
    listeners.forEach((listener) => listener());
    return action;
  };
  dispatch({ type: "@@redux/INIT" });
  return { dispatch, getState: () => state, subscribe: (listener) => listeners.push(listener), replaceReducer() {} };
}

function createZustandStore(creator) {
  const listeners = [];
  let state;
  const setState = (partial, replace) => {
    const next = typeof partial === "function" ? partial(state) : partial;
    if (Object.is(next, state)) return;
    state = replace ?? (typeof next !== "object" || next === null) ? next : Object.assign({}, state, next);
    listeners.forEach((listener) => listener(state));
  };
  const api = { setState, getState: () => state, subscribe: (listener) => listeners.push(listener) };
  state = creator(setState, () => state, api); // kit:open
  return api;
}

/** A store of the mode, with the calls of the core. A script that asks for what a mode cannot say uses the core. */
function openStore(name, state) {
  if (mode === "redux") {
    const reducer = (old, action) => ("next" in action ? action.next : old);
    const store = redux(journal, name)(createReduxStore)(reducer, state); // kit:open
    return {
      commit: (next, { name }) => store.dispatch({ type: name ?? "set", next }), // kit:a
      commitB: (next, { name }) => store.dispatch({ type: name ?? "set", next }), // kit:b
      subscribe: store.subscribe,
    };
  }
  if (mode === "zustand") {
    const store = createZustandStore(zustand(journal, name, () => state)); // kit:open
    return {
      commit: (next, { name }) => store.setState(next, true, name), // kit:a
      commitB: (next, { name }) => store.setState(next, true, name), // kit:b
      subscribe: store.subscribe,
    };
  }
  const store = journal.store(name, state); // kit:open
  return {
    commit: (next, details) => store.commit(next, details), // kit:a
    commitB: (next, details) => store.commit(next, details), // kit:b
    subscribe: store.subscribe,
    close: store.close,
  };
}

const tasks = [];
const operations = {
  begin({ app, redact, key }) {
    journal = openJournal(journalPath, { app, redact, key });
  },
  open({ store, as = store, state }) {
    states.set(as, value(state));
    stores.set(as, openStore(store, states.get(as)));
  },
  commit({ store, name, cause, line, put = {}, push = {}, ...op }) {
    if ("state" in op) states.set(store, value(op.state));
    for (const [member, json] of Object.entries(put)) states.get(store)[member] = value(json);
    for (const [member, json] of Object.entries(push)) states.get(store)[member].push(value(json));
    stores.get(store)[line === "b" ? "commitB" : "commit"](states.get(store), { name, cause });
  },
  mark({ text, level, payload }) {
    journal.mark(text, { level, payload: payload === undefined ? undefined : value(payload) }); // kit:mark
  },
  subscribe({ store, times = 1, task, do: body }) {
    stores.get(store).subscribe(() => {
      if (times-- <= 0) return;
      if (task) tasks.push(new Promise((resolve) => setTimeout(resolve)).then(() => all(body)));
      else body.forEach(run);
    });
  },
  repeat({ times, do: body }) {
    for (let turn = 0; turn < times; turn++) {
      count++;
      body.forEach(run);
    }
  },
  threads({ do: bodies }) {
    tasks.push(...bodies.map(all));
  },
  close({ store }) {
    stores.get(store).close();
  },
  end() {
    journal.end();
  },
  kill() {
    process.kill(process.pid, "SIGKILL");
  },
};

function run(op) {
  operations[op.op](op);
}

/** Runs operations with pauses between them, in which other tasks go on. */
async function all(body) {
  for (const op of body) {
    for (let turn = 0; turn < (op.times ?? 1); turn++) {
      await new Promise(setImmediate);
      run(op.op === "repeat" ? { ...op, times: 1 } : op);
    }
  }
}

let number = 0;
for (const line of fs.readFileSync(0, "utf8").split("\n").slice(0, -1)) {
  number++;
  try {
    run(JSON.parse(line));
    await Promise.all(tasks.splice(0));
  } catch (error) {
    console.log(`{"fault":${number}}`);
    console.error(`operation ${number}: ${error.stack}`);
  }
}
