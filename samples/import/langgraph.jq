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
