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
