/// The forms that random programs are made of, on lines of their kind: what kind of value it gives, since which jq it means what it
/// means today (6 for 1.6), and its text, in which `§` and a letter stand for a part of that kind.
///
/// Kinds: `n`umber, `b`oolean, `s`tring, `a`rray, `m` array of numbers, `w` array of strings, `i` array of items, `o`bject,
/// `v` anything, `p`ath expression, `z` something that mostly fails, `f` a filter for any input, `r` a regular expression,
/// `g` its flags, `k` the name of an item's member, `t` seconds since 1970, `d` a broken down time.
enum QueryForms {
    static let text = numbers + truths + strings + arrays + objects + paths + failures + regexes + dates

    private static let numbers = #"""
        n 6 .total ¦ 1 ¦ -2.5 ¦ 0 ¦ .items[0].id ¦ (.items | length) ¦ (§n + §n) ¦ (§n - §n) ¦ (§n * §n)
        n 6 (§n | if . == 0 then 1 else 12 / . end)
        n 7 (§n % 7) ¦ (§n % (§n | if fabs < 1 then 3 else . end))
        n 6 (-§n) ¦ (§m | add // 0) ¦ (§m | length) ¦ (§s | length) ¦ (§s | utf8bytelength)
        n 6 (§v | if type == "boolean" then 1 else length end) ¦ (if §b then §n else §n end)
        n 6 (if §b then §n elif §b then 2 else 3 end) ¦ (§n as $x | $x + 1) ¦ (§v as [$x] | $x | length)?
        n 6 (§o as {a: $x} | [$x] | length) ¦ (. as {total: $t, items: [{id: $j}]} | $t + $j)
        n 6 (reduce §m[] as $x (§n; . + $x)) ¦ (reduce .items[] as {id: $x, price: $y} (0; . + $x * $y))
        n 6 (def f(x): x + 1; f(§n)) ¦ (def f($x; $y): $x - $y; f(§n; §n))
        n 6 (def fac: if . <= 1 then 1 else . * (. - 1 | fac) end; §n | fabs | floor | if . > 9 then 9 else . end | fac)
        n 6 (§n | floor, sqrt) ¦ (§n | ceil) ¦ (§n | round) ¦ (§n | fabs)
        n 8 (§n | abs)
        n 6 (§n | fabs + 1 | log | floor) ¦ (§n | fabs | sqrt | floor) ¦ (§n | trunc) ¦ (§n | significand) ¦ (§n | logb)
        n 6 (§n | frexp | .[]) ¦ (§n | modf | .[]) ¦ pow(§n; 2) ¦ ldexp(§n; 3) ¦ fmin(§n; §n) ¦ fma(§n; §n; 2)
        n 6 (§m | max // 0) ¦ (§m | min // 0) ¦ (§n | tostring | tonumber) ¦ first(§m[], 5) ¦ first(range(5; 9))
        n 6 ([limit(2; §m[])] | add // 0)
        n 8 ([skip(1; §m[])] | length) ¦ ([limit(0; error)] | length)
        n 6 (§m | .[0] // 9) ¦ (§m | .[-1] // 9) ¦ ([foreach §m[] as $x (0; . + $x)] | last // 0)
        n 6 ([foreach §m[] as $x (0; . + $x; [$x, .])] | length) ¦ (§m | index(1) // -1) ¦ (§s | index("a") // -1)
        n 6 (§s | rindex("a") // -1)
        n 8 (§m | sort | bsearch(2))
        n 6 ({} | .a.b.c | length) ¦ (label $f | §m[] | ., break $f) ¦ (§n, §n) ¦ (§n // §n)
        n 6 (try error(§n) catch . | if type == "number" then . else 0 end) ¦ ([.[]?] | length)
        n 6 ([§v] | tojson | length) ¦ (§m | map(. * 10 | floor) | unique | length) ¦ ([§v | ..] | length)
        n 6 ([§v | paths] | length)
        n 8 (§i | add(.[].id))
        n 6 (§t | gmtime | mktime) ¦ isempty(§v) as $e | (if $e then 1 else 0 end) ¦ ([range(0; 10; 3)] | length)
        n 6 ([range(§n | fabs | floor | if . > 6 then 6 else . end)] | length) ¦ (nth(2; §m[], 1, 2, 3))
        n 6 (1 | until(. > 100; . * 2 + 1)) ¦ ([1 | while(. < 100; . * 2)] | length)
        n 6 ([limit(4; 1 | repeat(. * 2, 3))] | add)
        n 7 (§m | getpath([0]) // 1) ¦ (§s | ltrimstr("a") | length) ¦ splits("a")? // 7

        """#

    private static let truths = #"""
        b 6 true ¦ false ¦ .user.admin ¦ (§n < §n) ¦ (§n == §n) ¦ (§v == §v) ¦ (§v != §v) ¦ (§v < §v) ¦ (§v >= §v)
        b 6 (§b and §b) ¦ (§b or §b) ¦ (§b | not) ¦ (§v | not) ¦ (§s > §s) ¦ any(.items[]; .id == 2) ¦ all(§m[]; . > 1)
        b 6 (§m | map(. > 0) | any) ¦ (§m | map(. > 0) | all) ¦ (§m | any(. > 2)) ¦ (§s | test(§r))
        b 6 (§s | test(§r; §g)) ¦ (§o | has("a")) ¦ (§m | has(0)) ¦ (§a | contains([1])) ¦ (§s | contains("a"))
        b 6 (§o | contains({a: 1}))? ¦ (§m | inside([1, 2, 3, 4, 5])) ¦ ("a" | in({"a": 1})) ¦ (§n | . >= 2)
        b 6 (§s | startswith("b")) ¦ (§s | endswith("a")) ¦ IN(§m[]; 1, 2) ¦ (§n | IN(1, 2, 7)) ¦ isempty(§m[])
        b 6 (§n | isnan) ¦ (§n | isinfinite) ¦ (§n | isnormal) ¦ (§v | isfinite) ¦ (infinite, -infinite | isinfinite)
        b 6 (§v | type == "object")
        b 8 (§b | tostring | toboolean)
        b 6 ([§v] | flatten | length > 2)

        """#

    private static let strings = #"""
        s 6 "x" ¦ .user.name ¦ .items[0].name ¦ .text ¦ (§s + §s) ¦ "a\(§n)b\(§s)" ¦ "\(§s)\(§b, §n)" ¦ (§n | tostring)
        s 6 (§v | tostring) ¦ (§v | tojson) ¦ (§s | ascii_upcase) ¦ (§s | ascii_downcase) ¦ (§w | join("-"))
        s 6 ([§n, null, §b, §s] | join(",")) ¦ (§s | @base64) ¦ (§s | @base64 | @base64d) ¦ (§s | @uri)
        s 8 (§s | @uri | @urid)
        s 6 (§s | @html) ¦ (§s | @sh) ¦ ([§n, §s, §b] | @sh) ¦ ([§n, §s, §b, null] | @csv) ¦ ([§n, §s, §b, null] | @tsv)
        s 6 (§v | @json) ¦ (§v | @text) ¦ @json "v=\(§v)" ¦ @html "<i>\(§s)</i>" ¦ @uri "?q=\(§s)&n=\(§n)"
        s 6 @sh "echo \(§s)" ¦ (§v | type) ¦ (§s | .[1:3]) ¦ (§s | .[-2:]) ¦ (§s | .[:§n]) ¦ (if §b then §s else §s end)
        s 6 (§s | ltrimstr("b")) ¦ (§s | rtrimstr("a"))
        s 8 (§s | trimstr("a")) ¦ ("  " + §s + "\n" | trim, ltrim, rtrim)
        s 6 (null // §s) ¦ (try error(§s) catch .) ¦ (§s | explode | implode) ¦ (§w | sort | .[0] // "")
        s 6 (§w | add // "")
        s 8 (§s | [sub(§r; "<\(.l // "-")>"; §g)] | join("|"))
        s 7 (§s | sub("(?<l>[a-z])"; .l + .l)) ¦ (§s | gsub("a"; "<a>")) ¦ (§s | gsub("(?<l>[aeiou])"; "[\(.l)]"))
        s 7 (§s | gsub("^"; ">")) ¦ (§s | gsub("$"; "<")) ¦ (§s | gsub(""; "-")) ¦ (§s | gsub("\\s+"; " "; "x"))
        s 8 (§s * 2) ¦ (§s | [., .] | .[0] + .[1])
        s 6 (§t | todate) ¦ (§t | strftime("%Y-%m-%dT%H:%M:%SZ %a %b %j %e")) ¦ (§d | strftime("%A, %B %d, %Y"))
        s 6 (§v | [..] | length | tostring) ¦ ({} | .["a b"]? | tojson) ¦ (§o | keys | join("/"))
        s 6 ("\(1 + 2) é \u00e9 😀 \t")
        s 8 ([§s | scan(§r)] | tojson)
        s 6 (§s | [match(§r; §g).string] | join("|")) ¦ (§s | ascii_downcase | @text)
        s 6 ("x" as $x | "b" as $y | $x + $y) ¦ ([§s, §s] | max) ¦ (§v | tojson | fromjson | tojson)

        """#

    private static let arrays = #"""
        m 6 .nums ¦ [1, 2, 3] ¦ [.items[].id] ¦ [.items[].price] ¦ [range(4)] ¦ [range(2; 5)] ¦ [§n, §n] ¦ (§m | sort)
        m 6 (§m | unique) ¦ (§m | reverse) ¦ (§m | map(. + 1)) ¦ (§m | map(select(. > 1))) ¦ (§m + §m) ¦ (§m - §m)
        m 6 (§m | .[1:]) ¦ (§m | .[:-1]) ¦ (§m | .[§n:]) ¦ (§a | [.[] | numbers]) ¦ (§m | map_values(. * 2))
        m 7 (§m | (.[] | select(. > 1)) |= . * 2)
        m 6 (§m | .[0] = §n) ¦ (§m | .[1:2] = [§n, §n]) ¦ (§m | .[0] += 1) ¦ (§m | .[] += 1) ¦ (§m | del(.[0]))
        m 6 (§m | del(.[0, 1])) ¦ (§m | del(.[1:])) ¦ (§m | to_entries | map(.key)) ¦ ([§m, §m] | transpose | map(add))
        m 6 ([§m, [§m]] | flatten) ¦ ([§m, [§m]] | flatten(1) | map(numbers)) ¦ (§s | explode)
        m 6 (§s | [match(§r; "g").offset]) ¦ (§s | [indices("a")[]]) ¦ (§m | indices(1)) ¦ (§m | indices([1, 2]))
        m 6 ([§m | combinations(1) | add]) ¦ [label $out | §m[] | if . > 2 then break $out else . end]
        m 6 [limit(3; §m[])] ¦ [first(§m[])]
        m 7 [limit(2; repeat(1))]
        m 6 (§d)
        w 6 .words ¦ ["b", "a"] ¦ [.items[].name] ¦ (.user | keys) ¦ [§s, §s] ¦ (§w | sort) ¦ (§w | unique)
        w 6 (§w | reverse) ¦ (§w | map(ascii_upcase)) ¦ (§w | sort_by(length)) ¦ (§w | unique_by(length)) ¦ (§w + §w)
        w 6 (§w - ["a"]) ¦ (§w | .[1:]) ¦ (§s | split("a")) ¦ (§s | split(", ")) ¦ (§s | split(""))
        w 8 (§s | split(§r; §g)) ¦ [§s | splits(§r)]
        w 6 (§s / "a") ¦ (§w | map(select(test(§r)))) ¦ [§w[] | ltrimstr("a")] ¦ (§o | keys) ¦ [§v | type]
        w 6 [§s | capture("(?<k>[a-z])(?<v>.)") | .k, .v] ¦ (§i | map(.name)) ¦ (§i | [.[].tags[]] | unique)
        i 6 .items ¦ (.items | sort_by(.name)) ¦ (§i | sort_by(.price, .id)) ¦ (§i | sort_by(-.id)) ¦ (§i | reverse)
        i 6 (§i | map(select(.id > 1))) ¦ (§i | map(select(.tags | index("x")))) ¦ (§i | unique_by(.price > 1))
        i 6 [(§i | min_by(.price), max_by(.id)) | objects] ¦ (§i | .[:2]) ¦ (§i | map(.tags |= map(ascii_upcase)))
        i 6 (§i | map(.price += 1)) ¦ (§i | map(.id = 7)) ¦ (§i | .[0].name = §s | map(objects | select(.tags)))
        i 6 (§i | map(. + {extra: §v})) ¦ (§i | map(del(.none))) ¦ (§i | map(with_entries(select(.key != "none"))))
        i 8 (§i | map(pick(.id, .name, .tags, .price)))
        a 6 [] ¦ [1, "a", null] ¦ .grid ¦ §m ¦ §w ¦ §i ¦ [§v, §v] ¦ (§a + §a) ¦ [§a[] | [.]] ¦ (§a | reverse)
        a 6 (§a | sort) ¦ (§a | unique) ¦ (§a | group_by(type)) ¦ (§i | group_by(.price > 1))
        a 6 (§i | group_by(.§k) | map(length)) ¦ (§i | [.[] | {§k}]) ¦ (§i | [.[] | {§k, n: .name}])
        a 6 (§i | [.[] | {(.name): .id}]) ¦ (§i | map(.§k)) ¦ (§o | to_entries) ¦ [§v | paths]
        a 6 [§v | paths(type == "number")] ¦ [§v | tostream] ¦ [§v | .. | scalars] ¦ [§v | .. | numbers]
        a 6 ([§a, §a] | transpose) ¦ (§a | flatten) ¦ (§a | to_entries) ¦ [§o[]] ¦ [path(§p)] ¦ [path(§p | select(.))?]
        a 6 [path(..)] ¦ [getpath(["user", "name"], ["items", 0, "id"], ["nope", "x"])]
        a 6 [[1, 2], [3, 4]] | [combinations] ¦ [.items[] as {id: $x, tags: [$y]} | [$x, $y]]
        a 6 [.items[] | . as {$id, $name} | [$id, $name]]
        a 7 [.[]? as [$x] ?// {$x} ?// $x | [$x]] ¦ [§v as {a: $x} ?// [$x] | $x]?
        a 6 [§v | try error catch .] ¦ [fromstream(§v | tostream)]
        a 6 [1 | truncate_stream([[0], 1], [[1, 0], 2], [[1, 0]], [[1]])] ¦ [§v as $x | $x, [$x]] ¦ [§v | ., .]
        a 6 [§s | match(§r; §g)] | map({offset, length, string, captures: [.captures[] | .name, .string]})
        a 6 (§a | map([.] | length)) ¦ [.[]? | type] ¦ [limit(3; §a[])] ¦ [§a[]?, §v] ¦ (§a | [.[] | tojson])
        a 6 ([§a | length, (.[0:2] | length)]) ¦ (try (§a | implode) catch ["no"] | [.]) ¦ [splits("a, *")?]
        a 6 [INDEX(.items[]; .id) | .[] | .name] ¦ (§a | [first(.[]?), last?])
        a 6 [recurse(if type == "array" then .[0] else empty end)] | [.[0]]
        a 6 [§n | recurse(if fabs > 0 and fabs < 9 then . * 3 else empty end)] ¦ [2 | recurse(. * .; . < 20)]
        a 6 [§v | walk(if type == "array" then sort else . end)]
        a 6 (§a | map(arrays, objects, strings, numbers, booleans, nulls)) ¦ (§a | [.[] | iterables])
        a 6 (§a | [.[] | values])
        a 8 (§a | [limit(2; .[])], [skip(2; .[])]) ¦ [§a | have_decnum, have_literal_numbers]
        a 8 [ltrimstr("x"), rtrimstr(1)] | map(type) ¦ [§v | getpath(["a", "b"])?]
        a 6 (§w | map({(.): length}) | add | to_entries? // [])
        a 6 [.items[] | if .id > 1 then "big" elif .id == 1 then "one" else empty end]
        a 7 [.items[] | if .id > 1 then "big" end]
        a 6 [.items[] | select(.name | test(§r)) | .id] ¦ [foreach .items[] as {id: $x} (0; . + $x; select(. > 1))]
        a 7 [foreach (1, 2, 3) as $x ((0, 10); . + $x)]
        a 6 [reduce §a[] as $x (.; $x)] | length | [.] ¦ [(1, 2) as $x | (3, 4) as $y | $x * $y]
        a 6 [1, 2 | (., 10) * (., 100)] ¦ [[1, 2][], {"a": (3, 4)}[]] ¦ [def f(g): [g, g]; f(§n, §s)]
        a 6 [def f: def g: 3; g + 1; f] ¦ [def f(x): x | x; 2 | f(. * .)]

        """#

    private static let objects = #"""
        o 6 {} ¦ .user ¦ {a: 1, b: "x"} ¦ {a: §v, b: §v} ¦ {a: §n, (§s): §v} ¦ {"k\(§n)": §v} ¦ {a: (§n, §s)}
        o 6 (§o + §o) ¦ (§o * {a: {b: §v}}) ¦ (§o | .a = §v) ¦ (§o | .x.y |= §v) ¦ (§o | .b //= §v) ¦ (§o | del(.a))
        o 6 (§o | del(.a, .b)) ¦ (§o | with_entries(.value |= tojson)) ¦ (§o | with_entries(.key |= ascii_upcase))
        o 6 (§o | map_values(tojson)) ¦ (§o | map_values(empty)) ¦ (§o | to_entries | from_entries)
        o 6 (§i | map({key: .name, value: .id}) | from_entries) ¦ (§i | map({name, value: .§k}) | from_entries)
        o 6 ([{"k": "x", "v": §v}] | try from_entries catch {})
        o 6 ([{"key": (false, null, 1), "value": §v}] | try from_entries catch {e: .}) ¦ .items[0] ¦ (§i | INDEX(.id))
        o 6 (§i | .[0] // {}) ¦ {§k: §v} ¦ (.items[0] | {§k, "name", total: 1})
        o 6 (. as $all | {n: $all.total, l: $__loc__.file}) ¦ (§s as $x | {$x, y: 1})
        o 6 (reduce .items[] as $x ({}; .[$x.name] = $x.id)) ¦ (reduce .items[] as $x ({}; .[$x.tags[]] += 1))
        o 6 (§s | capture("(?<first>[a-z]+)(?<second>[a-z0-9])?") // {})
        o 8 (pick(.user.name)) ¦ (pick(.items[1].id))
        o 6 (setpath(["user", "x"]; §v) | .user) ¦ (delpaths([["user", "name"], ["items"]]))
        o 6 (to_entries | map(select(.key == "user")) | from_entries) ¦ ([§o, §o] | add)
        o 6 ([paths(scalars) as $p | {key: ($p | map(tostring) | join(".")), value: getpath($p)}] | from_entries)
        o 6 (§o | if .a then {yes: .a} else {no: .} end) ¦ (§o | tojson | fromjson)

        """#

    private static let paths = #"""
        p 6 . ¦ .user ¦ .user.name ¦ .items ¦ .items[] ¦ .items[0] ¦ .items[-1] ¦ .items[1:] ¦ .items[].§k
        p 6 .items[:2][0] ¦ .. ¦ (§p, §p) ¦ (.user | .name, .admin) ¦ (.items[] | select(.id > 1))
        p 6 (.items[] | select(.id > 1) | .name) ¦ first(.items[]) ¦ (.nope // .user) ¦ if §b then .user else .items end
        p 6 getpath(["user", "name"]) ¦ (.items | recurse(.[0]?; . != null)) ¦ .["user"]["name"] ¦ .user["na" + "me"]
        p 6 (.total as $x | .user.name) ¦ (.items | last) ¦ (.user.name | strings) ¦ empty ¦ (try .items[0] catch .)
        p 6 (label $f | .items[] | ., break $f) ¦ (def f: .items; f | .[0]) ¦ (reduce ("user", "name") as $k (.; .[$k]))
        p 8 (limit(2; .items[]))
        p 6 .grid[][0]? ¦ paths
        v 6 . ¦ null ¦ §n ¦ §b ¦ §s ¦ §a ¦ §o ¦ §p? ¦ .deep ¦ .deep.a[0].b ¦ .nope ¦ (§v | §f)?
        v 6 (try (§v | §f) catch "failed") ¦ (§p = §v)? ¦ (§p |= (§f?))? ¦ (.items[0].§k |= §v) ¦ (§p += 1)?
        v 6 (.total -= §n) ¦ (.total *= §n) ¦ (.nums[] /= 2) ¦ (.nope //= §v) ¦ del(.items[0], .user.name) ¦ (del(§p)?)
        v 7 (.items |= map(select(.id != 2))) ¦ (.items[] |= empty | .total)
        v 6 (to_entries[0]) ¦ (if §v then §v else §v end) ¦ (§v as $x | §v) ¦ (§v, §v) ¦ (§v // §v)
        v 6 (.items[]?, .user) | type ¦ (try error(§v) catch .) ¦ (try error(null) catch .) ¦ ([§v] | .[0])
        v 6 ({a: §v} | .a) ¦ (tojson | fromjson) ¦ (. as {user: {name: $n}, items: [$first]} | [$n, $first])
        v 6 (. as {"total": $x, ("us" + "er"): $u} | [$x, $u]) ¦ limit(1; §v) ¦ first(§v, 1) ¦ [§v][0:1]
        v 6 (walk(if type == "object" then del(.none) else . end)) ¦ (getpath(§p | [path(..)][0])?) ¦ [splits("x")?]
        v 6 (§d | mktime) ¦ (tostream | select(length == 2) | .[1] | scalars) ¦ ([1, 2, 3] | IN(.[]; 2))
        v 6 ascii_downcase? ¦ (.["user", "total"]) ¦ .user?.name? ¦ (.items[0]["id", "name"])
        k 6 id ¦ name ¦ tags ¦ price ¦ none

        """#

    /// Filters that take anything, and calls that fail for most of what they are given: their messages are compared.
    private static let failures = #"""
        f 6 . ¦ type ¦ tojson ¦ length ¦ .a ¦ .[0] ¦ .[] ¦ .[1:] ¦ keys ¦ add ¦ not ¦ [.] ¦ {a: .} ¦ tostring ¦ reverse
        f 6 sort ¦ first ¦ to_entries ¦ (. == §v) ¦ (. < §v) ¦ [., 1] ¦ map(§f) ¦ (§f | §f) ¦ select(§f) ¦ [.[]?]
        f 6 (try §f catch .) ¦ empty ¦ (., .) ¦ error
        z 8 (§v | .[§v]) ¦ (§v | .a.b) ¦ (§v | .[§v:§v]) ¦ (§v + §v) ¦ (§v - §v) ¦ (§v * §v | tojson[:1000]) ¦ (§v / §v)
        z 8 (§n % §n) ¦ (§v % §v) ¦ (-§v) ¦ (§v | keys) ¦ (§v | has(§v)) ¦ (§v | length) ¦ (§v | utf8bytelength)
        z 8 (§v | to_entries) ¦ (§v | from_entries) ¦ (§v | add) ¦ (§v | join(§v)) ¦ (§v | flatten) ¦ (§v | flatten(§n))
        z 8 (§v | sort) ¦ (§v | sort_by(.a)) ¦ (§v | group_by(.a)) ¦ (§v | unique) ¦ (§v | unique_by(length))
        z 8 (§v | min_by(.a), max_by(.a)) ¦ (§v | min, max) ¦ (§v | reverse) ¦ (§v | contains(§v)) ¦ (§v | inside(§v))
        z 8 (§v | startswith(§v)) ¦ (§v | endswith(§v)) ¦ (§v | ltrimstr(§v)) ¦ (§v | rtrimstr(§v)) ¦ (§v | trimstr(§v))
        z 8 (§v | trim) ¦ (§v | ltrim, rtrim) ¦ (§v | explode) ¦ (§v | implode) ¦ (§v | split(§v))
        z 8 (§v | split(§v; §v)) ¦ (§v | ascii_upcase) ¦ (§v | ascii_downcase) ¦ (§v | test(§v))
        z 8 (§v | [match(§v; §v)]) ¦ (§v | capture(§v)) ¦ (§v | [scan(§v)]) ¦ (§v | sub(§v; §v)) ¦ (§v | gsub(§s; §v))
        z 8 (§v | splits(§v)) ¦ (§v | tonumber) ¦ (§v | toboolean) ¦ (§v | fromjson) ¦ (§v | tostring) ¦ (§v | floor)
        z 8 (§v | sqrt) ¦ pow(§v; §v) ¦ (§v | abs) ¦ (§v | isnan, isinfinite, isnormal) ¦ (§v | todate)
        z 8 (§v | fromdate) ¦ (§v | gmtime) ¦ (§v | mktime) ¦ (§v | strftime(§v)) ¦ (§v | strptime(§v)) ¦ (§v | @csv)
        z 8 (§v | @tsv) ¦ (§v | @sh) ¦ (§v | @base64) ¦ (§v | @base64d) ¦ (§v | @uri) ¦ (§v | @urid) ¦ (§v | @html)
        z 8 (§v | format(§v)) ¦ (§v | range(.)) ¦ [limit(5; range(§v; §v))] ¦ [limit(5; range(§n; §n; §n))]
        z 8 [limit(§v; 1, 2, 3)] ¦ [skip(§v; 1, 2, 3)] ¦ nth(§v; 1, 2, 3) ¦ (§v | nth(§v)) ¦ (§v | first, last)
        z 8 (§v | index(§v), rindex(§v), indices(§v)) ¦ (§v | bsearch(§v)) ¦ (§v | getpath(§v)) ¦ (§v | setpath(§v; §v))
        z 8 (§v | delpaths(§v)) ¦ (§v | del(.[§v])) ¦ (§v | del(.a, .[0])) ¦ (§v | paths) ¦ [§v | path(§f)]
        z 8 (§v | pick(.a)) ¦ (§v | pick(.[0])) ¦ (§v | .[0] = 1) ¦ (§v | .a = 1) ¦ (§v | .a += §v) ¦ (§v | .[] |= §f)
        z 8 (§v | .[1:] = §v) ¦ (§v | .[-1] = 0) ¦ (§f |= 1) ¦ (§f = 1) ¦ (§v | map(§f)) ¦ (§v | map_values(§f))
        z 8 (§v | with_entries(§f)) ¦ (§v | walk(§f)) ¦ (§v | transpose) ¦ (§v | in(§v)) ¦ (§v | combinations)
        z 8 (§v | any, all) ¦ (§v | tojson | fromjson) ¦ (§v | splits("a")) ¦ (§v | fromstream(.[]))
        z 8 [limit(9; §v | tostream)] ¦ (§v | [truncate_stream(.[])]) ¦ (§v | 1 | truncate_stream(§v))
        z 8 (§v | INDEX(.a)) ¦ INDEX(§v; §f) ¦ (§v | IN(§v)) ¦ error(§v) ¦ ({(§v): 1}) ¦ ({a: 1} | {§k})
        z 8 (§v as [$a, {b: $c}] | [$a, $c]) ¦ (§v as {a: [$x]} | $x) ¦ (§v as {$a} ?// [$a] | [$a])
        z 8 [§v as [$a] ?// $a | if ($a | type) == "number" then error("x") else $a end]
        z 8 (§v | getpath(["a", 0, "b"]) |= 5) ¦ (§v | ldexp(.; 2)) ¦ (§v | significand, logb, gamma, frexp, modf)
        z 8 (§n | lgamma_r, trunc, exp10, exp2, expm1, log1p, cbrt) ¦ (§n | erf, erfc, j0, j1, y0, y1)
        z 8 [jn(2; §n), yn(1; §n), remainder(§n; 3), drem(§n; 3), hypot(§n; 2), fdim(§n; 1), copysign(1; §n)]
        z 8 (§v | tojson | .[2:] | fromjson) ¦ (§v | have_decnum) ¦ (§v | error(null)) ¦ (§v | .. = 1)
        z 8 (§v | first(error)) ¦ (§v | until(type == "number"; length)) ¦ (§v | [while(type != "number"; length)])
        z 8 (§v | [recurse(.[]?; type == "array")]) ¦ (§v | isempty(error("x"))) ¦ (§v | add(§f))
        z 8 (§v | any(§f), all(§f)) ¦ (§v | any(.[]; §f)) ¦ (§v | [limit(3; repeat(., §f))])
        z 8 (§v | ltrimstr("a"), tojson) ¦ (§v | @json "x\(.)", @text "\(.)") ¦ (§v | @html "\(.)", @sh "\(.)")
        z 8 (§v | @csv "\(.)") ¦ (§v | to_entries | from_entries) ¦ (§v | tojson | test("a"; §g))
        z 8 reduce §v as [$x] (§v; . + $x) ¦ [foreach §v as $x (§v; §f; §f)] ¦ (§v | getpath(["a"]) as [$x] | $x)
        z 8 (label $x | §v | error("\(.)", break $x)) ¦ (§v | splits("a"; null))
        z 8 ([§v, §v] | sort, unique, min, max, group_by(.), add) ¦ ([§v, §v] | implode) ¦ ([§v, §v] | @csv, @tsv, @sh)
        z 8 ([[§v], 1, 2] | combinations) ¦ (§v | tojson | ascii_downcase | fromjson)

        """#

    private static let regexes = #"""
        r 6 "a" ¦ "[a-m]+" ¦ "(?<l>[aeiou])" ¦ "(?<l>.)(?<m>[a-z])?" ¦ "\\d+" ¦ "\\w+" ¦ "\\s" ¦ "^.|.$" ¦ "a|b|"
        r 6 "(a)(b)?|c" ¦ "[^a-z ]+" ¦ "(?i)ALPHA" ¦ "\\b[a-z]" ¦ "(?:foo|bar)-?" ¦ "l+?" ¦ "(.)\\1" ¦ "(?=a)."
        r 6 "(?<!a)l" ¦ "é|😀" ¦ "[[:upper:]]" ¦ "\\p{L}{2}" ¦ "x*" ¦ ["a", "g"] ¦ ["A", "gi"]
        g 6 "g" ¦ "gi" ¦ "gn" ¦ "gx" ¦ "gs" ¦ "gp" ¦ "gl" ¦ "" ¦ null ¦ "i"

        """#

    private static let dates = #"""
        t 6 .when ¦ 0 ¦ 1425599621 ¦ (.date | fromdate) ¦ (§t + 86400) ¦ (§n * 1000 | floor)
        t 6 (.date | strptime("%Y-%m-%dT%H:%M:%SZ") | mktime) ¦ (.date | fromdateiso8601)
        d 6 (§t | gmtime) ¦ (.date | strptime("%Y-%m-%dT%H:%M:%SZ"))
        d 6 ("10:20:30 5 Mar 2015" | strptime("%H:%M:%S %d %b %Y")) ¦ [2015, 2, 5, 23, 51, 47, 4, 63]

        """#
}
