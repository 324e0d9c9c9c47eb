// Two runs in step: the other one's state beside the one that is shown, and the way to the next difference.

// Pairs the commits of two runs as 'diff' does: of each store in their order, whichever store has its turn.
class Sides {
  // More differences are not looked for in a state.
  static most = 200;

  constructor(page) {
    this.page = page;
    this.cursors = new Map();
    this.commits = new Map();
    this.steps = new Map();
    this.forget();
  }

  forget() {
    this.position = null;
    this.differences = new Map();
    this.missing = new Map();
    this.above = new Set();
  }

  get other() { return runs[1 - this.page.run.index]; }

  get isReady() { return this.steps.size === runs.length; }

  // Reads both runs whole, and shows what then is known.
  async read() {
    for (const run of runs) {
      await run.overview.read(this.page.position, () => this.page.drawSoon());
      const stores = new Map(run.overview.stores.map((name) => [name, []]));
      const { storeOf, stores: names } = run.overview;
      for (let at = 1; at < storeOf.length; at++) if (storeOf[at]) stores.get(names[storeOf[at] - 1]).push(run.start + at);
      this.commits.set(run, stores);
    }
    for (const run of runs) this.steps.set(run, this.stepsOf(run));
    await this.page.moveTo(this.page.position, { isStill: true });
  }

  of(run, store) { return this.commits.get(run).get(store) ?? []; }

  // How many of these commits are at a position or before it.
  static countUpTo(position, commits) {
    let low = 0, high = commits.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (commits[middle] > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // The other run's commit in the place of one; undefined where it has none.
  partner(run, seq) {
    const name = run.overview.stores[run.overview.storeOf[seq - run.start] - 1];
    return name === undefined ? undefined : this.of(runs[1 - run.index], name)[Sides.countUpTo(seq, this.of(run, name)) - 1];
  }

  // For each position of a run the one of the other that is in step: that of the last commit that both have.
  stepsOf(run) {
    const steps = new Float64Array(run.overview.storeOf.length);
    steps[0] = runs[1 - run.index].start;
    for (let at = 1; at < steps.length; at++) steps[at] = this.partner(run, run.start + at) ?? steps[at - 1];
    return steps;
  }

  inStep(run, position) { return this.steps.get(run)[position - run.start]; }

  // Compares both states.
  async compare() {
    this.forget();
    if (!this.isReady) return;
    const { page, other } = this;
    const { position, run } = page;
    this.position = this.inStep(run, position);
    if (!this.cursors.has(other)) this.cursors.set(other, new Cursor(other));
    const cursor = this.cursors.get(other);
    await cursor.moveTo(this.position);
    for (const name of new Set([...Object.keys(page.cursor.stores), ...Object.keys(cursor.stores)])) {
      const [own, others] = [this.of(run, name), this.of(other, name)];
      const counts = [Sides.countUpTo(position, own), Sides.countUpTo(this.position, others)];
      // A store that only has its turn at another time differs in nothing.
      const isInStep = counts[0] === counts[1] || Math.min(...counts) === Math.min(own.length, others.length);
      if (isInStep) this.differ(memberOf(page.cursor.stores, name), memberOf(cursor.stores, name), [name]);
    }
  }

  differ(own, other, path) {
    if (this.differences.size >= Sides.most) return;
    const isAlike = isContainer(own) && isContainer(other) && Array.isArray(own) === Array.isArray(other);
    if (isAlike && own.$redacted === undefined) {
      for (const name of new Set([...Object.keys(own), ...Object.keys(other)])) {
        this.differ(memberOf(own, name), memberOf(other, name), [...path, name]);
      }
    } else if (!Sides.isEqual(own, other)) {
      this.differences.set(pointer(path), other);
      const parent = pointer(path.slice(0, -1));
      if (own === undefined) this.missing.set(parent, [...(this.missing.get(parent) ?? []), { name: path.at(-1), other }]);
      for (let count = 0; count < path.length; count++) this.above.add(pointer(path.slice(0, count)));
    }
  }

  // Numbers by their value: 1.0 is 1.
  static isEqual(own, other) {
    if (own === undefined || other === undefined) return own === other;
    const isNumber = [own, other].every((value) => typeof value === "number" || value instanceof NumberText);
    const number = Number(isNumber && textOf(own));
    return textOf(own) === textOf(other) || (isNumber && number === Number(textOf(other)) && Math.abs(number) < 2 ** 53);
  }

  // Whether the other run did something else in the place of a commit.
  async isOther(run, seq) {
    const partner = this.partner(run, seq);
    if (partner === undefined) return run.overview.storeOf[seq - run.start] !== 0;
    const [own, other] = [await run.commit(seq), await runs[1 - run.index].commit(partner)];
    const facts = ({ at, patch }) => textOf([placeText(at), (at && at.function) ?? null, patch.map(({ op, path, from, value }) => [op, path, from ?? null, value ?? null])]);
    return facts(own) !== facts(other);
  }

  // Goes to the next commit that the other run does not have so, whichever run has it.
  async next() {
    if (!this.isReady) return toast("Both runs are still being read");
    const { page, other } = this;
    const { run, position } = page;
    const pass = (this.pass = Symbol());
    let found = null;
    for (let seq = position + 1; seq <= run.end && found === null; seq++) {
      if (await this.isOther(run, seq)) found = seq;
      if (seq % 2000 === 0) await rest();
      if (this.pass !== pass) return;
    }
    // What only the other run has comes in the place where it was.
    const now = this.inStep(run, position);
    for (let seq = now + 1; seq <= other.end; seq++) {
      if (other.overview.storeOf[seq - other.start] === 0 || this.partner(other, seq) !== undefined) continue;
      const place = this.inStep(other, seq);
      if (place < position) continue;
      if (found === null || place < found) return page.controls.goTo({ run: other, position: seq, path: "" });
      break;
    }
    if (found === null) return toast("The runs differ in no later commit");
    return page.controls.goTo({ run, position: found, path: "" });
  }

  // Goes to the commit before that the other run does not have so, whichever run has it.
  async previous() {
    if (!this.isReady) return toast("Both runs are still being read");
    const { page, other } = this;
    const { run, position } = page;
    const pass = (this.pass = Symbol());
    let found = null;
    for (let seq = position - 1; seq > run.start && found === null; seq--) {
      if (await this.isOther(run, seq)) found = seq;
      if (seq % 2000 === 0) await rest();
      if (this.pass !== pass) return;
    }
    for (let seq = this.inStep(run, position); seq > other.start; seq--) {
      if (other.overview.storeOf[seq - other.start] === 0 || this.partner(other, seq) !== undefined) continue;
      const place = this.inStep(other, seq);
      if (place >= position) continue;
      if (found === null || place >= found) return page.controls.goTo({ run: other, position: seq, path: "" });
      break;
    }
    if (found === null) return toast("The runs differ in no earlier commit");
    return page.controls.goTo({ run, position: found, path: "" });
  }
}
