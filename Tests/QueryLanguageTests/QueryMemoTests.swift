import JSONCore
import TestSupport
import Testing

@testable import QueryLanguage

@Suite("What a query keeps of a state for the next")
struct QueryMemoTests {
    /// What can be made of all elements of an array, and what looks like it.
    private static let queries = [
        ".s.list | map(.n) | add", ".s.list | map(.n) | add > 3", "[.s.list[].n] | add", "[.s.list[] | .n] | add // 0",
        ".s.list | map(select(.n > 9)) | map(.n) | add // 7", ".s.list | (any(.n == 1) // 3)",
        ".s.list | map(select(.n > 1)) | length", "[.s.list[] | select(.n > 1)] | length > 2", ".s.list | any(.n < 0)",
        ".s.list | all(.n >= 0)", "any(.s.list[]; .n == 2)", "all(.s.list[].n; . < 3)", ".s.list | map(.n) | any",
        ".s.list | map(.n > 0) | all", "(.s.list | map(.n) | add) > (.s.other | map(.n) | add)", ".s.list | add(.[].n)",
        "(.s.list | all(.n > -9)) and (.s.other | any(.n == 1))", ".s.list[] | select(.n < 0)", ".s.list[].n",
        ".s.list | map(.n) | map(. * 2) | add", ".s.list[] | .n | . > 2", "[.s.list[].deep.m] | add",
        ".s.list | map(.deep | .m // 1) | add | . + 1", ".s.list | map(if .n > 1 then .n else empty end) | add",
        "[.s.list[].n | tostring] | add", ".s.list | map(.name) | add", ".s.list | (map(.n) | add) - length",
        ".s.list | map(.n / 2) | add", ".s.list | length", ".s.list | map(.n) | add | tostring | length",
        "[.s.list[].n] | max", ".s | [.list[].n] | add", "($seq > 2) or (.s.list | any(.n == 3))",
        ".s.list | map(.n) | sort",
        ".s.list as $l | $l | map(.n) | add", ".s.list |= map(.n) | .s.list | add", "[.s.list[].n, .s.other[].n] | add",
        ".s.list | map(.n)[0]", "reduce .s.list[].n as $n (0; . + $n)", "first(.s.list[].n)",
        ".s.list | map(.n) | add / 2",
        "[.s.list[]?.n] | add", ".s.list | map(.n)? | add", "if .s.list | any(.n > 2) then 1 else 2 end",
        "[.s.list[] | .n, .n] | add", ".s.list | map(.n, 1) | add", "try (.s.list | map(.n) | add) catch 0",
        ". | .s.list[].n", "any(.s.list[].n, .s.other[].n; . == 2)", "all(.s.by[]; .n < 4)", "[.s.by[].n] | add",
        "[.s.by[].n] | add // 9", "[.s.by[] | select(.n > 1)] | length", ".s.by | any(.n == 1)",
        ".s.by | map(.n) | add",
        "all(.s.list[].n, .s.by[].n, .t; type == \"number\")", "any(.t, (.s.by[] | .deep.m); . == 3) or .t == 1",
        ".s.by[] | .n == 7", "all(.s.list[].n; IN(0, 1, 2, 3))", "any(.s.by[]; .n == (1, 7))", "all(.t, .s; . != null)",
        "(.s.list | map(.n) | add) - ($old.s.list | map(.n) | add)",
        "$old.s.by == .s.by", "$old.s != .s", ".s | .list != $old.s.list",
        "all($old.s.by[]; .n < 4) and all(.s.by[]; .n < 4)",
        "$old | .s.list | any(.n == 2)", "$old.s.list[] | .n == 2", ".s | [$old.s.by[].n] | add",
        "all(.s[][]?; .n != 5)", "all(.s.by[][]; . != 5)", "any(.s.by[] | .n, .deep.m; . == 2)",
        ".s.list | any(.[] | .n, .deep.m; . == 2)", "[$old.s.list[] | debug | .n] | add",
        "first(.s.by[] | .n)", "[limit(3; .s.by[].n)] | add", "label $l | .s.by[] | ., break $l", "[.s.by[].n]",
        "[.s.by | .[] | select(.n > 1) | .deep.m] | add",
        "[.s.list[].n / 4] | add", "[3 - .s.by[].n] | add", "any(.s.list[].n > 3; .)", ".s.list[].deep.m == 2",
        "3 != .s.by[].n",
        "[.s.list[].n / .s.other[0].n] | add",
    ]

