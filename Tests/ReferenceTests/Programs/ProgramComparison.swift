import Foundation
import Synchronization
import TestSupport

/// Draws journals and command lines, and holds the answers of this program against those of another.
final class ProgramComparison: Sendable {
    private let world: ReferenceComparison.World
    private let program: OtherProgram
    /// How many kinds of differences are made small and shown.
    private let shown: Int
    private let found = Mutex(Found())

    /// How many broken forms each journal is put in, and how many command lines are put to each of them.
    private static let forms = 8
    private static let lines = 9
    /// Every so many seeds have a journal of so many commits too: readers take more than a block of bytes in parts.
    private static let (longEvery, longCommits) = (8 as UInt64, 1_500)

    private struct Found {
        /// How many command lines ended with each status.
        var asked: [Int32: Int] = [:]
        var meant = 0
        /// How often each kind of difference was met, and the first of it.
        var kinds: [String: Int] = [:]
        var texts: [String] = []
        var failure: (any Error)?
    }

    init(_ world: ReferenceComparison.World, _ program: OtherProgram, shown: Int) {
        (self.world, self.program, self.shown) = (world, program, shown)
    }

    /// The differences, made small.
    var differences: [String] { found.withLock { $0.texts } }
    var summary: String {
        found.withLock { found in
            let statuses = found.asked.sorted { $0.key < $1.key }.map { "\($0.value) of status \($0.key)" }
            let kinds = found.kinds.sorted { $0.key < $1.key }.map { "\n  \($0.value) times \($0.key)" }
            return """
                \(found.asked.values.reduce(0, +)) command lines, \(statuses.joined(separator: ", ")); \(found.meant) differ as is \
                meant, \(found.kinds.count) kinds differ\(kinds.joined())
                """
        }
    }

    /// Puts the journals of all seeds to both programs, on every processor: most of the time goes to starting processes.
    func run(_ seeds: [UInt64]) throws {
        DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
            do { try run(seeds[index]) } catch { found.withLock { $0.failure = error } }
        }
        if let failure = found.withLock({ $0.failure }) { throw failure }
    }

    private func run(_ seed: UInt64) throws {
        let (draft, number) = ReferenceComparison.draft(of: seed, world)
        try put(draft, number, seed, forms: Self.forms, lines: Self.lines) { maker, lines in
            // What these two are put to is made by a command before; 'CommandLines' has them with other files.
            let commands = Question.Command.allCases.filter { $0 != .merge && $0 != .runs }
            let drawn = (0..<ReferenceComparison.questions).map { _ in
                maker.question(of: commands).arguments(
                    CommandLines.File.journal.rawValue, output: CommandLines.File.output.rawValue)
            }
            return drawn + lines.all()
        }
        guard seed % Self.longEvery == 0 else { return }
        let (long, _) = ReferenceComparison.draft(of: seed, world, commits: Self.longCommits)
        try put(long, number, seed, forms: 3, lines: Self.lines) { _, lines in lines.some(3 * Self.lines) }
    }

    /// Puts a journal to both programs, as it is and in broken forms.
    private func put(
        _ draft: Draft, _ number: UInt64, _ seed: UInt64, forms: Int, lines count: Int,
        _ words: (inout QuestionMaker, inout CommandLines) -> [[String]]
    ) throws {
        let (folder, program) = (TemporaryFolder(), program.copy)
        guard let journal = DrawnJournal(draft), let written = BrokenJournal(draft, []) else { return }
        var random = SeededGenerator(seed: number &* 0x2545_F491)
        var maker = QuestionMaker(seed: number, journal.whole, isDamaged: world == .damaged)
        var lines = CommandLines(seed: number, journal.whole)
        for words in words(&maker, &lines) {
            try compare(Trial(journal: written, words: words), seed, program, folder)
        }
        for _ in 0..<forms {
            var draft = draft
            // A sum lets no change pass, so most of the broken journals have none.
            draft.style.sums = draft.style.sums && Int.random(in: 0..<4, using: &random) == 0
            if Int.random(in: 0..<3, using: &random) == 0 { draft.style.spaced.toggle() }
            if Int.random(in: 0..<3, using: &random) == 0 { draft.style.shuffled.toggle() }
            if Int.random(in: 0..<3, using: &random) == 0 { draft.style.escaped.toggle() }
            let blemishes = (0..<Int.random(in: 0...2, using: &random)).map { _ in Blemish(&random) }
            guard let broken = BrokenJournal(draft, blemishes) else { continue }
            for words in lines.some(count) {
                try compare(Trial(journal: broken, words: words), seed, program, folder)
            }
        }
    }

    private func compare(_ trial: Trial, _ seed: UInt64, _ program: OtherProgram, _ folder: TemporaryFolder) throws {
        Trace.note("\(world) seed \(seed) \(trial.words) \(trial.journal.blemishes)")
        let answers = try trial.answers(program, in: folder)
        found.withLock { $0.asked[answers.expected.run.status, default: 0] += 1 }
        guard let difference = trial.difference(answers) else { return }
        if MeantDifference.of(trial, difference) != nil { return found.withLock { $0.meant += 1 } }
        let isShown = found.withLock { found in
            found.kinds[difference.kind, default: 0] += 1
            return found.kinds[difference.kind] == 1 && found.kinds.count <= shown
        }
        guard isShown else { return }
        let smallest = try trial.shrunk(difference, program, in: folder)
        let last = try smallest.difference(program, in: folder) ?? difference
        let text = """
            \(world) journal of seed \(seed): another \(last.place)
            --- state-inspect \(trial.words.map { "'\($0)'" }.joined(separator: " "))
            --- the other program
            \(last.expected)
            --- this program
            \(last.got)
            --- journal \(smallest.journal.blemishes)
            \(Trial.shown(smallest.journal.text))
            """
        found.withLock { $0.texts.append(text) }
    }
}

/// What is meant to be answered in another way than by the other program; an entry goes when that program is built anew.
struct MeantDifference: Sendable {
    let reason: String
    let matches: @Sendable (Trial, Trial.Difference) -> Bool

    static let all = [
        MeantDifference(
            reason: """
                A line is taken apart strictly as soon as anything of it is read, in any form. Before, a damaged one of another form was \
                followed by its brackets: other things of it were counted, and the damage was met later, at its front, or never.
                """
        ) { trial, difference in !trial.journal.isJSON && !difference.isGreener }
    ]

    /// The difference that is meant, nil where it is a fault.
    static func of(_ trial: Trial, _ difference: Trial.Difference) -> MeantDifference? {
        all.first { $0.matches(trial, difference) }
    }
}
