"""Writes the journals of one night: many runs of a small shop, some of which go wrong, each at its own place.

    python3 make_journals.py COUNT FOLDER [--seed N]

The same seed writes the same bytes. Only the standard library is used: it also shows how little a program in another
language needs to write journals that `state-inspect verify` finds whole.
"""

import argparse
import datetime
import json
import pathlib
import random

PRODUCTS = {"teapot": 20, "cup": 5, "kettle": 45, "strainer": 4, "tin": 9, "sencha": 12}
NIGHT = datetime.datetime(2026, 3, 1, 22, 0, 0)


class Journal:
    """The lines of one run. A change is given as paths and new values; what was there before is looked up."""

    def __init__(self, name, build, start, rng):
        self.lines, self.states, self.versions, self.commits = [], {}, {}, {}
        self.seq, self.marks, self.now, self.rng = 0, 0, start, rng
        self.write("journal", version=1, id=name, time=self.time(), app="Shop", build=build, recorder="fleet-sample")

    def write(self, kind, **members):
        record = {"seq": self.seq, "kind": kind, **members}
        self.lines.append(json.dumps(record, separators=(",", ":"), ensure_ascii=False))

    def time(self):
        return self.now.strftime("%Y-%m-%dT%H:%M:%S.%fZ")

    def open(self, store, kind, at, state):
        self.states[store], self.versions[store], self.commits[store] = state, 0, 0
        self.write("store", store=store, type=kind, time=self.time(), at=at, state=state)

    def commit(self, store, at, *changes):
        """Appends a commit; a change is ("replace", path, value), ("add", path, value) or ("remove", path)."""
        self.now += datetime.timedelta(milliseconds=self.rng.randint(20, 900))
        self.seq += 1
        self.versions[store] += 1
        self.commits[store] += 1
        patch = [self.apply(store, *change) for change in changes]
        self.write("commit", store=store, version=self.versions[store], time=self.time(), at=at,
                   name=at["function"], patch=patch)

    def apply(self, store, op, path, value=None):
        *parents, last = path.strip("/").split("/")
        holder = self.states[store]
        for key in parents:
            holder = holder[int(key) if isinstance(holder, list) else key]
        operation = {"op": op, "path": path}
        if op == "add":
            operation["value"] = value
            if isinstance(holder, list):
                holder.insert(int(last), value)
            else:
                holder[last] = value
            return json.loads(json.dumps(operation))
        key = int(last) if isinstance(holder, list) else last
        old = holder[key]
        if op == "remove":
            del holder[key]
        else:
            holder[key] = operation["value"] = value
        return json.loads(json.dumps({**operation, "old": old}))

    def mark(self, text, level):
        self.marks += 1
        self.write("mark", time=self.time(), text=text, level=level)

    def end(self):
        totals = {"commits": self.commits, "open": list(self.states), "derived": [], "marks": self.marks, "gaps": 0,
                  "aborts": 0}
        self.write("end", time=self.time(), totals=totals)


def at(file, line, function):
    return {"file": f"Shop/{file}.swift", "line": line, "column": 15, "function": function}