    /// A number of any kind, or something else.
    private func number(_ random: inout RandomJSON, odd: Bool) throws -> JSONValue {
        let texts = ["1.5", "0.1", "-0", "1e3", "-2.25", "9007199254740993", "4503599627370497", "1e400", "2147483648"]
        switch random.below(odd ? 20 : 12) {
        case 12, 13, 14: return try JSONParser.parse(texts[random.below(texts.count)])
        case 15: return .null
        case 16: return .string("x")
        case 17: return .bool(true)
        case 18: return try JSONParser.parse("0.25")
        default: return .number(JSONNumber(random.below(9) - 3))
        }
    }

    private func element(_ random: inout RandomJSON, odd: Bool) throws -> JSONValue {
        if odd, random.chance(3) { return random.value(depth: 1) }
        return .object([
            "n": try number(&random, odd: odd), "name": "e", "deep": .object(["m": try number(&random, odd: odd)]),
        ])
    }

    private func list(_ random: inout RandomJSON, odd: Bool) throws -> JSONValue {
        .array(try (0..<random.below(7)).map { _ in try element(&random, odd: odd) })
    }

    private func table(_ random: inout RandomJSON, odd: Bool) throws -> JSONValue {
        var members = JSONObject()
        for _ in 0..<random.below(7) {
            members.insertAscending(try element(&random, odd: odd), forKey: "k\(random.below(8))")
        }
        return .object(members)
    }

    private func place(_ pointer: String, _ change: ChangedPlace.Change = .value) -> ChangedPlace {
        ChangedPlace(Array(pointer.utf8), change)
    }

    /// Changes a state; the places that changed, nil where that is not said.
    private func change(_ state: inout JSONValue, _ random: inout RandomJSON, odd: Bool) throws -> [ChangedPlace]? {
        func replace(_ place: String, _ value: JSONValue) -> Bool {
            let patch = (try? JSONPointer(parsing: place)).map { JSONPatch([.replace($0, value, old: nil)]) }
            return (try? patch?.apply(to: &state)) != nil
        }
        let list = random.chance(70) ? "list" : "other"
        let index = random.below(8)
        let count = state.member("s")?.member(list)?.array?.count ?? 0
        switch random.below(18) {
        case 12, 13:
            // What is no array has a member '-' then, and one with the number.
            guard state.member("s")?.member(list)?.array != nil else { return [] }
            let patch = JSONPatch([
                .add(try JSONPointer(parsing: "/s/\(list)/-"), try element(&random, odd: odd)),
                .add(try JSONPointer(parsing: "/s/\(list)/\(count + 1)"), try element(&random, odd: odd)),
            ])
            guard (try? patch.apply(to: &state)) != nil else { return [] }
            return (0..<2).map { place("/s/\(list)/\(count + $0)", .insertion) }
        case 14:
            let patch = JSONPatch([.remove(try JSONPointer(parsing: "/s/\(list)/\(count - 1)"), old: nil)])
            return (try? patch.apply(to: &state)) != nil ? [place("/s/\(list)/\(count - 1)", .removal)] : []
        case 15, 16:
            let path = try JSONPointer(parsing: "/s/by/k\(index)")
            let patch = JSONPatch([
                random.chance(60) ? .add(path, try element(&random, odd: odd)) : .remove(path, old: nil)
            ])
            return (try? patch.apply(to: &state, order: .ascending)) != nil ? [place("/s/by/k\(index)")] : []
        case 17: return replace("/s/by/k\(index)/n", try number(&random, odd: odd)) ? [place("/s/by/k\(index)/n")] : []
        case 0:
            guard state.member("s")?.member(list)?.array != nil else { return [] }
            let index = random.below(count + 1)
            let patch = JSONPatch([
                .add(try JSONPointer(parsing: "/s/\(list)/\(index)"), try element(&random, odd: odd))
            ])
            try patch.apply(to: &state)
            return random.chance(80) ? [place("/s/\(list)/\(index)", .insertion)] : nil
        case 1:
            guard state.member("s")?.member(list)?.array != nil else { return [] }
            let from = try JSONPointer(parsing: "/s/\(list)/\(index)")
            let to = random.below(max(1, count))
            let isMoved = random.chance(60)
            let patch = JSONPatch([
                isMoved ? .move(from: from, to: try JSONPointer(parsing: "/s/\(list)/\(to)")) : .remove(from, old: nil)
            ])
            guard (try? patch.apply(to: &state)) != nil else { return [] }
            let removed = place("/s/\(list)/\(index)", .removal)
            return isMoved ? [removed, place("/s/\(list)/\(to)", .insertion)] : [removed]
        case 2:
            let value = odd && random.chance(30) ? random.value(depth: 2) : try self.list(&random, odd: odd)
            return replace("/s/\(list)", value) ? [place("/s/\(list)")] : []
        case 3:
            let store: JSONValue = .object([
                "by": try table(&random, odd: odd), "list": try self.list(&random, odd: odd), "other": [],
            ])
            return replace("/s", store) ? [place("/s")] : []
        case 4: return replace("/t", .number(1)) ? [place("/t")] : []
        default:
            var places: [ChangedPlace] = []
            for _ in 0..<(1 + random.below(3)) {
                let index = random.below(8)
                let (pointer, value): (String, JSONValue) =
                    switch random.below(3) {
                    case 0: ("/s/\(list)/\(index)", try element(&random, odd: odd))
                    case 1: ("/s/\(list)/\(index)/deep/m", try number(&random, odd: odd))
                    default: ("/s/\(list)/\(index)/n", try number(&random, odd: odd))
                    }
                if replace(pointer, value) { places.append(place(pointer)) }
            }
            return places
        }
    }

