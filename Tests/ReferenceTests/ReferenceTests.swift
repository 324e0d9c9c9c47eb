import Foundation
import TestSupport
import Testing

/// Random journals and random command lines, each answer held against that of a plain interpreter.
///
/// `STATE_INSPECT_SEEDS` says how many journals of each kind are drawn, `STATE_INSPECT_REFERENCE_SEED` which is the first, and
/// `STATE_INSPECT_REFERENCE_SHOWN` how many differences of each kind of journal are told, made as small as can be.
/// `STATE_INSPECT_REFERENCE_WORLD` names one kind of journal where only that one is drawn, and
/// `STATE_INSPECT_REFERENCE_TRACE` names a file that has the last question, for what a trap or a hang leaves.
///
/// `STATE_INSPECT_BEFORE` names an executable of an earlier commit, to which the same journals, broken forms of them and many
/// command lines are put as well: output, messages, status and what is written have to be the same, byte for byte.
/// `MeantDifference` lists what is meant to differ.
@Suite("The command held against a plain interpreter", .serialized)
struct ReferenceTests {
    private static func setting(_ name: String, _ standard: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment["STATE_INSPECT_REFERENCE_" + name].flatMap { UInt64($0) } ?? standard
    }

    /// The kinds of journals that are drawn: all, but for one that the environment names.
    private static let worlds = ReferenceComparison.World.allCases.filter {
        ProcessInfo.processInfo.environment["STATE_INSPECT_REFERENCE_WORLD"].map($0.rawValue.hasPrefix) ?? true
    }

    @Test("answers are those of whole states", arguments: worlds)
    func answers(_ world: ReferenceComparison.World) {
        var comparison = ReferenceComparison(Question.Command.allCases, world)
        let first = Self.setting("SEED", 1)
        comparison.run(seeds(first..<first + 340), shown: Int(Self.setting("SHOWN", 3)))
        print("\(world): \(comparison.summary)")
        for difference in comparison.differences { Issue.record("\(difference)") }
        #expect(comparison.differing == 0)
    }

    @Test(
        "each leaf is blamed on who wrote it, at every position, alone, and without each of the last commits",
        arguments: worlds.filter { $0 != .damaged })
    func authors(_ world: ReferenceComparison.World) throws {
        let folder = TemporaryFolder()
        for seed in seeds(UInt64(1)..<40) {
            let journal = try #require(DrawnJournal(ReferenceComparison.draft(of: seed, world, commits: 40).0))
            let range = journal.whole.start...journal.whole.end
            func expectAuthors(at position: Int, _ change: (inout Question) -> Void) {
                var question = Question(command: .blame)
                question.positions = [.number(position)]
                change(&question)
                let pair = ReferenceCase(journal, question)
                if let difference = pair.difference(in: folder), KnownDifference.of(pair, difference) == nil {
                    Issue.record("\(world) journal of seed \(seed): \(difference.text)")
                }
            }
            for position in range {
                expectAuthors(at: position) { _ in }
                if position % 4 == 0 { expectAuthors(at: position) { $0.isReverse = true } }
            }
            let last = AuthoredValue(journal.whole.states[range.upperBound] ?? .null, 0)
            for leaf in last.leaves() where !leaf.path.isEmpty {
                expectAuthors(at: range.upperBound) { $0.path = PlainPattern(leaf.path.map { .key($0) }) }
            }
            // What one of the last commits replaced is still there at the end.
            for left in range.dropFirst().suffix(6) { expectAuthors(at: range.upperBound) { $0.ignore = [left] } }
        }
    }

