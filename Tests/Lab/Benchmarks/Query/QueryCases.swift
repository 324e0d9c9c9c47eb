import JSONCore

/// A program with an input: what a query does to one state.
struct QueryCase {
    enum Input: String, CaseIterable {
        case null
        /// A small state, with a cart whose total one asks for.
        case shop
        /// A thousand objects of four scalar members.
        case items
        /// An object of a thousand members.
        case table
        /// A tree of arrays and objects, eight levels deep, of some 1,800 values.
        case tree
        /// A thousand lines of a log.
        case log
    }

    let name: String
    let program: String
    let input: Input

    init(_ name: String, _ program: String, on input: Input) {
        self.name = name
        self.program = program
        self.input = input
    }

    static let all: [QueryCase] = [
        QueryCase("path predicate", ".cart.total < 0", on: .shop),
        QueryCase("member by variable", #""cart" as $k | .[$k].total > 10 and (.user.name | length) > 0"#, on: .shop),
        QueryCase("map(select) | add", "map(select(.price > 500) | .price) | add", on: .items),
        QueryCase("any(.[]; …)", "any(.[]; .price < 0)", on: .items),
        QueryCase("group_by", "group_by(.kind)", on: .items),
        QueryCase("sort_by", "sort_by(.price)", on: .items),
        QueryCase("sort_by, two keys", "sort_by(.kind, .name)", on: .items),
        QueryCase("unique_by", "unique_by(.kind)", on: .items),
        QueryCase("min_by", "min_by(.price)", on: .items),
        QueryCase("construction", "map({id, name, cost: (.price * 2)})", on: .items),
        QueryCase("interpolation", #"map("\(.id): \(.name) of \(.kind)") | join(", ")"#, on: .items),
        QueryCase("string +=", #"reduce .[] as $i (""; . + $i.name + ",")"#, on: .items),
        QueryCase("split, ltrimstr", #"map(.name | split(" ") | .[1] | ltrimstr("num"))"#, on: .items),
        QueryCase("test", #"map(select(test("user[0-9]+@(example|test)\\.com")))"#, on: .log),
        QueryCase("capture", #"map(capture("(?<user>[a-z0-9]+)@(?<host>[a-z.]+)"))"#, on: .log),
        QueryCase("gsub", #"map(gsub("[0-9]+"; "N"))"#, on: .log),
        QueryCase("gsub, long text", #"join(" ") | gsub("o"; "0")"#, on: .log),
        QueryCase("reduce 1,000,000", "reduce range(1000000) as $i (0; . + $i)", on: .null),
        QueryCase("foreach", "last(foreach range(100000) as $i (0; . + $i; . * 2))", on: .null),
        QueryCase("tail recursion", "def f: if . >= 100000 then . else . + 1 | f end; 0 | f", on: .null),
        QueryCase(
            "tail, argument", "def f($n): if $n == 0 then . else . + $n | f($n - 1) end; 0 | f(30000)", on: .null),
        QueryCase("deep recursion", "def f: if . == 0 then 0 else 1 + (. - 1 | f) end; 10000 | f", on: .null),
        QueryCase("fib(18)", "def f: if . < 2 then . else (. - 1 | f) + (. - 2 | f) end; 18 | f", on: .null),
        QueryCase("until", "0 | until(. >= 100000; . + 1)", on: .null),
        QueryCase("to_entries", "to_entries", on: .table),
        QueryCase("with_entries", "with_entries(.value += 1)", on: .table),
        QueryCase("map_values", "map_values(. + 1)", on: .table),
        QueryCase("object +=", "reduce .[] as $i ({}; .[$i.name] += $i.price)", on: .items),
        QueryCase("object building", "reduce .[] as $i ({}; . + {($i.name): $i.id})", on: .items),
        QueryCase("assignment", ".[].price |= . * 2", on: .items),
        QueryCase("del", "del(.[].price)", on: .items),
        QueryCase("paths", "[paths] | length", on: .tree),
        QueryCase("tostream", "[tostream] | length", on: .tree),
        QueryCase("fromstream", "fromstream(tostream)", on: .tree),
        QueryCase("walk", "walk(if type == \"number\" then . + 1 else . end)", on: .tree),
        QueryCase("..", "[.. | numbers] | add", on: .tree),
        QueryCase("limit, first", "[limit(5; .[] | select(.price > 500))], first(.[] | select(.id > 500))", on: .items),
        QueryCase("flatten, unique", "[.[].tags] | flatten | unique", on: .items),
        QueryCase("tojson, fromjson", "tojson | fromjson | length", on: .items),
        QueryCase("equality", ". == map(.)", on: .items),
    ]
}

extension QueryCase.Input {
    /// The value, built anew.
    var value: JSONValue {
        switch self {
        case .null: .null
        case .shop: Self.shopState
        case .items: .array((0..<1_000).map(Self.item))
        case .table: .object(JSONObject((0..<1_000).lazy.map(Self.member)))
        case .tree: Self.tree(depth: 8)
        case .log: .array((0..<1_000).map { .string(Self.line($0)) })
        }
    }

    private static var shopState: JSONValue {
        [
            "cart": ["lines": .array((0..<20).map(item)), "total": 420, "discount": 0],
            "feed": .array((0..<20).map { .string(line($0)) }), "unread": 3, "user": ["name": "Ada", "token": "t-0"],
        ]
    }

    /// A permutation of 0..<1000, so that what is sorted was not in order.
    private static func scattered(_ index: Int) -> Int { index * 619 % 1_000 }

    private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

    private static func member(_ index: Int) -> JSONObject.Element {
        (key: "key \(scattered(index))", value: number(index))
    }

    private static func item(_ index: Int) -> JSONValue {
        [
            "id": number(index), "name": .string("product number\(scattered(index))"),
            "kind": .string("kind \(scattered(index) % 10)"), "price": number(scattered(index) + 1),
            "tags": [.string("tag \(index % 7)"), .string("tag \(index % 11)")],
        ]
    }

    private static func tree(depth: Int) -> JSONValue {
        if depth == 0 { return ["leaf": 1, "text": "some text", "flag": true] }
        let below = tree(depth: depth - 1)
        return depth.isMultiple(of: 2) ? [below, below, number(depth)] : ["left": below, "right": below, "depth": 7]
    }

    private static func line(_ index: Int) -> String {
        "2026-11-21 07:0\(index % 10):33 info user\(index)@\(index % 3 == 0 ? "example" : "other").com opened page \(index)"
    }
}
