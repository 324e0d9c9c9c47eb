// Text: what may be shown, the order of names, pointers, values in short; values that keep the text of their numbers; patches.

// What acts on the order in which text is read, or is not seen, is shown as an escape, as the command does.
const unsafeText = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\p{NChar}\ud800-\udfff]/gu;

function visible(text) {
  text = String(text);
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(unsafeText, (found, at, whole) => {
    const before = whole.slice(Math.max(0, at - 2), at), after = whole.slice(at + 1, at + 3);
    if (/[\ufe0e\ufe0f]/.test(found) && /\p{Emoji}$/u.test(before)) return found;
    if (found === "\u200d" && /(\ufe0f|(?=[^\0-\xff])\p{Emoji})$/u.test(before) && /^(?=[^\0-\xff])\p{Emoji}/u.test(after)) return found;
    if (found === "\n") return "\\n";
    if (found === "\r") return "\\r";
    if (found === "\t") return "\\t";
    let escaped = "";
    for (let unit = 0; unit < found.length; unit++) {
      escaped += "\\u" + found.charCodeAt(unit).toString(16).padStart(4, "0");
    }
    return escaped;
  });
}

// Ascending order of UTF-8, which is that of code points; the one of JavaScript is that of UTF-16.
function compareNames(left, right) {
  const count = Math.min(left.length, right.length);
  for (let at = 0; at < count; at++) {
    let a = left.charCodeAt(at), b = right.charCodeAt(at);
    if (a === b) continue;
    if (a >= 0xd800) a = a >= 0xe000 ? a - 0x800 : a + 0x2000;
    if (b >= 0xd800) b = b >= 0xe000 ? b - 0x800 : b + 0x2000;
    return a - b;
  }
  return left.length - right.length;
}

const sortedKeys = (object) => Object.keys(object).sort(compareNames);

// RFC 6901.
const pointer = (segments) =>
  segments.map((name) => "/" + String(name).replaceAll("~", "~0").replaceAll("/", "~1")).join("");

const segmentsOf = (path) =>
  path === "" ? [] : path.slice(1).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));

// A string as the command prints it: only quotes, backslashes and control characters are escaped.
function quoted(text) {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
}

// The compact text of a value, as 'state' prints it.
function textOf(value) {
  if (value === null || typeof value === "boolean" || typeof value === "number") return String(value);
  if (typeof value === "string") return quoted(value);
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return "[" + value.map(textOf).join(",") + "]";
  return "{" + sortedKeys(value).map((key) => quoted(key) + ":" + textOf(value[key])).join(",") + "}";
}

// The beginning of that text, without making all of a large one.
function preview(value, limit = 80) {
  let text = "";
  const append = (value) => {
    if (text.length > limit) return;
    if (value === null || typeof value !== "object" || value instanceof NumberText) {
      text += typeof value === "string" ? quoted(value.slice(0, limit + 1)) : textOf(value);
    } else if (Array.isArray(value)) {
      text += "[";
      for (let at = 0; at < value.length && text.length <= limit; at++) {
        if (at > 0) text += ",";
        append(value[at]);
      }
      text += "]";
    } else {
      text += "{";
      let isFirst = true;
      for (const key of Object.keys(value).length > 200 ? Object.keys(value) : sortedKeys(value)) {
        if (text.length > limit) break;
        text += (isFirst ? "" : ",") + quoted(key) + ":";
        isFirst = false;
        append(value[key]);
      }
      text += "}";
    }
  };
  append(value);
  return text.length > limit ? text.slice(0, limit) + "…" : text;
}

const clock = (time) => {
  const found = /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(time || "");
  return found ? found[1] : String(time || "");
};

const placeText = (at) => (at && typeof at.file === "string" ? at.file + (Number.isInteger(at.line) ? ":" + at.line : "") : "");

const labelOf = (record) => record.name || (record.at && record.at.function) || "";

// Counts have their thousands apart; the number of a commit is written as it is typed.
const grouped = (count) => count.toLocaleString("en");

