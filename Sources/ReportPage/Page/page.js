// The page as a whole: one position, and every part that shows something of it.

class Page {
  constructor() {
    this.run = runs.find((run) => run.about.findings.some((finding) => finding.tone === "bad")) ?? runs[0];
    this.position = this.run.start;
    this.member = "";
    this.chosen = new Set();
    this.cursor = new Cursor(this.run);
    this.timeline = new TimelineView(this);
    this.list = new ListView(this);
    this.tree = new TreeView(this);
    // Commits are paired from the beginning on.
    const isWhole = runs.every(({ about, start }) => start === about.first);
    this.sides = isWhole && about.divergence && about.divergence.store ? new Sides(this) : null;
    this.commit = new CommitView(this);
    this.memberView = new MemberView(this);
    this.story = new StoryView(this);
    this.controls = new Controls(this);
  }

  async start() {
    this.controls.start();
    this.enter(this.run);
    await pageIsRead;
    await this.controls.goTo(this.controls.readAddress() ?? this.parting ?? this.opening(this.run), { isStill: true });
    if (this.sides) this.sides.read();
  }

  // What a run begins with: what was found, or the end, where failures are.
  opening(run) {
    const bad = run.about.findings.find((finding) => finding.tone === "bad" && finding.position !== undefined);
    return { run, position: bad ? bad.position : run.end, path: bad && bad.record ? this.story.pathOf(bad) : "" };
  }

  get overview() { return this.run.overview; }

  // Where two runs part, in the one of which something bad was found, or in the second.
  get parting() {
    if (!this.sides) return null;
    const sides = [about.divergence.left, about.divergence.right].map((record, index) => record && { run: runs[index], record });
    const found = sides[this.run.index] ?? sides[1] ?? sides[0];
    const isBad = this.run.about.findings.some((finding) => finding.tone === "bad");
    const { run, record } = isBad ? found : sides[1] ?? sides[0];
    return { run, position: record.seq, path: record.isCommit && record.changes.length > 0 ? record.changes[0].path : "" };
  }

  enter(run) {
    if (this.run !== run) {
      this.run = run;
      this.chosen.clear();
      this.cursor = new Cursor(run);
      this.list.matches = null;
    }
    this.story.render();
    this.controls.describe();
  }

  laneOf(store) {
    const number = this.overview.byName.get(store);
    return number === undefined ? 0 : this.timeline.laneOf(number);
  }

  drawSoon() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.controls.describe();
      this.timeline.draw(true);
      this.list.render();
    });
  }

  // Goes to a position; of several that are asked for at once, the last one counts.
  async moveTo(position, options = {}) {
    position = Math.max(this.run.start, Math.min(this.run.end, Math.trunc(Number(position)) || 0));
    this.wanted = { position, options };
    if (this.moving) return this.moving;
    this.moving = this.move().finally(() => (this.moving = null));
    return this.moving;
  }

  async move() {
    while (this.wanted) {
      const { position, options } = this.wanted;
      this.wanted = null;
      const isForward = position >= this.position;
      try {
        await this.cursor.moveTo(position);
        let reached = this.cursor.position;
        // What was lost has no state: its gap is passed in the direction of the way.
        if (reached < position && isForward) {
          const record = this.cursor.chunk.records[this.cursor.count];
          if (record) {
            await this.cursor.moveTo(record.seq);
            reached = this.cursor.position;
          }
        }
        this.position = reached;
        if (this.sides) await (options.isQuick ? this.sides.forget() : this.sides.compare());
      } catch (error) {
        toast("This position cannot be shown: " + error.message);
        return;
      }
      if (options.path !== undefined) this.member = options.path;
      await this.show(options);
    }
  }

  // The record that made the position, and what it did.
  get author() {
    for (let at = this.cursor.count - 1; at >= 0; at--) {
      const record = this.cursor.chunk.records[at];
      if (record.kind === "commit" || record.kind === "gap" || record.kind === "damage") {
        return record.seq === this.position ? { record, effect: this.cursor.effects[at] } : null;
      }
    }
    return null;
  }

  async show({ isCentred = false, isQuick = false, isStill = false, path, row } = {}) {
    const { author } = this;
    this.tree.light(author && author.effect);
    this.tree.selected = this.member;
    if (this.member) this.tree.select(this.member);
    else this.tree.render();
    // What is said of the position may take room from the tree.
    this.controls.report();
    // When a page opens, what was found is seen first.
    this.tree.reveal(path && this.tree.node ? [this.tree.node] : this.tree.changedNodes, isStill);
    this.overview.read(this.position, () => this.drawSoon());
    this.timeline.draw();
    this.controls.writeAddress(isQuick);
    await this.list.select(row ?? (await this.run.rowOf(this.position)), isCentred);
    const chosen = row === undefined ? null : this.run.peekRow(row);
    // While the position slides or plays, the state is shown first.
    if (isQuick && this.wanted) return;
    this.commit.show(chosen && chosen.kind !== "commit" ? chosen : author && author.record);
    if (!isQuick) this.memberView.show(this.member);
    else this.memberView.show("");
  }

  async chooseRow(row) {
    const chunk = await this.run.load(this.run.chunkOfRow(row));
    const record = chunk.records[chunk.rows[row - this.run.rowStarts[chunk.index]]];
    await this.moveTo(record.seq, { row });
  }

  selectMember(path) {
    this.member = path;
    this.tree.select(path);
    this.tree.reveal([this.tree.node]);
    this.memberView.show(path);
    this.controls.writeAddress();
  }

  choose(store) {
    if (this.chosen.has(store)) this.chosen.delete(store);
    else this.chosen.add(store);
    this.timeline.label();
    this.controls.filter();
  }

  reportCount(count, isGoingOn = false) {
    byId("count").textContent = count === null ? "" : counted(count, "row") + (isGoingOn ? " …" : "");
  }

  // The next or previous record that wrote the chosen member; the one that stands here counts unless another is wanted.
  async goToWriter(direction, isAnother = false) {
    if (!this.member) return toast("Choose a member of the state first");
    const path = segmentsOf(this.member);
    if (direction < 0) {
      const writers = new Writers(this.run, this.position, path);
      let found = await writers.next();
      if (found && found.record.seq === this.position && (isAnother || this.lastWriter === this.position)) found = await writers.next();
      if (!found) return toast("No commit wrote it before");
      this.lastWriter = found.record.seq;
      return this.moveTo(found.record.seq, { path: pointer(found.path), isCentred: true });
    }
    const filter = new Filter();
    filter.path = path;
    const next = await this.find((record) => record.seq > this.position && filter.touches(record));
    return next ? this.moveTo(next.seq, { isCentred: true }) : toast("No commit writes it after this");
  }

  // The first record from here on of which something is so.
  async find(isIt) {
    for (let index = this.run.chunkOf(this.position); index < this.run.entries.length; index++) {
      const found = (await this.run.load(index)).records.find(isIt);
      if (found) return found;
      await rest();
    }
    return null;
  }

  // The next or previous mark, abort, gap or finding.
  goToEvent(direction) {
    const places = [...this.overview.events.map((record) => record.seq),
      ...this.run.about.findings.flatMap((finding) => (finding.position === undefined ? [] : [finding.position]))];
    const ahead = places.filter((seq) => (direction > 0 ? seq > this.position : seq < this.position));
    if (ahead.length === 0) return toast("There is none");
    return this.moveTo(direction > 0 ? Math.min(...ahead) : Math.max(...ahead), { isCentred: true });
  }
}

const page = new Page();
page.start().catch((error) => toast("This page cannot be shown: " + error.message));
