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
