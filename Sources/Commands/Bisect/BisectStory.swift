package import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
package import JournalReading
import TimeTravel

package struct BisectStory {
    package struct Facts {
        var journal: String
        var scope = StoreScope(store: nil)
        /// What was asked about: the positions from the good end to the bad end.
        var from: Int
        var to: Int
        var lastCommit: Int
        /// The record that made the first position bad; nil where none did.
        var firstBad: RecordSummary?
        /// The position before it.
        var lastGood: Int?
        var cause: RecordSummary?
        var firings = CommitBlock.Firings()
        /// The record that began the bad range in which the range ends.
        var lastFlip: RecordSummary?
        /// The record that had turned the state bad before the first bad position that was asked about.
        var badBefore: RecordSummary?
        /// The first good position of a range that begins bad.
        var mended: Int?
        /// How often good and bad took turns; nil where the search cannot know.
        var flips: Int?
        /// Whether the range began and ended bad; nil where it is not known.
        var badAtStart: Bool?
        var badAtEnd: Bool?
        var tested: Int
        /// How many were not judged, how many have no state, and those next to the answer.
        var skipped = 0
        var lost = 0
        var candidates: [Int] = []
    }

    private let facts: Facts
    private let advice: Advice
    private let style: Style
    private let block: CommitBlock

    package init(_ facts: Facts, style: Style, width: Int?) {
        self.facts = facts
        advice = Advice(facts.journal, facts.scope)
        self.style = style
        block = CommitBlock(style: style, width: width)
    }

    package var lines: [String] {
        guard let firstBad = facts.firstBad else { return sentences + lookFurther }
        var lines = block.head(title, firstBad, of: facts.lastCommit) + [""]
        if firstBad.kind == .commit || !firstBad.changes.isEmpty { lines += block.changes(firstBad.changes) + [""] }
        if let cause = facts.cause { lines.append(block.cause(cause)) }
        if let fired = block.firings(facts.firings) {
            lines.append(fired)
        }
        return lines + sentences.map { "  " + $0 } + lookFurther
    }

    package var title: String {
        guard let firstBad = facts.firstBad else { return facts.badAtStart == true ? "bad from the start" : "not bad" }
        if !facts.candidates.isEmpty { return "first bad commit, or one near it:" }
        return firstBad.kind == .commit ? "first bad commit" : "first bad record"
    }

    /// For how long it was so, what stands in the way of believing it; where nothing turned bad, that.
    var sentences: [String] {
        guard let firstBad = facts.firstBad else { return nothingFound }
        var sentences = [course(firstBad)] + lasting(firstBad)
        if let before = facts.badBefore {
            sentences.append(
                "the state was bad already before \(firstBad.seq): " + style(.commit, before.title)
                    + " made it so, which touches none of the paths")
        }
        return sentences + unanswered
    }

    /// As `good up to 117, bad from 118 to the end; 1 flip in 412 commits`.
    private func course(_ firstBad: RecordSummary) -> String {
        let start = facts.badAtStart == true ? facts.mended.map { "bad from the start up to \($0 - 1), " } ?? "" : ""
        let good = start + "good up to \(facts.lastGood ?? firstBad.seq - 1), bad from \(firstBad.seq)"
        let commits = facts.to - facts.from
        guard let flips = facts.flips else { return good + "; \(positions(facts.tested)) tested" }
        let end = facts.to == facts.lastCommit ? "the end" : "\(facts.to)"
        let reach = flips <= (start.isEmpty ? 1 : 2) ? " to \(end)" : ""
        return good + reach + "; \(flips.counted("flip")) in \(commits.counted("commit"))"
    }

    /// Where good and bad took turns: when it went bad for good, or that it did not stay bad.
    private func lasting(_ firstBad: RecordSummary) -> [String] {
        guard let flips = facts.flips, flips > 1 else { return [] }
        let place = facts.to == facts.lastCommit ? "at the end" : "at \(facts.to)"
        if let last = facts.lastFlip, last != firstBad {
            let details = [last.store, last.location, last.label].compactMap(\.self)
            let description = details.map(ControlCharacters.escaped).filter { !$0.isEmpty }.joined(separator: "  ")
            return [
                "it did not stay bad: the bad range that is still there \(place) began with "
                    + style(.commit, last.title) + "  " + description
            ]
        }
        return facts.badAtEnd == false ? ["it did not stay bad: the state is good \(place)"] : []
    }

    private var unanswered: [String] {
        var lines: [String] = []
        if facts.lost > 0 {
            lines.append(
                "\(positions(facts.lost)) \(facts.lost == 1 ? "was lost and has" : "were lost and have") no answer")
        }
        guard facts.skipped > 0 else { return lines }
        let text = "\(positions(facts.skipped)) gave no answer"
        guard !facts.candidates.isEmpty else { return lines + [text] }
        let candidates = facts.candidates.prefix(12).map(String.init).joined(separator: ", ")
        return lines + [
            text + ", so the first bad one may be any of \(candidates)" + (facts.candidates.count > 12 ? ", …" : "")
        ]
    }

    private var nothingFound: [String] {
        guard facts.flips != nil else { return endsOnly + unanswered }
        let range = "in \((facts.to - facts.from).counted("commit")), positions \(facts.from) to \(facts.to)"
        if facts.badAtStart == true {
            let mended = facts.mended.map { "; bad up to \($0 - 1), good from \($0) on" } ?? ""
            return [
                "bad from the start: the state at \(facts.from) is bad already, and nothing turned bad \(range)"
                    + mended
            ] + unanswered
        }
        if facts.badAtStart == nil, facts.badAtEnd == true {
            return ["bad where there is an answer, from which position on is not known \(range)"] + unanswered
        }
        let isPartial = facts.skipped + facts.lost > 0
        let never = isPartial ? "not bad where there is an answer" : "never bad"
        return ["\(never) \(range); \(positions(facts.tested)) tested"] + unanswered
    }

    /// What a search by halves has found out where its ends are not what they should be.
    private var endsOnly: [String] {
        func word(_ isBad: Bool?) -> String { isBad.map { $0 ? "bad" : "good" } ?? "without a verdict" }
        let (start, end) = (word(facts.badAtStart), word(facts.badAtEnd))
        let ends =
            start == end
            ? "\(start) at both ends, \(facts.from) and \(facts.to)"
            : "\(start) at \(facts.from) and \(end) at \(facts.to)"
        return [ends + "; nothing between was asked"]
    }

    package var commands: [String] {
        guard advice.isPossible else { return [] }
        guard let firstBad = facts.firstBad else {
            let isBad = facts.flips != nil && facts.badAtStart == true
            return isBad ? [advice.command(.state, [], [(.at, "\(facts.from)")])] : []
        }
        var commands: [String] = []
        if firstBad.kind == .commit { commands.append(advice.command(.show, ["\(firstBad.seq)"])) }
        // 'diff' does not go on after damage, which may lie between the two.
        if !advice.recovers {
            let before = "\(facts.lastGood ?? max(0, firstBad.seq - 1))"
            commands.append(advice.command(.diff, [before, "\(firstBad.seq)"]))
        }
        if let path = firstBad.changes.first?.path, !path.isEmpty {
            commands.append(advice.command(.log, [], [(.patch, nil), (.path, path)]))
        }
        return commands
    }

    private var lookFurther: [String] {
        let lines = Advice.lookFurther(commands, style)
        return lines.isEmpty ? [] : [""] + lines
    }

    private func positions(_ count: Int) -> String { count.counted("position") }
}

