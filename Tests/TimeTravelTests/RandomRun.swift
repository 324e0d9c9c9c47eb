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
