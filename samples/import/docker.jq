# docker: the log of a container as docker's json-file writes it, objects with 'log'
#
# The JSON in 'log' is a line of a log of any form, whose time is that of the entry, and of which queries ('--state', '--name' and
# others) are asked. A line that docker divided is put together, and lines of other text are counted.
def settings: {division: "lines", wraps: true};
def looks: type == "object" and (.log | type) == "string" and (.stream | IN("stdout", "stderr"));

def each($kept):
  if type != "object" or (.log | type) != "string" then error("this is not an entry of docker, an object with 'log'") end
  | .log as $log
  | wrapped($kept; .stream; $log; $log | endswith("\n"); .time);
