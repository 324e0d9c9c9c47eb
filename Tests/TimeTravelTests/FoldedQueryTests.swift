import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

/// Queries that make something of all elements of an array, over runs in which few elements change at a time.
@Suite("What is made of all elements of an array, along a run")
struct FoldedQueryTests {
    private static let queries = [
        ".shop.items | map(.n) | add > 130", ".shop.items | any(.n > 5 and .deep.m > 4)",
        "all(.shop.items[]; .n < 6 or .deep.m < 5)",
        ".shop.items | map(select(.n > 2)) | length > 24", ".shop.items[] | select(.n < 0 and .deep.m == 1)",
        "[.shop.items[].n] | add // 0 | . > 125",
        "(.shop.items | map(.n) | add) > (.shop.rest | map(.n) | add)", ".shop.items[] | .n > 5 and .deep.m == 2",
        "(.shop.items | map(.n) | add) != ($old.shop.items | map(.n) | add)",
        "$seq > 40 and (.shop.items | any(.n == 4 and .deep.m == 0))",
        ".other.items | map(.n) | add > 120", "[.[].items[].n] | add > 250",
        "all(.shop.by[]; .n < 6 or .deep.m < 5)", "[.shop.by[].n] | add > 130", "any(.shop.by[].deep[]; . == 4)",
        "$old.shop.by != .shop.by", "([$old.shop.by[].n] | add) > ([.shop.by[].n] | add)",
        "($old.shop.items | length) > (.shop.items | length)", "$old.shop.items[0].n != .shop.items[0].n",
        "$old.other.rest == .other.rest", "any($old.shop.items[]; .n > 6) and all(.shop.items[]; .n < 7)",
    ]

    /// A journal of two stores with lists, whose commits mostly replace members of elements.
    private struct ListRun {
        let folder = TemporaryFolder()
        let journal: Journal
        let range: PositionRange
        private(set) var states: [JSONValue] = []

