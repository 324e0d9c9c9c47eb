import JSONCore
import JournalFormat
import JournalReading

struct ValueWrite {
    struct Move {
        var record: OwnedRecord
        /// Whether each of them took the value itself from one place to the other; an array that shifts says nothing of it.
        var isRecorded: Bool
    }

    private(set) var record: OwnedRecord?
    private(set) var commit: CommitRecord?
    private(set) var operation: JSONPatch.Operation?
    private(set) var path: JSONPointer
    private(set) var move: Move?
    var seq: CommitNumber { record?.seq ?? .zero }

    func isInsertion(into before: JSONValue) -> Bool {
        switch operation {
        case .add(let place, _), .copy(_, let place): place.parent?.value(in: before)?.isArray == true
        case .remove, .replace, .move, .test, nil: false
        }
    }

    init(last stood: StoodValue, in journal: Journal) throws(JournalError) {
        path = stood.path
        let state = try journal.state(at: stood.position, pruning: PathSet(stood.path)).value
        var open = OpenLeaves(whole: stood.path, in: state)
        var filter = RecordFilter(touching: open.takePaths(), kinds: [.commit, .store, .gap])
        var reader = try journal.recordsBackward(from: try journal.offset(firstAtLeast: stood.position.next))
        while let line = try reader.next(matching: &filter) {
            if line.kind == .commit { try undo(line, &open, journal) } else { try open.close(line) }
            if open.count == 0 {
                record = line.owned()
                return
            }
            // A move between containers leads to paths that were not looked for.
            if !open.takeNewPlaces().isEmpty { filter = RecordFilter(touching: open.takePaths(), kinds: filter.kinds) }
        }
    }

    private mutating func undo(_ line: RecordLine, _ open: inout OpenLeaves, _ journal: Journal) throws(JournalError) {
        let commit = try line.decode(CommitRecord.init)
        let operations = commit.patch.inStore(commit.store).operations
        for (index, operation) in operations.enumerated().reversed() {
            try open.undo(operation) { () throws(JournalError) in
                try journal.state(inside: line.seq, after: operations[..<index])
            }
            guard open.count > 0 else {
                (self.commit, self.operation) = (commit, operation)
                return
            }
            guard operation.mayShift(path), let place = open.firstPlace, place != path else { continue }
            let isRecorded = operation.moves(place)
            let last = move ?? Move(record: line.owned(), isRecorded: true)
            move = Move(record: last.record, isRecorded: last.isRecorded && isRecorded)
            path = place
        }
    }
}

extension JSONPatch.Operation {
    /// An element that its own copy shifts is not moved by it.
    fileprivate func moves(_ place: JSONPointer) -> Bool {
        guard case .move(let from, _) = self else { return false }
        return place.segments.starts(with: from.segments, by: UTF8Order.equal)
    }

    fileprivate func mayShift(_ path: JSONPointer) -> Bool {
        [self.path, from].contains { place in
            guard let parent = place?.parent else { return false }
            return path.segments.starts(with: parent.segments, by: UTF8Order.equal)
        }
    }
}
