extension PageScript {
    /// The state at a position, moved on and back by patches.
    static let cursor = #"""
        // A state that goes along the records of one chunk at a time, both ways.
        class Cursor {
          constructor(run) {
            this.run = run;
            this.chunk = null;
            this.stores = {};
            this.closing = [];
            this.effects = [];
          }

          // How many records of the chunk are applied.
          get count() { return this.effects.length; }

          async begin(chunk) {
            const { states, closing } = await this.run.beginning(chunk.index);
            this.chunk = chunk;
            this.stores = states;
            this.closing = closing;
            this.effects = [];
          }

          // Goes to a position. What was lost has no state: then it goes to the end of the gap.
          async moveTo(position) {
            const chunk = await this.run.load(this.run.chunkOf(position));
            if (this.chunk !== chunk) await this.begin(chunk);
            const count = chunk.countUpTo(position);
            // Going back costs what going forward does; from far after the position, the front is nearer.
            if (this.count - count > count) await this.begin(chunk);
            while (this.count < count) this.forward();
            while (this.count > count) this.back();
          }

          get position() {
            return this.count > 0 ? this.chunk.records[this.count - 1].seq : this.chunk.start;
          }

          forward() {
            const record = this.chunk.records[this.count];
            const effect = { closing: this.closing, did: [] };
            switch (record.kind) {
              case "commit":
                for (const name of this.closing) effect.did.push(take(this.stores, [name]));
                this.closing = [];
                for (const operation of record.patch) {
                  const path = [record.store, ...segmentsOf(operation.path)];
                  const did = applyOperation(this.stores, path, operation);
                  if (did) effect.did.push({ ...did, operation });
                }
                break;
              case "store":
                this.closing = this.closing.filter((name) => name !== record.store);
                effect.did.push(put(this.stores, [record.store], copyOf(record.state), true));
                break;
              case "close":
                this.closing = [...this.closing.filter((name) => name !== record.store), record.store];
                break;
              case "gap":
              case "damage":
                if (!record.states) break;
                effect.stores = this.stores;
                this.stores = copyOf(record.states);
                this.closing = [];
                break;
            }
            this.effects.push(effect);
          }

          back() {
            const effect = this.effects.pop();
            if (effect.stores) this.stores = effect.stores;
            for (let at = effect.did.length - 1; at >= 0; at--) undo(this.stores, effect.did[at]);
            this.closing = effect.closing;
          }
        }
        """#
}
