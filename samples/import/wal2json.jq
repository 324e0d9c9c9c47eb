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
