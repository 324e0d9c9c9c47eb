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
