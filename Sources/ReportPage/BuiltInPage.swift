// swift-format-ignore-file
// Written by '.ci/page --write' from the files of the folder 'Page'.

import CommandLine
import JSONCore

/// The page's own script, style and markup.
enum BuiltInPage {
    /// The script, in front of it an empty line.
    static let script = #"""

"use strict";
const unsafeText = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\p{NChar}\ud800-\udfff]/gu;
function visible(text) {text = String(text);
if (/^[ -~]*$/.test(text)) return text;
return text.replace(unsafeText, (found, at, whole)=>{const before = whole.slice(Math.max(0, at - 2), at), after = whole.slice(at + 1, at + 3);
if (/[\ufe0e\ufe0f]/.test(found)&&/\p{Emoji}$/u.test(before)) return found;
if (found==="\u200d"&&/(\ufe0f|(?=[^\0-\xff])\p{Emoji})$/u.test(before)&&/^(?=[^\0-\xff])\p{Emoji}/u.test(after)) return found;
if (found==="\n") return "\\n";
if (found==="\r") return "\\r";
if (found==="\t") return "\\t";
let escaped = "";
for (let unit = 0; unit < found.length; unit++) {escaped += "\\u" + found.charCodeAt(unit).toString(16).padStart(4, "0");}
return escaped;});}
function compareNames(left, right) {const count = Math.min(left.length, right.length);
for (let at = 0; at < count; at++) {let a = left.charCodeAt(at), b = right.charCodeAt(at);
if (a===b) continue;
if (a >= 0xd800) a = a >= 0xe000 ? a - 0x800 : a + 0x2000;
if (b >= 0xd800) b = b >= 0xe000 ? b - 0x800 : b + 0x2000;
return a - b;}
return left.length - right.length;}
const sortedKeys = (object)=>Object.keys(object).sort(compareNames);
const pointer = (segments) =>
segments.map((name)=>"/" + String(name).replaceAll("~", "~0").replaceAll("/", "~1")).join("");
const segmentsOf = (path) =>
path==="" ? [] : path.slice(1).split("/").map((name)=>name.replaceAll("~1", "/").replaceAll("~0", "~"));
function quoted(text) {return JSON.stringify(text).replaceAll("\u007f", "\\u007f");}
function textOf(value) {if (value===null||typeof value==="boolean"||typeof value==="number") return String(value);
if (typeof value==="string") return quoted(value);
if (value instanceof NumberText) return value.text;
if (Array.isArray(value)) return "[" + value.map(textOf).join(",") + "]";
return "{" + sortedKeys(value).map((key)=>quoted(key) + ":" + textOf(value[key])).join(",") + "}";}
function preview(value, limit = 80) {let text = "";
const append = (value)=>{if (text.length > limit) return;
if (value===null||typeof value!=="object"||value instanceof NumberText) {text += typeof value==="string" ? quoted(value.slice(0, limit + 1)) : textOf(value);} else if (Array.isArray(value)) {text += "[";
for (let at = 0; at < value.length&&text.length <= limit; at++) {if (at > 0) text += ",";
append(value[at]);}
text += "]";} else {text += "{";
let isFirst = true;
for (const key of Object.keys(value).length > 200 ? Object.keys(value) : sortedKeys(value)) {if (text.length > limit) break;
text += (isFirst ? "" : ",") + quoted(key) + ":";
isFirst = false;
append(value[key]);}
text += "}";}};
append(value);
return text.length > limit ? text.slice(0, limit) + "…" : text;}
const clock = (time)=>{const found = /T(\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(time||"");
return found ? found[1] : String(time||"");};
const placeText = (at)=>(at&&typeof at.file==="string" ? at.file + (Number.isInteger(at.line) ? ":" + at.line : "") : "");
const labelOf = (record)=>record.name||(record.at&&record.at.function)||"";
const grouped = (count)=>count.toLocaleString("en");
const counted = (count, noun)=>grouped(count) + " " + noun + (count===1 ? "" : "s");
const withGroups = (sentence) =>
sentence.replace(/\b\d{4,}(?= (?:of|commits?|positions?|flips?|runs?|changes)\b)/g, (digits)=>grouped(Number(digits)));
function shellWord(text) {if (/^[A-Za-z0-9./\-_:,=+@%]+$/.test(text)) return text;
if (visible(text)===text) return "'" + text.replaceAll("'", "'\\''") + "'";
const escape = (character)=>{if (visible(character)===character&&character!=="'"&&character!=="\\") return character.replace("%", "%%");
return [...new TextEncoder().encode(character)].map((byte)=>"\\" + byte.toString(8).padStart(3, "0")).join("");};
return "\"$(printf '" + [...text].map(escape).join("") + "')\"";}
function commandLine(run, name, operands, options = []) {const words = [run.about.name, ...operands];
const isPlain = !words.some((word)=>word.startsWith("-"));
return ["state-inspect", name, ...(isPlain ? [...words, ...options] : [...options, "--", ...words])].map(shellWord).join(" ");}
class NumberText {constructor(text) { this.text = text; }}
const inexact = /[\d.]{16,}|\d[eE]|\.\d*0(?![\dZ])|-0(?![.\d])|\.0{6}|\\u[dD][89a-fA-F]/;
const parseLine = (line)=>(inexact.test(line) ? new ExactParser(line).parse() : JSON.parse(line));
class ExactParser {constructor(text) { this.text = text; this.at = 0; }
parse() { return this.value(); }
skipSpace() {while (this.text.charCodeAt(this.at) <= 32) this.at++;}
value() {this.skipSpace();
switch (this.text[this.at]) {case "{": return this.object();
case "[": return this.array();
case '"': return this.string();
case "t": this.at += 4; return true;
case "f": this.at += 5; return false;
case "n": this.at += 4; return null;
default: return this.number();}}
isMore(close) {this.skipSpace();
const found = this.text[this.at];
if (found===undefined) throw new Error("the text ends early");
if (found===",") { this.at++; this.skipSpace(); return true; }
if (found===close) { this.at++; return false; }
return true;}
object() {const object = {};
this.at++;
while (this.isMore("}")) {const key = this.string();
this.skipSpace();
this.at++;
setMember(object, key, this.value());}
return object;}
array() {const array = [];
this.at++;
while (this.isMore("]")) array.push(this.value());
return array;}
string() {const start = this.at++;
while (this.text[this.at]!=='"') {if (this.at >= this.text.length) throw new Error("the text ends early");
this.at += this.text[this.at]==="\\" ? 2 : 1;}
this.at++;
const text = JSON.parse(this.text.slice(start, this.at));
return text.replace(/[\ud800-\udfff]/gu, "\ufffd");}
number() {const start = this.at;
while (/[-+.0-9eE]/.test(this.text[this.at]||"")) this.at++;
const text = this.text.slice(start, this.at);
if (text==="") throw new Error("a value is missing");
const number = Number(text);
return String(number)===text&&!Object.is(number, -0) ? number : new NumberText(text);}}
function setMember(object, key, value) {if (key==="__proto__") {Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });} else {object[key] = value;}}
const isContainer = (value)=>value!==null&&typeof value==="object"&&!(value instanceof NumberText);
const sizeOf = (value)=>(Array.isArray(value) ? value.length : Object.keys(value).length);
function memberOf(value, name) {if (!isContainer(value)) return undefined;
if (Array.isArray(value)) return /^(0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
return Object.hasOwn(value, name) ? value[name] : undefined;}
function valueAt(value, segments) {for (const name of segments) {value = memberOf(value, name);
if (value===undefined) return undefined;}
return value;}
function copyOf(value) {if (!isContainer(value)) return value;
if (Array.isArray(value)) return value.map(copyOf);
const copy = {};
for (const key of Object.keys(value)) setMember(copy, key, copyOf(value[key]));
return copy;}
function applyOperation(root, path, operation) {switch (operation.op) {case "add": return put(root, path, copyOf(operation.value), true);
case "replace": return put(root, path, copyOf(operation.value), false);
case "remove": return take(root, path);
case "copy": return put(root, path, copyOf(valueAt(root, fromOf(path, operation))), true);
case "move": return operation.from===operation.path ? null : move(root, fromOf(path, operation), path);
default: return null;}}
const fromOf = (path, operation)=>[path[0], ...segmentsOf(operation.from)];
function put(root, path, value, inserts) {const parent = valueAt(root, path.slice(0, -1));
const name = path[path.length - 1];
if (Array.isArray(parent)) {const index = name==="-" ? parent.length : Number(name);
const place = [...path.slice(0, -1), String(index)];
if (inserts) {parent.splice(index, 0, value);
return { did: "insert", path: place, value };}
const old = parent[index];
parent[index] = value;
return { did: "set", path: place, old, value };}
const old = memberOf(parent, name);
setMember(parent, name, value);
return { did: "set", path, old, value };}
function take(root, path) {const parent = valueAt(root, path.slice(0, -1));
const name = path[path.length - 1];
if (Array.isArray(parent)) return { did: "delete", path, old: parent.splice(Number(name), 1)[0] };
const old = memberOf(parent, name);
delete parent[name];
return { did: "unset", path, old };}
function move(root, from, path) {const taken = take(root, from);
const placed = put(root, path, taken.old, true);
return { did: "move", path: placed.path, taken, placed };}
function undo(root, effect) {if (effect.did==="move") {undo(root, effect.placed);
undo(root, effect.taken);
return;}
const parent = valueAt(root, effect.path.slice(0, -1));
const name = effect.path[effect.path.length - 1];
switch (effect.did) {case "insert": parent.splice(Number(name), 1); break;
case "delete": parent.splice(Number(name), 0, effect.old); break;
case "unset": setMember(parent, name, effect.old); break;
default:
if (Array.isArray(parent)) parent[Number(name)] = effect.old;
else if (effect.old===undefined) delete parent[name];
else setMember(parent, name, effect.old);}}
const isWithin = (path, place)=>place.length <= path.length&&place.every((name, at)=>name===path[at]);
function writes({ did, path: place, taken, placed }, path) {if (did==="move") return !isWithin(path, placed.path)&&(writes(placed, path)||writes(taken, pathBefore(placed, path)));
return (isWithin(place, path)&&place.length > path.length)||(did!=="delete"&&isWithin(path, place));}
function pathBefore({ did, path: place, taken, placed }, path) {if (did==="move") {if (isWithin(path, placed.path)) return [...taken.path, ...path.slice(placed.path.length)];
return pathBefore(taken, pathBefore(placed, path));}
const depth = place.length - 1, shift = { insert: -1, delete: 1 }[did];
if (!shift||path.length <= depth||!isWithin(path, place.slice(0, -1))) return path;
const [own, other] = [Number(path[depth]), Number(place[depth])];
return own > other||(own===other&&did==="delete") ? path.with(depth, String(own + shift)) : path;}
const reserved = [0x00, 0x07, 0x08, 0x0a, 0x0d, 0x0e, 0x1b, 0x3c];
function septets(text, length) {const bytes = new Uint8Array(length);
let bits = 0, count = 0, at = 0;
const push = (septet)=>{bits = ((bits << 7) | septet) & 0x3fff;
count += 7;
if (count >= 8&&at < length) {count -= 8;
bytes[at++] = bits >> count;}};
for (let place = 0; place < text.length; place++) {const code = text.charCodeAt(place);
if (code < 0x100) push(code);
else {push(reserved[(code - 0x100) >> 7]);
push((code - 0x100) & 0x7f);}}
return bytes;}
async function unpacked(bytes) {if (!about.packed) return new TextDecoder().decode(bytes);
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
return new Response(stream).text();}
const listed = new Set(["commit", "store", "close", "mark", "abort", "gap", "damage"]);
class Chunk {constructor(index, start, text) {this.index = index;
this.start = start;
this.records = [];
this.rows = [];
this.commits = new Map();
for (const line of text.split("\n")) {if (line==="") continue;
const record = parseLine(line);
const place = this.records.push(record) - 1;
if (!listed.has(record.kind)) continue;
if (record.kind==="commit"||record.kind==="gap") this.commits.set(record.seq, place);
this.rows.push(place);}}
countUpTo(position) {let low = 0, high = this.records.length;
while (low < high) {const middle = (low + high) >> 1;
if (this.records[middle].seq > position) high = middle;
else low = middle + 1;}
return low;}
recordsAfter(seq) {const place = this.commits.get(seq);
if (place===undefined) return [];
let end = place + 1;
while (end < this.records.length&&this.records[end].seq===seq&&this.records[end].kind!=="commit") end++;
return this.records.slice(place + 1, end);}}
class Run {static kept = 10;
static keptBeginnings = 3;
constructor(about, index) {this.about = about;
this.index = index;
this.start = about.start;
this.end = about.end;
this.entries = about.chunks.map(([start, last, rows, commits, bytes, beginningBytes, source])=>({ start, last, rows, commits, bytes, beginningBytes, source: ["whole", "patch", "end"][source] }));
this.rowStarts = [];
let rows = 0;
for (const entry of this.entries) {this.rowStarts.push(rows);
rows += entry.rows;}
this.rowCount = rows;
this.commitCount = this.entries.reduce((sum, entry)=>sum + entry.commits, 0);
this.loaded = new Map();
this.loading = new Map();
this.beginnings = new Map();}
get overview() { return (this.keptOverview ??= new Overview(this)); }
get shortName() {const last = (run)=>run.about.name.split("/").at(-1);
return runs.every((run)=>run===this||last(run)!==last(this)) ? last(this) : this.about.name;}
chunkOf(position) {let low = 0, high = this.entries.length - 1;
while (low < high) {const middle = (low + high + 1) >> 1;
if (this.entries[middle].start < position) low = middle;
else high = middle - 1;}
return low;}
chunkOfRow(row) {let low = 0, high = this.entries.length - 1;
while (low < high) {const middle = (low + high + 1) >> 1;
if (this.rowStarts[middle] <= row) low = middle;
else high = middle - 1;}
return low;}
peek(index) {const chunk = this.loaded.get(index);
if (chunk) {this.loaded.delete(index);
this.loaded.set(index, chunk);}
return chunk;}
async load(index) {const ready = this.peek(index);
if (ready) return ready;
if (!this.loading.has(index)) {this.loading.set(index, this.read(index).finally(()=>this.loading.delete(index)));}
const chunk = await this.loading.get(index);
this.loaded.set(index, chunk);
while (this.loaded.size > Run.kept) this.loaded.delete(this.loaded.keys().next().value);
return chunk;}
async read(index) {const ready = this.loaded.get(index);
if (ready) return ready;
const { start, bytes } = this.entries[index];
return new Chunk(index, start, await this.text("chunk", index, bytes));}
async text(name, index, bytes) {await pageIsRead;
const element = document.getElementById(name + "-" + this.index + "-" + index);
if (!element) throw new Error("the page is not whole: a part of the run is missing");
return unpacked(septets(element.textContent, bytes));}
async beginning(index) {let first = index;
while (this.entries[first].source==="patch"&&!this.beginnings.has(first)) first--;
const kept = this.beginnings.get(first) ?? (this.entries[first].source==="end"&&(await this.ending(first - 1)));
const lines = [];
for (let at = kept ? first + 1 : first; at <= index; at++) {lines.push(this.text("beginning", at, this.entries[at].beginningBytes));}
const root = { "": kept&&copyOf(kept.states) };
let closing = kept&&kept.closing;
for (const line of await Promise.all(lines)) {const step = parseLine(line);
if (step.states) root[""] = step.states;
else for (const operation of step.patch) applyOperation(root, ["", ...segmentsOf(operation.path)], operation);
closing = step.closing;}
if (!this.beginnings.has(index)) this.beginnings.set(index, { states: copyOf(root[""]), closing });
while (this.beginnings.size > Run.keptBeginnings) this.beginnings.delete(this.beginnings.keys().next().value);
return { states: root[""], closing: [...closing] };}
async ending(index) {const chunk = await this.load(index);
const cursor = new Cursor(this);
await cursor.begin(chunk);
while (cursor.count < chunk.records.length) cursor.forward();
return { states: cursor.stores, closing: cursor.closing };}
peekRow(row) {const index = this.chunkOfRow(row);
const chunk = this.peek(index);
return chunk&&chunk.records[chunk.rows[row - this.rowStarts[index]]];}
async rowOf(position) {const index = this.chunkOf(position);
const chunk = await this.load(index);
const place = chunk.commits.get(position);
if (place===undefined) return position <= this.start ? 0 : null;
return this.rowStarts[index] + chunk.rows.indexOf(place);}
async commit(seq) {if (seq <= this.start||seq > this.end) return null;
const chunk = await this.load(this.chunkOf(seq));
const place = chunk.commits.get(seq);
return place===undefined ? null : chunk.records[place];}}
const about = JSON.parse(document.getElementById("about").textContent);
const pageIsRead = new Promise((resolve)=>{if (document.readyState==="loading") document.addEventListener("DOMContentLoaded", resolve, { once: true });
else resolve();});
const runs = about.runs.map((run, index)=>new Run(run, index));
class Cursor {constructor(run) {this.run = run;
this.chunk = null;
this.stores = {};
this.closing = [];
this.effects = [];}
get count() { return this.effects.length; }
get last() { return { record: this.chunk.records[this.count - 1], effect: this.effects.at(-1) }; }
async begin(chunk) {const { states, closing } = await this.run.beginning(chunk.index);
this.chunk = chunk;
this.stores = states;
this.closing = closing;
this.effects = [];}
async moveTo(position) {const chunk = await this.run.load(this.run.chunkOf(position));
if (this.chunk!==chunk) await this.begin(chunk);
const count = chunk.countUpTo(position);
if (this.count - count > count) await this.begin(chunk);
while (this.count < count) this.forward();
while (this.count > count) this.back();}
get position() {return this.count > 0 ? this.last.record.seq : this.chunk.start;}
forward() {const record = this.chunk.records[this.count];
const effect = { closing: this.closing, did: [] };
switch (record.kind) {case "commit":
for (const name of this.closing) effect.did.push(take(this.stores, [name]));
this.closing = [];
for (const operation of record.patch) {const path = [record.store, ...segmentsOf(operation.path)];
const did = applyOperation(this.stores, path, operation);
if (did) effect.did.push({ ...did, operation });}
break;
case "store":
this.closing = this.closing.filter((name)=>name!==record.store);
effect.did.push(put(this.stores, [record.store], copyOf(record.state), true));
break;
case "close":
this.closing = [...this.closing.filter((name)=>name!==record.store), record.store];
break;
case "gap":
case "damage":
if (!record.states) break;
effect.stores = this.stores;
this.stores = copyOf(record.states);
this.closing = [];
break;}
this.effects.push(effect);}
back() {const effect = this.effects.pop();
if (effect.stores) this.stores = effect.stores;
for (let at = effect.did.length - 1; at >= 0; at--) undo(this.stores, effect.did[at]);
this.closing = effect.closing;}}
const rest = ()=>new Promise((resolve)=>setTimeout(resolve, 0));
async function passOver(run, isWanted, look, order = run.entries.keys()) {let pause = performance.now() + 12;
for (const index of order) {if (!isWanted()) return false;
look(run.entries.length <= Run.kept ? await run.load(index) : await run.read(index), index);
if (performance.now() > pause) {await rest();
pause = performance.now() + 12;}}
return isWanted();}
class Overview {static mostLanes = 8;
constructor(run) {this.run = run;
this.sketch = run.about.sketch;
this.stores = [];
this.byName = new Map();
for (const name of this.sketch ? this.sketch.stores : []) this.number(name);
this.storeOf = new Uint16Array(Math.max(0, run.end - run.start) + 1);
this.events = [];
this.isDone = false;}
get columnCount() { return this.sketch&&!this.isDone ? this.sketch.columns.length : Math.max(1, this.storeOf.length); }
forEachCommit(look) {const { sketch, storeOf } = this;
if (!sketch||this.isDone) {for (let at = 1; at < storeOf.length; at++) if (storeOf[at] > 0) look(this.run.start + at, storeOf[at] - 1, 1);
return;}
for (const [position, ...counts] of sketch.columns) counts.forEach((count, store)=>count > 0&&look(position, store, count));}
read(position, changed) { return (this.reading ??= this.readAll(position, changed)); }
async readAll(position, changed) {const near = this.run.chunkOf(position);
const order = [...this.run.entries.keys()].sort((a, b)=>(a&&Math.abs(a - near) + 1) - (b&&Math.abs(b - near) + 1));
await passOver(this.run, ()=>true, (chunk)=>{for (const record of chunk.records) this.note(record);
changed();}, order);
this.isDone = true;
changed();}
note(record) {switch (record.kind) {case "commit":
this.storeOf[record.seq - this.run.start] = this.number(record.store) + 1;
break;
case "store": this.number(record.store); break;
case "mark": case "abort": case "gap": case "damage":
if (this.events.length < 20000) this.events.push(record);
break;}}
number(name) {let number = this.byName.get(name);
if (number===undefined) {number = Math.min(this.stores.length, 65000);
this.byName.set(name, number);
if (this.stores.length <= 65000) this.stores.push(name);}
return number;}}
class Filter {constructor({ text = "", path = "", label = "", stores = [], kind = "" } = {}) {this.text = text.trim().toLowerCase();
const isPath = /^[./]?[\p{L}_][^\s]*[./[]/u.test(this.text)||/^[./][\p{L}_]/u.test(this.text);
this.pointer = isPath ? Filter.pointer(this.text) : this.text;
this.path = path.trim()==="" ? null : segmentsOf(Filter.pointer(path.trim()));
this.label = label.trim().toLowerCase();
this.stores = new Set(stores);
this.kind = kind;}
static pointer(text) {if (text.startsWith("/")) return text;
if (text.includes("/")) return "/" + text;
const names = text.replace(/^\./, "").replaceAll(/\[(?:(\d+)|"([^"]*)")\]/g, ".$1$2");
return "/" + names.replaceAll(/\.+/g, "/");}
get isEmpty() {return !this.text&&!this.path&&!this.label&&this.stores.size===0&&!this.kind;}
matches(record, effects = []) {if (this.kind&&record.kind!==this.kind) return false;
if (this.stores.size > 0&&!this.stores.has(record.store)) return false;
if (this.label&&!(labelOf(record) + " " + placeText(record.at)).toLowerCase().includes(this.label)) return false;
if (this.path&&!this.touches(record)) return false;
return !this.text||this.says(record)||effects.some((effect)=>this.isFiring(effect));}
touches(record) {if (record.kind==="store"||record.kind==="close") return this.meets([record.store]);
if (record.kind==="gap") return true;
if (record.kind!=="commit") return false;
return record.patch.some((operation)=>{const path = [record.store, ...segmentsOf(operation.path)];
if (this.meets(path)) return true;
if (operation.op==="move"&&this.meets([record.store, ...segmentsOf(operation.from)])) return true;
const shifts = operation.op!=="replace"&&/^(-|\d+)$/.test(path[path.length - 1]);
return shifts&&this.meets(path.slice(0, -1));});}
meets(path) {const count = Math.min(path.length, this.path.length);
for (let at = 0; at < count; at++) {if (this.path[at]!=="*"&&this.path[at]!==path[at]) return false;}
return true;}
says(record) {const found = (value)=>this.found(value);
const { store, name, at, action, text, error, reason, patch, state, seq } = record;
if (String(seq)===this.text) return true;
if (placeText(at).toLowerCase().includes(this.text)) return true;
if ([store, name, at&&at.function, text, reason].some(found)) return true;
if (found(action)||found(error)||found(state)) return true;
return (patch||[]).some((operation)=>{const path = ("/" + store + operation.path).toLowerCase();
return path.includes(this.text)||path.includes(this.pointer)||found(operation.value)||found(operation.old);});}
isFiring({ kind, derived }) {if (kind!=="outcome") return false;
return derived.some(({ name, outcome, value })=>outcome==="fired"&&(this.found(name)||this.found(value)));}
found(value) {if (typeof value==="string") return value.toLowerCase().includes(this.text);
if (typeof value==="number") return String(value).includes(this.text);
if (value instanceof NumberText) return value.text.toLowerCase().includes(this.text);
if (!isContainer(value)) return false;
if (Array.isArray(value)) return value.some((part)=>this.found(part));
return Object.keys(value).some((key)=>key.toLowerCase().includes(this.text)||this.found(value[key]));}}
class Writers {constructor(run, position, path) {this.position = position;
this.path = path;
this.cursor = new Cursor(run);
this.isDone = false;
this.move = null;}
async next() {const { cursor } = this;
if (!cursor.chunk) await cursor.moveTo(this.position);
while (!this.isDone) {while (cursor.count > 0) {const { path } = this, { record, effect } = cursor.last;
const after = valueAt(cursor.stores, path);
const written = effect.stores ? { path } : this.undo(record, effect.did);
cursor.back();
if (!written) continue;
const before = written.isInserted ? undefined : valueAt(cursor.stores, this.path);
this.isDone = before===undefined;
return { record, path, written, after: copyOf(after), before: copyOf(before) };}
if (cursor.chunk.index===0) this.isDone = true;
else await cursor.moveTo(cursor.chunk.start);}
return null;}
undo(record, effects) {let written = null;
for (const effect of effects.toReversed()) {const { path } = this;
if (!written&&writes(effect, path)) {written = { path, operation: effect.operation, isInserted: effect.did==="insert"&&isWithin(path, effect.path) };}
this.path = pathBefore(effect, path);
if (!written&&path!==this.path&&pointer(path)!==pointer(this.path)) this.noteMove(record, effect, path);}
return written;}
noteMove(record, { did, taken }, path) {const newest = this.move ?? { record, path, isRecorded: true };
this.move = { ...newest, isRecorded: newest.isRecorded&&did==="move"&&isWithin(this.path, taken.path) };}
goOn(path) {this.path = path;
this.isDone = false;}}
class Origins {static mostHops = 32;
static mostPlaces = 20;
constructor(run, position, path) {this.run = run;
this.position = position;
this.path = path;
this.cursor = new Cursor(run);}
async stateAt(position) {await this.cursor.moveTo(position);
return this.cursor.position===position ? this.cursor.stores : undefined;}
async follow() {const hops = [];
const add = (hop)=>hops.length < Origins.mostHops&&hops.push(hop) > 0;
const further = { hops, end: "The value goes further back." };
let writers = new Writers(this.run, this.position, this.path);
this.value = valueAt(await this.stateAt(this.position), this.path);
while (true) {const found = await writers.next();
if (found&&(await this.isWrittenAgain(found))) {writers.goOn(found.written.path);
continue;}
const { move } = writers;
if (move&&!add({ path: move.path, record: move.record, how: "moved", basis: move.isRecorded ? "recorded" : "inferred" })) return further;
if (!found) return { hops, end: "It was there when this page begins, at " + this.run.start + "." };
const { record, written } = found;
const { next, ...source } = await this.source(record, written);
if (!add({ path: written.path, record, ...source })) return further;
if (!next) return { hops, end: record.kind==="gap" ? "It was written by a commit that was lost." : "" };
writers = new Writers(this.run, next.position, next.path);}}
async isWrittenAgain({ record, written: { path, operation } }) {if (record.kind!=="commit") return false;
const before = await this.stateAt(record.seq - 1);
if (!isSame(valueAt(before, path), this.value)) return false;
const place = operation&&[record.store, ...segmentsOf(operation.path)];
if (place&&["add", "copy"].includes(operation.op)&&Array.isArray(valueAt(before, place.slice(0, -1)))) return false;
return isSame(valueAt(await this.stateAt(record.seq), path), this.value);}
async source(record, { operation, path }) {if (record.kind!=="commit") return record.kind==="store" ? { how: "initial", basis: "recorded" } : { how: "written", basis: "inferred" };
if (isTrivial(this.value)) return { how: "written", basis: "recorded" };
const payload = record.action&&record.action.payload;
if (payload!==undefined&&placesOf(this.value, payload, 1).length > 0) return { how: "payload", basis: "recorded" };
for (const next of Origins.recordedPlaces(record, operation, path)) {if (next.position < this.run.start) continue;
if (isSame(valueAt(await this.stateAt(next.position), next.path), this.value)) return { how: "copied", basis: "recorded", next };}
const wholes = this.wholes(record, operation, path);
const caused = await this.fromCause(record, wholes);
if (caused) return caused;
const stores = await this.stateAt(record.seq - 1);
return Origins.taken(wholes, "inferred", record.seq - 1, (value, most)=>placesOf(value, stores, most))
?? { how: "computed", basis: "inferred" };}
static recordedPlaces(record, operation, path) {const places = [];
if (record.undoes > 0&&record.undoes < record.seq) places.push({ path, position: record.undoes - 1 });
if (operation&&operation.op==="copy") {const to = segmentsOf(operation.path).length + 1;
places.push({ path: [record.store, ...segmentsOf(operation.from), ...path.slice(to)], position: record.seq - 1 });}
return places;}
wholes(record, operation, path) {let rest = operation ? path.slice(segmentsOf(operation.path).length + 1) : [];
if (!operation||!["add", "replace"].includes(operation.op)||rest.length===0) return [{ value: this.value, rest: [] }];
const wholes = [{ value: operation.value, rest }];
for (let value = operation.value; rest.length > 0; rest = rest.slice(1)) {value = memberOf(value, rest[0]);
if (value===undefined) break;
wholes.push({ value, rest: rest.slice(1) });}
return wholes;}
async fromCause(record, wholes) {const { cause } = record;
if (!Number.isInteger(cause)||cause >= record.seq) return null;
const causing = await this.run.commit(cause);
if (!causing||causing.kind!=="commit") return null;
const stores = await this.stateAt(cause);
const written = causing.patch.map(({ path })=>[causing.store, ...segmentsOf(path)])
.map((path)=>({ path, value: valueAt(stores, path) })).filter(({ value })=>value!==undefined);
return Origins.taken(wholes, "recorded", cause, (value, most) =>
written.flatMap((part)=>placesOf(value, part.value, most).map((path)=>[...part.path, ...path])).slice(0, most));}
static taken(wholes, basis, position, places) {for (const { value, rest } of wholes) {if (isTrivial(value)) continue;
const found = places(value, Origins.mostPlaces).map((path)=>[...path, ...rest]);
if (found.length===1) return { how: "copied", basis, next: { path: found[0], position } };
if (found.length > 1) return { how: "written", basis, candidates: found, before: position };}
return null;}}
function isTrivial(value) {if (isContainer(value)) return sizeOf(value)===0;
if (typeof value==="string") return value.length <= 4&&new TextEncoder().encode(value).length <= 4;
return value===null||typeof value==="boolean"||[-1, 0, 1].some((number)=>isSame(value, number));}
function isSame(left, right) {if (left===right) return true;
if (!isContainer(left)||!isContainer(right)) {const isNumber = (value)=>typeof value==="number"||value instanceof NumberText;
return isNumber(left)&&isNumber(right)&&Sides.isEqual(left, right);}
if (Array.isArray(left)!==Array.isArray(right)||sizeOf(left)!==sizeOf(right)) return false;
return Object.keys(left).every((name)=>Object.hasOwn(right, name)&&isSame(left[name], right[name]));}
function placesOf(value, whole, most) {const found = [];
const look = (part, path)=>{if (found.length >= most) return;
if (isSame(part, value)) found.push(path);
else if (Array.isArray(part)) part.forEach((element, index)=>look(element, [...path, String(index)]));
else if (isContainer(part)) for (const name of sortedKeys(part)) look(part[name], [...path, name]);};
look(whole, []);
return found;}
const byId = (id)=>document.getElementById(id);
const isNarrow = ()=>matchMedia("screen and (max-width: 900px)").matches;
function element(name, properties = {}, ...children) {const made = document.createElement(name);
for (const [key, value] of Object.entries(properties)) {if (value===undefined||value===null||value===false) continue;
if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
else if (key==="class") made.className = value;
else made.setAttribute(key, value===true ? "" : value);}
for (const child of children.flat()) {if (child===undefined||child===null||child===false) continue;
made.append(child instanceof Node ? child : document.createTextNode(visible(child)));}
return made;}
const span = (name, ...children)=>element("span", { class: name }, ...children);
const button = (label, action, properties = {}) =>
element("button", { type: "button", onclick: action, ...properties }, label);
function jumpLink(run, position, text, path = "") {return element("a", { href: hashOf(run, position, path), class: "jump" }, text);}
function hashOf(run, position, path = "") {return "#" + (runs.length > 1 ? run.index + 1 + ":" : "") + position + encodeURI(path).replaceAll("#", "%23");}
function traceLink({ trace, span: own }) {if (typeof trace!=="string") return null;
const text = "trace " + preview(trace, 64).slice(1, -1);
if (!about.traceURL) return span("dim", text);
const part = (id)=>()=>encodeURIComponent(typeof id==="string" ? id : "");
const href = about.traceURL.replaceAll("{trace}", part(trace)).replaceAll("{span}", part(own));
return element("a", { class: "place", href, target: "_blank", rel: "noopener noreferrer" }, text);}
function placeLink(at, text = placeText(at)) {if (!text) return null;
if (!about.sourceURL||!at||typeof at.file!=="string") return span("place", text);
const path = about.sources&&Object.hasOwn(about.sources, at.file) ? about.sources[at.file] : at.file;
const file = path.split("/").map(encodeURIComponent).join("/");
const href = about.sourceURL.replaceAll("{file}", ()=>file).replaceAll("{line}", String(Number(at.line)||1));
return element("a", { class: "place", href, target: "_blank", rel: "noopener noreferrer" }, text);}
function excerpt(at) {const parts = at&&about.excerpts&&Object.hasOwn(about.excerpts, at.file) ? about.excerpts[at.file] : [];
for (const [first, text] of parts) {const lines = text.split("\n");
const place = at.line - first;
if (!(place >= 0&&place < lines.length)) continue;
const from = Math.max(0, place - 5);
return element("pre", { class: "source" }, ...lines.slice(from, place + 6).map((line, index) =>
element("span", { class: from + index===place&&"here" }, span("seq", String(first + from + index)), line)));}
return null;}
function placeOf(location) {const found = /^(.*?)(?::(\d+))?$/s.exec(location);
return { file: found[1], line: found[2]&&Number(found[2]) };}
function copyButton(label, text, title = "Copy") {return button(label, ()=>copy(typeof text==="function" ? text() : text), { class: "copy", title });}
async function copy(text) {try {await navigator.clipboard.writeText(text);} catch {const area = element("textarea", { class: "offscreen" });
area.value = text;
document.body.append(area);
area.select();
document.execCommand("copy");
area.remove();}
toast("Copied: " + (text.length > 90 ? text.slice(0, 90) + "…" : text));}
let toastTimer = 0;
function toast(text, duration = 2200) {byId("toast").textContent = visible(text);
byId("toast").classList.add("shown");
clearTimeout(toastTimer);
toastTimer = setTimeout(()=>byId("toast").classList.remove("shown"), duration);}
function effectOf({ op, old, value, from }) {switch (op) {case "add": return span("effect", span("added", "+ ", element("span", {}, value)));
case "remove": return span("effect", span("removed", "− ", element("span", {}, old===undefined ? "removed" : old)));
case "move": case "copy": return span("effect", span("changed", op==="move" ? "moved from " : "copied from ", from));
default:
return old===undefined
? span("effect", span("added", "is now ", element("span", {}, value)))
: span("effect", span("removed", old), span("arrow", " → "), span("added", value));}}
class TimelineView {static head = 16;
constructor(page) {this.page = page;
this.canvas = byId("canvas");
this.context = this.canvas.getContext("2d");
const scrub = (event)=>{const box = this.canvas.getBoundingClientRect();
const part = (event.clientX - box.left) / box.width;
page.moveTo(Math.round(this.run.start + part * (this.run.end - this.run.start)), { isQuick: true });};
this.canvas.addEventListener("pointerdown", (event)=>{this.canvas.setPointerCapture(event.pointerId);
scrub(event);});
this.canvas.addEventListener("pointermove", (event)=>{if (this.canvas.hasPointerCapture(event.pointerId)) scrub(event);});
new ResizeObserver(()=>this.draw(true)).observe(this.canvas);}
get run() { return this.page.run; }
get laneHeight() { return isNarrow() ? 12 : 14; }
get laneCount() { return Math.max(1, Math.min(isNarrow() ? 5 : Overview.mostLanes, this.page.overview.stores.length)); }
laneOf(store) { return Math.min(store, this.laneCount - 1); }
colorOf(lane) { return getComputedStyle(document.documentElement).getPropertyValue("--lane-" + lane).trim(); }
label() {const { stores } = this.page.overview;
const names = stores.slice(0, this.laneCount);
const key = names.join("\n") + stores.length + [...this.page.chosen].join("\n");
byId("lanes").style.setProperty("--lane-height", this.laneHeight + "px");
if (key===this.labelled) return;
this.labelled = key;
byId("lanes").replaceChildren(...names.map((name, lane)=>{const isLast = lane===this.laneCount - 1&&stores.length > this.laneCount;
const label = isLast ? stores.length - lane + " stores" : name;
const made = button(label, ()=>this.page.choose(name), {class: "lane lane-" + lane,"aria-pressed": String(this.page.chosen.has(name)),disabled: isLast,title: isLast ? "These stores share a lane" : "List the commits of this store only",});
return made;}));}
x(position) {const length = Math.max(1, this.run.end - this.run.start);
return ((position - this.run.start) / length) * this.width;}
draw(isNew) {const lanes = this.laneCount;
const height = TimelineView.head + lanes * this.laneHeight + 2;
const box = this.canvas.getBoundingClientRect();
const ratio = window.devicePixelRatio||1;
this.canvas.style.height = height + "px";
if (box.width===0) return;
this.width = box.width;
this.height = height;
if (isNew||!this.isDrawn) {this.isDrawn = true;
this.label();
this.canvas.width = Math.round(box.width * ratio);
this.canvas.height = Math.round(height * ratio);
this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
this.drawRun();}
byId("cursor").style.left = (this.x(this.page.position) / this.width) * 100 + "%";}
drawRun() {const style = getComputedStyle(document.documentElement);
const color = (name)=>style.getPropertyValue("--" + name).trim();
this.drawFindings(color);
this.drawLanes(color);
for (const record of this.page.overview.events) this.drawEvent(record, color);}
drawFindings(color) {const bad = this.run.about.findings.filter((finding)=>finding.tone==="bad"&&finding.position!==undefined);
const ground = new Path2D();
this.context.fillStyle = color("bad");
for (const { position, last } of bad) {const [from, to] = [this.x(position), this.x(last ?? position)];
ground.rect(from, 0, Math.max(2, to - from), this.height);
this.context.fillRect(from, 0, 1.5, this.height);}
this.context.globalAlpha = 0.1;
this.context.fill(ground);
this.context.globalAlpha = 1;}
drawLanes(color) {const { overview } = this.page;
const columns = Math.max(1, Math.floor(this.width));
const lanes = this.laneCount;
const counts = new Uint32Array(columns * lanes);
let most = 1;
overview.forEachCommit((position, store, count)=>{const place = Math.min(columns - 1, Math.floor(this.x(position))) * lanes + this.laneOf(store);
counts[place] += count;
if (counts[place] > most) most = counts[place];});
const tick = Math.max(1, Math.min(6, this.width / overview.columnCount - 1));
for (let lane = 0; lane < lanes; lane++) {const top = TimelineView.head + lane * this.laneHeight;
this.context.fillStyle = color("line");
this.context.fillRect(0, top + this.laneHeight - 2, this.width, 0.5);
this.context.fillStyle = this.colorOf(lane);
for (let column = 0; column < columns; column++) {const count = counts[column * lanes + lane];
if (count===0) continue;
this.context.globalAlpha = most===1 ? 0.9 : 0.35 + 0.65 * (Math.log(count + 1) / Math.log(most + 1));
this.context.fillRect(column - tick / 2, top + 1, tick, this.laneHeight - 4);}
this.context.globalAlpha = 1;}}
drawEvent(record, color) {const at = this.x(record.seq);
const context = this.context;
if (record.kind==="gap"||record.kind==="damage") {const from = this.x(record.kind==="gap" ? record.first - 1 : record.last);
context.fillStyle = color("unknown");
context.globalAlpha = 0.4;
context.fillRect(from, TimelineView.head, Math.max(3, at - from), this.height);
context.globalAlpha = 1;} else if (record.kind==="abort") {context.fillStyle = color("bad");
context.fillRect(at - 2, 9, 4, 4);} else {context.fillStyle = record.level==="error" ? color("bad") : record.level==="warning" ? color("warn") : color("mark");
context.beginPath();
context.moveTo(at - 3.5, 2);
context.lineTo(at + 3.5, 2);
context.lineTo(at, 9);
context.fill();}}}
class ListView {static rowHeight = 44;
static mostHeight = 6_000_000;
constructor(page) {this.page = page;
this.scroller = byId("list");
this.holder = byId("rows");
this.matches = null;
this.selected = -1;
this.scroller.addEventListener("scroll", ()=>this.render());
this.scroller.addEventListener("keydown", (event)=>this.press(event));
let wasHidden = true;
new ResizeObserver(()=>{const isHidden = this.scroller.clientHeight===0;
const isLeft = this.scroller.scrollTop===this.shownAt;
if (!isHidden&&this.selected >= 0&&(wasHidden||isLeft)) this.show(this.indexOf(this.selected), wasHidden);
wasHidden = isHidden;
this.render();}).observe(this.scroller);}
get run() { return this.page.run; }
get count() { return this.matches ? this.matches.length : this.run.rowCount; }
rowAt(index) { return this.matches ? this.matches[index] : index; }
indexOf(row) {if (!this.matches) return row;
let low = 0, high = this.matches.length;
while (low < high) {const middle = (low + high) >> 1;
if (this.matches[middle] < row) low = middle + 1;
else high = middle;}
return low;}
get visibleCount() { return Math.max(1, Math.floor(this.scroller.clientHeight / ListView.rowHeight)); }
get height() { return Math.min(ListView.mostHeight, this.count * ListView.rowHeight); }
get top() {const room = this.height - this.scroller.clientHeight;
if (room <= 0) return 0;
const last = this.count - this.scroller.clientHeight / ListView.rowHeight;
return (this.scroller.scrollTop / room) * last;}
setHeight() {const height = this.height + "px";
if (this.holder.style.height!==height) this.holder.style.height = height;}
show(index, isCentred) {this.setHeight();
const visible = this.scroller.clientHeight / ListView.rowHeight;
if (isCentred||index < this.top||index + 1 > this.top + visible) {const first = Math.max(0, isCentred||index < this.top ? index - visible / 3 : index - visible * 0.66);
const last = Math.max(1, this.count - visible);
this.scroller.scrollTop = (Math.min(first, last) / last) * Math.max(0, this.height - this.scroller.clientHeight);}
this.shownAt = this.scroller.scrollTop;}
async select(row, isCentred) {this.selected = row;
if (row!==null&&row >= 0) this.show(this.indexOf(row), isCentred);
this.render();}
render() {this.setHeight();
const { count, top } = this;
const { scrollTop } = this.scroller;
const first = Math.max(0, Math.floor(top) - 2);
const last = Math.min(count, Math.ceil(top + this.scroller.clientHeight / ListView.rowHeight) + 2);
const rows = [];
const missing = new Set();
for (let index = first; index < last; index++) {const row = this.rowAt(index);
const record = this.run.peekRow(row);
if (!record) missing.add(this.run.chunkOfRow(row));
const made = this.row(record, row, index);
made.style.transform = "translateY(" + (scrollTop + (index - top) * ListView.rowHeight) + "px)";
rows.push(made);}
this.holder.replaceChildren(...rows);
const active = this.holder.querySelector("[aria-selected=true]");
if (active) this.scroller.setAttribute("aria-activedescendant", active.id);
else this.scroller.removeAttribute("aria-activedescendant");
for (const chunk of missing) this.run.load(chunk).then(()=>this.renderSoon());}
renderSoon() {cancelAnimationFrame(this.frame);
this.frame = requestAnimationFrame(()=>this.render());}
row(record, row, index) {const isSelected = row===this.selected;
const made = element("div",{class: "row", id: "row-" + row, role: "option","aria-selected": String(isSelected), "aria-posinset": index + 1, "aria-setsize": this.count,onclick: ()=>this.page.chooseRow(row),},...(record ? this.parts(record) : [span("dim", "…")]));
if (record&&record.seq > this.page.position) made.classList.add("later");
return made;}
parts(record) {switch (record.kind) {case "commit":
return [
element("div", { class: "line" },span("seq", String(record.seq)), span("label", labelOf(record)||"(no name)"),record.cause!==undefined&&span("cause", "← " + record.cause), span("clock", clock(record.time))),element("div", { class: "line" },span("store lane-" + this.page.laneOf(record.store), record.store), this.summary(record)),];
case "mark":
return this.event(record, "mark", record.text, record.level);
case "abort":
return this.event(record, "aborted", labelOf(record) + " · " + preview(record.error), "error");
case "gap":
return this.event(record, "gap", counted(record.lost, "commit") + " lost: " + record.reason, "unknown");
case "damage":
return this.event(record, "damage", "what followed commit " + record.last + " could not be read", "unknown");
default:
return this.event(record, record.kind==="store" ? "opened" : "closed", record.store, "quiet");}}
event(record, word, text, level = "info") {return [
element("div", { class: "line" }, span("seq", String(record.seq)), span("word " + level, word), span("label", text)),element("div", { class: "line" }, span("dim", placeText(record.at)), span("clock", clock(record.time))),];}
summary(record) {const { store } = record;
const patch = record.patch.filter(({ op })=>op!=="test");
if (patch.length===0) return span("dim", "changed nothing");
const path = (operation)=>"/" + store + operation.path;
if (patch.length > 1) return span("paths", ...patch.slice(0, 6).map((operation)=>element("span", {}, path(operation))), patch.length > 6&&" …");
const [{ op, old, value, from }] = patch;
const text = (value)=>(value===undefined ? undefined : preview(value, 40));
return span("paths", element("span", {}, path(patch[0])), " ", effectOf({ op, old: text(old), value: text(value), from }));}
press(event) {const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: this.visibleCount, PageUp: -this.visibleCount };
const step = steps[event.key];
if (step===undefined||event.ctrlKey||event.metaKey||event.altKey) return;
event.preventDefault();
event.stopPropagation();
this.go(step);}
go(step) {if (this.count===0) return;
let index = this.indexOf(Math.max(0, this.selected ?? 0));
const isListed = this.rowAt(Math.min(index, this.count - 1))===this.selected;
if (!isListed&&step > 0) index -= 1;
index = Math.max(0, Math.min(this.count - 1, index + step));
this.page.chooseRow(this.rowAt(index));}
async filter(filter) {const pass = (this.pass = Symbol());
if (filter.isEmpty) {this.matches = null;
this.page.reportCount(null);
this.render();
return;}
this.matches = [];
let reported = 0;
const isDone = await passOver(this.run, ()=>this.pass===pass, (chunk, index)=>{chunk.rows.forEach((place, at)=>{const record = chunk.records[place];
if (filter.matches(record, filter.text&&record.kind==="commit" ? chunk.recordsAfter(record.seq) : [])) this.matches.push(this.run.rowStarts[index] + at);});
if (performance.now() - reported > 100) {reported = performance.now();
this.page.reportCount(this.matches.length, true);
this.render();}});
if (!isDone) return;
this.page.reportCount(this.matches.length);
this.render();}}
const nameOf = (name)=>(name==="" ? '""' : name);
class TreeView {static portion = 100;
constructor(page) {this.page = page;
this.holder = byId("tree");
this.open = new Map();
this.limits = new Map();
this.selected = "";
this.changes = new Map();
this.removed = new Map();
this.touched = new Set();
this.holder.addEventListener("click", (event)=>this.click(event));
this.holder.addEventListener("keydown", (event)=>this.press(event));
new ResizeObserver(()=>isNarrow()||this.reveal(this.changedNodes, true)).observe(this.holder);
byId("fold").addEventListener("click", ()=>{this.open.clear();
this.limits.clear();
this.render();});}
light(effect) {this.changes.clear();
this.removed.clear();
this.touched.clear();
for (const did of effect ? effect.did : []) this.note(did);}
note(did) {if (did.did==="move") {this.mark(did.placed.path, { kind: "moved", from: pointer(did.taken.path) });
return;}
const parent = pointer(did.path.slice(0, -1));
if (did.did==="delete"||did.did==="unset") {if (!this.removed.has(parent)) this.removed.set(parent, []);
this.removed.get(parent).push({ name: did.path[did.path.length - 1], old: did.old });
this.touch(did.path.slice(0, -1));} else if (did.did==="insert"||did.old===undefined) {this.mark(did.path, { kind: "added" });} else {this.mark(did.path, { kind: "replaced", old: did.old });}}
mark(path, change) {const known = this.changes.get(pointer(path));
if (known&&known.kind==="replaced"&&change.kind==="replaced") change.old = known.old;
this.changes.set(pointer(path), change);
this.touch(path.slice(0, -1));}
touch(path) {for (let count = 0; count <= path.length; count++) this.touched.add(pointer(path.slice(0, count)));}
isOpen(path, value, depth) {const chosen = this.open.get(path);
if (chosen!==undefined) return chosen;
const { sides } = this.page;
if (this.touched.has(path)||(sides&&sides.above.has(path))) return true;
return depth < 1||(depth===1&&sizeOf(value) <= 12);}
render() {const rows = [];
const stores = this.page.cursor.stores;
this.children(stores, "", 0, rows);
if (rows.length===0) rows.push(element("p", { class: "dim" }, "No store is open here."));
const scroll = this.holder.scrollTop;
this.holder.replaceChildren(...rows);
this.holder.scrollTop = scroll;
this.mind();}
children(value, path, depth, rows) {const isArray = Array.isArray(value);
const names = isArray ? null : sortedKeys(value);
const count = isArray ? value.length : names.length;
const limit = this.limits.get(path) ?? TreeView.portion;
const shown = this.shownOf(count, limit, path, names);
let last = -1;
for (const at of shown) {if (at > last + 1) rows.push(this.more(path, depth, at - last - 1));
last = at;
const name = isArray ? String(at) : names[at];
this.row(name, isArray ? value[at] : value[name], path + pointer([name]), depth, rows, isArray);}
if (count > last + 1) rows.push(this.more(path, depth, count - last - 1));
for (const { name, old } of this.removed.get(path) ?? []) rows.push(this.ghost(name, old, depth, isArray));
const { sides } = this.page;
for (const { name, other } of (sides&&sides.missing.get(path)) ?? []) rows.push(this.missing(name, other, depth, isArray));}
shownOf(count, limit, path, names) {const places = [];
for (let at = 0; at < Math.min(count, limit); at++) places.push(at);
if (count <= limit) return places;
const isWanted = (at)=>{const own = path + pointer([names ? names[at] : String(at)]);
const { sides } = this.page;
return this.touched.has(own)||this.changes.has(own)||(sides&&(sides.differences.has(own)||sides.above.has(own)))||this.selected===own||this.selected.startsWith(own + "/");};
for (let at = limit; at < count&&places.length < limit + 200; at++) if (isWanted(at)) places.push(at);
return places;}
row(name, value, path, depth, rows, isElement) {const change = this.changes.get(path);
const { sides } = this.page;
const differs = sides&&sides.differences.has(path);
const isBranch = isContainer(value)&&sizeOf(value) > 0;
const isOpen = isBranch&&this.isOpen(path, value, depth);
const made = element("div",{class: "node" + (change ? " lit " + change.kind : this.touched.has(path) ? " touched" : "") + (differs ? " differs" : ""),role: "treeitem", "aria-level": depth + 1, "aria-selected": String(path===this.selected),"aria-expanded": isBranch ? String(isOpen) : undefined, "data-path": path,},span("twist"), span(isElement ? "index" : "name", nameOf(name)));
made.style.setProperty("--depth", depth);
made.append(...this.valueParts(value, change, isOpen));
if (differs) made.append(this.otherValue(sides.differences.get(path)));
rows.push(made);
if (isOpen) this.children(value, path, depth + 1, rows);}
valueParts(value, change, isOpen) {const parts = [];
if (change&&change.kind==="replaced") parts.push(span("old", preview(change.old, 60)), span("arrow", "→"));
if (isContainer(value)) {const size = sizeOf(value);
const text = Array.isArray(value) ? counted(size, "element") : counted(size, "member");
if (size===0) parts.push(span("value", Array.isArray(value) ? "[]" : "{}"));
else parts.push(span("size", isOpen ? text : preview(value, 90)));
if (value.$redacted!==undefined&&size===1) return [span("redacted", "redacted " + preview(value.$redacted, 20))];} else {const kind = value===null ? "null" : value instanceof NumberText ? "number" : typeof value;
parts.push(span("value " + kind, preview(value, 400)));}
if (change&&change.kind==="moved") parts.push(span("dim", "moved from " + change.from));
return parts;}
ghost(name, old, depth, isElement) {const made = element("div", { class: "node ghost", role: "treeitem", "aria-level": depth + 1, "aria-disabled": "true" },span("twist"), span(isElement ? "index" : "name", nameOf(name)), span("old", preview(old, 100)), span("dim", "removed"));
made.style.setProperty("--depth", depth);
return made;}
otherValue(value) {const { shortName } = this.page.sides.other;
return span("other", shortName + (value===undefined ? " lacks it" : ": "), value!==undefined&&element("span", {}, preview(value, 100)));}
missing(name, other, depth, isElement) {const made = element("div", { class: "node differs", role: "treeitem", "aria-level": depth + 1, "aria-disabled": "true" },span("twist"), span(isElement ? "index" : "name", nameOf(name)), span("dim", "not here"), this.otherValue(other));
made.style.setProperty("--depth", depth);
return made;}
more(path, depth, count) {const made = element("div", { class: "node more", "data-more": path }, grouped(count) + " more …");
made.style.setProperty("--depth", depth);
return made;}
click(event) {const node = event.target.closest(".node");
if (!node) return;
if (node.dataset.more!==undefined) {this.limits.set(node.dataset.more, (this.limits.get(node.dataset.more) ?? TreeView.portion) * 4);
this.render();} else if (node.dataset.path!==undefined) {if (event.target.closest(".twist")) this.toggle(node);
else this.page.selectMember(node.dataset.path);}}
toggle(node) {if (!node.hasAttribute("aria-expanded")) return;
this.open.set(node.dataset.path, node.getAttribute("aria-expanded")!=="true");
this.render();}
get node() { return [...this.holder.children].find((node)=>node.dataset.path===this.selected); }
reveal(nodes, isStill = false) {const top = scrollY;
for (const node of [nodes.at(-1), nodes[0]]) if (node) node.scrollIntoView({ block: "nearest" });
if (isStill) scrollTo(0, top);}
get changedNodes() {const nodes = [...this.holder.querySelectorAll(".lit, .ghost")];
return nodes.length > 0 ? nodes : [...this.holder.querySelectorAll(".touched")].slice(-1);}
has(path) {const segments = segmentsOf(path);
const removed = this.removed.get(pointer(segments.slice(0, -1))) ?? [];
return valueAt(this.page.cursor.stores, segments)!==undefined||removed.some(({ name })=>name===segments.at(-1));}
select(path) {this.selected = path;
const segments = segmentsOf(path);
for (let count = 1; count < segments.length; count++) this.open.set(pointer(segments.slice(0, count)), true);
this.render();}
mind() {const { node } = this;
if (node) {node.id = "node-chosen";
this.holder.setAttribute("aria-activedescendant", "node-chosen");} else {this.holder.removeAttribute("aria-activedescendant");}}
press(event) {if (event.ctrlKey||event.metaKey||event.altKey) return;
const nodes = [...this.holder.children].filter((node)=>node.dataset.path!==undefined);
const at = nodes.findIndex((node)=>node.dataset.path===this.selected);
const node = nodes[at];
const isOpen = node&&node.getAttribute("aria-expanded");
let target;
switch (event.key) {case "ArrowDown": target = nodes[at + 1]; break;
case "ArrowUp": target = nodes[Math.max(0, at - 1)]; break;
case "Enter": if (node) this.toggle(node); break;
case "ArrowRight":
if (isOpen==="false") this.toggle(node);
else if (isOpen==="true") target = nodes[at + 1];
break;
case "ArrowLeft":
if (isOpen==="true") this.toggle(node);
else if (node) target = nodes.find((other)=>other.dataset.path===pointer(segmentsOf(this.selected).slice(0, -1)));
break;
default: return;}
event.preventDefault();
event.stopPropagation();
if (target) this.page.selectMember(target.dataset.path);}}
class Sides {static most = 200;
constructor(page) {this.page = page;
this.cursors = new Map();
this.commits = new Map();
this.steps = new Map();
this.forget();}
forget() {this.position = null;
this.differences = new Map();
this.missing = new Map();
this.above = new Set();}
get other() { return runs[1 - this.page.run.index]; }
get isReady() { return this.steps.size===runs.length; }
async read() {for (const run of runs) {await run.overview.read(this.page.position, ()=>this.page.drawSoon());
const stores = new Map(run.overview.stores.map((name)=>[name, []]));
const { storeOf, stores: names } = run.overview;
for (let at = 1; at < storeOf.length; at++) if (storeOf[at]) stores.get(names[storeOf[at] - 1]).push(run.start + at);
this.commits.set(run, stores);}
for (const run of runs) this.steps.set(run, this.stepsOf(run));
await this.page.moveTo(this.page.position, { isStill: true });}
of(run, store) { return this.commits.get(run).get(store) ?? []; }
static countUpTo(position, commits) {let low = 0, high = commits.length;
while (low < high) {const middle = (low + high) >> 1;
if (commits[middle] > position) high = middle;
else low = middle + 1;}
return low;}
partner(run, seq) {const name = run.overview.stores[run.overview.storeOf[seq - run.start] - 1];
return name===undefined ? undefined : this.of(runs[1 - run.index], name)[Sides.countUpTo(seq, this.of(run, name)) - 1];}
stepsOf(run) {const steps = new Float64Array(run.overview.storeOf.length);
steps[0] = runs[1 - run.index].start;
for (let at = 1; at < steps.length; at++) steps[at] = this.partner(run, run.start + at) ?? steps[at - 1];
return steps;}
inStep(run, position) { return this.steps.get(run)[position - run.start]; }
async compare() {this.forget();
if (!this.isReady) return;
const { page, other } = this;
const { position, run } = page;
this.position = this.inStep(run, position);
if (!this.cursors.has(other)) this.cursors.set(other, new Cursor(other));
const cursor = this.cursors.get(other);
await cursor.moveTo(this.position);
for (const name of new Set([...Object.keys(page.cursor.stores), ...Object.keys(cursor.stores)])) {const [own, others] = [this.of(run, name), this.of(other, name)];
const counts = [Sides.countUpTo(position, own), Sides.countUpTo(this.position, others)];
const isInStep = counts[0]===counts[1]||Math.min(...counts)===Math.min(own.length, others.length);
if (isInStep) this.differ(memberOf(page.cursor.stores, name), memberOf(cursor.stores, name), [name]);}}
differ(own, other, path) {if (this.differences.size >= Sides.most) return;
const isAlike = isContainer(own)&&isContainer(other)&&Array.isArray(own)===Array.isArray(other);
if (isAlike&&own.$redacted===undefined) {for (const name of new Set([...Object.keys(own), ...Object.keys(other)])) {this.differ(memberOf(own, name), memberOf(other, name), [...path, name]);}} else if (!Sides.isEqual(own, other)) {this.differences.set(pointer(path), other);
const parent = pointer(path.slice(0, -1));
if (own===undefined) this.missing.set(parent, [...(this.missing.get(parent) ?? []), { name: path.at(-1), other }]);
for (let count = 0; count < path.length; count++) this.above.add(pointer(path.slice(0, count)));}}
static isEqual(own, other) {if (own===undefined||other===undefined) return own===other;
const isNumber = [own, other].every((value)=>typeof value==="number"||value instanceof NumberText);
const number = Number(isNumber&&textOf(own));
return textOf(own)===textOf(other)||(isNumber&&number===Number(textOf(other))&&Math.abs(number) < 2 ** 53);}
async isOther(run, seq) {const partner = this.partner(run, seq);
if (partner===undefined) return run.overview.storeOf[seq - run.start]!==0;
const [own, other] = [await run.commit(seq), await runs[1 - run.index].commit(partner)];
const facts = ({ at, patch })=>textOf([placeText(at), (at&&at.function) ?? null, patch.map(({ op, path, from, value })=>[op, path, from ?? null, value ?? null])]);
return facts(own)!==facts(other);}
async next() {if (!this.isReady) return toast("Both runs are still being read");
const { page, other } = this;
const { run, position } = page;
const pass = (this.pass = Symbol());
let found = null;
for (let seq = position + 1; seq <= run.end&&found===null; seq++) {if (await this.isOther(run, seq)) found = seq;
if (seq % 2000===0) await rest();
if (this.pass!==pass) return;}
const now = this.inStep(run, position);
for (let seq = now + 1; seq <= other.end; seq++) {if (other.overview.storeOf[seq - other.start]===0||this.partner(other, seq)!==undefined) continue;
const place = this.inStep(other, seq);
if (place < position) continue;
if (found===null||place < found) return page.controls.goTo({ run: other, position: seq, path: "" });
break;}
if (found===null) return toast("The runs differ in no later commit");
return page.controls.goTo({ run, position: found, path: "" });}
async previous() {if (!this.isReady) return toast("Both runs are still being read");
const { page, other } = this;
const { run, position } = page;
const pass = (this.pass = Symbol());
let found = null;
for (let seq = position - 1; seq > run.start&&found===null; seq--) {if (await this.isOther(run, seq)) found = seq;
if (seq % 2000===0) await rest();
if (this.pass!==pass) return;}
for (let seq = this.inStep(run, position); seq > other.start; seq--) {if (other.overview.storeOf[seq - other.start]===0||this.partner(other, seq)!==undefined) continue;
const place = this.inStep(other, seq);
if (place >= position) continue;
if (found===null||place >= found) return page.controls.goTo({ run: other, position: seq, path: "" });
break;}
if (found===null) return toast("The runs differ in no earlier commit");
return page.controls.goTo({ run, position: found, path: "" });}}
class CommitView {static mostChanges = 200;
static lookBack = 4096;
constructor(page) {this.page = page;
this.holder = byId("change");}
get run() { return this.page.run; }
async show(record) {const shown = (this.shown = Symbol());
const isShown = ()=>this.shown===shown;
if (!record) {this.holder.replaceChildren(element("h2", {}, "Start"),element("p", { class: "dim" }, "The state before commit " + (this.run.start + 1) + "."));
return;}
const children = [this.heading(record), this.place(record), ...this.body(record), excerpt(record.at)].filter((part)=>part);
const later = element("div", { class: "later-parts" });
this.holder.replaceChildren(...children, later, this.commands(record));
if (record.kind!=="commit") return;
const parts = [await this.causes(record), await this.derived(record), await this.effects(record)];
if (isShown()) later.replaceChildren(...parts.flat().filter((part)=>part));}
heading(record) {const words = { store: "Store opened", close: "Store closed", mark: "Mark", abort: "Aborted", gap: "Gap", damage: "Damage" };
const title = record.kind==="commit" ? labelOf(record)||"(no name)" : words[record.kind];
const number = record.kind==="commit" ? "Commit " + record.seq : "after commit " + record.seq;
return element("h2", {}, span("label", title), " ", span("seq", number));}
place(record) {const { store, at, time, thread, action } = record;
const parts = [
store!==undefined&&span("store lane-" + this.page.laneOf(store), store), placeLink(at),at&&at.function&&at.function!==labelOf(record)&&span("function", at.function),time&&element("time", { title: time }, clock(time)),thread!==undefined&&span("dim", "thread " + (isContainer(thread) ? preview(thread) : thread)),action&&span("action", "action " + preview(action, 160)), traceLink(record),];
return element("p", { class: "facts" }, ...parts.filter((part)=>part));}
body(record) {switch (record.kind) {case "commit": return [this.changes(record)];
case "store": return [element("p", {}, "Begins with ", span("value", preview(record.state, 400)))];
case "mark": return [element("p", { class: "text " + (record.level||"info") }, record.text)];
case "abort": return [element("p", { class: "text error" }, typeof record.error==="string" ? record.error : preview(record.error, 400))];
case "gap":
return [element("p", {}, "Commits " + record.first + " to " + record.seq + " could not be kept: " + record.reason + ".")];
case "damage":
return [element("p", {}, "The journal is damaged after commit " + record.last + "; what is known goes on at " + record.seq + ".")];
default: return [];}}
changes(record) {const patch = record.patch.filter(({ op })=>op!=="test");
if (patch.length===0) return element("p", { class: "dim" }, "It changed nothing.");
const rows = patch.slice(0, CommitView.mostChanges).map((operation)=>{const path = "/" + record.store.replaceAll("~", "~0").replaceAll("/", "~1") + operation.path;
const text = (value)=>(value===undefined ? undefined : preview(value, 300));
return element("li", {},jumpLink(this.run, record.seq, path, path),effectOf({ op: operation.op, old: text(operation.old), value: text(operation.value), from: operation.from }));});
const left = patch.length - rows.length;
if (left > 0) rows.push(element("li", { class: "dim" }, "and " + counted(left, "change") + " more"));
return element("ul", { class: "changes" }, ...rows);}
async causes(record) {const chain = [];
const seen = new Set([record.seq]);
let { cause } = record;
while (Number.isInteger(cause)&&chain.length < 12&&!seen.has(cause)) {seen.add(cause);
const found = await this.run.commit(cause);
chain.push({ seq: cause, record: found });
cause = found ? found.cause : undefined;}
if (chain.length===0) return null;
return element("section", {}, element("h3", {}, "Caused by"),element("ol", { class: "chain" }, ...chain.map(({ seq, record }) =>
element("li", {}, record ? jumpLink(this.run, seq, "#" + seq + " " + labelOf(record)) : span("dim", "#" + seq + ", which is not on this page"), " ",record&&placeLink(record.at)))));}
async effects(record) {const chunk = await this.run.load(this.run.chunkOf(record.seq));
const found = chunk.records.filter((other)=>other.kind==="commit"&&other.cause===record.seq).slice(0, 12);
if (found.length===0) return null;
return element("section", {}, element("h3", {}, "It caused"),element("ol", { class: "chain" }, ...found.map((other) =>
element("li", {}, jumpLink(this.run, other.seq, "#" + other.seq + " " + labelOf(other)), " ", placeLink(other.at)))));}
async derived(record) {const chunk = await this.run.load(this.run.chunkOf(record.seq));
const all = chunk.recordsAfter(record.seq)
.filter((other)=>other.kind==="outcome"&&other.commit===record.seq).flatMap((other)=>other.derived);
if (all.length===0) return null;
const outcomes = [...new Map(all.map((outcome)=>[outcome.name, outcome])).values()];
const fired = outcomes.filter((outcome)=>outcome.outcome==="fired");
const before = await this.valuesBefore(record.seq, fired.map((outcome)=>outcome.name));
const quiet = (word, why)=>{const names = outcomes.filter((outcome)=>outcome.outcome===word).map((outcome)=>outcome.name);
return names.length > 0&&element("p", { class: "dim" }, names.join(", ") + ": " + why);};
const list = fired.map((outcome)=>element("li", {}, span("name", outcome.name), this.firing(outcome, before)));
return element("section", {}, element("h3", {}, "Derived values"),fired.length > 0&&element("ul", { class: "fired" }, ...list),quiet("unchanged", "did not run, the input is equal"), quiet("same", "ran, the output is equal"));}
firing(outcome, before) {if (outcome.value===undefined) return span("effect", "fired");
const old = "old" in outcome ? outcome.old : before.get(outcome.name);
return effectOf({ op: "replace", old: old===undefined ? undefined : preview(old, 120), value: preview(outcome.value, 120) });}
async valuesBefore(seq, names) {const found = new Map();
let looked = 0;
for (let index = this.run.chunkOf(seq); index >= 0&&found.size < names.length; index--) {const { records } = await this.run.load(index);
for (let at = records.length - 1; at >= 0&&looked < CommitView.lookBack; at--) {const record = records[at];
if (record.seq >= seq) continue;
looked++;
if (record.kind!=="outcome") continue;
for (const { name, value } of record.derived) {if (value!==undefined&&names.includes(name)&&!found.has(name)) found.set(name, value);}}
if (looked >= CommitView.lookBack) break;}
return found;}
commands(record) {const position = String(record.seq);
const commands = record.kind==="commit"
? [commandLine(this.run, "show", [position]), commandLine(this.run, "state", [], ["--at", position])]
: [commandLine(this.run, "state", [], ["--at", position])];
if (record.cause!==undefined) commands.push(commandLine(this.run, "why", [position]));
return commandList(commands);}}
function commandList(commands) {return element("section", { class: "commands" }, element("h3", {}, "Look further"),element("ul", {}, ...commands.map((command) =>
element("li", {}, element("code", {}, command), copyButton("Copy", command, "Copy the command")))));}
class MemberView {static portion = 12;
constructor(page) {this.page = page;
this.holder = byId("member");
this.writers = null;
this.found = [];}
copyValue() { return this.value===undefined ? toast("It is not there at this position") : copy(textOf(this.value)); }
async show(path) {const shown = (this.shown = Symbol());
this.path = path;
this.found = [];
this.writers = null;
if (!path) return this.holder.replaceChildren();
const { run, position, cursor } = this.page;
const value = (this.value = valueAt(cursor.stores, segmentsOf(path)));
const list = element("ol", { class: "writers" });
const more = button("Earlier", ()=>this.read(list, more, shown, MemberView.portion));
const hops = element("ol", { class: "writers" });
const isFollowed = value!==undefined&&!isContainer(value);
const origin = isFollowed&&button("Where from?", ()=>this.follow(hops, origin, shown), { id: "origin", title: "Where its value comes from (o)" });
const { sides, tree } = this.page;
this.holder.replaceChildren(element("h2", {}, span("path", path),button("×", ()=>this.page.selectMember(""), { title: "Leave the member (Escape)", "aria-label": "Leave the member", class: "plain" })),value===undefined
? element("p", { class: "dim" }, "It is not there at " + position + ".")
: element("p", {}, span("value", preview(value, 600)), " ", copyButton("Copy", ()=>textOf(value), "Copy the value as JSON")),...(sides&&sides.differences.has(path) ? [element("p", {}, tree.otherValue(sides.differences.get(path)))] : []),element("h3", {}, "Written by"), list, more, origin, hops,commandList([
commandLine(run, "blame", [path], ["--at", String(position)]), commandLine(run, "history", [path]),...(isFollowed ? [commandLine(run, "origin", [path], ["--at", String(position)])] : []),]));
if (value===undefined) {more.remove();
list.append(element("li", { class: "dim" }, "No commit up to this position."));
return;}
this.writers = new Writers(run, position, segmentsOf(path));
await this.read(list, more, shown, 4);}
async read(list, more, shown, count) {more.disabled = true;
for (let left = count; left > 0; left--) {const found = await this.writers.next();
if (this.shown!==shown) return;
if (!found) break;
this.found.push(found);
list.append(this.item(found));}
more.disabled = false;
if (!this.writers.isDone) return;
more.remove();
if (this.found.length===0) list.append(element("li", { class: "dim" }, "It was there when this page begins, at " + this.page.run.start + "."));}
async follow(list, origin, shown) {origin.disabled = true;
const { run, position } = this.page;
const { hops, end } = await new Origins(run, position, segmentsOf(this.path)).follow();
if (this.shown!==shown) return;
origin.replaceWith(element("h3", {}, "Comes from"));
list.append(...hops.map((hop)=>this.hop(hop)));
if (end) list.append(element("li", { class: "dim" }, end));}
hop({ record, path, how, basis, candidates = [], before }) {const { run } = this.page;
const places = candidates.flatMap((place)=>[" ", jumpLink(run, before, pointer(place), pointer(place))]);
return element("li", {},element("div", {}, span(basis==="inferred" ? "dim" : "", how + (basis==="inferred" ? ", inferred " : " ")), this.link(record, path)),candidates.length > 0&&element("div", { class: "dim" }, "an equal value stood at", places));}
link(record, path) {const title = record.kind==="commit" ? "#" + record.seq + " " + labelOf(record)
: "#" + record.seq + " (" + (record.kind==="store" ? "store opened" : record.kind) + ")";
return [jumpLink(this.page.run, record.seq, title, pointer(path)), " ", placeLink(record.at)];}
item({ record, path, after, before }) {const text = (value)=>(value===undefined ? undefined : preview(value, 120));
return element("li", {},element("div", {}, this.link(record, path)),before===undefined ? effectOf({ op: "add", value: text(after) })
: effectOf({ op: "replace", old: text(before), value: text(after) }));}}
const toneWords = { bad: "bad", good: "holds", unknown: "no answer" };
class StoryView {constructor(page) {this.page = page;
this.holder = byId("story");}
render() {const { run } = this.page;
const order = { bad: 0, unknown: 1, good: 2 };
const findings = [...run.about.findings].sort((left, right)=>order[left.tone] - order[right.tone]);
const held = findings.filter((finding)=>finding.tone==="good");
const others = findings.filter((finding)=>finding.tone!=="good");
const parts = others.map((finding, at)=>this.finding(finding, at===0));
if (held.length > 0) parts.push(this.held(held));
const divergence = this.divergence();
if (divergence) parts.push(divergence);
const places = this.places();
if (places) parts.push(places);
parts.push(...this.warnings().map((text)=>element("p", { class: "note" }, text)));
if (about.note) parts.unshift(element("div", { class: "said" }, ...about.note.split("\n").map((line)=>element("p", {}, line))));
this.holder.replaceChildren(...parts);
this.holder.hidden = parts.length===0;}
warnings() {const { about: run } = this.page.run;
const warnings = [];
if (run.torn) warnings.push("The last record is incomplete and was left out: the program stopped while writing it.");
else if (!run.ended) warnings.push("This run has no end: the program stopped, or was still running.");
warnings.push(...run.leftOut);
if (run.moreDamages > 0) warnings.push("Lines are left out at " + counted(run.moreDamages, "more place") + ".");
if (run.start > run.first||run.end < run.last) {warnings.push("This page holds the commits after " + run.start + " up to " + run.end + "; the run has " + run.first + " to " + run.last + ".");}
if (about.unread.length > 0) warnings.push("These journals could not be read: " + about.unread.join(", "));
if (about.redacted.length > 0) warnings.push("Redacted: " + about.redacted.join(", "));
return warnings;}
finding(finding, isOpen) {const { run } = this.page;
const { record, tone, title, question, sentences } = finding;
const head = element("summary", {},span("tone " + tone, tone==="bad"&&finding.invariant ? "violated" : toneWords[tone]), span("title", tone==="bad"&&finding.invariant ? finding.invariant : title),record&&span("where",finding.position!==undefined&&jumpLink(run, finding.position, record.isCommit ? "#" + record.seq : record.title, this.pathOf(finding))," ", span("label", record.label), " ", record.location&&placeLink(placeOf(record.location), record.location)),!record&&finding.position!==undefined&&jumpLink(run, finding.position, "#" + finding.position));
const made = element("details", { class: "finding " + tone, open: isOpen }, head,element("div", { class: "columns" },element("div", {},element("p", { class: "question" }, element("code", {}, question)),...sentences.map((sentence)=>element("p", {}, withGroups(sentence))),finding.cause&&this.cause(finding.cause), this.fired(finding.fired)),record&&this.changes(record), finding.commands.length > 0&&commandList(finding.commands)));
return made;}
pathOf({ record }) {return record.isCommit&&record.changes.length > 0 ? record.changes[record.changes.length - 1].path : "";}
cause(record) {return element("p", {}, "Caused by ", jumpLink(this.page.run, record.seq, "#" + record.seq + " " + record.label), " ",record.location&&placeLink(placeOf(record.location), record.location));}
fired(fired) {if (fired.length===0) return null;
const item = ({ name, change })=>element("span", { class: "firing" }, span("name", name), " ", change&&this.effect(change));
return element("p", {}, "Fired: ", ...fired.flatMap((firing, at)=>[at > 0 ? ", " : "", item(firing)]));}
changes(record) {if (record.changes.length===0) return element("p", { class: "dim" }, "It changed nothing.");
const rows = record.changes.map((change) =>
element("li", {}, jumpLink(this.page.run, record.seq, change.path||"(all)", change.path), this.effect(change)));
if (record.more) rows.push(element("li", { class: "dim" }, "and " + counted(record.more, "change") + " more"));
return element("ul", { class: "changes" }, ...rows);}
effect({ op, old, new: value, from }) { return effectOf({ op, old, value, from }); }
held(findings) {const items = findings.map((finding) =>
element("li", {}, span("title", finding.title), " ", span("dim", withGroups(finding.sentences.join("; "))), " ", element("code", {}, finding.question)));
const title = findings.length===1 ? findings[0].title : findings.length + " hold";
return element("details", { class: "finding good" },element("summary", {}, span("tone good", "holds"), span("title", title)), element("ul", { class: "held" }, ...items));}
divergence() {const found = about.divergence;
if (!found) return null;
if (!found.store) {const text = found.gap
? "The runs are equal as far as they can be compared: up to commit " + (found.gap.first - 1) + " of " + runs[found.gap.run].about.name + "."
: "The runs are equal: " + counted(found.common, "commit") + ".";
return element("p", { class: "note" }, text);}
const side = (run, record)=>element("div", { class: "side" },element("h3", {}, run.about.name),record ? element("p", {}, jumpLink(run, record.seq, "#" + record.seq + " " + record.label), " ",record.location&&placeLink(placeOf(record.location), record.location), " ", span("clock", clock(record.time)))
: element("p", { class: "dim" }, "no further commit of this store"),record&&element("ul", { class: "changes" }, ...record.changes.map((change) =>
element("li", {}, jumpLink(run, record.seq, change.path||"(all)", change.path), this.effect(change)))));
const rows = found.changes.map((change)=>element("tr", {},element("th", { scope: "row" }, change.path), element("td", {}, change.old ?? "—"), element("td", {}, change.new ?? (change.from ? "moved from " + change.from : "—"))));
if (found.more) rows.push(element("tr", {}, element("td", { colspan: 3, class: "dim" }, "and " + counted(found.more, "difference") + " more")));
return element("details", { class: "finding bad divergence", open: !this.page.run.about.findings.some((finding)=>finding.tone==="bad") },element("summary", {}, span("tone bad", "diverge"), span("title", "The runs part after " + counted(found.common, "commit")),span("where", "in the store ", span("label", found.store))),element("div", { class: "sides" }, side(runs[0], found.left), side(runs[1], found.right)),rows.length > 0&&element("table", {},element("thead", {}, element("tr", {}, element("th", {}, "After it"), element("th", {}, runs[0].about.name), element("th", {}, runs[1].about.name))),element("tbody", {}, ...rows)));}
places() {const lines = new Set(about.places.filter((place)=>place.location).map((place)=>place.location)).size;
if (about.places.length===0||(about.places.length < 2&&runs.length < 2)) return null;
const rows = about.places.slice(0, 200).map((place)=>element("tr", {},element("td", {}, place.location ? placeLink(placeOf(place.location), place.location) : span("dim", "from the start")),element("td", {}, place.function||""), element("td", {}, place.invariant),element("td", { class: "number" }, counted(place.journals, "run")),element("td", {}, place.run===undefined ? "" : jumpLink(runs[place.run], place.seq, "#" + place.seq + (runs.length > 1 ? " of " + runs[place.run].about.name : "")))));
return element("details", { class: "finding bad" },element("summary", {}, span("tone bad", "lines"), span("title", counted(lines, "source line") + " began violations")),element("table", {}, element("tbody", {}, ...rows)));}}
const keys = \#(KeyMap.ofPage.text());
const givenTitle = about.title;
class Controls {constructor(page) { this.page = page; }
start() {const { page } = this;
const on = (id, event, action)=>byId(id).addEventListener(event, action);
on("to-start", "click", ()=>page.moveTo(page.run.start));
on("to-end", "click", ()=>page.moveTo(page.run.end));
on("step-back", "click", ()=>page.moveTo(page.position - 1));
on("step", "click", ()=>page.moveTo(page.position + 1));
on("play", "click", ()=>this.play());
on("slider", "input", (event)=>page.moveTo(event.target.value, { isQuick: true }));
on("slider", "change", (event)=>page.moveTo(event.target.value));
on("position", "change", (event)=>page.moveTo(event.target.value, { isCentred: true }));
on("theme", "click", ()=>this.turnTheme());
on("help", "click", ()=>byId("keys").showModal());
on("next-difference", "click", ()=>page.sides.next());
byId("sides").hidden = !page.sides;
on("copy-state", "click", ()=>copy(textOf(page.cursor.stores)));
on("run", "change", (event)=>this.turnRun(runs[event.target.value]));
on("filter", "submit", (event)=>event.preventDefault());
on("filter", "input", ()=>this.filterSoon());
on("filter", "reset", ()=>{page.chosen.clear();
setTimeout(()=>{ page.timeline.label(); this.filter(); });});
for (const tab of ["commits", "state", "commit"]) on("tab-" + tab, "click", ()=>this.turnTab(tab));
byId("key-list").replaceChildren(...keys.flatMap(([key, does])=>[element("dt", {}, element("kbd", {}, key)), element("dd", {}, does)]));
byId("runs").hidden = runs.length < 2;
byId("title").classList.toggle("offscreen", runs.length > 1&&!givenTitle);
byId("run").replaceChildren(...runs.map((run, index)=>element("option", { value: index }, run.about.name)));
document.addEventListener("keydown", (event)=>this.press(event));
window.addEventListener("hashchange", ()=>this.follow());
this.setTheme(this.storedTheme());
window.addEventListener("beforeprint", ()=>{document.documentElement.dataset.theme = "light";
page.timeline.draw(true);});
window.addEventListener("afterprint", ()=>this.setTheme(this.storedTheme()));}
turnTab(chosen) {document.body.dataset.tab = chosen;
for (const tab of ["commits", "state", "commit"]) byId("tab-" + tab).setAttribute("aria-selected", String(tab===chosen));
if (isNarrow()) document.querySelector("main").scrollIntoView();
this.page.list.render();
if (chosen==="state") this.page.tree.reveal(this.page.tree.changedNodes);}
async turnRun(run) {const { page } = this;
const isInStep = page.sides&&page.sides.isReady&&run!==page.run;
const target = isInStep ? { run, position: page.sides.inStep(page.run, page.position), path: page.member } : page.opening(run);
page.enter(target.run);
await page.moveTo(target.position, { path: target.path, isCentred: true });}
describe() {const { run, overview } = this.page;
const { about } = run;
const heading = visible(givenTitle ?? about.name);
document.title = heading + " · state-inspect";
byId("title").textContent = heading;
byId("position").style.width = "calc(" + String(run.end).length + "ch + 4em)";
const parts = [
givenTitle&&about.name, [about.app, about.build].filter((part)=>typeof part==="string").join(" "), (about.time||"").slice(0, 10),counted(run.commitCount, "commit"), overview.stores.length > 0&&counted(overview.stores.length, "store"),];
byId("facts").textContent = visible(parts.filter((part)=>part).join(" · "));
byId("run").value = String(run.index);
for (const id of ["slider", "position"]) {byId(id).min = run.start;
byId(id).max = run.end;}
const chosen = byId("store").value;
if (byId("store").options.length!==overview.stores.length + 1) {byId("store").replaceChildren(element("option", { value: "" }, "all"),...overview.stores.map((name)=>element("option", { value: name }, name)));
byId("store").value = chosen;}}
report() {const { page } = this;
const { author, position, run } = page;
byId("slider").value = position;
byId("slider").setAttribute("aria-valuetext", "commit " + position + " of " + run.end);
if (document.activeElement!==byId("position")) byId("position").value = position;
byId("moment").textContent = "of " + grouped(run.end) + (author ? " · " + visible(clock(author.record.time)) : "");
byId("state-at").textContent = position===run.start&&!author ? "at the start" : "after commit " + position;
const { sides } = page;
byId("other-at").textContent = sides&&sides.position!==null
? counted(sides.differences.size, "difference") + (sides.differences.size >= Sides.most ? " and more" : "") + " from " + visible(sides.other.shortName) + " after " + sides.position : "";
byId("step-back").disabled = byId("to-start").disabled = position <= run.start;
byId("step").disabled = byId("to-end").disabled = position >= run.end;}
play(pace) {if (this.player) return this.pause();
const { page } = this;
if (page.position >= page.run.end) page.moveTo(page.run.start, { isQuick: true });
byId("play").setAttribute("aria-pressed", "true");
byId("play-word").textContent = "Pause";
const advance = async ()=>{await page.moveTo(page.position + 1, { isQuick: true });
if (!this.player) return;
if (page.position >= page.run.end) this.pause();
else this.player = setTimeout(advance, 1000 / (pace ?? Number(byId("speed").value)));};
this.player = setTimeout(advance, 0);}
pause() {clearTimeout(this.player);
this.player = null;
byId("play").setAttribute("aria-pressed", "false");
byId("play-word").textContent = "Play";
this.page.moveTo(this.page.position);}
filterSoon() {clearTimeout(this.filterTimer);
this.filterTimer = setTimeout(()=>this.filter(), 150);}
filter() {const stores = new Set(this.page.chosen);
if (byId("store").value) stores.add(byId("store").value);
const value = (id)=>byId(id).value;
return this.page.list.filter(new Filter({ text: value("text"), path: value("path"), label: value("label"), kind: value("kind"), stores }));}
readAddress() {let text = location.hash.slice(1);
try {text = decodeURIComponent(text);} catch { /* Then it is shown as it is. */ }
if (text==="") return null;
const [, number, digits, path = ""] = /^(?:(\d+):)?(\d+)(\/.*)?$/s.exec(text) ?? [];
const run = number===undefined ? this.page.run : runs[Number(number) - 1];
const position = Number(digits);
if (digits===undefined) return this.refuse("#" + text + " is not an address of this page: write #118 or #118/cart/total");
if (!run) return this.refuse("There is no run " + number + " on this page: it has " + runs.length);
if (position < run.start||position > run.end) {return this.refuse("There is no commit " + digits + " on this page: it has " + run.start + " to " + run.end);}
return { run, position, path };}
refuse(text) {toast(text, 8000);
return null;}
async follow() {if (location.hash===this.written) return;
const target = this.readAddress();
if (!target) return this.writeAddress();
await this.goTo(target);
if (document.body.dataset.tab==="commits") this.turnTab("state");}
async goTo({ run, position, path }, options = {}) {const { page } = this;
if (run!==page.run) page.enter(run);
await page.moveTo(position, { path, isCentred: true, ...options });
if (path&&!page.tree.has(path)) this.refuse("There is nothing at " + path + " after commit " + page.position);}
writeAddress(isQuick = false) {const write = ()=>{this.addressTimer = null;
this.written = hashOf(this.page.run, this.page.position, this.page.member);
try {if (location.hash!==this.written) history.replaceState(null, "", this.written);} catch { /* A page in a frame may have no address. */ }};
clearTimeout(this.addressTimer);
this.addressTimer = setTimeout(write, isQuick ? 300 : 100);}
storedTheme() {try { return localStorage.getItem("state-inspect-theme")||""; } catch { return ""; }}
turnTheme() {const themes = ["", "light", "dark"];
const next = themes[(themes.indexOf(document.documentElement.dataset.theme||"") + 1) % themes.length];
this.setTheme(next);
try { localStorage.setItem("state-inspect-theme", next); } catch { /* Then it is not remembered. */ }}
setTheme(theme) {if (theme) document.documentElement.dataset.theme = theme;
else delete document.documentElement.dataset.theme;
byId("theme").textContent = "Theme: " + { "": "auto", light: "light", dark: "dark" }[theme];
this.page.drawSoon();}
press(event) {const { page } = this;
if (event.ctrlKey||event.metaKey||event.altKey||byId("keys").open) return;
const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)&&event.target.type!=="range";
if (event.key==="Escape") {if (isTyping) event.target.blur();
else if (page.list.matches) byId("filter").reset();
else if (page.member) page.selectMember("");
return;}
if (isTyping) {if (event.key==="Enter"&&event.target.id==="text") {page.list.go(event.shiftKey ? -1 : 1);
event.target.blur();}
return;}
if (/^\d$/.test(event.key)) {this.count = Math.min((this.count ?? 0) * 10 + Number(event.key), 99999999);
return;}
const { count } = this;
this.count = undefined;
const isButton = /^(BUTTON|SUMMARY|A)$/.test(event.target.tagName);
if (isButton&&(event.key===" "||event.key==="Enter")) return;
const action = this.action(event, count);
if (!action) return;
event.preventDefault();
action();}
goOn(direction) {const { page } = this;
if (byId("text").value.trim()&&page.list.matches) return page.list.go(direction);
if (page.sides) return direction > 0 ? page.sides.next() : page.sides.previous();
return page.goToWriter(direction, true);}
action({ key, shiftKey }, count) {const { page } = this;
const times = count ?? 1;
const step = (shiftKey ? 10 : 1) * times;
const on = (distance)=>()=>page.moveTo(page.position + distance);
const row = (distance)=>()=>page.list.go(distance);
const end = (position)=>()=>page.moveTo(count ?? position, { isCentred: true });
const actions = {ArrowRight: on(step), l: on(times), L: on(10 * times), ArrowLeft: on(-step), h: on(-times), H: on(-10 * times),Home: on(-Infinity), End: on(Infinity), g: end(page.run.start), G: end(page.run.end),ArrowDown: row(times), j: row(times), ArrowUp: row(-times), k: row(-times)," ": ()=>this.play(count), "{": ()=>page.goToEvent(-1), "}": ()=>page.goToEvent(1),b: ()=>page.goToWriter(-1), n: ()=>this.goOn(1), N: ()=>this.goOn(-1),o: ()=>(byId("origin") ? byId("origin").click() : toast("Choose a value of the state first")),"/": ()=>{ this.turnTab("commits"); byId("text").focus(); byId("text").select(); },f: ()=>{ this.turnTab("commits"); byId("filter").querySelector("details").open = true; byId("path").focus(); },":": ()=>{ byId("position").focus(); byId("position").select(); },y: ()=>(page.member ? page.memberView.copyValue() : toast("Choose a value of the state first")),Y: ()=>copy(commandLine(page.run, ...(page.author&&page.author.record.kind==="commit"
? ["show", [String(page.position)]] : ["state", [], ["--at", String(page.position)]]))),t: ()=>this.turnTheme(), "?": ()=>byId("keys").showModal(),};
return actions[key];}}
class Page {constructor() {this.run = runs.find((run)=>run.about.findings.some((finding)=>finding.tone==="bad")) ?? runs[0];
this.position = this.run.start;
this.member = "";
this.chosen = new Set();
this.cursor = new Cursor(this.run);
this.timeline = new TimelineView(this);
this.list = new ListView(this);
this.tree = new TreeView(this);
const isWhole = runs.every(({ about, start })=>start===about.first);
this.sides = isWhole&&about.divergence&&about.divergence.store ? new Sides(this) : null;
this.commit = new CommitView(this);
this.memberView = new MemberView(this);
this.story = new StoryView(this);
this.controls = new Controls(this);}
async start() {this.controls.start();
this.enter(this.run);
await pageIsRead;
await this.controls.goTo(this.controls.readAddress() ?? this.parting ?? this.opening(this.run), { isStill: true });
if (this.sides) this.sides.read();}
opening(run) {const bad = run.about.findings.find((finding)=>finding.tone==="bad"&&finding.position!==undefined);
return { run, position: bad ? bad.position : run.end, path: bad&&bad.record ? this.story.pathOf(bad) : "" };}
get overview() { return this.run.overview; }
get parting() {if (!this.sides) return null;
const sides = [about.divergence.left, about.divergence.right].map((record, index)=>record&&{ run: runs[index], record });
const found = sides[this.run.index] ?? sides[1] ?? sides[0];
const isBad = this.run.about.findings.some((finding)=>finding.tone==="bad");
const { run, record } = isBad ? found : sides[1] ?? sides[0];
return { run, position: record.seq, path: record.isCommit&&record.changes.length > 0 ? record.changes[0].path : "" };}
enter(run) {if (this.run!==run) {this.run = run;
this.chosen.clear();
this.cursor = new Cursor(run);
this.list.matches = null;}
this.story.render();
this.controls.describe();}
laneOf(store) {const number = this.overview.byName.get(store);
return number===undefined ? 0 : this.timeline.laneOf(number);}
drawSoon() {if (this.drawing) return;
this.drawing = true;
requestAnimationFrame(()=>{this.drawing = false;
this.controls.describe();
this.timeline.draw(true);
this.list.render();});}
async moveTo(position, options = {}) {position = Math.max(this.run.start, Math.min(this.run.end, Math.trunc(Number(position))||0));
this.wanted = { position, options };
if (this.moving) return this.moving;
this.moving = this.move().finally(()=>(this.moving = null));
return this.moving;}
async move() {while (this.wanted) {const { position, options } = this.wanted;
this.wanted = null;
const isForward = position >= this.position;
try {await this.cursor.moveTo(position);
let reached = this.cursor.position;
if (reached < position&&isForward) {const record = this.cursor.chunk.records[this.cursor.count];
if (record) {await this.cursor.moveTo(record.seq);
reached = this.cursor.position;}}
this.position = reached;
if (this.sides) await (options.isQuick ? this.sides.forget() : this.sides.compare());} catch (error) {toast("This position cannot be shown: " + error.message);
return;}
if (options.path!==undefined) this.member = options.path;
await this.show(options);}}
get author() {for (let at = this.cursor.count - 1; at >= 0; at--) {const record = this.cursor.chunk.records[at];
if (record.kind==="commit"||record.kind==="gap"||record.kind==="damage") {return record.seq===this.position ? { record, effect: this.cursor.effects[at] } : null;}}
return null;}
async show({ isCentred = false, isQuick = false, isStill = false, path, row } = {}) {const { author } = this;
this.tree.light(author&&author.effect);
this.tree.selected = this.member;
if (this.member) this.tree.select(this.member);
else this.tree.render();
this.controls.report();
this.tree.reveal(path&&this.tree.node ? [this.tree.node] : this.tree.changedNodes, isStill);
this.overview.read(this.position, ()=>this.drawSoon());
this.timeline.draw();
this.controls.writeAddress(isQuick);
await this.list.select(row ?? (await this.run.rowOf(this.position)), isCentred);
const chosen = row===undefined ? null : this.run.peekRow(row);
if (isQuick&&this.wanted) return;
this.commit.show(chosen&&chosen.kind!=="commit" ? chosen : author&&author.record);
if (!isQuick) this.memberView.show(this.member);
else this.memberView.show("");}
async chooseRow(row) {const chunk = await this.run.load(this.run.chunkOfRow(row));
const record = chunk.records[chunk.rows[row - this.run.rowStarts[chunk.index]]];
await this.moveTo(record.seq, { row });}
selectMember(path) {this.member = path;
this.tree.select(path);
this.tree.reveal([this.tree.node]);
this.memberView.show(path);
this.controls.writeAddress();}
choose(store) {if (this.chosen.has(store)) this.chosen.delete(store);
else this.chosen.add(store);
this.timeline.label();
this.controls.filter();}
reportCount(count, isGoingOn = false) {byId("count").textContent = count===null ? "" : counted(count, "row") + (isGoingOn ? " …" : "");}
async goToWriter(direction, isAnother = false) {if (!this.member) return toast("Choose a member of the state first");
const path = segmentsOf(this.member);
if (direction < 0) {const writers = new Writers(this.run, this.position, path);
let found = await writers.next();
if (found&&found.record.seq===this.position&&(isAnother||this.lastWriter===this.position)) found = await writers.next();
if (!found) return toast("No commit wrote it before");
this.lastWriter = found.record.seq;
return this.moveTo(found.record.seq, { path: pointer(found.path), isCentred: true });}
const filter = new Filter();
filter.path = path;
const next = await this.find((record)=>record.seq > this.position&&filter.touches(record));
return next ? this.moveTo(next.seq, { isCentred: true }) : toast("No commit writes it after this");}
async find(isIt) {for (let index = this.run.chunkOf(this.position); index < this.run.entries.length; index++) {const found = (await this.run.load(index)).records.find(isIt);
if (found) return found;
await rest();}
return null;}
goToEvent(direction) {const places = [...this.overview.events.map((record)=>record.seq),...this.run.about.findings.flatMap((finding)=>(finding.position===undefined ? [] : [finding.position]))];
const ahead = places.filter((seq)=>(direction > 0 ? seq > this.position : seq < this.position));
if (ahead.length===0) return toast("There is none");
return this.moveTo(direction > 0 ? Math.min(...ahead) : Math.max(...ahead), { isCentred: true });}}
const page = new Page();
page.start().catch((error)=>toast("This page cannot be shown: " + error.message));
"""#
    /// The style sheet, between line ends.
    static let style = #"""

:root{color-scheme:light;--ground:#f6f6f4;--panel:#ffffff;--raised:#fafaf8;--ink:#1c1e21;--quiet:#5d636b;--line:#dedfdb;
--accent:#1f5fd0;--accent-soft:#e6eefc;--bad:#b42318;--bad-soft:#fdeceb;--good:#1a6f37;--good-soft:#e6f4ea;
--unknown:#8a5a00;--unknown-soft:#fff4dc;--warn:#9b5c00;--mark:#6b4fbb;--differs:#f1ecfd;--lit:#fff1b8;--lit-edge:#c79a00;
--added:#156b33;--removed:#a1261c;--string:#0b5a6b;--number:#6d3aa8;--word:#9c4221;
--lane-0:#2c68c9;--lane-1:#af4e17;--lane-2:#26794d;--lane-3:#894ec2;--lane-4:#b8336a;--lane-5:#0d7580;
--lane-6:#806800;--lane-7:#656b78;}
@media screen{@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;--ground:#131519;--panel:#1a1d22;--raised:#20242a;--ink:#e6e8eb;--quiet:#9aa3ae;--line:#30353d;
--accent:#7aa9ff;--accent-soft:#1f2f4d;--bad:#ff8f85;--bad-soft:#3a1f1e;--good:#77d196;--good-soft:#18301f;
--unknown:#f0bd5e;--unknown-soft:#382c14;--warn:#f2b155;--mark:#b9a3ff;--differs:#2a2440;--lit:#40340a;--lit-edge:#e5b94a;
--added:#7fd69c;--removed:#ff9b92;--string:#7fd0e0;--number:#cbaaff;--word:#f2a98a;
--lane-0:#6ea3ff;--lane-1:#f29a5c;--lane-2:#63c98f;--lane-3:#bb8df0;--lane-4:#f07fa8;--lane-5:#55c5d0;
--lane-6:#d6b93f;--lane-7:#a0a7b3;}}
:root[data-theme=dark]{color-scheme:dark;--ground:#131519;--panel:#1a1d22;--raised:#20242a;--ink:#e6e8eb;--quiet:#9aa3ae;--line:#30353d;
--accent:#7aa9ff;--accent-soft:#1f2f4d;--bad:#ff8f85;--bad-soft:#3a1f1e;--good:#77d196;--good-soft:#18301f;
--unknown:#f0bd5e;--unknown-soft:#382c14;--warn:#f2b155;--mark:#b9a3ff;--differs:#2a2440;--lit:#40340a;--lit-edge:#e5b94a;
--added:#7fd69c;--removed:#ff9b92;--string:#7fd0e0;--number:#cbaaff;--word:#f2a98a;
--lane-0:#6ea3ff;--lane-1:#f29a5c;--lane-2:#63c98f;--lane-3:#bb8df0;--lane-4:#f07fa8;--lane-5:#55c5d0;
--lane-6:#d6b93f;--lane-7:#a0a7b3;}}
*{box-sizing:border-box;}
html{height:100%;}
body{margin:0;height:100dvh;display:flex;flex-direction:column;background:var(--ground);color:var(--ink);
font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;}
h1,h2,h3,p,ul,ol,dl{margin:0;padding:0;}
ul,ol{list-style:none;}
[hidden]{display:none !important;}
code,kbd,.path,.value,.effect,.changes,.paths,.node,.place,.old,#position{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12.5px;}
.spring{flex:1;}
#top{display:flex;align-items:center;gap:12px;padding:8px 16px;background:var(--panel);border-bottom:1px solid var(--line);}
#top h1{font-size:15px;font-weight:650;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;unicode-bidi:isolate;}
#facts{color:var(--quiet);white-space:nowrap;overflow:hidden;text-overflow:ellipsis;}
#story{padding:10px 16px 0;display:flex;flex-wrap:wrap;gap:6px;flex:none;}
#story > *{flex:1 1 100%;min-width:0;}
#story > details:not([open]){flex:0 1 auto;}
#steer{display:contents;}
#time{display:grid;grid-template-columns:132px minmax(0,1fr);gap:0 12px;padding:8px 16px 6px;flex:none;}
#lanes{padding-top:16px;display:flex;flex-direction:column;align-items:stretch;}
#track{position:relative;overflow:hidden;}
#canvas{width:100%;height:40px;display:block;cursor:ew-resize;touch-action:none;border-radius:3px;}
#cursor{position:absolute;top:0;bottom:0;margin-left:-1px;border-left:2px solid var(--accent);pointer-events:none;}
#slider{grid-column:2;width:100%;margin:2px 0 0;accent-color:var(--accent);}
#transport{grid-column:1 / -1;display:flex;align-items:center;gap:6px;flex-wrap:wrap;}
#transport .position{margin-left:10px;color:var(--quiet);}
#moment{color:var(--quiet);font-variant-numeric:tabular-nums;}
#tabs{display:none;}
main{flex:1 1 0;min-height:20rem;display:grid;grid-template:minmax(0,1fr) / minmax(280px,30%) minmax(320px,1fr) minmax(300px,32%);
gap:1px;background:var(--line);border-top:1px solid var(--line);}
main > section{background:var(--panel);min-width:0;min-height:0;display:flex;flex-direction:column;}
#commit{overflow:auto;padding:12px 16px 24px;display:block;}
#tree,#list{flex:1;min-height:0;overflow:auto;}
#tree{padding:4px 0 16px;}
#list{position:relative;contain:strict;}
#rows{position:relative;}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:4px 8px;padding:7px 12px;border-bottom:1px solid var(--line);}
.bar h2{font-size:13px;font-weight:650;}
.bar h2 span{color:var(--quiet);font-weight:400;}
#filter{display:grid;grid-template-columns:1fr auto;gap:4px 8px;padding:7px 10px;border-bottom:1px solid var(--line);align-items:center;}
#filter #text{width:100%;}
#filter details{grid-column:1 / -1;}
#filter details[open]{display:grid;gap:6px;}
#filter label{display:grid;grid-template-columns:112px 1fr;align-items:center;color:var(--quiet);margin-top:5px;}
#filter summary{color:var(--quiet);cursor:pointer;font-size:12.5px;}
#filter #count{color:var(--quiet);font-size:12.5px;grid-row:1;grid-column:2;}
#toast{position:fixed;bottom:18px;left:50%;transform:translate(-50%,8px);width:max-content;max-width:90vw;padding:8px 14px;
border-radius:6px;background:var(--ink);color:var(--ground);opacity:0;pointer-events:none;transition:opacity .15s,transform .15s;}
#toast.shown{opacity:1;transform:translate(-50%,0);}
.offscreen{position:fixed;left:-200vw;}
dialog{border:1px solid var(--line);border-radius:10px;background:var(--panel);color:var(--ink);padding:20px 24px;max-width:min(560px,92vw);}
dialog::backdrop{background:rgb(0 0 0 / 45%);}
dialog dl{display:grid;grid-template-columns:auto 1fr;gap:6px 18px;margin:14px 0;}
dialog dd{margin:0;}
dialog p{color:var(--quiet);margin-bottom:14px;}
:focus-visible{outline:2px solid var(--accent);outline-offset:1px;border-radius:3px;}
#list:focus-visible,#tree:focus-visible{outline-offset:-2px;}
span,a,code,td,th{unicode-bidi:isolate;}
svg{width:1em;height:1em;fill:currentColor;vertical-align:-.12em;}
#play[aria-pressed=true] svg:first-child,#play[aria-pressed=false] svg:nth-child(2){display:none;}
a{color:var(--accent);text-decoration:none;}
a:hover{text-decoration:underline;}
button,select,input{font:inherit;color:inherit;}
button,select,input[type=search],input[type=text],input[type=number]{background:var(--raised);border:1px solid var(--line);border-radius:6px;padding:2px 9px;min-height:26px;font-size:13px;}
input[type=search],input[type=text],input[type=number]{background:var(--ground);min-width:0;}
button{cursor:pointer;}
button:hover:not(:disabled){border-color:var(--accent);}
button:disabled{opacity:.45;cursor:default;}
button[aria-pressed=true]{background:var(--accent-soft);border-color:var(--accent);}
button.copy{min-height:0;padding:0 7px;font-size:11.5px;color:var(--quiet);}
button.plain{border:none;background:none;min-height:0;padding:0 6px;color:var(--quiet);}
.dim,.clock,.size,time{color:var(--quiet);}
.clock,time,.seq{font-variant-numeric:tabular-nums;}
kbd{background:var(--raised);border:1px solid var(--line);border-radius:4px;padding:1px 6px;white-space:nowrap;}
.finding{border:1px solid var(--line);border-left:3px solid var(--line);border-radius:6px;background:var(--panel);flex:none;}
.finding.bad{border-left-color:var(--bad);}
.finding.good{border-left-color:var(--good);}
.finding.unknown{border-left-color:var(--unknown);}
.finding > summary{display:flex;align-items:baseline;gap:10px;padding:5px 12px;cursor:pointer;flex-wrap:wrap;}
.finding > summary::marker{content:"";}
.finding > summary::-webkit-details-marker{display:none;}
.finding > :not(summary){padding:0 12px 9px;}
.finding > table{width:calc(100% - 24px);margin:0 12px 9px;}
.tone{font-size:11px;font-weight:650;text-transform:uppercase;letter-spacing:.04em;padding:1px 7px;border-radius:99px;}
.tone.bad{background:var(--bad-soft);color:var(--bad);}
.tone.good{background:var(--good-soft);color:var(--good);}
.tone.unknown{background:var(--unknown-soft);color:var(--unknown);}
.finding .title{font-weight:650;}
.finding .where{display:inline-flex;gap:8px;flex-wrap:wrap;align-items:baseline;}
.columns{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,4fr) minmax(0,3fr);gap:4px 28px;}
.columns p{margin:1px 0;}
.question code,.held code{color:var(--quiet);overflow-wrap:anywhere;white-space:pre-wrap;}
.held li{padding:2px 0;}
.said{overflow-wrap:anywhere;}
.note{color:var(--unknown);background:var(--unknown-soft);border-radius:6px;padding:5px 12px;}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:24px;}
.side{min-width:0;}
table{border-collapse:collapse;width:100%;}
th,td{text-align:left;padding:3px 16px 3px 0;vertical-align:top;font-weight:400;overflow-wrap:anywhere;}
thead th{color:var(--quiet);border-bottom:1px solid var(--line);}
.divergence td,.divergence tbody th{font-family:ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12.5px;}
.lane{height:var(--lane-height);min-height:0;line-height:calc(var(--lane-height) - 1px);padding:0 6px 0 0;border:none;background:none;font-size:11.5px;
text-align:right;color:var(--quiet);overflow-x:clip;text-overflow:ellipsis;white-space:nowrap;border-right:3px solid currentColor;border-radius:0;}
.lane[aria-pressed=true]{font-weight:700;color:var(--ink);}
.lane-0{color:var(--lane-0);}
.lane-1{color:var(--lane-1);}
.lane-2{color:var(--lane-2);}
.lane-3{color:var(--lane-3);}
.lane-4{color:var(--lane-4);}
.lane-5{color:var(--lane-5);}
.lane-6{color:var(--lane-6);}
.lane-7{color:var(--lane-7);}
.row{position:absolute;left:0;right:0;top:0;height:44px;padding:4px 12px;border-bottom:1px solid var(--line);cursor:pointer;contain:strict;}
.row:hover{background:var(--raised);}
.row[aria-selected=true]{background:var(--accent-soft);box-shadow:inset 3px 0 var(--accent);}
.row.later .label{font-weight:400;color:var(--quiet);}
.row .line{display:flex;gap:8px;align-items:baseline;white-space:nowrap;height:18px;overflow:hidden;}
.row .seq{color:var(--quiet);min-width:3.2em;font-size:12.5px;}
.row .label{font-weight:550;overflow:hidden;text-overflow:ellipsis;flex:0 1 auto;}
.row .clock,.row .cause{margin-left:auto;font-size:12px;flex:none;}
.row .cause{color:var(--quiet);}
.row .cause + .clock{margin-left:0;}
.row .store{font-size:12px;flex:none;max-width:40%;overflow:hidden;text-overflow:ellipsis;}
.row .dim{font-size:12px;overflow:hidden;text-overflow:ellipsis;}
.row .paths{color:var(--quiet);overflow:hidden;text-overflow:ellipsis;}
.row .paths > span + span:not(.effect){margin-left:1em;}
.word{font-size:11px;font-weight:650;text-transform:uppercase;letter-spacing:.04em;color:var(--mark);}
.word.error,.text.error{color:var(--bad);}
.word.warning,.text.warning{color:var(--warn);}
.word.unknown{color:var(--unknown);}
.word.quiet{color:var(--quiet);}
.node{display:flex;gap:7px;align-items:baseline;padding:1px 12px 1px calc(10px + var(--depth,0) * 16px);min-height:22px;cursor:default;border-left:3px solid transparent;}
.node > span{overflow-wrap:anywhere;}
.node .twist{flex:none;width:1em;color:var(--quiet);cursor:pointer;text-align:center;}
[aria-expanded] > .twist::before{content:"";display:inline-block;border:.28em solid transparent;border-left:.42em solid;transform:translateX(.14em);}
[aria-expanded=true] > .twist::before{transform:translate(-.07em,.14em) rotate(90deg);}
.node .name{flex:none;max-width:60%;}
.node .name::after,.node .index::after{content:":";color:var(--quiet);}
.node .index{color:var(--quiet);flex:none;}
.node .size{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;}
.node:hover{background:var(--raised);}
.node[aria-selected=true]{background:var(--accent-soft);}
.node.lit{background:var(--lit);border-left-color:var(--lit-edge);}
.node.lit[aria-selected=true]{box-shadow:inset 0 0 0 1px var(--accent);}
.node.touched > .name,.node.touched > .index{font-weight:700;}
.node.differs{flex-wrap:wrap;background:var(--differs);border-left-color:var(--mark);}
.node.differs.lit{background:var(--lit);}
.other,#other-at{color:var(--mark);}
.node .other{margin-left:auto;}
.node{scroll-margin-block:3.5rem;}
.source{margin:10px 0;padding:6px 0;border:1px solid var(--line);border-radius:6px;overflow-x:auto;font:12px/1.5 ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;}
.source > span{display:block;width:max-content;min-width:100%;padding-right:10px;white-space:pre;}
.source .seq{display:inline-block;min-width:5ch;padding-right:1.5ch;text-align:right;color:var(--quiet);}
.source .here{background:var(--lit);}
.node.ghost{opacity:.75;}
.node.ghost .name,.node.ghost .index,.old,.removed{text-decoration-line:line-through;text-decoration-thickness:1px;}
.node.more{color:var(--accent);cursor:pointer;}
.old,.removed{color:var(--removed);}
.added{color:var(--added);}
.arrow + .added{color:var(--ink);font-weight:600;}
.arrow{color:var(--quiet);}
.value.string{color:var(--string);}
.value.number{color:var(--number);}
.value.boolean,.value.null{color:var(--word);}
.redacted{color:var(--quiet);font-style:italic;}
#commit h2{font-size:15px;font-weight:650;overflow-wrap:anywhere;display:flex;gap:10px;align-items:baseline;}
#commit h2 .seq{color:var(--quiet);font-weight:400;font-size:13px;white-space:nowrap;}
#commit h3,.side h3,.columns h3{font-size:12px;font-weight:650;color:var(--quiet);margin:14px 0 4px;}
.columns h3,.side h3{margin-top:2px;}
#commit .facts{display:flex;flex-wrap:wrap;gap:3px 14px;margin:5px 0 10px;}
.store{font-weight:600;}
.changes li{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 12px;padding:2px 0;overflow-wrap:anywhere;}
.changes .effect{min-width:0;}
.fired li,.chain li,.writers li{padding:2px 0;overflow-wrap:anywhere;}
.fired .name{margin-right:10px;font-weight:550;}
.commands li{display:flex;gap:8px;align-items:baseline;padding:1px 0;}
.commands code{min-width:0;color:var(--quiet);overflow:hidden;text-overflow:ellipsis;white-space:nowrap;flex:0 1 auto;}
.commands code:hover{white-space:normal;overflow-wrap:anywhere;}
#member:not(:empty){border-top:1px solid var(--line);margin-top:18px;padding-top:14px;}
#member .value{overflow-wrap:anywhere;}
.text{overflow-wrap:anywhere;}
@media screen and (max-width:900px){#story .commands{display:none;}
body{height:auto;min-height:100dvh;}
#top{padding:4px 12px;flex-wrap:wrap;gap:0 8px;}
#top h1{flex:1 1 0;min-width:8em;}
#top .spring{display:none;}
#facts{order:5;flex-basis:100%;}
button,button.copy,select,input[type=search],input[type=text],input[type=number]{min-height:40px;min-width:40px;}
a{padding-block:6px;}
.fired li,.chain li,.writers li{line-height:30px;}
.node{min-height:36px;align-items:center;}
.node .twist{min-width:36px;margin-left:-10px;line-height:36px;}
#runs{flex:1 1 0;min-width:0;display:flex;gap:8px;align-items:center;}
#runs select{flex:1 1 0;}
#story{padding:6px 12px;}
.finding:not([open]) .where{display:none;}
.finding a{padding-block:0;}
.columns,.sides{grid-template-columns:minmax(0,1fr);}
#steer{display:block;order:1;position:sticky;bottom:0;z-index:2;background:var(--ground);border-top:1px solid var(--line);}
#time{grid-template-columns:64px minmax(0,1fr);gap:0 8px;padding:4px 12px;}
#slider{height:28px;}
.lane{min-width:0;font-size:10px;padding-right:4px;border-right-width:2px;}
#transport{gap:4px;flex-wrap:nowrap;white-space:nowrap;overflow:hidden;}
#transport .position{margin-left:0;font-size:0;}
#to-start,#to-end,#speed,#play-word{display:none;}
#tabs{display:grid;grid-template-columns:repeat(3,1fr);background:var(--panel);}
#tabs button{border:none;border-radius:0;background:none;min-height:44px;border-top:2px solid transparent;}
#tabs [aria-selected=true]{border-top-color:var(--accent);font-weight:650;}
main{display:block;flex:1 0 auto;}
main > section{display:none;}
body:not([data-tab]) #state,body[data-tab=state] #state,body[data-tab=commits] #commits{display:flex;}
body[data-tab=commit] #commit{display:block;}
#list{flex:none;height:calc(100dvh - 19rem);min-height:16rem;}
#tree{overflow:visible;}
#sides{position:sticky;top:0;z-index:1;background:var(--panel);}
.node{scroll-margin-bottom:16rem;}
.finding > summary{gap:0 10px;}
#toast{bottom:auto;top:18px;}}
@media print{body{height:auto;}
#transport,#slider,#commits,#tabs,#toast,.twist{display:none !important;}
button:not(.lane),select{display:none !important;}
#tree,#commit{overflow:visible;}
main{display:flex;flex:none;flex-direction:column;}
#commit{order:-1;}
main > section{display:block !important;flex:none;border-bottom:1px solid var(--line);}
.commands code{white-space:normal;overflow-wrap:anywhere;}
.lit{outline:1px solid var(--lit-edge);}}
@media (prefers-reduced-motion:reduce){*{transition:none !important;}}

"""#
    /// What the page consists of before its script fills it in; nothing of a journal is in it.
    static let body = #"""
<noscript>This page shows a run by a script, which this browser does not run.</noscript>
<header id="top">
  <h1 id="title">state-inspect</h1>
  <label id="runs" hidden>Run <select id="run"></select></label>
  <p id="facts"></p>
  <div class="spring"></div>
  <button type="button" id="theme" title="Theme: light, dark, or as the system has it (t)">Theme</button>
  <button type="button" id="help" title="Keys (?)" aria-haspopup="dialog">?</button>
</header>
<section id="story" aria-label="What was found"></section>
<div id="steer">
<section id="time" aria-label="Timeline">
  <div id="lanes" role="group" aria-label="Stores: choose whose commits are listed"></div>
  <div id="track" aria-hidden="true"><canvas id="canvas"></canvas><div id="cursor"></div></div>
  <input type="range" id="slider" min="0" max="0" value="0" step="1" aria-label="Position">
  <div id="transport" role="group" aria-label="Move along the run">
    <button type="button" id="to-start" title="Start (Home)" aria-label="Start"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3h2v10H3zM13 3v10L5 8z"/></svg></button>
    <button type="button" id="step-back" title="Back one commit (←)" aria-label="Back one commit"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M10 2l2 2-4 4 4 4-2 2-6-6z"/></svg></button>
    <button type="button" id="play" title="Play (space)" aria-pressed="false"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4 2l9 6-9 6z"/></svg><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 2h4v12H3zM9 2h4v12H9z"/></svg>
      <span id="play-word">Play</span></button>
    <button type="button" id="step" title="On one commit (→)" aria-label="On one commit"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M6 2l6 6-6 6-2-2 4-4-4-4z"/></svg></button>
    <button type="button" id="to-end" title="End (End)" aria-label="End"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3l8 5-8 5zM11 3h2v10h-2z"/></svg></button>
    <select id="speed" aria-label="Commits a second">
      <option value="2">2/s</option><option value="8" selected>8/s</option><option value="30">30/s</option>
    </select>
    <label class="position">Commit <input type="number" id="position" min="0" value="0" inputmode="numeric"></label>
    <output id="moment" for="slider"></output>
  </div>
</section>
<nav id="tabs" role="tablist" aria-label="Views">
  <button type="button" role="tab" id="tab-commits" aria-controls="commits" aria-selected="false">Commits</button>
  <button type="button" role="tab" id="tab-state" aria-controls="state" aria-selected="true">State</button>
  <button type="button" role="tab" id="tab-commit" aria-controls="commit" aria-selected="false">Change</button>
</nav>
</div>
<main>
  <section id="commits" aria-label="Commits">
    <form id="filter" role="search">
      <input type="search" id="text" placeholder="Search" aria-label="Search names, paths and values"
        autocomplete="off" spellcheck="false">
      <details>
        <summary>Filters</summary>
        <label>Path <input type="text" id="path" placeholder="/cart/total" autocomplete="off" spellcheck="false"></label>
        <label>Function or file <input type="text" id="label" autocomplete="off" spellcheck="false"></label>
        <label>Store <select id="store"></select></label>
        <label>Kind
          <select id="kind">
            <option value="">all</option><option value="commit">commits</option><option value="mark">marks</option>
            <option value="abort">aborts</option><option value="gap">gaps</option>
            <option value="store">stores opened</option><option value="close">stores closed</option>
          </select>
        </label>
        <button type="reset">Clear</button>
      </details>
      <output id="count"></output>
    </form>
    <div id="list" role="listbox" tabindex="0" aria-label="Commits"><div id="rows"></div></div>
  </section>
  <section id="state" aria-label="State">
    <div class="bar">
      <h2>State <span id="state-at"></span></h2>
      <div class="spring"></div>
      <button type="button" id="fold" title="Fold all but what changed">Fold</button>
      <button type="button" id="copy-state" title="Copy the state as JSON">Copy JSON</button>
    </div>
    <div id="sides" class="bar" hidden>
      <span id="other-at"></span>
      <div class="spring"></div>
      <button type="button" id="next-difference" title="To the next difference (n; N for the one before)">Next (n)</button>
    </div>
    <div id="tree" role="tree" tabindex="0" aria-label="State"></div>
  </section>
  <section id="commit" aria-label="Change">
    <div id="change" aria-live="polite"></div>
    <div id="member"></div>
  </section>
</main>
<dialog id="keys" aria-labelledby="keys-title">
  <h2 id="keys-title">Keys</h2>
  <dl id="key-list"></dl>
  <p>An address may end in <code>#118</code> or <code>#118/cart/total</code>.</p>
  <form method="dialog"><button>Close</button></form>
</dialog>
<div id="toast" role="status" aria-live="polite"></div>
"""#
}