    @Test(
        "answers are those of another program",
        .enabled(if: OtherProgram.ofRun != nil, "STATE_INSPECT_BEFORE names no program of an earlier commit"),
        arguments: worlds)
    func otherProgram(_ world: ReferenceComparison.World) throws {
        let comparison = ProgramComparison(
            world, try #require(OtherProgram.ofRun), shown: Int(Self.setting("SHOWN", 3)))
        let first = Self.setting("SEED", 1)
        try comparison.run(seeds(first..<first + 160))
        print("\(world): \(comparison.summary)")
        for difference in comparison.differences { Issue.record("\(difference)") }
    }

    @Test("answers that were wrong once are right", arguments: KeptCase.all)
    func keptCases(_ kept: KeptCase) throws {
        let pair = ReferenceCase(try #require(DrawnJournal(kept.draft)), kept.question, kept.rephrasing)
        if let difference = pair.difference(in: TemporaryFolder()), KnownDifference.of(pair, difference) == nil {
            Issue.record("\(difference.text)")
        }
    }
}

/// Draws journals and questions, and holds the command against the reference.
struct ReferenceComparison {
    /// What kind of journals are drawn.
    enum World: String, CaseIterable {
        /// As our recorder writes them.
        case own
        /// As others may: other operations, white space, escapes, members in any order.
        case foreign
        /// Commits were lost.
        case gaps
        /// The program stopped while it wrote.
        case torn
        /// Something happened to the file.
        case damaged
    }

    let commands: [Question.Command]
    let world: World
    /// How many questions are asked about each journal.
    static let questions = 10

    /// What was asked, by command.
    private var tallies: [Question.Command: Tally] = [:]

    private struct Tally {
        var asked = 0
        var open = 0
        var rephrased = 0
        var known = 0
    }

    /// The differences, as texts; of many only the first are told.
    private(set) var differences: [String] = []
    private(set) var differing = 0

    init(_ commands: [Question.Command], _ world: World) {
        self.commands = commands
        self.world = world
    }

    /// How many pairs were held against the interpreter, by command: all, those of which the contract leaves the answer open,
    /// those asked in another way too, those that differ as is known.
    var summary: String {
        Question.Command.allCases.compactMap { command in
            tallies[command].map { "\(command) \($0.asked) -\($0.open) +\($0.rephrased) ~\($0.known)" }
        }.joined(separator: ", ")
    }

    /// Holds pairs of the journal of each seed and a question against the reference.
    mutating func run(_ seeds: [UInt64], shown: Int) {
        let folder = TemporaryFolder()
        for seed in seeds {
            let (draft, number) = Self.draft(of: seed, world)
            guard let journal = DrawnJournal(draft) else {
                differing += 1
                differences.append("seed \(seed): the draft does not hold")
                continue
            }
            var maker = QuestionMaker(seed: number, journal.whole, isDamaged: world == .damaged)
            for _ in 0..<Self.questions {
                let question = maker.question(of: commands)
                compare(ReferenceCase(journal, question), seed, shown, folder)
                if let rephrasing = maker.rephrasing(of: question, journal) {
                    compare(ReferenceCase(journal, question, rephrasing), seed, shown, folder)
                }
            }
        }
    }

    /// The journal of a seed, and the number from which its questions are drawn.
    static func draft(of seed: UInt64, _ world: World, commits: Int? = nil) -> (Draft, number: UInt64) {
        let number = seed &* UInt64(World.allCases.count) &+ UInt64(World.allCases.firstIndex(of: world) ?? 0)
        var draft = DraftMaker.draft(
            seed: number, commits: commits ?? 4 + Int(seed % 30), isForeign: world == .foreign, gaps: world == .gaps)
        if world == .torn { draft.torn = 1 + Int(seed % 60) }
        if world == .damaged { draft.damages = [Damage(seed: number)] }
        return (draft, number)
    }

    private mutating func compare(_ pair: ReferenceCase, _ seed: UInt64, _ shown: Int, _ folder: TemporaryFolder) {
        Trace.note("\(world) seed \(seed) \(pair.question.arguments("J", output: "O"))")
        var tally = tallies[pair.question.command, default: Tally()]
        defer { tallies[pair.question.command] = tally }
        if pair.rephrasing == nil {
            tally.asked += 1
            if pair.isOpen { tally.open += 1 }
        } else {
            tally.rephrased += 1
        }
        guard let difference = pair.difference(in: folder) else { return }
        if KnownDifference.of(pair, difference) != nil {
            tally.known += 1
            return
        }
        differing += 1
        guard differences.count < shown else { return }
        let smallest = pair.shrunk(in: folder).difference(in: folder) ?? difference
        differences.append("\(world) journal of seed \(seed): \(smallest.text)")
    }
}

/// Says what is asked before it is asked, into a file that the environment names: what a trap or a hang leaves behind.
enum Trace {
    static let path = ProcessInfo.processInfo.environment["STATE_INSPECT_REFERENCE_TRACE"]

    static func note(_ text: String) {
        if let path { try? Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    }
}
