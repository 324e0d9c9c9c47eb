extension PageScript {
    /// Who wrote a member, and who before.
    static let blame = #"""
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
        """#
}
