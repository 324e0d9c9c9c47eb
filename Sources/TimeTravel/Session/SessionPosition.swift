package import JournalFormat

/// Where a debug session stands: after a commit, or inside one, after some of its changes.
package struct SessionPosition: Sendable, Hashable, Comparable {
    /// The last commit that is made, or the one that is being made.
    package let commit: CommitNumber
    /// How many of the commit's changes are made, from 1; nil where all are, and the position is a journal's.
    package let changes: Int?

    /// The position after a commit, or after some of its changes.
    package init(_ commit: CommitNumber, changes: Int? = nil) {
        self.commit = commit
        self.changes = changes
    }

    /// Whether the commit is only begun.
    package var isInside: Bool { changes != nil }

    /// Whether one comes before the other in the run.
    package static func < (left: SessionPosition, right: SessionPosition) -> Bool {
        (left.commit.rawValue, left.changes ?? .max) < (right.commit.rawValue, right.changes ?? .max)
    }
}

/// Which way a session goes.
package enum SessionDirection: Sendable, Equatable {
    case forward
    case backward

    /// The other way.
    package var reversed: SessionDirection { self == .forward ? .backward : .forward }
}
