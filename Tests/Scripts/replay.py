# A replay on `jsonpatch` from PyPI: replay.py JOURNAL STATES takes a journal and the lines of `replay --json`, and holds each
# patch, and each patch turned round, against them.
import json, sys, copy, jsonpatch

def back(patch):
    for operation in reversed(patch):
        kind, path = operation["op"], operation["path"]
        if kind == "add": yield {"op": "remove", "path": path}
        elif kind == "remove": yield {"op": "add", "path": path, "value": operation["old"]}
        elif kind == "replace": yield {"op": "replace", "path": path, "value": operation["old"]}
        elif kind == "move": yield {"op": "move", "from": path, "path": operation["from"]}
        else: sys.exit("an operation that cannot be turned round: " + kind)

expected = {}
for line in open(sys.argv[2]):
    answer = json.loads(line)
    expected[answer["seq"]] = answer["value"]
stores, commits = {}, 0
for line in open(sys.argv[1]):
    record = json.loads(line)
    if record["kind"] == "store": stores[record["store"]] = record["state"]
    if record["kind"] != "commit": continue
    name, patch, seq = record["store"], record["patch"], record["seq"]
    before = copy.deepcopy(stores[name])
    stores[name] = jsonpatch.apply_patch(before, patch)
    if stores != expected[seq]: sys.exit("the state after %d differs" % seq)
    if jsonpatch.apply_patch(stores[name], list(back(patch))) != before: sys.exit("going back from %d differs" % seq)
    commits += 1
print("%d commits forward and back" % commits)
