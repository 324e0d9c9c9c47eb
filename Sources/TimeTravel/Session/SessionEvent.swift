package import JSONCore
package import JournalFormat
package import JournalReading
package import QueryLanguage

package enum SessionEvent: Sendable {
    case stopped(SessionStop)
    case stopChanged(SessionBreakpoint, Change)
    /// What a display shows at the stop that was reported before.
    case displayed(SessionDisplay, QueryOutcome)
    case checkpointMade(String, SessionPosition)
    /// The journal has other commits at its end than before.
    case journalChanged(from: CommitNumber, to: CommitNumber)
    /// The commits that are left out have changed: these are now; empty for none.
    case skipping(CommitList)
    /// A commit that stays has an `old` that differs from the state that it is applied to, because of those that are left out.
    case conflict(Run.Conflict)

    package enum Change: Sendable, Equatable {
        case added, changed, removed
    }
}

package struct SessionStop: Sendable {
    package let position: SessionPosition
    package let from: SessionPosition
    /// Why, one at least.
    package let reasons: [Reason]

    package enum Reason: Sendable {
        /// The motion is done: a step, a jump.
        case arrived
        case start
        case end
        case breakpoint(SessionBreakpoint)
        /// What is watched differs from what it was at the position before. ``ValueChange/old`` is always the earlier one.
        case changed(SessionBreakpoint, [ValueChange])
        /// Something was caught; a text about it, as the journal has it.
        case caught(SessionBreakpoint, String?)
        /// The condition of a stop fails here, so it is not known whether it would count.
        case conditionFailed(SessionBreakpoint, QueryError)
        case holds(Query)
        /// The positions on the way at which the query of an `until` has no answer.
        case unanswered(Unanswered)
        /// The commit that made what is there what it is.
        case lastChange(WatchSubject, [ValueChange])
        /// The subject did not change on the whole way in that direction.
        case noChange(WatchSubject, SessionDirection)
        /// Commits were lost here; the next motion goes on at the other side.
        case hole(SessionHole)
        case interrupted
    }
}

package struct ValueChange: Sendable, Equatable {
    /// Where; the root for a query's output.
    package let path: JSONPointer
    /// What it was at the position before.
    package let old: QueryOutcome
    /// What it is at the position itself.
    package let new: QueryOutcome
    /// The record of the position that made it so: mostly its commit, else a store that opened after it, or a gap.
    package let record: OwnedRecord?
}

/// What a query, or a path, gives at a position.
package enum QueryOutcome: Sendable, Equatable {
    /// The query's first output, or the value at the path.
    case value(JSONValue)
    /// No output, or nothing there.
    case nothing
    case failed(QueryError)

    /// One failure is as good as another: how a query fails is not a value.
    package static func == (left: QueryOutcome, right: QueryOutcome) -> Bool {
        switch (left, right) {
        case (.value(let a), .value(let b)): a == b
        case (.nothing, .nothing), (.failed, .failed): true
        default: false
        }
    }

    package var value: JSONValue? {
        guard case .value(let value) = self else { return nil }
        return value
    }

    var error: QueryError? {
        guard case .failed(let error) = self else { return nil }
        return error
    }

    init(_ evaluate: () throws(QueryError) -> JSONValue?) {
        do throws(QueryError) { self = try evaluate().map(QueryOutcome.value) ?? .nothing } catch {
            self = .failed(error)
        }
    }
}

/// Commits that were lost, in a gap or in damage.
package struct SessionHole: Sendable, Equatable {
    package let lost: ClosedRange<CommitNumber>
    package let before: CommitNumber
    /// Nil where the journal has none.
    package let after: CommitNumber?
    /// What is damaged; nil where the journal itself says that the commits were lost.
    package let damage: JournalError?
}

package enum SessionError: Error, Sendable {
    /// The journal cannot be read, or has no such position.
    case journal(JournalError)
    /// No stop, display or checkpoint is called so.
    case unknown(SessionItem, String)
    /// There is nowhere to go back, or forward, to.
    case noHistory(SessionDirection)
    /// A list of commits names one that the journal does not have.
    case position(PositionError)

    package enum SessionItem: String, Sendable {
        case breakpoint, display, checkpoint
    }
}
