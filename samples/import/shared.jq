# What every definition may call.

# The value at these names, of a type; an error that names it where it is missing or of another type.
def typed($names; $kind; $words):
  (try getpath($names) catch null) as $value
  | if ($value | type) == $kind then $value
    else error("'\($names | join("/"))' \(if $value == null then "is missing, should be" else "should be" end) \($words)") end;
def string_at($names): typed($names; "string"; "a string");
def array_at($names): typed($names; "array"; "an array");
def object_at($names): typed($names; "object"; "an object");

# Records of the elements of an array; of one that fails, or says nothing, the record says so.
def parts($word; records):
  to_entries[] | "\($word) \(.key)" as $part | .value
  | try ([records] | if . == [] then [{other: "\($word) that says nothing"}] end | .[] | .part //= $part)
    catch {part: $part, error: tostring};

# A value that may be JSON in a text.
def parsed: . as $text | try (if type == "string" then fromjson else . end) catch $text;
# Names as a JSON Pointer.
def pointer: map("/" + (tostring | gsub("~"; "~0") | gsub("/"; "~1"))) | join("");
# Records in the order of their times, where they stand newest first.
def oldest_first(time):
  if type == "array" and length > 1 and ([.[0, -1] | time] | all(. != null) and .[0] > .[1]) then reverse end;
# The moment of seconds since 1970.
def moment: . as $seconds | floor | todate[:-1] + ($seconds - floor | . * 1e6 | round | "000000\(.)"[-6:] | ".\(.)Z");

# The record of a line of a log, or of a part of one, that an entry wraps; '$kept' has the parts of lines that are not whole.
def wrapped($kept; $name; $part; $isWhole; $time):
  ($name // "stdout") as $stream | (($kept.parts[$stream] // "") + $part) as $line
  | if $isWhole | not then
      {keep: {parts: (($kept.parts // {}) + {($stream): $line}), line: $at.line,
        open: "the last line of '\($stream)' is not whole"}}
    else
      ($kept.parts // {} | del(.[$stream])) as $parts
      | {keep: (if $parts == {} then null else $kept + {parts: $parts} end)}
        + (try ($line | fromjson | objects // error | {text: ., time: $time}) catch (if $line | startswith("{") then {error: "this is no JSON"} else {other: "line of other text"} end))
    end;

# Rows: a store for each table, rows by their key. A table is its plain name, and before it its full one.
def table($schema; $name): if $schema == null then [$name] else ["\($schema).\($name)", $name] end;
# The columns of its key that '--key' names; null where it does not.
def columns($table): [$table[] | $keys.tables[.] // empty][0] // ($keys.columns | if length > 0 then . else null end);
def row_key($table; $columns):
  . as $row | [$columns[] | $row[.]]
  | if any(. == null) then error("a row of '\($table[0])' has no \($columns | map("'\(.)'") | join(", "))")
    elif length == 1 then .[0] | tostring else tojson end;
# A record has a 'key' and perhaps a 'row', without which the row is gone; 'kept' are the columns that stay as they were where
# the row has none, or true for all of them.
def row_patch:
  .key as $key
  | if .truncates then [{op: "replace", path: "", value: {}}]
    elif .row == null then (if $old[$key] == null then empty else [{op: "remove", path: [$key] | pointer}] end)
    else .kept as $kept | [{op: "add", path: [$key] | pointer,
      value: ((if $kept == null then {} elif $kept == true then $old[$key] // {}
               else $old[$key] // {} | with_entries(select(.key | IN($kept[]))) end) + .row)}] end;
def row_note:
  if .key != null and (.isNew | not) and $old[.key] == null
  then "change of rows that the file had not said anything of" else empty end;

# MongoDB's extended JSON as plain values.
def plain:
  if type == "array" then map(plain)
  elif type != "object" then .
  elif length == 1 then
    keys[0] as $name
    | if $name | IN("$numberInt", "$numberLong", "$numberDouble", "$numberDecimal") then .[$name] | tonumber? // .
      elif $name | IN("$oid", "$symbol", "$uuid") then .[$name]
      elif $name == "$date" then .[$name] | plain | if type == "number" then . / 1000 | moment end
      else map_values(plain) end
  else map_values(plain) end;
# A document that an update of MongoDB was applied to.
def updated($update):
  def names: $update.disambiguatedPaths[.] // (split(".") | map(if test("^[0-9]+$") then tonumber else . end));
  # A number is an index where an array stands, else a name.
  def place($names): reduce $names[] as $name ([., []];
      (if (.[0] | type) == "array" then $name else $name | tostring end) as $step
      | [(.[0] | if type == "array" or type == "object" then .[$step] else null end), .[1] + [$step]]) | .[1];
  . as $document
  | reduce ($update.truncatedArrays // [])[] as $cut (.; place($cut.field | names) as $at
      | if getpath($at) | type == "array" then setpath($at; getpath($at)[:$cut.newSize]) end)
  | reduce ($update.updatedFields // {} | to_entries[]) as $field (.;
      setpath(place($field.key | names); $field.value | plain))
  | reduce ($update.removedFields // [])[] as $field (.; delpaths([place($field | names)]));
