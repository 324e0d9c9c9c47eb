public import JournalFormat
public import JournalReading

/// A place in the source at which a condition was turned bad.
public struct TurnPlace: Sendable {
    /// The first record that turned it bad there; nil where it was bad from the start.
    public let record: OwnedRecord?
    /// How often it was.
    public fileprivate(set) var times = 0
    /// The first position that became bad by it.
    public let first: CommitNumber
    /// The last such position.
    public fileprivate(set) var last: CommitNumber
}

/// - Complexity: each record that turned a condition is read once, whatever the number of conditions that it turned.
struct TurnPlaces {
    private let journal: Journal
    private let range: PositionRange
    /// What the place of each record is, in bytes that no two places share.
    private var keys: [Answers.Author: [UInt8]] = [:]

    init(_ journal: Journal, _ range: PositionRange) {
        self.journal = journal
        self.range = range
    }

    /// The most frequent first, and of equally frequent ones the one that was met first.
    mutating func places(of answers: Answers) throws(JournalError) -> [TurnPlace] {
        var places: [TurnPlace] = []
        var indices: [[UInt8]: Int] = [:]
        for (position, author) in answers.turns {
            let isStart = position == range.lower
            let key = try isStart ? [0] : key(of: author)
            let index = indices[key] ?? places.count
            if index == places.count {
                indices[key] = index
                let record = isStart ? nil : try journal.record(of: author)
                places.append(TurnPlace(record: record, first: position, last: position))
            }
            places[index].times += 1
            places[index].last = position
        }
        return places.enumerated().sorted { left, right in
            (right.element.times, left.offset) < (left.element.times, right.offset)
        }.map(\.element)
    }

    private mutating func key(of author: Answers.Author) throws(JournalError) -> [UInt8] {
        if let known = keys[author] { return known }
        let place = try Record(journal.record(of: author)).place
        let parts = [place?.file ?? "", "\(place?.line ?? 0)", "\(place?.column ?? 0)", place?.function ?? ""]
        let key = Array(parts.joined(separator: "\0").utf8)
        keys[author] = key
        return key
    }
}