const counted = (count, noun) => grouped(count) + " " + noun + (count === 1 ? "" : "s");

// A sentence of the command, which does not group.
const withGroups = (sentence) =>
  sentence.replace(/\b\d{4,}(?= (?:of|commits?|positions?|flips?|runs?|changes)\b)/g, (digits) => grouped(Number(digits)));

// An argument for a shell: plain words as they are, others in quotes.
function shellWord(text) {
  if (/^[A-Za-z0-9./\-_:,=+@%]+$/.test(text)) return text;
  if (visible(text) === text) return "'" + text.replaceAll("'", "'\\''") + "'";
  const escape = (character) => {
    if (visible(character) === character && character !== "'" && character !== "\\") return character.replace("%", "%%");
    return [...new TextEncoder().encode(character)].map((byte) => "\\" + byte.toString(8).padStart(3, "0")).join("");
  };
  return "\"$(printf '" + [...text].map(escape).join("") + "')\"";
}

function commandLine(run, name, operands, options = []) {
  const words = [run.about.name, ...operands];
  const isPlain = !words.some((word) => word.startsWith("-"));
  return ["state-inspect", name, ...(isPlain ? [...words, ...options] : [...options, "--", ...words])].map(shellWord).join(" ");
}

// A number whose text JavaScript would not give back: more digits than a double has, 1.0, 1e3.
class NumberText {
  constructor(text) { this.text = text; }
}

// Lines in which JSON.parse might lose something: such numbers, and halves of surrogate pairs.
const inexact = /[\d.]{16,}|\d[eE]|\.\d*0(?![\dZ])|-0(?![.\d])|\.0{6}|\\u[dD][89a-fA-F]/;

const parseLine = (line) => (inexact.test(line) ? new ExactParser(line).parse() : JSON.parse(line));

// Reads JSON that was read before, so it does not say what is wrong with it.
class ExactParser {
  constructor(text) { this.text = text; this.at = 0; }

  parse() { return this.value(); }

  skipSpace() {
    while (this.text.charCodeAt(this.at) <= 32) this.at++;
  }

  value() {
    this.skipSpace();
    switch (this.text[this.at]) {
      case "{": return this.object();
      case "[": return this.array();
      case '"': return this.string();
      case "t": this.at += 4; return true;
      case "f": this.at += 5; return false;
      case "n": this.at += 4; return null;
      default: return this.number();
    }
  }

  // Whether a member or an element follows; the bracket that opens was read.
  isMore(close) {
    this.skipSpace();
    const found = this.text[this.at];
    if (found === undefined) throw new Error("the text ends early");
    if (found === ",") { this.at++; this.skipSpace(); return true; }
    if (found === close) { this.at++; return false; }
    return true;
  }

  object() {
    const object = {};
    this.at++;
    while (this.isMore("}")) {
      const key = this.string();
      this.skipSpace();
      this.at++;
      setMember(object, key, this.value());
    }
    return object;
  }

  array() {
    const array = [];
    this.at++;
    while (this.isMore("]")) array.push(this.value());
    return array;
  }

  string() {
    const start = this.at++;
    while (this.text[this.at] !== '"') {
      if (this.at >= this.text.length) throw new Error("the text ends early");
      this.at += this.text[this.at] === "\\" ? 2 : 1;
    }
    this.at++;
    const text = JSON.parse(this.text.slice(start, this.at));
    return text.replace(/[\ud800-\udfff]/gu, "\ufffd");
  }

  number() {
    const start = this.at;
    while (/[-+.0-9eE]/.test(this.text[this.at] || "")) this.at++;
    const text = this.text.slice(start, this.at);
    if (text === "") throw new Error("a value is missing");
    const number = Number(text);
    return String(number) === text && !Object.is(number, -0) ? number : new NumberText(text);
  }
}

