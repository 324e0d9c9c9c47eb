internal import JournalFormat

/// Records that are kept in memory, or at least counted, while the file cannot be written.
///
/// Marks and aborts are kept, up to a limit; they are written before the gap once the file can be written again, with
/// their own times.
struct PostponedRecords: Sendable {
    /// How many marks and aborts are kept before further ones are only counted.
    static let limit = 1000

    private(set) var waiting: [QueuedRecord] = []
    /// The records of the lines that the file has not taken yet.
    private var composed: [QueuedRecord] = []
    private var composedOutcomes = 0
    private var hasOwnMark = false
    /// How many marks and aborts the file has taken, by its own count.
    private var marks = 0
    private var aborts = 0
    private var lostMarks = 0
    private var lostAborts = 0
    private var lostOutcomes = 0

    mutating func postpone(_ record: QueuedRecord) {
        if waiting.count < PostponedRecords.limit { waiting.append(record) } else { countLost(record) }
    }

    mutating func countLost(_ record: QueuedRecord) {
        if case .mark = record { lostMarks += 1 } else { lostAborts += 1 }
    }

    mutating func loseOutcomes(_ count: Int) { lostOutcomes += count }

    // MARK: Lines that the file has not taken yet

    mutating func compose(_ record: QueuedRecord) {
        composed.append(record)
        if case .mark = record { marks += 1 } else { aborts += 1 }
    }

    mutating func composeOutcomes(_ count: Int) { composedOutcomes += count }

    /// The file has taken the lines, or they are in its queue.
    mutating func confirmHandedOver() {
        composed.removeAll(keepingCapacity: true)
        composedOutcomes = 0
        hasOwnMark = false
    }

    /// The lines are lost: their records are kept again, and what was in the file's queue is counted.
    mutating func restore(_ totals: Totals) {
        var known = (marks: hasOwnMark ? 1 : 0, aborts: 0)
        for record in composed { if case .mark = record { known.marks += 1 } else { known.aborts += 1 } }
        lostMarks += max(0, marks - totals.marks - known.marks)
        lostAborts += max(0, aborts - totals.aborts - known.aborts)
        lostOutcomes += composedOutcomes
        let later = waiting
        waiting = []
        for record in composed + later { postpone(record) }
        confirmHandedOver()
        (marks, aborts) = (totals.marks, totals.aborts)
    }

    mutating func takeWaiting() -> [QueuedRecord] {
        defer { waiting = [] }
        return waiting
    }

    /// A new file begins, which holds nothing.
    mutating func beginFile() { (marks, aborts) = (0, 0) }

    // MARK: Losses

    /// The losses in words: "2 marks, 1 outcome"; nil without any.
    var words: String? {
        let parts = [(lostMarks, "mark"), (lostAborts, "abort"), (lostOutcomes, "outcome")]
            .compactMap { count, name in count > 0 ? "\(count) \(name)\(count == 1 ? "" : "s")" : nil }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The file has the words, so the losses need not be counted any more.
    mutating func forgetLosses() { (lostMarks, lostAborts, lostOutcomes) = (0, 0, 0) }

    /// Counts a mark of the recorder's own, so that the count agrees with the file's.
    mutating func countOwnMark() {
        marks += 1
        hasOwnMark = true
    }
}
