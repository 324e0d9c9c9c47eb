// swift-format-ignore-file
// Written by '.ci/definitions --write' from the files of 'samples/import'.

/// The formats that are built in, as their definitions say them.
enum BuiltInDefinitions {
    /// What every definition may call.
    static let shared = ###"""
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

"""###
    /// The definitions, by name.
    static let all: [(name: String, text: String)] = [
("bloc", ###"""
# bloc: what an observer of bloc writes of transitions and changes, as JSON or in Dart's words
#
# Objects with 'bloc', 'currentState' and 'nextState', or lines with 'Transition { currentState: 0, event: Add, nextState: 1 }' or
# 'Change { currentState: 0, nextState: 1 }', whose states are values where they are JSON, else texts. A store for each bloc;
# other lines are counted.
def settings: {division: "raw"};
def is_transition: type == "object" and has("currentState") and has("nextState");
def words: "^(?<front>.*?)(?:Transition|Change) \\{ currentState: (?<before>.*?)(?:, event: (?<event>.*?))?, nextState: (?<after>.*) \\}";
def looks: is_transition or type == "string" and test(words);

def name_of: capture("(?<bloc>\\w*(?:Bloc|Cubit)\\w*)").bloc;
def each:
  parsed
  | def record:
      if is_transition then
        {store: (.bloc // .name // .cubit // "bloc" | tostring), state: .nextState, before: .currentState,
         time: (.time // .timestamp // .ts), at: .at,
         name: (.event | if type == "object" then .type // tojson else . // "change" | tostring end),
         action: (.event | if type == "object" then (if has("type") then . else {type: "event", payload: .} end) else . end)}
      elif type == "string" and test(words) then
        capture(words) | {store: ((.front | name_of) // "bloc"), state: (.after | parsed), before: (.before | parsed),
          name: (.event // "change"), action: .event, time: ((.front | capture("(?<t>\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]+Z?)").t) // null)}
      elif type == "string" and startswith("{") then error("this is no JSON")
      elif type == "string" then {other: "line of other text"}
      else error("this is not a transition, an object with 'currentState' and 'nextState'") end;
    if type == "array" then parts("transition"; record) else record end;

"""###),
("cri", ###"""
# cri: the log of a container as Kubernetes keeps it, or 'kubectl logs --timestamps' prints it
#
# A time stands before each line, and perhaps the stream and whether the line is whole. The JSON after it is a line of a log of
# any form, of which queries ('--state', '--name' and others) are asked. A line in parts is put together, and lines of other text
# are counted.
def settings: {division: "raw", wraps: true};
def words: "^(?<time>\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d)) (?:(?<stream>stdout|stderr) (?<tag>[FP])(?::\\S*)? )?(?<rest>.*)$";
def looks: type == "string" and ((capture(words) | .tag != null or (.rest | startswith("{"))) // false);

def each($kept):
  (capture(words) // null) as $line
  | if $line == null then error("this is not a line with a time before it") end
  | wrapped($kept; $line.stream; $line.rest; $line.tag != "P"; $line.time);

"""###),
("debezium", ###"""
# debezium: one change event of Debezium a line
#
# Events bare, in a 'payload', as the 'value' beside a 'key', after a key and a tab, as ExtractNewRecordState flattens them, in
# the JSON of Avro, and those of MongoDB. A store for each table, rows by their primary key. It is what the key says, else the
# columns of '--key' as in 'wal2json', else 'id'. A value that is '__debezium_unavailable_value' stays as it was. The first commit
# of a transaction is the cause of its others. Heartbeats, the borders of transactions and changes of schemas are counted.
def settings: {rows: true};
def unavailable: "__debezium_unavailable_value";

# The values of Avro's JSON without the names of their types.
def is_avro_name: IN("boolean", "int", "long", "float", "double", "bytes", "string", "array", "map") or test("^[A-Za-z_][\\w.]*\\.\\w+$");
def bare:
  if type == "array" then map(bare)
  elif type != "object" then .
  elif length == 1 and (keys[0] | is_avro_name) then .[] | bare
  else map_values(bare) end;
def is_avro:
  type == "object" and any(.before, .after, .op, .ts_ms, .source; type == "object" and length == 1 and (keys[0] | is_avro_name));
def payload: if type == "object" and has("payload") then .payload end | if is_avro then bare end;
def value: if type == "object" and has("key") and has("value") then .value end | payload;
def is_flat: (.__op | type) == "string" or (.__deleted | type | IN("string", "boolean"));
def is_schema_change: (.source | type) == "object" and (has("ddl") or has("tableChanges"));
def is_border: (.status | type) == "string" and (has("data_collections") or has("event_count") or has("id"));
def looks:
  type == "object" and (value | type == "object"
    and ((.op | type) == "string" and (.source | type) == "object" or is_flat or is_schema_change
      or (.status | type) == "string" and has("data_collections")));

def is_unavailable:
  if type == "array" then length > 0 and all(is_unavailable)
  elif type == "object" then length > 0 and all(is_unavailable)
  else IN(unavailable, (unavailable | @base64), (unavailable | @base64 | rtrimstr("=") | rtrimstr("="))) end;
def document: if type == "string" then parsed end | plain;

# The records of a row: what it is found by, and what it is from now on.
def change($record; $op; $key; $before; $after):
  $record.tables as $table
  | ($key | if type == "object" and length > 0 then keys_unsorted else columns($table) // ["id"] end) as $columns
  | if $op == "d" then
      ($key // $before | if type != "object" then error("'before' is missing, should be the row that was deleted") end
       | row_key($table; $columns)) as $place
      | $record + {key: $place}
    elif $after | type != "object" then error("'after' should be a row, an object")
    else
      ($after | row_key($table; $columns)) as $place
      | (try ($before | row_key($table; $columns)) catch $place) as $old
      | [$after | to_entries[] | select(.value | is_unavailable) | .key] as $kept
      | $record + {key: $place, row: ($after | delpaths([$kept[] | [.]])), isNew: ($op != "u"), kept: $kept}
      | if $op == "u" and $old != $place then $record + {key: $old}, .isNew = true end end;

def names: {c: "insert", r: "read", u: "update", d: "delete", t: "truncate"};
# Documents of MongoDB are texts, and so are the parts of an update.
def event($key; $line):
  string_at(["op"]) as $op | object_at(["source"]) as $source
  | ($source | .ts_us // .ts_ms // null) as $moment
  | {time: ($moment // .ts_ms)} as $record
  | if $op == "m" then
      $record + {mark: ((.message | objects | .prefix // .content | strings) // "message")}
    elif names[$op] == null then error("there is no operation '\($op)'")
    elif $source.table == null and $source.collection == null then error("'source/table' is missing, should be a string")
    else
      ($source.table // $source.collection) as $name | ($source.schema // $source.db) as $schema
      | $record + {store: [$schema, $name], tables: table($schema; $name), name: "\(names[$op]) \($name)",
          transaction: (.transaction.id? // $source.txId // $source.gtid)}
      | . as $record | $line
      | if $op == "t" then $record + {truncates: true}
        elif $source.collection == null then change($record; $op; $key; .before; .after)
        else
          ((.after // .before // null | if . then document._id else null end)
           // ($key | objects | .id // ._id | parsed | plain)
           // error("a row of '\($record.tables[0])' has no '_id'")) as $id
          | $record + {key: ($id | if type == "string" then . else tojson end), isNew: ($op != "u")}
          | if $op == "d" then del(.isNew)
            elif $line.after then .row = ($line.after | document)
            else .update = ($line.updateDescription // error("'after' is missing, should be a document")
              | .updatedFields |= (. // {} | parsed) | .removedFields //= [] | .truncatedArrays //= []) end
        end
    end;
def flat($key):
  ([.__op | strings][0] // if .__deleted | tostring == "true" then "d" else "u" end) as $op
  | if names[$op] == null then error("there is no operation '\($op)'") end
  | (.__table // .__source_table // .__collection // .__source_collection // "rows") as $name
  | (.__schema // .__source_schema // .__db // .__source_db) as $schema
  | {store: [$schema, $name], tables: table($schema; $name), name: "\(names[$op]) \($name)",
     time: (.__source_ts_us // .__source_ts_ms // .__ts_us // .__ts_ms),
     transaction: (.__transaction_id // .__source_txId // .__txId)} as $record
  | with_entries(select(.key | startswith("__") | not)) as $row
  | change($record; if .__deleted | tostring == "true" then "d" else $op end; $key; $row; $row);

def one($key):
  if type != "object" then error("this is not one change event of Debezium a line")
  elif is_flat and (has("op") | not) then flat($key)
  elif is_schema_change and (has("op") | not) then {other: "change of a schema"}
  elif is_border and (has("op") | not) then {other: "border of a transaction"}
  elif keys_unsorted - ["ts_ms", "ts_us", "ts_ns"] == [] and has("ts_ms") then {other: "heartbeat"}
  else event($key; .) end;
# A key that a tab ends comes as a text of its own, before its event on the same line.
def text($kept):
  $kept.key as $key
  | (if $kept != null and $kept.line != $at.line then {error: $kept.open} else empty end),
    (if type == "null" then {keep: null}
     elif type == "object" and has("key") and has("value") then
       (.key | payload | bare) as $own | value | {keep: null}, (values | one($own))
     elif type != "object" then one(null)
     else payload | values
       | if type == "object" and ((has("op") or has("status") or is_flat or is_schema_change or (keys_unsorted == ["ts_ms"])) | not)
         then {keep: {key: bare, line: $at.line, open: "the event of line \($at.line): 'op' is missing, should be a string"}}
         else {keep: null}, one(if $kept.line == $at.line then $key else null end) end end);
def each($kept): if type == "array" then parts("event"; one(null)) else text($kept) end;
def patch:
  if .update then
    .key as $key | .update as $update
    | [{op: "add", path: [$key] | pointer, value: ($old[$key] // {} | updated($update))}]
  else row_patch end;
def note: row_note;

"""###),
("docker", ###"""
# docker: the log of a container as docker's json-file writes it, objects with 'log'
#
# The JSON in 'log' is a line of a log of any form, whose time is that of the entry, and of which queries ('--state', '--name' and
# others) are asked. A line that docker divided is put together, and lines of other text are counted.
def settings: {division: "lines", wraps: true};
def looks: type == "object" and (.log | type) == "string" and (.stream | IN("stdout", "stderr"));

def each($kept):
  if type != "object" or (.log | type) != "string" then error("this is not an entry of docker, an object with 'log'") end
  | .log as $log
  | wrapped($kept; .stream; $log; $log | endswith("\n"); .time);

"""###),
("dynamodb", ###"""
# dynamodb: records of a stream of DynamoDB, alone or as 'Records'
#
# A store for each table, items by their 'Keys', typed values as plain ones.
def looks:
  def is_record: type == "object" and (.dynamodb | type) == "object" and (.eventName | type) == "string";
  is_record or type == "object" and (.Records | type) == "array" and (.Records[0] | is_record);

def value:
  if type != "object" or length != 1 then error("this is not a typed value of DynamoDB: \(tojson)") end
  | to_entries[0]
  | if .key == "N" then .value | tonumber
    elif .key == "M" then .value | map_values(value)
    elif .key == "L" then .value | map(value)
    elif .key == "NS" then .value | map(tonumber)
    elif .key == "NULL" then null
    elif .key | IN("S", "B", "BOOL", "SS", "BS") then .value
    else error("there is no type '\(.key)'") end;
def item($name): object_at(["dynamodb", $name]) | map_values(value);
def record:
  if type != "object" then error("this is not a record of a stream, an object with 'dynamodb'") end
  | string_at(["eventName"]) as $op | object_at(["dynamodb"]) as $change
  | if $op | IN("INSERT", "MODIFY", "REMOVE") | not then error("there is no operation '\($op)'") end
  | (.tableName // (.eventSourceARN | strings | split("/")[1]) // "table") as $table
  | (item("Keys") | [.[]] | if length == 1 then .[0] | tostring else tojson end) as $key
  | {store: $table, name: "\($op) \($table)", key: $key, time: .dynamodb.ApproximateCreationDateTime}
    + if $op == "REMOVE" then {} else {row: item("NewImage"), isNew: ($op == "INSERT")} end;
def each:
  if type == "object" and (.Records | type) == "array" then .Records | parts("record"; record)
  elif type == "array" then parts("record"; record)
  else record end;
def patch: row_patch;
def note: row_note;

"""###),
("elasticsearch", ###"""
# elasticsearch: bulk requests of Elasticsearch or OpenSearch, a line that says what is done before each document
#
# A store for each index ('documents' where no line names one), documents by their '_id', or by the line of the action that leaves
# it to the server. An update's 'doc' is put into the document, level by level; its 'upsert' counts where there is none. Updates by
# a script are counted. The time is the document's '@timestamp' or 'timestamp'.
def is_action:
  type == "object" and length == 1 and (keys_unsorted[0] | IN("index", "create", "update", "delete"))
  and (.[] | type == "object" and (length == 0 or has("_index") or has("_id")));
def looks: is_action;

def each($kept):
  $kept.record as $record
  | if $record == null then
      if is_action | not then error("this is not an action, an object with 'index', 'create', 'update' or 'delete'") end
      | to_entries[0] as {key: $op, value: $about}
      | ($about._index // "documents") as $index
      | {store: $index, name: "\($op) \($index)", key: ($about._id // "line \($at.line)" | tostring)}
      | if $op == "delete" then .
        else {keep: {record: (. + {isNew: ($op != "update")}), line: $at.line, open: "the document of this action is missing"}} end
    else
      {keep: null},
      if type != "object" then {error: "this is not a document, an object"}
      elif $record.isNew then $record + {row: ., time: (.["@timestamp"] // .timestamp)}
      elif has("script") and (has("upsert") | not) then {other: "update by a script"}
      elif has("doc") or has("upsert") then $record + {row: (.upsert // .doc), doc, time: (.doc["@timestamp"]? // .doc.timestamp?)}
      else {error: "'doc' is missing, should be an object"} end
    end;
def patch:
  .key as $key
  | if .doc and $old[$key] then [{op: "add", path: [$key] | pointer, value: ($old[$key] * .doc)}] else row_patch end;
def note: row_note;

"""###),
("itf", ###"""
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

"""###),
("kubernetes", ###"""
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

"""###),
("langgraph", ###"""
# langgraph: checkpoints of LangGraph, as 'get_state_history' gives them
#
# An array of them, or one a line, oldest or newest first: objects with 'values' and 'metadata', the arrays that 'json.dumps'
# makes of them, or the checkpoints among the events of the stream mode 'debug'. A checkpoint's cause is its parent; a store for
# each thread, and for each graph in it.
def looks:
  def is_dumped: type == "array" and length >= 5 and (.[1] | type) == "array" and (.[2] | type) == "object" and (.[2] | has("configurable"));
  is_dumped or type == "array" and (.[0] | is_dumped)
  or type == "object"
    and (has("values") and has("metadata") and (has("next") or has("config") or has("checkpoint"))
      or (.type | IN("checkpoint", "task", "task_result")) and has("step") and (.payload | type) == "object");

def names: ["values", "next", "config", "metadata", "created_at", "parent_config", "tasks", "interrupts"];
def named:
  if type == "array" then [names[:length], .] | transpose | map({key: .[0], value: .[1]}) | from_entries
  elif type == "object" and .type == "checkpoint" and (.payload | type) == "object" then .payload + {created_at: .timestamp}
  else . end;
def checkpoint:
  if type == "object" and (.type | IN("task", "task_result")) and (.payload | type) == "object" then {other: .type}
  elif type != "object" and type != "array" then error("this is not a checkpoint, an object with 'values'")
  else
    named | if has("values") | not then error("'values' is missing, should be the state") end
    | (.config.configurable? // .checkpoint // {}) as $at
    | (.parent_config.configurable? // .parent_checkpoint // {}) as $above
    | (.metadata | objects // {}) as $metadata
    | {store: [$at.thread_id, if ($at.checkpoint_ns // "") == "" then "state" else $at.checkpoint_ns end],
       state: .values, time: .created_at, id: $at.checkpoint_id, cause: $above.checkpoint_id,
       name: "\($metadata.source // "step") \($metadata.step // "")",
       action: ($metadata.writes // null | if type == "object" and length > 0 then {type: (keys_unsorted | join(", ")), payload: .} else null end)}
  end;
def is_dump: type == "array" and length >= 5 and (.[2] | type) == "object" and (.[1] | type) == "array";
def each:
  if type == "array" and (is_dump | not) then oldest_first(named.created_at) | parts("checkpoint"; checkpoint) else checkpoint end;

"""###),
("maxwell", ###"""
# maxwell: one row change of Maxwell a line
#
# A store for each table, rows by 'primary_key_columns', else the columns of '--key' as in 'wal2json', else 'id'. The first commit
# of a transaction is the cause of its others. What a bootstrap says at its ends, and changes of schemas, are counted.
def settings: {rows: true};
def kinds: ["insert", "update", "delete", "bootstrap-insert"];
def is_schema: startswith("table-") or startswith("database-");
def looks:
  type == "object" and (.database | type) == "string" and (.type | type) == "string"
  and ((.type | IN(kinds[])) and (.data | type) == "object" or (.type | is_schema or startswith("bootstrap-")) and has("ts"));

def change:
  if type != "object" then error("this is not one row change of Maxwell a line") end
  | string_at(["type"]) as $type
  | if $type | is_schema then {other: $type}
    elif $type | IN("bootstrap-start", "bootstrap-complete", "heartbeat") then {other: $type}
    elif $type | IN(kinds[]) | not then error("there is no operation '\($type)'")
    else
      string_at(["table"]) as $name | object_at(["data"]) as $row
      | table(.database; $name) as $table
      | (.primary_key_columns // columns($table) // ["id"]) as $columns
      | ($row | row_key($table; $columns)) as $key
      | (($row + (.old | objects // {})) | row_key($table; $columns)) as $before
      | {store: [.database, $name], tables: $table, time: .ts, transaction: .xid,
         name: "\($type | ltrimstr("bootstrap-")) \($name)", key: $key} as $record
      | if $type == "delete" then $record
        elif $type == "update" and $before != $key then $record + {key: $before}, $record + {row: $row, isNew: true}
        else $record + {row: $row, isNew: ($type != "update")} end
    end;
def each: if type == "array" then parts("change"; change) else change end;
def patch: row_patch;
def note: row_note;

"""###),
("messages", ###"""
# messages: messages of an agent's run, objects with 'role', alone or as 'messages'
#
# Runs as language models take and give them, with calls of tools in every form: of OpenAI (chat and responses), Anthropic, Gemini
# and LangChain, and the sessions that Claude Code, Codex and Gemini's command write to disk. They are an array of messages, an
# object that has it as 'messages', 'contents', 'input', 'output', 'traj' or 'trajectory', several such, or one message a line. A
# store for each run has its 'messages', as 'tools' the last answer of each tool, and as 'result' what else the run says. A
# message is a commit, a call its action, and an answer's cause is its call; a message with several calls has a further commit for
# each of them after the first. What a session holds besides, as its settings, is counted.
def settings: {initial: {messages: [], tools: {}}};

def roles: ["system", "developer", "user", "assistant", "model", "tool", "function", "human", "ai", "chatbot"];
def kinds: ["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call", "reasoning",
  "computer_call", "computer_call_output", "web_search_call", "file_search_call", "mcp_call", "item_reference"];
def is_langchain:
  (.type | IN("human", "ai", "system", "tool", "function", "chat", "remove")) and ((.data | type) == "object" or has("content"))
  or (.type | IN("user", "gemini", "info", "error")) and has("content") and has("timestamp")
  or (.lc | type) == "number" and (.id | type) == "array" and (.kwargs | type) == "object" and (.id[-1] | tostring | test("Message(Chunk)?$"));
def is_message:
  type == "object"
  and ((.role | IN(roles[])) and (has("content") or has("parts") or has("tool_calls") or has("function_call"))
    or (.type | IN(kinds[])) and (has("call_id") or has("id") or has("summary") or has("action"))
    or is_langchain);
def is_claude: (.type | IN("user", "assistant")) and (.message | type) == "object" and (.message | has("role"));
def is_claude_other:
  (.type | type) == "string" and (.type | test("^[a-z-]+$")) and (has("role") | not)
  and (has("uuid") or has("leafUuid") or has("subtype") or has("messageId") and has("snapshot")
    or (has("sessionId") or has("session_id")) and (has("content") | not));
def is_codex: (.type | IN("session_meta", "response_item", "event_msg", "turn_context", "compacted")) and has("payload");
def lists: ["messages", "contents", "traj", "trajectory", "input", "output", "history", "chat_history"];
def list: . as $run | first(lists[] | select($run[.]? | type == "array" and any(.[]; is_message)),
    select(. == "messages" and $run.messages == [])) // null;
def has_list: list as $list | $list != null and .[$list] != [];
def looks:
  if type == "array" then length > 0 and (.[0] | is_message or (type == "object" and (has_list or is_claude or is_codex)))
  else type == "object" and (is_message or is_claude or is_codex or is_claude_other and (.type | IN("summary", "file-history-snapshot", "queue-operation")) or has_list) end;

# One form of all messages: 'role' and what else there is, 'calls' and 'answers' beside it.
def lc_role: {human: "user", ai: "assistant", AIMessage: "assistant", AIMessageChunk: "assistant", gemini: "assistant", HumanMessage: "user",
  SystemMessage: "system", ToolMessage: "tool", FunctionMessage: "function"};
def unwrapped:
  if (.lc | type) == "number" and has("kwargs") then {role: (lc_role[.id[-1]] // .kwargs.role // .id[-1])} + .kwargs
  elif has("role") then .
  elif is_langchain then .type as $type | (if (.data | type) == "object" then .data else . end) | del(.type)
    | {role: (lc_role[$type] // .role // $type)} + .
  else . end;
def text: if type == "array" then [.[] | if type == "object" then .text? // empty else strings end] | join("\n") else . end;
def calls:
  (.toolCalls // [] | .[]? | objects | {id, name, arguments: .args}),
  (.tool_calls // .additional_kwargs.tool_calls? // [] | .[]? | objects
    | {id, name: (.function.name? // .name), arguments: (.function.arguments? // .args // .arguments | parsed)}),
  (.function_call | objects | {id: (.id // .name), name, arguments: (.arguments | parsed)}),
  (if .tool_calls | length > 0 then empty else .content | arrays | .[] | objects | select(.type | IN("tool_use", "server_tool_use", "mcp_tool_use"))
    | {id, name, arguments: .input} end),
  (.parts | arrays | .[] | .functionCall? // .function_call? | objects | {id: (.id // .name), name, arguments: .args}),
  (select(.type == "local_shell_call") | {id: (.call_id // .id), name: "local_shell", arguments: .action}),
  (select(.type | IN("function_call", "custom_tool_call", "mcp_call"))
    | {id: (.call_id // .id), name, arguments: (.arguments // .input | parsed)}),
  (select(.type | IN("web_search_call", "file_search_call", "computer_call"))
    | {id: (.call_id // .id), name: (.type | rtrimstr("_call")), arguments: (.action // .queries)});
def answers:
  if .role == "tool" or .role == "function" then {id: (.tool_call_id // .name), name, content: (.content // .parts)}
  elif .type | IN("function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output") then
    {id: (.call_id // .id), content: .output}
  else
    (.content | arrays | .[] | objects | select((.type | strings | endswith("tool_result")) // false) | {id: .tool_use_id, content}),
    (.toolCalls // [] | .[]? | objects | select(has("result")) | {id, name, content: (.result | if type == "array" then map(.functionResponse.response? // .) | if length == 1 then .[0] end end)}),
    (.parts | arrays | .[] | .functionResponse? // .function_response? | objects
      | {id: (.id // .name), name, content: .response})
  end;

# A record of a message of a run: what its tools answered, and a record more for each call but the first.
def message($store; $time; $more):
  if type != "object" then error("this is not a message, an object with 'role'") end
  | if is_message | not then error("this is not a message, an object with 'role'") end
  | unwrapped | . as $message | [calls] as $calls
  | {store: $store, message: $message, time: $time, calls: $calls} + $more,
    ($calls[1:][] | {store: $store, time: $time, call: .}
      + (if $more.id then {cause: $more.id} else {} end));
def moment_of: .time // .timestamp // .created_at // .create_time // null;
def messages($store; $since): to_entries[] | "message \(.key)" as $part | .value
  | try ((moment_of // $since) as $time | message($store; $time; {})) catch {error: .} | .part = $part;
def session: .session // .sessionId // .session_id // .conversation_id // .thread_id // .run_id;
def name_of($count; $index):
  if type == "string" or type == "number" then "run-\(.)" elif $count > 1 then "run-\($index + 1)" else "run" end;
def run($count; $index):
  (session // .task_id // .id | name_of($count; $index)) as $store | list as $list
  | if $list == null then error("this is not a run: it has no messages, objects with 'role'") end
  | moment_of as $since | (.[$list] | messages($store; $since)), (del(.[$list], .session) | select(length > 0) | {store: $store, result: .});

# Sessions on disk. Claude Code: each entry names the one before it.
def claude:
  (session // "session" | "run-\(.)") as $store
  | if is_claude then
      (if .isSidechain == true then "\($store)-side" else $store end) as $store
      | . as $entry | .message
      | message($store; $entry.timestamp; {id: $entry.uuid, cause: $entry.parentUuid})
    else {other: ([.type, .subtype] | map(strings) | join(" "))} end;
def codex($store):
  if .type == "session_meta" then {keep: {session: "run-\(.payload.id // "session")"}}, {other: .type}
  elif .type == "response_item" and (.payload | is_message) then .timestamp as $time | .payload | message($store // "run"; $time; {})
  elif .type == "response_item" then {other: "\(.type) \(.payload.type? // "")"}
  else {other: ([.type, .payload.type?] | map(strings) | join(" "))} end;

def each($kept):
  if type == "array" then
    if any(.[]; is_message) then messages("run"; null)
    else length as $count | to_entries[] | .key as $index | .value
      | if type == "array" then {messages: .} else . end
      | if type != "object" then {part: "run \($index)", error: "this is not a run, an object with 'messages'"}
        elif is_claude or is_claude_other then try claude catch {error: .}
        elif is_codex then try codex($kept.session) catch {error: .}
        else try run($count; $index) catch {part: "run \($index)", error: .} end
    end
  elif type != "object" then error("this is not a message, an object with 'role'")
  elif is_codex then codex($kept.session)
  elif is_claude or is_claude_other then claude
  elif is_message then (if session == null then $kept.session // "run" else session | name_of(1; 0) end) as $store | message($store; moment_of; {})
  elif list != null then run(1; 0)
  # Codex wrote its first line without a type.
  elif has("record_type") then {other: .record_type}
  elif has("id") and has("timestamp") and (has("instructions") or has("git")) then {keep: {session: "run-\(.id)"}}, {other: "session_meta"}
  else error("this is not a message, an object with 'role'") end;

# Where a call of a run stands, for its answers: the message that has it is among those before.
def caller: .id as $id | first($old.messages[-200:][]? | select(any(calls; .id == $id)));
def tool: .id as $id | .name // first(caller | calls | select(.id == $id) | .name) // "tool";
def patch:
  if has("result") then [{op: "add", path: "/result", value: .result}]
  elif has("call") then []
  else .message | [{op: "add", path: "/messages/-", value: .},
      (answers | {op: "add", path: ["tools", tool] | pointer, value: (.content | text | parsed)})] end;
def name:
  if has("result") then "result" elif has("call") then "call \(.call.name)"
  else .calls as $calls | .message
    | ($calls | map("call \(.name)")[0]) // [answers | "answer \(tool)"][0] // .role // .type end;
def action: (.call // .calls[0]?) | if . == null then empty else {type: (.name // "tool"), payload: .arguments} end;
def id: [.call.id, .calls[0]?.id, .id] | map(values);
def cause: .cause as $cause | [.calls[]?.id] as $own
  | if .message then .message | first(answers | .id | values | select(IN($own[]) | not)) // $cause else $cause end;

"""###),
("mongodb", ###"""
# mongodb: events of a change stream of MongoDB, objects with 'operationType'
#
# A store for each collection, documents by their '_id', values of extended JSON as plain ones. Updates are applied to the
# document: dotted 'updatedFields', 'removedFields' and 'truncatedArrays'. A document that the file had not said anything of is
# taken from 'fullDocument'. The first commit of a transaction is the cause of its others.
def looks:
  type == "object" and (.operationType | type) == "string" and ((.ns | type) == "object" or has("clusterTime") or has("documentKey"));

def key: if type == "string" then . elif type == "object" or type == "array" then tojson else tostring end;
def records:
  if type == "object" and (.payload | type) == "string" then .payload | fromjson end
  | if type != "object" then error("this is not an event of a change stream, an object with 'operationType'") end
  | string_at(["operationType"]) as $op
  | {store: [.ns.db?, .ns.coll?], name: "\($op) \(.ns.coll? // "")",
     time: (.wallTime // .clusterTime["$timestamp"]?.t // .clusterTime | plain),
     transaction: (if .txnNumber == null then null else [.lsid, .txnNumber | tojson] end)} as $record
  | if $op | IN("insert", "update", "replace", "delete") then
      string_at(["ns", "coll"]) as $name
      | object_at(["documentKey"])._id as $id
      | if $id == null then error("'documentKey/_id' is missing, should be what the document is found by") end
      | $record + {key: ($id | plain | key)}
        + if $op == "delete" then {}
          elif $op == "update" then {update: object_at(["updateDescription"]), row: (.fullDocument | plain)}
          else {row: (object_at(["fullDocument"]) | plain), isNew: true} end
    elif $op | IN("drop", "invalidate") then
      if .ns.coll? then $record + {truncates: true} else {other: $op} end
    elif $op | IN("rename", "dropDatabase") then error("'\($op)' is not followed: what it does to collections is not in the journal")
    elif $op | IN("create", "createIndexes", "dropIndexes", "modify", "shardCollection", "reshardCollection", "refineCollectionShardKey")
    then {other: $op}
    else error("there is no operation '\($op)'") end;
def each: if type == "array" then parts("event"; records) else records end;
def patch:
  if .update == null or $old[.key] == null and .row != null then row_patch
  else .key as $key | .update as $update
    | [{op: "add", path: [$key] | pointer, value: ($old[$key] // {} | updated($update))}] end;
def note: row_note;

"""###),
("otlp", ###"""
# otlp: logs of OpenTelemetry in JSON, objects with 'resourceLogs'
#
# Also without that object around them, whatever number of records a line or a text has. Each record is an object with 'time',
# 'severity', 'name', 'body', 'attributes', 'resource', 'scope', 'trace' and 'span', values bare. A store is called by the
# 'service.name' of its resource, and its state has the last value of each attribute. The trace and the span stand in the journal.
# Spans and metrics among them are counted.
def looks:
  type == "object"
  and ((.resourceLogs | type) == "array" or (.scopeLogs | type) == "array"
    or (.logRecords | type) == "array" and (.logRecords[0] | type == "object" and (has("body") or has("timeUnixNano")))
    or (has("timeUnixNano") or has("observedTimeUnixNano")) and has("body"));

def value:
  def members: [.[]? | {key, value: (.value // {} | value)}] | from_entries;
  if has("stringValue") then .stringValue
  elif has("intValue") then .intValue | tonumber
  elif has("doubleValue") then .doubleValue
  elif has("boolValue") then .boolValue
  elif has("arrayValue") then [.arrayValue.values[]? | value]
  elif has("kvlistValue") then .kvlistValue.values | members
  else .bytesValue end;
def members: {kvlistValue: {values: .}} | value;
# The place in the source has the names of the conventions as they are and as they were.
def record($resource; $scope):
  if type != "object" then error("this is not a log record, an object") end
  | (.attributes | members) as $attributes | (.body | if . == null then null else value end) as $body
  | {time: ([.timeUnixNano, .observedTimeUnixNano] | map(select(. != null and . != "0" and . != 0)) | .[0]),
     severity: .severityText, name: (.eventName // ($body | strings) // .severityText), body: $body,
     attributes: $attributes, resource: $resource, scope: $scope, trace: .traceId, span: .spanId,
     store: ($resource["service.name"] // "log" | tostring), merge: $attributes,
     at: ($attributes | (.["code.file.path"] // .["code.filepath"]) as $file
       | if $file == null then null
         else {file: $file, line: (.["code.line.number"] // .["code.lineno"] // 0),
           function: (.["code.function.name"] // .["code.function"] // "")} end)};
def scoped($resource): (.scope.name? // null) as $scope | .logRecords[]? | record($resource; $scope);
def resourced: (.resource.attributes? | members) as $resource | (.scopeLogs // .instrumentationLibraryLogs)[]? | scoped($resource);
def text:
  if type != "object" then error("this is not an object with 'resourceLogs'")
  elif has("resourceLogs") then array_at(["resourceLogs"])[] | resourced
  elif has("scopeLogs") or has("instrumentationLibraryLogs") then resourced
  elif has("logRecords") then scoped({})
  elif has("resourceSpans") or has("scopeSpans") then {other: "spans"}
  elif has("resourceMetrics") or has("scopeMetrics") then {other: "metrics"}
  elif has("timeUnixNano") or has("observedTimeUnixNano") then record({}; null)
  else error("'resourceLogs' is missing, should be an array") end;
def each: if type == "array" then parts("record"; text) else text end;

"""###),
("redux-logger", ###"""
# redux-logger: entries of redux-logger, objects with an action and the states before and after it
#
# The states are 'prevState' and 'nextState', with a space in these words, or 'prev' and 'next'; the action is an object, or the
# rest of the entry. One whose reducer threw ('error') is an abort.
def after: if has("nextState") then .nextState elif has("next state") then .["next state"] else .next end;
def known: .prevState // .["prev state"] // .prev;
def looks:
  type == "object" and (has("nextState") or has("next state") or has("next") and has("prev"))
  and (has("action") or (.type | type) == "string") and (has("bloc") | not);

def each:
  def entry:
    if type != "object" or has("currentState") or (has("nextState") or has("next state") or has("error")
      or has("next") and (has("prev") or has("action") or has("type")) | not)
    then error("this is not an entry of redux-logger, an object with 'nextState'") end
    | (if has("action") then .action
       else del(.nextState, .["next state"], .next, .prevState, .["prev state"], .prev, .time, .timestamp, .started, .startedTime, .took) end
       | if type == "string" then {type: .} end) as $action
    | {name: ($action | (objects | .type) // "action" | tostring), action: $action, time: (.time // .timestamp // .startedTime // .started // .ts)}
      + (if known == null then {} else {before: known} end)
      + if .error != null and (has("nextState") or has("next state") or has("next") | not)
        then {abort: (.error | if type == "object" then .message // tojson else tostring end)} else {state: after} end;
  if type == "array" then parts("entry"; entry) else entry end;

"""###),
("temporal", ###"""
# temporal: the history of a workflow of Temporal, an object with 'events'
#
# Also an array of events, or one a line; oldest or newest first. The store 'workflow' has the workflow's 'status', 'input' and
# 'result', and its 'activities', 'timers', 'children', 'signals' and 'updates' by the number of the event that began each.
# Payloads of JSON are values. An event's cause is the one that it refers to.
def looks:
  def is_event: type == "object" and has("eventId") and has("eventType");
  is_event or type == "object" and ((.events // .history.events?) | type == "array" and (.[0] | is_event));

def value:
  if type == "array" then map(value)
  elif type != "object" then .
  elif (.payloads | type) == "array" then .payloads | map(value) | if length == 1 then .[0] end
  elif (.data | type) == "string" and has("metadata") then .data as $data | try ($data | @base64d | fromjson) catch $data
  else map_values(value) end;
# 'EVENT_TYPE_TIMER_FIRED' is 'TimerFired'.
def kind:
  if startswith("EVENT_TYPE_")
  then .[11:] | split("_") | map(.[:1] + (.[1:] | ascii_downcase)) | join("") else . end;
def phases: "(?<phase>Scheduled|Started|Completed|Failed|TimedOut|CancelRequested|Canceled|Terminated|Initiated|Fired|ContinuedAsNew|Accepted|Rejected|Admitted)$";
def event:
  if type != "object" then error("this is not an event of a history, an object with 'eventType'") end
  | string_at(["eventType"]) as $type | ($type | kind) as $kind | (.eventId | tostring) as $id
  | if .eventId == null then error("'eventId' is missing, should be a number") end
  | (first(to_entries[] | select(.key | endswith("EventAttributes")) | .value) // .attributes // {} | value) as $about
  | ($about.scheduledEventId // $about.initiatedEventId
     // (if $kind | test("^Timer(Fired|Canceled)") then $about.startedEventId else null end)
     // $about.acceptedEventId // null | if . == null then null else tostring end) as $begun
  | (($kind | capture(phases).phase) // null) as $phase
  | {store: "workflow", name: $kind, time: .eventTime, id: $id,
     cause: ($begun // $about.workflowTaskCompletedEventId // $about.startedEventId // null
       | if . == null or . == "0" or . == 0 then null else tostring end),
     action: {type: $kind, payload: $about}} as $record
  | ($about | del(.workflowTaskCompletedEventId, .scheduledEventId, .startedEventId, .initiatedEventId, .identity)) as $more
  | def part($list): $record + {merge: {($list): {($begun // $id): ({status: ($phase | ascii_downcase)} + $more)}}};
    if $kind | startswith("WorkflowExecutionSignaled") then part("signals") | .merge.signals[$id].status = "received"
    elif $kind | startswith("WorkflowExecutionUpdate") then part("updates")
    elif $kind == "WorkflowExecutionCancelRequested" then $record + {merge: {cancelRequested: true}}
    elif $kind | test("^WorkflowExecution(Started|Completed|Failed|TimedOut|Canceled|Terminated|ContinuedAsNew)$") then
      $record + {merge: ({status: (if $phase == "Started" then "running" else $phase | ascii_downcase end)}
        + ($more | with_entries(select(.key | IN("input", "result", "failure", "workflowType", "reason", "details", "newExecutionRunId")))))}
    elif $kind | startswith("WorkflowTask") then
      $record + {merge: {task: ({status: ($phase | ascii_downcase)} + ($more | {failure} | with_entries(select(.value != null))))}}
    elif $kind | startswith("ActivityTask") then part("activities")
    elif $kind | startswith("Timer") then part("timers")
    elif $kind | test("ChildWorkflowExecution|ExternalWorkflowExecution|NexusOperation") then part("children")
    elif $kind == "MarkerRecorded" then $record + {mark: "marker \($about.markerName // "")"}
    elif $kind | test("SearchAttributes|PropertiesModified") then
      $record + {merge: {attributes: ($more.searchAttributes.indexedFields? // $more.upsertedMemo.fields? // $more)}}
    else {other: $kind} end;
def each:
  if type == "array" then oldest_first(.eventId | tonumber?) | parts("event"; event)
  elif type == "object" and ((.events // .history.events?) | type) == "array" then
    (.events // .history.events) | oldest_first(.eventId | tonumber?) | parts("event"; event)
  else event end;

"""###),
("trrack", ###"""
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

"""###),
("wal2json", ###"""
# wal2json: what wal2json writes, in format 1 or 2
#
# Changes of PostgreSQL: a store for each table, rows by their primary key. The key is what 'include-pk' names, else the columns
# of '--key', with commas between them, of one table as '--key orders=order_id' (may be repeated), else 'id', else what an update
# says of the row before. A column that an update leaves out stays as it was. The first commit of a transaction is the cause of
# its others.
def settings: {rows: true};
def looks:
  type == "object"
  and if has("change") then .change | type == "array" and (length == 0 or (.[0] | type == "object" and has("kind")))
      else (.action | type == "string" and length == 1) and (has("table") or (.action | IN("B", "C", "M", "T"))) end;

def pairs($names; $values):
  array_at($names) as $columns | array_at($values) as $row
  | if ($columns | length) != ($row | length) then error("this is not a change with a value for each column")
    elif any($columns[]; type != "string") then error("this is not a change whose columns have names")
    else [$columns, $row] | transpose | map({key: .[0], value: .[1]}) | from_entries end;
def named($name):
  if .[$name] == null then {} else array_at([$name])
    | if any(.[]; type != "object" or (.name | type) != "string") then
        error("this is not a change whose columns have names") end
    | map({key: .name, value}) | from_entries end;
# A change of either format: what it does, the row, and what it was found by.
def change($kind; $row; $identity; $primary; $transaction; $time):
  table(.schema; .table // "") as $table
  | {store: [.schema, .table], tables: $table, time: $time, transaction: $transaction, name: "\($kind) \(.table)"} as $record
  | if $kind == "message" then {mark: (first(.prefix, .content | strings) // "message"), time: $time}
    elif $table[-1] == "" then error("'table' is missing, should be the name of a table")
    elif $kind == "truncate" then $record + {truncates: true}
    elif $kind == "delete" and $identity == {} then error("this is not a delete that says what its row was found by")
    elif $kind != "delete" and $row == {} then error("this is not a change with columns")
    else
      def place: row_key($table; $primary // columns($table)
        // if has("id") or $identity == {} then ["id"] else $identity | keys end);
      if $kind == "delete" then $record + {key: ($identity | place)}
      else ($row | place) as $key | (try ($identity | place) catch $key) as $before
        | if $kind == "update" and $before != $key then $record + {key: $before}, $record + {key: $key, row: $row, isNew: true}
          else $record + {key: $key, row: $row, isNew: ($kind == "insert"), kept: (if $kind == "update" then true else null end)} end end
    end;
def kinds: {I: "insert", U: "update", D: "delete", T: "truncate", M: "message"};
def text($kept):
  if type != "object" then error("this is not an object with 'change' or 'action'")
  elif has("change") then
    ($kept.transaction // 0) + 1 as $number | .timestamp as $time | {keep: {transaction: $number}},
    (array_at(["change"]) | parts("change";
      string_at(["kind"]) as $kind
      | if $kind | IN(kinds[]) | not then error("there is no operation '\($kind)'") end
      | change($kind; if has("columnnames") then pairs(["columnnames"]; ["columnvalues"]) else {} end;
          if has("oldkeys") then pairs(["oldkeys", "keynames"]; ["oldkeys", "keyvalues"]) else {} end;
          .pk.pknames; $number; $time)))
  else
    string_at(["action"]) as $action
    | if $action == "B" then {keep: {transaction: (($kept.transaction // 0) + 1), time: .timestamp}}
      elif $action == "C" then {keep: $kept}
      elif kinds[$action] == null then error("there is no operation '\($action)'")
      else change(kinds[$action]; named("columns"); named("identity"); if .pk then [.pk[].name] else null end;
        $kept.transaction; .timestamp // $kept.time) end
  end;
def each($kept): if type == "array" then parts("change"; text($kept)) else text($kept) end;
def patch: row_patch;
def note: row_note;

"""###),
("xstate", ###"""
# xstate: inspection events of XState, one a line
#
# Those of 'inspect' (version 5), of '@statelyai/inspect' and of '@xstate/inspect' (version 4). A store for each actor is its
# snapshot; the event is the action. Events without a snapshot are counted.
def looks:
  type == "object" and (.type | type) == "string"
  and ((.type | startswith("@xstate.")) or (.type | startswith("service.")) and has("sessionId"));

def actor: .sessionId // .actorRef.id? // .actorRef.sessionId? // .actorRef // "actor" | if type == "string" then . else tojson end;
def moment_of: .createdAt // .timestamp // .time // ._time // null;
def snapshot($event; $state):
  {store: actor, time: moment_of, state: ($state | if type == "object" then del(._nodes, .machine) end),
   name: ($event | if type == "object" then .type else null end), action: ($event | objects // null)};
def record:
  if type != "object" then error("this is not an inspection event, an object with 'type'") end
  | string_at(["type"]) as $type
  | if $type | IN("@xstate.snapshot", "@xstate.microstep", "@xstate.actor") then
      if $type == "@xstate.microstep" then {other: $type}
      elif .snapshot == null then (if $type == "@xstate.actor" then {other: $type}
        else error("'snapshot' is missing, should be the actor's state") end)
      else snapshot(.event | parsed; .snapshot | parsed) end
    elif $type == "service.state" then
      (.state | parsed) as $state
      | if $state == null then error("'state' is missing, should be the service's state") end
      | snapshot((.event // $state.event?) | parsed | if type == "object" then .data? // . end;
          $state | if type == "object" and has("value") then {value, context} + {done: .done} end)
    elif $type == "service.register" and .state != null then
      (.state | parsed) as $state | snapshot(null; $state | if type == "object" and has("value") then {value, context} + {done: .done} end)
    elif $type == "service.stop" then {store: actor, time: moment_of, close: true}
    elif $type | startswith("@xstate.") or startswith("service.") then {other: $type}
    else error("there is no event '\($type)'") end;
def each: if type == "array" then parts("event"; record) else record end;

"""###),
]
}
