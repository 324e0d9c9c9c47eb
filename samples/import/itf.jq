# itf: a trace of a model checker, an object with 'states'
#
# The Informal Trace Format of Apalache and Quint: a commit for each state but the first. Big integers are numbers, tuples arrays,
# sets arrays in the order of their texts, maps objects; one with a key that is no string is an array of pairs. A loop is a mark
# at the end.
def looks:
  type == "object" and (.states | type) == "array"
  and (has("vars") or has("#meta") or (.states[0] | type == "object" and has("#meta")));

def known: ["#bigint", "#map", "#meta", "#set", "#tup", "#unserializable"];
def by_text: map([tojson, .]) | sort | map(.[1]);
def value:
  def form: (keys_unsorted | if length == 1 then .[0] else null end) as $name
    | if $name == "#bigint" then
        .[$name] | if type != "string" then error("'#bigint' should be a string")
          elif test("^-?[0-9]+$") then fromjson else error("'#bigint' should be the digits of an integer") end
      elif $name | IN("#tup", "#set", "#map") then
        .[$name] | if type != "array" then error("'\($name)' should be an array")
          elif $name == "#tup" then map(value)
          elif $name == "#set" then map(value) | by_text
          elif all(type == "array" and length == 2) | not then error("'#map' should be an array of pairs")
          else map(map(value)) | if any(.[0] | type != "string") then by_text
            elif (map(.[0]) | unique | length) < length then
              error("'#map' should be an array of pairs with different keys")
            else map({key: .[0], value: .[1]}) | from_entries end end
      else map_values(value) end;
  if type == "array" then map(value) elif type == "object" then form else . end;
def is_known: all(.. | objects | keys_unsorted[]; (startswith("#") | not) or IN(known[]));
def each:
  if type != "object" then error("this is not a trace, an object with 'states'") end
  | array_at(["states"]) as $states
  | if $states == [] then error("this is not a trace with a state") end
  | ($states | parts("state";
      if type != "object" then error("this is not a state, an object by variable") end
      | {state: (del(.["#meta"]) | value), name: ([.action_taken, .["mbt::actionTaken"], .action] | map(strings) | .[0]),
         note: (if del(.["#meta"]) | is_known then null else "state with a form that is not known, kept as it stands" end)})),
    (.loop | values
     | if type == "number" and $states[.]? and . >= 0 then {mark: "loop: the run goes on at state \(.)", level: "info"}
       else {error: "'loop' should be the index of a state"} end);
