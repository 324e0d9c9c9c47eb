# docker: the log of a container as docker's json-file writes it, objects with 'log'
#
# The JSON in 'log' is a line of a log of any form, whose time is that of the entry, and of which queries ('--state', '--name' and
# others) are asked. A line that docker divided is put together, and lines of other text are counted.
def settings: {division: "lines", wraps: true};
def looks: type == "object" and (.log | type) == "string" and (.stream | IN("stdout", "stderr"));

def each($kept):
  if type != "object" or (.log | type) != "string" then error("this is not an entry of docker, an object with 'log'") end
  | (.stream // "stdout") as $stream | .time as $time
  | (($kept.parts[$stream] // "") + .log) as $line
  | if $line | endswith("\n") | not then
      {keep: {parts: (($kept.parts // {}) + {($stream): $line}), line: $at.line,
        open: "the last line of '\($stream)' is not whole"}}
    else
      ($kept.parts // {} | del(.[$stream])) as $parts
      | {keep: (if $parts == {} then null else $kept + {parts: $parts} end)}
        + (try ($line | fromjson | objects // error | {text: ., time: $time}) catch (if $line | startswith("{") then {error: "this is no JSON"} else {other: "line of other text"} end))
    end;
