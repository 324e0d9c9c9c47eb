import JSONCore
public import JournalFormat
public import JournalReading
public import QueryLanguage

/// The positions of a range at which a question has no answer: those that were lost, in a gap or in damage that was jumped
/// over, and those at which its query failed.
///
/// They are counted apart, never as good.
public struct Unanswered: Sendable, Equatable {
    /// A position at which the query fails.
    public struct Failure: Sendable, Equatable {
        /// Where it fails first.
        public let position: CommitNumber
        /// How.
        public let error: QueryError
    }

    /// How many positions have no state.
    public private(set) var lost = 0
    /// The first of them.
    public private(set) var firstLost: CommitNumber?
    /// At how many positions the query fails.
    public private(set) var failed = 0
    /// The first of them.
    public private(set) var firstFailure: Failure?
    /// How many of those lost lie after the range: it is not known how many there were.
    private(set) var lostAfterRange = 0
    private var failingSince: CommitNumber?

    /// A file may claim any number of them, and be asked about them often: what is counted stops here.
    private static let limit = 1 << 60

    /// No such position yet.
    public init() {}

    /// Scans the range's bytes; damage in them is for the question itself to report.
    package init(gapsOf journal: Journal, in range: PositionRange) {
        self.init()
        guard var reader = try? journal.records(after: range.lower, through: range.upper, recover: true) else { return }
        var gaps = RecordFilter(touching: .nothing, kinds: .gap)
        while let line = try? reader.next(matching: &gaps) {
            guard line.kind == .gap, line.seq > range.lower, let first = try? line.firstLost() else { continue }
            lose(max(first, range.lower.next)...line.seq)
        }
    }

    /// How many positions there are.
    public var count: Int { lost + failed }
    /// The first of them.
    public var first: CommitNumber? {
        guard let failure = firstFailure?.position else { return firstLost }
        return firstLost.map { min($0, failure) } ?? failure
    }

    /// Takes what became of a position, an error or none; it holds up to the next one that is noted.
    public mutating func note(_ error: QueryError?, at position: CommitNumber) {
        count(before: position)
        guard let error else { return }
        failingSince = position
        if firstFailure == nil { firstFailure = Failure(position: position, error: error) }
    }

    /// Takes positions that have no state.
    public mutating func lose(_ positions: ClosedRange<CommitNumber>) {
        count(before: positions.lowerBound)
        lost = min(lost + positions.upperBound.rawValue - positions.lowerBound.rawValue + 1, Self.limit)
        firstLost = min(firstLost ?? positions.lowerBound, positions.lowerBound)
    }

    /// Takes one position at which the query failed, for a caller that asks in any order.
    public mutating func fail(_ error: QueryError, at position: CommitNumber) {
        failed += 1
        if let first = firstFailure, first.position <= position { return }
        firstFailure = Failure(position: position, error: error)
    }

    /// Takes over what another count of the same range has of failures.
    public mutating func add(_ other: Unanswered) {
        failed += other.failed
        if let failure = other.firstFailure, failure.position < firstFailure?.position ?? failure.position.next {
            firstFailure = failure
        }
    }

    /// Counts the positions up to the end of the range.
    public mutating func finish(_ range: PositionRange, lost: ClosedRange<CommitNumber>?) {
        if let lost {
            lose(lost)
            lostAfterRange += max(0, lost.upperBound.rawValue - max(range.upper, lost.lowerBound.previous).rawValue)
        }
        count(before: range.upper.next)
    }

    private mutating func count(before position: CommitNumber) {
        if let since = failingSince, since < position { failed += position.rawValue - since.rawValue }
        failingSince = nil
    }
}
