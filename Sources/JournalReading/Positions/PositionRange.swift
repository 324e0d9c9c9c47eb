public import JournalFormat

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
    package private(set) var ranges: [ClosedRange<Int>] = []

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

    /// The part of the list, as it was typed, that a commit is in; nil for none.
    package func part(with commit: CommitNumber) -> ClosedRange<CommitNumber>? {
        guard let part = ranges.first(where: { $0.contains(commit.rawValue) }) else { return nil }
        return CommitNumber(part.lowerBound)...CommitNumber(part.upperBound)
    }

    /// The commits of this list and of another that are in a range; ascending, each once.
    package func joined(with other: CommitList, in range: PositionRange) -> CommitList {
        var joined = CommitList()
        for part in (ranges + other.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let (first, last) = (
                max(part.lowerBound, range.lower.rawValue + 1), min(part.upperBound, range.upper.rawValue)
            )
            guard first <= last else { continue }
            if let before = joined.ranges.last, before.upperBound >= first - 1 {
                joined.ranges[joined.ranges.count - 1] = before.lowerBound...max(before.upperBound, last)
            } else {
                joined.ranges.append(first...last)
            }
        }
        return joined
    }

    package func without(_ other: CommitList) -> CommitList {
        var rest = self
        for gone in other.ranges {
            rest.ranges = rest.ranges.flatMap { part -> [ClosedRange<Int>] in
                guard part.overlaps(gone) else { return [part] }
                let before = part.lowerBound < gone.lowerBound ? [part.lowerBound...gone.lowerBound - 1] : []
                return before + (part.upperBound > gone.upperBound ? [gone.upperBound + 1...part.upperBound] : [])
            }
        }
        return rest
    }

    /// The first commits of a list that is ascending, each once.
    package func prefix(_ limit: Int) -> [CommitNumber] {
        Array(ranges.lazy.flatMap { $0.lazy.map { CommitNumber($0) } }.prefix(limit))
    }

    /// How many commits are on a list on which each is once.
    package var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// The first part of the list, as it was typed, that has no position of a range; nil where each has one.
    public func part(outside range: PositionRange) -> ClosedRange<Int>? {
        ranges.first { !$0.overlaps(range.lower.rawValue...range.upper.rawValue) }
    }

    /// Whether nothing is on the list.
    public var isEmpty: Bool { ranges.isEmpty }
}
