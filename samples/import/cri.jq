# cri: the log of a container as Kubernetes keeps it, or 'kubectl logs --timestamps' prints it
#
# A time stands before each line, and perhaps the stream and whether the line is whole. The JSON after it is a line of a log of
# any form, of which queries ('--state', '--name' and others) are asked. A line in parts is put together, and lines of other text
# are counted.
def settings: {division: "raw", wraps: true};
def words: "^(?<time>\\d{4}-\\d\\d-\\d\\dT[\\d:.]+(?:Z|[+-]\\d\\d:\\d\\d)) (?:(?<stream>stdout|stderr) (?<tag>[FP])(?::\\S*)? )?(?<rest>.*)$";
def looks: type == "string" and ((capture(words) | .tag != null or (.rest | startswith("{"))) // false);

def each($kept):
  (capture(words) // null) as $line
  | if $line == null then error("this is not a line with a time before it") end
  | wrapped($kept; $line.stream; $line.rest; $line.tag != "P"; $line.time);
