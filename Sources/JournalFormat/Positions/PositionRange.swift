/// The positions from one commit's to another's: the commits after `lower` up to `upper`.
public struct PositionRange: Sendable, Equatable {
    /// The position that the range begins at.
    public let lower: CommitNumber
    /// The position that it ends at, not before `lower`.
    public let upper: CommitNumber

    /// A range; nil where its end is before its beginning.
    public init?(_ lower: CommitNumber, _ upper: CommitNumber) {
        guard lower <= upper else { return nil }
        self.lower = lower
        self.upper = upper
    }

    /// Every position from one on, of a journal whose last one is not known yet.
    package init(from lower: CommitNumber) {
        self.lower = lower
        upper = max(lower, .largest)
    }

    /// How many commits it has.
    public var count: Int { upper.rawValue - lower.rawValue }
}

/// A list of commits as a person types it: `3,5,10..20`, both ends of a range included.
public struct CommitList: Sendable, Equatable {
    private(set) var ranges: [ClosedRange<Int>] = []

    /// A list of nothing.
    public init() {}

    /// Reads numbers and ranges with commas between them.
    ///
    /// - Throws: ``PositionError/listSyntax(_:)`` naming the part that is neither.
    public init(parsing text: String) throws(PositionError) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let part = String(part)
            if let number = PositionText.number(part[...]) {
                ranges.append(number...number)
                continue
            }
            guard let range = try? RangeText(parsing: part), case .commit(let first)? = range.from,
                case .commit(let last)? = range.to, first <= last
            else { throw .listSyntax(part) }
            ranges.append(first...last)
        }
    }

    /// Reads several such texts, which add up.
    public init(parsing texts: [String]) throws(PositionError) {
        for text in texts { ranges += try CommitList(parsing: text).ranges }
    }

    /// Whether a commit is on the list.
    ///
    /// - Complexity: O(*k*) in the parts of the list as it was typed.
    public func contains(_ commit: CommitNumber) -> Bool {
        ranges.contains { $0.contains(commit.rawValue) }
    }

    /// A list of these commits.
    package init(_ commits: Set<CommitNumber>) {
        for commit in commits.sorted() {
            if let last = ranges.last, last.upperBound + 1 == commit.rawValue {
                ranges[ranges.count - 1] = last.lowerBound...commit.rawValue
            } else {
                ranges.append(commit.rawValue...commit.rawValue)
            }
        }
    }

    /// The commits of a range that are on the list.
    package func numbers(in range: PositionRange) -> [CommitNumber] {
        ranges.flatMap { part in
            let (first, last) = (
                max(part.lowerBound, range.lower.rawValue + 1), min(part.upperBound, range.upper.rawValue)
            )
            return first <= last ? (first...last).map { CommitNumber($0) } : []
        }
    }

    /// The first part of the list, as it was typed, that has no position of a range; nil where each has one.
    public func part(outside range: PositionRange) -> ClosedRange<Int>? {
        ranges.first { !$0.overlaps(range.lower.rawValue...range.upper.rawValue) }
    }

    /// Whether nothing is on the list.
    public var isEmpty: Bool { ranges.isEmpty }
}
