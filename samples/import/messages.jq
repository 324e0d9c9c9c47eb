# messages: messages of an agent's run, objects with 'role', alone or as 'messages'
#
# Runs as language models take and give them, with calls of tools in every form: of OpenAI (chat and responses), Anthropic, Gemini
# and LangChain, and the sessions that Claude Code, Codex and Gemini's command write to disk. They are an array of messages, an
# object that has it as 'messages', 'contents', 'input', 'output', 'traj' or 'trajectory', several such, or one message a line. A
# store for each run has its 'messages', as 'tools' the last answer of each tool, and as 'result' what else the run says. A
# message is a commit, a call its action, and an answer's cause is its call; a message with several calls has a further commit for
# each of them after the first. What a session holds besides, as its settings, is counted.
def settings: {initial: {messages: [], tools: {}}};

def roles: ["system", "developer", "user", "assistant", "model", "tool", "function", "human", "ai", "chatbot"];
def kinds: ["function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call", "reasoning",
  "computer_call", "computer_call_output", "web_search_call", "file_search_call", "mcp_call", "item_reference"];
def is_langchain:
  (.type | IN("human", "ai", "system", "tool", "function", "chat", "remove")) and ((.data | type) == "object" or has("content"))
  or (.type | IN("user", "gemini", "info", "error")) and has("content") and has("timestamp")
  or (.lc | type) == "number" and (.id | type) == "array" and (.kwargs | type) == "object" and (.id[-1] | tostring | test("Message(Chunk)?$"));
def is_message:
  type == "object"
  and ((.role | IN(roles[])) and (has("content") or has("parts") or has("tool_calls") or has("function_call"))
    or (.type | IN(kinds[])) and (has("call_id") or has("id") or has("summary") or has("action"))
    or is_langchain);
def is_claude: (.type | IN("user", "assistant")) and (.message | type) == "object" and (.message | has("role"));
def is_claude_other:
  (.type | type) == "string" and (.type | test("^[a-z-]+$")) and (has("role") | not)
  and (has("uuid") or has("leafUuid") or has("subtype") or has("messageId") and has("snapshot")
    or (has("sessionId") or has("session_id")) and (has("content") | not));
def is_codex: (.type | IN("session_meta", "response_item", "event_msg", "turn_context", "compacted")) and has("payload");
def lists: ["messages", "contents", "traj", "trajectory", "input", "output", "history", "chat_history"];
def list: . as $run | first(lists[] | select($run[.]? | type == "array" and any(.[]; is_message)),
    select(. == "messages" and $run.messages == [])) // null;
def has_list: list as $list | $list != null and .[$list] != [];
def looks:
  if type == "array" then length > 0 and (.[0] | is_message or (type == "object" and (has_list or is_claude or is_codex)))
  else type == "object" and (is_message or is_claude or is_codex or is_claude_other and (.type | IN("summary", "file-history-snapshot", "queue-operation")) or has_list) end;

# One form of all messages: 'role' and what else there is, 'calls' and 'answers' beside it.
def lc_role: {human: "user", ai: "assistant", AIMessage: "assistant", AIMessageChunk: "assistant", gemini: "assistant", HumanMessage: "user",
  SystemMessage: "system", ToolMessage: "tool", FunctionMessage: "function"};