        init(seed: UInt64, commits: Int = 200) throws {
            var random = RandomJSON(seed: seed)
            var lines: [String] = []
            var stores: JSONObject = ["other": Self.store(&random), "shop": Self.store(&random)]
            func open(_ store: String, _ seq: Int) {
                let state = (stores[store] ?? .null).text()
                lines.append(Lines.store(state, store, seq: seq))
            }
            for store in ["shop", "other"] { open(store, 0) }
            states.append(.object(stores))
            for seq in 1...commits {
                let store = random.chance(70) ? "shop" : "other"
                var state = stores[store] ?? .null
                let patch = JSONPatch(try (0...random.below(2)).map { _ in try Self.operation(on: &state, &random) })
                stores[store] = state
                lines.append(Lines.commit(seq, String(patch.json.text().dropFirst().dropLast()), store))
                if random.chance(4) {
                    // A store that closes and opens anew after a commit.
                    lines.append(#"{"seq":\#(seq),"kind":"close","store":"other",\#(Lines.time)}"#)
                    stores["other"] = Self.store(&random)
                    open("other", seq)
                } else if seq % 15 == 0 {
                    lines.append(#"{"seq":\#(seq),"kind":"keyframe","states":\#(JSONValue.object(stores).text())}"#)
                }
                states.append(.object(stores))
            }
            journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
            range = try journal.range(RangeText())
        }

        private static func element(_ random: inout RandomJSON) -> JSONValue {
            let number = random.chance(10) ? JSONNumber(0.1) : JSONNumber(random.below(8) - 1)
            return .object(["deep": .object(["m": .number(JSONNumber(random.below(6)))]), "n": .number(number)])
        }

        private static func list(_ random: inout RandomJSON) -> JSONValue {
            // Some are too short for anything to be kept of them.
            .array((0..<(QueryMemo.fewestElements - 6 + random.below(24))).map { _ in element(&random) })
        }

        private static func store(_ random: inout RandomJSON) -> JSONValue {
            .object(["by": table(&random), "items": list(&random), "rest": list(&random)])
        }

        private static func table(_ random: inout RandomJSON) -> JSONValue {
            var members = JSONObject()
            for _ in 0..<(QueryMemo.fewestElements - 6 + random.below(24)) {
                members.insertAscending(element(&random), forKey: "k\(random.below(90))")
            }
            return .object(members)
        }

        private static func memberChange(
            of state: JSONValue, _ random: inout RandomJSON
        ) throws -> JSONPatch.Operation? {
            func pointer(_ text: String) throws -> JSONPointer { try JSONPointer(parsing: "/by\(text)") }
            guard let members = state.member("by")?.object, !members.isEmpty else {
                return .replace(try pointer(""), table(&random), old: nil)
            }
            let names = Array(members.keys)
            let name = names[random.below(names.count)]
            switch random.below(16) {
            case 0: return .add(try pointer("/k\(random.below(90))"), element(&random))
            case 1: return .remove(try pointer("/\(name)"), old: nil)
            case 2: return .replace(try pointer("/\(name)"), element(&random), old: nil)
            case 3: return .move(from: try pointer("/\(name)"), to: try pointer("/m\(random.below(90))"))
            case 4 where random.chance(30): return .replace(try pointer(""), table(&random), old: nil)
            case 5 where random.chance(30): return .replace(try pointer(""), list(&random), old: nil)
            case 6 where random.chance(30):
                let odd = JSONValue.object(["deep": .object(["m": 4]), "n": .null])
                return .replace(try pointer("/\(name)"), odd, old: nil)
            default: return .replace(try pointer("/\(name)/n"), .number(JSONNumber(random.below(8) - 1)), old: nil)
            }
        }

        private static func operation(
            on state: inout JSONValue, _ random: inout RandomJSON
        ) throws -> JSONPatch.Operation {
            if random.chance(35), let change = try memberChange(of: state, &random) {
                try JSONPatch([change]).apply(to: &state, order: .ascending)
                return change
            }
            let list = random.chance(70) ? "items" : "rest"
            let count = state.member(list)?.array?.count ?? 0
            let index = random.below(max(1, count))
            func pointer(_ text: String) throws -> JSONPointer { try JSONPointer(parsing: "/\(list)\(text)") }
            let operation: JSONPatch.Operation =
                switch random.below(14) {
                case 12 where count > 0:
                    .move(from: try pointer("/\(index)"), to: try pointer("/\(random.below(count))"))
                case 13: .add(try pointer("/0"), element(&random))
                case 0: .add(try pointer("/\(random.below(count + 1))"), element(&random))
                case 1 where count > 1: .remove(try pointer("/\(index)"), old: nil)
                case 2 where count > 0: .replace(try pointer("/\(index)"), element(&random), old: nil)
                case 3: .replace(try pointer(""), Self.list(&random), old: nil)
                case 4 where count > 1: .move(from: try pointer("/0"), to: try pointer("/\(count - 1)"))
                case 5 where count > 0: .replace(try pointer("/\(index)/deep"), .object(["m": 5]), old: nil)
                case _ where count > 0:
                    .replace(try pointer("/\(index)/n"), .number(JSONNumber(random.below(8) - 1)), old: nil)
                default: .add(try pointer("/0"), element(&random))
                }
            try JSONPatch([operation]).apply(to: &state)
            return operation
        }
    }

    /// What each whole state is, asked by itself.
    private func verdicts(_ run: ListRun, _ condition: Condition) -> [Bool?] {
        run.states.indices.map { position in
            var context = QueryContext.start
            context.seq = position
            context.old = position > 0 ? run.states[position - 1] : .null
            return condition.verdict(on: run.states[position], context: context).isBad
        }
    }

    @Test("turns where asking every whole state says, in one pass and in parts", arguments: seeds(0..<16))
    func conditions(seed: UInt64) throws {
        let run = try ListRun(seed: seed)
        for text in Self.queries {
            for condition in [Condition(bad: try Query(text)), Condition(good: try Query(text))] {
                let verdicts = verdicts(run, condition)
                for (threads, length) in [(1, Int.max), (2, 3 << 10)] {
                    var options = BisectOptions()
                    options.threads = threads
                    options.partLength = length
                    let answer = try BisectAnswer(run.journal, run.range, condition, options: options)
                    let comment: Comment = "seed \(seed), \(threads) threads, \(condition.sense) \(text)"
                    // At the start `$old` is null, and its list none.
                    let known = verdicts.compactMap(\.self)
                    #expect(answer.flips == zip(known, known.dropFirst()).count { $0 != $1 }, comment)
                    #expect(answer.isBadAtStart == verdicts.first ?? nil, comment)
                    #expect(answer.isBadAtEnd == verdicts.last ?? nil, comment)
                }
            }
        }
    }

    @Test("fires as derived value where whole states differ", arguments: seeds(0..<16))
    func derived(seed: UInt64) throws {
        let run = try ListRun(seed: seed)
        let values = try Self.queries.filter { !$0.contains("$") }.map {
            DerivedValue(name: $0, query: try Query($0), inputs: try Query($0).footprint.paths)
        }
        var told: [String] = []
        let firings = try DerivedFirings(run.journal, run.range, values: values, everyCommit: true)
        while let position = try firings.next() {
            for firing in position {
                let outcome = firing.outcome == .untouched ? .unchanged : firing.outcome
                told.append("\(firing.seq.rawValue) \(firing.name) \(outcome) \(firing.value?.text() ?? "-")")
            }
        }
        var expected: [String] = []
        for position in run.states.indices.dropFirst() {
            for value in values {
                guard case .query(let query) = value.formula else { continue }
                let (before, after) = (run.states[position - 1], run.states[position])
                let old = ((try? query.first(of: before)) ?? nil) ?? .null
                let new = ((try? query.first(of: after)) ?? nil) ?? .null
                let isRead = !after.equals(before, reading: query.footprint.paths.pruningNode)
                let outcome: DerivedFiring.Outcome = old != new ? .fired : isRead ? .same : .unchanged
                expected.append("\(position) \(value.name) \(outcome) \(new.text())")
            }
        }
        #expect(told == expected, "seed \(seed)")
    }

    @Test("has the history that whole states have", arguments: seeds(0..<8))
    func history(seed: UInt64) throws {
        let run = try ListRun(seed: seed)
        for text in Self.queries where !text.contains("$") {
            let query = try Query(text)
            let values = try run.states.map { try query.first(of: $0) }
            let expected = run.states.indices.dropFirst().filter { values[$0] != values[$0 - 1] }
            var told: [Int] = []
            let history = try History(.query(query), run.range, in: run.journal)
            while let changes = try history.next() {
                for change in changes {
                    told.append(change.position.rawValue)
                    #expect(change.value == values[change.position.rawValue], "seed \(seed), \(text)")
                }
            }
            #expect(told == expected, "seed \(seed), \(text)")
        }
    }

    @Test("is replayed with the value that each whole state gives", arguments: seeds(0..<8))
    func replayed(seed: UInt64) throws {
        let run = try ListRun(seed: seed)
        for text in Self.queries where !text.contains("$") {
            let query = try Query(text)
            for onlyChanges in [false, true] {
                var question = ReplayQuestion(query)
                question.onlyChanges = onlyChanges
                let replay = try ForwardReplay(run.journal, run.range, question)
                var found: [String] = []
                while let line = try replay.next() { found.append("\(line.position) \(line.value.text())") }
                var expected: [String] = []
                var last = try query.first(of: run.states[0])
                for position in run.states.indices.dropFirst() {
                    guard let value = try query.first(of: run.states[position]), !onlyChanges || value != last else {
                        continue
                    }
                    last = value
                    expected.append("\(position) \(value.text())")
                }
                #expect(found == expected, "seed \(seed), only changes: \(onlyChanges), \(text)")
            }
        }
    }

    @Test("stops a scan where whole states say that it should", arguments: seeds(0..<8))
    func stops(seed: UInt64) throws {
        let run = try ListRun(seed: seed)
        let queries = try Self.queries.filter { !$0.contains("$") }.map { try Query($0) }
        let judge = StopJudge(
            queries.map { StopJudge.Item(question: .holds($0), condition: nil) }
                + queries.map { StopJudge.Item(question: .changed(.query($0)), condition: nil) })
        let window = try RunStates(run.journal).window(run.range, judge, isInterrupted: { false })
        let found = window.hits.map { "\($0.position) \($0.hits.map(\.question))" }
        var expected: [String] = []
        for position in run.states.indices.dropFirst() {
            let (before, after) = (run.states[position - 1], run.states[position])
            let held = queries.indices.filter {
                Condition(bad: queries[$0]).verdict(on: after, context: .start).isBad == true
            }
            let changed = try queries.indices.filter {
                try queries[$0].first(of: before) != queries[$0].first(of: after)
            }
            let hits = held + changed.map { $0 + queries.count }
            if !hits.isEmpty { expected.append("\(position) \(hits)") }
        }
        #expect(found == expected, "seed \(seed)")
    }

    @Test("is watched as it is checked", arguments: seeds(0..<8))
    func watched(seed: UInt64) throws {
        let run = try ListRun(seed: seed)
        let texts = Self.queries.filter { !$0.contains("$") }
        let invariants = try texts.map { Invariant(name: $0, query: try Query("(\($0)) | not")) }
        let journal = try Journal.open(run.folder.path("run.jsonl"), access: .sequential)
        var watch = try InvariantWatch(journal, invariants, recover: false)
        func text(_ event: InvariantWatch.Event) -> String {
            "\(event.position.rawValue) \(invariants[event.index].name)"
        }
        var told = try watch.begin().map(text)
        while let events = try watch.next() { told += events.map(text) }
        var expected: [String] = []
        var last = invariants.map { _ in false }
        for (position, state) in run.states.enumerated() {
            for (index, invariant) in invariants.enumerated() {
                let isBad = Condition(good: invariant.query).verdict(on: state, context: .start).isBad ?? false
                if isBad, !last[index] { expected.append("\(position) \(invariant.name)") }
                last[index] = isBad
            }
        }
        #expect(told == expected, "seed \(seed)")
    }
}
