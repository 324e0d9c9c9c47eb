"""The kit's driver of recorder.py: `python3 driver.py JOURNAL < operations`."""
import contextvars
import copy
import json
import os
import pathlib
import signal
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from recorder import Journal


class Driver:
    def __init__(self, path):
        self.path, self.journal, self.stores, self.states, self.count = path, None, {}, {}, 0

    def value(self, json):
        """What a value of a script stands for."""
        if isinstance(json, list):
            return [self.value(element) for element in json]
        if not isinstance(json, dict):
            return json
        if "$number" in json:
            text = json["$number"]
            return int(text) if text.lstrip("-").isdecimal() and text != "-0" else float(text)
        if "$units" in json:
            units = b"".join(unit.to_bytes(2, "little") for unit in json["$units"])
            return units.decode("utf-16-le", errors="surrogatepass")
        if "$text" in json:
            return json["$text"] * json["times"]
        if "$count" in json:
            return self.count
        if "$nest" in json:
            nested = 0
            for _ in range(json["$nest"]):
                nested = [nested]
            return nested
        return {key: self.value(member) for key, member in json.items()}

    def run(self, op):
        getattr(self, op["op"])(op)

    def begin(self, op):
        key = op["key"].encode() if "key" in op else None
        self.journal = Journal(self.path, app=op.get("app"), redact=op.get("redact", []), key=key)

    def open(self, op):
        name = op.get("as", op["store"])
        self.states[name] = self.value(op["state"])
        self.stores[name] = self.journal.store(op["store"], self.states[name])  # kit:open

    def commit(self, op):
        name = op["store"]
        if "state" in op:
            self.states[name] = self.value(op["state"])
        for member, value in op.get("put", {}).items():
            self.states[name][member] = self.value(value)
        for member, value in op.get("push", {}).items():
            self.states[name][member].append(self.value(value))
        arguments = {"name": op.get("name"), "cause": op.get("cause")}
        if op.get("line") == "b":
            self.stores[name].commit(self.states[name], **arguments)  # kit:b
        else:
            self.stores[name].commit(self.states[name], **arguments)  # kit:a

    def mark(self, op):
        self.journal.mark(op["text"], op.get("level"), self.value(op.get("payload")))  # kit:mark

    def subscribe(self, op):
        left = [op.get("times", 1)]

        def deliver(state):
            if left[0] > 0:
                left[0] -= 1
                if op.get("task"):
                    context = contextvars.copy_context()
                    task = threading.Thread(target=lambda: context.run(self.all, op["do"]))
                    task.start(), task.join()
                else:
                    self.all(op["do"])

        self.stores[op["store"]].subscribe(deliver)

    def threads(self, op):
        threads = [threading.Thread(target=self.all, args=[operations]) for operations in op["do"]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def repeat(self, op):
        for _ in range(op["times"]):
            self.count += 1
            self.all(op["do"])

    def all(self, operations):
        for op in operations:
            self.run(op)

    def close(self, op):
        self.stores[op["store"]].close()

    def end(self, op):
        self.journal.end()

    def kill(self, op):
        os.kill(os.getpid(), signal.SIGKILL)


driver = Driver(sys.argv[1])
for number, line in enumerate(sys.stdin, 1):
    try:
        driver.run(json.loads(line))
    except Exception as error:
        print(f'{{"fault":{number}}}', flush=True)
        print(f"operation {number}: {error!r}", file=sys.stderr)
