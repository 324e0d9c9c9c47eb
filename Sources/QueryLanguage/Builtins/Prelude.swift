/// Built-ins that are written in the language itself, by signature; each is parsed when a program first uses it.
enum Prelude {
    static let definitions: [String: String] = [
        "recurse/2": "def recurse(f; cond): recurse(f | select(cond));",
        "with_entries/1": "def with_entries(f): to_entries | map(f) | from_entries;",
        "map_values/1": "def map_values(f): .[] |= f;",
        "todate/0": #"def todate: strftime("%Y-%m-%dT%H:%M:%SZ");"#,
        "fromdate/0": #"def fromdate: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;"#,
        "date/0": "def date: todate;",
        "todateiso8601/0": "def todateiso8601: todate;",
        "fromdateiso8601/0": "def fromdateiso8601: fromdate;",
        "dateadd/2": "def dateadd(unit; amount): . + amount;",
        "datesub/2": "def datesub(unit; amount): . - amount;",
        "isfinite/0": #"def isfinite: type == "number" and (isinfinite | not);"#,
        "finites/0": "def finites: select(isfinite);",
        "repeat/1": "def repeat(f): def again: f, again; again;",
        "normals/0": "def normals: select(isnormal);",
        "combinations/0":
            """
        def combinations: if length == 0 then [] else .[0][] as $head | (.[1:] | combinations) as $tail \
        | [$head] + $tail end;
        """,
        "combinations/1": "def combinations(n): . as $row | [range(n) | $row] | combinations;",
        "in/1": "def in(object): . as $key | object | has($key);",
        "inside/1": "def inside(whole): . as $part | whole | contains($part);",
        "ascii/0": "def ascii: [.] | implode;",
        "INDEX/1": "def INDEX(key): INDEX(.[]; key);",
        "INDEX/2":
            "def INDEX(rows; key): reduce rows as $row ({}; .[$row | key | tostring] |= $row);",
        "JOIN/2": "def JOIN($index; key): [.[] | [., $index[key]]];",
        "JOIN/3": "def JOIN($index; rows; key): rows | [., $index[key]];",
        "JOIN/4": "def JOIN($index; rows; key; join): rows | [., $index[key]] | join;",
        "IN/1": "def IN(values): any(values == .; .);",
        "IN/2": "def IN(source; values): any(source == values; .);",
        "GROUP_BY/1": "def GROUP_BY(key): group_by(key);",
        "capture/1": "def capture($re): _captures($re)[];",
        "capture/2": "def capture(re; flags): _captures(re; flags)[];",
        "match/1": "def match($re): _matches($re)[];",
        "match/2": "def match(re; flags): _matches(re; flags)[];",
        "test/1": "def test($re): _test($re);",
        "test/2": "def test(re; flags): _test(re; flags);",
        "scan/1": "def scan($re): scan($re; null);",
        "scan/2":
            """
        def scan($re; $flags): match($re; "g" + $flags) \
        | if .captures == [] then .string else [.captures[].string] end;
        """,
        "split/2": #"def split($re; $flags): _split($re; $flags + "g");"#,
        "splits/1": "def splits($re): split($re; null)[];",
        "splits/2": "def splits($re; flags): split($re; flags)[];",
        "sub/2": #"def sub($re; text): sub($re; text; "");"#,
        "gsub/2": #"def gsub($re; text): sub($re; text; "g");"#,
        "gsub/3": #"def gsub($re; text; $flags): sub($re; text; $flags + "g");"#,
        "sub/3": "def sub($re; text; $flags): _sub($re; $flags; text);",
        "transpose/0":
            """
        def transpose: if type == "array" and all(.[]; type == "array") then _transpose \
        else [range(map(length) | max // 0) as $column | [.[][$column]]] end;
        """,
        "debug/1": "def debug(messages): (messages | debug | empty), .;",
        "truncate_stream/1":
            """
        def truncate_stream(events): . as $depth | null | events | . as $event \
        | if (.[0] | length) > $depth then setpath([0]; $event[0][$depth:]) else empty end;
        """,
    ]
}