def unwrapped:
  if (.lc | type) == "number" and has("kwargs") then {role: (lc_role[.id[-1]] // .kwargs.role // .id[-1])} + .kwargs
  elif has("role") then .
  elif is_langchain then .type as $type | (if (.data | type) == "object" then .data else . end) | del(.type)
    | {role: (lc_role[$type] // .role // $type)} + .
  else . end;
def text: if type == "array" then [.[] | if type == "object" then .text? // empty else strings end] | join("\n") else . end;
def calls:
  (.toolCalls // [] | .[]? | objects | {id, name, arguments: .args}),
  (.tool_calls // .additional_kwargs.tool_calls? // [] | .[]? | objects
    | {id, name: (.function.name? // .name), arguments: (.function.arguments? // .args // .arguments | parsed)}),
  (.function_call | objects | {id: (.id // .name), name, arguments: (.arguments | parsed)}),
  (if .tool_calls | length > 0 then empty else .content | arrays | .[] | objects | select(.type | IN("tool_use", "server_tool_use", "mcp_tool_use"))
    | {id, name, arguments: .input} end),
  (.parts | arrays | .[] | .functionCall? // .function_call? | objects | {id: (.id // .name), name, arguments: .args}),
  (select(.type == "local_shell_call") | {id: (.call_id // .id), name: "local_shell", arguments: .action}),
  (select(.type | IN("function_call", "custom_tool_call", "mcp_call"))
    | {id: (.call_id // .id), name, arguments: (.arguments // .input | parsed)}),
  (select(.type | IN("web_search_call", "file_search_call", "computer_call"))
    | {id: (.call_id // .id), name: (.type | rtrimstr("_call")), arguments: (.action // .queries)});
def answers:
  if .role == "tool" or .role == "function" then {id: (.tool_call_id // .name), name, content: (.content // .parts)}
  elif .type | IN("function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output") then
    {id: (.call_id // .id), content: .output}
  else
    (.content | arrays | .[] | objects | select((.type | strings | endswith("tool_result")) // false) | {id: .tool_use_id, content}),
    (.toolCalls // [] | .[]? | objects | select(has("result")) | {id, name, content: (.result | if type == "array" then map(.functionResponse.response? // .) | if length == 1 then .[0] end end)}),
    (.parts | arrays | .[] | .functionResponse? // .function_response? | objects
      | {id: (.id // .name), name, content: .response})
  end;

# A record of a message of a run: what its tools answered, and a record more for each call but the first.
def message($store; $time; $more):
  if type != "object" then error("this is not a message, an object with 'role'") end
  | if is_message | not then error("this is not a message, an object with 'role'") end
  | unwrapped | . as $message | [calls] as $calls
  | {store: $store, message: $message, time: $time, calls: $calls} + $more,
    ($calls[1:][] | {store: $store, time: $time, call: .}
      + (if $more.id then {cause: $more.id} else {} end));
def moment_of: .time // .timestamp // .created_at // .create_time // null;
def messages($store; $since): to_entries[] | "message \(.key)" as $part | .value
  | try ((moment_of // $since) as $time | message($store; $time; {})) catch {error: .} | .part = $part;
def session: .session // .sessionId // .session_id // .conversation_id // .thread_id // .run_id;
def name_of($count; $index):
  if type == "string" or type == "number" then "run-\(.)" elif $count > 1 then "run-\($index + 1)" else "run" end;
def run($count; $index):
  (session // .task_id // .id | name_of($count; $index)) as $store | list as $list
  | if $list == null then error("this is not a run: it has no messages, objects with 'role'") end
  | moment_of as $since | (.[$list] | messages($store; $since)), (del(.[$list], .session) | select(length > 0) | {store: $store, result: .});

# Sessions on disk. Claude Code: each entry names the one before it.
def claude:
  (session // "session" | "run-\(.)") as $store
  | if is_claude then
      (if .isSidechain == true then "\($store)-side" else $store end) as $store
      | . as $entry | .message
      | message($store; $entry.timestamp; {id: $entry.uuid, cause: $entry.parentUuid})
    else {other: ([.type, .subtype] | map(strings) | join(" "))} end;
def codex($store):
  if .type == "session_meta" then {keep: {session: "run-\(.payload.id // "session")"}}, {other: .type}
  elif .type == "response_item" and (.payload | is_message) then .timestamp as $time | .payload | message($store // "run"; $time; {})
  elif .type == "response_item" then {other: "\(.type) \(.payload.type? // "")"}
  else {other: ([.type, .payload.type?] | map(strings) | join(" "))} end;

def each($kept):
  if type == "array" then
    if any(.[]; is_message) then messages("run"; null)
    else length as $count | to_entries[] | .key as $index | .value
      | if type == "array" then {messages: .} else . end
      | if type != "object" then {part: "run \($index)", error: "this is not a run, an object with 'messages'"}
        elif is_claude or is_claude_other then try claude catch {error: .}
        elif is_codex then try codex($kept.session) catch {error: .}
        else try run($count; $index) catch {part: "run \($index)", error: .} end
    end
  elif type != "object" then error("this is not a message, an object with 'role'")
  elif is_codex then codex($kept.session)
  elif is_claude or is_claude_other then claude
  elif is_message then (if session == null then $kept.session // "run" else session | name_of(1; 0) end) as $store | message($store; moment_of; {})
  elif list != null then run(1; 0)
  # Codex wrote its first line without a type.
  elif has("record_type") then {other: .record_type}
  elif has("id") and has("timestamp") and (has("instructions") or has("git")) then {keep: {session: "run-\(.id)"}}, {other: "session_meta"}
  else error("this is not a message, an object with 'role'") end;

# Where a call of a run stands, for its answers: the message that has it is among those before.
def caller: .id as $id | first($old.messages[-200:][]? | select(any(calls; .id == $id)));
def tool: .id as $id | .name // first(caller | calls | select(.id == $id) | .name) // "tool";
def patch:
  if has("result") then [{op: "add", path: "/result", value: .result}]
  elif has("call") then []
  else .message | [{op: "add", path: "/messages/-", value: .},
      (answers | {op: "add", path: ["tools", tool] | pointer, value: (.content | text | parsed)})] end;
def name:
  if has("result") then "result" elif has("call") then "call \(.call.name)"
  else .calls as $calls | .message
    | ($calls | map("call \(.name)")[0]) // [answers | "answer \(tool)"][0] // .role // .type end;
def action: (.call // .calls[0]?) | if . == null then empty else {type: (.name // "tool"), payload: .arguments} end;
def id: [.call.id, .calls[0]?.id, .id] | map(values);
def cause: .cause as $cause | [.calls[]?.id] as $own
  | if .message then .message | first(answers | .id | values | select(IN($own[]) | not)) // $cause else $cause end;
