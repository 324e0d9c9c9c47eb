import JSONCore
import JournalFormat
import QueryLanguage
import TestSupport
import TimeTravel

/// A random journal on disk with the state that each of its positions must have.
struct RandomRun {
    let folder = TemporaryFolder()
    let journal: Journal
    let states: [Int: JSONValue]
    let range: PositionRange

    /// A run; a foreign one has patches as other writers make them, and fewer keyframes.
    init(seed: UInt64, commits: Int = 60, gaps: Bool = true, foreign: Bool = false) throws {
        var maker = JournalMaker(seed: seed, foreign: foreign)
        maker.run(commits: commits, keyframeEvery: foreign ? 25 : 9, gaps: gaps)
        maker.end()
        journal = try Journal.open(folder.write(maker.bytes, to: "run.jsonl"), access: .random)
        states = maker.states
        range = try journal.range(RangeText())
    }

    /// The positions that have a state, ascending: all but those inside gaps.
    var positions: [Int] { states.keys.sorted() }
}

/// Queries that read little, much, and what mostly is not there.
let sampleQueries = [
    ".cart.a", ".cart.a == null", ".user | length > 2", ".feed[0]? // false", ".cart.b.a != .user.b",
    ".[\"a b\"] == null",
    "[.. | numbers] | add // 0 | . > 3", ".cart | type == \"array\"", ".[\"é\"].a", "keys | length > 2", ".cart[]?",
    ".user.a + 1 > 0",
]
