import JSONCore
import JournalFormat
import TestSupport
import Testing
import TimeTravel

@Suite("A run as it would have been")
struct WhatIfTests {
    /// One line a told event: the number and the state, or the number of what was left out.
    private func events(
        _ run: RandomRun, from lower: Int, _ choice: WhatIf.Choice
    ) throws -> [String] {
        let range = try #require(PositionRange(CommitNumber(lower), run.range.upper))
        var lines: [String] = []
        var whatIf = try WhatIf(run.journal, range, choice)
        while let event = try whatIf.next() {
            switch event {
            case .position(let record): lines.append("\(record.seq) \(whatIf.state.value.text())")
            case .conflict(let conflict):
                if case .leftOut = conflict.effect { lines.append("\(conflict.record.seq) conflict") }
            }
        }
        return lines
    }

    @Test(
        "without leaving anything out it has the state of each position, from wherever it begins",
        arguments: 0..<30 as Range<UInt64>, [false, true])
    func nothingLeftOut(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        let commits = try PlainRun(run).commits
        for lower in run.positions where lower % 5 == 0 {
            let expected = commits.filter { $0 > lower }.map { "\($0) \(run.states[$0]?.text() ?? "")" }
            #expect(try events(run, from: lower, WhatIf.Choice()) == expected, "seed \(seed) from \(lower)")
        }
    }

    @Test(
        "leaving commits out is replaying the others over whole states", arguments: 0..<40 as Range<UInt64>,
        [false, true])
    func without(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        let numbers = run.positions.filter { $0 > 0 && $0 % 5 == Int(seed) % 5 }
        let list = try CommitList(parsing: numbers.map { String($0) }.joined(separator: ","))
        let expected = try PlainRun(run).lines { number, _ in !numbers.contains(number) }
        #expect(try events(run, from: 0, WhatIf.Choice(without: list)) == expected, "seed \(seed)")
    }

    @Test(
        "a commit stays only where the state at its position is so", arguments: 0..<40 as Range<UInt64>, [false, true])
    func only(seed: UInt64, foreign: Bool) throws {
        let run = try RandomRun(seed: seed, foreign: foreign)
        func keeps(_ state: JSONValue) -> Bool { state.text().utf8.count % 3 != 0 }
        let expected = try PlainRun(run).lines { _, state in keeps(state) }
        let choice = WhatIf.Choice { (_, state, _) throws(JournalError) in keeps(state) }
        #expect(try events(run, from: 0, choice) == expected, "seed \(seed)")
    }
}

/// The same run over copies of whole states.
private struct PlainRun {
    private var records: [(seq: Int, kind: RecordKind, object: JSONObject)] = []
    private let start: JSONObject

    init(_ run: RandomRun) throws {
        guard case .object(let start)? = run.states[0] else { throw Missing() }
        self.start = start
        var reader = run.journal.records()
        while let line = try reader.next() {
            records.append((line.seq.rawValue, line.kind, try line.object(order: .ascending)))
        }
    }

    private struct Missing: Error {}

    var commits: [Int] { records.filter { $0.kind == .commit }.map(\.seq) }

    /// The lines of what stays.
    func lines(_ keeps: (Int, JSONValue) -> Bool) throws -> [String] {
        var (stores, closing) = (start, [String]())
        var lines: [String] = []
        for (place, record) in records.enumerated() {
            if record.kind != .commit {
                PlainRun.take(record, &stores, &closing)
                continue
            }
            // The position is complete with what follows up to the next one.
            var (next, nextClosing) = (stores, [String]())
            for store in closing { next.removeValue(forKey: store) }
            guard let name = record.object["store"]?.string, var state = next[name],
                (try? JSONPatch(json: record.object["patch"] ?? .null).apply(to: &state, order: .ascending)) != nil
            else {
                if !isLeftOutByNumber(record.seq, keeps) { lines.append("\(record.seq) conflict") }
                continue
            }
            next[name] = state
            for follower in records[(place + 1)...].prefix(while: { $0.kind != .commit && $0.kind != .gap }) {
                PlainRun.take(follower, &next, &nextClosing)
            }
            guard keeps(record.seq, .object(next)) else { continue }
            lines.append("\(record.seq) \(JSONValue.object(next).text())")
            for store in closing { stores.removeValue(forKey: store) }
            closing = []
            stores[name] = state
        }
        return lines
    }

    /// Whether a number alone decides, which it does where the choice does not look at states.
    private func isLeftOutByNumber(_ seq: Int, _ keeps: (Int, JSONValue) -> Bool) -> Bool {
        !keeps(seq, .null) && !keeps(seq, .object(JSONObject()))
    }

    private static func take(
        _ record: (seq: Int, kind: RecordKind, object: JSONObject), _ stores: inout JSONObject,
        _ closing: inout [String]
    ) {
        switch record.kind {
        case .store:
            guard let name = record.object["store"]?.string else { return }
            closing.removeAll { UTF8Order.equal($0, name) }
            stores.insertAscending(record.object["state"] ?? .null, forKey: name)
        case .close: closing.append(record.object["store"]?.string ?? "")
        case .gap:
            if case .object(let states)? = record.object["states"] { stores = states.ascending() }
            closing = []
        default: break
        }
    }
}
