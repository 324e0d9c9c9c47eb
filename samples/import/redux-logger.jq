# redux-logger: entries of redux-logger, objects with an action and the states before and after it
#
# The states are 'prevState' and 'nextState', with a space in these words, or 'prev' and 'next'; the action is an object, or the
# rest of the entry. One whose reducer threw ('error') is an abort.
def after: if has("nextState") then .nextState elif has("next state") then .["next state"] else .next end;
def known: .prevState // .["prev state"] // .prev;
def looks:
  type == "object" and (has("nextState") or has("next state") or has("next") and has("prev"))
  and (has("action") or (.type | type) == "string") and (has("bloc") | not);

def each:
  def entry:
    if type != "object" or has("currentState") or (has("nextState") or has("next state") or has("error")
      or has("next") and (has("prev") or has("action") or has("type")) | not)
    then error("this is not an entry of redux-logger, an object with 'nextState'") end
    | (if has("action") then .action
       else del(.nextState, .["next state"], .next, .prevState, .["prev state"], .prev, .time, .timestamp, .started, .startedTime, .took) end
       | if type == "string" then {type: .} end) as $action
    | {name: ($action | (objects | .type) // "action" | tostring), action: $action, time: (.time // .timestamp // .startedTime // .started // .ts)}
      + (if known == null then {} else {before: known} end)
      + if .error != null and (has("nextState") or has("next state") or has("next") | not)
        then {abort: (.error | if type == "object" then .message // tojson else tostring end)} else {state: after} end;
  if type == "array" then parts("entry"; entry) else entry end;
