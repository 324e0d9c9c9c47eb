# kubernetes: what 'kubectl get -w --output-watch-events -o json' prints
#
# Also objects and lists of them without events. A store for each kind, an object at '/namespace/name'. Elements of its lists are
# matched by 'id', 'name', 'type', 'uid', 'key' or 'ip', by those of '--key' first.
def settings: {identities: ["id", "name", "type", "uid", "key", "ip"], unordered: true};
def looks:
  type == "object"
  and if (.type | type) == "string" and (.object | type) == "object" then .object.kind | type == "string"
      else (.kind | type) == "string" and (.apiVersion | type) == "string" and (.apiVersion | startswith("audit.") | not) end;

# Objects of a list come in any order, so their latest times are no more than a hint.
def moments:
  .metadata.creationTimestamp, .metadata.deletionTimestamp, (.metadata.managedFields[]?.time),
  (.status.conditions[]? | .lastTransitionTime, .lastHeartbeatTime);
def record($type; $above):
  string_at($above + ["kind"]) as $kind | object_at($above + ["metadata"]) as $_
  | string_at($above + ["metadata", "name"]) as $name | getpath($above)
  | {store: $kind, type: $type, path: [.metadata.namespace // empty, $name], object: .,
     time: ([moments | strings] | max)};
def event:
  if type != "object" then error("this is not a watch event")
  elif has("object") then
    string_at(["type"]) as $type | object_at(["object"]) as $object
    | if $type == "BOOKMARK" then {other: "bookmark"}
      elif $type == "ERROR" then {mark: ($object.message // $object.reason // "an error"), level: "error"}
      elif $type | IN("ADDED", "MODIFIED", "DELETED") then record($type; ["object"])
      else error("there is no operation '\($type)'") end
  elif has("items") then
    (.kind | if type == "string" then rtrimstr("List") else null end) as $kind | array_at(["items"])
    | parts("item"; if type == "object" then .kind //= $kind | record(null; []) else error("this is not an object") end)
  else record(null; []) end;
def each: if type == "array" then parts("event"; event) else event end;

def known: .path as $path | try ($old | getpath($path)) catch null;
def name: "\(.type // if known == null then "ADDED" else "MODIFIED" end) \(.path[-1])";
def note:
  if known == null and (.type | IN("MODIFIED", "DELETED"))
  then "change of objects that the file had not said anything of" else empty end;
def patch:
  (.path | length == 2 and $old[.[0]] == null) as $opens
  | (.path | length == 2 and ($old[.[0]] | length) == 1) as $isLast
  | if .type != "DELETED" then
      [if $opens then {op: "add", path: .path[:1] | pointer, value: {(.path[1]): .object}}
       else {op: "add", path: .path | pointer, value: .object} end]
    elif known == null then empty
    else [{op: "remove", path: (if $isLast then .path[:1] else .path end) | pointer}] end;
