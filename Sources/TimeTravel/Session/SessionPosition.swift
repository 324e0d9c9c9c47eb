import JSONCore
package import JournalFormat
import JournalReading

/// Where a debug session stands: after a commit, or inside one, after some of its changes.
package struct SessionPosition: Sendable, Hashable, Comparable {
    /// The last commit that is made, or the one that is being made.
    package let commit: CommitNumber
    /// How many of the commit's changes are made, from 1; nil where all are, and the position is a journal's.
    package let changes: Int?

    package init(_ commit: CommitNumber, changes: Int? = nil) {
        self.commit = commit
        self.changes = changes
    }

    package var isInside: Bool { changes != nil }

    package static func < (left: SessionPosition, right: SessionPosition) -> Bool {
        (left.commit.rawValue, left.changes ?? .max) < (right.commit.rawValue, right.changes ?? .max)
    }
}

package enum SessionDirection: Sendable, Equatable {
    case forward
    case backward
}

struct SessionHistory {
    private static let limit = 10_000

    private var past: [SessionPosition] = []
    private var future: [SessionPosition] = []

    mutating func leave(_ position: SessionPosition) {
        future.removeAll()
        past.append(position)
        if past.count > SessionHistory.limit { past.removeFirst(SessionHistory.limit / 10) }
    }

    func place(_ direction: SessionDirection, _ count: Int) -> SessionPosition? {
        let places = direction == .backward ? past : future
        return count >= 1 && count <= places.count ? places[places.count - count] : nil
    }

    mutating func go(_ direction: SessionDirection, _ count: Int, from position: SessionPosition) {
        var here = position
        for _ in 0..<count {
            if direction == .backward {
                future.append(here)
                here = past.removeLast()
            } else {
                past.append(here)
                here = future.removeLast()
            }
        }
    }
}

/// A commit of which some changes are made: where a session stands between two positions.
struct InsideCommit {
    let record: OwnedRecord
    /// How many of its changes are made, one at least and not all.
    let made: Int
    let state: JSONValue

    init(_ record: OwnedRecord, _ commit: CommitRecord, made: Int, from before: PositionState) throws(JournalError) {
        var state = before
        state.begin(commit.seq)
        do throws(PatchError) {
            try state.apply(JSONPatch(Array(commit.patch.operations.prefix(made))), to: commit.store)
        } catch let fault {
            throw record.withLine { $0.damage(.patch(fault), of: commit.store) }
        }
        self.record = record
        self.made = made
        self.state = state.value
    }
}
