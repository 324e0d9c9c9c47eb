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
