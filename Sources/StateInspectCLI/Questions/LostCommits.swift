import Diagnostics
import JournalFormat

/// The commits that were lost in gaps among those that an answer is about.
struct LostCommits {
    private let command: CommandName
    private let consequence: String
    private var count = 0
    private var first: CommitNumber?
    private var last: CommitNumber?

    /// None yet.
    ///
    /// - Parameter consequence: what becomes of them in the answer, as "are not counted".
    init(_ command: CommandName, _ consequence: String) {
        self.command = command
        self.consequence = consequence
    }

    /// Adds those of a gap.
    mutating func add(_ line: RecordLine) throws(JournalError) {
        let gap = try line.decode { (object) throws(RecordFault) in try GapRecord(object) }
        let (sum, isHuge) = count.addingReportingOverflow(max(0, gap.lost))
        count = isHuge ? .max : sum
        first = min(first ?? gap.first, gap.first)
        last = max(last ?? gap.seq, gap.seq)
    }

    /// That they are not part of the answer; nil where none was lost.
    var warning: Diagnostic? {
        guard let first, let last else { return nil }
        return Diagnostic(
            .warning, code: "\(command.rawValue).across-gap",
            "\(count) commits between \(first) and \(last) were lost, and \(consequence)",
            notes: ["a gap stands for them: they could not be kept while the app ran, or were damaged"])
    }
}