class Shop:
    """The app that is run, with four mistakes in it: `applyDiscount`, `restore`, `retire` and `catchUp`."""

    def __init__(self, journal, rng):
        self.journal, self.rng, self.next = journal, rng, 1
        journal.open("session", "SessionState", at("Session", 18, "init()"), {"user": None})
        products = {key: {"price": price, "stock": 20} for key, price in PRODUCTS.items()}
        journal.open("catalogue", "CatalogueState", at("Catalogue", 21, "init()"),
                     {"order": list(PRODUCTS), "products": products, "shelves": []})
        journal.open("cart", "CartState", at("Cart", 19, "init()"), {"discounts": [], "items": [], "total": 0})
        journal.open("feed", "FeedState", at("Feed", 16, "init()"), {"entries": []})

    @property
    def cart(self):
        return self.journal.states["cart"]

    def total(self, more=0, percent=0):
        full = sum(item["price"] for item in self.cart["items"]) + more
        return full * (100 - percent - sum(entry["percent"] for entry in self.cart["discounts"])) // 100

    def sign_in(self):
        self.journal.mark("signed in", "info")
        self.journal.commit("session", at("Session", 26, "signIn(_:)"), ("replace", "/user", "Ada"))

    def set_stock(self):
        product = self.rng.choice(self.journal.states["catalogue"]["order"])
        if product in self.journal.states["catalogue"]["products"]:
            self.journal.commit("catalogue", at("Catalogue", 40, "setStock(_:to:)"),
                                ("replace", f"/products/{product}/stock", self.rng.randint(0, 99)))

    def add(self):
        product = self.rng.choice(list(PRODUCTS))
        price = PRODUCTS[product]
        self.journal.commit("cart", at("Cart", 52, "add(_:)"),
                            ("add", f"/items/{len(self.cart['items'])}", {"id": product, "price": price}),
                            ("replace", "/total", self.total(more=price)))
        self.post(f"{product} is in your cart")

    def remove(self):
        if not self.cart["items"]:
            return
        index = self.rng.randrange(len(self.cart["items"]))
        price = self.cart["items"][index]["price"]
        self.journal.commit("cart", at("Cart", 66, "remove(_:)"),
                            ("remove", f"/items/{index}"), ("replace", "/total", self.total(more=-price)))

    def post(self, text):
        changes = [("add", "/entries/0", {"id": self.next, "text": text})]
        count = len(self.journal.states["feed"]["entries"]) + 1
        changes += [("remove", f"/entries/{index}") for index in reversed(range(12, count))]
        self.journal.commit("feed", at("Feed", 32, "post(_:)"), *changes)
        self.next += 1

    # What goes wrong in some runs.

    def apply_discount(self, percent=60):
        """Takes a code that is there already."""
        self.journal.commit("cart", at("Cart", 42, "applyDiscount(_:)"),
                            ("add", f"/discounts/{len(self.cart['discounts'])}", {"code": "SPRING", "percent": percent}),
                            ("replace", "/total", self.total(percent=percent)))

    def restore(self):
        """Brings back a cart whose total was worked out by the server, which takes the voucher twice."""
        self.journal.commit("cart", at("CartSync", 73, "restore(_:)"), ("replace", "/total", -self.rng.randint(1, 30)))
        self.journal.mark("the server refused the order", "error")

    def retire(self):
        """Takes a product away, but leaves it in the list."""
        products = self.journal.states["catalogue"]["products"]
        if len(products) > 2:
            product = self.rng.choice(list(products))
            self.journal.commit("catalogue", at("Catalogue", 58, "retire(_:)"), ("remove", f"/products/{product}"))
            self.journal.mark(f"no picture of {product}", "error")

    def catch_up(self):
        """Puts all that was missed into the feed, beyond what it keeps."""
        missed = [{"id": self.next + index, "text": "while you were away"} for index in range(13)]
        self.next += len(missed)
        self.journal.commit("feed", at("FeedSync", 47, "catchUp(_:)"), *[("add", "/entries/0", entry) for entry in missed])


def record(number, rng):
    """One run: about a hundred commits, and at most one of the mistakes, more of them in the newer build."""
    build = rng.choice(["1.4", "1.5"])
    journal = Journal(f"run-{number:04}", build, NIGHT + datetime.timedelta(seconds=30 * number), rng)
    shop = Shop(journal, rng)
    shop.sign_in()
    shop.add()
    shop.apply_discount(percent=rng.choice([5, 10, 60]))
    odds = {"1.4": [88, 4, 0, 4, 4], "1.5": [60, 16, 10, 6, 8]}[build]
    mistake = rng.choices([None, shop.apply_discount, shop.restore, shop.retire, shop.catch_up], odds)[0]
    length = rng.randint(40, 160)
    when = rng.randrange(length)
    for step in range(length):
        if step == when and mistake:
            mistake()
        rng.choices([shop.add, shop.remove, shop.set_stock], [2, 2, 5])[0]()
    if rng.random() < 0.95:  # The others crashed: their journals stop without an end.
        journal.end()
    return journal.lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, arguments.count + 1):
        lines = record(number, random.Random(arguments.seed * 1_000_003 + number))
        text = "".join(line + "\n" for line in lines)
        (arguments.folder / f"run-{number:04}.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
