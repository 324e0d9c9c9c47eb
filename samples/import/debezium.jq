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
