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