extension BisectStory.Facts {
    package func finding(of question: String, isConclusive: Bool) -> Finding {
        let isBad = firstBad != nil || badAtStart == true || badAtEnd == true
        let story = BisectStory(self, style: .plain, width: nil)
        var finding = Finding(
            tone: isBad ? .bad : isConclusive ? .good : .unknown,
            title: story.title, question: question)
        finding.record = firstBad
        finding.position = firstBad?.seq ?? (badAtStart == true ? from : nil)
        finding.last = badAtEnd == true ? to : nil
        finding.cause = cause
        finding.firings = firings
        finding.sentences = story.sentences
        finding.commands = story.commands
        return finding
    }

    /// The first bad commit, as reports that point to a line of source have it; nil where there is none.
    package func result(_ record: Record, _ question: String, _ history: [Finding.HistoryStep]) -> Finding.Result? {
        guard let firstBad else { return nil }
        var details = ViolationText.changes(firstBad) + ["bad is: " + question]
        if let cause { details.append(ViolationText.cause(cause)) }
        return Finding.Result(
            place: SourcePlace(record),
            heading: "\(ViolationText.title(firstBad)) of \(journal) turned the state bad, \(firstBad.label)",
            details: details, history: history,
            properties: .members([
                "journal": .string(journal), "seq": .number(record.seq.rawValue),
                "lastGood": lastGood.map { .number($0) }, "flips": flips.map { .number($0) },
            ]))
    }
}
