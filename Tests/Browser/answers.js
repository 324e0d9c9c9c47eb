// Asks a page's own script who wrote members and where their values come from, without a browser.
//
// usage: node answers.js PAGE QUESTIONS
//
// QUESTIONS is a file of JSON: an array of [POSITION, PATH]. An answer is a line of JSON: the records that wrote the member, the
// last one first, five at most, each as [KIND, SEQ, PATH BEFORE IT]; and for a value that is no container its way back.

"use strict";
const { readFileSync } = require("node:fs");

const [page, asked] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
const parts = [...page.matchAll(/<script(?: type="[^"]*" id="([^"]*)")?>([^]*?)<\/script>/g)];
const texts = new Map(parts.filter(([, id]) => id).map(([, id, text]) => [id, { textContent: text }]));
const [, , script] = parts.find(([, id]) => !id);
const document = { readyState: "complete", getElementById: (id) => texts.get(id) };
// All but what shows the page.
const classes = script.slice(0, script.lastIndexOf("const page ="));
const names = "{ Cursor, Origins, Writers, isContainer, pointer, runs, segmentsOf, valueAt }";
const { Cursor, Origins, Writers, isContainer, pointer, runs, segmentsOf, valueAt } =
  new Function("document", classes + "; return " + names)(document);

async function answer([position, path]) {
  const [run] = runs, segments = segmentsOf(path);
  const walk = new Writers(run, position, segments);
  const writers = [];
  for (let found; writers.length < 5 && (found = await walk.next());) writers.push([found.record.kind, found.record.seq, pointer(walk.path)]);
  const cursor = new Cursor(run);
  await cursor.moveTo(position);
  if (isContainer(valueAt(cursor.stores, segments))) return { writers };
  const { hops, end } = await new Origins(run, position, segments).follow();
  return {
    writers, end,
    hops: hops.map(({ path, record, how, basis, candidates = [] }) => [pointer(path), record.seq, how, basis, candidates.map(pointer)]),
  };
}

(async () => { for (const question of JSON.parse(asked)) console.log(JSON.stringify(await answer(question))); })();