    @Test("every state answers as it does without, whatever changed between them", arguments: seeds(0..<30))
    func equalsEvaluation(seed: UInt64) throws {
        for (place, text) in Self.queries.enumerated() {
            var random = RandomJSON(seed: seed * 1000 + UInt64(place))
            let odd = seed % 3 != 0
            let query = try Query(text)
            var old = JSONValue.null
            guard let memo = query.memo(fewest: 0) else { continue }
            var state = JSONValue.object([
                "s": .object([
                    "by": try table(&random, odd: odd), "list": try list(&random, odd: odd),
                    "other": try list(&random, odd: odd),
                ]), "t": 0,
            ])
            for round in 0..<60 {
                var context = QueryContext.start
                context.seq = round
                context.old = old
                // Now and then nobody asks.
                if !random.chance(15) {
                    let comment: Comment = "seed \(seed), round \(round), \(text) of \(state)"
                    let plain = Result { () throws(QueryError) in try query.first(of: state, context: context) }
                    let kept = Result { () throws(QueryError) in
                        try query.first(of: state, context: context, memo: memo)
                    }
                    #expect(description(plain) == description(kept), comment)
                    if let isTrue = query.isAnyTrue(of: state, context: context, memo: memo) {
                        var isAny = false
                        try query.evaluate(state, context: context) { output in
                            isAny = output.isTruthy
                            return !isAny
                        }
                        #expect(isAny == isTrue, comment)
                    }
                }
                if random.chance(80) {
                    old = state
                    memo.note(oldIsKnown: true)
                }
                memo.note(changed: try change(&state, &random, odd: odd))
            }
        }
    }

    private func description(_ result: Result<JSONValue?, QueryError>) -> String {
        switch result {
        case .success(let value): value.map { $0.text() } ?? "nothing"
        case .failure(let error): "\(error)"
        }
    }

