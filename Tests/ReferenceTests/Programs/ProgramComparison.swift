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

    private struct Found {
        var asked = 0
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
            let kinds = found.kinds.sorted { $0.key < $1.key }.map { "\n  \($0.value) times \($0.key)" }.joined()
            return
                "\(found.asked) command lines, \(found.meant) differ as is meant, \(found.kinds.count) kinds differ\(kinds)"
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
        let (folder, program) = (TemporaryFolder(), program.copy)
        let (draft, number) = ReferenceComparison.draft(of: seed, world)
        guard let journal = DrawnJournal(draft) else { return }
        var random = SeededGenerator(seed: number &* 0x2545_F491)
        var maker = QuestionMaker(seed: number, journal.whole, isDamaged: world == .damaged)
        var lines = CommandLines(seed: number, journal.whole)
        // What these two are put to is made by a command before; 'CommandLines' has them with other files.
        let commands = Question.Command.allCases.filter { $0 != .merge && $0 != .runs }
        let drawn = (0..<ReferenceComparison.questions).map { _ in
            maker.question(of: commands).arguments(
                CommandLines.File.journal.rawValue, output: CommandLines.File.output.rawValue)
        }
        for words in drawn + lines.all() {
            try compare(Trial(draft: draft, blemishes: [], words: words), seed, program, folder)
        }
        for _ in 0..<Self.forms {
            var draft = draft
            // A sum lets no change pass, so most of the broken journals have none.
            draft.style.sums = draft.style.sums && Int.random(in: 0..<4, using: &random) == 0
            if Int.random(in: 0..<3, using: &random) == 0 { draft.style.spaced.toggle() }
            if Int.random(in: 0..<3, using: &random) == 0 { draft.style.shuffled.toggle() }
            if Int.random(in: 0..<3, using: &random) == 0 { draft.style.escaped.toggle() }
            let blemishes = (0..<Int.random(in: 0...2, using: &random)).map { _ in Blemish(&random) }
            for words in lines.some(Self.lines) {
                try compare(Trial(draft: draft, blemishes: blemishes, words: words), seed, program, folder)
            }
        }
    }

    private func compare(_ trial: Trial, _ seed: UInt64, _ program: OtherProgram, _ folder: TemporaryFolder) throws {
        Trace.note("\(world) seed \(seed) \(trial.words) \(trial.blemishes)")
        let difference = try trial.difference(program, in: folder)
        found.withLock { $0.asked += 1 }
        guard let difference else { return }
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
            --- journal \(smallest.blemishes)
            \(Trial.shown(smallest.text ?? []))
            """
        found.withLock { $0.texts.append(text) }
    }
}
