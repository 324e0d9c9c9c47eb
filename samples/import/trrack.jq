# trrack: a graph of nodes of trrack, an object with 'nodes'
#
# Also as the 'graph' of an object, and several, one after another. Each way from the root to a leaf is a branch, which has a store:
# 'state' in a graph of one, else 'branch1', 'branch2' and so on in the order in which the leaves were made. A node, which is a
# checkpoint or a patch of its parent's state, is a commit of each branch that it is in, and its 'event' the action.
def graph: if type == "object" and (.graph | type) == "object" then .graph end;
def looks:
  type == "object" and (graph | (.nodes | type) == "object"
    and (has("root") or any(.nodes[]; type == "object" and has("children"))));

# The nodes from the root to one, and when each was made, at the earliest when its parent was.
def way($nodes):
  [limit(($nodes | length) + 1; recurse($nodes[.].parent? // empty))] | reverse
  | map(select($nodes[.] == null))[0] as $id
  | if $id != null then error("'nodes/\($id)' is missing, should be a node, since others are below it") end
  | if length > ($nodes | length) then error("this is not a tree: a node is its own ancestor") end
  | [foreach .[] as $id (null; [., ($nodes[$id].createdOn | numbers)] | max; {id: $id, made: .})];
def record($node):
  {name: $node.label, time: $node.createdOn, action: ($node.event | strings) // null}
  + ($node | object_at(["state"]) | .type as $type
     | if $type == "checkpoint" then {state: .val} elif $type == "patch" then {patch: .val}
       else error("there is no operation '\($type)'") end);
def each($kept):
  if type != "object" then error("this is not a graph, an object with 'nodes'") end
  | graph | object_at(["nodes"]) as $nodes
  | [$nodes | to_entries[] | select(.value | type != "object") | .key][0] as $odd
  | if $odd then error("'nodes/\($odd)' should be an object") end
  | [$nodes | to_entries[] | select(.value.children // [] | all($nodes[.]? == null))]
  | sort_by(.value.createdOn, .key) | map(.key | way($nodes))
  | if . == [] then error("this is not a graph with a leaf") end
  | (($kept.graphs // 0) + 1) as $number | (length == 1) as $isOne
  | {keep: {graphs: $number}},
    ([to_entries[] | ["\($number)", if $isOne then "state" else "branch\(.key + 1)" end] as $store | .value[] + {store: $store}]
     | sort_by(.made)[]
     | {part: "node '\(.id)'", store: .store} + (.id as $id | try record($nodes[$id]) catch {error: .}));
