import Diagnostics
import JournalFormat

/// The commits that were lost in gaps, or in damage that was jumped over, among those that an answer is about.
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
        add(gap.lost, from: gap.first, through: gap.seq)
    }

    /// Adds those that were jumped over behind a commit, up to the one that reading went on at.
    mutating func add(behind commit: CommitNumber, through resumed: CommitNumber) {
        guard resumed > commit else { return }
        add(resumed.rawValue - commit.rawValue, from: commit.next, through: resumed)
    }

    private mutating func add(_ lost: Int, from begin: CommitNumber, through end: CommitNumber) {
        let (sum, isHuge) = count.addingReportingOverflow(max(0, lost))
        count = isHuge ? .max : sum
        first = min(first ?? begin, begin)
        last = max(last ?? end, end)
    }

    /// That they are not part of the answer; nil where none was lost.
    var warning: Diagnostic? {
        guard let first, let last else { return nil }
        return Diagnostic(
            .warning, code: "\(command.rawValue).across-gap",
            "\(count) commits between \(first) and \(last) were lost, and \(consequence)",
            notes: [
                "they lie in a gap or in damage: they could not be kept while the app ran, or their lines are broken"
            ])
    }
}
