package import JournalFormat
package import JournalReading
package import QueryLanguage

package enum SessionAction: Sendable {
    // MARK: Motions

    case step(SessionDirection, count: Int = 1)
    /// Over one change of a commit.
    case stepChange(SessionDirection, count: Int = 1)
    case resume(SessionDirection, count: Int = 1)
    /// To the nearest position in that direction at which the query holds.
    case until(Query, SessionDirection = .forward)
    /// To the commit that made what is there what it is; from there to the one before it.
    case last(WatchSubject)
    /// To where what is there changes next, or changed before, so many times, whatever else would stop; it stays where
    /// nothing does.
    case change(WatchSubject, SessionDirection, count: Int = 1)
    case goTo(CommitNumber)
    case start
    /// To the last position, also of a journal that has grown.
    case end
    /// To where the session was before the last motion, or before so many of them.
    case back(Int = 1)
    /// To where ``back(_:)`` came from.
    case forward(Int = 1)
    case restart(String)

    // MARK: What stops

    case add(SessionBreakpoint)
    case remove(Int)
    case removeAll
    /// Lets a stop count, or not, for now.
    case setEnabled(Int, Bool)
    /// Stops only where a query holds; nil for always.
    case setCondition(Int, Query?)
    /// Passes a stop so many times before it counts.
    case ignore(Int, Int)

    // MARK: The rest

    case display(Query)
    /// Shows a query no longer; nil for all.
    case removeDisplay(Int?)
    /// Remembers where the session is, by a name or the next number.
    case checkpoint(String?)
    /// Leaves commits out: the run as it would have been.
    case skip(CommitList)
    /// Takes the run as it was; nil for all commits that are left out.
    case unskip(CommitList?)
    case refresh
}

package struct SessionCalls {
    /// Asked all along a scan; true ends it where it is.
    package var isInterrupted: () -> Bool = { false }
    package var progress: (SessionProgress) -> Void = { _ in }
    /// Called at the end of a journal that is followed: lets time pass, and returns whether to check again; nil ends there.
    package var wait: (() -> Bool)?
    /// Called where a scan comes to the end of a journal that has grown, before what is new is searched; it may end the scan.
    package var grown: () -> Void = {}
    /// Called at each hit of a stop that logs, in the order of the way, with what its queries give there.
    package var log: (SessionBreakpoint, CommitNumber, [QueryOutcome]) -> Void = { _, _, _ in }

    package init() {}
}

package struct SessionProgress: Sendable, Equatable {
    package let position: CommitNumber
    package let origin: CommitNumber
    /// Where it will end at the latest.
    package let limit: CommitNumber

    package init(position: CommitNumber, origin: CommitNumber, limit: CommitNumber) {
        self.position = position
        self.origin = origin
        self.limit = limit
    }

    /// From 0 to 1.
    package var fraction: Double {
        let whole = abs(limit.rawValue - origin.rawValue)
        return whole == 0 ? 1 : Double(abs(position.rawValue - origin.rawValue)) / Double(whole)
    }
}
