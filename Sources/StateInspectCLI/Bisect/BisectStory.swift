import Diagnostics

/// The answer of a bisection, told to a person: what, where, before and after, what followed, how to look further.
struct BisectStory {
    /// Everything that the story is told from.
    struct Facts {
        /// The journal, as it was typed.
        var journal: String
        /// What `--store` was given.
        var scope = StoreScope(store: nil)
        /// What was asked about: the positions from the good end to the bad end.
        var from: Int
        var to: Int
        /// The last commit of the journal.
        var lastCommit: Int
        /// The record that made the first position bad; nil where none did.
        var firstBad: RecordSummary?
        /// The position before it.
        var lastGood: Int?
        /// What caused the commit.
        var cause: RecordSummary?
        /// What fired, and what did not.
        var firings = CommitBlock.Firings()
        /// The record that began the bad stretch in which the range ends.
        var lastFlip: RecordSummary?
        /// How often good and bad took turns; nil where the search cannot know.
        var flips: Int?
        /// Whether the range began and ended bad; nil where it is not known.
        var badAtStart: Bool?
        var badAtEnd: Bool?
        /// How many positions were asked about.
        var tested: Int
        /// How many gave no answer, and those of them next to the answer.
        var skipped = 0
        var candidates: [Int] = []
    }

    private let facts: Facts
    private let advice: Advice
    private let style: Style
    private let block: CommitBlock

    /// The story of these facts.
    init(_ facts: Facts, style: Style, width: Int?) {
        self.facts = facts
        advice = Advice(facts.journal, facts.scope)
        self.style = style
        block = CommitBlock(style: style, width: width)
    }

    /// The lines of the story.
    var lines: [String] {
        guard let firstBad = facts.firstBad else { return nothingFound }
        var lines = [block.heading(title, firstBad, of: facts.lastCommit), ""]
        if firstBad.kind == .commit || !firstBad.changes.isEmpty { lines += block.changes(firstBad.changes) + [""] }
        if let cause = facts.cause { lines.append(block.cause(cause)) }
        if let fired = block.firings(facts.firings) {
            lines.append(fired)
        }
        lines.append("  " + course(firstBad))
        lines += lasting(firstBad).map { "  " + $0 }
        lines += skipped.map { "  " + $0 }
        return lines + lookFurther(firstBad)
    }

    private var title: String {
        if !facts.candidates.isEmpty { return "first bad commit, or one near it:" }
        return facts.firstBad?.kind == .commit ? "first bad commit" : "first bad record"
    }

    /// As `good up to 117, bad from 118 to the end; 1 flip in 412 commits`.
    private func course(_ firstBad: RecordSummary) -> String {
        let good = "good up to \(facts.lastGood ?? firstBad.seq - 1), bad from \(firstBad.seq)"
        let commits = facts.to - facts.from
        guard let flips = facts.flips else { return good + "; \(positions(facts.tested)) tested" }
        let end = facts.to == facts.lastCommit ? "the end" : "\(facts.to)"
        let reach = flips <= 1 ? " to \(end)" : ""
        return good + reach + "; \(counted(flips, "flip")) in \(counted(commits, "commit"))"
    }

    /// Where good and bad took turns: when it went bad for good, or that it did not stay bad.
    private func lasting(_ firstBad: RecordSummary) -> [String] {
        guard let flips = facts.flips, flips > 1 else { return [] }
        let place = facts.to == facts.lastCommit ? "at the end" : "at \(facts.to)"
        if let last = facts.lastFlip, last != firstBad {
            let details = [last.store, last.location, last.label].compactMap(\.self)
            let description = details.map(ControlCharacters.escaped).filter { !$0.isEmpty }.joined(separator: "  ")
            return [
                "it did not stay bad: the bad stretch that is still there \(place) began with "
                    + style(.commit, last.title) + "  " + description
            ]
        }
        return facts.badAtEnd == false ? ["it did not stay bad: the state is good \(place)"] : []
    }

    private var skipped: [String] {
        guard facts.skipped > 0 else { return [] }
        let text = "\(positions(facts.skipped)) gave no answer"
        guard !facts.candidates.isEmpty else { return [text] }
        let candidates = facts.candidates.prefix(12).map(String.init).joined(separator: ", ")
        return [
            text + ", so the first bad one may be any of \(candidates)" + (facts.candidates.count > 12 ? ", …" : "")
        ]
    }

    private var nothingFound: [String] {
        let range = "in \(counted(facts.to - facts.from, "commit")), positions \(facts.from) to \(facts.to)"
        if facts.badAtStart == true {
            return ["bad from the start: the state at \(facts.from) is bad already, and nothing turned bad \(range)"]
                + skipped + lookFurther([advice.command(.state, [], [(.at, "\(facts.from)")])])
        }
        return ["never bad \(range); \(positions(facts.tested)) tested"] + skipped
    }

    private func lookFurther(_ firstBad: RecordSummary) -> [String] {
        var commands: [String] = []
        if firstBad.kind == .commit { commands.append(advice.command(.show, ["\(firstBad.seq)"])) }
        let before = "\(facts.lastGood ?? max(0, firstBad.seq - 1))"
        commands.append(advice.command(.diff, [before, "\(firstBad.seq)"]))
        if let path = firstBad.changes.first?.path, !path.isEmpty {
            commands.append(advice.command(.log, [], [(.patch, nil), (.path, path)]))
        }
        return lookFurther(commands)
    }

    private func lookFurther(_ commands: [String]) -> [String] {
        let lines = advice.lookFurther(commands, style)
        return lines.isEmpty ? [] : [""] + lines
    }

    private func positions(_ count: Int) -> String { counted(count, "position") }

    private func counted(_ count: Int, _ noun: String) -> String { count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
