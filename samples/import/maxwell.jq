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
