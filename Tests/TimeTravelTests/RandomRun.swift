import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing
import TimeTravel

/// A random journal on disk with the state that each of its positions must have.
struct RandomRun {
    let folder = TemporaryFolder()
    let journal: Journal
    let states: [Int: JSONValue]
    let range: PositionRange

    /// A run; a foreign one has patches as other writers make them, and fewer keyframes.
    init(seed: UInt64, commits: Int = 60, gaps: Bool = true, foreign: Bool = false) throws {
        let maker = JournalMaker(
            seed: seed, foreign: foreign, commits: commits, keyframeEvery: foreign ? 25 : 9, gaps: gaps)
        journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        states = maker.states
        range = try journal.range(RangeText())
    }

    /// A run one of whose commits is damaged: what follows has no state up to the next keyframe or gap.
    init(damagedWith seed: UInt64) throws {
        var maker = JournalMaker(seed: seed, commits: 60, gaps: seed % 3 == 0)
        var lines = String(decoding: maker.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        func number(_ line: String) -> Int { Int(line.dropFirst(7).prefix { $0.isNumber }) ?? 0 }
        func isKind(_ line: String, _ kinds: String...) -> Bool {
            kinds.contains { line.contains("\"kind\":\"\($0)\"") && !line.hasPrefix("{\"seq\":0,") }
        }
        let commits = lines.indices.filter { isKind(lines[$0], "commit") }.dropLast()
        let damaged = try #require(commits.randomElement(using: &maker.random))
        let first = number(lines[damaged])
        let resumed = lines[damaged...].first { isKind($0, "keyframe", "gap") }.map(number) ?? maker.seq + 1
        lines[damaged] = lines[damaged].replacing("\"seq\"", with: "\"sqe\"", maxReplacements: 1)
        let bytes = Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
        journal = try Journal.open(folder.write(bytes, to: "run.jsonl"), access: .random)
        states = maker.states.filter { $0.key < first || $0.key >= resumed }
        range = try journal.range(RangeText())
    }

    /// How many positions have no state.
    var lost: Int { range.count + 1 - states.count }

    /// The positions that have a state, ascending: all but those inside gaps and damage.
    var positions: [Int] { states.keys.sorted() }
}

/// Queries that read little, much, and what mostly is not there.
let sampleQueries = [
    ".cart.a", ".cart.a == null", ".user | length > 2", ".feed[0]? // false", ".cart.b.a != .user.b",
    ".[\"a b\"] == null",
    "[.. | numbers] | add // 0 | . > 3", ".cart | type == \"array\"", ".[\"é\"].a", "keys | length > 2", ".cart[]?",
    ".user.a + 1 > 0",
]

/// A run of one store `s`: its states, one after another.
struct StatesRun {
    let journal: Journal
    private let folder = TemporaryFolder()

    init(_ states: [String], functions: [String] = ["f()"]) throws {
        let commits = states.dropFirst().enumerated().map { index, state in
            Lines.commit(index + 1, Lines.replace("", state))
                .replacing(#""function":"f()""#, with: #""function":"\#(functions[index % functions.count])""#)
        }
        folder.write(Lines.journal([Lines.store(states[0])] + commits), to: "run.jsonl")
        journal = try Journal.open(folder.path + "/run.jsonl", access: .random)
    }
}

/// What the answer must be, told from the verdicts on whole states at all positions.
struct ExpectedFlips {
    var firstBad: Int?
    var lastGood: Int?
    var lastFlip: Int?
    var flips = 0
    var badAtStart: Bool?
    var badAtEnd: Bool?

    init(_ run: RandomRun, _ condition: Condition) {
        var known: Bool?
        var unjudged: Int?
        // Positions inside a gap have no state: the one before a position is the one before in the run.
        let before = Dictionary(uniqueKeysWithValues: zip(run.positions.dropFirst(), run.positions))
        for position in run.positions {
            let verdict = condition.verdict(on: run.states[position] ?? .null, context: .start).isBad
            if position == run.range.lower.rawValue { badAtStart = verdict }
            badAtEnd = verdict
            guard let verdict else {
                unjudged = unjudged ?? position
                continue
            }
            if let known, known != verdict {
                flips += 1
                lastFlip = verdict ? position : nil
                if verdict, firstBad == nil {
                    firstBad = position
                    lastGood = unjudged.map { before[$0] ?? 0 } ?? before[position]
                }
            }
            known = verdict
            unjudged = nil
        }
    }
}

/// The same run over copies of whole states.
struct PlainRun {
    private typealias Record = (seq: Int, kind: RecordKind, object: JSONObject)

    private var records: [Record] = []
    private let start: JSONObject
    private let first: Int

    init(_ run: RandomRun) throws {
        guard case .object(let start)? = run.states[0] else { throw Missing() }
        self.start = start
        first = run.range.lower.rawValue
        var reader = run.journal.records(recover: true)
        while let line = try reader.next() {
            // A keyframe says what is there anyway, but for one after damage, which is as a gap.
            if line.kind == .keyframe, !line.resumed { continue }
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

    /// The states at the positions that a run without some commits has, and the commits that are left out of it with them.
    func states(without: Set<Int>) -> (states: [Int: JSONValue], leftOut: Set<Int>) {
        var (stores, closing) = (start, [String]())
        var states: [Int: JSONValue] = [first: .object(start)]
        var leftOut = without
        for (place, record) in records.enumerated() {
            if record.kind != .commit {
                PlainRun.take(record, &stores, &closing)
                if PlainRun.isJump(record) { states[record.seq] = .object(complete(stores, after: place)) }
                continue
            }
            if without.contains(record.seq) { continue }
            var next = stores
            for store in closing { next.removeValue(forKey: store) }
            guard let name = record.object["store"]?.string, var state = next[name],
                (try? JSONPatch(json: record.object["patch"] ?? .null).apply(to: &state, order: .ascending)) != nil
            else {
                leftOut.insert(record.seq)
                continue
            }
            next[name] = state
            (stores, closing) = (next, [])
            states[record.seq] = .object(complete(next, after: place))
        }
        return (states, leftOut)
    }

    /// A state with what else changes it at the position of a record.
    private func complete(_ stores: JSONObject, after place: Int) -> JSONObject {
        var (stores, closing) = (stores, [String]())
        for follower in records[(place + 1)...] {
            if follower.kind == .commit || PlainRun.isJump(follower) { break }
            PlainRun.take(follower, &stores, &closing)
        }
        return stores
    }

    private static func isJump(_ record: Record) -> Bool { record.kind == .gap || record.kind == .keyframe }

    /// Whether a number alone decides, which it does where the choice does not look at states.
    private func isLeftOutByNumber(_ seq: Int, _ keeps: (Int, JSONValue) -> Bool) -> Bool {
        !keeps(seq, .null) && !keeps(seq, .object(JSONObject()))
    }

    private static func take(_ record: Record, _ stores: inout JSONObject, _ closing: inout [String]) {
        switch record.kind {
        case .store:
            guard let name = record.object["store"]?.string else { return }
            closing.removeAll { UTF8Order.equal($0, name) }
            stores.insertAscending(record.object["state"] ?? .null, forKey: name)
        case .close: closing.append(record.object["store"]?.string ?? "")
        case .gap, .keyframe:
            if case .object(let states)? = record.object["states"] { stores = states.ascending() }
            closing = []
        default: break
        }
    }
}
