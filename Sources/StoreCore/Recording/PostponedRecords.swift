internal import JournalFormat

/// Records that are kept in memory, or at least counted, while the file cannot be written.
///
/// Marks and aborts are kept, up to a limit; they are written before the gap once the file can be written again, with
/// their own times.
struct PostponedRecords: Sendable {
    /// How many marks and aborts are kept before further ones are only counted.
    static let limit = 1000

    private var waiting: [QueuedRecord] = []
    /// The records of the lines that are not in the file yet.
    private var composed: [QueuedRecord] = []
    /// Records that are written or lost.
    ///
    /// Values of the app may end with them, so they are released outside of all locks.
    private var finished: [QueuedRecord] = []
    private var lostMarks = 0
    private var lostAborts = 0
    private var lostOutcomes = 0

    /// Keeps a mark or an abort for later; counts anything else as lost.
    mutating func postpone(_ record: QueuedRecord) {
        switch record {
        case .mark, .abort:
            if waiting.count < PostponedRecords.limit { return waiting.append(record) }
        default: break
        }
        countLost(record)
    }

    mutating func countLost(_ record: QueuedRecord) {
        switch record {
        case .mark: lostMarks += 1
        case .abort: lostAborts += 1
        case .outcome(_, let outcomes): lostOutcomes += outcomes.count
        case .open, .close, .derived, .forget, .commit: break
        }
        finished.append(record)
    }

    /// Records that a record's line is composed.
    mutating func compose(_ record: QueuedRecord) { composed.append(record) }

    /// The file has the lines.
    mutating func confirmWritten() {
        finished += composed
        composed.removeAll(keepingCapacity: true)
    }

    /// The lines are lost: their records wait again.
    mutating func restore() {
        let records = composed + waiting
        (composed, waiting) = ([], [])
        for record in records { postpone(record) }
    }

    mutating func takeWaiting() -> [QueuedRecord] {
        defer { waiting = [] }
        return waiting
    }

    mutating func takeFinished() -> [QueuedRecord] {
        defer { finished = [] }
        return finished
    }

    // MARK: Losses

    /// The losses in words: "2 marks, 1 outcome"; nil without any.
    var words: String? {
        let parts = [(lostMarks, "mark"), (lostAborts, "abort"), (lostOutcomes, "outcome")]
            .compactMap { count, name in count > 0 ? "\(count) \(name)\(count == 1 ? "" : "s")" : nil }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The file has the words, so the losses need not be counted any more.
    mutating func forgetLosses() { (lostMarks, lostAborts, lostOutcomes) = (0, 0, 0) }
}
