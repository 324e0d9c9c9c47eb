"""A recorder of state journals, in the standard library alone. The format is in state-journal(5).

    with Journal("run.jsonl", app="Shop", redact=["/cart/card"]) as journal:
        cart, badge = journal.store("cart", {"total": 0, "card": "4111"}), journal.store("badge", {"count": 0})
        cart.subscribe(lambda state: badge.commit({"count": 1}))  # its cause is the commit that is delivered
        cart.commit({"total": 5, "card": "4111"}, name="add")
"""
import contextlib, contextvars, dataclasses, datetime, enum, functools, hmac, itertools
import json, os, re, sys, threading, traceback, uuid

DELIVERED = contextvars.ContextVar("delivered", default=None)  # asyncio tasks inherit it, so they have a cause too
CRC = [functools.reduce(lambda crc, _: crc >> 1 ^ 0x82F63B78 * (crc & 1), range(8), byte) for byte in range(256)]


class Journal(contextlib.AbstractContextManager):
    """One run in one file. Any thread may use it: records are made and written under one lock."""
    def __init__(self, path, app=None, redact=(), key=None):
        """Creates the file; one that an earlier run left there is kept, under the next free number.

        `redact` has JSON Pointers into the whole state. In them `*` is any segment, `**` any number of segments, and
        an index any index. Hashes compare across runs if they have the same `key`, which is random unless given.
        """
        if not all(pointer.startswith("/") for pointer in redact):
            raise ValueError(f"not all of {redact} begin with '/'")
        # A payload has no path of its own: a member is redacted by the last name of any pointer.
        self._secret, self._payload = _matches(redact), _matches("/**/" + p.rpartition("/")[2] for p in redact)
        self._key, self._lock = key or os.urandom(32), threading.RLock()
        self._seq = self._marks = self._size = self._keyframe_size = self._keyframe_end = 0
        self._time, self._open, self._commits, self._file = "", {}, {}, _create(path)
        self._write("journal", version=1, id=str(uuid.uuid4()), time=self._now(), app=app, recorder="recorder.py")

    def store(self, name, state):
        """Starts to record a store. While another one of that name is open, it is called `name_2`."""
        with self._lock:
            names = itertools.chain([name], (f"{name}_{number}" for number in itertools.count(2)))
            free = next(name for name in names if name not in self._open)
            new = Store(self, name, free, self._tree(state, "/" + _escape(name), self._secret))
            self._write("store", store=free, type=type(state).__name__, time=self._now(), at=_caller(), state=new.tree)
            self._open[free], self._commits[free] = new, self._commits.get(free, 0)
            return new

    def mark(self, text, level=None, payload=None):
        """Records something that the program has to say, such as a tapped button."""
        with self._lock:
            self._write("mark", time=self._now(), at=_caller(), text=text, level=level,
                        payload=self._tree(payload, "", self._payload))
            self._marks += 1

    def end(self):
        """Ends the run. A journal without this was cut short by a crash."""
        with self._lock:
            if self._file is not None:
                self._write("end", time=self._now(), totals=self._totals())
                self._file = os.close(self._file)

    __exit__ = lambda self, *error: self.end()

    def _totals(self):
        counts = {"marks": self._marks, "gaps": 0, "aborts": 0}
        return {"commits": self._commits, "open": list(self._open), "derived": [], **counts}

    def _write(self, kind, seq=None, **members):
        """Appends a line by one write, so that a kill leaves whole lines. One that does not fit is taken back."""
        if self._file is None:
            raise ValueError("the journal has ended")
        members = {name: member for name, member in members.items() if member is not None}
        line = _text({"seq": self._seq if seq is None else seq, "kind": kind, **members})[:-1]
        crc = functools.reduce(lambda crc, byte: crc >> 8 ^ CRC[(crc ^ byte) & 0xFF], line, 0xFFFFFFFF) ^ 0xFFFFFFFF
        line, written = line + b',"sum":"%08x"}\n' % crc, 0
        try:
            while written < len(line):
                written += os.write(self._file, line[written:])
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += len(line)

    def _now(self):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        self._time = max(self._time, now)  # a clock that steps back repeats the last time
        return self._time

    def _tree(self, value, path, secret):
        """A copy of a value as JSON has it, with hashes in the place of what is redacted."""
        if path.count("/") > 512:
            raise ValueError("the state is nested more than 512 deep, which no reader takes")
        if secret(path):
            text = _text(self._tree(value, "", _matches([])), sort_keys=True)
            return {"$redacted": hmac.digest(self._key, text, "sha256")[:8].hex()}
        value = value.value if isinstance(value, enum.Enum) else value
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            named = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(str(value), value)
            return int(value) if value.is_integer() and abs(value) < 2**53 else named
        value = vars(value) if dataclasses.is_dataclass(value) else value
        if isinstance(value, dict):
            members = {(key if isinstance(key, str) else json.dumps(key)): member for key, member in value.items()}
            if len(members) < len(value):
                raise ValueError(f"two keys at '{path}' have one text")
            return {key: self._tree(member, f"{path}/{_escape(key)}", secret) for key, member in members.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            elements = [self._tree(element, f"{path}/{index}", secret) for index, element in enumerate(value)]
            return elements if isinstance(value, (list, tuple)) else sorted(elements, key=_text)
        return value.isoformat() if isinstance(value, datetime.date) else str(value)


class Store:
    """A recorded store. It holds what the journal says of it, never the program's own objects."""
    def __init__(self, journal, base, name, tree):
        self.base, self.name, self.tree, self.version = base, name, tree, 0
        self._journal, self._subscribers = journal, []

    def subscribe(self, subscriber):
        """Calls a function with each new state. What it commits has that commit as its cause."""
        self._subscribers.append(subscriber)

    def commit(self, state, name=None, cause=None):
        """Records a new state, then delivers it, and returns the commit's number. An equal state is recorded too."""
        with (journal := self._journal)._lock:
            if journal._open.get(self.name) is not self:
                raise ValueError(f"the store '{self.name}' is closed")
            tree = journal._tree(state, "/" + _escape(self.base), journal._secret)
            number, cause = journal._seq + 1, DELIVERED.get() if cause is None else cause
            journal._write("commit", number, store=self.name, version=self.version + 1, time=journal._now(),
                           at=_caller(), name=name, cause=cause, patch=list(_differences(self.tree, tree)))
            journal._seq, self.version, self.tree = number, self.version + 1, tree
            journal._commits[self.name] += 1
            if journal._size - journal._keyframe_end > max(1 << 16, 4 * journal._keyframe_size):
                before, states = journal._size, {name: store.tree for name, store in journal._open.items()}
                with contextlib.suppress(OSError):  # the commit is written, whatever becomes of the keyframe
                    journal._write("keyframe", states=states, totals=journal._totals())
                journal._keyframe_size, journal._keyframe_end = journal._size - before, journal._size
        (context := contextvars.copy_context()).run(DELIVERED.set, number)
        for subscriber in list(self._subscribers):
            context.run(subscriber, state)
        return number

    def close(self):
        with (journal := self._journal)._lock:
            if journal._open.get(self.name) is self:
                journal._write("close", store=self.name, time=journal._now())
                del journal._open[self.name]


def _differences(old, new, path=""):
    """The JSON Patch (RFC 6902) from one tree to another, as deep as possible, with what each operation replaces."""
    if isinstance(old, dict) and isinstance(new, dict) and "$redacted" not in old and "$redacted" not in new:
        for key in {**old, **new}:
            place = f"{path}/{_escape(key)}"
            if key in old and key in new:
                yield from _differences(old[key], new[key], place)
            else:
                yield {"op": "add", "path": place, "value": new[key]} if key in new else {
                    "op": "remove", "path": place, "old": old[key]}
    elif isinstance(old, list) and isinstance(new, list):
        texts = [[_text(element, sort_keys=True) for element in elements] for elements in (old, new)]
        start, shorter = len(os.path.commonprefix(texts)), min(len(old), len(new))
        end = len(os.path.commonprefix([text[start:][::-1] for text in texts]))
        for index in range(start, shorter - end):
            yield from _differences(old[index], new[index], f"{path}/{index}")
        for index in reversed(range(shorter - end, len(old) - end)):
            yield {"op": "remove", "path": f"{path}/{index}", "old": old[index]}
        for index in range(shorter - end, len(new) - end):
            yield {"op": "add", "path": f"{path}/{index}", "value": new[index]}
    elif old != new or isinstance(old, bool) != isinstance(new, bool):  # True == 1 in Python, not in JSON
        yield {"op": "replace", "path": path, "value": new, "old": old}


def _create(path):
    stem, extension = os.path.splitext(path)
    for number in itertools.count(1):
        with contextlib.suppress(FileExistsError):
            return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        with contextlib.suppress(FileExistsError):
            os.link(path, f"{stem}.{number}{extension}")  # fails, and replaces nothing, where the name is taken
            os.unlink(path)


def _matches(pointers):
    segment = lambda name: {"**": "(/[^/]*)*", "*": "/[^/]*"}.get(name) or (
        "/[0-9]+" if name.isdecimal() else "/" + re.escape(name))
    patterns = ["".join(map(segment, pointer.split("/")[1:])) for pointer in pointers]
    return re.compile("|".join(patterns) or "(?!)", re.DOTALL).fullmatch


def _caller(home=os.path.join(os.getcwd(), "")):
    """The nearest place outside of this file, relative to the folder of the program's start where it lies below."""
    code, line = next((frame.f_code, line) for frame, line in traceback.walk_stack(sys._getframe())
                      if frame.f_code.co_filename != __file__)
    return {"file": code.co_filename.removeprefix(home), "line": line, "column": 1, "function": code.co_name}


def _escape(key):
    return key.replace("~", "~0").replace("/", "~1")


def _text(value, sort_keys=False):
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=sort_keys)
    return text.encode(errors="backslashreplace")  # half of a surrogate pair has no UTF-8, but an escape