    @Test(
        "something is kept of what is made of an array's elements one by one, and of nothing else",
        arguments: zip(queries, queries.indices))
    func found(text: String, index: Int) throws {
        // What reads a variable, edits, depends on the order, or sends a message.
        let unkept = [
            ".s.list | length", "[.s.list[].n] | max", ".s.list | map(.n) | sort", ".s.list as $l | $l | map(.n) | add",
            ".s.list |= map(.n) | .s.list | add", "[.s.list[].n, .s.other[].n] | add", ".s.list | map(.n)[0]",
            "reduce .s.list[].n as $n (0; . + $n)", "first(.s.list[].n)", "[.s.list[]?.n] | add",
            ".s.list | map(.n)? | add", "if .s.list | any(.n > 2) then 1 else 2 end",
            "try (.s.list | map(.n) | add) catch 0", "all(.t, .s; . != null)",
            "[$old.s.list[] | debug | .n] | add", "first(.s.by[] | .n)", "[limit(3; .s.by[].n)] | add",
            "label $l | .s.by[] | ., break $l", "[.s.by[].n]", "[.s.list[].n / .s.other[0].n] | add",
        ]
        #expect((try Query(text).memo() == nil) == unkept.contains(text))
    }

    @Test("a row of very many pipes is not looked at for long")
    func manyPipes() throws {
        let row = Array(repeating: ".", count: 900).joined(separator: " | ")
        #expect(try Query(".s.list | \(row) | map(.n) | add").memo() == nil)
        #expect(
            try Query(Array(repeating: "(.s.list | any(.n < 0))", count: 300).joined(separator: " or ")).memo() != nil)
    }

    @Test("an element that was replaced is looked at, and no other")
    func looksAtFew() throws {
        let query = try Query(".s.list | map(.n) | add")
        let memo = try #require(query.memo(fewest: 0))
        let count = 1000
        func state(_ first: Int) -> JSONValue {
            .object([
                "s": .object([
                    "list": .array((0..<count).map { .object(["n": .number(JSONNumber($0 == 0 ? first : 1))]) })
                ])
            ])
        }
        #expect(try query.first(of: state(1), context: .start, memo: memo) == .number(JSONNumber(count)))
        // Only what is said to be replaced: the rest is taken as it was.
        memo.note(changed: [place("/s/list/7/n")])
        #expect(try query.first(of: state(5), context: .start, memo: memo) == .number(JSONNumber(count)))
        memo.note(changed: [place("/s/list/0/n")])
        #expect(try query.first(of: state(5), context: .start, memo: memo) == .number(JSONNumber(count + 4)))
        memo.note(changed: nil)
        #expect(try query.first(of: state(9), context: .start, memo: memo) == .number(JSONNumber(count + 8)))
    }

    @Test("a sum of fractions is that of adding one after another, to the last bit", arguments: seeds(0..<20))
    func fractions(seed: UInt64) throws {
        var random = RandomJSON(seed: seed)
        /// Of one kind in a run, mostly: each has other sums that are half way, that cross a power of two or that vanish.
        let kind = random.below(6)
        func number() -> JSONValue {
            let sign = random.chance(30) ? -1.0 : 1.0
            let number =
                switch random.chance(95) ? kind : random.below(6) {
                case 0: Double(random.below(100_000)) / 100
                case 1: Double(random.below(16)) / 4 + 0.25
                case 2: Double(random.below(1 << 20)) + 4_503_599_627_370_496
                case 3: Double(random.below(1 << 20)) * 1e-200
                case 4: Double(random.below(3)) * 0.5 + 1.0 / 9_007_199_254_740_992
                default: random.chance(50) ? .leastNonzeroMagnitude : Double(random.below(7)) / 3
                }
            return .object(["n": .number(JSONNumber(sign * number))])
        }
        let query = try Query("[.list[].n] | add")
        let memo = try #require(query.memo())
        var list = (0..<(1500 + random.below(1500))).map { _ in number() }
        for round in 0..<60 {
            let state = JSONValue.object(["list": .array(list)])
            let (plain, kept) = try (
                query.first(of: state, context: .start), query.first(of: state, context: .start, memo: memo)
            )
            #expect(plain?.text() == kept?.text(), "seed \(seed), round \(round)")
            let index = random.below(list.count)
            switch random.below(4) {
            case 0:
                list.insert(number(), at: index)
                memo.note(changed: [place("/list/\(index)", .insertion)])
            case 1:
                list.remove(at: index)
                memo.note(changed: [place("/list/\(index)", .removal)])
            default:
                list[index] = number()
                memo.note(changed: [place("/list/\(index)")])
            }
        }
    }

    @Test("an element or a member that comes or goes is looked at, and no other")
    func looksAtComings() throws {
        let queries = try [Query("[.s.list[].n] | add"), Query("all(.s.by[].n, .s.list[].n; . < 9)")]
        let memos = try queries.map { try #require($0.memo(fewest: 0)) }
        func answers(_ list: [Int], _ by: [String: Int]) throws -> [String] {
            func element(_ n: Int) -> JSONValue { .object(["n": .number(JSONNumber(n))]) }
            var members = JSONObject()
            for (key, n) in by { members.insertAscending(element(n), forKey: key) }
            let state: JSONValue = .object(["s": .object(["by": .object(members), "list": .array(list.map(element))])])
            return try zip(queries, memos).map { query, memo in
                try query.first(of: state, context: .start, memo: memo)?.text() ?? ""
            }
        }
        func note(_ places: ChangedPlace...) { for memo in memos { memo.note(changed: places) } }
        #expect(try answers([1, 2], ["a": 3]) == ["3", "true"])
        // What is not said to have changed is taken as it was.
        note(place("/s/list/2", .insertion))
        #expect(try answers([1, 99, 4], ["a": 99]) == ["7", "true"])
        note(place("/s/by/b"))
        #expect(try answers([1, 99, 4], ["a": 99, "b": 12]) == ["7", "false"])
        note(place("/s/by/b"), place("/s/list/2", .removal))
        #expect(try answers([1, 99], ["a": 99]) == ["3", "true"])
        // One that comes or goes elsewhere moves the others.
        note(place("/s/list/0", .insertion), place("/s/by/a"))
        #expect(try answers([5, 99, 99], ["a": 3]) == ["8", "true"])
        note(place("/s/list/1", .removal), place("/s/list/1", .insertion))
        #expect(try answers([99, 7, 99], ["a": 99]) == ["14", "true"])
        note(place("/s/list"))
        #expect(try answers([99, 1, 2], ["a": 3]) == ["102", "false"])
    }

    @Test("where nothing was said since the last evaluation, nothing is taken for known")
    func unfollowed() throws {
        let query = try Query(".s.list | any(.n < 0)")
        let memo = try #require(query.memo(fewest: 0))
        func state(_ n: Int) -> JSONValue {
            .object(["s": .object(["list": .array([.object(["n": .number(JSONNumber(n))])])])])
        }
        for n in [1, -1, 2, -2] {
            #expect(try query.first(of: state(n), context: .start, memo: memo) == .bool(n < 0))
        }
        let stream = try Query(".s.list[] | .n < 0")
        let other = try #require(stream.memo(fewest: 0))
        for n in [1, -1, 2] {
            #expect(stream.isAnyTrue(of: state(n), context: .start, memo: other) == (n < 0))
        }
    }

    @Test("nothing is kept of a short array, until it is a long one")
    func shortArrays() throws {
        let query = try Query(".s.list | any(.n < 0)")
        let memo = try #require(query.memo(fewest: 3))
        for (count, isWanted) in [(2, false), (3, true), (4, true), (1, false)] {
            let list = JSONValue.array(Array(repeating: .object(["n": 1]), count: count))
            // It is looked again now and then.
            for _ in 0..<20 {
                let state = JSONValue.object(["s": .object(["list": list])])
                #expect(try query.first(of: state, context: .start, memo: memo) == false)
            }
            #expect(memo.wantsPlaces == isWanted)
        }
    }

    @Test("more places than are remembered are as if nothing were known")
    func manyPlaces() throws {
        let query = try Query(".s.list | any(.n < 0)")
        let memo = try #require(query.memo(fewest: 0))
        func state(_ last: Int) -> JSONValue {
            .object(["s": .object(["list": .array([.object(["n": 1]), .object(["n": .number(JSONNumber(last))])])])])
        }
        #expect(try query.first(of: state(1), context: .start, memo: memo) == false)
        memo.note(changed: [place("/s/list/1/n")])
        for _ in 0..<3000 { memo.note(changed: [place("/s/list/0/n")]) }
        #expect(try query.first(of: state(-1), context: .start, memo: memo) == true)
    }
}
