/// The forms that random programs are made of, a line each: what kind of value it gives, since which jq it means what it
/// means today (6 for 1.6), and its text, in which `§` and a letter stand for a part of that kind.
///
/// Kinds: `n`umber, `b`oolean, `s`tring, `a`rray, `m` array of numbers, `w` array of strings, `i` array of items, `o`bject,
/// `v` anything, `p`ath expression, `z` something that mostly fails, `f` a filter for any input, `r` a regular expression,
/// `g` its flags, `k` the name of an item's member, `t` seconds since 1970, `d` a broken down time.
enum QueryForms {
    static let text = numbers + truths + strings + arrays + objects + paths + failures + regexes + dates

    private static let numbers = #"""
        n 6 .total
        n 6 1
        n 6 -2.5
        n 6 0
        n 6 .items[0].id
        n 6 (.items | length)
        n 6 (§n + §n)
        n 6 (§n - §n)
        n 6 (§n * §n)
        n 6 (§n | if . == 0 then 1 else 12 / . end)
        n 7 (§n % 7)
        n 7 (§n % (§n | if fabs < 1 then 3 else . end))
        n 6 (-§n)
        n 6 (§m | add // 0)
        n 6 (§m | length)
        n 6 (§s | length)
        n 6 (§s | utf8bytelength)
        n 6 (§v | if type == "boolean" then 1 else length end)
        n 6 (if §b then §n else §n end)
        n 6 (if §b then §n elif §b then 2 else 3 end)
        n 6 (§n as $x | $x + 1)
        n 6 (§v as [$x] | $x | length)?
        n 6 (§o as {a: $x} | [$x] | length)
        n 6 (. as {total: $t, items: [{id: $j}]} | $t + $j)
        n 6 (reduce §m[] as $x (§n; . + $x))
        n 6 (reduce .items[] as {id: $x, price: $y} (0; . + $x * $y))
        n 6 (def f(x): x + 1; f(§n))
        n 6 (def f($x; $y): $x - $y; f(§n; §n))
        n 6 (def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; §n | fabs | floor | if . > 9 then 9 else . end | fac)
        n 6 (§n | floor, sqrt)
        n 6 (§n | ceil)
        n 6 (§n | round)
        n 6 (§n | fabs)
        n 8 (§n | abs)
        n 6 (§n | fabs + 1 | log | floor)
        n 6 (§n | fabs | sqrt | floor)
        n 6 (§n | trunc)
        n 6 (§n | significand)
        n 6 (§n | logb)
        n 6 (§n | frexp | .[])
        n 6 (§n | modf | .[])
        n 6 pow(§n; 2)
        n 6 ldexp(§n; 3)
        n 6 fmin(§n; §n)
        n 6 fma(§n; §n; 2)
        n 6 (§m | max // 0)
        n 6 (§m | min // 0)
        n 6 (§n | tostring | tonumber)
        n 6 first(§m[], 5)
        n 6 first(range(5; 9))
        n 6 ([limit(2; §m[])] | add // 0)
        n 8 ([skip(1; §m[])] | length)
        n 8 ([limit(0; error)] | length)
        n 6 (§m | .[0] // 9)
        n 6 (§m | .[-1] // 9)
        n 6 ([foreach §m[] as $x (0; . + $x)] | last // 0)
        n 6 ([foreach §m[] as $x (0; . + $x; [$x, .])] | length)
        n 6 (§m | index(1) // -1)
        n 6 (§s | index("a") // -1)
        n 6 (§s | rindex("a") // -1)
        n 8 (§m | sort | bsearch(2))
        n 6 ({} | .a.b.c | length)
        n 6 (label $f | §m[] | ., break $f)
        n 6 (§n, §n)
        n 6 (§n // §n)
        n 6 (try error(§n) catch . | if type == "number" then . else 0 end)
        n 6 ([.[]?] | length)
        n 6 ([§v] | tojson | length)
        n 6 (§m | map(. * 10 | floor) | unique | length)
        n 6 ([§v | ..] | length)
        n 6 ([§v | paths] | length)
        n 8 (§i | add(.[].id))
        n 6 (§t | gmtime | mktime)
        n 6 isempty(§v) as $e | (if $e then 1 else 0 end)
        n 6 ([range(0; 10; 3)] | length)
        n 6 ([range(§n | fabs | floor | if . > 6 then 6 else . end)] | length)
        n 6 (nth(2; §m[], 1, 2, 3))
        n 6 (1 | until(. > 100; . * 2 + 1))
        n 6 ([1 | while(. < 100; . * 2)] | length)
        n 6 ([limit(4; 1 | repeat(. * 2, 3))] | add)
        n 7 (§m | getpath([0]) // 1)
        n 7 (§s | ltrimstr("a") | length)
        n 7 splits("a")? // 7

        """#

    private static let truths = #"""
        b 6 true
        b 6 false
        b 6 .user.admin
        b 6 (§n < §n)
        b 6 (§n == §n)
        b 6 (§v == §v)
        b 6 (§v != §v)
        b 6 (§v < §v)
        b 6 (§v >= §v)
        b 6 (§b and §b)
        b 6 (§b or §b)
        b 6 (§b | not)
        b 6 (§v | not)
        b 6 (§s > §s)
        b 6 any(.items[]; .id == 2)
        b 6 all(§m[]; . > 1)
        b 6 (§m | map(. > 0) | any)
        b 6 (§m | map(. > 0) | all)
        b 6 (§m | any(. > 2))
        b 6 (§s | test(§r))
        b 6 (§s | test(§r; §g))
        b 6 (§o | has("a"))
        b 6 (§m | has(0))
        b 6 (§a | contains([1]))
        b 6 (§s | contains("a"))
        b 6 (§o | contains({a: 1}))?
        b 6 (§m | inside([1, 2, 3, 4, 5]))
        b 6 ("a" | in({"a": 1}))
        b 6 (§n | . >= 2)
        b 6 (§s | startswith("b"))
        b 6 (§s | endswith("a"))
        b 6 IN(§m[]; 1, 2)
        b 6 (§n | IN(1, 2, 7))
        b 6 isempty(§m[])
        b 6 (§n | isnan)
        b 6 (§n | isinfinite)
        b 6 (§n | isnormal)
        b 6 (§v | isfinite)
        b 6 (infinite, -infinite | isinfinite)
        b 6 (§v | type == "object")
        b 8 (§b | tostring | toboolean)
        b 6 ([§v] | flatten | length > 2)

        """#

    private static let strings = #"""
        s 6 "x"
        s 6 .user.name
        s 6 .items[0].name
        s 6 .text
        s 6 (§s + §s)
        s 6 "a\(§n)b\(§s)"
        s 6 "\(§s)\(§b, §n)"
        s 6 (§n | tostring)
        s 6 (§v | tostring)
        s 6 (§v | tojson)
        s 6 (§s | ascii_upcase)
        s 6 (§s | ascii_downcase)
        s 6 (§w | join("-"))
        s 6 ([§n, null, §b, §s] | join(","))
        s 6 (§s | @base64)
        s 6 (§s | @base64 | @base64d)
        s 6 (§s | @uri)
        s 8 (§s | @uri | @urid)
        s 6 (§s | @html)
        s 6 (§s | @sh)
        s 6 ([§n, §s, §b] | @sh)
        s 6 ([§n, §s, §b, null] | @csv)
        s 6 ([§n, §s, §b, null] | @tsv)
        s 6 (§v | @json)
        s 6 (§v | @text)
        s 6 @json "v=\(§v)"
        s 6 @html "<i>\(§s)</i>"
        s 6 @uri "?q=\(§s)&n=\(§n)"
        s 6 @sh "echo \(§s)"
        s 6 (§v | type)
        s 6 (§s | .[1:3])
        s 6 (§s | .[-2:])
        s 6 (§s | .[:§n])
        s 6 (if §b then §s else §s end)
        s 6 (§s | ltrimstr("b"))
        s 6 (§s | rtrimstr("a"))
        s 8 (§s | trimstr("a"))
        s 8 ("  " + §s + "\n" | trim, ltrim, rtrim)
        s 6 (null // §s)
        s 6 (try error(§s) catch .)
        s 6 (§s | explode | implode)
        s 6 (§w | sort | .[0] // "")
        s 6 (§w | add // "")
        s 8 (§s | [sub(§r; "<\(.l // "-")>"; §g)] | join("|"))
        s 7 (§s | sub("(?<l>[a-z])"; .l + .l))
        s 7 (§s | gsub("a"; "<a>"))
        s 7 (§s | gsub("(?<l>[aeiou])"; "[\(.l)]"))
        s 7 (§s | gsub("^"; ">"))
        s 7 (§s | gsub("$"; "<"))
        s 7 (§s | gsub(""; "-"))
        s 7 (§s | gsub("\\s+"; " "; "x"))
        s 8 (§s * 2)
        s 8 (§s | [., .] | .[0] + .[1])
        s 6 (§t | todate)
        s 6 (§t | strftime("%Y-%m-%dT%H:%M:%SZ %a %b %j %e"))
        s 6 (§d | strftime("%A, %B %d, %Y"))
        s 6 (§v | [..] | length | tostring)
        s 6 ({} | .["a b"]? | tojson)
        s 6 (§o | keys | join("/"))
        s 6 ("\(1 + 2) é \u00e9 😀 \t")
        s 8 ([§s | scan(§r)] | tojson)
        s 6 (§s | [match(§r; §g).string] | join("|"))
        s 6 (§s | ascii_downcase | @text)
        s 6 ("x" as $x | "b" as $y | $x + $y)
        s 6 ([§s, §s] | max)
        s 6 (§v | tojson | fromjson | tojson)

        """#

    private static let arrays = #"""
        m 6 .nums
        m 6 [1, 2, 3]
        m 6 [.items[].id]
        m 6 [.items[].price]
        m 6 [range(4)]
        m 6 [range(2; 5)]
        m 6 [§n, §n]
        m 6 (§m | sort)
        m 6 (§m | unique)
        m 6 (§m | reverse)
        m 6 (§m | map(. + 1))
        m 6 (§m | map(select(. > 1)))
        m 6 (§m + §m)
        m 6 (§m - §m)
        m 6 (§m | .[1:])
        m 6 (§m | .[:-1])
        m 6 (§m | .[§n:])
        m 6 (§a | [.[] | numbers])
        m 6 (§m | map_values(. * 2))
        m 7 (§m | (.[] | select(. > 1)) |= . * 2)
        m 6 (§m | .[0] = §n)
        m 6 (§m | .[1:2] = [§n, §n])
        m 6 (§m | .[0] += 1)
        m 6 (§m | .[] += 1)
        m 6 (§m | del(.[0]))
        m 6 (§m | del(.[0, 1]))
        m 6 (§m | del(.[1:]))
        m 6 (§m | to_entries | map(.key))
        m 6 ([§m, §m] | transpose | map(add))
        m 6 ([§m, [§m]] | flatten)
        m 6 ([§m, [§m]] | flatten(1) | map(numbers))
        m 6 (§s | explode)
        m 6 (§s | [match(§r; "g").offset])
        m 6 (§s | [indices("a")[]])
        m 6 (§m | indices(1))
        m 6 (§m | indices([1, 2]))
        m 6 ([§m | combinations(1) | add])
        m 6 [label $out | §m[] | if . > 2 then break $out else . end]
        m 6 [limit(3; §m[])]
        m 6 [first(§m[])]
        m 7 [limit(2; repeat(1))]
        m 6 (§d)
        w 6 .words
        w 6 ["b", "a"]
        w 6 [.items[].name]
        w 6 (.user | keys)
        w 6 [§s, §s]
        w 6 (§w | sort)
        w 6 (§w | unique)
        w 6 (§w | reverse)
        w 6 (§w | map(ascii_upcase))
        w 6 (§w | sort_by(length))
        w 6 (§w | unique_by(length))
        w 6 (§w + §w)
        w 6 (§w - ["a"])
        w 6 (§w | .[1:])
        w 6 (§s | split("a"))
        w 6 (§s | split(", "))
        w 6 (§s | split(""))
        w 8 (§s | split(§r; §g))
        w 8 [§s | splits(§r)]
        w 6 (§s / "a")
        w 6 (§w | map(select(test(§r))))
        w 6 [§w[] | ltrimstr("a")]
        w 6 (§o | keys)
        w 6 [§v | type]
        w 6 [§s | capture("(?<k>[a-z])(?<v>.)") | .k, .v]
        w 6 (§i | map(.name))
        w 6 (§i | [.[].tags[]] | unique)
        i 6 .items
        i 6 (.items | sort_by(.name))
        i 6 (§i | sort_by(.price, .id))
        i 6 (§i | sort_by(-.id))
        i 6 (§i | reverse)
        i 6 (§i | map(select(.id > 1)))
        i 6 (§i | map(select(.tags | index("x"))))
        i 6 (§i | unique_by(.price > 1))
        i 6 [(§i | min_by(.price), max_by(.id)) | objects]
        i 6 (§i | .[:2])
        i 6 (§i | map(.tags |= map(ascii_upcase)))
        i 6 (§i | map(.price += 1))
        i 6 (§i | map(.id = 7))
        i 6 (§i | .[0].name = §s | map(objects | select(.tags)))
        i 6 (§i | map(. + {extra: §v}))
        i 6 (§i | map(del(.none)))
        i 6 (§i | map(with_entries(select(.key != "none"))))
        i 8 (§i | map(pick(.id, .name, .tags, .price)))
        a 6 []
        a 6 [1, "a", null]
        a 6 .grid
        a 6 §m
        a 6 §w
        a 6 §i
        a 6 [§v, §v]
        a 6 (§a + §a)
        a 6 [§a[] | [.]]
        a 6 (§a | reverse)
        a 6 (§a | sort)
        a 6 (§a | unique)
        a 6 (§a | group_by(type))
        a 6 (§i | group_by(.price > 1))
        a 6 (§i | group_by(.§k) | map(length))
        a 6 (§i | [.[] | {§k}])
        a 6 (§i | [.[] | {§k, n: .name}])
        a 6 (§i | [.[] | {(.name): .id}])
        a 6 (§i | map(.§k))
        a 6 (§o | to_entries)
        a 6 [§v | paths]
        a 6 [§v | paths(type == "number")]
        a 6 [§v | tostream]
        a 6 [§v | .. | scalars]
        a 6 [§v | .. | numbers]
        a 6 ([§a, §a] | transpose)
        a 6 (§a | flatten)
        a 6 (§a | to_entries)
        a 6 [§o[]]
        a 6 [path(§p)]
        a 6 [path(§p | select(.))?]
        a 6 [path(..)]
        a 6 [getpath(["user", "name"], ["items", 0, "id"], ["nope", "x"])]
        a 6 [[1, 2], [3, 4]] | [combinations]
        a 6 [.items[] as {id: $x, tags: [$y]} | [$x, $y]]
        a 6 [.items[] | . as {$id, $name} | [$id, $name]]
        a 7 [.[]? as [$x] ?// {$x} ?// $x | [$x]]
        a 7 [§v as {a: $x} ?// [$x] | $x]?
        a 6 [§v | try error catch .]
        a 6 [fromstream(§v | tostream)]
        a 6 [1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])]
        a 6 [§v as $x | $x, [$x]]
        a 6 [§v | ., .]
        a 6 [§s | match(§r; §g)] | map({offset, length, string, captures: [.captures[] | .name, .string]})
        a 6 (§a | map([.] | length))
        a 6 [.[]? | type]
        a 6 [limit(3; §a[])]
        a 6 [§a[]?, §v]
        a 6 (§a | [.[] | tojson])
        a 6 ([§a | length, (.[0:2] | length)])
        a 6 (try (§a | implode) catch ["no"] | [.])
        a 6 [splits("a, *")?]
        a 6 [INDEX(.items[]; .id) | .[] | .name]
        a 6 (§a | [first(.[]?), last?])
        a 6 [recurse(if type == "array" then .[0] else empty end)] | [.[0]]
        a 6 [§n | recurse(if fabs > 0 and fabs < 9 then . * 3 else empty end)]
        a 6 [2 | recurse(. * .; . < 20)]
        a 6 [§v | walk(if type == "array" then sort else . end)]
        a 6 (§a | map(arrays, objects, strings, numbers, booleans, nulls))
        a 6 (§a | [.[] | iterables])
        a 6 (§a | [.[] | values])
        a 8 (§a | [limit(2; .[])], [skip(2; .[])])
        a 8 [§a | have_decnum, have_literal_numbers]
        a 8 [ltrimstr("x"), rtrimstr(1)] | map(type)
        a 8 [§v | getpath(["a", "b"])?]
        a 6 (§w | map({(.): length}) | add | to_entries? // [])
        a 6 [.items[] | if .id > 1 then "big" elif .id == 1 then "one" else empty end]
        a 7 [.items[] | if .id > 1 then "big" end]
        a 6 [.items[] | select(.name | test(§r)) | .id]
        a 6 [foreach .items[] as {id: $x} (0; . + $x; select(. > 1))]
        a 7 [foreach (1, 2, 3) as $x ((0, 10); . + $x)]
        a 6 [reduce §a[] as $x (.; $x)] | length | [.]
        a 6 [(1, 2) as $x | (3, 4) as $y | $x * $y]
        a 6 [1, 2 | (., 10) * (., 100)]
        a 6 [[1, 2][], {"a": (3, 4)}[]]
        a 6 [def f(g): [g, g]; f(§n, §s)]
        a 6 [def f: def g: 3; g + 1; f]
        a 6 [def f(x): x | x; 2 | f(. * .)]

        """#

    private static let objects = #"""
        o 6 {}
        o 6 .user
        o 6 {a: 1, b: "x"}
        o 6 {a: §v, b: §v}
        o 6 {a: §n, (§s): §v}
        o 6 {"k\(§n)": §v}
        o 6 {a: (§n, §s)}
        o 6 (§o + §o)
        o 6 (§o * {a: {b: §v}})
        o 6 (§o | .a = §v)
        o 6 (§o | .x.y |= §v)
        o 6 (§o | .b //= §v)
        o 6 (§o | del(.a))
        o 6 (§o | del(.a, .b))
        o 6 (§o | with_entries(.value |= tojson))
        o 6 (§o | with_entries(.key |= ascii_upcase))
        o 6 (§o | map_values(tojson))
        o 6 (§o | map_values(empty))
        o 6 (§o | to_entries | from_entries)
        o 6 (§i | map({key: .name, value: .id}) | from_entries)
        o 6 (§i | map({name, value: .§k}) | from_entries)
        o 6 ([{"k": "x", "v": §v}] | try from_entries catch {})
        o 6 ([{"key": (false, null, 1), "value": §v}] | try from_entries catch {e: .})
        o 6 .items[0]
        o 6 (§i | INDEX(.id))
        o 6 (§i | .[0] // {})
        o 6 {§k: §v}
        o 6 (.items[0] | {§k, "name", total: 1})
        o 6 (. as $all | {n: $all.total, l: $__loc__.file})
        o 6 (§s as $x | {$x, y: 1})
        o 6 (reduce .items[] as $x ({}; .[$x.name] = $x.id))
        o 6 (reduce .items[] as $x ({}; .[$x.tags[]] += 1))
        o 6 (§s | capture("(?<first>[a-z]+)(?<second>[a-z0-9])?") // {})
        o 8 (pick(.user.name))
        o 8 (pick(.items[1].id))
        o 6 (setpath(["user", "x"]; §v) | .user)
        o 6 (delpaths([["user", "name"], ["items"]]))
        o 6 (to_entries | map(select(.key == "user")) | from_entries)
        o 6 ([§o, §o] | add)
        o 6 ([paths(scalars) as $p | {key: ($p | map(tostring) | join(".")), value: getpath($p)}] | from_entries)
        o 6 (§o | if .a then {yes: .a} else {no: .} end)
        o 6 (§o | tojson | fromjson)

        """#

    private static let paths = #"""
        p 6 .
        p 6 .user
        p 6 .user.name
        p 6 .items
        p 6 .items[]
        p 6 .items[0]
        p 6 .items[-1]
        p 6 .items[1:]
        p 6 .items[].§k
        p 6 .items[:2][0]
        p 6 ..
        p 6 (§p, §p)
        p 6 (.user | .name, .admin)
        p 6 (.items[] | select(.id > 1))
        p 6 (.items[] | select(.id > 1) | .name)
        p 6 first(.items[])
        p 6 (.nope // .user)
        p 6 if §b then .user else .items end
        p 6 getpath(["user", "name"])
        p 6 (.items | recurse(.[0]?; . != null))
        p 6 .["user"]["name"]
        p 6 .user["na" + "me"]
        p 6 (.total as $x | .user.name)
        p 6 (.items | last)
        p 6 (.user.name | strings)
        p 6 empty
        p 6 (try .items[0] catch .)
        p 6 (label $f | .items[] | ., break $f)
        p 6 (def f: .items; f | .[0])
        p 6 (reduce ("user", "name") as $k (.; .[$k]))
        p 8 (limit(2; .items[]))
        p 6 .grid[][0]?
        p 6 paths
        v 6 .
        v 6 null
        v 6 §n
        v 6 §b
        v 6 §s
        v 6 §a
        v 6 §o
        v 6 §p?
        v 6 .deep
        v 6 .deep.a[0].b
        v 6 .nope
        v 6 (§v | §f)?
        v 6 (try (§v | §f) catch "failed")
        v 6 (§p = §v)?
        v 6 (§p |= (§f?))?
        v 6 (.items[0].§k |= §v)
        v 6 (§p += 1)?
        v 6 (.total -= §n)
        v 6 (.total *= §n)
        v 6 (.nums[] /= 2)
        v 6 (.nope //= §v)
        v 6 del(.items[0], .user.name)
        v 6 (del(§p)?)
        v 7 (.items |= map(select(.id != 2)))
        v 7 (.items[] |= empty | .total)
        v 6 (to_entries[0])
        v 6 (if §v then §v else §v end)
        v 6 (§v as $x | §v)
        v 6 (§v, §v)
        v 6 (§v // §v)
        v 6 (.items[]?, .user) | type
        v 6 (try error(§v) catch .)
        v 6 (try error(null) catch .)
        v 6 ([§v] | .[0])
        v 6 ({a: §v} | .a)
        v 6 (tojson | fromjson)
        v 6 (. as {user: {name: $n}, items: [$first]} | [$n, $first])
        v 6 (. as {"total": $x, ("us" + "er"): $u} | [$x, $u])
        v 6 limit(1; §v)
        v 6 first(§v, 1)
        v 6 [§v][0:1]
        v 6 (walk(if type == "object" then del(.none) else . end))
        v 6 (getpath(§p | [path(..)][0])?)
        v 6 [splits("x")?]
        v 6 (§d | mktime)
        v 6 (tostream | select(length == 2) | .[1] | scalars)
        v 6 ([1, 2, 3] | IN(.[]; 2))
        v 6 ascii_downcase?
        v 6 (.["user", "total"])
        v 6 .user?.name?
        v 6 (.items[0]["id", "name"])
        k 6 id
        k 6 name
        k 6 tags
        k 6 price
        k 6 none

        """#

    /// Filters that take anything, and calls that fail for most of what they are given: their messages are compared.
    private static let failures = #"""
        f 6 .
        f 6 type
        f 6 tojson
        f 6 length
        f 6 .a
        f 6 .[0]
        f 6 .[]
        f 6 .[1:]
        f 6 keys
        f 6 add
        f 6 not
        f 6 [.]
        f 6 {a: .}
        f 6 tostring
        f 6 reverse
        f 6 sort
        f 6 first
        f 6 to_entries
        f 6 (. == §v)
        f 6 (. < §v)
        f 6 [., 1]
        f 6 map(§f)
        f 6 (§f | §f)
        f 6 select(§f)
        f 6 [.[]?]
        f 6 (try §f catch .)
        f 6 empty
        f 6 (., .)
        f 6 error
        z 8 (§v | .[§v])
        z 8 (§v | .a.b)
        z 8 (§v | .[§v:§v])
        z 8 (§v + §v)
        z 8 (§v - §v)
        z 8 (§v * §v | tojson[:1000])
        z 8 (§v / §v)
        z 8 (§n % §n)
        z 8 (§v % §v)
        z 8 (-§v)
        z 8 (§v | keys)
        z 8 (§v | has(§v))
        z 8 (§v | length)
        z 8 (§v | utf8bytelength)
        z 8 (§v | to_entries)
        z 8 (§v | from_entries)
        z 8 (§v | add)
        z 8 (§v | join(§v))
        z 8 (§v | flatten)
        z 8 (§v | flatten(§n))
        z 8 (§v | sort)
        z 8 (§v | sort_by(.a))
        z 8 (§v | group_by(.a))
        z 8 (§v | unique)
        z 8 (§v | unique_by(length))
        z 8 (§v | min_by(.a), max_by(.a))
        z 8 (§v | min, max)
        z 8 (§v | reverse)
        z 8 (§v | contains(§v))
        z 8 (§v | inside(§v))
        z 8 (§v | startswith(§v))
        z 8 (§v | endswith(§v))
        z 8 (§v | ltrimstr(§v))
        z 8 (§v | rtrimstr(§v))
        z 8 (§v | trimstr(§v))
        z 8 (§v | trim)
        z 8 (§v | ltrim, rtrim)
        z 8 (§v | explode)
        z 8 (§v | implode)
        z 8 (§v | split(§v))
        z 8 (§v | split(§v; §v))
        z 8 (§v | ascii_upcase)
        z 8 (§v | ascii_downcase)
        z 8 (§v | test(§v))
        z 8 (§v | [match(§v; §v)])
        z 8 (§v | capture(§v))
        z 8 (§v | [scan(§v)])
        z 8 (§v | sub(§v; §v))
        z 8 (§v | gsub(§s; §v))
        z 8 (§v | splits(§v))
        z 8 (§v | tonumber)
        z 8 (§v | toboolean)
        z 8 (§v | fromjson)
        z 8 (§v | tostring)
        z 8 (§v | floor)
        z 8 (§v | sqrt)
        z 8 pow(§v; §v)
        z 8 (§v | abs)
        z 8 (§v | isnan, isinfinite, isnormal)
        z 8 (§v | todate)
        z 8 (§v | fromdate)
        z 8 (§v | gmtime)
        z 8 (§v | mktime)
        z 8 (§v | strftime(§v))
        z 8 (§v | strptime(§v))
        z 8 (§v | @csv)
        z 8 (§v | @tsv)
        z 8 (§v | @sh)
        z 8 (§v | @base64)
        z 8 (§v | @base64d)
        z 8 (§v | @uri)
        z 8 (§v | @urid)
        z 8 (§v | @html)
        z 8 (§v | format(§v))
        z 8 (§v | range(.))
        z 8 [limit(5; range(§v; §v))]
        z 8 [limit(5; range(§n; §n; §n))]
        z 8 [limit(§v; 1, 2, 3)]
        z 8 [skip(§v; 1, 2, 3)]
        z 8 nth(§v; 1, 2, 3)
        z 8 (§v | nth(§v))
        z 8 (§v | first, last)
        z 8 (§v | index(§v), rindex(§v), indices(§v))
        z 8 (§v | bsearch(§v))
        z 8 (§v | getpath(§v))
        z 8 (§v | setpath(§v; §v))
        z 8 (§v | delpaths(§v))
        z 8 (§v | del(.[§v]))
        z 8 (§v | del(.a, .[0]))
        z 8 (§v | paths)
        z 8 [§v | path(§f)]
        z 8 (§v | pick(.a))
        z 8 (§v | pick(.[0]))
        z 8 (§v | .[0] = 1)
        z 8 (§v | .a = 1)
        z 8 (§v | .a += §v)
        z 8 (§v | .[] |= §f)
        z 8 (§v | .[1:] = §v)
        z 8 (§v | .[-1] = 0)
        z 8 (§f |= 1)
        z 8 (§f = 1)
        z 8 (§v | map(§f))
        z 8 (§v | map_values(§f))
        z 8 (§v | with_entries(§f))
        z 8 (§v | walk(§f))
        z 8 (§v | transpose)
        z 8 (§v | in(§v))
        z 8 (§v | combinations)
        z 8 (§v | any, all)
        z 8 (§v | tojson | fromjson)
        z 8 (§v | splits("a"))
        z 8 (§v | fromstream(.[]))
        z 8 [limit(9; §v | tostream)]
        z 8 (§v | [truncate_stream(.[])])
        z 8 (§v | 1 | truncate_stream(§v))
        z 8 (§v | INDEX(.a))
        z 8 INDEX(§v; §f)
        z 8 (§v | IN(§v))
        z 8 error(§v)
        z 8 ({(§v): 1})
        z 8 ({a: 1} | {§k})
        z 8 (§v as [$a, {b: $c}] | [$a, $c])
        z 8 (§v as {a: [$x]} | $x)
        z 8 (§v as {$a} ?// [$a] | [$a])
        z 8 [§v as [$a] ?// $a | if ($a | type) == "number" then error("x") else $a end]
        z 8 (§v | getpath(["a", 0, "b"]) |= 5)
        z 8 (§v | ldexp(.; 2))
        z 8 (§v | significand, logb, gamma, frexp, modf)
        z 8 (§n | lgamma_r, trunc, exp10, exp2, expm1, log1p, cbrt)
        z 8 (§n | erf, erfc, j0, j1, y0, y1)
        z 8 [jn(2; §n), yn(1; §n), remainder(§n; 3), drem(§n; 3), hypot(§n; 2), fdim(§n; 1), copysign(1; §n)]
        z 8 (§v | tojson | .[2:] | fromjson)
        z 8 (§v | have_decnum)
        z 8 (§v | error(null))
        z 8 (§v | .. = 1)
        z 8 (§v | first(error))
        z 8 (§v | until(type == "number"; length))
        z 8 (§v | [while(type != "number"; length)])
        z 8 (§v | [recurse(.[]?; type == "array")])
        z 8 (§v | isempty(error("x")))
        z 8 (§v | add(§f))
        z 8 (§v | any(§f), all(§f))
        z 8 (§v | any(.[]; §f))
        z 8 (§v | [limit(3; repeat(., §f))])
        z 8 (§v | ltrimstr("a"), tojson)
        z 8 (§v | @json "x\(.)", @text "\(.)")
        z 8 (§v | @html "\(.)", @sh "\(.)")
        z 8 (§v | @csv "\(.)")
        z 8 (§v | to_entries | from_entries)
        z 8 (§v | tojson | test("a"; §g))
        z 8 reduce §v as [$x] (§v; . + $x)
        z 8 [foreach §v as $x (§v; §f; §f)]
        z 8 (§v | getpath(["a"]) as [$x] | $x)
        z 8 (label $x | §v | error("\(.)", break $x))
        z 8 (§v | splits("a"; null))
        z 8 ([§v, §v] | sort, unique, min, max, group_by(.), add)
        z 8 ([§v, §v] | implode)
        z 8 ([§v, §v] | @csv, @tsv, @sh)
        z 8 ([[§v], 1, 2] | combinations)
        z 8 (§v | tojson | ascii_downcase | fromjson)

        """#

    private static let regexes = #"""
        r 6 "a"
        r 6 "[a-m]+"
        r 6 "(?<l>[aeiou])"
        r 6 "(?<l>.)(?<m>[a-z])?"
        r 6 "\\d+"
        r 6 "\\w+"
        r 6 "\\s"
        r 6 "^.|.$"
        r 6 "a|b|"
        r 6 "(a)(b)?|c"
        r 6 "[^a-z ]+"
        r 6 "(?i)ALPHA"
        r 6 "\\b[a-z]"
        r 6 "(?:foo|bar)-?"
        r 6 "l+?"
        r 6 "(.)\\1"
        r 6 "(?=a)."
        r 6 "(?<!a)l"
        r 6 "é|😀"
        r 6 "[[:upper:]]"
        r 6 "\\p{L}{2}"
        r 6 "x*"
        r 6 ["a", "g"]
        r 6 ["A", "gi"]
        g 6 "g"
        g 6 "gi"
        g 6 "gn"
        g 6 "gx"
        g 6 "gs"
        g 6 "gp"
        g 6 "gl"
        g 6 ""
        g 6 null
        g 6 "i"

        """#

    private static let dates = #"""
        t 6 .when
        t 6 0
        t 6 1425599621
        t 6 (.date | fromdate)
        t 6 (§t + 86400)
        t 6 (§n * 1000 | floor)
        t 6 (.date | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime)
        t 6 (.date | fromdateiso8601)
        d 6 (§t | gmtime)
        d 6 (.date | strptime("%Y-%m-%dT%H:%M:%SZ"))
        d 6 ("10:20:30 5 Mar 2015" | strptime("%H:%M:%S %d %b %Y"))
        d 6 [2015, 2, 5, 23, 51, 47, 4, 63]

        """#
}
