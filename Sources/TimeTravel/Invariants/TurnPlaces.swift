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

/// Sorts the turns of conditions by the places in the source at which the records were made.
///
/// - Complexity: each record that turned a condition is read once, whatever the number of conditions that it turned.
struct TurnPlaces {
    private let journal: Journal
    private let range: PositionRange
    /// What the place of each record is, in bytes that no two places share.
    private var keys: [FlipTracker.Author: [UInt8]] = [:]

    init(_ journal: Journal, _ range: PositionRange) {
        self.journal = journal
        self.range = range
    }

    /// The places of a track's turns, the most frequent first, and of equally frequent ones the one that was met first.
    mutating func places(of track: ConditionTrack) throws(JournalError) -> [TurnPlace] {
        var places: [TurnPlace] = []
        var indices: [[UInt8]: Int] = [:]
        for turn in track.tracker.turns {
            var record: OwnedRecord?
            let key = try key(of: turn, &record)
            if indices[key] == nil {
                indices[key] = places.count
                if record == nil, !isStart(turn) { record = try journal.record(of: turn.author) }
                places.append(TurnPlace(record: record, first: turn.position, last: turn.position))
            }
            guard let index = indices[key] else { continue }
            places[index].times += 1
            places[index].last = turn.position
        }
        return places.enumerated().sorted { left, right in
            (right.element.times, left.offset) < (left.element.times, right.offset)
        }.map(\.element)
    }

    private func isStart(_ turn: FlipTracker.BadTurn) -> Bool { turn.position == range.lower }

    private mutating func key(
        of turn: FlipTracker.BadTurn, _ record: inout OwnedRecord?
    ) throws(JournalError) -> [UInt8] {
        guard !isStart(turn) else { return [0] }
        if let known = keys[turn.author] { return known }
        let found = try journal.record(of: turn.author)
        record = found
        let place = try Record(found).place
        let parts = [
            place?.file ?? "", "\(place?.line ?? 0)", "\(place?.column ?? 0)", place?.function ?? "",
        ]
        let key = Array(parts.joined(separator: "\0").utf8)
        keys[turn.author] = key
        return key
    }
}
