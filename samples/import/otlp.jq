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
