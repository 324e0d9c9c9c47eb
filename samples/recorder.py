#!/usr/bin/env python3
"""A recorder of state journals, from state-journal(5) alone: `python3 recorder.py run.jsonl` records a small shop."""
import datetime
import inspect
import json
import os
import sys
import uuid


class Journal:
    """One run in one file. Every line is one write, so that a crash leaves whole lines."""

    def __init__(self, path, app=None):
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        self.seq, self.counts, self.states, self.last = 0, {}, {}, ""
        self.write("journal", version=1, id=str(uuid.uuid4()), time=self.now(), recorder="recorder.py", app=app)

    def write(self, kind, **members):
        line = {"seq": self.seq, "kind": kind, **{name: m for name, m in members.items() if m is not None}}
        os.write(self.file, json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")

    def now(self):
        time = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        self.last = max(self.last, time)  # a time never falls
        return self.last

    @staticmethod
    def place():
        frame = inspect.stack()[2]
        return {"file": frame.filename, "line": frame.lineno, "column": 1, "function": frame.function}

    def open(self, store, state):
        self.states[store], self.counts[store] = state, self.counts.get(store, 0)
        self.write("store", store=store, type=type(state).__name__, time=self.now(), at=self.place(), state=state)

    def commit(self, store, name=None, cause=None, **changes):
        """Sets members of a store's state, and returns the commit's number."""
        state, patch = self.states[store], []
        for key, value in changes.items():
            path = "/" + key.replace("~", "~0").replace("/", "~1")
            if key not in state:
                patch.append({"op": "add", "path": path, "value": value})
            elif state[key] != value:
                patch.append({"op": "replace", "path": path, "value": value, "old": state[key]})
        self.states[store] = {**state, **changes}
        self.seq, self.counts[store] = self.seq + 1, self.counts[store] + 1
        self.write("commit", store=store, version=self.counts[store], time=self.now(), at=self.place(), name=name,
                   cause=cause, patch=patch)
        return self.seq

    def end(self):
        totals = {"commits": self.counts, "open": list(self.states), "derived": [], "marks": 0, "gaps": 0, "aborts": 0}
        self.write("end", time=self.now(), totals=totals)
        os.close(self.file)


if __name__ == "__main__":
    run = Journal(sys.argv[1], app="Shop")
    run.open("cart", {"total": 0, "items": []})
    run.open("badge", {"count": 0})
    added = run.commit("cart", name="add", items=["apple", "päär"], total=5)
    run.commit("badge", cause=added, count=2)
    run.commit("cart", name="discount", total=-1, coupon="~half/price")
    run.end()
