# bloc: what an observer of bloc writes of transitions and changes, as JSON or in Dart's words
#
# Objects with 'bloc', 'currentState' and 'nextState', or lines with 'Transition { currentState: 0, event: Add, nextState: 1 }' or
# 'Change { currentState: 0, nextState: 1 }', whose states are values where they are JSON, else texts. A store for each bloc;
# other lines are counted.
def settings: {division: "raw"};
def is_transition: type == "object" and has("currentState") and has("nextState");
def words: "^(?<front>.*?)(?:Transition|Change) \\{ currentState: (?<before>.*?)(?:, event: (?<event>.*?))?, nextState: (?<after>.*) \\}";
def looks: is_transition or type == "string" and test(words);

def name_of: capture("(?<bloc>\\w*(?:Bloc|Cubit)\\w*)").bloc;
def each:
  parsed
  | def record:
      if is_transition then
        {store: (.bloc // .name // .cubit // "bloc" | tostring), state: .nextState, before: .currentState,
         time: (.time // .timestamp // .ts), at: .at,
         name: (.event | if type == "object" then .type // tojson else . // "change" | tostring end),
         action: (.event | if type == "object" then (if has("type") then . else {type: "event", payload: .} end) else . end)}
      elif type == "string" and test(words) then
        capture(words) | {store: ((.front | name_of) // "bloc"), state: (.after | parsed), before: (.before | parsed),
          name: (.event // "change"), action: .event, time: ((.front | capture("(?<t>\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]+Z?)").t) // null)}
      elif type == "string" and startswith("{") then error("this is no JSON")
      elif type == "string" then {other: "line of other text"}
      else error("this is not a transition, an object with 'currentState' and 'nextState'") end;
    if type == "array" then parts("transition"; record) else record end;