// Members may have any name, '__proto__' too.
function setMember(object, key, value) {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

const isContainer = (value) => value !== null && typeof value === "object" && !(value instanceof NumberText);

const sizeOf = (value) => (Array.isArray(value) ? value.length : Object.keys(value).length);

function memberOf(value, name) {
  if (!isContainer(value)) return undefined;
  if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function valueAt(value, segments) {
  for (const name of segments) {
    value = memberOf(value, name);
    if (value === undefined) return undefined;
  }
  return value;
}

// What goes into a state is a copy: a state is changed in place, records are not.
function copyOf(value) {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy = {};
  for (const key of Object.keys(value)) setMember(copy, key, copyOf(value[key]));
  return copy;
}

// Applies one operation in place, and says what it did, which is what undoing and blame need:
// set (a member or an element, which was `old`), unset, insert, delete, move (of an element in its array).
function applyOperation(root, path, operation) {
  switch (operation.op) {
    case "add": return put(root, path, copyOf(operation.value), true);
    case "replace": return put(root, path, copyOf(operation.value), false);
    case "remove": return take(root, path);
    case "copy": return put(root, path, copyOf(valueAt(root, fromOf(path, operation))), true);
    case "move": return operation.from === operation.path ? null : move(root, fromOf(path, operation), path);
    default: return null;
  }
}

const fromOf = (path, operation) => [path[0], ...segmentsOf(operation.from)];

function put(root, path, value, inserts) {
  const parent = valueAt(root, path.slice(0, -1));
  const name = path[path.length - 1];
  if (Array.isArray(parent)) {
    const index = name === "-" ? parent.length : Number(name);
    const place = [...path.slice(0, -1), String(index)];
    if (inserts) {
      parent.splice(index, 0, value);
      return { did: "insert", path: place, value };
    }
    const old = parent[index];
    parent[index] = value;
    return { did: "set", path: place, old, value };
  }
  const old = memberOf(parent, name);
  setMember(parent, name, value);
  return { did: "set", path, old, value };
}

function take(root, path) {
  const parent = valueAt(root, path.slice(0, -1));
  const name = path[path.length - 1];
  if (Array.isArray(parent)) return { did: "delete", path, old: parent.splice(Number(name), 1)[0] };
  const old = memberOf(parent, name);
  delete parent[name];
  return { did: "unset", path, old };
}

function move(root, from, path) {
  const taken = take(root, from);
  const placed = put(root, path, taken.old, true);
  return { did: "move", path: placed.path, taken, placed };
}

function undo(root, effect) {
  if (effect.did === "move") {
    undo(root, effect.placed);
    undo(root, effect.taken);
    return;
  }
  const parent = valueAt(root, effect.path.slice(0, -1));
  const name = effect.path[effect.path.length - 1];
  switch (effect.did) {
    case "insert": parent.splice(Number(name), 1); break;
    case "delete": parent.splice(Number(name), 0, effect.old); break;
    case "unset": setMember(parent, name, effect.old); break;
    default:
      if (Array.isArray(parent)) parent[Number(name)] = effect.old;
      else if (effect.old === undefined) delete parent[name];
      else setMember(parent, name, effect.old);
  }
}

// Whether a path leads to a place or further in.
const isWithin = (path, place) => place.length <= path.length && place.every((name, at) => name === path[at]);

// Whether an effect wrote a member, or something in it.
function writes({ did, path: place, taken, placed }, path) {
  if (did === "move") return !isWithin(path, placed.path) && (writes(placed, path) || writes(taken, pathBefore(placed, path)));
  // After an element is removed, another one has its place.
  return (isWithin(place, path) && place.length > path.length) || (did !== "delete" && isWithin(path, place));
}

// Where a member was before an effect.
function pathBefore({ did, path: place, taken, placed }, path) {
  if (did === "move") {
    if (isWithin(path, placed.path)) return [...taken.path, ...path.slice(placed.path.length)];
    return pathBefore(taken, pathBefore(placed, path));
  }
  const depth = place.length - 1, shift = { insert: -1, delete: 1 }[did];
  if (!shift || path.length <= depth || !isWithin(path, place.slice(0, -1))) return path;
  const [own, other] = [Number(path[depth]), Number(place[depth])];
  return own > other || (own === other && did === "delete") ? path.with(depth, String(own + shift)) : path;
}
